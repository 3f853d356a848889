"""HalfKA zones and K-P networks while they learn, and their files.

Every number that the engine rounds is rounded here, too; gradients pass through the roundings. Weights of
sums of a zones network have three parts: of the input alone, of the piece whatever the zone, and of its offset from
the king. Those of K-P networks are as in the file.
"""

import struct

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

import zones

SUMS, HIDDEN = 256, 32
ONE, WEIGHT_ONE, TOP, FV_SCALE = 127.0, 64.0, 127.0, 16.0
LAYERS = ("Network=AffineTransform[1<-32](ClippedReLU[32](AffineTransform[32<-32](ClippedReLU[32]("
          "AffineTransform[32<-512](InputSlice[512(0:512)])))))")
VERSION, LAYERS_HASH = 0x7AF32F16, 0x63337156
KINDS = {  # text, hash, inputs
    "kp": ("Features=K+P[1710->256x2]," + LAYERS, 0x3F5715FF, zones.KP),
    "relative": ("Features=K+P+RelativeKP[6912->256x2]," + LAYERS, 0x52F715FF, zones.KP_RELATIVE),
    "zones": ("Features=HalfKA_zones[30996->256x2]," + LAYERS, 0x6B2E15FF, zones.INPUTS),
}


class _Rounded(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, down):
        return torch.floor(x) if down else torch.round(x)

    @staticmethod
    def backward(ctx, slope):
        return slope, None


def rounded(x):
    return _Rounded.apply(x, False)


class Net(nn.Module):
    def __init__(self, cp, kind):
        """cp: hundredths of a pawn that are a logit of 1."""
        super().__init__()
        self.output_one, self.kind = cp * FV_SCALE, kind
        self.bias = nn.Parameter(torch.full((SUMS,), 0.5))
        self.layer1 = nn.Linear(2 * SUMS, HIDDEN)
        self.layer2 = nn.Linear(HIDDEN, HIDDEN)
        self.layer3 = nn.Linear(HIDDEN, 1)
        if kind != "zones":
            self.weights = nn.Parameter(0.02 * torch.randn(KINDS[kind][2], SUMS))
            with torch.no_grad():
                self.weights[zones.KP:] = 0
            return
        self.zoned = nn.Parameter(torch.zeros(zones.ZONES, zones.PER_ZONE, SUMS))
        self.pieces = nn.Parameter(0.02 * torch.randn(zones.PER_ZONE, SUMS))
        self.relative = nn.Parameter(torch.zeros(zones.RELATIVE, SUMS))
        self.own = nn.Parameter(torch.zeros(zones.OWN, SUMS))
        self.register_buffer("offsets", torch.from_numpy(zones.relatives()).flatten())

    def parts(self):
        """Weights of sums that belong to a zone alone, the other weights of sums, all others."""
        alone = [self.zoned] if self.kind == "zones" else []
        sums = [self.pieces, self.relative, self.own] if self.kind == "zones" else [self.weights]
        return alone, sums, [self.bias, *self.layer1.parameters(), *self.layer2.parameters(), *self.layer3.parameters()]

    def rows(self):
        """Weights of sums, a row for each input, as integers."""
        if self.kind != "zones":
            return rounded(ONE * self.weights)
        relative = torch.cat([self.relative, self.relative.new_zeros(1, SUMS)])
        zoned = self.zoned + self.pieces + F.embedding(self.offsets, relative).view_as(self.zoned)
        return rounded(ONE * torch.cat([zoned.flatten(0, 1), self.own]))

    def integers(self):
        """The file's numbers, as floats."""
        one = self.output_one / ONE
        return {"bias": rounded(ONE * self.bias), "rows": self.rows(),
                "weights1": rounded(WEIGHT_ONE * self.layer1.weight),
                "biases1": rounded(ONE * WEIGHT_ONE * self.layer1.bias) + WEIGHT_ONE / 2,
                "weights2": rounded(WEIGHT_ONE * self.layer2.weight),
                "biases2": rounded(ONE * WEIGHT_ONE * self.layer2.bias) + WEIGHT_ONE / 2,
                "weights3": rounded(one * self.layer3.weight), "bias3": rounded(ONE * one * self.layer3.bias)}

    def sums(self, inputs, integers):
        rows = integers["rows"]
        if self.kind == "relative":  # a piece in hand has no offset: its row is zero
            rows = torch.cat([rows, rows.new_zeros(1, SUMS)])
        return F.embedding_bag(inputs, rows, mode="sum") + integers["bias"]

    def forward(self, us, them):
        """Logits of winning, from rows of inputs [n][40] of both sides."""
        i = self.integers()
        x = self.sums(torch.cat([us, them]), i).clamp(0, TOP).view(2, len(us), SUMS).transpose(0, 1).flatten(1)
        for layer in ("1", "2"):
            x = F.linear(x, i["weights" + layer], i["biases" + layer])
            x = _Rounded.apply(x / WEIGHT_ONE, True).clamp(0, TOP)
        return F.linear(x, i["weights3"], i["bias3"]).squeeze(1) / self.output_one

    @torch.no_grad()
    def clip(self):
        """Weights that the file's bytes can hold."""
        for layer, one in ((self.layer1, WEIGHT_ONE), (self.layer2, WEIGHT_ONE),
                           (self.layer3, self.output_one / ONE)):
            layer.weight.clamp_(-TOP / one, TOP / one)

    def _share(self, zoned):
        """As much as can be in the parts that zones share: what a zone has alone is drawn to zero while learning."""
        self.pieces.copy_(zoned.mean(0))
        alone = zoned - self.pieces
        sums = torch.zeros(zones.RELATIVE + 1, SUMS).index_add_(0, self.offsets, alone.flatten(0, 1))
        counts = torch.bincount(self.offsets, minlength=zones.RELATIVE + 1).clamp(min=1)
        means = sums / counts[:, None]
        means[zones.RELATIVE] = 0  # pieces in hand have no offset
        self.relative.copy_(means[:-1])
        self.zoned.copy_(alone - F.embedding(self.offsets, means).view_as(zoned))

    @torch.no_grad()
    def start(self, net, cp):
        """From the numbers of a network, for which a logit of 1 is cp: of any kind for zones, else not of zones."""
        rows = torch.from_numpy(net["rows"].astype(np.float32)) / ONE
        if len(rows) == zones.INPUTS:
            self._share(rows[:-zones.OWN].view_as(self.zoned))
            self.own.copy_(rows[-zones.OWN:])
        elif self.kind == "zones":
            king = zones.PIECES + zones.SQUARES
            self.pieces.copy_(torch.cat([rows[:zones.PIECES], rows[king:zones.KP]]))
            self.own.copy_(rows[zones.PIECES:zones.PIECES + zones.OWN])
            self.relative[:len(rows) - zones.KP].copy_(rows[zones.KP:])
        else:
            common = min(len(rows), len(self.weights))
            self.weights[:common].copy_(rows[:common])
        one = cp * FV_SCALE / ONE
        self.bias.copy_(torch.from_numpy(net["bias"]) / ONE)
        for layer, n, scale, more in ((self.layer1, "1", WEIGHT_ONE, WEIGHT_ONE / 2),
                                      (self.layer2, "2", WEIGHT_ONE, WEIGHT_ONE / 2), (self.layer3, "3", one, 0)):
            layer.weight.copy_(torch.from_numpy(net["weights" + n]) / scale)
            bias = torch.from_numpy(net["bias3" if n == "3" else "biases" + n])
            layer.bias.copy_((bias - more) / (ONE * scale))


