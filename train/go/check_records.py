#!/usr/bin/env python3
"""Checks rows of self-play games from outside:

    check_records.py GAMES ROWS

reads the records byte by byte as docs/selfplay.md describes them, replays the games on a slow board of its
own, and computes what each row must hold: stones, liberties, last moves, komi, the policy by visits, who
won, by how much and who owned what, from the view of the side to move, under each of the eight symmetries."""
import os
import struct
import sys
import zlib

sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../common"))

PASS, FULL, OVER, SETTLED = 361, 2, 1, 2
BLACK, WHITE = 1, 2


def check(good, what):
    if not good:
        sys.exit("check_records.py: " + what)


# ---- records ----


class Bytes:
    def __init__(self, data):
        self.data, self.at = data, 0

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def number(self):
        value = shift = 0
        while True:
            b = self.byte()
            value |= (b & 127) << shift
            shift += 7
            if b < 128:
                return value

    def signed(self):
        n = self.number()
        return ~(n >> 1) if n & 1 else n >> 1


def read_step(b):
    step = {"kind": b.byte(), "move": b.number(), "targets": []}
    if step["kind"] > 0:
        step["win"], step["score2"] = b.number(), b.signed()
    if step["kind"] == FULL:
        step["targets"] = [(b.number(), b.number()) for _ in range(b.number())]
    return step


