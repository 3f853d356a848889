#!/usr/bin/env python3
"""How near short searches with a network come to long ones: what an evaluation is worth inside a search.

  experiments/shogi/deep.py GAMES.psv builtin community.nn.bin --nodes 40000 --long 300000

Draws positions of the middle game from the files and searches each with every network, for --long nodes; the mean of
the first two networks' chances to win is taken for the truth. Then prints, for each network, the root mean square
distance of its searches of --nodes from that truth, with its standard error. Static
values may predict results equally well and yet differ here: an error that is the same all over a tree does no harm.
"""

import argparse
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def options():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("words", nargs="+", metavar="FILE", help="files of positions (.psv), and two or more networks")
    p.add_argument("--nodes", default="3000,40000", help="of the searches that are judged")
    p.add_argument("--long", type=int, default=300000, help="nodes of the searches that judge")
    p.add_argument("--count", type=int, default=260, help="positions")
    p.add_argument("--jobs", type=int, default=2, help="searches at a time")
    p.add_argument("--seed", type=int, default=8)
    p.add_argument("--yomi", default=os.environ.get("YOMI", str(ROOT / "build/release/yomi")))
    args = p.parse_args()
    args.files = [w for w in args.words if w.endswith(".psv")]
    args.nets = [w for w in args.words if not w.endswith(".psv")]
    if not args.files or len(args.nets) < 2:
        p.error("give a file of positions (.psv) and two networks")
    return args


if __name__ == "__main__":
    ARGS = options()  # before NumPy is loaded, which --help does not need

import numpy as np  # noqa: E402

sys.path += [str(ROOT / "train/shogi"), str(ROOT / "experiments/tuning"), str(Path(__file__).parent)]
import labels  # noqa: E402

FIRST, END, EVEN = 40, 110, 0.85  # moves; positions whose long searches see a larger chance are left out


def draw(args):
    rows = np.concatenate([np.fromfile(f, labels.RECORD) for f in args.files])
    rows = rows[(rows["ply"] >= FIRST) & (rows["ply"] < END) & (rows["result"] != 0)]
    if len(rows) < args.count:
        sys.exit(f"deep.py: {len(rows)} positions of moves {FIRST} to {END}, fewer than --count")
    return rows[np.sort(np.random.default_rng(args.seed).choice(len(rows), args.count, replace=False))]


def chances(scores, won):
    """Chances to win, by the scale at which the scores predict the results best."""
    scores = np.clip(scores.astype(float), -4000, 4000)
    scale = min(range(60, 3000, 20), key=lambda s: labels.cross_entropy(scores / s, won).mean())
    return scale, lambda s: 1 / (1 + np.exp(-np.clip(s.astype(float), -4000, 4000) / scale))


def main(args):
    rows = draw(args)
    won = (1 + rows["result"]) / 2
    counts = [int(n) for n in args.nodes.split(",")]
    with ThreadPoolExecutor(args.jobs) as pool:
        def search(net, nodes):
            return pool.submit(labels.by_nodes, args.yomi, rows, str(nodes), net)

        found = {(net, n): search(net, n) for n in [args.long] + counts for net in args.nets}
        found = {key: future.result() for key, future in found.items()}
    scale = {net: chances(found[net, args.long], won) for net in args.nets}
    long = [scale[net][1](found[net, args.long]) for net in args.nets]
    truth = (long[0] + long[1]) / 2
    even = np.abs(truth - 0.5) < EVEN - 0.5
    print(f"{even.sum()} of {len(rows)} positions; distance from {args.long} nodes of {args.nets[0]} and {args.nets[1]}")
    for net in args.nets:
        for nodes in counts:
            error = ((scale[net][1](found[net, nodes]) - truth)[even]) ** 2
            distance = np.sqrt(error.mean())
            margin = error.std() / np.sqrt(len(error)) / 2 / max(distance, 1e-9)
            print(f"{net:32} {nodes:8} nodes  {distance:.4f} +- {margin:.4f}", flush=True)


if __name__ == "__main__":
    try:
        main(ARGS)
    except (OSError, RuntimeError) as error:
        sys.exit(f"deep.py: {error}")
