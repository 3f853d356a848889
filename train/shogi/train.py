#!/usr/bin/env python3
"""Trains the shogi network on positions of `yomi selfplay shogi` and writes a file for EvalFile."""

import argparse


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("positions", nargs="+", help="files of training positions")
    add("--out", required=True, help="the network to write")
    add("--start", help="a K-P network to go on from")
    add("--relative", action="store_true",
        help="with inputs for the pieces as seen from the own king; those that --start has stay in any case")
    add("--epochs", type=int, default=6)
    add("--seconds", type=float, default=0, help="end after so long; 0 for no limit")
    add("--batch", type=int, default=4096)
    add("--rate", type=float, default=2e-3, help="the learning rate at its highest")
    add("--trace", type=float, default=0,
        help="how much of a target comes from later in the game: 0 for the position's own score, 1 for "
             "the game's result alone")
    add("--below", type=int, default=2500,
        help="positions with a score of so many hundredths of a pawn and more are left out")
    add("--decay", type=float, default=0.1, help="weight decay of what belongs to single inputs")
    add("--scale", type=float, default=0,
        help="hundredths of a pawn to a logit of 1 in the scores of the files; fitted, if 0")
    add("--cp-scale", type=float, default=0,
        help="hundredths of a pawn to a logit of 1 in the network's values; 0 for the usual ones")
    add("--seed", type=int, default=1)
    add("--device", help="cuda where there is one, else cpu")
    return parser.parse_args()


if __name__ == "__main__":
    ARGS = arguments()  # before PyTorch is loaded, which --help does not need

import numpy as np  # noqa: E402
import torch  # noqa: E402

import learn  # noqa: E402
import net as nets  # noqa: E402
import psv  # noqa: E402


def report_rounding(net, inputs):
    """How far the integers of the file are from what was trained."""
    outputs = nets.evaluate_integers(net.integers(), inputs.cpu().numpy())
    with torch.no_grad():
        exact = net(inputs.long()).cpu().numpy() * net.cp_scale
    off = np.abs(outputs / nets.FV_SCALE - exact)
    print("as integers off by %.1f hundredths of a pawn on average, at most %.0f" %
          (off.mean(), off.max()))


def main(args):
    args.device = args.device or ("cuda" if torch.cuda.is_available() else "cpu")
    args.cp_scale = args.cp_scale or nets.CP_SCALE
    torch.manual_seed(args.seed)
    positions = learn.Positions(args.device, [args.trace], args.below)
    for path in args.positions:
        positions.add(psv.read(path), scale=args.scale)
    net = nets.from_integers(nets.read(args.start), args.cp_scale, args.relative) if args.start \
        else nets.Net(args.cp_scale, args.relative)
    net.to(args.device)
    data = positions.select(args.trace, False)
    held_out = positions.select(args.trace, True)
    print("%d to learn from, %d held out" % (len(data[1]), len(held_out[1])), flush=True)
    loss = learn.fit(net, data, held_out, args.rate, args.batch, args.epochs, args.seconds,
                     args.decay)
    nets.write(args.out, net.integers())
    print("loss held out %.5f" % loss)
    report_rounding(net, data[0][:4096])


if __name__ == "__main__":
    main(ARGS)
