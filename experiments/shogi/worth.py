#!/usr/bin/env python3
"""What searches of so many nodes are worth as labels: how much of a static value's error they see.

  yomi selfplay shogi LEAVES.psv --leaves 24 --nodes 400 --deep-nodes 30000 --deep-share 0.02 --mate-nodes 200 --decided 32000 --games 300
  experiments/shogi/worth.py LEAVES.psv builtin community.nn.bin --nodes 300,1000,4000

Draws leaves of searches from the files and searches each with both networks, for --long nodes; the mean of their
chances to win is taken for the truth. Then prints, for the first network's searches of each number of nodes, how far
they are from the truth; the correlation of what they correct in the static value with what is wrong in it; and the
slope, below 1 where a search corrects more than it should. A label costs as many nodes as it has, so that square of the
correlation, over the rest, over the nodes says which number teaches most for its cost. With --visits the same for
searches with a network with a policy, and for the best mix of these and each of the others, which is fitted here.
"""

import argparse
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def options():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("words", nargs="+", metavar="FILE", help="files of positions (.psv), and two networks")
    p.add_argument("--nodes", default="300,1000,2000,4000,8000", help="of the searches that are judged")
    p.add_argument("--long", type=int, default=300000, help="nodes of the searches that judge")
    p.add_argument("--count", type=int, default=400, help="positions")
    p.add_argument("--scale", type=float, default=600, help="score that is a logit of 1, for both networks")
    p.add_argument("--jobs", type=int, default=2, help="searches at a time")
    p.add_argument("--visits", help="of searches with --net, by commas: 1,8")
    p.add_argument("--net", default="builtin", help="a network with a policy, in ONNX")
    p.add_argument("--seed", type=int, default=5)
    p.add_argument("--yomi", default=os.environ.get("YOMI", str(ROOT / "build/release/yomi")))
    args = p.parse_args()
    args.files = [w for w in args.words if w.endswith(".psv")]
    args.nets = [w for w in args.words if not w.endswith(".psv")]
    if not args.files or len(args.nets) != 2:
        p.error("give a file of positions (.psv) and two networks")
    return args


if __name__ == "__main__":
    ARGS = options()  # before NumPy is loaded, which --help does not need

import numpy as np  # noqa: E402

sys.path += [str(ROOT / "train/shogi"), str(ROOT / "experiments/tuning"), str(Path(__file__).parent)]
import labels  # noqa: E402

FIRST, END, EVEN = 20, 130, 900  # moves; positions with larger static values are left out
LEAF = 3  # flags: quiet, and not of the game


def draw(args):
    rows = np.concatenate([np.fromfile(f, labels.RECORD) for f in args.files])
    rows = rows[(rows["flags"] == LEAF) & (rows["ply"] > FIRST) & (rows["ply"] < END) & (abs(rows["score"].astype(int)) < EVEN)]
    if len(rows) < args.count:
        sys.exit(f"worth.py: {len(rows)} leaves of even positions, fewer than --count")
    return rows[np.random.default_rng(args.seed).choice(len(rows), args.count, replace=False)]


def tell(name, chance, static, truth, nodes=None):
    seen, wrong = chance - static, truth - static
    r, slope = np.corrcoef(seen, wrong)[0, 1], (seen * wrong).sum() / (seen ** 2).sum()
    worth = "" if nodes is None else f"  information a million nodes {1e6 * r * r / max(1e-9, 1 - r * r) / nodes:.0f}"
    print(f"{name:>9} {np.sqrt(((chance - truth) ** 2).mean()):.4f}  correlation {r:.3f}  slope {slope:.3f}{worth}")


def mixed(parts, static, truth):
    """What is nearest to the truth: the static value and so much of what each of the parts corrects in it."""
    seen = np.stack([part - static for part in parts], 1)
    weights = np.linalg.lstsq(seen, truth - static, rcond=None)[0]
    return static + seen @ weights


def main(args):
    rows = draw(args)
    counts = [int(n) for n in args.nodes.split(",")]
    jobs = [(net, args.long) for net in args.nets] + [(args.nets[0], n) for n in counts]
    with ThreadPoolExecutor(args.jobs) as pool:
        found = list(pool.map(lambda job: labels.by_nodes(args.yomi, rows, str(job[1]), job[0]), jobs))
    visits = args.visits.split(",") if args.visits else []
    found += [labels.by_value(args.yomi, rows, args.nets[0])] + [labels.by_visits(args.yomi, rows, v, args.net) for v in visits]
    chances = [1 / (1 + np.exp(-score / args.scale)) for score in found]
    truth, searched, static = (chances[0] + chances[1]) / 2, chances[2:2 + len(counts)], chances[2 + len(counts)]
    print(f"{len(rows)} leaves; distance from {args.long} nodes of {args.nets[0]} and {args.nets[1]}")
    print(f"   static {np.sqrt(((truth - static) ** 2).mean()):.4f}")
    for nodes, chance in zip(counts, searched):
        tell(nodes, chance, static, truth, nodes)
    for count, chance in zip(visits, chances[3 + len(counts):]):
        print(f"{count} visits of {args.net}, and the best mix with each")
        tell("alone", chance, static, truth)
        for nodes, other in zip(counts, searched):
            tell(nodes, mixed([chance, other], static, truth), static, truth)


if __name__ == "__main__":
    try:
        main(ARGS)
    except (OSError, RuntimeError) as error:
        sys.exit(f"worth.py: {error}")
