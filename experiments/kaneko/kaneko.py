"""Kaneko's experiments (GPW 2010) with `yomi cluster simulate`; `run` has the usage."""

import argparse
import concurrent.futures
import csv
import datetime
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time

import plots

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "experiments", "tuning"))
from usi import Engine  # noqa: E402

YOMI = os.environ.get("YOMI", os.path.join(ROOT, "build", "release", "yomi"))

# The document's results: (workers, threads) -> share won; 15 s a move, about 100 games.
DOCUMENT = {
    "GPS Shogi": {(8, 1): .72, (8, 2): .65, (8, 4): .46, (16, 4): .67, (16, 8): .55, (32, 8): .53},
    "Bonanza": {(8, 1): .67, (8, 2): .56, (8, 4): .33, (16, 4): .54},
}


# Options of the simulation that --set adds.
EXTRA = {}
# Positions that a process gets at most.
SLICE = 8


# ---- helpers ----

def made_by(args):
    """A run leaves it in its folder, for the tables that are made of what it found."""
    path = os.path.join(args.out, "made.txt")
    if args.only_report and os.path.exists(path):
        with open(path, encoding="utf-8") as f:
            return f.read().strip()
    commit = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty"], capture_output=True,
                            text=True).stdout.strip() or "unknown"
    cpu = "an unknown processor"
    with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as f:
        for line in f:
            if line.startswith("model name"):
                cpu = line.split(":", 1)[1].strip()
                break
    # Where the files are is no part of the experiment.
    words = re.sub(r" --(out|targets|matches) \S+", "", " ".join(sys.argv[1:]))
    return (f"Made by `experiments/kaneko/run {words}`, commit {commit}, "
            f"{datetime.date.today()}, {cpu}, {args.jobs} processes.")


def simulate(options, positions=None):
    """Runs the simulation; returns the JSON lines."""
    command = [YOMI, "cluster", "simulate"]
    for key, value in {**options, **EXTRA}.items():
        command += [f"--{key}"] if value is True else [f"--{key}", str(value)]
    name = None
    try:
        if positions is not None:
            with tempfile.NamedTemporaryFile("w", suffix=".txt", delete=False) as f:
                f.write("\n".join(positions) + "\n")
                name = f.name
            command.append(name)
        done = subprocess.run(command, capture_output=True, text=True)
    finally:
        if name:
            os.unlink(name)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
    return [json.loads(line) for line in done.stdout.splitlines()]


class Clock:
    """When the work will end, by what is done since the clock was made."""

    def __init__(self, total):
        self.total, self.done, self.since = total, 0, time.monotonic()

    def left(self, done=None):
        """One step more is done, or so many in all: ", 1:05 left"."""
        self.done = self.done + 1 if done is None else done
        if not 0 < self.done < self.total:
            return ""
        seconds = int((time.monotonic() - self.since) * (self.total - self.done) / self.done)
        return f", {seconds // 60}:{seconds % 60:02} left"


def in_parallel(jobs, function, items):
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(function, items))


def slices(items, count):
    size = max(1, min(SLICE, math.ceil(len(items) / count)))
    return [items[i:i + size] for i in range(0, len(items), size)]