def write(path, net):
    """net: what Net.integers() gives."""
    n = {name: t.detach().cpu().numpy() for name, t in net.items()}
    text, mark, _ = KINDS[kind_of(n)]
    assert abs(n["rows"]).max() < 32768
    with open(path, "wb") as f:
        f.write(struct.pack("<III", VERSION, mark ^ LAYERS_HASH, len(text)) + text.encode())
        f.write(struct.pack("<I", mark))
        f.write(n["bias"].astype("<i2").tobytes() + n["rows"].astype("<i2").tobytes())
        f.write(struct.pack("<I", LAYERS_HASH))
        for layer in ("1", "2"):
            f.write(n["biases" + layer].astype("<i4").tobytes() + n["weights" + layer].astype("i1").tobytes())
        f.write(n["bias3"].astype("<i4").tobytes() + n["weights3"].astype("i1").tobytes())


def kind_of(net):
    """net: the numbers of a file."""
    return next(name for name, kind in KINDS.items() if kind[2] == len(net["rows"]))


def read(path):
    """The numbers of a K-P, K-P relative or zones network. Raises ValueError for other files."""
    with open(path, "rb") as f:
        data = f.read()
    size = struct.unpack_from("<I", data, 8)[0] if len(data) > 12 else 0
    kinds = [k for k in KINDS.values() if data[12:12 + size] == k[0].encode()]
    if not kinds:
        raise ValueError(f"{path}: neither a K-P, K-P relative nor a HalfKA zones network")
    inputs, at, net = kinds[0][2], 12 + size + 4, {}

    def take(name, kind, *shape):
        nonlocal at
        count = int(np.prod(shape))
        if at + count * np.dtype(kind).itemsize > len(data):
            raise ValueError(f"{path}: the file ends in its {name}")
        net[name] = np.frombuffer(data, kind, count, at).astype(np.float32).reshape(shape)
        at += count * np.dtype(kind).itemsize

    take("bias", "<i2", SUMS)
    take("rows", "<i2", inputs, SUMS)
    at += 4
    take("biases1", "<i4", HIDDEN)
    take("weights1", "i1", HIDDEN, 2 * SUMS)
    take("biases2", "<i4", HIDDEN)
    take("weights2", "i1", HIDDEN, HIDDEN)
    take("bias3", "<i4", 1)
    take("weights3", "i1", 1, HIDDEN)
    return net


def mean(nets):
    """Of the numbers of networks of one kind."""
    if len({len(net["rows"]) for net in nets}) > 1:
        raise ValueError("networks of several kinds have no mean")
    return {name: sum(net[name] for net in nets) / len(nets) for name in nets[0]}
