"""The learning loop: plays, trains, exports, promotes, again and again:

    loop.py OUT --minutes M [--start NET] ...

An iteration plays with the newest network, and meanwhile trains on the games of the iterations before it. The
next one begins to play at once; rows, log and files are made meanwhile.

OUT is a folder with everything to go on from: state.0, state.1 (the training), games.0 to games.2 (the
newest games, unfinished ones included), the network that plays, log.csv, curve.svg: for a network of 10x128
at most 8 files, none above 16 MB. Called again, also on another machine that OUT was copied to, it goes
on. It ends after M minutes of this call. A call that is killed loses what came after the last iteration."""
# No PyTorch here: --help works without it.
import argparse
import os

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))


def parser():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("out")
    p.add_argument("--minutes", type=float, required=True, help="of this call")
    p.add_argument("--iterations", type=int, default=10 ** 9, help="of this call, at most")
    p.add_argument("--yomi", default=os.path.join(TOP, "build/release/yomi"))
    p.add_argument("--play-rows", default=os.path.join(TOP, "build/release/play_rows"))
    p.add_argument("--start", help="the network to begin with; none: a new one")
    p.add_argument("--blocks", type=int, default=6, help="of a new network")
    p.add_argument("--channels", type=int, default=96, help="of a new network")
    p.add_argument("--visits", type=int, default=400)
    p.add_argument("--fast-visits", type=int, default=80)
    p.add_argument("--play", default="", help="more options for yomi selfplay, in one word")
    p.add_argument("--play-s", type=float, default=45, help="seconds of self-play an iteration")
    p.add_argument("--row-uses", type=float, default=4, help="how often a row is trained on")
    p.add_argument("--search-share", type=float, default=0.2,
                   help="of the search's chance in the target of the value; the rest is who won")
    p.add_argument("--batch", type=int, default=1024)
    p.add_argument("--rate", type=float, default=1e-3)
    p.add_argument("--last-rate", type=float,
                   help="the rate falls to this one until the call ends; without it, it stays")
    p.add_argument("--ema-steps", type=int, default=250,
                   help="steps of training that the average of the weights looks back")
    p.add_argument("--graphs", action="store_true", help="record steps of training as CUDA graphs")
    p.add_argument("--norm", choices=["auto", "frozen", "batch"], default="auto",
                   help="statistics of normalisation: those of the start, or of each batch; auto: "
                        "frozen for a network that was trained before")
    p.add_argument("--window-mb", type=float, default=16, help="of games, at most 40")
    p.add_argument("--window-rows", type=int, default=2000000)
    p.add_argument("--keep", help="a folder for the games that leave the window; else they are deleted")
    p.add_argument("--gate", type=int, default=0,
                   help="games against the network that plays, which a new one must win half of; 0: "
                        "the average of the weights is promoted without a match")
    p.add_argument("--elo-games", type=int, default=0, help="games against the start, for the curve")
    p.add_argument("--elo-every", type=int, default=4, help="iterations between two such matches")
    p.add_argument("--match-visits", type=int, default=100)
    p.add_argument("--device", help="cuda where there is one, else cpu")
    p.add_argument("--backend", default="auto", help="of yomi")
    p.add_argument("--seed", type=int, default=1)
    return p
