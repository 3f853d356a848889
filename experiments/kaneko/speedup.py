"""Virtual time to the same move, and to the same depth."""

import math
import os
import random
import sys

import plots
from positions import read_targets
from report import made_by, write_csv
from simulation import Clock, Records, entries_of


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


class Searched:
    """Positions that have been searched with all settings, and how long each search took."""

    def __init__(self, args, records, settings, targets):
        self.args, self.records = args, records
        self.targets = [t for t in targets
                        if all(records.get(speedup_options(args, n, s, times), t[0]) for s, n, times in settings)]
        if not self.targets:
            raise RuntimeError("no position has been searched with all settings")
        self.depths = [max((d for *_, d in line["timeline"]), default=0) for line in self.lines(1, "predict")]

    def lines(self, n, strategy, times=1):
        return [self.records.get(speedup_options(self.args, n, strategy, times), p) for p, _ in self.targets]

    def times(self, n, strategy):
        """For each position the ms to the right move, and to the depth of one worker; None: not in time."""
        lines = self.lines(n, "predict" if n == 1 else strategy)
        return ([settled(line, best) for line, (_, best) in zip(lines, self.targets)],
                [reached(line, depth) for line, depth in zip(lines, self.depths)])


def search_all(args, records, targets):
    """The settings whose results there are."""
    settings = speedup_settings(args)
    if args.only_report:
        return [(s, n, times) for s, n, times in settings
                if any(records.get(speedup_options(args, n, s, times), p) for p, _ in targets)]
    clock = Clock(len(settings))
    for strategy, n, times in settings:
        records.fill(args, speedup_options(args, n, strategy, times), [p for p, _ in targets])
        print(f"{strategy}, {n} workers{clock.left()}", file=sys.stderr, flush=True)
    return settings


def compare(args, searched, settings):
    """Rows of the table, and the ms to the depth by (strategy, workers)."""
    end, rows, deep_by = 1000 * args.seconds, [], {}
    for strategy in args.strategy:
        base = None
        for n in args.workers:
            if n > 1 and (strategy, n, 1) not in settings:
                continue
            moves, deep = searched.times(n, strategy)
            # A position that is not solved in time counts with the whole time.
            move_ms, deep_ms = ([end if t is None else t for t in times] for times in (moves, deep))
            totals = [sum(move_ms), sum(deep_ms)]
            base = base or totals
            deep_by[(strategy, n)] = deep_ms
            rows.append([strategy, n, len(moves), sum(t is not None for t in moves),
                         round(totals[0] / len(moves)), round(base[0] / totals[0], 3),
                         sum(t is not None for t in deep), round(totals[1] / len(moves)),
                         round(base[1] / totals[1], 3)])
    return rows, deep_by


def compare_depths(args, deep_by):
    """Sentences: from one number of workers to the next, then the first strategy against the others."""
    steps, before = [], None
    for (strategy, n), times in deep_by.items():
        if before and before[0] == strategy:
            low, high = ratio_interval(before[2], times)
            steps.append(f"{strategy}: {n} workers reach the depth {sum(before[2]) / sum(times):.2f} times as fast "
                         f"as {before[1]}, 95% interval [{low:.2f}, {high:.2f}].")
        before = (strategy, n, times)
    first = args.strategy[0]
    for (strategy, n), other in deep_by.items():
        if n > 1 and strategy != first and (first, n) in deep_by:
            own = deep_by[(first, n)]
            low, high = ratio_interval(other, own)
            steps.append(f"{first} with {n} workers is {sum(other) / sum(own):.2f} times as fast as "
                         f"{strategy}, 95% interval [{low:.2f}, {high:.2f}].")
    return steps


def report_speedup(args, rows, steps, alone):
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
    curves = {}
    for strategy in args.strategy:
        curves[f"{strategy}: same move"] = [(r[1], r[5]) for r in rows if r[0] == strategy]
        curves[f"{strategy}: same depth"] = [(r[1], r[8]) for r in rows if r[0] == strategy]
    plots.write(os.path.join(args.out, "speedup.svg"), "Speed-up by workers", "workers", "speed-up", curves)


def run_speedup(args):
    targets, records = read_targets(args), Records(args, "speedup")
    settings = search_all(args, records, targets)
    if ("predict", 1, 1) not in settings or ("predict", 1, args.alone) not in settings:
        raise RuntimeError(f"no searches of one worker in {args.out} yet; without --only-report they are made")
    searched = Searched(args, records, settings, targets)
    rows, deep_by = compare(args, searched, settings)
    alone = found_alone(args, searched.lines(1, "predict", args.alone), searched.targets)
    report_speedup(args, rows, compare_depths(args, deep_by), alone)
