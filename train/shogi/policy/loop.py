#!/usr/bin/env python3
"""The learning loop of shogi; common/loop_arguments.py says how it is called. --start is an ONNX file that
onnx_file.py wrote, or none."""
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../common"))
import loop_arguments  # noqa: E402

if __name__ == "__main__":
    ARGS = loop_arguments.parser().parse_args()  # before PyTorch is loaded, which --help does not need

import onnx_file  # noqa: E402
import play_data  # noqa: E402
import selfplay_loop  # noqa: E402
from model import Net, Shape, folded, unfolded  # noqa: E402


class ShogiLoop(selfplay_loop.Loop):
    words, file, parts = ["shogi", "--search", "puct"], "net.onnx", ["policy", "value"]
    window = play_data.Window

    def losses(self, outputs, targets):
        return play_data.play_losses(outputs, targets, self.args.search_share)

    def new_net(self):
        return Net(Shape(self.args.blocks, self.args.channels, play_data.PLANES))

    @staticmethod
    def read_net(path):
        return unfolded(onnx_file.read(path))

    @staticmethod
    def export(net, path, name):
        onnx_file.write(path, folded(net), name)

    @staticmethod
    def calibrate(net, inputs):
        sys.exit("loop.py: a network from a file keeps its normalisation; leave out --norm batch")

    @staticmethod
    def play_words():
        return []

    match_words = play_words


if __name__ == "__main__":
    if not ARGS.start:
        sys.exit("loop.py: give --start NET.onnx, or --start none for a new network")
    selfplay_loop.run(ShogiLoop, ARGS)
