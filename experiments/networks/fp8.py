#!/usr/bin/env python3
"""What a network loses when its convolutions are computed in fewer bits: FP8, bytes, fp16.

    fp8.py --net FILE ROWS [--size N] [--count N] [--variant NAME]...

FILE is a Go network in KataGo's format (.bin.gz) or a shogi network as ONNX, of the kinds that train/ makes;
ROWS are positions as go_rows, shogi_rows or play_rows write them. Takes positions that lie evenly in ROWS,
others between them for the scales, computes all in PyTorch, and prints a line for each variant:

  first move  the same as in floats, of 100 positions, with the 95% interval by Wilson
  clear       first moves that differ, of the positions where the floats' first move is likelier than their
              second by more than 0.05
  win rate    absolute difference: mean, largest
  KL          divergence of the policy from that of the floats, mean, in nats

Numbers are rounded as the formats have them; products are summed in floats. In Go occupied points are no
moves; in shogi all labels of the policy count. Inputs of convolutions have a scale by the largest value
of the other positions, weights one for each output; values beyond the format's largest become that.
Biases, sums of pooling and what follows a dense layer stay floats."""
import argparse
import math
import os
import sys

# weights, inputs: the formats of convolutions; scale: of inputs; skip: the format of what blocks add to;
# parts: where convolutions have these formats. Elsewhere they have fp16, or floats if skip has.
EVERY, TOWER = ("stem", "tower", "heads"), ("tower",)
VARIANTS = {
    "fp16": ("fp16", "fp16", "layer", "fp16", EVERY),
    "int8-cpu": ("int8", "int8", "position", "float", TOWER),
    "int8": ("int8", "int8", "layer", "fp16", TOWER),
    "int8-channel": ("int8", "int8", "channel", "fp16", TOWER),
    "e4m3": ("e4m3", "e4m3", "layer", "fp16", EVERY),
    "e4m3-channel": ("e4m3", "e4m3", "channel", "fp16", EVERY),
    "e4m3-skip": ("e4m3", "e4m3", "layer", "e4m3", EVERY),
    "e4m3-tower": ("e4m3", "e4m3", "layer", "fp16", TOWER),
    "e4m3-tower-channel": ("e4m3", "e4m3", "channel", "fp16", TOWER),
    "e4m3-weights": ("e4m3", "fp16", "layer", "fp16", TOWER),
    "e4m3-inputs": ("fp16", "e4m3", "layer", "fp16", TOWER),
    "e5m2-tower": ("e5m2", "e5m2", "layer", "fp16", TOWER),
}
CLEAR = 0.05


def parser():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("rows", metavar="ROWS")
    p.add_argument("--net", metavar="FILE", required=True)
    p.add_argument("--size", metavar="N", type=int, help="Go: only boards of this size (default: 9)",
                   default=9)
    p.add_argument("--count", metavar="N", type=int, default=1000, help="positions (default: 1000)")
    p.add_argument("--scale-count", metavar="N", type=int, default=200,
                   help="positions for the scales (default: 200)")
    p.add_argument("--batch", metavar="N", type=int, default=50)
    p.add_argument("--threads", metavar="N", type=int, default=1)
    p.add_argument("--variant", metavar="NAME", action="append", choices=list(VARIANTS),
                   help="one of " + ", ".join(VARIANTS) + " (default: all)")
    return p


if __name__ == "__main__":
    ARGS = parser().parse_args()  # before PyTorch is loaded, which --help does not need

import torch  # noqa: E402
from torch.nn import functional as F  # noqa: E402

TRAIN = os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../train/")

# ---- formats ----

# bits of the mantissa, exponent of the least normal number, largest number
FLOATS = {"e4m3": (3, -6, 448.0), "e5m2": (2, -14, 57344.0)}
# What the largest input and the largest weight become. Other positions may have larger inputs, and for
# them floats have a reserve of four times at next to no cost. Bytes of inputs are 0 to 255, as
# convolutions read what a relu has written.
SCALED = {"e4m3": (112.0, 448.0), "e5m2": (14336.0, 57344.0), "int8": (255.0, 127.0)}


