"""Training on files of rows, for a number of minutes that may be spread over calls; arguments.py says how it is
called."""
import math
import os
import sys
import time

import torch

import checkpoint
import report
from trainer import Trainer


class Supervised:
    """A game gives, in a class of its own:

    file                the name of the network's file
    load()              sets batches (each a pair for trainer.py) and held (rows)
    network()           the network to train
    losses(outputs, targets)
    judge(rows)         held_top1, held_policy, held_winner, held_value of the average
    export(net, path)"""

    def __init__(self, args):
        args.device = args.device or ("cuda" if torch.cuda.is_available() else "cpu")
        if args.minutes <= 0 and args.call_minutes > 1e6:
            sys.exit("train.py: --minutes 0 needs --call-minutes")
        self.args, self.born = args, time.monotonic()
        torch.manual_seed(args.seed)
        self.load()
        self.trainer = Trainer(self.network(), self.losses, args.device, args.rate, args.optimizer,
                               args.weight_decay, args.ema_steps, compiled=not args.no_compile,
                               graphs=args.graphs, frozen=self.goes_on())
        self.seconds = 0.0
        self.log = os.path.join(args.out, "log.csv")
        os.makedirs(args.out, exist_ok=True)
        self.resume()

    # ---- going on ----

    def goes_on(self):
        """Whether the network was trained before: then it keeps its normalisation."""
        return bool(getattr(self.args, "start", None))

    def resume(self):
        state = checkpoint.load(self.args.out, "state", self.args.device)
        if not state:
            if os.path.exists(os.path.join(self.args.out, self.file)):
                sys.exit("train.py: %s has a network, but no checkpoint (state.0) to go on from; begin in another "
                         "folder" % self.args.out)
            report.cut_back(self.log, -1)  # of a call that was killed before its first checkpoint
            return
        try:
            self.trainer.restore(state["trainer"])
        except ValueError as error:
            sys.exit("train.py: %s" % error)
        self.seconds = state["seconds"]
        self.batches.random.manual_seed(self.args.seed + self.trainer.step)
        report.cut_back(self.log, self.seconds)
        print("goes on after step %d, %.1f minutes" % (self.trainer.step, self.seconds / 60),
              flush=True)

    def save(self):
        checkpoint.save(self.args.out, "state", {"trainer": self.trainer.state(),
                                                 "seconds": self.seconds})

    # ---- the log ----

    def rate(self):
        done = min(self.seconds / max(60 * self.args.minutes, 1), 1)
        if done < self.args.warmup:
            return done / self.args.warmup
        return 0.5 + 0.5 * math.cos(math.pi * (done - self.args.warmup) / (1 - self.args.warmup))

    def report(self, parts, speed, count):
        step = self.trainer.step
        row = {"seconds": self.seconds, "step": step, "positions": step * self.args.batch,
               "rate": self.rate() * self.args.rate, "positions_per_s": speed}
        row.update({k: float(v) for k, v in parts.items() if k in report.COLUMNS})
        row.update(self.judge(self.held[:: max(1, len(self.held) // max(count, 1))]))
        report.append(self.log, row)
        print("  ".join("%s %.5g" % item for item in row.items()), flush=True)
        if not math.isfinite(row["policy"]):
            self.give_up("the loss is no number")
        if self.seconds >= self.args.most_loss_after and row["policy"] > self.args.most_loss:
            self.give_up("it does not learn")

    @staticmethod
    def give_up(why):
        print("train.py: %s; the last checkpoint stays" % why, file=sys.stderr)
        sys.exit(3)

    # ---- the loop ----

    def is_over(self):
        wall = time.monotonic() - self.born
        return self.seconds >= 60 * self.args.minutes or wall >= 60 * self.args.call_minutes

    def train_step(self):
        return self.trainer.train_step(next(self.batches), max(self.rate(), 1e-3))

    def run(self):
        begun = time.monotonic()  # compiling takes a minute and is no training
        self.trainer.first_step(next(self.batches), max(self.rate(), 1e-3))
        print("first step after %.0f s" % (time.monotonic() - begun), flush=True)
        fills = self.args.minutes == 0  # then reports count as training: the clock rules
        if fills:
            left = 60 * self.args.call_minutes - (time.monotonic() - self.born)
            self.args.minutes = (self.seconds + max(left, 1)) / 60
        reported = saved = mark = time.monotonic()
        steps_then, sums = self.trainer.step, None
        while not self.is_over():
            parts = self.train_step()
            sums = parts if sums is None else {k: sums[k] + v for k, v in parts.items()}
            if self.trainer.step % 20 and self.trainer.cuda:
                continue
            self.trainer.sync()
            now = time.monotonic()
            self.seconds += now - mark
            mark = now
            if now - reported < self.args.report_s:
                continue
            done = self.trainer.step - steps_then
            self.report({k: v / done for k, v in sums.items()},
                        done * self.args.batch / (now - reported), self.args.held)
            steps_then, sums = self.trainer.step, None
            if time.monotonic() - saved >= self.args.save_s:
                self.save()
                saved = time.monotonic()
            reported = time.monotonic()
            mark = mark if fills else reported
        self.finish(sums, self.trainer.step - steps_then, time.monotonic() - reported)

    def finish(self, sums, done, seconds):
        if done > 0:
            self.report({k: v / done for k, v in sums.items()}, done * self.args.batch / seconds,
                        len(self.held))
        self.save()
        report.draw(self.log, os.path.join(self.args.out, "curve.svg"))
        path = os.path.join(self.args.out, self.file)
        self.export(self.trainer.average, path)
        print("%s: %.2f MB after %.1f minutes" % (self.file, os.path.getsize(path) / 1e6,
                                                  self.seconds / 60))
