"""How often the best move is among the first after a recommendation, by our engine or GPSShogi."""

import math
import os
import re
import sys
import time

import plots
from positions import are_of_games, read_targets
from report import made_by, write_csv
from simulation import Clock, Engine, Records, in_parallel, simulate


def rank(record, best):
    """Where the best move stands in the order; 0: among those without a value."""
    return next((i + 1 for i, m in enumerate(record["order"]) if m[0] == best), 0)


def report_prediction(args, rows, name, title, note):
    top = 8
    header = ["recommend_s", "workers", "positions"] + [f"top{k}" for k in range(1, top + 1)]
    table = [[a, n, len(r)] + [sum(1 for x in r if 0 < x <= k) for k in range(1, top + 1)] for a, n, r in rows if r]
    if not table:
        raise RuntimeError(f"no recommendations with these --workers and --recommend in {args.out} yet")
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
    move = "was played in the games" if are_of_games(args) else "stays best with many times the nodes"
    note = (f"How often the move that {move} is among the first k after a recommendation of so many virtual "
            f"seconds ({args.speed} nodes each). The document gives its curves only as pictures; its conclusion is that "
            "one second serves.")
    report_prediction(args, rows, "prediction", "Prediction of the best move", note)


# ---- GPSShogi as worker ----

def stat_fields(path):
    """Of a process or thread, from its state on; none if it is gone."""
    try:
        with open(path, encoding="utf-8") as f:
            return f.read().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None


def busy_state(pid):
    """Seconds of processor that a process has had, and whether one of its threads wants more."""
    fields = stat_fields(f"/proc/{pid}/stat")
    if not fields:
        raise RuntimeError("the engine ended")
    tasks = [stat_fields(f"/proc/{pid}/task/{t}/stat") for t in os.listdir(f"/proc/{pid}/task")]
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), any(t and t[0] in "RD" for t in tasks)


def wait_busy(pid, seconds):
    """Until a process has had so many seconds of processor, however busy the machine is. One that has nothing to do any
    more, having found a mate for example, is not waited for longer than that."""
    began, idle, end = time.monotonic(), 0, busy_state(pid)[0] + seconds
    while idle < 10:
        time.sleep(.005)
        had, wants = busy_state(pid)
        if had >= end:
            return
        idle = 0 if wants or time.monotonic() < began + seconds else idle + 1


class Gps:
    """A process of GPSShogi. It is told when to stop, as by a worker: with a byoyomi of 0.25 s or of 1 s it thinks for
    half a second."""

    def __init__(self):
        self.engine = Engine(["gpsusi", "-N", "1"], [("Thread", 1), ("BookDepth", 0)])

    def value(self, position, seconds):
        """For the side to move, in centipawns; None without one."""
        self.engine.say("position " + position)
        self.engine.say("go infinite")
        wait_busy(self.engine.process.pid, seconds)
        self.engine.say("stop")
        value = None
        for line in self.engine.wait("bestmove"):
            m = re.search(r" score (cp|mate) ([-+]?\d+)", line)
            if m:
                value = int(m[2]) if m[1] == "cp" else (30000 if not m[2].startswith("-") else -30000)
            if line.startswith("bestmove resign"):
                value = -30000
        return value

    def values(self, position, moves, seconds):
        """[(move, value)], each for the side that makes the move."""
        values = [(move, self.value(f"{position} {move}", seconds)) for move in moves]
        return [(move, None if value is None else -value) for move, value in values]


def gps_candidates(position, count):
    """The first moves of a short recommendation of ours: GPSShogi takes no list of moves."""
    options = {"workers": count + 1, "seconds": .05, "recommend": .05, "step": .0125, "roots": 0, "entries": 0}
    return [m[0] for m in simulate(options, [position])[0]["order"]][:count]


def gps_rank(values, count, best):
    """Where the best move stands among the first so many candidates; 0: it is none of them, or has no value."""
    known = sorted((v for v in values[:count] if v[1] is not None), key=lambda v: -v[1])
    return next((i + 1 for i, (move, _) in enumerate(known) if move == best), 0)


def play_gps(args, targets, records, options):
    """The values of each position for all times of a recommendation, before the next one is begun."""
    most = max(args.workers) - 1
    todo = [p for p, _ in targets if any(records.missing(o, [p]) for o in options.values())]
    free = [Gps() for _ in range(min(args.jobs, len(todo)))]
    engines, clock = list(free), Clock(len(todo))
    end = time.monotonic() + args.limit if args.limit else math.inf

    def one(position):
        if time.monotonic() > end:
            return
        moves, gps = gps_candidates(position, most), free.pop()
        for seconds, option in options.items():
            if records.missing(option, [position]):
                values = gps.values(position, moves, seconds)
                records.put({"options": records.words(option), "position": position, "values": values})
        free.append(gps)
        print(f"a position{clock.left()}", file=sys.stderr, flush=True)
    in_parallel(args.jobs, one, todo)
    for gps in engines:
        gps.engine.close()


def run_gps(args):
    targets, records = read_targets(args), Records(args, "prediction-gps")
    options = {a: {"recommend": a, "workers": max(args.workers)} for a in args.recommend}
    if not args.only_report:
        play_gps(args, targets, records, options)
    rows = []
    for a, option in options.items():
        found = [(records.get(option, p), best) for p, best in targets]
        for n in args.workers:
            # The candidates of n workers are the first n - 1.
            rows.append((a, n, [gps_rank(r["values"], max(1, n - 1), best) for r, best in found if r]))
    note = ("The same with GPSShogi as every worker, for so many seconds of a processor a move, one after the other. "
            "The candidates are those of a recommendation of ours with 1,000 nodes each; the rest has no worker, since "
            "GPSShogi takes no list of moves.")
    report_prediction(args, rows, "prediction-gps", "Prediction of the best move by GPSShogi", note)
