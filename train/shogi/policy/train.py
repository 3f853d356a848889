#!/usr/bin/env python3
"""Trains a shogi network with policy and value on rows made by shogi_rows:

    train.py OUT ROWS --minutes M [--call-minutes C] ...

ROWS.train is learned from, ROWS.held judges. OUT is a folder: checkpoint/ (written every minute, in
files of at most 15 MB), log.csv, curve.svg, net.onnx. Called again it goes on from the checkpoint until
M minutes of training are over in all; C ends a single call earlier. The learning rate follows the share
of M that is over. The value learns from the result of the game and from the search's score."""
import argparse
import copy
import math
import os
import sys
import time

import torch
import torch.nn.functional as F

here = os.path.dirname(os.path.realpath(__file__))
sys.path.append(os.path.join(here, "../../go"))
import checkpoint  # noqa: E402
import report  # noqa: E402
from optimizer import make  # noqa: E402

sys.path.insert(0, here)
import onnx_file  # noqa: E402
from data import Batches, Unpacker, load  # noqa: E402
from model import Net, Shape, folded  # noqa: E402

EMA_STEPS = 1500   # the averaged network looks back about this many steps, early a tenth of all
SCORE_SCALE = 600  # centipawns to a chance: the curve of the engine


def read_arguments():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("out")
    p.add_argument("rows")
    p.add_argument("--minutes", type=float, required=True)
    p.add_argument("--call-minutes", type=float, default=1e9,
                   help="wall clock of this call, from its start")
    p.add_argument("--blocks", type=int, default=6)
    p.add_argument("--channels", type=int, default=96)
    p.add_argument("--batch", type=int, default=2048)
    p.add_argument("--optimizer", choices=["muon", "adamw", "sgd"], default="muon")
    p.add_argument("--rate", type=float, default=4e-3)
    p.add_argument("--weight-decay", type=float, default=0.02)
    p.add_argument("--warmup", type=float, default=0.02, help="share of the run")
    p.add_argument("--score-share", type=float, default=0.5,
                   help="of the value's target: the score; the rest is the result")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    p.add_argument("--no-compile", action="store_true")
    p.add_argument("--report-s", type=float, default=30, help="seconds between lines of the log")
    p.add_argument("--save-s", type=float, default=60, help="seconds between checkpoints")
    p.add_argument("--held", type=int, default=32768, help="held-out positions for each line")
    return p.parse_args()


def chances(score, result, share):
    """The value's target: the chance to win of the side to move."""
    by_score = torch.sigmoid(score / SCORE_SCALE)
    by_result = (result.float() + 1) / 2
    mixed = share * by_score + (1 - share) * by_result
    return torch.where(result == 2, by_score, mixed)


