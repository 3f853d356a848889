#!/usr/bin/env python3
"""Trains a shogi network with policy and value on rows made by shogi_rows; common/arguments.py says how it is
called. The value learns from the result of the game and from the search's score."""
import copy
import os
import sys
import time

sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../common"))
import arguments  # noqa: E402


def parser():
    p = arguments.parser()
    p.add_argument("--score-share", type=float, default=0.5,
                   help="of the value's target: the score; the rest is the result")
    p.add_argument("--score-scale", type=float, default=600,
                   help="centipawns that make the odds e to 1: 320 for games of 5,000 nodes a move")
    p.add_argument("--start", help="an ONNX file of onnx_file.py to go on from")
    p.add_argument("--keep-policy", action="store_true",
                   help="the policy learns to stay that of --start, and the value alone learns from the rows")
    return p


def arguments_given():
    p = parser()
    args = p.parse_args()
    if args.keep_policy and not args.start:
        p.error("--keep-policy keeps the policy of --start, which is not given")
    return args


if __name__ == "__main__":
    ARGS = arguments_given()  # before PyTorch is loaded, which --help does not need

import torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402

import onnx_file  # noqa: E402
import supervised  # noqa: E402
from data import NO_MOVE, Batches, Unpacker, load  # noqa: E402
from model import Net, Shape, folded, unfolded  # noqa: E402

ASIDE = 2  # the result of a position beside a game


def chances(score, result, share, scale):
    """The value's target: the chance to win of the side to move."""
    by_score = torch.sigmoid(score / scale)
    by_result = (result.float() + 1) / 2
    mixed = share * by_score + (1 - share) * by_result
    return torch.where(result == ASIDE, by_score, mixed)


def among_quiet(policy, loud, result):
    """Logits of the policy. Of the positions beside games only those are kept whose move is quiet: there
    the choice is among quiet moves, so that nothing is learned of how good the others are."""
    return policy.masked_fill(loud & (result == ASIDE)[:, None], -1e4)


class Taught:
    """Batches whose targets end with the logits of a policy that is to be kept."""

    def __init__(self, batches, policy):
        self.batches, self.policy, self.random = batches, policy, batches.random

    def __next__(self):
        inputs, targets = next(self.batches)
        return inputs, [*targets, self.policy(inputs)]


class Run(supervised.Supervised):
    file = "net.onnx"

    def load(self):
        args = self.args
        rows, self.planes = load(args.rows, "train", args.device)
        self.held, planes = load(args.rows, "held", args.device)
        if planes != self.planes:
            sys.exit("train.py: %s.train and .held have different planes" % args.rows)
        print("%d rows, %d held out, after %.0f s" % (len(rows), len(self.held),
                                                      time.monotonic() - self.born), flush=True)
        self.batches = Batches(rows, planes, args.batch, args.seed)
        self.unpack = Unpacker(planes, args.device)

    def network(self):
        if self.args.start:
            net = unfolded(onnx_file.read(self.args.start))
            if net.shape.planes != self.planes:
                sys.exit("train.py: %s has other planes than %s" % (self.args.start, self.args.rows))
            if self.args.keep_policy:
                self.teacher = copy.deepcopy(net).to(self.args.device).eval()
                self.batches = Taught(self.batches, self.policy_of_start)
            return net
        return Net(Shape(self.args.blocks, self.args.channels, self.planes))

    @torch.no_grad()
    def policy_of_start(self, inputs):
        return self.trainer.run(self.teacher, inputs)[0].float()

    @staticmethod
    def policy_loss(policy, label, result, loud, kept=None):
        """Of the moves, where there are any, or the distance from a policy that is to be kept."""
        if kept is None:
            total = F.cross_entropy(among_quiet(policy, loud, result), label, ignore_index=NO_MOVE, reduction="sum")
            return total / (label != NO_MOVE).sum().clamp(min=1)
        return F.kl_div(policy.log_softmax(1), kept.log_softmax(1), log_target=True, reduction="batchmean")

    def losses(self, outputs, targets):
        policy, value = (x.float() for x in outputs)
        label, score, result, loud, *kept = targets
        parts = {"policy": self.policy_loss(policy, label, result, loud, *kept),
                 "value": F.binary_cross_entropy_with_logits(
                     value, chances(score, result, self.args.score_share, self.args.score_scale))}
        return parts["policy"] + parts["value"], parts

    def export(self, net, path):
        onnx_file.write(path, folded(net))

    @torch.no_grad()
    def judge(self, rows):
        """Moves found in games, and winners of games that were decided."""
        sums, seen = {"policy": 0.0, "value": 0.0, "top1": 0.0, "winner": 0.0}, 0
        played = decided = 0
        for i in range(0, len(rows), 4096):
            part = rows[i : i + 4096]
            plain = torch.zeros(len(part), dtype=torch.bool, device=part.device)
            planes, *targets = self.unpack(part, plain)
            outputs = self.trainer.run(self.trainer.average, (planes,))
            label, _, result, _ = targets
            if self.args.keep_policy:
                targets.append(self.policy_of_start((planes,)))
            _, parts = self.losses(outputs, targets)
            for key, value in parts.items():
                sums[key] += float(value) * len(part)
            known, in_game = (result == 1) | (result == -1), result != ASIDE
            seen += len(part)
            played += int(in_game.sum())
            decided += int(known.sum())
            sums["top1"] += float(((outputs[0].argmax(1) == label) & in_game).sum())
            sums["winner"] += float((((outputs[1] > 0) == (result == 1)) & known).sum())
        return {"held_top1": sums["top1"] / max(played, 1), "held_policy": sums["policy"] / max(seen, 1),
                "held_winner": sums["winner"] / max(decided, 1),
                "held_value": sums["value"] / max(seen, 1)}


if __name__ == "__main__":
    Run(ARGS).run()
