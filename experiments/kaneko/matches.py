"""Matches in virtual time: a cluster against one machine, or another cluster."""

import json
import math
import os
import re
import sys
import time

import plots
from report import made_by, wilson, write_csv
from simulation import EXTRA, Clock, entries_of, in_parallel, simulate

# The document's results: (workers, threads) -> share won; 15 s a move, about 100 games.
DOCUMENT = {
    "GPS Shogi": {(8, 1): .72, (8, 2): .65, (8, 4): .46, (16, 4): .67, (16, 8): .55, (32, 8): .53},
    "Bonanza": {(8, 1): .67, (8, 2): .56, (8, 4): .33, (16, 4): .54},
}


def play(args, match, number):
    strategy, n, m = match
    options = {"workers": n, "strategy": strategy, "games": 1, "first-game": number,
               "seconds": args.seconds, "speed": args.speed, "seed": args.seed, "table": args.table,
               "game": args.game, "entries": entries_of(n)}
    if isinstance(m, int):
        options["against"] = m
    else:
        options["rival-strategy"], workers = re.fullmatch(r"([a-z]+)(\d+)", m).groups()
        options["rival"] = int(workers)
        if options["rival-strategy"] != "split":
            options["rival-entries"] = entries_of(int(workers))
    return simulate(options)[0]


def settings_of(args):
    return {"seconds": args.seconds, "speed": args.speed, "seed": args.seed, "table": args.table, **EXTRA}


def done_games(path):
    games = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as f:
            for line in f:
                game = json.loads(line)
                games[(game["strategy"], game["workers"], game["threads"], game["game"])] = game
    return games


def run_matches(args):
    path = os.path.join(args.out, f"matches-{args.game}.jsonl")
    games = done_games(path)
    settings = settings_of(args)
    for game in games.values():
        if {k: game.get(k) for k in settings} != settings:
            raise RuntimeError(f"{path} has games with other settings; give another --out")
    pairs = {(s, n, m) for s in args.strategy for n, m in args.pairs}
    if args.only_report and not any(key[:3] in pairs for key in games):
        raise RuntimeError(f"no games of these pairs in {path} yet; without --only-report they are played")
    # Game by game: a run that ends early has about as many of each pair.
    numbers = range(args.first, args.first + args.games)
    todo = [((s, n, m), g) for g in numbers for s in args.strategy for n, m in args.pairs
            if (s, n, m, g) not in games and not args.only_report]
    end = time.monotonic() + args.limit if args.limit else math.inf
    clock = Clock(len(todo))
    with open(path, "a", encoding="utf-8") as f:
        def one(item):
            (strategy, n, m), number = item
            if time.monotonic() > end:
                return
            game = play(args, item[0], number)
            game.update(settings, strategy=strategy, workers=n, threads=m)
            games[(strategy, n, m, number)] = game
            f.write(json.dumps(game) + "\n")
            f.flush()
            print(f"{strategy} {n} against {m}, game {number}: {game['points']:+d}{clock.left()}", file=sys.stderr,
                  flush=True)
        in_parallel(args.jobs, one, todo)
    report_matches(args, games)


def report_matches(args, games):
    rows = []
    for s in args.strategy:
        for n, m in args.pairs:
            points = [g["points"] for k, g in games.items()
                      if k[:3] == (s, n, m) and (args.only_report or args.first <= k[3] < args.first + args.games)]
            share = sum(1 + p for p in points) / 2 / max(1, len(points))
            low, high = wilson(share, len(points))
            rows.append([s, n, m, points.count(1), points.count(-1), points.count(0), round(share, 4),
                         round(low, 4), round(high, 4)])
    unit = "playouts" if args.game == "go" else "nodes"
    write_tables(args, f"matches-{args.game}", f"Matches in virtual time: {args.game}",
                 f"{args.seconds} virtual seconds a move, {args.speed} {unit} each; every opening is played twice with the "
                 f"sides exchanged. Shared-memory m is one search with m threads and {args.table} MB times m of table, "
                 f"which gets m times the {unit} of a worker: as fast as m workers, with nothing lost on the memory bus. "
                 "The cluster loses the time that messages and changes of plan take. An opponent with a name is another "
                 "cluster; split exchanges no entries, as in the document.", rows, args.game == "shogi")


def write_tables(args, file, title, text, rows, has_document):
    """Rows of strategy, workers, threads or a cluster, won, lost, drawn, share and its interval, as CSV, Markdown and
    a plot; beside them what the document has, where it has the game."""
    name = os.path.join(args.out, file)
    write_csv(name + ".csv", ["strategy", "workers", "threads", "won", "lost", "drawn", "share", "low", "high"], rows)
    lines = [f"# {title}", "", made_by(args), "", text, "",
             "| strategy | workers | shared threads, or cluster | won - lost, drawn | share, 95% interval | GPS Shogi, document | "
             "Bonanza, document |", "|---|---|---|---|---|---|---|"]
    for s, n, m, won, lost, drawn, share, low, high in rows:
        theirs = [DOCUMENT[p].get((n, m)) if has_document and s == "predict" else None for p in ("GPS Shogi", "Bonanza")]
        lines.append(f"| {s} | {n} | {m} | {won} - {lost}, {drawn} | {share:.2f} [{low:.2f}, {high:.2f}] | "
                     + " | ".join("" if t is None else f"{t:.2f}" for t in theirs) + " |")
    with open(name + ".md", "w", encoding="utf-8") as f:
        f.write("\n".join(lines) + "\n")
    threads = sorted({m for _, m in args.pairs if isinstance(m, int)})
    curves = {f"{s} against {m}": [(n, *row) for t, n, k, _, _, _, *row in rows if (t, k) == (s, m)]
              for s in args.strategy for m in threads}
    if has_document:
        for program, results in DOCUMENT.items():
            for m in threads:
                curves[f"{program} against {m}, document"] = sorted((n, v) for (n, k), v in results.items() if k == m)
    plots.write(name + ".svg", "Share won by n workers", "workers", "share won", curves)
