"""K-P 256x2-32-32, with relative inputs or without: as PyTorch trains it, as integers, and as the file that the engine reads."""

import struct

import numpy as np
import torch
from torch import nn
from torch.nn import functional

import psv
from psv import INPUTS, NONE, RELATIVE

SUMS, HIDDEN = 256, 32
SUM_SCALE = 127          # a sum of 1.0 in the file
WEIGHT_SCALE = 64        # a weight of 1.0 in the file
FV_SCALE = 16            # the output of a hundredth of a pawn
CP_SCALE = 600           # hundredths of a pawn to a logit of 1, by the custom of shogi engines

VERSION, LAYERS_HASH = 0x7AF32F16, 0x63337156
LAYERS = (b"Network=AffineTransform[1<-32](ClippedReLU[32](AffineTransform[32<-32](ClippedReLU[32]("
          b"AffineTransform[32<-512](InputSlice[512(0:512)])))))")
# number of inputs: hash and text of them in the file
KINDS = {INPUTS: (0x3F5715FF, b"Features=K+P[1710->256x2]," + LAYERS),
         INPUTS + RELATIVE: (0x52F715FF, b"Features=K+P+RelativeKP[6912->256x2]," + LAYERS)}


def input_groups():
    """For each input the number of its kind (whose, what, and whether in hand), and that of its kind
    and rank, or kind and count in hand."""
    hands = [1, 20, 39, 44, 49, 54, 59, 64, 69, 74, 79, 82, 85, 88, 90]
    kinds, ranks = np.zeros(INPUTS, np.int64), np.zeros(INPUTS, np.int64)
    for i in range(INPUTS):
        if i < 90:
            kinds[i] = max(0, np.searchsorted(hands, i, "right") - 1)
            ranks[i] = i
        else:
            kinds[i] = len(hands) - 1 + (i - 90) // 81
            ranks[i] = 90 + (i - 90) // 81 * 9 + (i - 90) % 9
    return torch.from_numpy(kinds), torch.from_numpy(ranks)


def rounded(layer, x, scale):
    """A layer with the weights that the file will hold. Learning sees through the rounding."""
    off = (layer.weight * scale).round() / scale - layer.weight
    return functional.linear(x, layer.weight + off.detach(), layer.bias)


class Net(nn.Module):
    """Gives the logit of winning for the side to move."""

    def __init__(self, cp_scale=CP_SCALE, relative=False):
        super().__init__()
        self.cp_scale = cp_scale
        self.relative = nn.Parameter(torch.zeros(RELATIVE, SUMS)) if relative else None
        # An input's weights are a sum: what its kind of piece has, what that adds on its rank, and
        # what is its own. So inputs that hardly ever are on know at least what they are.
        kinds, ranks = input_groups()
        self.register_buffer("kind_of", kinds)
        self.register_buffer("rank_of", ranks)
        self.own = nn.Parameter(torch.zeros(INPUTS, SUMS))
        self.by_rank = nn.Parameter(torch.zeros(int(ranks.max()) + 1, SUMS))
        self.by_kind = nn.Parameter(torch.randn(int(kinds.max()) + 1, SUMS) * 0.05)
        self.bias = nn.Parameter(torch.full((SUMS,), 0.5))
        self.layer1 = nn.Linear(2 * SUMS, HIDDEN)
        self.layer2 = nn.Linear(HIDDEN, HIDDEN)
        self.layer3 = nn.Linear(HIDDEN, 1)
        nn.init.zeros_(self.layer3.bias)

    def sum_weights(self):
        return self.own + self.by_rank[self.rank_of] + self.by_kind[self.kind_of]

    def forward(self, inputs):
        weights = functional.pad(self.sum_weights(), (0, 0, 0, 1))  # of NONE: 0
        if self.relative is not None:
            inputs = psv.with_relative(inputs)
            weights = torch.cat([weights, self.relative])
        flat = inputs.reshape(-1, inputs.shape[-1])
        sums = functional.embedding_bag(flat, weights, mode="sum", padding_idx=NONE) + self.bias
        x = sums.view(len(inputs), 2 * SUMS).clamp(0, 1)
        x = rounded(self.layer1, x, WEIGHT_SCALE).clamp(0, 1)
        x = rounded(self.layer2, x, WEIGHT_SCALE).clamp(0, 1)
        return rounded(self.layer3, x, self.output_scale()).squeeze(1)

    def output_scale(self):
        """A last weight of 1.0 in the file."""
        return self.cp_scale * FV_SCALE / SUM_SCALE

    def clip(self):
        """Keeps weights within what the file can hold."""
        with torch.no_grad():
            for layer in (self.layer1, self.layer2):
                layer.weight.clamp_(-127 / WEIGHT_SCALE, 127 / WEIGHT_SCALE)
            top = 127 / self.output_scale()
            self.layer3.weight.clamp_(-top, top)

    def integers(self):
        """The numbers of the file. Layers round down when they divide by 64, so that half of it is
        added to their biases."""
        def scaled(tensor, scale, kind, add=0):
            info = np.iinfo(kind)
            array = np.round(tensor.detach().cpu().double().numpy() * scale) + add
            return np.clip(array, info.min, info.max).astype(kind)
        out, weights = self.output_scale(), self.sum_weights()
        if self.relative is not None:
            weights = torch.cat([weights, self.relative])
        return {
            "sum_biases": scaled(self.bias, SUM_SCALE, np.int16),
            "sum_weights": scaled(weights, SUM_SCALE, np.int16),
            "biases1": scaled(self.layer1.bias, SUM_SCALE * WEIGHT_SCALE, np.int32, 32),
            "weights1": scaled(self.layer1.weight, WEIGHT_SCALE, np.int8),
            "biases2": scaled(self.layer2.bias, SUM_SCALE * WEIGHT_SCALE, np.int32, 32),
            "weights2": scaled(self.layer2.weight, WEIGHT_SCALE, np.int8),
            "bias3": scaled(self.layer3.bias, SUM_SCALE * out, np.int32),
            "weights3": scaled(self.layer3.weight, out, np.int8),
        }


