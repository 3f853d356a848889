#!/usr/bin/env python3
"""Compares the targets that learn.py makes of games, many at once, with their definition:

    check_targets.py POSITIONS
"""

import sys

if __name__ == "__main__" and sys.argv[1:2] in (["-h"], ["--help"]):
    print(__doc__)  # before PyTorch is loaded, which this does not need
    sys.exit()

import numpy as np  # noqa: E402
import torch  # noqa: E402

import learn  # noqa: E402
import psv  # noqa: E402


def by_definition(score, won, white, same, trace):
    """From each game's end to its beginning; chances of Black, then of the side to move."""
    targets, following = np.zeros(len(score)), 0.0
    for i in range(len(score) - 1, -1, -1):
        own, end = (1 - score[i], 1 - won[i]) if white[i] else (score[i], won[i])
        following = (1 - trace) * own + trace * (following if same[i] else end)
        targets[i] = 1 - following if white[i] else following
    return targets


def main():
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    records = psv.read(sys.argv[1])
    games = records[(records["flags"] & psv.ASIDE) == 0]
    score = torch.sigmoid(torch.from_numpy(games["score"].astype(np.float32) / 1000))
    won = torch.from_numpy((1 + games["result"].astype(np.float32)) / 2)
    white = torch.from_numpy((games["position"][:, 0] & 1) == 1)
    same = torch.from_numpy(learn.same_game(games))
    for trace in (0.0, 0.5, 0.95, 1.0):
        fast = learn.traced(score, won, white, same, trace).numpy()
        slow = by_definition(score.tolist(), won.tolist(), white.tolist(), same.tolist(), trace)
        if np.abs(fast - slow).max() > 1e-5:
            raise SystemExit("trace %g: off by %g" % (trace, np.abs(fast - slow).max()))
    positions = learn.Positions("cpu", [0.5])
    positions.add(records, scale=1000)
    targets = torch.cat([positions.select(0.5, held)[1] for held in (0, 1)])
    kept = psv.quiet(records, learn.LEARN_BELOW).sum()
    if len(targets) != kept:
        raise SystemExit("%d targets of %d positions" % (len(targets), kept))
    print("targets of %d positions in %d games agree" % (len(games), int((~same).sum())))


if __name__ == "__main__":
    main()
