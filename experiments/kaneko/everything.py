"""All that takes long side by side, in shares of the time by its worth."""

import argparse
import json
import math
import os
import sys
import threading
import time

from matches import done_games, play, settings_of
from positions import read_targets
from prediction import prediction_options
from report import made_by
from simulation import SLICE, Records, slices
from speedup import speedup_options, speedup_settings


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
