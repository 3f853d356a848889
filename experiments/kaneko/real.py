"""Matches in real time: `yomi usi --cluster local:N` against one process with M threads."""

import csv
import os
import subprocess

import plots
from matches import DOCUMENT
from report import made_by, wilson, write_csv
from simulation import EXTRA, YOMI


def engines(args, strategy, n, m):
    extra = "".join(f" --{key} {value}" for key, value in EXTRA.items())
    return (f"{YOMI} usi --cluster local:{n} --strategy {strategy} --memory {args.table} --book off{extra}",
            f"{YOMI} usi --threads {m} --memory {args.table * m} --book off")


def play(args, strategy, n, m, folder, seconds):
    """`yomi match` goes on with the games of an earlier call, and ends in good order when interrupted."""
    command = [YOMI, "match", *engines(args, strategy, n, m), "--game", "shogi", "--movetime", str(args.seconds), "--games",
               str(args.games), "--jobs", str(args.jobs), "--random-plies", "8", "--max-moves", "256", "--out", folder]
    if seconds:
        command = ["timeout", "-s", "INT", str(seconds), *command]
    status = subprocess.run(command, stdout=subprocess.DEVNULL).returncode
    if status not in (0, 124, 130):
        raise RuntimeError(f"the match of {n} workers against {m} threads ended with status {status}")


def tally(folder):
    won = lost = drawn = 0
    with open(os.path.join(folder, "results.csv"), encoding="utf-8") as f:
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
    name = os.path.join(args.out, "real")
    write_csv(name + ".csv", ["strategy", "workers", "threads", "won", "lost", "drawn", "share", "low", "high"], rows)
    lines = ["# Matches in real time: shogi", "", made_by(args), "",
             f"{args.seconds} s a move by the clock; openings of 8 random moves that give nothing away, each with both colours. "
             f"A worker has {args.table} MB of table, m threads that share memory have m times that.", "",
             "| strategy | workers | shared threads | won - lost, drawn | share, 95% interval | GPS Shogi, document | Bonanza, document |",
             "|---|---|---|---|---|---|---|"]
    for s, n, m, won, lost, drawn, share, low, high in rows:
        theirs = [DOCUMENT[p].get((n, m)) if s == "predict" else None for p in ("GPS Shogi", "Bonanza")]
        lines.append(f"| {s} | {n} | {m} | {won} - {lost}, {drawn} | {share:.2f} [{low:.2f}, {high:.2f}] | "
                     + " | ".join("" if t is None else f"{t:.2f}" for t in theirs) + " |")
    with open(name + ".md", "w", encoding="utf-8") as f:
        f.write("\n".join(lines) + "\n")
    curves = {f"{s} against {m}": [(n, *row) for t, n, k, _, _, _, *row in rows if (t, k) == (s, m)]
              for s in args.strategy for m in sorted({m for _, m in args.pairs})}
    plots.write(name + ".svg", "Share won by n workers, in real time", "workers", "share won", curves)
