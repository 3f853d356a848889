#!/usr/bin/env python3
"""Self-play and training in turn, without a pause: while the engine plays, the next network is learned
from the games so far. Whichever wins the match between the two plays on. Leaves every file of positions
and every network."""

import argparse
import os
import re
import subprocess
import time


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("folder", help="where everything is written")
    add("positions", nargs="*", help="files of training positions to begin with")
    add("--yomi", default="yomi", help="the program")
    add("--eval", default="material", help="who plays first: a network of ours, or material")
    add("--steps", default="250:120,300:300,400:600",
        help="NODES:SECONDS,...: how each network's games are played, and for how long before the next "
             "one is learned")
    add("--scale", type=float, default=0, help="as in train.py, of games by material")
    add("--fit", type=float, default=0, help="seconds that learning takes at most; 0 for no limit")
    add("--epochs", type=int, default=6, help="of a network that is learned from nothing")
    add("--rate", type=float, default=2e-3, help="likewise")
    add("--tune-epochs", type=int, default=2, help="of one that goes on from the network that plays")
    add("--tune-rate", type=float, default=5e-4, help="likewise")
    add("--threads", type=int, default=os.cpu_count(), help="of self-play")
    add("--keep", type=int, default=2, help="learn from the last so many steps")
    add("--learn", default="on:0",
        help="new:TRACE:DECAY or on:TRACE,...: a network is learned in each of these ways, from nothing with "
             "a trace and a decay as in train.py, or going on from who plays")
    add("--rival", help="a network that the last one is matched with")
    add("--relative", action="store_true", help="as in train.py, of all networks")
    add("--batch", type=int, default=8192)
    add("--asides", type=int, default=1, help="as in yomi selfplay")
    add("--decided", type=int, default=32000,
        help="as in yomi selfplay; to the mate, if not given: what was not played is not learned")
    add("--below", type=int, default=2500,
        help="positions with a score of so many hundredths of a pawn and more are not learned from")
    add("--match", type=int, default=400, help="games of a match")
    add("--match-nodes", type=int, default=600, help="of a search in it")
    add("--seed", type=int, default=1)
    add("--device", help="cuda where there is one, else cpu")
    return parser.parse_args()


if __name__ == "__main__":
    ARGS = arguments()  # before PyTorch is loaded, which --help does not need

import numpy as np  # noqa: E402
import torch  # noqa: E402

import learn  # noqa: E402
import net as nets  # noqa: E402
import psv  # noqa: E402

# How openings are varied: moves drawn at random, and of how many. Half of the threads play each: games
# that soon are as good players would begin them, and games that reach far into the board's corners.
OPENINGS = ((6, 10), (5, 24))


class Players:
    """Games of one evaluation, by a process for each kind of opening."""

    def __init__(self, args, step, net, nodes):
        self.paths, self.read, self.processes = [], [], []
        for i, (moves, plies) in enumerate(OPENINGS):
            path = os.path.join(args.folder, "games%d%s.psv" % (step, "ab"[i]))
            threads = (args.threads + 1 - i) // 2
            command = [args.yomi, "selfplay", "shogi", path, "--eval", net, "--games", "1000000000",
                       "--nodes", str(nodes), "--threads", str(max(1, threads)),
                       "--random-moves", str(moves), "--random-plies", str(plies),
                       "--decided", str(args.decided), "--asides", str(args.asides),
                       "--seed", str(1000 * args.seed + 10 * step + i)]
            self.paths.append(path)
            self.read.append(0)
            self.processes.append(subprocess.Popen(command, stdout=subprocess.DEVNULL))

    def new_records(self):
        """What was written since the last time."""
        parts = []
        for i, path in enumerate(self.paths):
            if self.processes[i].poll() is not None:
                raise SystemExit("self-play ended before its time")
            records = psv.read(path, self.read[i])
            self.read[i] += len(records)
            parts.append(records)
        return np.concatenate(parts)

    def stop(self):
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.wait()


