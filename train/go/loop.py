#!/usr/bin/env python3
"""The learning loop of Go; common/loop_arguments.py says how it is called."""
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../common"))
import loop_arguments  # noqa: E402


def parser():
    p = loop_arguments.parser()
    p.set_defaults(start=os.path.join(loop_arguments.TOP, "nets/go.bin.gz"))
    p.add_argument("--size", default="9", help="as for yomi selfplay")
    return p


if __name__ == "__main__":
    ARGS = parser().parse_args()  # before PyTorch is loaded, which --help does not need

import import_net  # noqa: E402
import netfile  # noqa: E402
import play_data  # noqa: E402
import selfplay_loop  # noqa: E402
from export import export  # noqa: E402
from model import Net, Shape  # noqa: E402
from play_losses import WEIGHTS, play_losses  # noqa: E402


class GoLoop(selfplay_loop.Loop):
    words, file, parts = ["go"], "net.bin.gz", list(WEIGHTS)
    window = play_data.Window
    export = staticmethod(export)

    def losses(self, outputs, targets):
        return play_losses(outputs, targets, self.args.search_share)

    def new_net(self):
        channels = self.args.channels
        return Net(Shape(blocks=self.args.blocks, channels=channels, pool=channels // 4))

    @staticmethod
    def read_net(path):
        return import_net.model_of(netfile.read(path))

    @staticmethod
    def calibrate(net, inputs):
        planes, numbers = inputs
        import_net.calibrate(net, planes.float(), numbers)

    def play_words(self):
        return ["--size", self.args.size]

    match_words = play_words


if __name__ == "__main__":
    selfplay_loop.run(GoLoop, ARGS)
