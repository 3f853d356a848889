#!/usr/bin/env python3
"""Where each margin is best, from the pairs of one or several runs of spsa.py.

  experiments/tuning/optimum.py PAIRS.csv... [OPTION]...

The strength by each margin is taken to be a parabola: least squares of the scores on the margins and
their squares, all at once. Runs around different middles show how the parabolas bend; where they do
not, what is usual is assumed: --bend Elo lost by one step from the best value (2 +- 1), and effects of
--spread Elo a step (4). A margin moves by --most steps at most (1.5) from the middle of the last run.
Prints a row a margin, the surest first, then the options for sprt.sh.
"""

import argparse
import sys

if __name__ == "__main__" and sys.argv[1:2] in (["-h"], ["--help"]):
    print(__doc__)  # before NumPy is loaded, which this does not need
    sys.exit()

import numpy as np  # noqa: E402

ELO = 400 / np.log(10) * 4  # Elo by score around a half


def read(paths):
    """Names, then two arrays of pairs x margins, plus and minus (NaN: not in that run), and scores."""
    runs = []
    for path in paths:
        with open(path) as file:
            first, *names = file.readline().strip().split(",")
            lines = file.readlines()
        if first != "points" or not lines:
            raise ValueError(f"{path} has no pairs of spsa.py")
        data = np.loadtxt(lines, delimiter=",", ndmin=2)
        if data.shape[1] != 1 + len(names):
            raise ValueError(f"{path}: its lines are not as long as its first one")
        runs.append((names[:len(names) // 2], data))
    names = runs[-1][0]
    sides = []
    for known, data in runs:
        n, both = len(known), np.full((2, len(data), len(names)), np.nan)
        for j, name in enumerate(names):
            if name in known:
                at = 1 + known.index(name)
                both[:, :, j] = data[:, at], data[:, at + n]
        sides.append(both)
    both = np.concatenate(sides, axis=1)
    score = np.concatenate([data[:, 0] for _, data in runs]) / 4 - 0.5
    return names, both[0], both[1], score, sides[-1]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("pairs", nargs="+")
    p.add_argument("--most", type=float, default=1.5)
    p.add_argument("--bend", type=float, default=2)
    p.add_argument("--spread", type=float, default=4)
    p.add_argument("--sure", type=float, default=0.5, help="least effect, in its errors, of a margin that moves")
    o = p.parse_args()
    try:
        names, plus, minus, score, last = read(o.pairs)
    except (OSError, ValueError) as problem:
        sys.exit(f"error: {problem}")
    middle = np.nanmean(last, axis=(0, 1))
    step = np.nanmean(np.abs(plus - minus), axis=0) / 2
    used = step > 0
    names = [n for n, u in zip(names, used) if u]
    if len(score) <= len(names) or score.std() == 0:
        sys.exit(f"error: {len(score)} pairs are too few for {len(names)} margins")
    middle, step = middle[used], step[used]
    a, b = ((x[:, used] - middle) / step for x in (plus, minus))
    line, square = np.nan_to_num(a - b), np.nan_to_num(a * a - b * b)
    x = np.hstack([line, square])
    k = len(names)
    noise = score.std() * ELO
    before = np.concatenate([np.zeros(k), np.full(k, -o.bend)])
    sd = np.concatenate([np.full(k, o.spread), np.full(k, o.bend / 2)])
    precision = x.T @ x / noise ** 2 + np.diag(1 / sd ** 2)
    cover = np.linalg.inv(precision)
    mean = cover @ (x.T @ (score * ELO) / noise ** 2 + before / sd ** 2)
    slope, bend = mean[:k], np.minimum(mean[k:], -0.5)
    error = np.sqrt(np.diag(cover))[:k]
    best = np.clip(-slope / (2 * bend), -o.most, o.most)
    best[np.abs(slope) < o.sure * error] = 0
    print(f"{len(score)} pairs; Elo by one step up from the middle, Elo by the step's square, the best value")
    for j in np.argsort(-np.abs(slope) / error):
        print(f"{names[j]:28} {middle[j]:9.1f} {slope[j]:+6.1f} +- {error[j]:3.1f} {bend[j]:+6.1f}   "
              f"step {step[j]:<8.4g} {middle[j] + best[j] * step[j]:9.1f}")
    gain = np.sum(slope * best + bend * best * best)
    print(f"expected of all moves together: {gain:+.0f} Elo")
    print(";".join(f"{n}={round(m + s * v)}" for n, m, s, v in zip(names, middle, step, best)))


if __name__ == "__main__":
    main()