class Loop:
    def __init__(self, args):
        self.args, self.began = args, time.time()
        self.ways = [self.way(text) for text in args.learn.split(",")]
        self.positions = learn.Positions(args.device, sorted({trace for _, trace, _ in self.ways}),
                                        args.below)
        self.number, self.best = 0, args.eval

    @staticmethod
    def way(text):
        """Whether from nothing, the trace, the decay."""
        kind, trace, decay = (text + ":0.1").split(":")[:3]
        if kind not in ("new", "on"):
            raise SystemExit("--learn: neither new nor on: %s" % text)
        return kind == "new", float(trace), float(decay)

    def say(self, text):
        print("%4.0f s: %s" % (time.time() - self.began, text), flush=True)

    def scale(self):
        """Of who plays: our networks say what chance they mean. To fit that to results instead would
        make each network's values smaller than the last one's, since weak games are lost from good
        positions too."""
        return self.args.scale if self.best == "material" else nets.CP_SCALE

    def add(self, records, step):
        if len(records):
            scale, quiet = self.positions.add(records, step, self.scale())
            self.say("step %d: %d positions, %d to learn from, %.0f hundredths of a pawn to a logit of 1"
                     % (step, len(records), quiet, scale))

    def start(self, new, decay):
        """What learning begins with: a net, its epochs, rate and decay."""
        args = self.args
        if new or self.best == "material":
            return nets.Net(relative=args.relative), args.epochs, args.rate, decay
        # The file has an input's weights as one: nothing of them is to be pulled towards zero.
        start = nets.from_integers(nets.read(self.best), relative=args.relative)
        return start, args.tune_epochs, args.tune_rate, 0

    def fit(self, step, new, trace, decay):
        """A network from the last steps."""
        args = self.args
        chosen = [self.positions.select(trace, held, step - args.keep + 1) for held in (0, 1)]
        net, epochs, rate, decay = self.start(new, decay)
        loss = learn.fit(net.to(args.device), *chosen, rate, args.batch, epochs, args.fit, decay,
                         tell=self.say)
        self.number += 1
        path = os.path.join(args.folder, "net%d.bin" % self.number)
        nets.write(path, net.integers())
        self.say("%s: %s, %d positions, trace %g, decay %g, loss held out %.5f" %
                 (path, "new" if new else "on", len(chosen[0][1]), trace, decay, loss))
        return path

    def match(self, one, other):
        """The score of one against the other, in percent."""
        args = self.args
        command = [args.yomi, "selfplay", "shogi", "--eval", one, "--against", other, "--games",
                   str(args.match), "--nodes", str(args.match_nodes), "--threads", str(args.threads),
                   "--random-moves", "6", "--random-plies", "10", "--seed", str(args.seed)]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        result = text.splitlines()[-1]
        self.say("%s against %s: %s" % (one, other, result))
        return float(re.search(r"([0-9.]+)%", result).group(1))

    def choose(self, candidates):
        """The candidate that does best against who played, if it wins, plays on."""
        scores = {path: self.match(path, self.best) for path in candidates}
        winner = max(scores, key=scores.get)
        if scores[winner] > 50:
            self.best = winner
        self.say("%s plays on" % self.best)

    def run(self):
        args = self.args
        for path in args.positions:
            self.add(psv.read(path), 0)
        for step, text in enumerate(args.steps.split(","), 1):
            nodes, seconds = map(int, text.split(":"))
            players = Players(args, step, self.best, nodes)
            try:
                time.sleep(seconds)
                self.add(players.new_records(), step)
                self.choose([self.fit(step, *way) for way in self.ways])
                self.add(players.new_records(), step)
            finally:
                players.stop()
        if args.rival:
            self.match(self.best, args.rival)


def main(args):
    args.device = args.device or ("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(args.seed)
    os.makedirs(args.folder, exist_ok=True)
    Loop(args).run()


if __name__ == "__main__":
    main(ARGS)
