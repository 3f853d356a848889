#!/usr/bin/env python3
"""The same network with a policy that is less sure of its moves, or surer.

  flatten.py OLD.onnx NEW.onnx --temperature 1.4

Its logits are divided by the temperature: a search with `--policy-temperature 1` on the new file is one with that
temperature on the old. So networks that want different temperatures can share a default."""

import argparse
import os
import sys


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", help="an ONNX file that onnx_file.py wrote")
    parser.add_argument("new", help="where the other one is written")
    parser.add_argument("--temperature", type=float, required=True, help="above 1: flatter")
    args = parser.parse_args()
    if not args.temperature > 0:
        parser.error("--temperature: above 0")
    return args


if __name__ == "__main__":
    ARGS = options()  # before NumPy is loaded, which --help does not need

sys.path.append(os.path.dirname(os.path.realpath(__file__)))
import onnx_file  # noqa: E402


def main(args):
    try:
        net = onnx_file.read(args.old)
        for part in ("policy.w", "policy.b"):
            net[part] = net[part] / args.temperature
    except (OSError, ValueError, LookupError) as error:
        sys.exit("flatten.py: cannot read %s: %s" % (args.old, error))
    try:
        onnx_file.write(args.new, net)
    except OSError as error:
        sys.exit("flatten.py: cannot write %s: %s" % (args.new, error))


if __name__ == "__main__":
    main(ARGS)
