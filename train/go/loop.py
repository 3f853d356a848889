#!/usr/bin/env python3
"""The learning loop of Go: plays, trains, exports, promotes, again and again:

    loop.py OUT --minutes M [--size 9] [--start nets/go.bin.gz] ...

OUT is a folder with everything to go on from: state.0, state.1 (the training), games.0 to games.2 (the
newest games, unfinished ones included), net.bin.gz (the network that plays), log.csv, curve.svg: for a
network of 10x128 at most 8 files, none above 16 MB. Called again, also on another machine that OUT was
copied to, it goes on. It ends after M minutes of this call. A call that is killed loses what came after
the last iteration."""
import argparse
import csv
import os
import re
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import time

import torch

import report
from play_data import Window
from play_train import PlayTrainer, load_parts, save_parts

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
FRAME, GAME_FILES, FILE_BYTES, MARK = 12, 3, 15 << 20, b"PENDING\n"
COLUMNS = ["seconds", "iteration", "games", "rows", "window", "moves_per_game",
           "evaluations_per_s", "steps", "steps_per_s", "policy", "value", "score", "spread", "owner", "elo",
           "elo_low", "elo_high", "promoted"]


def read_arguments():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("out")
    p.add_argument("--minutes", type=float, required=True, help="of this call")
    p.add_argument("--iterations", type=int, default=10 ** 9, help="of this call, at most")
    p.add_argument("--yomi", default=os.path.join(TOP, "build/release/yomi"))
    p.add_argument("--play-rows", default=os.path.join(TOP, "build/release/play_rows"))
    p.add_argument("--start", default=os.path.join(TOP, "nets/go.bin.gz"),
                   help="the network to begin with; none: a new one")
    p.add_argument("--blocks", type=int, default=6, help="of a new network")
    p.add_argument("--channels", type=int, default=96, help="of a new network")
    p.add_argument("--size", default="9", help="as for yomi selfplay")
    p.add_argument("--visits", type=int, default=400)
    p.add_argument("--fast-visits", type=int, default=80)
    p.add_argument("--play", default="", help="more options for yomi selfplay go, in one word")
    p.add_argument("--play-s", type=float, default=45, help="seconds of self-play an iteration")
    p.add_argument("--row-uses", type=float, default=4, help="how often a row is trained on")
    p.add_argument("--batch", type=int, default=1024)
    p.add_argument("--rate", type=float, default=1e-3)
    p.add_argument("--norm", choices=["auto", "frozen", "batch"], default="auto",
                   help="statistics of normalisation: those of the start, or of each batch; auto: frozen for a "
                        "network that was trained before")
    p.add_argument("--window-mb", type=float, default=16, help="of games, at most 40")
    p.add_argument("--window-rows", type=int, default=2000000)
    p.add_argument("--gate", type=int, default=0,
                   help="games against the network that plays, which a new one must win half of; 0: "
                        "the average of the weights is promoted without a match")
    p.add_argument("--elo-games", type=int, default=0, help="games against the start, for the curve")
    p.add_argument("--elo-every", type=int, default=4, help="iterations between two such matches")
    p.add_argument("--match-visits", type=int, default=100)
    p.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    p.add_argument("--backend", default="auto", help="of yomi")
    p.add_argument("--seed", type=int, default=1)
    return p.parse_args()


def frames(data):
    """The whole records at the start of the bytes of a file of games."""
    at = 0
    while len(data) - at >= FRAME and data[at : at + 4] == b"YMSP":
        length = struct.unpack_from("<I", data, at + 4)[0]
        if len(data) - at - FRAME < length:
            return
        yield data[at : at + FRAME + length]
        at += FRAME + length


