#!/usr/bin/env python3
"""Checks what the learning loop is made of:

    check_play.py NET.bin.gz ROWS

the model made from a network file gives what the file gives, before and after its statistics were set, and
exported again it is the same file; targets of rows add up to 1 and turn with their boards."""
import os
import sys
import tempfile

if __name__ == "__main__" and sys.argv[1:2] in (["-h"], ["--help"]):
    print(__doc__)  # before PyTorch is loaded, which this does not need
    sys.exit()

import numpy as np  # noqa: E402
import torch  # noqa: E402

import import_net  # noqa: E402
import netfile  # noqa: E402
from check import compare  # finds ../common  # noqa: E402
from export import export  # noqa: E402
from play_data import SIZE, PlayUnpacker, load  # noqa: E402

TOLERANCE = 1e-4


def check(good, what):
    if not good:
        sys.exit("check_play.py: " + what)


def check_import(path, batch):
    form = netfile.read(path)
    net = import_net.model_of(form).eval()
    planes = batch.planes.float()
    worst = compare(net, form, planes, batch.numbers)
    check(worst < TOLERANCE, "the model is not the file: %.2g" % worst)
    with tempfile.TemporaryDirectory() as folder:
        again = os.path.join(folder, "again.bin.gz")
        export(net, again, form["name"])
        check(compare(net, netfile.read(again), planes, batch.numbers) < TOLERANCE,
              "the exported file is not the model")
    import_net.calibrate(net, planes, batch.numbers)
    after = compare(net.eval(), form, planes, batch.numbers)
    check(after < 10 * TOLERANCE, "statistics changed the model: %.2g" % after)
    net.train()
    with torch.no_grad():
        policy = net(planes, batch.numbers)[0]
    net.eval()
    with torch.no_grad():
        still = net(planes, batch.numbers)[0]
    check(float((policy - still).abs().max()) < 0.01 * float(still.abs().max()),
          "a batch is normalised otherwise than its statistics say")
    print("model and file differ by %.2g, after calibration by %.2g" % (worst, after))


def check_rows(rows, unpack):
    for size in rows[:, SIZE].unique():
        size = int(size)
        some = rows[rows[:, SIZE] == size][:200]
        plain = unpack(some, torch.zeros(len(some), dtype=torch.long), size)
        check(bool((plain.policy.sum(1) - 1).abs().max() < 1e-5), "a policy target does not add up")
        stones = plain.planes[:, 1] + plain.planes[:, 2]
        on_stones = plain.policy[:, :-1] * stones.flatten(1)
        check(float(on_stones.max()) == 0, "a policy target is on a stone")
        known = plain.has_owner & ~torch.isnan(plain.lead)
        area = plain.owner.sum((1, 2))[known]
        komi = 20 * plain.numbers[known, 5]
        check(bool(((area + komi) - plain.lead[known]).abs().max() < 1e-3) if len(area) else True,
              "owners and komi are not the lead")
        for s in range(8):
            turned = unpack(some, torch.full((len(some),), s), size)
            board = plain.policy[:, :-1].reshape(-1, size, size)
            check(turned.planes.shape[2:] == (size, size), "a board is not cut to its size")
            for a, b in ((plain.planes.float().sum((2, 3)), turned.planes.float().sum((2, 3))),
                         ((board * stones).sum((1, 2)), (turned.policy[:, :-1].reshape(
                             -1, size, size) * (turned.planes[:, 1] + turned.planes[:, 2])).sum((1, 2))),
                         ((plain.owner * plain.planes[:, 1]).sum((1, 2)),
                          (turned.owner * turned.planes[:, 1]).sum((1, 2))),
                         ((board * plain.owner).sum((1, 2)),
                          (turned.policy[:, :-1].reshape(-1, size, size)
                           * turned.owner).sum((1, 2)))):
                check(float((a - b).abs().max()) < 1e-4, "planes and targets turn apart")
    print("%d rows" % len(rows))


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    rows, unpack = load(sys.argv[2], "cpu"), PlayUnpacker("cpu")
    check(len(rows) > 0, "no rows")
    check_rows(rows, unpack)
    size = int(rows[0, SIZE])
    some = rows[rows[:, SIZE] == size][:96]
    check_import(sys.argv[1], unpack(some, torch.arange(len(some)) % 8, size))


if __name__ == "__main__":
    np.seterr(all="raise", under="ignore")
    main()
