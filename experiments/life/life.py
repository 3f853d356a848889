#!/usr/bin/env python3
"""Life-and-death problems for a GTP engine; see experiments/life/run.

    life.py eyes|links|races|fights [--engine COMMAND | --review COMMAND] [--count N] [--jobs N]

--review: the move that a review shows in place of a pass, by a command that writes a record beside the one that it is given,
as `yomi analyze` does.
"""
import argparse
import os
import random
import re
import subprocess
import tempfile
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


def corridors(rng, board, keep, upright, border):
    """Fills both halves with walls, so that whose they are is settled; keep is left as it is."""
    first, second = border
    for a in range(SIZE):
        for b in range(SIZE):
            p = (b, a) if upright else (a, b)
            if p in board or p in keep:
                continue
            if b in (8, 9) or (b in (2, 5, 12, 15) and rng.random() < 0.93):
                board[p] = first if b < 9 else second


def problem_of(board, lead, side, wants, right, kind):
    setup = ["play %s %s" % (color, vertex(p)) for p, color in sorted(board.items(), key=lambda e: (e[1], e[0]))]
    return dict(size=SIZE, setup=["komi %g" % (lead + 0.5)] + setup, side=side, wants=wants,
                right=right, kind=kind)


def link(rng, owner, left, outside):
    """Two groups with an eye each in the opponent's half; a point between them connects or cuts."""
    hunter = "W" if owner == "B" else "B"
    top = rng.randint(4, 7)
    eye = {(left + 1, top + 1), (left + 1, top + 5)}
    middle = (left + 1, top + 3)
    board = {q: owner for p in eye for q in around(p, True)}
    board.update({(left, top + 3): hunter, (left + 2, top + 3): hunter})
    wall = {q for p in board for q in around(p, True)} - eye - set(board) - {middle}
    board.update((q, hunter) for q in wall)
    for y in (top, top + 4):  # liberties on the outside, a point each
        for gap in rng.sample([(left + 3, y), (left + 3, y + 1), (left + 3, y + 2)], outside):
            del board[gap]
            board.update((q, hunter) for q in around(gap, True) if q not in board and q[0] == left + 4)
    keep = eye | {middle} | {q for p in board for q in around(p, True)}
    corridors(rng, board, keep - {(x, y) for x in (8, 9) for y in range(SIZE)}, True, (hunter, owner))
    lead = SIZE + 20 if owner == "B" else -SIZE - 20
    for side, wants in ((hunter, "dead"), (owner, "alive")):
        yield problem_of(board, lead, side, wants, [vertex(middle)], "link")


def links():
    rng = random.Random(7)
    for owner in "BW":
        for left in (0, 2, 3):
            for outside in (0, 1, 2):
                for _ in range(2):
                    yield from link(rng, owner, left, outside)


def race(rng, owner, liberties, left):
    """Two strings of seven stones on the border of two halves, each cut off, with as many liberties each."""
    hunter = "W" if owner == "B" else "B"
    window = range(left, left + 7)
    board, free = {}, {}
    for x in window:
        board.update({(x, 6): hunter, (x, 8): owner, (x, 9): hunter, (x, 11): owner})
    for row, color in ((7, hunter), (10, owner)):
        free[color] = {(x, row) for x in rng.sample(window, liberties)}
        board.update({(x, row): color for x in window if (x, row) not in free[color]})
    for x in (left - 1, left + 7):
        board.update({(x, y): hunter if y < 9 else owner for y in range(6, 12)})
    corridors(rng, board, free["B"] | free["W"], False, (hunter, owner))
    lead = SIZE if owner == "B" else -SIZE
    for side in (hunter, owner):
        yield problem_of(board, lead, side, "dead", [vertex(p) for p in sorted(free[side])], "race")


def races():
    rng = random.Random(6)
    for owner in "BW":
        for liberties in (2, 3, 4, 5, 6):
            for left in (1, 4, 7, 11):
                yield from race(rng, owner, liberties, left)


def eyes():
    rng = random.Random(5)
    for _ in range(2):
        for name, shape in SHAPES.items():
            for place in ("corner", "side", "centre"):
                setup, hunter, owner, vital = compose(rng, shape, place)
                for side, wants in ((hunter, "dead"), (owner, "alive")):
                    yield dict(size=SIZE, setup=setup, side=side, wants=wants, right=[vital], kind=name)


def fights():
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "fights.txt")) as file:
        for line in file:
            if line.startswith("#"):
                continue
            side, wants, stone, *moves = line.split()
            setup = ["komi 7.5"] + ["play %s %s" % (move[0], move[1:]) for move in moves]
            yield dict(size=9, setup=setup, side=side, wants=wants, stone=stone, kind="fight")


SETS = {"eyes": eyes, "links": links, "races": races, "fights": fights}


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
        return move.upper() in problem["right"]
    if move.lower() in ("pass", "resign"):
        return False
    stone = problem["stone"]
    color, status = talk("gnugo --mode gtp --chinese-rules --level 10",
                         begin(problem) + ["play %s %s" % (problem["side"], move), "color " + stone,
                                           "dragon_status " + stone])[-2:]
    if color == "empty":
        return problem["wants"] == "dead"
    return status.split()[0] == problem["wants"]


def record(commands, side):
    """The position after these commands of GTP as SGF, and a pass in it."""
    size, komi, stones = SIZE, "7.5", {"B": "", "W": ""}
    for word, *rest in map(str.split, commands):
        if word == "boardsize":
            size = int(rest[0])
        elif word == "komi":
            komi = rest[0]
        elif word == "play":
            x, y = LETTERS.index(rest[1][0].upper()), size - int(rest[1][1:])
            stones[rest[0][0].upper()] += "[%c%c]" % (ord("a") + x, ord("a") + y)
    setup = "".join("A%s%s" % (color, points) for color, points in stones.items() if points)
    return "(;GM[1]SZ[%d]RU[Chinese]KM[%s]%sPL[%s];%s[])" % (size, komi, setup, side, side)


def reviewed(command, commands, side):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "problem.sgf")
        with open(path, "w") as file:
            file.write(record(commands, side))
        run = subprocess.run(command.split() + [path], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if run.returncode:
            raise SystemExit("%s: %s" % (command, run.stderr.strip()[-200:] or "status %d" % run.returncode))
        with open(os.path.join(folder, "problem.yomi.sgf")) as file:
            better = re.search({"B": "Black", "W": "White"}[side] + r" should play (\w+)", file.read())
    return better[1] if better else "pass"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=list(SETS))
    parser.add_argument("--engine", default="yomi gtp --threads 1 --playouts 2000")
    parser.add_argument("--review")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    problems = list(SETS[options.what]())[:options.count]

    def solve(problem):
        if options.review:
            return is_right(problem, reviewed(options.review, begin(problem), problem["side"]))
        move = talk(options.engine, begin(problem) + ["reg_genmove " + problem["side"]])[-1]
        return is_right(problem, move)

    with ThreadPoolExecutor(options.jobs) as pool:
        solved = list(pool.map(solve, problems))
    for wants in ("dead", "alive"):
        of = [ok for ok, problem in zip(solved, problems) if problem["wants"] == wants]
        print("%s: %d of %d" % ({"dead": "to kill", "alive": "to live"}[wants], sum(of), len(of)))
    print("%d of %d solved by %s" % (sum(solved), len(problems), options.review or options.engine))


if __name__ == "__main__":
    main()