class Trainer:
    def __init__(self, args):
        self.args, self.born = args, time.monotonic()
        self.cuda = args.device.startswith("cuda")
        torch.manual_seed(args.seed)
        rows, planes = load(args.rows + ".train", args.device)
        self.held, held_planes = load(args.rows + ".held", args.device)
        if planes != held_planes:
            sys.exit("train.py: %s.train and .held have different planes" % args.rows)
        self.shape = Shape(args.blocks, args.channels, planes)
        self.net = Net(self.shape).to(args.device)
        if self.cuda:
            torch.backends.cudnn.benchmark = True
            torch.set_float32_matmul_precision("high")
            self.net = self.net.to(memory_format=torch.channels_last)
        self.average = copy.deepcopy(self.net).eval()
        self.optimizers = make(self.net, args.optimizer, args.rate, args.weight_decay)
        self.step, self.seconds = 0, 0.0
        self.log = os.path.join(args.out, "log.csv")
        self.folder = os.path.join(args.out, "checkpoint")
        os.makedirs(args.out, exist_ok=True)
        self.resume()
        self.batches = Batches(rows, planes, args.batch, args.seed + self.step)
        self.unpack = Unpacker(planes, args.device)
        self.forward = self.net
        if self.cuda and not args.no_compile and hasattr(torch, "compile"):
            self.forward = torch.compile(self.net)

    # ---- going on ----

    def resume(self):
        parts = checkpoint.load(self.folder, self.args.device)
        if not parts:
            return
        if parts["net"]["shape"] != vars(self.shape):
            sys.exit("train.py: the checkpoint is of another network: %s" % parts["net"]["shape"])
        self.net.load_state_dict(parts["net"]["state"])
        self.average.load_state_dict(parts["average"])
        self.step, self.seconds = parts["net"]["step"], parts["net"]["seconds"]
        if parts["optimizer"]["kind"] == self.args.optimizer:
            for optimizer, state in zip(self.optimizers, parts["optimizer"]["state"]):
                settings = [{k: v for k, v in g.items() if k != "params"}
                            for g in optimizer.param_groups]
                optimizer.load_state_dict(state)
                for group, mine in zip(optimizer.param_groups, settings):
                    group.update(mine)  # those of this call, not the checkpoint's
        report.cut_back(self.log, self.seconds)
        print("goes on after step %d, %.1f minutes" % (self.step, self.seconds / 60), flush=True)

    def save(self):
        state = [checkpoint.halved(o.state_dict()) for o in self.optimizers]
        checkpoint.save(self.folder, {
            "net": {"state": self.net.state_dict(), "shape": vars(self.shape), "step": self.step,
                    "seconds": self.seconds},
            "average": self.average.state_dict(),
            "optimizer": {"kind": self.args.optimizer, "state": state},
        })

    # ---- a step ----

    def rate(self):
        done = min(self.seconds / (60 * self.args.minutes), 1)
        if done < self.args.warmup:
            return done / self.args.warmup
        return 0.5 + 0.5 * math.cos(math.pi * (done - self.args.warmup) / (1 - self.args.warmup))

    def autocast(self):
        return torch.autocast("cuda" if self.cuda else "cpu", torch.bfloat16, enabled=self.cuda)

    def inputs(self, planes):
        planes = planes.to(torch.bfloat16 if self.cuda else torch.float32)
        return planes.to(memory_format=torch.channels_last) if self.cuda else planes

    def losses(self, outputs, label, score, result):
        policy, value = (x.float() for x in outputs)
        target = chances(score, result, self.args.score_share)
        return {"policy": F.cross_entropy(policy, label),
                "value": F.binary_cross_entropy_with_logits(value, target)}

    def train_step(self):
        planes, label, score, result = next(self.batches)
        rate = max(self.rate(), 1e-3)
        for optimizer in self.optimizers:
            optimizer.zero_grad(set_to_none=True)
            for group in optimizer.param_groups:
                group["lr"] = rate * group["base"]
        with self.autocast():
            outputs = self.forward(self.inputs(planes))
        parts = self.losses(outputs, label, score, result)
        (parts["policy"] + parts["value"]).backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 4.0)
        for optimizer in self.optimizers:
            optimizer.step()
        self.follow()
        self.step += 1
        return parts

    @torch.no_grad()
    def follow(self):
        """The averaged network moves towards the trained one."""
        share = max(1 / EMA_STEPS, 10 / (self.step + 20))
        for a, b in zip(self.average.state_dict().values(), self.net.state_dict().values()):
            if a.is_floating_point():
                a.lerp_(b, share)
            else:
                a.copy_(b)

    # ---- judging ----

    @torch.no_grad()
    def judge(self, count):
        """On held-out positions: moves found, and winners of games that were decided."""
        sums = {"policy": 0.0, "value": 0.0, "top1": 0.0, "winner": 0.0}
        seen = decided = 0
        rows = self.held[::max(1, len(self.held) // max(count, 1))]
        for i in range(0, len(rows), 4096):
            part = rows[i:i + 4096]
            plain = torch.zeros(len(part), dtype=torch.bool, device=part.device)
            planes, label, score, result = self.unpack(part, plain)
            with self.autocast():
                outputs = self.average(self.inputs(planes))
            parts = self.losses(outputs, label, score, result)
            seen += len(part)
            for key in ("policy", "value"):
                sums[key] += float(parts[key]) * len(part)
            sums["top1"] += float((outputs[0].argmax(1) == label).sum())
            known = (result == 1) | (result == -1)
            decided += int(known.sum())
            sums["winner"] += float((((outputs[1] > 0) == (result == 1)) & known).sum())
        return {"held_top1": sums["top1"] / max(seen, 1), "held_policy": sums["policy"] / max(seen, 1),
                "held_winner": sums["winner"] / max(decided, 1), "held_value": sums["value"] / max(seen, 1)}

    def report(self, parts, speed, count):
        row = {"seconds": self.seconds, "step": self.step,
               "positions": self.step * self.args.batch, "rate": self.rate() * self.args.rate,
               "positions_per_s": speed}
        row.update({k: float(v) for k, v in parts.items()})
        row.update(self.judge(count))
        report.append(self.log, row)
        print("  ".join("%s %.5g" % item for item in row.items()), flush=True)
        if not math.isfinite(row["policy"]):
            print("train.py: the loss is no number; the last checkpoint stays", file=sys.stderr)
            sys.exit(3)

    # ---- the loop ----

    def sync(self):
        if self.cuda:
            torch.cuda.synchronize()

    def is_over(self):
        wall = time.monotonic() - self.born
        return self.seconds >= 60 * self.args.minutes or wall >= 60 * self.args.call_minutes

    def first_step(self):
        """Compiling takes a minute and is no training."""
        try:
            self.train_step()
        except Exception as error:  # the compiler's, of which there are many kinds
            if self.forward is self.net:
                raise
            print("not compiled: %s" % str(error).split("\n")[0], flush=True)
            self.forward = self.net
            self.train_step()
        self.sync()

    def run(self):
        self.first_step()
        reported = saved = mark = time.monotonic()
        steps_then, sums = self.step, None
        while not self.is_over():
            parts = {k: v.detach() for k, v in self.train_step().items()}
            sums = parts if sums is None else {k: sums[k] + v for k, v in parts.items()}
            if self.step % 20 and self.cuda:
                continue
            self.sync()
            now = time.monotonic()
            self.seconds += now - mark
            mark = now
            if now - reported < self.args.report_s:
                continue
            done = self.step - steps_then
            self.report({k: v / done for k, v in sums.items()},
                        done * self.args.batch / (now - reported), self.args.held)
            steps_then, sums = self.step, None
            if time.monotonic() - saved >= self.args.save_s:
                self.save()
                saved = time.monotonic()
            reported = mark = time.monotonic()
        self.finish(sums, self.step - steps_then, time.monotonic() - reported)

    def finish(self, sums, done, seconds):
        if done > 0:
            self.report({k: v / done for k, v in sums.items()}, done * self.args.batch / seconds,
                        len(self.held))
        self.save()
        report.draw(self.log, os.path.join(self.args.out, "curve.svg"))
        path = os.path.join(self.args.out, "net.onnx")
        onnx_file.write(path, folded(self.average))
        print("net.onnx: %.2f MB after %.1f minutes" % (os.path.getsize(path) / 1e6,
                                                        self.seconds / 60))


if __name__ == "__main__":
    Trainer(read_arguments()).run()
