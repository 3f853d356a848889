#!/usr/bin/env python3
"""Writes a network of the document's shape with random weights: 104 planes, 5 residual blocks of 192
channels, a policy of 27x81 and a value. It plays nothing; it is as fast or slow as a trained one.

  experiments/yoshino/network.py FILE.onnx [--blocks 5] [--channels 192] [--seed 1]
"""

import argparse
import os
import sys


def parser():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("file")
    p.add_argument("--blocks", type=int, default=5)
    p.add_argument("--channels", type=int, default=192)
    p.add_argument("--seed", type=int, default=1)
    return p


if __name__ == "__main__":
    ARGS = parser().parse_args()  # before NumPy is loaded, which --help does not need

import numpy as np  # noqa: E402

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../train/shogi/policy"))
import onnx_file  # noqa: E402


def random_net(channels, count, seed, planes=104, values=32, hidden=128):
    random = np.random.default_rng(seed)

    def layer(*shape):
        scale = (2 / np.prod(shape[1:])) ** 0.5
        return random.normal(0, scale, shape)

    net = {"stem.w": layer(channels, planes, 3, 3), "policy.w": layer(27, channels, 1, 1),
           "value.w": layer(values, channels, 1, 1), "hidden.w": layer(hidden, values * 81),
           "out.w": layer(1, hidden), "policy.b": np.zeros(onnx_file.LABELS), "value.b": np.zeros(values),
           "stem.b": np.zeros(channels), "hidden.b": np.zeros(hidden), "out.b": np.zeros(1)}
    for i in range(count):
        for part in "12":
            net["block%d.w%s" % (i, part)] = layer(channels, channels, 3, 3) / 2
            net["block%d.b%s" % (i, part)] = np.zeros(channels)
    return net


def main(options):
    onnx_file.write(options.file, random_net(options.channels, options.blocks, options.seed))


if __name__ == "__main__":
    main(ARGS)
