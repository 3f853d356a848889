#!/usr/bin/env python3
"""Checks what the learning loop of shogi is made of:

    check_play.py NET.onnx ROWS

the model made from a file gives what the file gives, and written again it is the same file; targets of rows
add up to 1 or are empty, and mirrored with their boards they stay the same twice."""
import os
import sys
import tempfile

if __name__ == "__main__" and sys.argv[1:2] in (["-h"], ["--help"]):
    print(__doc__)  # before PyTorch is loaded, which this does not need
    sys.exit()

import numpy as np  # noqa: E402
import torch  # noqa: E402

sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../common"))
import onnx_file  # noqa: E402
import play_data  # noqa: E402
from data import mirrored_labels  # noqa: E402
from model import folded, unfolded  # noqa: E402


def check(good, what):
    if not good:
        sys.exit("check_play.py: " + what)


@torch.no_grad()
def check_net(path, planes):
    parts = onnx_file.read(path)
    net = unfolded(parts).eval()
    policy, value = net(planes.float())
    again, chance = onnx_file.run(parts, planes.numpy())
    worst = max(abs(again - policy.numpy()).max(), abs(chance - torch.sigmoid(value).numpy()).max())
    check(worst < 1e-3, "the model is not the file: %.2g" % worst)
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "again.onnx")
        onnx_file.write(copy, folded(net))
        for name, array in onnx_file.read(copy).items():
            check(np.allclose(array, parts[name], 1e-3, 1e-6), "%s changed when written again" % name)
    print("model and file differ by %.2g" % worst)


def check_rows(window):
    rows = window.rows
    plain = torch.zeros(len(rows), dtype=torch.bool)
    (planes,), (labels, weights, win, result) = window.unpack(rows, plain)
    sums = weights.sum(1)
    check(bool(((sums - 1).abs() < 1e-5).logical_or(sums == 0).all()), "a policy target does not add up")
    check(bool((sums > 0.5).any()), "there is no policy target")
    check(bool((weights[:, :-1] >= weights[:, 1:]).all()), "the heaviest move is not the first")
    check(int(labels.max()) < 27 * 81, "a label is none")
    check(bool(((win >= 0) & (win <= 1)).all()), "a chance is none")
    check(bool(((result >= -1) & (result <= 2)).all()), "a result is none")
    kings = planes[:, 7].float().sum((1, 2))
    check(bool((kings == 1).all()), "the side to move has another number of kings than one")
    # Moves of pieces end where the side to move has none; drops, where nobody has.
    to, direction = labels % 81, labels // 81
    own = planes[:, :14].sum(1).flatten(1).gather(1, to)
    every = own + planes[:, 31:45].sum(1).flatten(1).gather(1, to)
    real = weights > 0
    check(int(own[real].max()) == 0, "a move takes its own piece")
    check(int(every[real & (direction >= 20)].sum()) == 0, "a drop on a piece")
    (other,), (mirrored, again, _, _) = window.unpack(rows, ~plain)
    check(bool((other.flip(2) == planes).all()) and bool((again == weights).all()), "no mirror")
    back = torch.from_numpy(mirrored_labels())[mirrored]
    check(bool((back == labels)[real].all()), "labels are not mirrored with their boards")
    print("%d rows" % len(rows))
    return planes


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    window = play_data.Window("cpu", 10 ** 6)
    check(window.add(sys.argv[2]) > 0, "no rows")
    planes = check_rows(window)
    check_net(sys.argv[1], planes[:40])


if __name__ == "__main__":
    main()
