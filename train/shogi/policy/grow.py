#!/usr/bin/env python3
"""A deeper network that answers as a trained one does, to learn on from there.

  grow.py OLD.onnx NEW.onnx --blocks 20

New blocks come between the old ones at equal distances. The second convolution of each is zero, so that the block
passes on what it gets; the first is random, so that the second has something to learn from."""

import argparse
import os
import sys


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", help="an ONNX file that onnx_file.py wrote")
    parser.add_argument("new", help="where the deeper one is written")
    parser.add_argument("--blocks", type=int, required=True, help="that it has")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    ARGS = options()  # before NumPy is loaded, which --help does not need

import numpy as np  # noqa: E402

sys.path.append(os.path.dirname(os.path.realpath(__file__)))
import onnx_file  # noqa: E402

PARTS = ("w1", "b1", "w2", "b2")


def grown(net, blocks, seed):
    """The weights of the deeper network; those of the old one are not changed."""
    old = onnx_file.blocks(net)
    channels = net["stem.w"].shape[0]
    random = np.random.default_rng(seed)
    new = {name: part for name, part in net.items() if not name.startswith("block")}
    taken = 0
    for i in range(blocks):
        if taken < (i + 1) * old // blocks:  # old blocks come last in their share of the tower
            parts = [net["block%d.%s" % (taken, part)] for part in PARTS]
            taken += 1
        else:
            shape = (channels, channels, 3, 3)
            first = random.normal(0, np.sqrt(2 / (9 * channels)), shape).astype(np.float32)
            parts = [first, np.zeros(channels, np.float32), np.zeros(shape, np.float32), np.zeros(channels, np.float32)]
        new.update(("block%d.%s" % (i, part), value) for part, value in zip(PARTS, parts))
    return new


def read(path):
    try:
        net = onnx_file.read(path)
    except (OSError, ValueError, LookupError) as error:
        sys.exit("grow.py: cannot read %s: %s" % (path, error))
    if "stem.w" not in net or "block0.w1" not in net:
        sys.exit("grow.py: %s is not a network that onnx_file.py wrote" % path)
    return net


def main(args):
    net = read(args.old)
    if args.blocks < onnx_file.blocks(net):
        sys.exit("grow.py: %s has %d blocks already" % (args.old, onnx_file.blocks(net)))
    onnx_file.write(args.new, grown(net, args.blocks, args.seed))


if __name__ == "__main__":
    main(ARGS)
