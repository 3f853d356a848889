"""Kaneko's experiments (GPW 2010) with `yomi cluster simulate`; `run` has the usage."""

import argparse
import os
import sys

from everything import run_all
from matches import run_matches
from positions import run_positions
from prediction import run_gps, run_prediction
from real import run_real
from records import EVERY, run_records
from simulation import EXTRA, ROOT
from speedup import run_speedup


def numbers(text):
    return [float(x) if "." in x else int(x) for x in text.split(",")]


def pairs(text):
    """8:1 is 8 workers against a machine with one thread, 16:split16 against another cluster."""
    both = [pair.split(":") for pair in text.split(",")]
    return [(int(n), int(m) if m.isdigit() else m) for n, m in both]


def read_arguments():
    results = os.path.join(ROOT, "experiments", "kaneko", "results")
    targets = os.path.join(results, "positions.tsv")
    everyone = "1,2,4,8,16,32,64"
    parser = argparse.ArgumentParser(prog="experiments/kaneko/run", description=__doc__)
    commands = parser.add_subparsers(dest="what", required=True)

    def add(name, function, **options):
        sub = commands.add_parser(name, add_help=False)
        sub.set_defaults(function=function)
        sub.add_argument("--out", default=results)
        sub.add_argument("--jobs", type=int, default=1 if name == "real" else os.cpu_count())
        sub.add_argument("--set", default="")
        sub.add_argument("--only-report", action="store_true")
        for key, (kind, default) in options.items():
            sub.add_argument("--" + key, type=kind, default=kind(default) if default is not None else None)

    add("positions", run_positions, count=(int, 432), nodes=(int, 30000), factor=(int, 100), seed=(int, 1))
    add("prediction", run_prediction, targets=(str, targets), count=(int, 0), kind=(str, "steady"), workers=(numbers, "2,4,8,16,32,64"),
        recommend=(numbers, "1,2,4"), speed=(int, 20000), order=(str, "search"))
    add("gps", run_gps, targets=(str, targets), count=(int, 0), kind=(str, "steady"), workers=(numbers, "2,4,8,16"),
        recommend=(numbers, "1"), limit=(float, 0))
    add("matches", run_matches, pairs=(pairs, "8:1,8:2,8:4,16:4,16:8,32:8"), games=(int, 100), seconds=(float, 3),
        speed=(int, 20000), strategy=(lambda s: s.split(","), "predict"), seed=(int, 1), table=(int, 4),
        game=(str, "shogi"), limit=(float, 0), first=(int, 0))
    add("real", run_real, pairs=(pairs, "8:1,8:4"), games=(int, 100), seconds=(float, 0.5), table=(int, 64),
        strategy=(lambda s: s.split(","), "predict"), seed=(int, 1), limit=(float, 0))
    add("records", run_records, matches=(str, os.path.join(results, "matches-shogi.jsonl")), games=(str, None),
        every=(int, EVERY))
    add("speedup", run_speedup, targets=(str, targets), count=(int, 0), kind=(str, "all"), workers=(numbers, everyone),
        seconds=(float, 3), speed=(int, 20000), strategy=(lambda s: s.split(","), "predict,split"), table=(int, 4),
        alone=(int, 32))
    add("all", run_all, targets=(str, targets), count=(int, 0), kind=(str, "steady"), speed=(int, 20000),
        order=(str, "search"), seconds=(float, 1), seed=(int, 1), table=(int, 16), game=(str, "shogi"), limit=(float, 0),
        first=(int, 0), alone=(int, 32))
    return parser.parse_args()


def main():
    args = read_arguments()
    os.makedirs(args.out, exist_ok=True)
    EXTRA.update(pair.split("=", 1) for pair in args.set.split(",") if "=" in pair)
    try:
        args.function(args)
    except (RuntimeError, OSError) as problem:
        sys.exit(f"error: {problem}")


if __name__ == "__main__":
    main()
