#!/usr/bin/env python3
"""Tunes the margins of alpha-beta by simultaneous perturbation (Spall 1992).

  experiments/tuning/spsa.py --rows experiments/tuning/rows.txt --out FOLDER --jobs 12 --seconds 540

Each row of the table is moved up or down by its step, all at the same time and by chance; the two
sets of margins play an opening with both colours; every margin moves a little towards the set that
won. With n pairs the error of a row's effect is about that of n pairs spent on it alone, for all rows
at once. FOLDER gets theta.txt, the margins so far (a later run starts from it), and pairs.csv, a line
a pair: what was played and how it ended, from which `effects.py` reads the effect of each row.

--rows has lines "NAME STEP [START]"; ranges and defaults come from the engine.
"""

import argparse
import random
import re
import subprocess
import threading
import time
from pathlib import Path

from usi import Engine

ROOT = Path(__file__).resolve().parents[2]


def options():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--yomi", default=str(ROOT / "build/release/yomi"))
    p.add_argument("--rows", required=True)
    p.add_argument("--out", required=True)
    p.add_argument("--options", default="Threads=1;USI_Hash=8;ResignValue=3000")
    p.add_argument("--evals", default="builtin", help="evaluation networks, by commas; each pair has one of them by chance, in both engines")
    p.add_argument("--nodes", type=int, default=5000)
    p.add_argument("--jobs", type=int, default=1)
    p.add_argument("--seconds", type=float, default=60)
    p.add_argument("--rate", type=float, default=0.03, help="steps a won pair moves a margin, at first")
    p.add_argument("--settle", type=float, default=1000, help="pairs after which the rate has halved or so")
    p.add_argument("--book", default=str(ROOT / "experiments/tuning/book.txt"))
    p.add_argument("--seed", type=int, default=1)
    return p.parse_args()


def ranges(yomi):
    """name: (default, least, most) of the rows that the engine offers."""
    engine = Engine([yomi, "usi", "--tune"])
    engine.say("usi")
    lines = engine.wait("usiok")
    engine.close()
    pattern = r"option name (\S+) type spin default (-?\d+) min (-?\d+) max (-?\d+)"
    return {m[1]: (int(m[2]), int(m[3]), int(m[4])) for m in (re.match(pattern, x) for x in lines) if m}


class Tuner:
    def __init__(self, o):
        self.o = o
        self.out = Path(o.out)
        self.out.mkdir(parents=True, exist_ok=True)
        self.ranges = ranges(o.yomi)
        self.rows, self.step, self.theta = [], {}, {}
        for line in Path(o.rows).read_text().splitlines():
            words = line.split("#")[0].split()
            if not words:
                continue
            name = words[0]
            if name not in self.ranges:
                raise SystemExit(f"{o.rows}: no margin {name}")
            self.rows.append(name)
            self.step[name] = float(words[1])
            self.theta[name] = float(words[2]) if len(words) > 2 else float(self.ranges[name][0])
        before = self.out / "theta.txt"
        if before.exists():
            for line in before.read_text().splitlines():
                name, value = line.split()
                if name in self.theta:
                    self.theta[name] = float(value)
        self.book = [x for x in Path(o.book).read_text().splitlines() if x and x[0] != "#"]
        self.log = open(self.out / "pairs.csv", "a")
        if self.log.tell() == 0:
            self.log.write("points," + ",".join(self.rows) + "," + ",".join(n + "-" for n in self.rows) + "\n")
        self.lock = threading.Lock()
        self.pairs = 0
        self.points = 0.0
        self.failed = 0
        self.end = time.time() + o.seconds

    def near(self, name, value, rng):
        """The value as a whole number, up or down by chance, within the range."""
        low, high = self.ranges[name][1:]
        whole = int(value // 1) + (rng.random() < value - value // 1)
        return min(max(whole, low), high)

    def play(self, plus, minus, rng, opening):
        """Half points of plus: 0 to 4."""
        o = self.o
        common = f"{o.options};EvalFile={rng.choice(o.evals.split(','))}"
        sets = [common + "".join(f";{n}={v}" for n, v in s.items()) for s in (plus, minus)]
        opening.write_text(rng.choice(self.book) + "\n")
        command = [o.yomi, "match", "--game", "shogi", f"{o.yomi} usi --tune", f"{o.yomi} usi --tune",
                   "--first-options", sets[0], "--second-options", sets[1], "--games", "2", "--nodes",
                   str(o.nodes), "--openings", str(opening), "--max-moves", "256"]
        text = subprocess.run(command, capture_output=True, text=True).stdout.splitlines()
        m = re.search(r"(\d+) - (\d+) .*?(?:, (\d+) drawn)?: ", text[-1]) if text else None
        if not m or int(m[1]) + int(m[2]) + int(m[3] or 0) != 2:
            return None
        return 2 * int(m[1]) + int(m[3] or 0)

    def work(self, number):
        rng = random.Random(f"{self.o.seed} {number} {time.time()}")
        opening = self.out / f"opening{number}.txt"
        while time.time() < self.end:
            signs = {n: rng.choice((-1, 1)) for n in self.rows}
            with self.lock:
                theta = dict(self.theta)
            plus = {n: self.near(n, theta[n] + signs[n] * self.step[n], rng) for n in self.rows}
            minus = {n: self.near(n, theta[n] - signs[n] * self.step[n], rng) for n in self.rows}
            points = self.play(plus, minus, rng, opening)
            with self.lock:
                if points is None:
                    self.failed += 1
                    continue
                self.keep(signs, plus, minus, points)
        opening.unlink(missing_ok=True)

    def keep(self, signs, plus, minus, points):
        result = (points - 2) / 2
        rate = self.o.rate / (1 + self.pairs / self.o.settle) ** 0.6
        self.pairs += 1
        for n in self.rows:
            low, high = self.ranges[n][1:]
            self.theta[n] += rate * self.step[n] * result * signs[n]
            self.theta[n] = min(max(self.theta[n], low), high)
        values = [str(points)] + [str(plus[n]) for n in self.rows] + [str(minus[n]) for n in self.rows]
        self.log.write(",".join(values) + "\n")
        if self.pairs % 50 == 0:
            self.save()

    def save(self):
        self.log.flush()
        (self.out / "theta.txt").write_text("".join(f"{n} {self.theta[n]:.2f}\n" for n in self.rows))

    def run(self):
        threads = [threading.Thread(target=self.work, args=(i,)) for i in range(self.o.jobs)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.save()
        print(f"{self.pairs} pairs, {self.failed} failed")
        print(";".join(f"{n}={round(self.theta[n])}" for n in self.rows))


if __name__ == "__main__":
    Tuner(options()).run()
