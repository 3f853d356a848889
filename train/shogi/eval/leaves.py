#!/usr/bin/env python3
"""Training positions in number: leaves of alpha-beta's searches, scored by a network with a policy or by longer searches.

Players make positions on all cores (`yomi selfplay shogi --leaves`), in rounds; what a round has made is scored on a
GPU (`yomi learn scores`) while the next is played, and goes first. FOLDER gets judged-0.psv, judged-1.psv, ...; the
unscored files are removed. A few of the searches, drawn by chance, are long (--deep-nodes) and draw as many more leaves:
so the leaves of long searches, which are like those of a player's, come from many games.

With --search-nodes alpha-beta's own searches score, on the cores that the players leave: a core makes some 20,000
positions a second with --leaves 24, and scores 450 with 4,000 nodes.
"""

import argparse
import os
import subprocess
import sys
import time

ROUND, FIRST = 60, 25  # seconds
NICE = 10


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("folder")
    p.add_argument("--seconds", type=float, required=True, help="how long is played; the last scores come after that")
    p.add_argument("--players", type=int, default=os.cpu_count())
    p.add_argument("--nodes", type=int, default=400, help="of most searches")
    p.add_argument("--leaves", type=int, default=24, help="drawn of these")
    p.add_argument("--deep-nodes", type=int, default=30000, help="of the others")
    p.add_argument("--deep-share", type=float, default=0.02, help="how many are others, of 1")
    p.add_argument("--eval", default="builtin", help="the network that plays")
    p.add_argument("--net", default="builtin", help="the network that scores: ONNX, or builtin; of several, by commas, each in turn")
    p.add_argument("--visits", type=int, default=2, help="of a position that is scored")
    p.add_argument("--scale", type=float, default=340, help="hundredths of a pawn to a logit of 1")
    p.add_argument("--backend", default="auto", help="what runs --net")
    p.add_argument("--search-nodes", type=int, default=0, help="in place of --net, alpha-beta scores with so many nodes")
    p.add_argument("--search-threads", type=int, default=1, help="searches of these at a time")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--yomi", default="yomi", help="the program")
    args = p.parse_args()
    if args.players < 1:
        p.error("--players: at least one has to play")
    return args


class Player:
    """Plays round after round."""

    def __init__(self, args, number, end):
        self.args, self.number, self.end = args, number, end
        self.round, self.process, self.path = 0, None, None
        self.begin()

    def begin(self):
        args, left = self.args, self.end - time.monotonic()
        if left < 0.5:
            self.process = None
            return
        seconds = max(1, int(min(left, FIRST if self.round == 0 else ROUND)))
        self.path = os.path.join(args.folder, "leaves-%d-%d.psv" % (self.number, self.round))
        seed = args.seed * 1000000 + self.number * 1000 + self.round
        self.process = subprocess.Popen(
            ["nice", "-n", str(NICE), args.yomi, "selfplay", "shogi", self.path, "--eval", args.eval, "--leaves",
             str(args.leaves), "--nodes", str(args.nodes), "--deep-nodes", str(args.deep_nodes), "--deep-share",
             str(args.deep_share),
             "--mate-nodes", "200", "--decided", "32000", "--games", "1000000000", "--seconds", str(seconds),
             "--threads", "1", "--seed", str(seed)],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.round += 1

    def finished(self):
        """The file of a round that is over, after which the next has begun; None: it goes on."""
        if self.process is None or self.process.poll() is None:
            return None
        if self.process.returncode != 0:
            sys.exit("leaves.py: a player failed: " + self.process.stderr.read().strip())
        path = self.path
        self.begin()
        return path


def positions(path):
    return os.path.getsize(path) // 40


def score(args, number, paths):
    """Begins to score files."""
    out = os.path.join(args.folder, "judged-%d.psv" % number)
    nets = args.net.split(",")
    if args.search_nodes:
        how = ["--nodes", str(args.search_nodes), "--eval", args.eval, "--threads", str(args.search_threads)]
    else:
        how = ["--net", nets[number % len(nets)], "--visits", str(args.visits), "--share", "1", "--scale", str(args.scale),
               "--backend", args.backend]
    return subprocess.Popen([args.yomi, "learn", "scores", *paths, "--out", out, *how], stdout=subprocess.DEVNULL), paths, out


def main(args):
    os.makedirs(args.folder, exist_ok=True)
    began = time.monotonic()
    players = [Player(args, i, began + args.seconds) for i in range(args.players)]
    waiting, judge, number, done = [], None, 0, 0
    while judge or waiting or any(p.process for p in players):
        waiting += [path for path in (p.finished() for p in players) if path]
        if judge and judge[0].poll() is not None:
            process, paths, out = judge
            if process.returncode != 0:
                sys.exit("leaves.py: positions could not be scored")
            for path in paths:
                for name in (path, path + ".state"):
                    if os.path.exists(name):
                        os.remove(name)
            done += positions(out)
            print("%.0f s: %d positions scored, %d wait" % (
                time.monotonic() - began, done, sum(map(positions, waiting))), flush=True)
            judge = None
        # Files of one round come together: wait for most of them.
        over = not any(p.process for p in players)
        if not judge and waiting and (over or len(waiting) >= args.players // 2):
            judge, waiting = score(args, number, waiting), []
            number += 1
        time.sleep(0.2)


if __name__ == "__main__":
    main(arguments())
