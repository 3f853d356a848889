#!/usr/bin/env python3
"""Reads pairs.csv of spsa.py: what each margin's step up is worth, in Elo, with its standard error.

  experiments/tuning/effects.py FOLDER/pairs.csv

Least squares of the score on all margins at once. Half of a pair's difference is what a row was moved
by, so the figure is for one step from the middle.
"""

import sys

if __name__ == "__main__" and sys.argv[1:2] in (["-h"], ["--help"]):
    print(__doc__)  # before NumPy is loaded, which this does not need
    sys.exit()

import numpy as np  # noqa: E402


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    try:
        with open(sys.argv[1]) as file:
            names = file.readline().strip().split(",")[1:]
    except OSError as problem:
        sys.exit(f"error: {problem}")
    data = np.loadtxt(sys.argv[1], delimiter=",", skiprows=1, ndmin=2)
    rows = len(names) // 2
    score = data[:, 0] / 4 - 0.5
    change = (data[:, 1:1 + rows] - data[:, 1 + rows:]) / 2
    steps = np.abs(change).mean(axis=0)
    used = steps > 0
    if len(score) <= used.sum():
        sys.exit(f"{sys.argv[1]}: {len(score)} pairs are too few for the effects of {used.sum()} margins")
    x = change[:, used] / steps[used]
    inverse = np.linalg.pinv(x.T @ x)
    slope = inverse @ x.T @ score
    rest = score - x @ slope
    error = np.sqrt(np.diag(inverse) * (rest @ rest) / (len(score) - used.sum()))
    elo = 1600 / np.log(10) / 2  # of a share of the points, for one of the two sides
    table = sorted(zip(np.array(names[:rows])[used], slope * elo, error * elo, steps[used]), key=lambda t: -abs(t[1] / t[2]))
    print(f"{len(score)} pairs; a step up is worth, in Elo")
    for name, value, sd, step in table:
        print(f"{name:28} {value:+7.1f} +- {sd:4.1f}  (step {step:g})")


if __name__ == "__main__":
    main()
