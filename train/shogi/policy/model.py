"""The network: a residual tower, a policy of 27 x 81 and a chance to win."""
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Shape:
    blocks: int
    channels: int
    planes: int
    values: int = 16  # channels of the value head
    hidden: int = 128


def conv(from_channels, to_channels, size):
    return nn.Sequential(nn.Conv2d(from_channels, to_channels, size, padding=size // 2, bias=False),
                         nn.BatchNorm2d(to_channels))


class Block(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.first, self.second = conv(channels, channels, 3), conv(channels, channels, 3)

    def forward(self, x):
        return torch.relu(self.second(torch.relu(self.first(x))) + x)


class Net(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        self.stem = conv(shape.planes, shape.channels, 3)
        self.tower = nn.Sequential(*[Block(shape.channels) for _ in range(shape.blocks)])
        self.policy = nn.Conv2d(shape.channels, 27, 1, bias=False)
        self.policy_bias = nn.Parameter(torch.zeros(27 * 81))
        self.value = conv(shape.channels, shape.values, 1)
        self.hidden = nn.Linear(shape.values * 81, shape.hidden)
        self.out = nn.Linear(shape.hidden, 1)

    def forward(self, x):
        """Logits of the moves, and the logit of winning."""
        x = self.tower(torch.relu(self.stem(x)))
        policy = self.policy(x).flatten(1) + self.policy_bias
        value = torch.relu(self.value(x)).flatten(1)
        return policy, self.out(torch.relu(self.hidden(value)))[:, 0]


@torch.no_grad()
def folded(net):
    """The weights as onnx_file.py has them: normalisation folded into the convolutions."""
    def fold(layer):
        w, norm = layer[0].weight.double(), layer[1]
        scale = norm.weight.double() / torch.sqrt(norm.running_var.double() + norm.eps)
        bias = norm.bias.double() - norm.running_mean.double() * scale
        return (w * scale[:, None, None, None]), bias

    parts = {}
    parts["stem.w"], parts["stem.b"] = fold(net.stem)
    for i, block in enumerate(net.tower):
        name = "block%d." % i
        parts[name + "w1"], parts[name + "b1"] = fold(block.first)
        parts[name + "w2"], parts[name + "b2"] = fold(block.second)
    parts["policy.w"], parts["policy.b"] = net.policy.weight, net.policy_bias
    parts["value.w"], parts["value.b"] = fold(net.value)
    for name, layer in (("hidden", net.hidden), ("out", net.out)):
        parts[name + ".w"], parts[name + ".b"] = layer.weight, layer.bias
    return {name: part.detach().float().cpu().numpy() for name, part in parts.items()}


def unfolded(parts):
    """The network of such weights: normalisation with mean 0 and variance 1."""
    stem, value = parts["stem.w"], parts["value.w"]
    blocks = sum(name.endswith(".w1") and name.startswith("block") for name in parts)
    net = Net(Shape(blocks, stem.shape[0], stem.shape[1], value.shape[0], parts["hidden.w"].shape[0]))

    def put(layer, name):
        layer[0].weight.data.copy_(torch.from_numpy(parts[name % "w"]))
        layer[1].bias.data.copy_(torch.from_numpy(parts[name % "b"]))
        layer[1].running_var.fill_(1 - layer[1].eps)

    put(net.stem, "stem.%s")
    for i, block in enumerate(net.tower):
        put(block.first, "block%d.%%s1" % i)
        put(block.second, "block%d.%%s2" % i)
    put(net.value, "value.%s")
    net.policy.weight.data.copy_(torch.from_numpy(parts["policy.w"]))
    net.policy_bias.data.copy_(torch.from_numpy(parts["policy.b"]))
    for name, layer in (("hidden", net.hidden), ("out", net.out)):
        layer.weight.data.copy_(torch.from_numpy(parts[name + ".w"]))
        layer.bias.data.copy_(torch.from_numpy(parts[name + ".b"]))
    return net
