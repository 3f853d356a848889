#!/usr/bin/env python3
"""Self-play and learning in turn: the engine plays, a network is learned from the games of the last
steps, and whichever wins the match between the two plays on. Needs nothing but the program; leaves
every file of positions and every network.

With --judge a network with a policy scores the positions by short searches, on a GPU if there is one, while the next
step is played; so each step learns from the games of the steps before it, and one more network is learned after the
last one."""

import argparse
import os
import re
import subprocess
import time

# How openings are varied: moves drawn at random, and of how many. Half of the threads play each: games
# that soon are as good players would begin them, and games that reach far into the board's corners.
OPENINGS = ((4, 16), (6, 30))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("folder", help="where everything is written")
    add("positions", nargs="*", help="files of training positions to begin with")
    add("--yomi", default="yomi", help="the program")
    add("--eval", default="builtin", help="who plays first: a network, builtin, or material")
    add("--steps", default="2000:600,2000:600",
        help="NODES:SECONDS,...: how each network's games are played, and for how long")
    add("--learn", default="on",
        help="new or on, or both with a comma between: from nothing, or going on from who plays (from nothing if "
             "that is builtin or material); the better one meets it")
    add("--results", type=float, default=0.0, help="as in yomi learn")
    add("--scale", type=float, default=600, help="as in yomi learn: 320 for games of 5,000 nodes a move")
    add("--epochs", type=int, default=6, help="of a network from nothing")
    add("--rate", type=float, default=2e-3, help="likewise")
    add("--on-epochs", type=int, default=2, help="of one that goes on")
    add("--on-rate", type=float, default=5e-4, help="likewise")
    add("--threads", type=int, default=os.cpu_count())
    add("--keep", type=int, default=2, help="learn from the last so many steps, and the files given")
    add("--asides", type=int, default=0, help="as in yomi selfplay")
    add("--leaves", type=int, default=0, help="likewise; their scores are static, so give --judge-share 1, too")
    add("--judge", help="a network with a policy (ONNX, or builtin) that scores the positions")
    add("--judge-visits", type=int, default=32, help="of its search of a position")
    add("--judge-share", type=float, default=0.6, help="of its chances in the scores; the rest is alpha-beta's")
    add("--judge-backend", default="auto", help="of yomi")
    add("--judge-threads", type=int, default=0, help="beside those that play; 0: as many")
    add("--match", type=int, default=400, help="games of a match")
    add("--match-nodes", type=int, default=1000, help="of a search in it")
    add("--rival", help="a network that the last one is matched with")
    add("--seed", type=int, default=1)
    args = parser.parse_args()
    if not re.fullmatch(r"\d+:\d+(,\d+:\d+)*", args.steps):
        parser.error("--steps %s: give NODES:SECONDS,..., such as 2000:600" % args.steps)
    if args.judge and args.judge != "builtin" and not os.path.exists(args.judge):
        parser.error("--judge: there is no file %s" % args.judge)
    return args


class Loop:
    def __init__(self, args):
        self.args, self.began = args, time.time()
        self.best, self.number, self.steps, self.judging = args.eval, 0, [], None

    def say(self, text):
        print("%4.0f s: %s" % (time.time() - self.began, text), flush=True)

    def yomi(self, *words):
        """Runs the program and returns its last line."""
        command = [self.args.yomi] + [str(w) for w in words]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        if done.returncode:
            raise SystemExit("failed: " + " ".join(command))
        return done.stdout.splitlines()[-1]

    def play(self, step, nodes, seconds):
        """A process for each kind of opening; a step that was played before goes on."""
        args, players, paths = self.args, [], []
        for i, (moves, plies) in enumerate(OPENINGS):
            paths.append(os.path.join(args.folder, "games%d%s.psv" % (step, "ab"[i])))
            players.append(subprocess.Popen(
                [args.yomi, "selfplay", "shogi", paths[-1], "--eval", self.best, "--games", "1000000000",
                 "--nodes", str(nodes), "--threads", str(max(1, (args.threads + 1 - i) // 2)),
                 "--random-moves", str(moves), "--random-plies", str(plies), "--decided", "32000",
                 "--asides", str(args.asides), "--leaves", str(args.leaves), "--seconds", str(seconds),
                 "--seed", str(1000 * args.seed + 10 * step + i)], stdout=subprocess.DEVNULL))
        if any([p.wait() for p in players]):
            raise SystemExit("self-play failed")
        self.say("step %d: %d positions" % (step, sum(os.path.getsize(p) for p in paths) // 40))
        return paths

    def judge(self, step, paths):
        """Begins to score the positions of a step."""
        args, out = self.args, os.path.join(self.args.folder, "judged%d.psv" % step)
        words = ["learn", "scores", *paths, "--out", out, "--net", args.judge, "--visits", args.judge_visits,
                 "--share", args.judge_share, "--scale", args.scale, "--backend", args.judge_backend,
                 "--threads", args.judge_threads or args.threads]
        process = subprocess.Popen([args.yomi] + [str(w) for w in words], stdout=subprocess.DEVNULL)
        self.judging = process, out

    def end_judging(self):
        if not self.judging:
            return
        process, out = self.judging
        if process.wait():
            raise SystemExit("the judge failed")
        self.steps.append([out])
        self.say("%s: %d positions" % (out, os.path.getsize(out) // 40))
        self.judging = None

    def learn(self, way):
        args = self.args
        new = way == "new" or self.best in ("material", "builtin")
        self.number += 1
        path = os.path.join(args.folder, "net%d.nn.bin" % self.number)
        files = args.positions + [p for step in self.steps[-args.keep:] for p in step]
        # A file has an input's weights as one: nothing of them is to be pulled towards zero.
        how = ["--start", "none", "--epochs", args.epochs, "--rate", args.rate] if new else \
            ["--start", self.best, "--epochs", args.on_epochs, "--rate", args.on_rate, "--decay", 0]
        self.say(self.yomi("learn", "network", *files, "--out", path, "--results", args.results,
                           "--scale", args.scale, "--threads", args.threads, "--seed", args.seed, *how))
        return path

    def match(self, one, other):
        """The score of one against the other, in percent."""
        args = self.args
        result = self.yomi("selfplay", "shogi", "--eval", one, "--against", other, "--games", args.match,
                           "--nodes", args.match_nodes, "--threads", args.threads, "--random-moves", 4,
                           "--random-plies", 16, "--seed", args.seed)
        self.say("%s against %s: %s" % (one, other, result))
        return float(re.search(r"([0-9.]+)%", result).group(1))

    def improve(self):
        """A network is learned from what there is; the winner of its match plays on."""
        if not self.steps:
            return
        scores = {path: self.match(path, self.best)
                  for path in [self.learn(way) for way in self.args.learn.split(",")]}
        winner = max(scores, key=scores.get)
        if scores[winner] > 50:
            self.best = winner
        self.say("%s plays on" % self.best)

    def run(self):
        args = self.args
        for step, text in enumerate(args.steps.split(","), 1):
            paths = self.play(step, *map(int, text.split(":")))
            if args.judge:
                self.end_judging()
                self.judge(step, paths)
            else:
                self.steps.append(paths)
            self.improve()
        if args.judge:
            self.end_judging()
            self.improve()
        if args.rival:
            self.match(self.best, args.rival)


def main():
    args = arguments()
    os.makedirs(args.folder, exist_ok=True)
    Loop(args).run()


if __name__ == "__main__":
    main()
