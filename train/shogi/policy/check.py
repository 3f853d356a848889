#!/usr/bin/env python3
"""The exported network as `yomi` reads it against the network that was trained:

    check.py RUN ROWS GAMES.psv [--yomi PROGRAM] [--count N]

Compares what PyTorch computes with what the folded weights give, with ONNX Runtime if it is installed,
and with `yomi net eval` in the first positions of GAMES, the first file that the rows were made of."""
import argparse
import os
import re
import subprocess
import sys


def parser():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("run")
    p.add_argument("rows")
    p.add_argument("games")
    p.add_argument("--yomi", default="yomi")
    p.add_argument("--count", type=int, default=50)
    return p


if __name__ == "__main__":
    ARGS = parser().parse_args()  # before PyTorch is loaded, which --help does not need

import numpy as np  # noqa: E402
import torch  # noqa: E402

here = os.path.dirname(os.path.realpath(__file__))
sys.path += [os.path.join(here, "../../common"), os.path.join(here, "..")]
import checkpoint  # noqa: E402

import onnx_file  # noqa: E402
import psv  # noqa: E402
from data import Unpacker, load  # noqa: E402
from model import Net, Shape, folded, unfolded  # noqa: E402

HALF_ERROR = 0.03  # of logits: the file's weights have 16 bits, and so has the checkpoint


def read_net(run):
    state = checkpoint.load(run, "state", "cpu")
    if not state:
        sys.exit("check.py: no checkpoint in " + run)
    net = Net(Shape(**state["trainer"]["shape"]))
    net.load_state_dict(state["trainer"]["average"])
    return net.eval()


@torch.no_grad()
def outputs(net, planes):
    policy, value = net(planes.float())
    return policy.numpy(), torch.sigmoid(value).numpy()


def compare_files(net, planes, policy, value, path):
    """The folded weights computed by NumPy, the file read back as a network, and by ONNX Runtime."""
    again, chance = onnx_file.run(folded(net), planes.numpy())
    worst = max(abs(again - policy).max(), abs(chance - value).max())
    print("folded weights: %d positions, largest difference %.2g" % (len(planes), worst))
    ok = worst < 1e-3
    again, chance = outputs(unfolded(onnx_file.read(path)).eval(), planes)
    worst = max(abs(again - policy).max(), abs(chance - value).max())
    print("the file read back: largest difference %.2g" % worst)
    ok = ok and worst < HALF_ERROR
    try:
        import onnxruntime
    except ImportError:
        print("ONNX Runtime is not here")
        return ok
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    planes = planes.numpy().astype(np.float32)
    inputs = [i.name for i in session.get_inputs()]
    feed = ({inputs[0]: planes} if len(inputs) == 1 else
            {"input1": planes[:, :62], "input2": planes[:, 62:]})
    theirs = session.run(["output_policy", "output_value"], feed)
    worst = max(abs(theirs[0] - policy).max(), abs(theirs[1][:, 0] - value).max())
    print("ONNX Runtime: largest difference %.2g" % worst)
    return ok and worst < HALF_ERROR


def compare_yomi(yomi, net, path, rows, planes, games):
    """The engine's chance to win in the first positions of the games, which reach it as text."""
    records = np.fromfile(games, psv.RECORD)
    at = np.arange(0, min(len(rows), 400), 40)
    sfens = psv.sfens(torch.from_numpy(np.ascontiguousarray(records["position"][at])))
    plain = torch.zeros(len(at), dtype=torch.bool)
    inputs, *_ = Unpacker(planes, "cpu")(rows[torch.from_numpy(at)], plain)
    _, value = outputs(net, inputs)
    worst = 0.0
    for sfen, wanted in zip(sfens, value):
        said = subprocess.run([yomi, "net", "eval", path, sfen], check=True, stdout=subprocess.PIPE,
                              text=True).stdout
        chance = float(re.search(r"wins ([0-9.]+)%", said).group(1)) / 100
        worst = max(worst, abs(chance - float(wanted)))
    print("yomi net eval: %d positions, largest difference of the chance to win %.2g" % (len(at), worst))
    return worst < 0.02


def main(args):
    net = read_net(args.run)
    rows, planes = load(args.rows, "held", "cpu", 1)
    rows = rows[::max(1, len(rows) // args.count)]
    inputs, *_ = Unpacker(planes, "cpu")(rows, torch.zeros(len(rows), dtype=torch.bool))
    policy, value = outputs(net, inputs)
    path = os.path.join(args.run, "net.onnx")
    good = compare_files(net, inputs, policy, value, path)
    rows, planes = load(args.rows, "train", "cpu", 1)
    if not (compare_yomi(args.yomi, net, path, rows, planes, args.games) and good):
        sys.exit("check.py: the file is not the network")


if __name__ == "__main__":
    main(ARGS)
