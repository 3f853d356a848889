"""`yomi cluster simulate`, many at a time; its results are kept in files."""

import concurrent.futures
import json
import math
import os
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.append(os.path.join(ROOT, "experiments", "tuning"))
from usi import Engine  # noqa: E402, F401: for the experiments that ask engines

YOMI = os.environ.get("YOMI", os.path.join(ROOT, "build", "release", "yomi"))
# Options of the simulation that --set adds.
EXTRA = {}
# Positions that a process gets at most.
SLICE = 8


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

    def put(self, record):
        with self.lock, open(self.path, "a", encoding="utf-8") as f:
            f.write(json.dumps(record, separators=(",", ":")) + "\n")
            self.known[(record["options"], record["position"])] = record

    def make(self, options, positions):
        for position, line in zip(positions, simulate(options, positions)):
            # Of the order the first are enough, of the timeline its changes.
            record = {"options": self.words(options), "position": position, "order": line["order"][:16]}
            if "timeline" in line:
                steps = line["timeline"]
                record["timeline"] = [t for i, t in enumerate(steps) if i == 0 or t[1:] != steps[i - 1][1:]]
            self.put(record)

    def fill(self, args, options, positions):
        in_parallel(args.jobs, lambda part: self.make(options, part),
                    slices(self.missing(options, positions), args.jobs))
