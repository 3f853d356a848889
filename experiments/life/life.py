#!/usr/bin/env python3
"""Life-and-death problems for a GTP engine; see experiments/life/run.

    life.py eyes|fights [--engine COMMAND] [--count N] [--jobs N]
"""
import argparse
import os
import random
import subprocess
from concurrent.futures import ThreadPoolExecutor

SIZE = 19
LETTERS = "ABCDEFGHJKLMNOPQRST"
SHAPES = {
    "three in a row": [(0, 0), (1, 0), (2, 0)],
    "bent three": [(0, 0), (1, 0), (1, 1)],
    "pyramid four": [(0, 0), (1, 0), (2, 0), (1, 1)],
    "bulky five": [(0, 0), (1, 0), (0, 1), (1, 1), (2, 1)],
    "crossed five": [(1, 0), (0, 1), (1, 1), (2, 1), (1, 2)],
    "rabbity six": [(1, 0), (2, 0), (0, 1), (1, 1), (2, 1), (1, 2)],
}


def around(p, diagonals=False):
    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            q = (p[0] + dx, p[1] + dy)
            if (dx or dy) and (diagonals or not (dx and dy)) and 0 <= q[0] < SIZE and 0 <= q[1] < SIZE:
                yield q


def vertex(p):
    return LETTERS[p[0]] + str(SIZE - p[1])


def compose(rng, shape, place):
    """A group with this eye space in the opponent's half of a board whose halves are corridors of two."""
    owner = rng.choice("BW")
    hunter = "W" if owner == "B" else "B"
    left, top = {"corner": (0, 0), "side": (0, rng.randint(5, 11)), "centre": (3, rng.randint(5, 10))}[place]
    turned = rng.random() < 0.5
    eye = {(left + (y if turned else x), top + (x if turned else y)) for x, y in shape}
    board = {q: owner for p in eye for q in around(p, True) if q not in eye}
    group = len(eye) + len(board)
    wall = {q for p in board for q in around(p, True)} - eye - set(board)
    near = wall | {q for p in wall for q in around(p, True)}
    board.update((q, hunter) for q in wall)
    for y in range(SIZE):
        for x in (2, 5, 8, 9, 12, 15):
            if (x, y) in board or (x, y) in eye or ((x, y) in near and x != 8) or rng.random() > 0.93:
                continue
            board[(x, y)] = hunter if x < 9 else owner
    for _ in range(8):
        p = (rng.randint(1, 17), rng.randint(1, 17))
        if p not in board and p not in eye and p not in near:
            board[p] = hunter if p[0] < 9 else owner
    lead = SIZE + group if owner == "B" else -(SIZE + group)  # halfway between the group's life and death
    setup = ["play %s %s" % (color, vertex(p)) for p, color in sorted(board.items(), key=lambda e: (e[1], e[0]))]
    vital = max(eye, key=lambda p: sum(q in eye for q in around(p)))
    return ["komi %g" % (lead + 0.5)] + setup, hunter, owner, vertex(vital)


def eyes():
    rng = random.Random(5)
    for _ in range(2):
        for name, shape in SHAPES.items():
            for place in ("corner", "side", "centre"):
                setup, hunter, owner, vital = compose(rng, shape, place)
                for side, wants in ((hunter, "dead"), (owner, "alive")):
                    yield dict(size=SIZE, setup=setup, side=side, wants=wants, right=vital, kind=name)


def fights():
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "fights.txt")) as file:
        for line in file:
            if line.startswith("#"):
                continue
            side, wants, stone, *moves = line.split()
            setup = ["komi 7.5"] + ["play %s %s" % (move[0], move[1:]) for move in moves]
            yield dict(size=9, setup=setup, side=side, wants=wants, stone=stone, kind="fight")


def talk(command, lines):
    """The answers to the lines."""
    run = subprocess.run(command, shell=True, text=True, input="\n".join(lines) + "\n", capture_output=True)
    answers = [a for a in run.stdout.strip().split("\n\n") if a[:1] in "=?"]
    if len(answers) < len(lines):
        raise SystemExit("%s: %d answers to %d commands: %s" % (command, len(answers), len(lines), run.stderr[-200:]))
    return [a[1:].strip() for a in answers]


def begin(problem):
    return ["boardsize %d" % problem["size"], "clear_board"] + problem["setup"]


def is_right(problem, move):
    if "right" in problem:
        return move.upper() == problem["right"]
    if move.lower() in ("pass", "resign"):
        return False
    stone = problem["stone"]
    color, status = talk("gnugo --mode gtp --chinese-rules --level 10",
                         begin(problem) + ["play %s %s" % (problem["side"], move), "color " + stone,
                                           "dragon_status " + stone])[-2:]
    if color == "empty":
        return problem["wants"] == "dead"
    return status.split()[0] == problem["wants"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["eyes", "fights"])
    parser.add_argument("--engine", default="yomi gtp --threads 1 --playouts 2000")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    problems = list(eyes() if options.what == "eyes" else fights())[:options.count]

    def solve(problem):
        move = talk(options.engine, begin(problem) + ["reg_genmove " + problem["side"]])[-1]
        return is_right(problem, move)

    with ThreadPoolExecutor(options.jobs) as pool:
        solved = list(pool.map(solve, problems))
    for wants in ("dead", "alive"):
        of = [ok for ok, problem in zip(solved, problems) if problem["wants"] == wants]
        print("%s: %d of %d" % ({"dead": "to kill", "alive": "to live"}[wants], sum(of), len(of)))
    print("%d of %d solved by %s" % (sum(solved), len(problems), options.engine))


if __name__ == "__main__":
    main()
