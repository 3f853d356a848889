#!/usr/bin/env python3
"""Compares values of a network's file by the engine with those of its numbers, read and computed here."""

import argparse


def arguments():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("net")
    p.add_argument("positions", help="a file of training positions")
    p.add_argument("--count", type=int, default=500)
    p.add_argument("--yomi", default="yomi", help="the program")
    return p.parse_args()


if __name__ == "__main__":
    ARGS = arguments()  # before PyTorch is loaded, which --help does not need

import subprocess  # noqa: E402
import sys  # noqa: E402

import numpy as np  # noqa: E402
import torch  # noqa: E402

import model  # noqa: E402
from positions import Inputs, Unpacker, psv  # noqa: E402


def main(args):
    rows = np.fromfile(args.positions, psv.RECORD)
    rows = rows[np.linspace(0, len(rows) - 1, args.count).astype(int)]
    packed = torch.from_numpy(np.ascontiguousarray(rows["position"]))
    numbers = model.read(args.net)
    net = model.Net(1, model.kind_of(numbers))
    net.start(numbers, 1)
    pieces, own, other = Unpacker("cpu")(packed)
    with torch.no_grad():
        output = net(*Inputs(net.kind, "cpu")(pieces, torch.cat([own, other], 1))) * net.output_one
    wanted = torch.trunc(torch.round(output) / model.FV_SCALE).int().tolist()
    lines = "".join(text + "\n" for text in psv.sfens(packed))
    out = subprocess.run([args.yomi, "eval", "-", "--eval", args.net], input=lines, text=True, check=True,
                         stdout=subprocess.PIPE).stdout
    found = [int(line.split("\t")[0]) for line in out.splitlines()]
    different = [i for i in range(len(rows)) if found[i] != wanted[i]]
    if different:
        i = different[0]
        sys.exit(f"{len(different)} of {len(rows)} values differ, first of position {i}: {found[i]}, not {wanted[i]}")
    print(f"{len(rows)} values are the same, {len(set(found))} different ones")


if __name__ == "__main__":
    main(ARGS)
