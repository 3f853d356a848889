#!/usr/bin/env python3
"""Shogi networks of dlshogi's shape as PyTorch exports them to ONNX, with random weights: their outputs by
PyTorch, by ONNX Runtime if it is installed, and by a backend of ours.

    onnx_torch.py PROGRAM [BACKEND]     PROGRAM is bench_net_outputs

Prints the largest differences, and fails if one is above 1e-4."""
import os
import subprocess
import sys
import tempfile

if __name__ == "__main__" and sys.argv[1:2] in (["-h"], ["--help"]):
    print(__doc__)  # before PyTorch is loaded, which this does not need
    sys.exit()

import numpy as np  # noqa: E402
import torch  # noqa: E402
from torch import nn  # noqa: E402

COUNT = 16


class Net(nn.Module):
    def __init__(self, channels, blocks, act, planes=(62, 57), channels_last=False):
        super().__init__()
        self.act, self.channels_last = act, channels_last
        self.wide = nn.Conv2d(planes[0], channels, 3, padding=1, bias=False)
        self.narrow = nn.ModuleList([nn.Conv2d(p, channels, 1, bias=False) for p in planes if p])
        self.norm = nn.BatchNorm2d(channels)
        self.blocks = nn.ModuleList([nn.ModuleList([
            nn.Conv2d(channels, channels, 3, padding=1, bias=False), nn.BatchNorm2d(channels),
            nn.Conv2d(channels, channels, 3, padding=1, bias=False), nn.BatchNorm2d(channels)])
            for _ in range(blocks)])
        self.policy = nn.Conv2d(channels, 27, 1, bias=False)
        self.policy_bias = nn.Parameter(torch.randn(27 * 81) * 0.3)
        self.value, self.value_norm = nn.Conv2d(channels, 27, 1), nn.BatchNorm2d(27)
        self.hidden, self.last = nn.Linear(27 * 81, 256), nn.Linear(256, 1)

    def forward(self, *inputs):
        x = self.wide(inputs[0])
        for conv, planes in zip(self.narrow, inputs):
            x = x + conv(planes)
        x = self.act(self.norm(x))
        for first, first_norm, second, second_norm in self.blocks:
            x = self.act(second_norm(second(self.act(first_norm(first(x))))) + x)
        policy = torch.flatten(self.policy(x), 1) + self.policy_bias
        value = self.act(self.value_norm(self.value(x)))
        value = value.permute(0, 2, 3, 1).reshape(-1, 27 * 81) if self.channels_last else torch.flatten(value, 1)
        return policy, torch.sigmoid(self.last(self.act(self.hidden(value))))


def swish(x):
    return x * torch.sigmoid(x)


def draw_norms(net):
    for module in net.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.running_mean.normal_(0, 0.3)
            module.running_var.uniform_(0.5, 1.5)
            module.weight.data.uniform_(0.5, 1.5)
            module.bias.data.normal_(0, 0.3)
    return net.eval()


def export(net, inputs, path, folded):
    names = ["input1", "input2"][:len(inputs)]
    outputs = ["output_policy", "output_value"]
    mode = torch.onnx.TrainingMode
    kind = {"dynamo": False} if int(torch.__version__.split(".")[0]) > 1 else {}
    torch.onnx.export(net, inputs, path, opset_version=13, input_names=names, output_names=outputs,
                      dynamic_axes={name: {0: "batch"} for name in names + outputs}, do_constant_folding=folded,
                      training=mode.EVAL if folded else mode.PRESERVE, **kind)


def by_runtime(path, inputs):
    try:
        import onnxruntime
    except ImportError:
        return None
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    names = [i.name for i in session.get_inputs()]
    return session.run(["output_policy", "output_value"], {n: t.numpy() for n, t in zip(names, inputs)})


def compare(name, settings, folded, program, backend, folder):
    net = draw_norms(Net(**settings))
    split = settings.get("planes", (62, 57))
    planes = (np.random.random((COUNT, sum(split), 9, 9)) < 0.15).astype(np.uint8)
    path = os.path.join(folder, name)
    planes.tofile(path + ".planes")
    numbers = torch.from_numpy(planes.astype(np.float32))
    inputs = tuple(part.contiguous() for part, size in zip(numbers.split([s for s in split if s], 1), split))
    with torch.no_grad():
        wanted = {"PyTorch " + torch.__version__: [t.numpy() for t in net(*inputs)]}
    export(net, inputs, path + ".onnx", folded)
    runtime = by_runtime(path + ".onnx", inputs)
    if runtime:
        wanted["ONNX Runtime"] = runtime
    subprocess.run([program, path + ".onnx", backend, str(COUNT), path + ".planes", path + ".out"], check=True)
    ours = np.fromfile(path + ".out", np.float32)
    policy, value = ours[:COUNT * 27 * 81].reshape(COUNT, -1), ours[COUNT * 27 * 81:].reshape(COUNT, 1)
    worst = 0
    for other, (their_policy, their_value) in wanted.items():
        apart = abs(policy - their_policy).max(), abs(value - their_value).max()
        print("%-28s %s: policy %.1e, value %.1e" % (name, other, *apart))
        worst = max(worst, *apart)
    return worst


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    program, backend = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "reference"
    torch.manual_seed(1)
    np.random.seed(1)
    relu = torch.relu
    cases = [("relu", {"channels": 192, "blocks": 5, "act": relu}, True),
             ("swish", {"channels": 192, "blocks": 5, "act": swish}, True),
             ("norms not folded", {"channels": 96, "blocks": 3, "act": swish}, False),
             ("channels last", {"channels": 64, "blocks": 2, "act": relu, "channels_last": True}, False),
             ("104 planes", {"channels": 128, "blocks": 2, "act": relu, "planes": (104, 0)}, True)]
    with tempfile.TemporaryDirectory() as folder:
        worst = max(compare(*case, program, backend, folder) for case in cases)
    return int(worst > 1e-4)


if __name__ == "__main__":
    sys.exit(main())
