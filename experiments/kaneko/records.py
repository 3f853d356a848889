"""Moves that were played in games, as targets for prediction."""

import glob
import json
import os
import subprocess
import sys
import tempfile

from matches import done_games
from report import made_by
from simulation import YOMI

LETTERS = {"FU": "P", "KY": "L", "KE": "N", "GI": "S", "KI": "G", "KA": "B", "HI": "R"}
RANDOM_PLIES = 8  # with which our matches begin
FIRST = 22  # moves after these
EVERY = 8


def usi(move):
    def square(s):
        return f"{s['x']}{'abcdefghi'[s['y'] - 1]}"

    if "from" not in move:
        return f"{LETTERS[move['piece']]}*{square(move['to'])}"
    return square(move["from"]) + square(move["to"]) + ("+" if move.get("promote") else "")


def moves_of(path):
    """Of a record from the start position, as `yomi match` writes them."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "game.jkf")
        done = subprocess.run([YOMI, "convert", path, out], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr.strip() or f"{path} cannot be converted")
        with open(out, encoding="utf-8") as f:
            record = json.load(f)
    if record.get("initial", {}).get("preset", "HIRATE") != "HIRATE":
        raise RuntimeError(f"{path} does not begin at the start position")
    return [usi(entry["move"]) for entry in record["moves"] if "move" in entry]


def played(args):
    """(moves of the opening, all moves) of each game."""
    if args.games is None:
        return [(game["opening"], game["moves"].split()) for game in done_games(args.matches).values()]
    paths = sorted(glob.glob(os.path.join(glob.escape(args.games), "*.csa")))
    if not paths:
        raise RuntimeError(f"{args.games} has no games (*.csa)")
    return [(RANDOM_PLIES, moves_of(path)) for path in paths]


def run_records(args):
    rows = []
    for opening, moves in played(args):
        for i in range(opening + FIRST, len(moves), args.every):
            rows.append(("startpos moves " + " ".join(moves[:i]), moves[i]))
    with open(os.path.join(args.out, "records.tsv"), "w", encoding="utf-8") as f:
        f.write(f"# {made_by(args)}\n")
        for position, move in rows:
            f.write(f"{position}\t{move}\n")
    print(f"{len(rows)} positions", file=sys.stderr)