def evaluate_integers(numbers, inputs):
    """What the engine computes: the output before FV_SCALE, for (N, 2, 40) inputs."""
    weights = np.insert(numbers["sum_weights"], NONE, 0, axis=0).astype(np.int64)
    if len(weights) > INPUTS + 1:
        inputs = psv.with_relative(torch.from_numpy(inputs).long()).numpy()
    sums = weights[inputs].sum(2) + numbers["sum_biases"]
    sums = sums.astype(np.int16).astype(np.int64)  # they wrap
    x = sums.reshape(len(inputs), 2 * SUMS).clip(0, 127)
    for i in ("1", "2"):
        x = x @ numbers["weights" + i].astype(np.int64).T + numbers["biases" + i]
        x = (x >> 6).clip(0, 127)
    return (x @ numbers["weights3"].astype(np.int64).T + numbers["bias3"])[:, 0]


ORDER = ("biases1", "weights1", "biases2", "weights2", "bias3", "weights3")


def write(path, numbers):
    hash_, text = KINDS[len(numbers["sum_weights"])]
    with open(path, "wb") as file:
        file.write(struct.pack("<III", VERSION, hash_ ^ LAYERS_HASH, len(text)) + text)
        file.write(struct.pack("<I", hash_))
        file.write(numbers["sum_biases"].tobytes() + numbers["sum_weights"].tobytes())
        file.write(struct.pack("<I", LAYERS_HASH))
        for name in ORDER:
            file.write(numbers[name].tobytes())


def read(path):
    """The numbers of a file."""
    with open(path, "rb") as file:
        data = file.read()
    version, hash_, size = struct.unpack_from("<III", data)
    inputs = [n for n, (of_inputs, text) in KINDS.items()
              if hash_ == of_inputs ^ LAYERS_HASH and data[12:12 + size] == text]
    if version != VERSION or not inputs:
        raise SystemExit("%s: not K-P 256x2-32-32" % path)
    at = 12 + size + 4

    def take(kind, *shape):
        nonlocal at
        array = np.frombuffer(data, kind, int(np.prod(shape)), at).reshape(shape)
        at += array.nbytes
        return array
    numbers = {"sum_biases": take("<i2", SUMS), "sum_weights": take("<i2", inputs[0], SUMS)}
    at += 4
    shapes = {"biases1": ("<i4", HIDDEN), "weights1": ("i1", HIDDEN, 2 * SUMS),
              "biases2": ("<i4", HIDDEN), "weights2": ("i1", HIDDEN, HIDDEN),
              "bias3": ("<i4", 1), "weights3": ("i1", 1, HIDDEN)}
    for name in ORDER:
        numbers[name] = take(*shapes[name])
    return numbers


def from_integers(numbers, cp_scale=CP_SCALE, relative=False):
    """A net to train on, from a file. Relative inputs that the file does not have begin with 0."""
    has_relative = len(numbers["sum_weights"]) > INPUTS
    net = Net(cp_scale, relative or has_relative)
    out = net.output_scale()

    def put(parameter, array, scale, add=0):
        parameter.copy_(torch.from_numpy((array.astype(np.float64) - add) / scale).float())
    with torch.no_grad():
        put(net.bias, numbers["sum_biases"], SUM_SCALE)
        put(net.own, numbers["sum_weights"][:INPUTS], SUM_SCALE)
        if has_relative:
            put(net.relative, numbers["sum_weights"][INPUTS:], SUM_SCALE)
        net.by_kind.zero_()
        for i, layer in (("1", net.layer1), ("2", net.layer2)):
            put(layer.bias, numbers["biases" + i], SUM_SCALE * WEIGHT_SCALE, 32)
            put(layer.weight, numbers["weights" + i], WEIGHT_SCALE)
        put(net.layer3.bias, numbers["bias3"], SUM_SCALE * out)
        put(net.layer3.weight, numbers["weights3"], out)
    return net
