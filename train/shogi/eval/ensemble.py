#!/usr/bin/env python3
"""Training positions once more, with the mean of several networks' values as their scores.

Networks that learned from different games remember different things; what they have in common is what they learned.
A network that learns from their mean is nearer to all of them, and needs no GPU to score positions.
"""

import argparse


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("positions", nargs="+", help="files of training positions")
    p.add_argument("--out", required=True, help="the file to write; positions that are not quiet are left out")
    p.add_argument("--nets", required=True, help="networks, by commas; FILE:CP where a logit of 1 is CP and not 600")
    p.add_argument("--scale", type=float, default=600, help="score that is a logit of 1")
    p.add_argument("--leaves", action="store_true", help="positions of games keep their scores")
    p.add_argument("--device", help="cuda where there is one, else cpu")
    return p.parse_args()


if __name__ == "__main__":
    ARGS = arguments()  # before PyTorch is loaded, which --help does not need

import sys  # noqa: E402

import numpy as np  # noqa: E402
import torch  # noqa: E402

import model  # noqa: E402
from positions import ASIDE, QUIET, Inputs, Unpacker, psv  # noqa: E402

PORTION, MOST = 1 << 14, 32000


def read_nets(words, device):
    """Networks with their inputs."""
    nets = []
    for word in words.split(","):
        path, _, cp = word.rpartition(":") if word.rpartition(":")[2].isdigit() else (word, "", "600")
        numbers = model.read(path)
        net = model.Net(float(cp), model.kind_of(numbers))
        net.start(numbers, float(cp))
        nets.append((net.to(device), Inputs(net.kind, device)))
    return nets


@torch.no_grad()
def values(nets, unpack, rows, device):
    pieces, own, other = unpack(torch.from_numpy(np.ascontiguousarray(rows["position"])).to(device))
    kings = torch.cat([own, other], 1)
    return (sum(net(*inputs(pieces, kings)) for net, inputs in nets) / len(nets)).cpu().numpy()


def main(args):
    device = args.device or ("cuda" if torch.cuda.is_available() else "cpu")
    unpack, count = Unpacker(device), 0
    try:
        nets = read_nets(args.nets, device)
        with open(args.out, "wb") as out:
            for path in args.positions:
                rows = np.fromfile(path, psv.RECORD)
                rows = rows[rows["flags"] & QUIET != 0]
                for first in range(0, len(rows), PORTION):
                    part = rows[first:first + PORTION].copy()
                    scores = np.clip(np.rint(args.scale * values(nets, unpack, part, device)), -MOST, MOST)
                    changed = part["flags"] & ASIDE != 0 if args.leaves else np.ones(len(part), bool)
                    part["score"] = np.where(changed, scores, part["score"])
                    part.tofile(out)
                    count += len(part)
    except (OSError, ValueError) as error:
        sys.exit(f"ensemble.py: {error}")
    print(f"{count} positions, scored by {len(nets)} networks")


if __name__ == "__main__":
    main(ARGS)