class Games:
    """The newest games, oldest first, in one file for each iteration of this call; and the unfinished ones.
    In OUT these follow the last file's games, behind a mark."""

    def __init__(self, work, most):
        self.work, self.most, self.files, self.number = work, most, [], 0
        self.pending = os.path.join(work, "pending")

    def load(self, out):
        for i in range(GAME_FILES):
            path = os.path.join(out, "games.%d" % i)
            if not os.path.exists(path):
                continue
            with open(path, "rb") as file:
                data = file.read()
            whole = b"".join(frames(data))
            self.files.append(os.path.join(self.work, "old.%d" % i))
            replace(self.files[-1], whole)
            if data[len(whole) : len(whole) + len(MARK)] == MARK:
                replace(self.pending, data[len(whole) + len(MARK) :])

    def new_file(self):
        """A file for self-play to write, with the unfinished games beside it."""
        path = os.path.join(self.work, "games-%05d" % self.number)
        self.number += 1
        if os.path.exists(self.pending):
            os.replace(self.pending, path + ".pending")
        return path

    def add(self, path):
        self.files.append(path)
        if os.path.exists(path + ".pending"):
            os.replace(path + ".pending", self.pending)
        while len(self.files) > 1 and sum(map(os.path.getsize, self.files)) > self.most:
            os.remove(self.files.pop(0))

    def tail(self):
        if not os.path.exists(self.pending) or os.path.getsize(self.pending) > FILE_BYTES // 2:
            return b""
        with open(self.pending, "rb") as file:
            return MARK + file.read()

    def save(self, out):
        """The newest games first, into the last file, as many as fit."""
        records, tail = [], self.tail()
        for path in self.files:
            with open(path, "rb") as file:
                records += frames(file.read())
        chunks, size = [[]], len(tail)
        for record in reversed(records):
            if size + len(record) > FILE_BYTES:
                if len(chunks) == GAME_FILES:
                    break
                chunks.append([])
                size = 0
            chunks[-1].append(record)
            size += len(record)
        data = [b"".join(c[::-1]) for c in chunks[::-1]]
        data[-1] += tail
        for i in range(GAME_FILES):
            path = os.path.join(out, "games.%d" % i)
            if i < len(data):
                replace(path, data[i])
            elif os.path.exists(path):
                os.remove(path)


