#!/usr/bin/env python3
"""How well scores of positions predict the results of their games.

  yomi selfplay shogi GAMES.psv --eval FILE --nodes 2000 --mate-nodes 500 --decided 32000 --random-moves 4 --random-plies 16 --games 500 --seed 78
  experiments/shogi/labels.py GAMES.psv file visits:20 static:builtin nodes:5000:builtin

Draws quiet positions from the file and prints the cross entropy of the results by each of the scores:
  file             those that are in the file
  visits:N[:FILE]  of searches with a network with a policy (yomi learn scores --visits N --net FILE)
  static:FILE      the static value of an alpha-beta network (yomi eval --eval FILE); needs PyTorch
  nodes:N:FILE     of alpha-beta with that network; needs PyTorch
Each score is scaled as suits it best. 0.693 is what knowing nothing gives.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PHASES = ((0, 40), (40, 70), (70, 100), (100, 140), (140, 1000))


def options():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("games")
    p.add_argument("scores", nargs="+", metavar="SCORE")
    p.add_argument("--count", type=int, default=2400, help="positions")
    p.add_argument("--seed", type=int, default=3)
    p.add_argument("--yomi", default=os.environ.get("YOMI", str(ROOT / "build/release/yomi")))
    return p.parse_args()


if __name__ == "__main__":
    ARGS = options()  # before NumPy is loaded, which --help does not need

import numpy as np  # noqa: E402

sys.path += [str(ROOT / "train/shogi"), str(ROOT / "experiments/tuning")]
RECORD = np.dtype([("position", "u1", 32), ("score", "<i2"), ("move", "<u2"), ("ply", "<u2"),
                   ("result", "i1"), ("flags", "u1")])
QUIET, MATES = 1, 6000  # flag; scores from here on are mates


def draw(path, count, seed):
    rows = np.fromfile(path, RECORD)
    rows = rows[(rows["flags"] & QUIET != 0) & (abs(rows["score"].astype(int)) < MATES) & (rows["result"] != 0)]
    if len(rows) == 0:
        sys.exit(f"{path}: no quiet position of a decided game")
    chosen = np.random.default_rng(seed).choice(len(rows), min(count, len(rows)), replace=False)
    return rows[np.sort(chosen)]


def sfens(rows):
    import psv
    import torch
    return psv.sfens(torch.from_numpy(np.ascontiguousarray(rows["position"])))


def by_visits(yomi, rows, visits, net="builtin"):
    with tempfile.TemporaryDirectory() as folder:
        before, after = (os.path.join(folder, name) for name in ("before.psv", "after.psv"))
        rows.tofile(before)
        subprocess.run([yomi, "learn", "scores", before, "--out", after, "--visits", visits, "--net", net],
                       check=True, stdout=subprocess.DEVNULL)
        return np.fromfile(after, RECORD)["score"]


def by_value(yomi, rows, net):
    lines = "".join(text + "\n" for text in sfens(rows))
    out = subprocess.run([yomi, "eval", "-", "--eval", net], input=lines, text=True, check=True,
                         stdout=subprocess.PIPE).stdout
    return np.array([int(line.split("\t")[0]) for line in out.splitlines()])


def by_nodes(yomi, rows, nodes, net):
    from usi import Engine
    engine = Engine([yomi, "usi"], [("Threads", "1"), ("USI_Hash", "16"), ("EvalFile", net)])
    found = []
    for text in sfens(rows):
        engine.say("usinewgame")
        lines = engine.search_position("sfen " + text, "nodes " + nodes)
        found.append(max(-MATES, min(MATES, lines[0][0])) if lines else 0)
    engine.close()
    return np.array(found)


def cross_entropy(logits, won):
    return np.logaddexp(0, -logits) * won + np.logaddexp(0, logits) * (1 - won)


def show(name, score, rows):
    won = (1 + rows["result"]) / 2
    score = score.astype(float)
    scale = min(range(60, 3000, 20), key=lambda s: cross_entropy(score / s, won).mean())
    loss = cross_entropy(score / scale, won)
    parts = []
    for first, end in PHASES:
        inside = (rows["ply"] >= first) & (rows["ply"] < end)
        parts.append(f"{loss[inside].mean():9.3f}" if inside.any() else "        -")
    print(f"{name:32} {loss.mean():.4f} {scale:6}" + "".join(parts), flush=True)


def main():
    rows = draw(ARGS.games, ARGS.count, ARGS.seed)
    print(f"{len(rows)} positions; cross entropy, scale, and by moves from "
          + ", ".join(str(first) for first, _ in PHASES))
    ways = {"visits": by_visits, "static": by_value, "nodes": by_nodes}
    for name in ARGS.scores:
        way, *words = name.split(":")
        if name != "file" and way not in ways:
            sys.exit(f"there is no score {name}; see --help")
        show(name, rows["score"] if name == "file" else ways[way](ARGS.yomi, rows, *words), rows)


if __name__ == "__main__":
    try:
        main()
    except (OSError, RuntimeError) as error:
        sys.exit(f"labels.py: {error}")