def read_record(data):
    b = Bytes(data)
    check(b.byte() == 1 and b.byte() == 1, "not a record of Go")
    b.number()
    b.at += 4
    setup = [b.byte() for _ in range(b.byte())]
    game = {"size": setup[0], "komi": struct.unpack("<h", bytes(setup[6:8]))[0] / 2}
    game["steps"] = [read_step(b) for _ in range(b.number())]
    game["end"], game["outcome"], game["lead"] = b.byte(), b.byte(), b.signed() / 2
    cells = b.number()
    packed = [b.byte() for _ in range((cells + 3) // 4)]
    game["owner"] = [packed[i // 4] >> 2 * (i % 4) & 3 for i in range(cells)]
    check(b.at == len(data), "a record has more bytes than it says")
    return game


def read_games(path):
    with open(path, "rb") as file:
        data = file.read()
    at = 0
    while at < len(data):
        magic, length, crc = struct.unpack_from("<4sII", data, at)
        payload = data[at + 12 : at + 12 + length]
        check(magic == b"YMSP" and zlib.crc32(payload) == crc, "a frame is damaged")
        yield read_record(payload)
        at += 12 + length


# ---- a slow board ----


def beside(size, p):
    row, col = divmod(p, size)
    if row > 0:
        yield p - size
    if row < size - 1:
        yield p + size
    if col > 0:
        yield p - 1
    if col < size - 1:
        yield p + 1


def string(board, size, p):
    """Its stones and its liberties."""
    stones, libs, todo = {p}, set(), [p]
    while todo:
        for q in beside(size, todo.pop()):
            if board[q] == 0:
                libs.add(q)
            elif board[q] == board[p] and q not in stones:
                stones.add(q)
                todo.append(q)
    return stones, libs


def play(board, size, color, move):
    if move == PASS:
        return
    check(board[move] == 0, "a move on a stone")
    board[move] = color
    for group in [*beside(size, move), move]:
        if board[group] == 0 or (group != move and board[group] == color):
            continue
        stones, libs = string(board, size, group)
        if not libs:
            for p in stones:
                board[p] = 0


def area(board, size):
    """Who owns each point by stones and by what they alone surround; 0: nobody."""
    owner, seen = list(board), set()
    for p in range(size * size):
        if board[p] or p in seen:
            continue
        region, todo, colors = {p}, [p], set()
        while todo:
            for q in beside(size, todo.pop()):
                if board[q]:
                    colors.add(board[q])
                elif q not in region:
                    region.add(q)
                    todo.append(q)
        seen |= region
        for q in region:
            owner[q] = min(colors) if len(colors) == 1 else 0
    return owner


# ---- rows ----


def expected(game, board, color, step, last):
    """A row as plain lists."""
    size = game["size"]
    row = {"own": [int(c == color) for c in board], "other": [int(c == 3 - color) for c in board]}
    libs = [0 if c == 0 else min(len(string(board, size, p)[1]), 4) for p, c in enumerate(board)]
    for n in (1, 2, 3):
        row["liberties%d" % n] = [int(count == n) for count in libs]
    for ago in range(5):
        row["last%d" % ago] = [int(len(last) > ago and last[-1 - ago] == p) for p in range(size * size)]
    total = sum(w for _, w in step["targets"])
    policy = [0.0] * (size * size + 1)
    for move, weight in step["targets"]:
        policy[size * size if move == PASS else move] = weight / total
    row["policy"], row["pass"] = policy[:-1], policy[-1]
    row["win"] = step["win"] / 65535
    sign = 1 if color == BLACK else -1
    row["result"] = {0: 2, 1: sign, 2: -sign, 3: 0}[game["outcome"]]
    row["lead"] = sign * game["lead"] if game["owner"] else None
    row["owner"] = [0 if o == 0 else 1 if o == color else -1 for o in game["owner"]] or None
    row["komi"] = game["komi"] / 20 * -sign
    return row


def rows_of(game):
    size, board, color, last = game["size"], [0] * game["size"] ** 2, BLACK, []
    for step in game["steps"]:
        if step["kind"] == FULL:
            yield expected(game, board, color, step, last)
        play(board, size, color, step["move"])
        last.append(step["move"])
        color = 3 - color
    if game["end"] in (OVER, SETTLED) and game["owner"]:
        lead = sum((o == BLACK) - (o == WHITE) for o in game["owner"]) - game["komi"]
        check(lead == game["lead"], "owners less komi are not the lead")
        check(game["outcome"] == (1 if lead > 0 else 2 if lead < 0 else 3), "the winner did not win")
        simple = area(board, size)
        game["plain"] = sum(a == b for a, b in zip(simple, game["owner"])) / size ** 2


def turned(points, size, symmetry):
    """Bit 0 turns the board upside down, bit 1 left to right, then bit 2 exchanges rows and columns."""
    grid = [points[r * size : (r + 1) * size] for r in range(size)]
    if symmetry & 1:
        grid = grid[::-1]
    if symmetry & 2:
        grid = [row[::-1] for row in grid]
    if symmetry & 4:
        grid = [list(column) for column in zip(*grid)]
    return [p for row in grid for p in row]


PLANES = {"own": 1, "other": 2, "liberties1": 3, "liberties2": 4, "liberties3": 5, "last0": 7, "last1": 8,
          "last2": 9, "last3": 10, "last4": 11}


def compare(row, batch, i, size, symmetry):
    def same(points, got, what):
        off = max(abs(a - b) for a, b in zip(turned(points, size, symmetry), got.flatten().tolist()))
        check(off < 1e-4, "%s is not what the record says (off by %g, symmetry %d)" % (what, off, symmetry))

    for name, plane in PLANES.items():
        same(row[name], batch.planes[i, plane].float(), name)
    same(row["policy"], batch.policy[i, :-1], "the policy")
    check(abs(row["pass"] - float(batch.policy[i, -1])) < 1e-4, "the pass")
    check(abs(row["win"] - float(batch.win[i])) < 1e-4, "the search's chance")
    check(row["result"] == int(batch.result[i]), "the result")
    lead = float(batch.lead[i])
    check(lead != lead if row["lead"] is None else row["lead"] == lead, "the lead")
    check(bool(batch.has_owner[i]) == (row["owner"] is not None), "whether owners are known")
    if row["owner"]:
        same(row["owner"], batch.owner[i], "an owner")
    check(abs(row["komi"] - float(batch.numbers[i, 5])) < 1e-6, "komi")


def main():
    if len(sys.argv) != 3 or sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        sys.exit(0 if sys.argv[1:] in (["-h"], ["--help"]) else 2)
    import torch
    from play_data import PlayUnpacker, load

    rows, unpack = load(sys.argv[2], "cpu"), PlayUnpacker("cpu")
    games, at, plain = 0, 0, []
    for game in read_games(sys.argv[1]):
        size = game["size"]
        for row in rows_of(game):
            for s in range(8) if at % 10 == 0 else [at % 8]:
                compare(row, unpack(rows[at : at + 1], torch.tensor([s]), size), 0, size, s)
            at += 1
        games += 1
        plain.append(game.get("plain", 1))
    check(games > 0 and at == len(rows), "%d rows of the records, %d of the file" % (at, len(rows)))
    # Dead stones inside unconditionally alive areas are counted without being captured.
    check(sum(plain) / len(plain) > 0.8, "owners are not the points that stones surround")
    print("%d games, %d rows; %.1f%% of the owners by a plain count" % (
        games, at, 100 * sum(plain) / len(plain)))


if __name__ == "__main__":
    main()
