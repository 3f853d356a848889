#!/usr/bin/env python3
"""Trains the shogi network on positions of `yomi selfplay shogi` and writes a file for EvalFile."""

import argparse
import time

import numpy as np
import torch
from torch.nn import functional

import net as nets
import psv


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("positions", nargs="+", help="files of training positions")
    add("--out", required=True, help="the network to write")
    add("--start", help="a K-P network to go on from")
    add("--epochs", type=int, default=20)
    add("--batch", type=int, default=8192)
    add("--rate", type=float, default=2e-3, help="the learning rate at its highest")
    add("--score", type=float, default=0.5,
        help="weight of the search's score in the target; the game's result has the rest")
    add("--cp-scale", type=float, default=0,
        help="hundredths of a pawn to a logit of 1; 0: fitted to the games")
    add("--decay", type=float, default=1e-5, help="weight decay")
    add("--seconds", type=float, default=0, help="end early enough to be done by then; 0: no limit")
    add("--seed", type=int, default=1)
    add("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    return parser.parse_args()


def fit_cp_scale(records):
    """The scale at which sigmoid(score / scale) says best who wins."""
    score, result = records["score"].astype(np.float64), records["result"]
    won = (1 + result) / 2
    def loss(scale):
        p = 1 / (1 + np.exp(-score / scale))
        return -np.mean(won * np.log(p + 1e-12) + (1 - won) * np.log(1 - p + 1e-12))
    scales = np.arange(100, 1500, 20)
    return float(scales[np.argmin([loss(s) for s in scales])])


def unpack(records, device):
    parts = []
    for at in range(0, len(records), 1 << 17):
        packed = torch.from_numpy(np.ascontiguousarray(records["position"][at:at + (1 << 17)]))
        parts.append(psv.inputs(packed.to(device)))
    return torch.cat(parts)


def targets(records, share, cp_scale, device):
    score = torch.from_numpy(records["score"].astype(np.float32)).to(device)
    result = torch.from_numpy(records["result"].astype(np.float32)).to(device)
    return share * torch.sigmoid(score / cp_scale) + (1 - share) * (1 + result) / 2


def split(records):
    """Whole runs of positions go to validation, so that no game stands on both sides; the very
    ends of the runs are the exception."""
    run = np.arange(len(records)) // 2000
    held_out = run % 20 == 7
    return records[~held_out], records[held_out]


def loss_of(net, inputs, wanted):
    """Cross entropy, less the part that no net could avoid."""
    loss = functional.binary_cross_entropy_with_logits(net(inputs), wanted)
    floor = functional.binary_cross_entropy(wanted, wanted)
    return loss - floor


def validate(net, inputs, wanted, batch):
    net.eval()
    with torch.no_grad():
        sums = [loss_of(net, inputs[i:i + batch].long(), wanted[i:i + batch]).item() *
                len(wanted[i:i + batch]) for i in range(0, len(wanted), batch)]
    net.train()
    return sum(sums) / max(1, len(wanted))


def train(args, net, data, held_out, started):
    inputs, wanted = data
    mirror = psv.mirror().to(args.device)
    optimizer = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=args.decay)
    steps = (len(wanted) + args.batch - 1) // args.batch
    total, step = args.epochs * steps, 0

    def rate_at(share):  # a short climb, then a half cosine down
        warm = min(1, share / 0.03)
        return args.rate * warm * (0.02 + 0.98 * 0.5 * (1 + np.cos(np.pi * min(1, share))))
    best, epoch, begun = None, 0, time.time()
    while epoch < args.epochs:
        order = torch.randperm(len(wanted), device=args.device)
        running = torch.zeros((), device=args.device)
        for at in range(0, len(wanted), args.batch):
            share = step / total
            if args.seconds:  # the clock can make the schedule shorter
                left = max(1e-9, begun + args.seconds - (begun - started) - time.time())
                share = max(share, 1 - left / max(1e-9, args.seconds - (begun - started)))
            for group in optimizer.param_groups:
                group["lr"] = rate_at(share)
            chosen = order[at:at + args.batch]
            batch = inputs[chosen].long()
            if step % 2:
                batch = mirror[batch]
            loss = loss_of(net, batch, wanted[chosen])
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            net.clip()
            running += loss.detach() * len(chosen)
            step += 1
            if args.seconds and share >= 1:
                epoch = args.epochs
                break
        epoch += 1
        held = validate(net, *held_out, args.batch)
        print("epoch %d: loss %.5f, held out %.5f, %.0f s" %
              (epoch, running.item() / len(wanted), held, time.time() - started), flush=True)
        if best is None or held < best[0]:
            best = held, {k: v.detach().clone() for k, v in net.state_dict().items()}
    net.load_state_dict(best[1])
    return best[0]


def main():
    args, started = arguments(), time.time()
    torch.manual_seed(args.seed)
    records = psv.load(args.positions)
    cp_scale = args.cp_scale or fit_cp_scale(records)
    learn, held_out = split(records)
    print("%d positions to learn from, %d held out, scale %.0f" %
          (len(learn), len(held_out), cp_scale), flush=True)
    data = [(unpack(part, args.device), targets(part, args.score, cp_scale, args.device))
            for part in (learn, held_out)]
    print("unpacked in %.0f s" % (time.time() - started), flush=True)
    net = nets.from_integers(nets.read(args.start), cp_scale) if args.start else nets.Net(cp_scale)
    net.to(args.device)
    best = train(args, net, *data, started)
    numbers = net.integers()
    nets.write(args.out, numbers)
    outputs = nets.evaluate_integers(numbers, data[1][0][:4096].cpu().numpy())
    with torch.no_grad():
        exact = net(data[1][0][:4096].long()).cpu().numpy() * cp_scale
    off = np.abs(outputs / nets.FV_SCALE - exact)
    print("best held out %.5f; as integers off by %.1f hundredths of a pawn on average, "
          "at most %.0f" % (best, off.mean(), off.max()))


if __name__ == "__main__":
    main()
