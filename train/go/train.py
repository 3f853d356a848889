#!/usr/bin/env python3
"""Trains a Go network on rows made by go_rows; common/arguments.py says how it is called."""
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../common"))
import arguments  # noqa: E402


def parser():
    p = arguments.parser()
    p.add_argument("--pool", type=int, default=32, help="pooled channels of a pooling block")
    p.add_argument("--name", default="yomi-go")
    return p


if __name__ == "__main__":
    ARGS = parser().parse_args()  # before PyTorch is loaded, which --help does not need

import torch  # noqa: E402

import supervised  # noqa: E402
from data import GRID, Batches, Unpacker, load  # noqa: E402
from export import export  # noqa: E402
from losses import Tally, losses  # noqa: E402
from model import Net, Shape  # noqa: E402


class Run(supervised.Supervised):
    file = "net.bin.gz"
    losses = staticmethod(losses)

    def load(self):
        args = self.args
        self.batches = Batches(load(args.rows + ".train", args.device), args.batch, args.seed)
        self.held = load(args.rows + ".held", args.device)
        self.unpack = Unpacker(args.device)

    def network(self):
        return Net(Shape(self.args.blocks, self.args.channels, self.args.pool))

    def export(self, net, path):
        export(net, path, self.args.name)

    @torch.no_grad()
    def judge(self, rows):
        tally = Tally()
        for i in range(0, len(rows), 4096):
            part = rows[i : i + 4096]
            zeros = torch.zeros(len(part), dtype=torch.long, device=part.device)
            planes, numbers, move, result, _ = self.unpack(part, zeros)
            outputs = self.trainer.run(self.trainer.average, (planes, numbers))
            tally.add(outputs, move, result, part[:, 428] == GRID)
        return tally.summary()


if __name__ == "__main__":
    Run(ARGS).run()
