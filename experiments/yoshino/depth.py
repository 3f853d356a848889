#!/usr/bin/env python3
"""Expected depth of MC softmax search in shogi, and the length of its PV, by the temperature of the selection.

  experiments/yoshino/depth.py POSITIONS.txt --net FILE [--simulations N] [--backend NAME]

POSITIONS.txt has a position in SFEN on each line. Prints CSV: the search, T_s, the number of positions, and the means. The
depth that MC softmax search reports is the expected one: a node's is the mean of its children's and one more, by the
weights with which their values are backed up.
"""
import argparse
import os
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "experiments/tuning"))
import usi  # noqa: E402

TEMPERATURES = ("0.1", "0.05", "0.02", "0.005", "0.001")


def options():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("positions")
    p.add_argument("--net", required=True)
    p.add_argument("--simulations", type=int, default=1000, help="a search")
    p.add_argument("--backend", default="auto", help="of the network")
    p.add_argument("--yomi", default=os.environ.get("YOMI", str(ROOT / "build/release/yomi")))
    return p.parse_args()


def search(engine, sfen, simulations):
    """(expected depth, length of the PV)"""
    engine.new_game()
    engine.say("isready")
    engine.wait("readyok")
    engine.say("position sfen " + sfen)
    engine.say("go nodes %d" % simulations)
    last = [line for line in engine.wait("bestmove") if line.startswith("info depth")][-1]
    return int(re.match(r"info depth (\d+)", last)[1]), len(last.split(" pv ", 1)[1].split())


def main(args):
    sfens = Path(args.positions).read_text().splitlines()
    print("search,t_s,positions,depth,pv")
    for temperature in TEMPERATURES:
        command = [args.yomi, "usi", "--net", args.net, "--search", "mcss", "--policy-temperature", "1", "--select-temperature",
                   temperature, "--root-mate", "0", "--leaf-mate", "0", "--node-mate", "0"]
        engine = usi.Engine(command + (["--net-backend", args.backend] if args.backend != "auto" else []))
        found = [search(engine, sfen, args.simulations) for sfen in sfens]
        engine.say("quit")
        means = [sum(f[i] for f in found) / len(found) for i in (0, 1)]
        print("mcss,%s,%d,%.2f,%.2f" % (temperature, len(found), *means), flush=True)


if __name__ == "__main__":
    try:
        main(options())
    except (OSError, RuntimeError) as error:
        sys.exit(f"depth.py: {error}")
