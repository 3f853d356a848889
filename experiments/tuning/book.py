#!/usr/bin/env python3
"""Makes a book of balanced openings for matches.

  experiments/tuning/book.py --count 2000 --out experiments/tuning/book.txt

From the start, each move is drawn among the best that a short search sees, those within --spread of
the best; after --plies moves a longer search has to find less than --balance for either side. Lines
of the same moves in another order are left out. The same seed gives the same book.
"""

import argparse
import random
from multiprocessing import Pool
from pathlib import Path

from usi import Engine

ROOT = Path(__file__).resolve().parents[2]


def options():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--yomi", default=str(ROOT / "build/release/yomi"))
    p.add_argument("--count", type=int, default=2000)
    p.add_argument("--plies", type=int, default=20)
    p.add_argument("--nodes", type=int, default=2000, help="of the search for each move")
    p.add_argument("--check-nodes", type=int, default=20000, help="of the search at the end")
    p.add_argument("--spread", type=int, default=30)
    p.add_argument("--balance", type=int, default=40)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--jobs", type=int, default=1)
    p.add_argument("--out", required=True)
    return p.parse_args()


def start(o):
    global drawer, checker, opts
    opts = o
    base = [("Threads", 1), ("USI_Hash", 16)]
    drawer = Engine([o.yomi, "usi"], base + [("MultiPV", 6)])
    checker = Engine([o.yomi, "usi"], base)


def draw(number):
    """The moves of one opening, or None if it is not balanced."""
    rng = random.Random(f"{opts.seed} {number}")
    drawer.new_game()
    moves = []
    while len(moves) < opts.plies:
        lines = drawer.search(moves, f"nodes {opts.nodes}")
        if not lines:
            return None
        best = lines[0][0]
        moves.append(rng.choice([move for score, move in lines if score >= best - opts.spread]))
    checker.new_game()
    lines = checker.search(moves, f"nodes {opts.check_nodes}")
    return moves if lines and abs(lines[0][0]) <= opts.balance else None


def main():
    o = options()
    seen, lines = set(), []
    with Pool(o.jobs, start, (o,)) as pool:
        first = 0
        while len(lines) < o.count:
            if first > 1000 + 100 * o.count:
                raise SystemExit(f"only {len(lines)} of {first} lines are balanced: more --nodes or a larger --balance")
            numbers = range(first, first + max(o.jobs, min(100, 2 * (o.count - len(lines)))))
            first += len(numbers)
            for moves in pool.imap(draw, numbers):
                key = moves and (tuple(sorted(moves[::2])), tuple(sorted(moves[1::2])))
                if moves and key not in seen:
                    seen.add(key)
                    lines.append("startpos moves " + " ".join(moves))
            print(f"{len(lines)} of {first}", flush=True)
    Path(o.out).write_text("\n".join(lines[: o.count]) + "\n")


if __name__ == "__main__":
    main()
