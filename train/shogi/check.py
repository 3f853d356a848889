#!/usr/bin/env python3
"""Compares a network's values as the engine and as NumPy's integers compute them; they must be equal.

The positions reach the engine as text and NumPy in packed form, so that the reading of positions and
the numbers of the inputs are compared too.
"""

import argparse
import subprocess


def parser():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("net", help="the network")
    p.add_argument("positions", help="a file of training positions")
    p.add_argument("--yomi", default="yomi", help="the program")
    p.add_argument("--count", type=int, default=5000)
    return p


if __name__ == "__main__":
    ARGS = parser().parse_args()  # before PyTorch is loaded, which --help does not need

import numpy as np  # noqa: E402
import torch  # noqa: E402

import net as nets  # noqa: E402
import psv  # noqa: E402


def main(args):
    records = np.fromfile(args.positions, psv.RECORD)[:args.count]
    packed = torch.from_numpy(np.ascontiguousarray(records["position"]))
    outputs = nets.evaluate_integers(nets.read(args.net), psv.inputs(packed).numpy())
    wanted = np.clip(np.trunc(outputs / nets.FV_SCALE), -30000, 30000).astype(int)
    text = "\n".join(psv.sfens(packed)) + "\n"
    told = subprocess.run([args.yomi, "eval", "-", "--eval", args.net], input=text, text=True,
                          stdout=subprocess.PIPE, check=True).stdout.splitlines()
    values = np.array([int(line.split("\t")[0]) for line in told])
    if len(values) != len(wanted):
        raise SystemExit("%d positions, but %d values" % (len(wanted), len(values)))
    wrong = np.flatnonzero(values != wanted)
    if len(wrong):
        i = wrong[0]
        raise SystemExit("%d of %d differ; the first: %s: %d, not %d" %
                         (len(wrong), len(values), told[i].split("\t")[1], values[i], wanted[i]))
    print("%d positions: all values are equal" % len(values))


if __name__ == "__main__":
    main(ARGS)
