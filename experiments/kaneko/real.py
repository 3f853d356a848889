"""Matches in real time: `yomi usi --cluster local:N` against one process with M threads."""

import csv
import os
import subprocess

from matches import write_tables
from report import wilson
from simulation import EXTRA, YOMI


def engines(args, strategy, n, m):
    extra = "".join(f" --{key} {value}" for key, value in EXTRA.items())
    return (f"{YOMI} usi --cluster local:{n} --strategy {strategy} --memory {args.table} --book off{extra}",
            f"{YOMI} usi --threads {m} --memory {args.table * m} --book off")


def play(args, strategy, n, m, folder, seconds):
    """`yomi match` goes on with the games of an earlier call, and ends in good order when interrupted."""
    command = [YOMI, "match", *engines(args, strategy, n, m), "--game", "shogi", "--movetime", str(args.seconds), "--games",
               str(args.games), "--jobs", str(args.jobs), "--seed", str(args.seed), "--random-plies", "8", "--max-moves", "256", "--out", folder]
    if seconds:
        command = ["timeout", "-s", "INT", str(seconds), *command]
    status = subprocess.run(command, stdout=subprocess.DEVNULL).returncode
    if status not in (0, 124, 130):
        raise RuntimeError(f"the match of {n} workers against {m} threads ended with status {status}")


def tally(folder):
    won = lost = drawn = 0
    path = os.path.join(folder, "results.csv")
    if not os.path.exists(path):
        raise RuntimeError(f"{path}: no games yet; without --only-report they are played")
    with open(path, encoding="utf-8") as f:
        for row in csv.DictReader(line for line in f if not line.startswith("#")):
            won += row["winner"] == "first"
            lost += row["winner"] == "second"
            drawn += row["winner"] not in ("first", "second")
    return won, lost, drawn


def run_real(args):
    pairs = [(s, n, m) for s in args.strategy for n, m in args.pairs]
    if not all(isinstance(m, int) for _, _, m in pairs):
        raise RuntimeError("in real time a cluster plays against threads, such as 8:4")
    rows = []
    for s, n, m in pairs:
        folder = os.path.join(args.out, f"real-{s}-{n}-{m}")
        if not args.only_report:
            play(args, s, n, m, folder, args.limit / len(pairs))
        won, lost, drawn = tally(folder)
        count = won + lost + drawn
        share = (won + drawn / 2) / max(1, count)
        rows.append([s, n, m, won, lost, drawn, round(share, 4), *(round(x, 4) for x in wilson(share, count))])
    write_tables(args, "real", "Matches in real time: shogi",
                 f"{args.seconds} s a move by the clock; openings of 8 random moves that give nothing away, each with both "
                 f"colours. A worker has {args.table} MB of table, m threads that share memory have m times that.", rows, True)
