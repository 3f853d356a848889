#!/usr/bin/env python3
"""Draws some of the positions of a file, the quiet ones, by chance, in their order: those that longer searches are to score.

Games are longer than what can be scored of them, and a few positions of each of many games teach more than all of a few.
What is decided already (--below) teaches least. The order stays, so that a run of positions is of few games and held-out
runs are of other games than the rest.
"""

import argparse
import os
import sys
from pathlib import Path


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("positions", help="training positions, as `yomi selfplay shogi` writes them")
    p.add_argument("--out", required=True, help="where those drawn are written")
    p.add_argument("--count", type=int, required=True, help="how many")
    p.add_argument("--below", type=int, default=2000, help="positions with such scores are left out")
    p.add_argument("--all", action="store_true",
                   help="positions that are not quiet, too: a network with a policy evaluates them, alpha-beta's does not")
    p.add_argument("--seed", type=int, default=1)
    args = p.parse_args()
    if args.count < 1:
        p.error("--count: at least one")
    return args


if __name__ == "__main__":
    ARGS = arguments()  # before NumPy is loaded, which --help does not need

import numpy as np  # noqa: E402

sys.path.append(str(Path(__file__).resolve().parents[1]))
import psv  # noqa: E402

QUIET = 1


def main(args):
    try:
        if os.path.getsize(args.positions) % psv.RECORD.itemsize:
            raise ValueError(f"{args.positions}: not a whole number of positions of {psv.RECORD.itemsize} bytes")
        rows = np.fromfile(args.positions, psv.RECORD)
        quiet = (rows["flags"] & QUIET != 0) | args.all
        fit = np.flatnonzero(quiet & (np.abs(rows["score"].astype(np.int32)) < args.below))
        if len(fit) < args.count:
            raise ValueError(f"{args.positions}: {len(fit)} of its {len(rows)} positions "
                             f"{'are' if args.all else 'are quiet and'} below {args.below}, fewer than --count {args.count}")
        chosen = np.random.default_rng(args.seed).choice(fit, args.count, replace=False)
        rows[np.sort(chosen)].tofile(args.out)
    except (OSError, ValueError) as error:
        sys.exit(f"draw.py: {error}")
    print(f"{args.count} of {len(fit)} positions that fit, of {len(rows)}")


if __name__ == "__main__":
    main(ARGS)
