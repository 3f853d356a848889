"""How often the best move is among the first after a recommendation, by our engine or GPSShogi."""

import os
import re
import sys

import plots
from positions import read_targets
from report import made_by, write_csv
from simulation import Clock, Engine, Records, in_parallel, simulate


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