def rounded(x, form):
    """The nearest number of a format, of two the even one; too large ones become the largest."""
    if form == "float":
        return x
    if form == "fp16":
        return x.half().float()
    if form == "int8":
        return x.round().clamp(-127, 255)
    mantissa, least, largest = FLOATS[form]
    exponent = (torch.frexp(x)[1] - 1).clamp(min=least)
    step = torch.ldexp(torch.ones_like(x), exponent - mantissa)
    return ((x / step).round() * step).clamp(-largest, largest)


def in_scale(x, form, largest, weights=False):
    """x rounded, where `largest` (a tensor that fits x) becomes the number of SCALED."""
    if form not in SCALED:
        return rounded(x, form)
    scale = largest.clamp(min=1e-20) / SCALED[form][weights]
    return rounded(x / scale, form) * scale


# ---- a network's operations in a variant ----

class Floats:
    """In floats. Remembers the largest value of each channel: {layer: [channel]}."""

    def __init__(self):
        self.largest = {}

    def see(self, name, x):
        most = x.abs().amax((0, 2, 3))
        self.largest[name] = torch.maximum(most, self.largest.get(name, most))

    def conv(self, part, name, x, w):
        self.see(name, x)
        return F.conv2d(x, w, padding=w.shape[2] // 2)

    def skip(self, name, x):
        self.see(name, x)
        return x

    def dense(self, x, w):
        return x @ w


class Rounded:
    def __init__(self, variant, largest):
        self.weights, self.inputs, self.scale, self.skips, self.parts = VARIANTS[variant]
        self.rest = "float" if self.skips == "float" else "fp16"
        self.largest, self.made = largest, {}

    def input_scale(self, name, x):
        if self.scale == "position":
            return x.abs().amax((1, 2, 3), keepdim=True)
        channels = self.largest[name][:, None, None]
        if self.scale == "layer":
            return channels.max()
        # A channel that the other positions never set: the largest of all will do.
        return torch.where(channels > 0, channels, channels.max())

    def conv_weights(self, name, w, scale):
        if name not in self.made:
            # A scale of each channel is part of the weights.
            fold = scale[None] if self.scale == "channel" else torch.ones(1)
            w = w * fold
            self.made[name] = in_scale(w, self.weights, w.abs().amax((1, 2, 3), keepdim=True), True) / fold
        return self.made[name]

    def conv(self, part, name, x, w):
        if part in self.parts:
            scale = self.input_scale(name, x)
            x, w = in_scale(x, self.inputs, scale), self.conv_weights(name, w, scale)
        else:
            x, w = rounded(x, self.rest), rounded(w, self.rest)
        return F.conv2d(x, w, padding=w.shape[2] // 2)

    def skip(self, name, x):
        return in_scale(x, self.skips, self.largest[name].max())

    def dense(self, x, w):
        return rounded(x, self.rest) @ rounded(w, self.rest)


# ---- Go ----

class Go:
    def __init__(self, args):
        sys.path[:0] = [TRAIN + "go", TRAIN + "common"]
        import data
        import model
        import netfile
        import play_data
        form = netfile.read(args.net)
        used = model.USED_PLANES
        self.net = self.tensors(dict(form, stem=form["stem"][:, :, used]))
        self.size, self.unpack = args.size, data.Unpacker("cpu")
        with open(args.rows, "rb") as file:
            played = file.read(8) == play_data.MAGIC
        rows = (play_data if played else data).load(args.rows, "cpu")
        self.rows = rows[rows[:, play_data.SIZE] == args.size][:, :data.ROW]

    def tensors(self, x):
        if isinstance(x, dict):
            return {k: self.tensors(v) for k, v in x.items()}
        if isinstance(x, list):
            return [self.tensors(v) for v in x]
        if not hasattr(x, "shape"):
            return x
        x = torch.from_numpy(x)
        return x.permute(3, 2, 0, 1).contiguous() if x.dim() == 4 else x

    def inputs(self, index):
        planes, numbers, *_ = self.unpack(self.rows[index], torch.zeros(len(index), dtype=torch.long))
        return planes[:, :, :self.size, :self.size].float().contiguous(), numbers

    @staticmethod
    def norm(x, form):
        return F.relu(x * form["scale"][:, None, None] + form["bias"][:, None, None])

    @staticmethod
    def pool(x, value_head=False):
        mean, side = x.mean((2, 3)), x.shape[2] - 14
        last = mean * (side * side * 0.01 - 0.1) if value_head else x.amax((2, 3))
        return torch.cat([mean, mean * side * 0.1, last], 1)

    def trunk(self, ops, planes, numbers):
        net = self.net
        x = ops.conv("stem", "stem", planes, net["stem"])
        x = ops.skip("stem+", x + ops.dense(numbers, net["stem_global"])[:, :, None, None])
        for i, b in enumerate(net["blocks"]):
            name = "block%d." % i
            y = self.norm(x, b["pre"])
            mid = ops.conv("tower", name + "conv", y, b["conv"])
            if "pool_conv" in b:
                g = self.norm(ops.conv("tower", name + "pool", y, b["pool_conv"]), b["pool_norm"])
                mid = mid + ops.dense(self.pool(g), b["pool_bias"])[:, :, None, None]
            y = ops.conv("tower", name + "final", self.norm(mid, b["mid"]), b["final"])
            x = ops.skip(name + "+", x + y)
        return self.norm(x, net["tip"])

    def __call__(self, ops, planes, numbers):
        """Logits of moves, and chances to win."""
        net, x = self.net, self.trunk(ops, planes, numbers)
        g = ops.conv("heads", "policy_pool", x, net["policy_pool"])
        g = self.pool(self.norm(g, net["policy_pool_norm"]))
        p = ops.conv("heads", "policy_conv", x, net["policy_conv"])
        p = self.norm(p + ops.dense(g, net["policy_bias"])[:, :, None, None], net["policy_norm"])
        p = ops.conv("heads", "policy_out", p, net["policy_out"])[:, 0]
        p = p.masked_fill(planes[:, 1] + planes[:, 2] > 0, -1e4).flatten(1)
        policy = torch.cat([p, ops.dense(g, net["policy_pass"])[:, :1]], 1)
        v = self.norm(ops.conv("heads", "value_conv", x, net["value_conv"]), net["value_norm"])
        v = F.relu(ops.dense(self.pool(v, True), net["value_2"]) + net["value_2_bias"])
        value = (ops.dense(v, net["value_3"]) + net["value_3_bias"]).softmax(1)
        return policy, value[:, 0] + 0.5 * value[:, 2]


# ---- shogi ----

class Shogi:
    def __init__(self, args):
        sys.path[:0] = [TRAIN + "shogi/policy", TRAIN + "common"]
        import data
        import onnx_file
        import play_data
        self.net = {k: torch.from_numpy(v) for k, v in onnx_file.read(args.net).items()}
        self.blocks = onnx_file.blocks(self.net)
        with open(args.rows, "rb") as file:
            played = file.read(8) == play_data.MAGIC
        if played:
            self.rows, planes = play_data.load(args.rows, "cpu"), play_data.PLANES
        else:
            base, end = os.path.splitext(args.rows)
            self.rows, planes = data.load(base, end[1:], "cpu")
        if planes != self.net["stem.w"].shape[1]:
            raise ValueError("the network has other planes than the rows")
        self.unpack = data.Unpacker(planes, "cpu")

    def inputs(self, index):
        rows = self.rows[index]
        return (self.unpack.planes_of(rows, torch.zeros(len(rows), dtype=torch.bool)).float(),)

    def __call__(self, ops, planes):
        net = self.net

        def conv(part, name, x, w, b):
            return ops.conv(part, name, x, net[w]) + net[b][:, None, None]

        x = ops.skip("stem+", F.relu(conv("stem", "stem", planes, "stem.w", "stem.b")))
        for i in range(self.blocks):
            name = "block%d." % i
            y = F.relu(conv("tower", name + "1", x, name + "w1", name + "b1"))
            y = conv("tower", name + "2", y, name + "w2", name + "b2")
            x = ops.skip(name + "+", F.relu(x + y))
        policy = ops.conv("heads", "policy", x, net["policy.w"]).flatten(1) + net["policy.b"]
        v = F.relu(conv("heads", "value", x, "value.w", "value.b")).flatten(1)
        v = F.relu(ops.dense(v, net["hidden.w"].T) + net["hidden.b"])
        return policy, torch.sigmoid(ops.dense(v, net["out.w"].T) + net["out.b"])[:, 0]


# ---- comparing ----

def wilson(good, count, z=1.959964):
    """The 95% interval of a share."""
    share, square = good / count, z * z / count
    middle = (share + square / 2) / (1 + square)
    half = z * math.sqrt(share * (1 - share) / count + square / count / 4) / (1 + square)
    return max(0.0, middle - half), min(1.0, middle + half)


def compare(expected, found):
    """One position a line: same first move, the floats' first two are clearly apart, difference of the
    chance to win, KL."""
    (logits, chance), (other, other_chance) = expected, found
    policy = logits.softmax(1)
    two = policy.topk(2, 1)[0]
    kl = (policy * (logits.log_softmax(1) - other.log_softmax(1))).sum(1)
    same = logits.argmax(1) == other.argmax(1)
    return torch.stack([same.float(), (two[:, 0] - two[:, 1] > CLEAR).float(),
                        (chance - other_chance).abs(), kl], 1)


def line(name, result):
    same, clear, win, kl = result.unbind(1)
    count = len(result)
    low, high = wilson(float(same.sum()), count)
    lost, clears = int((clear * (1 - same)).sum()), int(clear.sum())
    return "| `%s` | %.1f%% [%.1f, %.1f] | %d of %d (%.2f%%) | %.4f | %.3f | %.5f |" % (
        name, 100 * float(same.mean()), 100 * low, 100 * high, lost, clears,
        100 * lost / max(1, clears), float(win.mean()), float(win.max()), float(kl.mean()))


@torch.no_grad()
def measure(game, args, say):
    count, others = min(args.count, len(game.rows) // 2), args.scale_count
    if count < 1:
        raise ValueError("%s has too few positions" % args.rows)
    at = torch.arange(count) * len(game.rows) // count
    half = len(game.rows) // count // 2
    floats = Floats()
    for index in (at[:: max(1, count // others)] + half).split(args.batch):
        game(floats, *game.inputs(index))
    largest, variants = floats.largest, args.variant or list(VARIANTS)
    ops = {v: Rounded(v, largest) for v in variants}
    results = {v: [] for v in variants}
    for index in at.split(args.batch):
        inputs = game.inputs(index)
        expected = game(Floats(), *inputs)
        for v in variants:
            results[v].append(compare(expected, game(ops[v], *inputs)))
    say("%d positions\n" % count)
    say("| variant | first move | differs where clear | win rate, mean | largest | KL |")
    say("|---|---|---|---|---|---|")
    for v in variants:
        say(line(v, torch.cat(results[v])))


def main(args):
    torch.set_num_threads(args.threads)
    try:
        game = (Shogi if args.net.endswith(".onnx") else Go)(args)
        measure(game, args, print)
    except (OSError, ValueError, KeyError) as error:
        sys.exit("fp8.py: %s" % error)


if __name__ == "__main__":
    main(ARGS)
