"""Middle-game positions with their best moves: the targets of prediction and speed-up."""

import os
import random
import sys

from report import made_by
from simulation import YOMI, Clock, Engine, in_parallel


def read_targets(args):
    """[(position, best move)] of a file with a line each, tabs between; a third column is their kind."""
    with open(args.targets, encoding="utf-8") as f:
        rows = [line.rstrip("\n").split("\t") for line in f if line.strip() and line[0] != "#"]
    rows = [row[:2] for row in rows if args.kind == "all" or len(row) < 3 or row[2] == args.kind]
    if not rows:
        raise RuntimeError(f"{args.targets} has no positions of this kind")
    return rows[:args.count] if args.count else rows


def are_of_games(args):
    """Whether the targets are moves that were played: `records` makes them without a kind."""
    with open(args.targets, encoding="utf-8") as f:
        return all(len(line.split("\t")) < 3 for line in f if line[0] != "#")


def candidate(seed, nodes):
    """A middle-game position of a quick game that begins with random moves."""
    draw = random.Random(seed)
    engine = Engine([YOMI, "usi", "--threads", "1", "--memory", "16"], [("USI_OwnBook", "false"), ("MultiPV", 4)])
    try:
        moves, stop = [], draw.randrange(30, 90)
        while len(moves) < stop:
            lines = engine.search(moves, f"nodes {max(1000, nodes // 10)}")
            if not lines or abs(lines[0][0]) > 800:
                return None
            near = [move for score, move in lines if score > lines[0][0] - 60]
            move = draw.choice(near) if len(moves) < 24 else near[0]
            if move in ("resign", "win"):
                return None
            moves.append(move)
        lines = engine.search(moves, f"nodes {nodes}")
        return moves if lines and abs(lines[0][0]) < 600 else None
    finally:
        engine.close()


def best_move(moves, nodes):
    engine = Engine([YOMI, "usi", "--threads", "1", "--memory", "64"], [("USI_OwnBook", "false")])
    try:
        lines = engine.search(moves, f"nodes {nodes}")
        return lines[0][1] if lines else None
    finally:
        engine.close()


def judge(args, seed):
    """A position, its best move by the long search, and whether the short one finds it, too."""
    moves = candidate(seed, args.nodes)
    if moves is None:
        return None
    best = best_move(moves, args.nodes * args.factor)
    return (moves, best, best_move(moves, args.nodes) == best) if best else None


def run_positions(args):
    """Writes each position when it is found: a run that is ended leaves what it has."""
    if args.only_report:
        raise RuntimeError("positions are a list, of which no table is made; --only-report is for the others")
    looked, steady, seed = 0, 0, args.seed
    clock = Clock(args.count)
    with open(os.path.join(args.out, "positions.tsv"), "w", encoding="utf-8") as f:
        f.write(f"# {made_by(args)} Best move by {args.nodes * args.factor} nodes; steady: by {args.nodes}, too.\n")
        while steady < args.count:
            batch = range(seed, seed + max(args.jobs, min(4 * args.jobs, args.count - steady)))
            seed = batch.stop
            for result in in_parallel(args.jobs, lambda s: judge(args, s), batch):
                if result is None or steady >= args.count:
                    continue
                moves, best, same = result
                f.write(f"startpos moves {' '.join(moves)}\t{best}\t{'steady' if same else 'late'}\n")
                looked += 1
                steady += same
            f.flush()
            print(f"{steady} of {looked} stay the same{clock.left(steady)}", file=sys.stderr, flush=True)
