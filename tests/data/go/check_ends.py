#!/usr/bin/env python3
"""Checks finished positions (ends.txt beside this file) without Yomi.

For each position: every string has one fate and a liberty; the scores are counted again from the
diagram; GNU Go (final_status_list) must name the same fate for each string, or the position must
say "by hand" in a comment, with the reason; and the strings that Benson's theorem proves alive
must not be marked otherwise. Prints what differs; exits 1 if anything does.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile

COLUMNS = "ABCDEFGHJKLMNOPQRST"
COLOR = {"X": "X", "x": "X", "B": "X", "O": "O", "o": "O", "W": "O", ".": "."}
MARKS = {"alive": "XO", "dead": "xo", "seki": "BW"}


def read(path):
    ends, end = [], None
    with open(path, encoding="ascii") as file:
        for line in file.read().split("\n"):
            if line.startswith("= "):
                end = {"name": line[2:], "rows": [], "notes": "", "scores": None}
                ends.append(end)
            elif end and line.startswith("#"):
                end["notes"] += line
            elif end and line.startswith("score "):
                end["scores"] = line.split()[1:]
            elif end and line:
                end["rows"].append(line)
    return ends


def neighbours(size, p):
    row, column = p
    for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
        if 0 <= r < size and 0 <= c < size:
            yield r, c


def regions(size, same):
    """The connected parts of the board: sets of points p, q with same(p, q)."""
    seen, found = set(), []
    for p in ((r, c) for r in range(size) for c in range(size)):
        if p in seen:
            continue
        part, seen = [p], seen | {p}
        for q in part:
            for n in neighbours(size, q):
                if n not in seen and same(q, n):
                    seen.add(n)
                    part.append(n)
        found.append(part)
    return found


def around(size, part):
    return {n for p in part for n in neighbours(size, p)} - set(part)


def scores(rows):
    """Black's lead by area and by territory; the latter is None where a stone is dead in an eye of
    a group in seki, which rule sets count in different ways."""
    size = len(rows)
    at = lambda p: rows[p[0]][p[1]]
    bare = lambda p: "." if at(p) in "xo." else at(p)
    area = sum((at((r, c)) in "XB") - (at((r, c)) in "OW") for r in range(size) for c in range(size))
    territory = sum(row.count("o") - row.count("x") for row in rows)
    in_doubt = False
    for part in regions(size, lambda p, q: (bare(p) == ".") == (bare(q) == ".")):
        if bare(part[0]) != ".":
            continue
        touched = {bare(p) for p in around(size, part)}
        colors = {COLOR[mark] for mark in touched}
        points = len(part) * (colors == {"X"}) - len(part) * (colors == {"O"})
        area += points
        if not touched & {"B", "W"}:
            territory += points
        else:
            in_doubt |= any(at(p) in "xo" for p in part)
    return area, None if in_doubt else territory


def score_text(score):
    return "-" if score is None else "0" if score == 0 else f"{'BW'[score < 0]}+{abs(score)}"


def strings(rows):
    color = lambda p: COLOR[rows[p[0]][p[1]]]
    return [s for s in regions(len(rows), lambda p, q: color(p) == color(q)) if color(s[0]) != "."]


def check_strings(rows):
    for string in strings(rows):
        where = "%s%d" % (COLUMNS[string[0][1]], len(rows) - string[0][0])
        if len({rows[r][c] for r, c in string}) > 1:
            yield f"the string at {where} has two fates"
        if not any(rows[r][c] == "." for r, c in around(len(rows), string)):
            yield f"the string at {where} has no liberty"


def benson(rows, color):
    """The strings of a colour that cannot be captured, whatever is played."""
    size = len(rows)
    mine = lambda p: COLOR[rows[p[0]][p[1]]] == color
    chains = [set(s) for s in strings(rows) if mine(s[0])]
    areas = [set(s) for s in regions(size, lambda p, q: mine(p) == mine(q)) if not mine(s[0])]
    empty = [{p for p in area if rows[p[0]][p[1]] == "."} for area in areas]
    while True:
        left = [c for c in chains if sum(
            bool(e) and all(set(neighbours(size, p)) & c for p in e) for e in empty) >= 2]
        stay = [all(any(p in c for c in left) for p in around(size, a)) for a in areas]
        if len(left) == len(chains) and all(stay):
            return left
        chains = left
        areas, empty = ([x for x, keep in zip(xs, stay) if keep] for xs in (areas, empty))


def check_benson(rows):
    for color, mark in (("X", "X"), ("O", "O")):
        for chain in benson(rows, color):
            r, c = min(chain)
            if rows[r][c] != mark:
                yield "the string at %s%d is alive by Benson's theorem" % (COLUMNS[c], len(rows) - r)


class GnuGo:
    def __init__(self, program):
        self.engine = subprocess.Popen(
            [program, "--mode", "gtp", "--chinese-rules"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def ask(self, command):
        self.engine.stdin.write(command + "\n")
        self.engine.stdin.flush()
        answer = ""
        while not answer.endswith("\n\n"):
            line = self.engine.stdout.readline()
            if not line:
                sys.exit(f"check_ends.py: GNU Go ended at: {command}")
            answer += line
        if not answer.startswith("="):
            sys.exit(f"check_ends.py: {command}: {answer.strip()}")
        return answer[1:].split()

    def fates(self, rows, folder):
        size, letters = len(rows), "abcdefghijklmnopqrs"
        points = {"X": "", "O": "", ".": ""}
        for r in range(size):
            for c in range(size):
                points[COLOR[rows[r][c]]] += f"[{letters[c]}{letters[r]}]"
        path = os.path.join(folder, "end.sgf")
        with open(path, "w", encoding="ascii") as file:
            file.write(f"(;GM[1]FF[4]SZ[{size}]KM[0]" +
                       "".join(f"A{name}{points[c]}" for name, c in (("B", "X"), ("W", "O")) if points[c]) +
                       "PL[B])")
        self.ask(f"loadsgf {path}")
        found = [["."] * size for _ in rows]
        for fate, marks in MARKS.items():
            for point in self.ask(f"final_status_list {fate}"):
                r, c = size - int(point[1:]), COLUMNS.index(point[0])
                found[r][c] = marks[COLOR[rows[r][c]] == "O"]
        return ["".join(row) for row in found]


def check(end, gnugo, folder):
    rows = end["rows"]
    yield from check_strings(rows)
    yield from check_benson(rows)
    counted = [score_text(s) for s in scores(rows)]
    given = end["scores"] or ["none", "none"]
    if given[0] != counted[0] or given[1] not in (counted[1], "-"):
        yield f"score {' '.join(counted)}, not {' '.join(given)}"
    if gnugo:
        found, by_hand = gnugo.fates(rows, folder), "by hand" in end["notes"]
        if found == rows and by_hand:
            yield "GNU Go agrees, so that it need not be by hand"
        elif found != rows and not by_hand:
            yield "GNU Go differs:\n" + "\n".join(f"  {a}  {b}" for a, b in zip(rows, found))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    here = os.path.dirname(os.path.realpath(__file__))
    parser.add_argument("files", nargs="*", default=[os.path.join(here, "ends.txt")])
    parser.add_argument("--gnugo", default="gnugo", help="the program (default: gnugo)")
    args = parser.parse_args()
    program = shutil.which(args.gnugo, path=os.environ.get("PATH", "") + ":/usr/games")
    gnugo = GnuGo(program) if program else None
    wrong = count = by_hand = 0
    with tempfile.TemporaryDirectory() as folder:
        for end in (e for path in args.files for e in read(path)):
            count += 1
            by_hand += "by hand" in end["notes"]
            for problem in check(end, gnugo, folder):
                wrong += 1
                print(f"{end['name']}: {problem}")
    if gnugo:
        gnugo.ask("quit")
    print(f"{count} positions, {by_hand} of them by hand, {wrong} problems" +
          ("" if gnugo else "; not compared with GNU Go, which is not here"))
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
