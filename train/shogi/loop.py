#!/usr/bin/env python3
"""Self-play and training in turn: while the engine plays with one network, the next one is learned
from the games before, until the time is up. Leaves every file of positions and every network."""

import argparse
import os
import subprocess
import time

import torch

import learn
import net as nets
import psv


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("folder", help="where everything is written")
    add("positions", nargs="+", help="files of training positions to begin with")
    add("--yomi", default="yomi", help="the program")
    add("--seconds", type=float, default=3600, help="in all")
    add("--cycle", type=float, default=300, help="seconds of self-play for each network")
    add("--fit", type=float, default=120, help="seconds that training takes at most")
    add("--epochs", type=int, default=6)
    add("--nodes", type=int, default=1500, help="of a search in self-play")
    add("--threads", type=int, default=0, help="of self-play; 0 for one on each core")
    add("--keep", type=int, default=6, help="train on the last so many files")
    add("--score", type=float, default=0.8, help="as in train.py")
    add("--rate", type=float, default=2e-3)
    add("--batch", type=int, default=4096)
    add("--seed", type=int, default=1)
    add("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    return parser.parse_args()


class Loop:
    def __init__(self, args):
        self.args, self.began = args, time.time()
        self.positions = learn.Positions(args.device)
        self.number, self.cycle = 0, 0

    def say(self, text):
        print("%4.0f s: %s" % (time.time() - self.began, text), flush=True)

    def left(self):
        return self.began + self.args.seconds - time.time()

    def add(self, path):
        records = psv.load(path)
        self.positions.add(records)
        self.say("%s: %d quiet positions" % (path, len(records)))

    def fit(self, seconds):
        """A net from nothing but the last files: what an earlier one knew is in their scores."""
        args = self.args
        chosen = [self.positions.select(args.score, held, args.keep) for held in (0, 1)]
        net = nets.Net().to(args.device)
        loss = learn.fit(net, *chosen, args.rate, args.batch, args.epochs, seconds, tell=self.say)
        self.number += 1
        path = os.path.join(args.folder, "net%d.bin" % self.number)
        nets.write(path, net.integers())
        self.say("%s: loss held out %.5f of %d positions" % (path, loss, len(chosen[0][1])))
        return path

    def play(self, net, seconds):
        self.cycle += 1
        path = os.path.join(self.args.folder, "games%d.psv" % self.cycle)
        command = [self.args.yomi, "selfplay", "shogi", path, "--eval", net, "--games", "1000000000",
                   "--seconds", str(int(seconds)), "--nodes", str(self.args.nodes),
                   "--threads", str(self.args.threads),
                   "--seed", str(1000 * self.args.seed + self.cycle)]
        return path, subprocess.Popen(command, stdout=subprocess.DEVNULL)

    def run(self):
        args = self.args
        for path in args.positions:
            self.add(path)
        net = self.fit(args.fit)
        while self.left() > 2 * args.fit:
            path, games = self.play(net, min(args.cycle, self.left() - args.fit))
            if self.cycle > 1:  # learn from the games before while these are played
                net = self.fit(args.cycle)
            if games.wait() != 0:
                raise SystemExit("self-play failed")
            self.add(path)
        self.fit(max(1, self.left()))


def main():
    args = arguments()
    torch.manual_seed(args.seed)
    os.makedirs(args.folder, exist_ok=True)
    Loop(args).run()


if __name__ == "__main__":
    main()