def replace(path, data):
    with open(path + ".new", "wb") as out:
        out.write(data)
    os.replace(path + ".new", path)


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Loop:
    def __init__(self, args):
        self.args, self.born = args, time.monotonic()
        os.makedirs(args.out, exist_ok=True)
        torch.manual_seed(args.seed)
        self.work = tempfile.mkdtemp(prefix="yomi-loop-")
        self.net = os.path.join(args.out, "net.bin.gz")
        self.log = os.path.join(args.out, "log.csv")
        fresh = args.start == "none"
        frozen = not fresh if args.norm == "auto" else args.norm == "frozen"
        self.trainer = PlayTrainer(args.device, None if fresh else args.start,
                                   {"blocks": args.blocks, "channels": args.channels,
                                    "pool": args.channels // 4}, args.rate,
                                   frozen=frozen)
        self.window = Window(args.device, args.window_rows)
        self.games = Games(self.work, args.window_mb * 1e6)
        self.iteration, self.seconds, self.played, self.elo = 0, 0.0, 0, 0.0
        self.resume()
        self.started = self.seconds

    # ---- going on ----

    def resume(self):
        state = load_parts(self.args.out, "state", self.args.device)
        self.games.load(self.args.out)
        for path in self.games.files:
            self.add_rows(path)
        if state:
            self.trainer.restore(state["trainer"])
            for key in ("iteration", "seconds", "played", "elo"):
                setattr(self, key, state[key])
            torch.manual_seed(self.args.seed + self.iteration)
            print("goes on after iteration %d, %.1f minutes, %d games, %d rows" % (
                self.iteration, self.seconds / 60, self.played, len(self.window)), flush=True)
        if not os.path.exists(self.net):
            if self.args.start == "none" or state:
                self.trainer.export(self.net, "yomi-go")
            else:
                shutil.copy(self.args.start, self.net)

    def save(self):
        save_parts(self.args.out, "state", {
            "trainer": self.trainer.state(), "iteration": self.iteration, "seconds": self.seconds,
            "played": self.played, "elo": self.elo})
        self.games.save(self.args.out)
        self.draw()

    # ---- the parts of an iteration ----

    def yomi(self, *words):
        begun, before = time.monotonic(), cpu_seconds()
        done = subprocess.run([self.args.yomi, "selfplay", "go", *words], stdout=subprocess.PIPE,
                              text=True)
        sys.stdout.write(done.stdout)
        print("%.1f cores busy" % ((cpu_seconds() - before) / (time.monotonic() - begun)))
        sys.stdout.flush()
        if done.returncode != 0:
            sys.exit("loop.py: yomi selfplay failed")
        return done.stdout.strip().split("\n")[-1]

    def add_rows(self, path):
        rows = os.path.join(self.work, "rows")
        subprocess.run([self.args.play_rows, rows, path], check=True, stdout=subprocess.DEVNULL)
        count = self.window.add(rows)
        os.remove(rows)
        return count

    def play(self):
        path = self.games.new_file()
        said = self.yomi(path, "--net", self.net, "--backend", self.args.backend, "--games", "0",
                         "--seconds", "%d" % max(1, self.args.play_s), "--size", self.args.size,
                         "--visits", str(self.args.visits), "--fast-visits",
                         str(self.args.fast_visits), "--seed",
                         str(1000 * self.args.seed + self.iteration), *self.args.play.split())
        found = re.search(r"(\d+) games .*?([\d.]+) moves a game.*?(\d+)/s", said)
        self.games.add(path)
        rows = self.add_rows(path)
        self.played += int(found.group(1))
        return {"games": int(found.group(1)), "rows": rows, "window": len(self.window),
                "moves_per_game": float(found.group(2)),
                "evaluations_per_s": int(found.group(3))}

    def train(self, rows):
        steps = int(self.args.row_uses * rows / self.args.batch)
        if len(self.window) < self.args.batch or steps == 0:
            return {"steps": 0}
        begun = time.monotonic()
        losses = self.trainer.train(self.window, self.args.batch, steps)
        if self.trainer.cuda:
            torch.cuda.synchronize()
        return {"steps": steps, "steps_per_s": steps / (time.monotonic() - begun), **losses}

    def match(self, net, other, games):
        """Elo of a network against another: value, low, high."""
        said = self.yomi("--net", net, "--against", other, "--backend", self.args.backend,
                         "--games", str(games), "--size", self.args.size, "--visits",
                         str(self.args.match_visits), "--seed", str(self.iteration + 1))
        found = re.search(r"([\d.]+)%.*Elo ([+-][\d.]+|[+-]?inf) \[([+-][\d.]+|[+-]?inf), "
                          r"([+-][\d.]+|[+-]?inf)\]", said)
        return float(found.group(1)) / 100, [float(found.group(i)) for i in (2, 3, 4)]

    def promote(self, row):
        candidate = os.path.join(self.work, "candidate.bin.gz")
        self.trainer.export(candidate, "yomi-go-i%d" % (self.iteration + 1))
        row["promoted"] = 1
        if self.args.gate > 0:
            score, elo = self.match(candidate, self.net, self.args.gate)
            row["promoted"] = int(score >= 0.5)
            if self.args.start == "none" and row["promoted"]:
                self.elo += elo[0] if abs(elo[0]) < 1000 else 0
                row["elo"] = self.elo
        if row["promoted"]:
            shutil.copy(candidate, self.net + ".new")
            os.replace(self.net + ".new", self.net)

    def measure(self, row):
        due = self.args.elo_games > 0 and (self.iteration + 1) % self.args.elo_every == 0
        if not due or self.args.start == "none":
            return
        _, (row["elo"], row["elo_low"], row["elo_high"]) = self.match(self.net, self.args.start,
                                                                     self.args.elo_games)

    # ---- all of it ----

    def report(self, row):
        with open(self.log, "a", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS)
            if file.tell() == 0:
                writer.writeheader()
            writer.writerow({k: "%.6g" % v if isinstance(v, float) else v for k, v in row.items()})
        print("  ".join("%s %s" % (k, "%.5g" % v if isinstance(v, float) else v)
                        for k, v in row.items()), flush=True)

    def draw(self):
        rows = [{k: r.get(k) or "" for k in COLUMNS} for r in report.read(self.log)]
        rows = [r for r in rows if r["policy"]]
        panels = [[("policy", "#06c")], [("value", "#090"), ("owner", "#c60")],
                  [("evaluations_per_s", "#666")], [("elo", "#c00")]]
        body = []
        for i, keys in enumerate(panels):
            body += report.panel(rows, keys, (70, 20 + 170 * i, 500, 130), 1)
        replace(os.path.join(self.args.out, "curve.svg"),
                ('<svg xmlns="http://www.w3.org/2000/svg" width="600" height="700" '
                 'font-family="sans-serif" font-size="11">\n<rect width="600" height="700" '
                 'fill="white"/>\n%s\n</svg>\n' % "\n".join(body)).encode())

    def time_left(self):
        return 60 * self.args.minutes - (time.monotonic() - self.born)

    def run(self):
        longest, count = self.args.play_s, 0
        while count < self.args.iterations and self.time_left() > 1.1 * longest + 5:
            begun = time.monotonic()
            row = {"iteration": self.iteration + 1}
            row.update(self.play())
            row.update(self.train(row["rows"]))
            if row["steps"] > 0:
                self.promote(row)
                self.measure(row)
            self.iteration += 1
            count += 1
            self.seconds = self.started + time.monotonic() - self.born
            row["seconds"] = self.seconds
            self.report(row)
            self.save()
            longest = max(longest, time.monotonic() - begun)
        shutil.rmtree(self.work, ignore_errors=True)
        print("%d iterations, %.1f minutes in all, %d games; network in %s" % (
            self.iteration, self.seconds / 60, self.played, self.net), flush=True)


if __name__ == "__main__":
    Loop(read_arguments()).run()
