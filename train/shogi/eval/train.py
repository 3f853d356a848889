#!/usr/bin/env python3
"""Trains a HalfKA zones or K-P network for alpha-beta on positions of `yomi selfplay shogi` and `yomi learn scores`.

Writes a file for EvalFile (docs/shogi-net.md). Made for a GPU, where 100 million positions fit; on a CPU it
is slow, and `yomi learn network` trains the smaller kinds.
"""

import argparse


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("positions", nargs="+", help="files of training positions; one named twice counts twice")
    p.add_argument("--out", required=True, help="the network to write")
    p.add_argument("--kind", choices=("kp", "relative", "zones"), default="zones",
                   help="inputs: pieces and kings; and pieces by their offset from the king; pieces by zone of the king")
    p.add_argument("--start", help="a network to go on from, or the mean of several, by commas; of another kind, too, but not "
                   "from zones to another")
    p.add_argument("--start-cp", type=float, help="--cp of that network; the same if not given")
    p.add_argument("--epochs", type=float, default=4)
    p.add_argument("--batch", type=int, default=16384)
    p.add_argument("--rate", type=float, default=1e-3, help="the learning rate at its highest")
    p.add_argument("--decay", type=float, default=0.02, help="pull towards zero of the weights of sums")
    p.add_argument("--zone-decay", type=float, default=0.1, help="the same, of those that belong to a zone alone")
    p.add_argument("--scale", type=float, default=340, help="score in the files that is a logit of 1")
    p.add_argument("--cp", type=float, default=600, help="value of the network that is a logit of 1")
    p.add_argument("--results", type=float, default=0.15, help="share of the game's result in a target")
    p.add_argument("--below", type=int, default=2500, help="positions with such scores are left out")
    p.add_argument("--seconds", type=float, default=0,
                   help="so long in all, reading included, whatever --epochs says: the rate falls with it")
    p.add_argument("--report-s", type=float, default=20, help="seconds between lines")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--device", help="cuda where there is one, else cpu")
    return p.parse_args()


if __name__ == "__main__":
    ARGS = arguments()  # before PyTorch is loaded, which --help does not need

import math  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402

import torch  # noqa: E402
from torch.nn import functional as F  # noqa: E402

import model  # noqa: E402
from positions import Inputs, Mirror, Positions  # noqa: E402

HELD_MOST = 1 << 20


def rate_at(share, top):
    """Climbs for 3% of the way, then falls along half a cosine."""
    return top * min(1, share / 0.03) * (0.01 + 0.495 * (1 + math.cos(math.pi * min(1, share))))


def loss_of(logits, target):
    """Cross entropy less that of the targets themselves."""
    entropy = torch.special.entr(target) + torch.special.entr(1 - target)
    return F.binary_cross_entropy_with_logits(logits, target) - entropy.mean()


@torch.no_grad()
def held_loss(net, inputs, held, batch):
    count = min(len(held[2]), HELD_MOST)
    total = 0.0
    for first in range(0, count, batch):
        pieces, kings, target = (t[first:min(first + batch, count)] for t in held)
        total += float(loss_of(net(*inputs(pieces, kings)), target)) * len(target)
    return total / max(1, count)


class Learner:
    def __init__(self, args, net, data):
        self.args, self.net, self.data = args, net, data
        self.inputs, self.mirror = Inputs(net.kind, args.device), Mirror(args.device)
        groups = [{"params": part, "weight_decay": decay}
                  for part, decay in zip(net.parts(), (args.zone_decay, args.decay, 0)) if part]
        self.optimizer = torch.optim.AdamW(groups, args.rate, betas=(0.9, 0.999),
                                           **({"fused": True} if args.device != "cpu" else {}))
        self.order, self.at = None, 0
        self.steps = max(1, math.ceil(args.epochs * len(data[2]) / args.batch))

    def batch(self):
        if self.order is None or self.at >= len(self.order):
            self.order, self.at = torch.randperm(len(self.data[2]), device=self.args.device), 0
        chosen = self.order[self.at:self.at + self.args.batch]
        self.at += self.args.batch
        pieces, kings, target = (t[chosen] for t in self.data)
        if self.net.kind != "zones":
            pieces, kings = self.mirror(pieces, kings)
        return pieces, kings, target

    def step(self, share):
        pieces, kings, target = self.batch()
        for group in self.optimizer.param_groups:
            group["lr"] = rate_at(share, self.args.rate)
        loss = loss_of(self.net(*self.inputs(pieces, kings)), target)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.optimizer.step()
        self.net.clip()
        return loss.detach()

    @torch.no_grad()
    def clipped(self, held):
        """Share of the sums that are cut at 1: where it is large, values jump from position to position."""
        us, _ = self.inputs(*(t[:self.args.batch] for t in held[:2]))
        return float((self.net.sums(us, self.net.integers()) > model.TOP).float().mean())

    def run(self, held, began):
        args = self.args
        print("loss held out at first %.5f" % held_loss(self.net, self.inputs, held, args.batch), flush=True)
        start = said = time.monotonic()
        left = args.seconds - (start - began)
        losses, done, seen, share = [], 0, 0, 0.0
        while share < 1:
            losses.append(self.step(share))
            done += 1
            seen += min(args.batch, len(self.data[2]))
            if args.seconds and done % 16 == 0 and args.device != "cpu":
                torch.cuda.synchronize()
            now = time.monotonic()
            share = (now - start) / left if args.seconds else done / self.steps
            if now - said < args.report_s and share < 1:
                continue
            learned = float(torch.stack(losses).mean())
            print("epoch %.2f: loss %.5f, held out %.5f, %.2f million positions/s, %.3f of the sums above 1" % (
                seen / len(self.data[2]), learned, held_loss(self.net, self.inputs, held, args.batch),
                seen / (now - start) / 1e6, self.clipped(held)), flush=True)
            losses, said = [], time.monotonic()
            model.write(args.out, self.net.integers())


def main(args):
    began = time.monotonic()
    args.device = args.device or ("cuda" if torch.cuda.is_available() else "cpu")
    torch.backends.cuda.matmul.allow_tf32 = True  # the numbers are integers up to 127: exact all the same
    torch.manual_seed(args.seed)
    positions = Positions(args.device)
    try:
        open(args.out, "ab").close()  # said now, not after the training
        start = model.mean([model.read(path) for path in args.start.split(",")]) if args.start else None
        if start and model.kind_of(start) == "zones" != args.kind:
            raise ValueError(f"{args.start}: a HalfKA zones network, which one of --kind {args.kind} cannot go on from")
        total = sum(positions.add(path, args.scale, args.results, args.below) for path in args.positions)
    except (OSError, ValueError) as error:
        sys.exit(f"train.py: {error}")
    if total == 0:
        sys.exit("train.py: no quiet position to learn from")
    net = model.Net(args.cp, args.kind)
    if start:
        net.start(start, args.start_cp or args.cp)
    net.to(args.device)
    data, held = positions.finish(False), positions.finish(True)
    print("%d positions to learn from, %d held out, read in %.0f s" % (
        len(data[2]), len(held[2]), time.monotonic() - began), flush=True)
    Learner(args, net, data).run(held, began)


if __name__ == "__main__":
    main(ARGS)
