#!/usr/bin/env python3
"""Checks that what was exported is what was trained:

    check.py OUT ROWS [--count N]

reads OUT/net.bin.gz back, runs it with NumPy alone on positions of ROWS.held, and compares with the
averaged network of the checkpoint, its weights rounded as the file's are."""
import argparse
import os
import sys


def parser():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("out")
    p.add_argument("rows")
    p.add_argument("--count", type=int, default=64)
    return p


if __name__ == "__main__":
    ARGS = parser().parse_args()  # before PyTorch is loaded, which --help does not need

import numpy as np  # noqa: E402
import torch  # noqa: E402

sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../common"))
import checkpoint  # noqa: E402
import netfile  # noqa: E402
from data import GRID, Unpacker, load  # noqa: E402
from model import USED_PLANES, Net, Shape  # noqa: E402

TOLERANCE = 1e-4


def trained(folder):
    state = checkpoint.load(folder, "state", "cpu")
    if not state:
        sys.exit("check.py: no checkpoint in " + folder)
    net = Net(Shape(**state["trainer"]["shape"]))
    net.load_state_dict(state["trainer"]["average"])
    for p in net.parameters():
        if p.dim() > 1:
            p.data = p.data.bfloat16().float()
    return net.eval()


def compare(net, form, planes, numbers):
    """The largest difference of any output, as a share of the outputs' own size."""
    with torch.no_grad():
        expected = net(planes.float(), numbers)
    every = np.zeros((len(planes), netfile.PLANES) + tuple(planes.shape[2:]), np.float32)
    every[:, USED_PLANES] = planes.numpy()
    found = netfile.run(form, every, numbers.numpy())
    on_board = np.concatenate([planes[:, 0].flatten(1).numpy() > 0,
                               np.ones((len(planes), 1), bool)], 1)
    worst = 0
    for i, (a, b) in enumerate(zip(expected, found)):
        a = a.numpy()
        off = np.abs(a - b)[on_board] if i == 0 else np.abs(a - b)
        size = np.abs(a[on_board] if i == 0 else a).max()
        worst = max(worst, float(off.max() / max(size, 1)))
    return worst


def main(args):
    net = trained(args.out)
    form = netfile.read(os.path.join(args.out, "net.bin.gz"))
    rows = load(args.rows + ".held", "cpu")
    rows = rows[:: max(1, len(rows) // args.count)]
    symmetry = torch.arange(len(rows)) % 8
    planes, numbers, _, _, _ = Unpacker("cpu")(rows, symmetry)
    worst = compare(net, form, planes, numbers)
    small = (rows[:, 428] < GRID).sum()
    print("%d positions, %d of them on small boards: largest difference %.2g" % (len(rows), small,
                                                                                 worst))
    if worst > TOLERANCE:
        sys.exit("check.py: the file is not the network")


if __name__ == "__main__":
    main(ARGS)
