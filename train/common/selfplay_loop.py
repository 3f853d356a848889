"""The learning loop: plays, trains, exports, promotes, again and again; loop_arguments.py says how it
is called."""
import atexit
import csv
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import zlib

import torch

import checkpoint
import report
from games import Games, replace
from trainer import Trainer

JUDGED, JUDGE_BATCHES = ("policy", "value"), 8
NUMBER = r"([+-][\d.]+|[+-]?inf)"


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Loop:
    """A game gives, in a class of its own:

    words               of `yomi selfplay`, before the file: ["go"]
    file                the name of the network's file
    parts               names of the losses
    losses(outputs, targets)
    new_net(), read_net(path)
    export(net, path, name)
    window(device, most)  see window.py; has draw(batch) for trainer.py
    play_words(), match_words()
    calibrate(net, inputs)  before a network from a file is normalised by batches"""

    def __init__(self, args):
        self.args, self.born = args, time.monotonic()
        for program in (args.yomi, args.play_rows):
            if not shutil.which(program):
                raise FileNotFoundError("there is no program %s; see --yomi and --play-rows" % program)
        os.makedirs(args.out, exist_ok=True)
        args.device = args.device or ("cuda" if torch.cuda.is_available() else "cpu")
        torch.manual_seed(args.seed)
        self.work = tempfile.mkdtemp(prefix="yomi-loop-")
        atexit.register(shutil.rmtree, self.work, ignore_errors=True)
        self.net = os.path.join(args.out, self.file)
        self.log = os.path.join(args.out, "log.csv")
        self.columns = ["seconds", "iteration", "games", "rows", "window", "moves_per_game",
                        "evaluations_per_s", "steps", "steps_per_s", *self.parts,
                        *["new_" + p for p in JUDGED], *["parent_" + p for p in JUDGED], "elo",
                        "elo_low", "elo_high", "promoted"]
        self.fresh = args.start == "none"
        frozen = not self.fresh if args.norm == "auto" else args.norm == "frozen"
        net = self.new_net() if self.fresh else self.net_of(args.start)
        self.trainer = Trainer(net, self.losses, args.device, args.rate, ema_steps=args.ema_steps, frozen=frozen,
                               graphs=args.graphs)
        self.rows = self.window(args.device, args.window_rows)
        self.games = Games(self.work, args.window_mb * 1e6, args.keep)
        self.iteration, self.seconds, self.played, self.elo = 0, 0.0, 0, 0.0
        self.owed = 0  # rows that are still to be trained on
        self.resume()
        self.started = self.seconds

    def net_of(self, path):
        try:
            return self.read_net(path)
        except (EOFError, ValueError, zlib.error) as error:
            raise ValueError("%s is damaged, or no network that this loop can learn from: %s" % (path, error)) from error

    # ---- going on ----

    def resume(self):
        state = checkpoint.load(self.args.out, "state", self.args.device)
        self.games.load(self.args.out)
        for path in self.games.files:
            self.add_rows(path)
        if state:
            self.trainer.restore(state["trainer"])
            for key in ("iteration", "seconds", "played", "elo", "owed"):
                setattr(self, key, state[key])
            torch.manual_seed(self.args.seed + self.iteration)
            print("goes on after iteration %d, %.1f minutes, %d games, %d rows" % (
                self.iteration, self.seconds / 60, self.played, len(self.rows)), flush=True)
        elif report.read(self.log):
            sys.exit("loop.py: %s has a log, but no checkpoint (state.0) to go on from; begin in another folder"
                     % self.args.out)
        else:
            self.owed = len(self.rows)  # games of another run
        if not os.path.exists(self.net):
            if self.fresh or state:
                self.export(self.trainer.average, self.net, "yomi")
            else:
                shutil.copy(self.args.start, self.net)

    def save(self):
        checkpoint.save(self.args.out, "state", {
            "trainer": self.trainer.state(), "iteration": self.iteration, "seconds": self.seconds,
            "played": self.played, "elo": self.elo, "owed": self.owed})
        self.games.save(self.args.out)

    # ---- the parts of an iteration ----

    def yomi(self, *words):
        """A command that runs, and since when."""
        command = [self.args.yomi, "selfplay", *self.words, *words, "--backend", self.args.backend]
        return time.monotonic(), subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    def said(self, running):
        """The last line that the command prints."""
        begun, process = running
        before = cpu_seconds()
        text = process.communicate()[0]
        sys.stdout.write(text)
        print("%.1f cores busy" % ((cpu_seconds() - before) / (time.monotonic() - begun)), flush=True)
        if process.returncode != 0:
            sys.exit("loop.py: yomi selfplay failed")
        return text.strip().split("\n")[-1]

    def add_rows(self, path):
        if os.path.getsize(path) == 0:  # no game has ended yet
            return 0
        rows = os.path.join(self.work, "rows")
        subprocess.run([self.args.play_rows, rows, path], check=True, stdout=subprocess.DEVNULL)
        count = self.rows.add(rows)
        os.remove(rows)
        return count

    def begin_play(self):
        path = self.games.new_file()
        words = [*self.play_words(), *self.args.play.split()]
        if self.trainer.cuda and "--threads" not in words:  # a core is left for training
            words += ["--threads", str(max(1, (os.cpu_count() or 2) - 1))]
        return path, self.yomi(path, "--net", self.net, "--games", "0",
                               "--seconds", "%d" % max(1, self.args.play_s),
                               "--visits", str(self.args.visits), "--fast-visits",
                               str(self.args.fast_visits), "--seed",
                               str(1000 * self.args.seed + self.iteration), *words)

    def end_play(self, path, running):
        found = re.search(r"(\d+) games .*?([\d.]+) moves a game.*?(\d+)/s", self.said(running))
        self.games.add(path)
        self.played += int(found.group(1))
        return {"games": int(found.group(1)), "moves_per_game": float(found.group(2)),
                "evaluations_per_s": int(found.group(3))}

    def rate_share(self):
        """Of the full rate: it falls by the same factor every minute of the call."""
        done = 1 - max(0.0, self.time_left()) / (60 * self.args.minutes)
        return ((self.args.last_rate or self.args.rate) / self.args.rate) ** done

    def train(self):
        """On what is owed; returns the mean losses over the steps."""
        batch, steps = self.args.batch, int(self.args.row_uses * self.owed / self.args.batch)
        if len(self.rows) < batch or steps == 0:
            return {"steps": 0}
        self.owed = 0
        begun, sums = time.monotonic(), {}
        if self.trainer.step == 0 and not self.fresh and not self.trainer.frozen:
            inputs, _ = self.rows.draw(batch)
            for net in (self.trainer.net, self.trainer.average):
                self.calibrate(net, inputs)
            self.trainer.net.train()
        for _ in range(steps):
            share = min(self.rate_share(), (self.trainer.step + 1) / 100)
            for k, v in self.trainer.train_step(self.rows.draw(batch), share).items():
                sums[k] = sums[k] + v if k in sums else v
        losses = {k: float(v) / steps for k, v in sums.items()}
        return {"steps": steps, "steps_per_s": steps / (time.monotonic() - begun), **losses}

    def judge(self, parent, count):
        """Losses on the newest rows, which no network was trained on: of the one in training, and of its
        parent, which played them."""
        if count == 0:
            return {}
        batches = [self.rows.draw(self.args.batch, count) for _ in range(JUDGE_BATCHES)]
        parent = parent.to(self.args.device)
        return {prefix + k: v for prefix, net in (("new_", self.trainer.average), ("parent_", parent))
                for k, v in self.trainer.judge(net, batches).items() if k in JUDGED}

    def match(self, net, other, games):
        """A network against another: the share of points, and Elo, its low and its high."""
        running = self.yomi("--net", net, "--against", other, "--games", str(games), "--visits",
                            str(self.args.match_visits), "--seed", str(self.iteration + 1),
                            *self.match_words())
        found = re.search(r"([\d.]+)%%.*Elo %s \[%s, %s\]" % (NUMBER, NUMBER, NUMBER),
                          self.said(running))
        return float(found.group(1)) / 100, [float(found.group(i)) for i in (2, 3, 4)]

    def promote(self, row):
        candidate = os.path.join(self.work, "candidate-" + self.file)
        self.export(self.trainer.average, candidate, "yomi-i%d" % (self.iteration + 1))
        row["promoted"] = 1
        if self.args.gate > 0:
            score, elo = self.match(candidate, self.net, self.args.gate)
            row["promoted"] = int(score >= 0.5)
            if self.fresh and row["promoted"]:
                self.elo += elo[0] if abs(elo[0]) < 1000 else 0
                row["elo"] = self.elo
        if row["promoted"]:
            shutil.copy(candidate, self.net + ".new")
            os.replace(self.net + ".new", self.net)

    def measure(self, row):
        due = self.args.elo_games > 0 and (self.iteration + 1) % self.args.elo_every == 0
        if not due or self.fresh:
            return
        _, (row["elo"], row["elo_low"], row["elo_high"]) = self.match(self.net, self.args.start,
                                                                     self.args.elo_games)

    # ---- all of it ----

    def report(self, row):
        with open(self.log, "a", newline="") as file:
            writer = csv.DictWriter(file, self.columns)
            if file.tell() == 0:
                writer.writeheader()
            writer.writerow({k: "%.6g" % v if isinstance(v, float) else v for k, v in row.items()})
        print("  ".join("%s %s" % (k, "%.5g" % v if isinstance(v, float) else v)
                        for k, v in row.items()), flush=True)

    def draw(self):
        rows = [{k: r.get(k) or "" for k in self.columns} for r in report.read(self.log)]
        rows = [r for r in rows if r["policy"]]
        panels = [["policy"], [p for p in ("value", "owner") if p in self.parts],
                  ["evaluations_per_s"], ["elo"]]
        colors = {"policy": "#06c", "value": "#090", "owner": "#c60", "elo": "#c00"}
        body = []
        for i, keys in enumerate(panels):
            body += report.panel(rows, [(k, colors.get(k, "#666")) for k in keys],
                                 (70, 20 + 170 * i, 500, 130), 1)
        replace(os.path.join(self.args.out, "curve.svg"),
                ('<svg xmlns="http://www.w3.org/2000/svg" width="600" height="700" '
                 'font-family="sans-serif" font-size="11">\n<rect width="600" height="700" '
                 'fill="white"/>\n%s\n</svg>\n' % "\n".join(body)).encode())

    def time_left(self):
        return 60 * self.args.minutes - (time.monotonic() - self.born)

    def goes_on(self, longest, tail, count):
        return count < self.args.iterations and self.time_left() > 1.1 * (longest + tail) + 5

    def iterate(self, row, playing, goes_on):
        """Ends what is being played, and begins the next. Returns that, or None, and the time of what came
        after."""
        parent = self.net_of(self.net)
        trained = self.train()
        row.update(self.end_play(*playing))
        row.update(trained)
        if row["steps"] > 0:
            self.promote(row)
            self.measure(row)
        self.iteration += 1
        following = self.begin_play() if goes_on() else None
        begun = time.monotonic()
        row["rows"] = self.add_rows(playing[0])
        self.owed += row["rows"]
        row["window"] = len(self.rows)
        if row["steps"] > 0:
            row.update(self.judge(parent, row["rows"]))
        self.seconds = self.started + time.monotonic() - self.born
        row["seconds"] = self.seconds
        self.save()
        self.report(row)
        self.draw()
        return following, time.monotonic() - begun

    def run(self):
        longest, tail, count, begun = self.args.play_s, 0.0, 0, time.monotonic()
        playing = self.begin_play() if self.goes_on(longest, tail, count) else None
        try:
            while playing:
                count += 1
                playing, took = self.iterate({"iteration": self.iteration + 1}, playing,
                                             lambda: self.goes_on(longest, tail, count))
                longest, tail = max(longest, time.monotonic() - begun - took), max(tail, took)
                begun = time.monotonic() - took
        finally:
            self.games.close()  # however it ends, the folder of --keep gets its games
        if count == 0:
            print("there was no time for an iteration: it needs more than the %g s of --play-s" % self.args.play_s)
        print("%d iterations, %.1f minutes in all, %d games; network in %s" % (
            self.iteration, self.seconds / 60, self.played, self.net), flush=True)


def run(loop, args):
    """All of a call, with a message where a file is missing or damaged."""
    try:
        loop(args).run()
    except (OSError, EOFError, ValueError, subprocess.CalledProcessError) as error:
        sys.exit("loop.py: %s" % error)
    except KeyboardInterrupt:
        print("loop.py: stopped; the next call goes on after the last iteration", file=sys.stderr)
        sys.exit(130)