def entries_of(workers):
    """Of its table that a worker sends at a step: many workers do not send more in all than 16."""
    return min(128, 2048 // workers)


class Records:
    """Results of a simulation, a line of JSON each in a file: what is there is not made again."""

    def __init__(self, args, name):
        self.path, self.lock, self.known = os.path.join(args.out, name + ".jsonl"), threading.Lock(), {}
        if os.path.exists(self.path):
            with open(self.path, encoding="utf-8") as f:
                for line in f:
                    record = json.loads(line)
                    self.known[(record["options"], record["position"])] = record

    @staticmethod
    def words(options):
        return " ".join(f"--{k} {v}" for k, v in sorted({**options, **EXTRA}.items()))

    def get(self, options, position):
        return self.known.get((self.words(options), position))

    def missing(self, options, positions):
        return [p for p in positions if self.get(options, p) is None]

    def make(self, options, positions):
        for position, line in zip(positions, simulate(options, positions)):
            # Of the order the first are enough, of the timeline its changes.
            record = {"options": self.words(options), "position": position, "order": line["order"][:16]}
            if "timeline" in line:
                steps = line["timeline"]
                record["timeline"] = [t for i, t in enumerate(steps) if i == 0 or t[1:] != steps[i - 1][1:]]
            with self.lock, open(self.path, "a", encoding="utf-8") as f:
                f.write(json.dumps(record, separators=(",", ":")) + "\n")
                self.known[(record["options"], position)] = record

    def fill(self, args, options, positions):
        in_parallel(args.jobs, lambda part: self.make(options, part),
                    slices(self.missing(options, positions), args.jobs))


def wilson(share, n, z=1.96):
    if n == 0:
        return 0.0, 1.0
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return middle - half, middle + half


def write_csv(path, header, rows):
    with open(path, "w", newline="", encoding="utf-8") as f:
        writer = csv.writer(f, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def read_targets(args):
    """[(position, best move)] of a file with a line each, tabs between; a third column is their kind."""
    with open(args.targets, encoding="utf-8") as f:
        rows = [line.rstrip("\n").split("\t") for line in f if line.strip() and line[0] != "#"]
    rows = [row[:2] for row in rows if args.kind == "all" or len(row) < 3 or row[2] == args.kind]
    if not rows:
        raise RuntimeError(f"{args.targets} has no positions of this kind")
    return rows[:args.count] if args.count else rows


# ---- positions ----

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


# ---- prediction ----

def rank(record, best):
    """Where the best move stands in the order; 0: among those without a value."""
    return next((i + 1 for i, m in enumerate(record["order"]) if m[0] == best), 0)


def report_prediction(args, rows, name, title, note):
    top = 8
    header = ["recommend_s", "workers", "positions"] + [f"top{k}" for k in range(1, top + 1)]
    table = [[a, n, len(r)] + [sum(1 for x in r if 0 < x <= k) for k in range(1, top + 1)] for a, n, r in rows]
    write_csv(os.path.join(args.out, name + ".csv"), header, table)
    lines = [f"# {title}", "", made_by(args), "", note, "",
             "| recommendation | workers | positions | " + " | ".join(f"top {k}" for k in range(1, top + 1)) + " |",
             "|---|---|---|" + "---|" * top]
    for row in table:
        shares = " | ".join(f"{100 * c / row[2]:.0f}%" for c in row[3:])
        lines.append(f"| {row[0]} s | {row[1]} | {row[2]} | {shares} |")
    with open(os.path.join(args.out, name + ".md"), "w", encoding="utf-8") as f:
        f.write("\n".join(lines) + "\n")
    curves = {f"top {k}, {a} s": [(r[1], r[2 + k] / r[2]) for r in table if r[0] == a]
              for a in sorted({r[0] for r in table}) for k in (1, 2, 4)}
    plots.write(os.path.join(args.out, name + ".svg"), title, "workers", "share found", curves)


def prediction_options(args, seconds, workers):
    # All workers recommend, as in the document: none searches the whole root, none exchanges entries.
    return {"workers": workers, "seconds": seconds, "recommend": seconds, "step": seconds / 4, "speed": args.speed,
            "order": args.order, "roots": 0, "entries": 0}


def run_prediction(args):
    targets, records = read_targets(args), Records(args, "prediction")
    rows = []
    clock = Clock(len(args.recommend) * len(args.workers))
    for a in args.recommend:
        for n in args.workers:
            options = prediction_options(args, a, n)
            if not args.only_report:
                records.fill(args, options, [p for p, _ in targets])
            found = [(records.get(options, p), best) for p, best in targets]
            rows.append((a, n, [rank(record, best) for record, best in found if record]))
            print(f"{a} s, {n} workers{clock.left()}", file=sys.stderr, flush=True)
    note = ("How often the move that stays best with many times the nodes is among the first k after a "
            f"recommendation of so many virtual seconds ({args.speed} nodes each). The document gives its curves "
            "only as pictures; its conclusion is that one second serves.")
    report_prediction(args, rows, "prediction", "Prediction of the best move", note)


# ---- GPSShogi as worker ----

def gps_value(engine, position, seconds):
    """The value of a position for the side to move there, in centipawns; None without one."""
    engine.say("position " + position)
    engine.say(f"go btime 0 wtime 0 byoyomi {int(1000 * seconds)}")
    value = None
    for line in engine.wait("bestmove"):
        m = re.search(r" score (cp|mate) ([-+]?\d+)", line)
        if m:
            value = int(m[2]) if m[1] == "cp" else (30000 if not m[2].startswith("-") else -30000)
        if line.startswith("bestmove resign"):
            value = -30000
    return value


def gps_values(engine, position, count, seconds):
    """[(move, value)] of the first moves of a short recommendation of ours: GPSShogi takes no list of moves."""
    options = {"workers": count + 1, "seconds": .05, "recommend": .05, "step": .0125, "roots": 0, "entries": 0}
    order = [m[0] for m in simulate(options, [position])[0]["order"]]
    values = [(move, gps_value(engine, f"{position} {move}", seconds)) for move in order[:count]]
    return [(move, -value) for move, value in values if value is not None]


def gps_rank(values, order, best):
    """Where the best move stands among those that had a worker; 0: it had none."""
    known = sorted((v for v in values if v[0] in order), key=lambda v: -v[1])
    return next((i + 1 for i, (move, _) in enumerate(known) if move == best), 0)


def run_gps(args):
    targets, rows = read_targets(args), []
    engines = [Engine(["gpsusi", "-N", "1"], [("Thread", 1), ("BookDepth", 0)]) for _ in range(args.jobs)]
    free = list(engines)

    most = max(args.workers) - 1

    def one(item, seconds):
        engine = free.pop()
        try:
            return gps_values(engine, item[0], most, seconds)
        finally:
            free.append(engine)

    clock = Clock(len(args.recommend) * len(targets))
    for a in args.recommend:
        def timed(item, a=a):
            values = one(item, a)
            print(f"{a} s, a position{clock.left()}", file=sys.stderr, flush=True)
            return values
        lists = in_parallel(args.jobs, timed, targets)
        for n in args.workers:
            # The candidates of n workers are the first n - 1.
            rows.append((a, n, [gps_rank(v, [m for m, _ in v][:max(1, n - 1)], best)
                                for v, (_, best) in zip(lists, targets)]))
    for engine in engines:
        engine.close()
    note = ("The same with GPSShogi as every worker, for so many real seconds a move, one process after the other. "
            "The candidates are those of a recommendation of ours with 1,000 nodes each; the rest has no worker, since "
            "GPSShogi takes no list of moves.")
    report_prediction(args, rows, "prediction-gps", "Prediction of the best move by GPSShogi", note)


# ---- matches ----

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
    # Game by game: a run that ends early has about as many of each pair.
    todo = [((s, n, m), g) for g in range(args.games) for s in args.strategy for n, m in args.pairs
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
                      if k[:3] == (s, n, m) and (args.only_report or k[3] < args.games)]
            share = sum(1 + p for p in points) / 2 / max(1, len(points))
            low, high = wilson(share, len(points))
            rows.append([s, n, m, points.count(1), points.count(-1), points.count(0), round(share, 4),
                         round(low, 4), round(high, 4)])
    name = os.path.join(args.out, f"matches-{args.game}")
    write_csv(name + ".csv", ["strategy", "workers", "threads", "won", "lost", "drawn", "share", "low", "high"], rows)
    unit = "playouts" if args.game == "go" else "nodes"
    lines = [f"# Matches in virtual time: {args.game}", "", made_by(args), "",
             f"{args.seconds} virtual seconds a move, {args.speed} {unit} each; every opening is played twice with the "
             f"sides exchanged. Shared-memory m is one search with m threads and {args.table} MB times m of table, "
             f"which gets m times the {unit} of a worker: as fast as m workers, with nothing lost on the memory bus. "
             "The cluster loses the time that messages and changes of plan take. An opponent with a name is another "
             "cluster; split exchanges no entries, as in the document.", "",
             "| strategy | workers | shared threads, or cluster | won - lost, drawn | share, 95% interval | GPS Shogi, document | "
             "Bonanza, document |", "|---|---|---|---|---|---|---|"]
    for s, n, m, won, lost, drawn, share, low, high in rows:
        theirs = [DOCUMENT[p].get((n, m)) if args.game == "shogi" and s == "predict" else None
                  for p in ("GPS Shogi", "Bonanza")]
        lines.append(f"| {s} | {n} | {m} | {won} - {lost}, {drawn} | {share:.2f} [{low:.2f}, {high:.2f}] | "
                     + " | ".join("" if t is None else f"{t:.2f}" for t in theirs) + " |")
    with open(name + ".md", "w", encoding="utf-8") as f:
        f.write("\n".join(lines) + "\n")
    threads = sorted({m for _, m in args.pairs if isinstance(m, int)})
    curves = {f"{s} against {m}": [(n, *row) for t, n, k, _, _, _, *row in rows if (t, k) == (s, m)]
              for s in args.strategy for m in threads}
    if args.game == "shogi":
        for program, results in DOCUMENT.items():
            for m in threads:
                curves[f"{program} against {m}, document"] = sorted((n, v) for (n, k), v in results.items() if k == m)
    plots.write(name + ".svg", "Share won by n workers", "workers", "share won", curves)


def run_records(args):
    """Positions of matches and the moves that were played there with a long search."""
    rows = []
    for game in done_games(args.matches).values():
        moves = game["moves"].split()
        for i in range(game["opening"] + 22, len(moves), 8):
            rows.append(("startpos moves " + " ".join(moves[:i]), moves[i]))
    with open(os.path.join(args.out, "records.tsv"), "w", encoding="utf-8") as f:
        f.write(f"# {made_by(args)}\n")
        for position, move in rows:
            f.write(f"{position}\t{move}\n")
    print(f"{len(rows)} positions", file=sys.stderr)


# ---- speed-up ----

def settled(line, best):
    """The time from which the answer is this move, for good; None if it is not at the end."""
    since = None
    for at, move, _, mate, depth in line["timeline"]:
        if move != best or not (depth or mate): # without a value it is the quick order's guess
            since = None
        elif since is None:
            since = at
    return since


def reached(line, depth):
    return next((at for at, _, _, mate, d in line["timeline"] if d >= depth or mate), None)


def speedup_options(args, workers, strategy, times=1):
    """`times`: the one worker that the others are compared with searches so many times as long."""
    return {"workers": workers, "seconds": times * args.seconds, "step": round(args.seconds / 60, 4),
            "recommend": round(args.seconds / 15, 4), "speed": args.speed, "strategy": strategy, "timeline": True,
            "table": args.table, "entries": 0 if strategy == "split" else entries_of(workers)}


def speedup_settings(args):
    return ([("predict", 1, 1), ("predict", 1, args.alone)]
            + [(s, n, 1) for s in args.strategy for n in args.workers if n > 1])


def answer_at(line, ms):
    """The answer after so long."""
    moves = [move for at, move, _, mate, depth in line["timeline"] if at <= ms and (depth or mate)]
    return moves[-1] if moves else None


def found_alone(args, lines, targets):
    """[(times, found)]: how many moves one worker finds with so many times the time."""
    times = [2 ** (i / 2) for i in range(2 * int(math.log2(args.alone)) + 1)]
    return [(t, sum(answer_at(line, 1000 * t * args.seconds) == best for line, (_, best) in zip(lines, targets)))
            for t in times]


def ratio_interval(before, after, draws=2000):
    """The 95% interval of sum(before) / sum(after), of the same positions, by the bootstrap."""
    draw, n = random.Random(1), len(before)
    ratios = []
    for _ in range(draws):
        chosen = [draw.randrange(n) for _ in range(n)]
        ratios.append(sum(before[i] for i in chosen) / sum(after[i] for i in chosen))
    ratios.sort()
    return ratios[draws // 40], ratios[-1 - draws // 40]


def run_speedup(args):
    targets, records = read_targets(args), Records(args, "speedup")
    settings = speedup_settings(args)
    clock = Clock(len(settings))
    for strategy, n, times in settings:
        if not args.only_report:
            records.fill(args, speedup_options(args, n, strategy, times), [p for p, _ in targets])
            print(f"{strategy}, {n} workers{clock.left()}", file=sys.stderr, flush=True)
    if args.only_report:
        settings = [(s, n, times) for s, n, times in settings
                    if any(records.get(speedup_options(args, n, s, times), p) for p, _ in targets)]
    # Those that all have.
    targets = [t for t in targets
               if all(records.get(speedup_options(args, n, s, times), t[0]) for s, n, times in settings)]
    if not targets:
        raise RuntimeError("no position has been searched with all settings")

    def think(n, strategy, times=1):
        return [records.get(speedup_options(args, n, strategy, times), p) for p, _ in targets]

    alone = found_alone(args, think(1, "predict", args.alone), targets)
    one = think(1, "predict")
    depths = [max((d for *_, d in line["timeline"]), default=0) for line in one]
    end = 1000 * args.seconds
    rows, curves, steps, reached_by = [], {}, [], {}
    for strategy in args.strategy:
        base = before = None
        for n in args.workers:
            if n > 1 and (strategy, n, 1) not in settings:
                continue
            lines = one if n == 1 else think(n, strategy)
            moves = [settled(line, best) for line, (_, best) in zip(lines, targets)]
            deep = [reached(line, depth) for line, depth in zip(lines, depths)]
            # A position that is not solved in time counts with the whole time.
            totals = [sum(end if t is None else t for t in times) for times in (moves, deep)]
            base = base or totals
            times = [end if t is None else t for t in deep]
            if before:
                low, high = ratio_interval(before[1], times)
                steps.append(f"{strategy}: {n} workers reach the depth {sum(before[1]) / sum(times):.2f} times as fast "
                             f"as {before[0]}, 95% interval [{low:.2f}, {high:.2f}].")
            before = (n, times)
            reached_by[(strategy, n)] = times
            rows.append([strategy, n, len(lines), sum(t is not None for t in moves),
                         round(totals[0] / len(lines)), round(base[0] / totals[0], 3),
                         sum(t is not None for t in deep), round(totals[1] / len(lines)),
                         round(base[1] / totals[1], 3)])
        curves[f"{strategy}: same move"] = [(r[1], r[5]) for r in rows if r[0] == strategy]
        curves[f"{strategy}: same depth"] = [(r[1], r[8]) for r in rows if r[0] == strategy]
    for strategy, n in reached_by:
        if n > 1 and strategy != args.strategy[0] and (args.strategy[0], n) in reached_by:
            other, own = reached_by[(strategy, n)], reached_by[(args.strategy[0], n)]
            low, high = ratio_interval(other, own)
            steps.append(f"{args.strategy[0]} with {n} workers is {sum(other) / sum(own):.2f} times as fast as "
                         f"{strategy}, 95% interval [{low:.2f}, {high:.2f}].")
    header = ["strategy", "workers", "positions", "found", "ms_to_move", "speedup_move", "deep", "ms_to_depth",
              "speedup_depth"]
    write_csv(os.path.join(args.out, "speedup.csv"), header, rows)
    text = ["# Speed-up", "", made_by(args), "",
            f"Positions: {args.kind}. Steady ones are those that one short search gets right, by their making; late ones "
            "it gets wrong; all are a fair sample of both. "
            "Virtual time until the answer is the right move for good, and until the master's best line is as deep as "
            f"one worker's after {args.seconds} s; the mean over the positions, where one that does not get there counts "
            "with the whole time. The document did not measure it.", "",
            "| strategy | workers | right in the end | ms to the move | speed-up | as deep | ms to the depth | speed-up |",
            "|---|---|---|---|---|---|---|---|"]
    text += [f"| {r[0]} | {r[1]} | {r[3]} of {r[2]} | {r[4]} | {r[5]:.2f} | {r[6]} | {r[7]} | {r[8]:.2f} |"
             for r in rows]
    text += [""] + [f"- {step}" for step in steps]
    text += ["", "Right answers of one worker alone, with so many times the time:", "",
             "| " + " | ".join(f"{t:.2g}" for t, _ in alone[::2]) + " |", "|" + "---|" * len(alone[::2]),
             "| " + " | ".join(str(c) for _, c in alone[::2]) + " |"]
    with open(os.path.join(args.out, "speedup.md"), "w", encoding="utf-8") as f:
        f.write("\n".join(text) + "\n")
    plots.write(os.path.join(args.out, "speedup.svg"), "Speed-up by workers", "workers", "speed-up", curves)


# ---- all that takes long, by worth ----

class Queue:
    """Work of one kind and its share of the time; `cost` is that of a step, in any unit."""

    def __init__(self, name, share, cost, steps):
        self.name, self.each, self.steps, self.done = name, cost / share, iter(steps), 0
        self.used = self.each / 2


def match_queue(args, lock, share, cost, match, count):
    """Costs are core seconds of a game."""
    path = os.path.join(args.out, f"matches-{args.game}.jsonl")
    games, settings = done_games(path), settings_of(args)

    def game(number):
        record = play(args, match, number)
        record.update(settings, strategy=match[0], workers=match[1], threads=match[2])
        with lock, open(path, "a", encoding="utf-8") as f:
            f.write(json.dumps(record) + "\n")
    steps = ((lambda g=g: game(g)) for g in range(args.first, args.first + count) if (*match, g) not in games)
    return Queue("{} {} against {}".format(*match), share, cost, steps)


def all_matches(args, lock):
    go = argparse.Namespace(**{**vars(args), "game": "go", "speed": 200, "table": 16})
    # Of a pair that is decided sooner fewer games are needed.
    return [match_queue(args, lock, .15, 12, ("predict", 8, 1), 120),
            match_queue(args, lock, .26, 45, ("predict", 16, 8), 200),
            match_queue(args, lock, .20, 48, ("predict", 16, "split16"), 200),
            match_queue(args, lock, .1, 18, ("predict", 8, 4), 200),
            match_queue(go, lock, .06, 12, ("share", 4, 1), 200),
            match_queue(args, lock, .002, 170, ("predict", 64, 16), 200)]


def all_positions(args):
    targets = read_targets(args)
    args.kind, args.strategy, args.workers = "all", ["predict"], [1, 8, 16, 32, 64]
    mixed = [p for p, _ in read_targets(args)]
    speedup, prediction = Records(args, "speedup"), Records(args, "prediction")

    def steps(records, options, positions):
        for part in slices(positions, max(1, len(positions) // SLICE)):
            wanted = [(o, records.missing(o, part)) for o in options]
            for o, left in wanted:
                if left:
                    yield lambda o=o, left=left: records.make(o, left)
    options = [speedup_options(args, n, s, times) for s, n, times in speedup_settings(args) + [("split", 16, 1)]]
    few = [prediction_options(args, a, n) for a in (1, .25) for n in (2, 4, 8, 16)]
    many = [prediction_options(args, a, n) for a in (1, 2) for n in (32, 64)]
    return [Queue("speed-up", .15, 6, steps(speedup, options, mixed)),
            Queue("prediction", .08, 1, steps(prediction, few, [p for p, _ in targets])),
            Queue("prediction by many", .001, 12, steps(prediction, many, [p for p, _ in targets]))]


def run_all(args):
    """Ends at the limit, or when it is killed; what is done stays, and the next run goes on from there."""
    lock = threading.Lock()
    queues = all_matches(args, lock) + all_positions(args)
    with open(os.path.join(args.out, "made.txt"), "w", encoding="utf-8") as f:
        f.write(made_by(args) + "\n")
    end = time.monotonic() + args.limit if args.limit else math.inf

    def work():
        while time.monotonic() < end:
            with lock:
                step = None
                while queues and step is None:
                    queue = min(queues, key=lambda q: q.used)
                    step = next(queue.steps, None)
                    if step is None:
                        queues.remove(queue)
                if step is None:
                    return
                queue.used += queue.each
            step()
            queue.done += 1
            print(f"{time.monotonic() - start:.0f} s: {queue.name}, {queue.done}", file=sys.stderr, flush=True)
    start = time.monotonic()
    threads = [threading.Thread(target=work) for _ in range(args.jobs)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()


# ---- the command ----

def numbers(text):
    return [float(x) if "." in x else int(x) for x in text.split(",")]


def pairs(text):
    """8:1 is 8 workers against a machine with one thread, 16:split16 against another cluster."""
    both = [pair.split(":") for pair in text.split(",")]
    return [(int(n), int(m) if m.isdigit() else m) for n, m in both]


def read_arguments():
    results = os.path.join(ROOT, "experiments", "kaneko", "results")
    targets = os.path.join(results, "positions.tsv")
    everyone = "1,2,4,8,16,32,64"
    parser = argparse.ArgumentParser(prog="experiments/kaneko/run", description=__doc__)
    commands = parser.add_subparsers(dest="what", required=True)

    def add(name, function, **options):
        sub = commands.add_parser(name, add_help=False)
        sub.set_defaults(function=function)
        sub.add_argument("--out", default=results)
        sub.add_argument("--jobs", type=int, default=os.cpu_count())
        sub.add_argument("--set", default="")
        sub.add_argument("--only-report", action="store_true")
        for key, (kind, default) in options.items():
            sub.add_argument("--" + key, type=kind, default=kind(default) if default is not None else None)

    add("positions", run_positions, count=(int, 432), nodes=(int, 30000), factor=(int, 100), seed=(int, 1))
    add("prediction", run_prediction, targets=(str, targets), count=(int, 0), kind=(str, "steady"), workers=(numbers, "2,4,8,16,32,64"),
        recommend=(numbers, "1,2,4"), speed=(int, 20000), order=(str, "search"))
    add("gps", run_gps, targets=(str, targets), count=(int, 0), kind=(str, "steady"), workers=(numbers, "2,4,8,16"),
        recommend=(numbers, "1"))
    add("matches", run_matches, pairs=(pairs, "8:1,8:2,8:4,16:4,16:8,32:8"), games=(int, 100), seconds=(float, 3),
        speed=(int, 20000), strategy=(lambda s: s.split(","), "predict"), seed=(int, 1), table=(int, 4),
        game=(str, "shogi"), limit=(float, 0))
    add("records", run_records, matches=(str, os.path.join(results, "matches-shogi.jsonl")))
    add("speedup", run_speedup, targets=(str, targets), count=(int, 0), kind=(str, "all"), workers=(numbers, everyone),
        seconds=(float, 3), speed=(int, 20000), strategy=(lambda s: s.split(","), "predict,split"), table=(int, 4),
        alone=(int, 32))
    add("all", run_all, targets=(str, targets), count=(int, 0), kind=(str, "steady"), speed=(int, 20000),
        order=(str, "search"), seconds=(float, 1), seed=(int, 1), table=(int, 16), game=(str, "shogi"), limit=(float, 0),
        first=(int, 0), alone=(int, 32))
    return parser.parse_args()


def main():
    args = read_arguments()
    os.makedirs(args.out, exist_ok=True)
    EXTRA.update(pair.split("=", 1) for pair in args.set.split(",") if "=" in pair)
    try:
        args.function(args)
    except (RuntimeError, OSError) as problem:
        sys.exit(f"error: {problem}")


if __name__ == "__main__":
    main()
