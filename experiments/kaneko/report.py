"""What the tables of all experiments have: how they were made, intervals, CSV files."""

import csv
import datetime
import math
import os
import re
import subprocess
import sys

from simulation import ROOT


def made_by(args):
    """A run leaves it in its folder, for the tables that are made of what it found."""
    path = os.path.join(args.out, "made.txt")
    if args.only_report and os.path.exists(path):
        with open(path, encoding="utf-8") as f:
            return f.read().strip()
    commit = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty"], capture_output=True,
                            text=True).stdout.strip() or "unknown"
    cpu = "an unknown processor"
    with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as f:
        for line in f:
            if line.startswith("model name"):
                cpu = line.split(":", 1)[1].strip()
                break
    # Where the files are is no part of the experiment.
    words = re.sub(r" --((out|targets|matches) \S+|games (?!\d+( |$))\S+)", "", " ".join(sys.argv[1:]))
    return (f"Made by `experiments/kaneko/run {words}`, commit {commit}, "
            f"{datetime.date.today()}, {cpu}, {args.jobs} processes.")


def wilson(share, n, z=1.96):
    if n == 0:
        return 0.0, 1.0
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return middle - half, middle + half


def write_csv(path, header, rows):
    with open(path, "w", newline="", encoding="utf-8") as f:
        writer = csv.writer(f, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
