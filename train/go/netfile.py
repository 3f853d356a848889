"""KataGo's network files of model version 8: read, written, and run with NumPy alone.

The file is text with blocks of little-endian floats, each after "@BIN@". Convolutions are stored
as [y][x][in][out], matrices as [in][out]. Normalisation is four vectors: mean, variance, scale,
bias; what this project writes has mean 0 and variance 1 - epsilon, so that scale and bias are
all there is.
"""
import gzip

import numpy as np

PLANES, GLOBALS, VERSION = 22, 19, 8
EPSILON = 1e-3


class Reader:
    def __init__(self, path):
        with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
            self.data = file.read()
        self.at = 0

    def word(self):
        while self.data[self.at : self.at + 1].isspace():
            self.at += 1
        start = self.at
        while self.at < len(self.data) and not self.data[self.at : self.at + 1].isspace():
            self.at += 1
        if start == self.at:
            raise ValueError("the network file ends early")
        return self.data[start : self.at].decode("ascii")

    def number(self):
        return int(self.word())

    def floats(self, *shape):
        start = self.data.find(b"@BIN@", self.at, self.at + 100)
        if start < 0:
            raise ValueError("no block of numbers at byte %d of the network file" % self.at)
        count = int(np.prod(shape))
        self.at = start + 5 + 4 * count
        if self.at > len(self.data):
            raise ValueError("the network file ends early")
        return np.frombuffer(self.data, "<f4", count, start + 5).reshape(shape).copy()

    def conv(self):
        self.word()
        height, width, inputs, outputs, dy, dx = (self.number() for _ in range(6))
        if (dy, dx) != (1, 1):
            raise ValueError("dilated convolutions are not known here")
        return self.floats(height, width, inputs, outputs)

    def norm(self):
        self.word()
        channels, epsilon = self.number(), float(self.word())
        has_scale, has_bias = self.number(), self.number()
        mean, variance = self.floats(channels), self.floats(channels)
        scale = self.floats(channels) if has_scale else np.ones(channels, np.float32)
        bias = self.floats(channels) if has_bias else np.zeros(channels, np.float32)
        scale = scale / np.sqrt(variance + epsilon)
        return {"scale": scale, "bias": bias - mean * scale}

    def matrix(self):
        self.word()
        return self.floats(self.number(), self.number())

    def bias(self):
        self.word()
        return self.floats(self.number())

    def block(self):
        kind = self.word()
        self.word()
        if kind not in ("ordinary_block", "gpool_block"):
            raise ValueError("unknown block " + kind)
        block = {"pre": self.norm()}
        self.word()
        block["conv"] = self.conv()
        if kind == "gpool_block":
            block["pool_conv"] = self.conv()
            block["pool_norm"] = self.norm()
            self.word()
            block["pool_bias"] = self.matrix()
        block["mid"] = self.norm()
        self.word()
        block["final"] = self.conv()
        return block


def read(path):
    r = Reader(path)
    net = {"name": r.word(), "version": r.number()}
    if net["version"] != VERSION:
        raise ValueError("model version %d, not %d" % (net["version"], VERSION))
    r.number(), r.number(), r.word()
    blocks = r.number()
    for _ in range(5):
        r.number()
    net["stem"], net["stem_global"] = r.conv(), r.matrix()
    net["blocks"] = [r.block() for _ in range(blocks)]
    net["tip"] = r.norm()
    r.word(), r.word()
    net["policy_conv"], net["policy_pool"], net["policy_pool_norm"] = r.conv(), r.conv(), r.norm()
    r.word()
    net["policy_bias"], net["policy_norm"] = r.matrix(), r.norm()
    r.word()
    net["policy_out"], net["policy_pass"] = r.conv(), r.matrix()
    r.word()
    net["value_conv"], net["value_norm"] = r.conv(), r.norm()
    r.word()
    net["value_2"], net["value_2_bias"] = r.matrix(), r.bias()
    r.word()
    net["value_3"], net["value_3_bias"] = r.matrix(), r.bias()
    net["score_3"], net["score_3_bias"] = r.matrix(), r.bias()
    net["ownership"] = r.conv()
    return net


class Writer:
    def __init__(self):
        self.parts = []

    def words(self, *words):
        for word in words:
            self.parts.append(("%s\n" % word).encode("ascii"))

    def floats(self, array):
        array = np.ascontiguousarray(array, "<f4")
        if not np.isfinite(array).all():
            raise ValueError("a weight is not a number")
        self.parts += [b"@BIN@", array.tobytes(), b"\n"]

    def conv(self, name, w):
        self.words(name, *w.shape, 1, 1)
        self.floats(w)

    def norm(self, name, norm):
        channels = len(norm["scale"])
        self.words(name, channels, EPSILON, 1, 1)
        self.floats(np.zeros(channels))
        self.floats(np.full(channels, 1 - EPSILON))
        self.floats(norm["scale"])
        self.floats(norm["bias"])

    def matrix(self, name, w):
        self.words(name, *w.shape)
        self.floats(w)

    def bias(self, name, b):
        self.words(name, len(b))
        self.floats(b)

    def block(self, name, block):
        self.words("gpool_block" if "pool_conv" in block else "ordinary_block", name)
        self.norm(name + "/norm1", block["pre"])
        self.words(name + "/actv1")
        self.conv(name + "/w1a" if "pool_conv" in block else name + "/w1", block["conv"])
        if "pool_conv" in block:
            self.conv(name + "/w1b", block["pool_conv"])
            self.norm(name + "/norm1b", block["pool_norm"])
            self.words(name + "/actv1b")
            self.matrix(name + "/w1r", block["pool_bias"])
        self.norm(name + "/norm2", block["mid"])
        self.words(name + "/actv2")
        self.conv(name + "/w2", block["final"])


def write(path, net):
    """Into a .bin.gz; the gzip header holds no time, so that equal networks are equal files."""
    w = Writer()
    channels = net["stem"].shape[3]
    pools = [b["pool_conv"].shape[3] for b in net["blocks"] if "pool_conv" in b]
    regular = [b["conv"].shape[3] for b in net["blocks"] if "pool_conv" in b]
    mid = [b["conv"].shape[3] for b in net["blocks"] if "pool_conv" not in b][0]
    pool, regular = (pools[0], regular[0]) if pools else (mid // 4, mid - mid // 4)
    w.words(net["name"], VERSION, PLANES, GLOBALS, "trunk", len(net["blocks"]), channels, mid,
            regular, mid - regular, pool)
    w.conv("conv1", net["stem"])
    w.matrix("ginputw", net["stem_global"])
    for i, block in enumerate(net["blocks"]):
        w.block("block%d" % i, block)
    w.norm("trunk/norm", net["tip"])
    w.words("trunk/actv", "policyhead")
    w.conv("p1/w", net["policy_conv"])
    w.conv("g1/w", net["policy_pool"])
    w.norm("g1/norm", net["policy_pool_norm"])
    w.words("g1/actv")
    w.matrix("matmulg2w", net["policy_bias"])
    w.norm("p1/norm", net["policy_norm"])
    w.words("p1/actv")
    w.conv("p2/w", net["policy_out"])
    w.matrix("matmulpass", net["policy_pass"])
    w.words("valuehead")
    w.conv("v1/w", net["value_conv"])
    w.norm("v1/norm", net["value_norm"])
    w.words("v1/actv")
    w.matrix("v2/w", net["value_2"])
    w.bias("v2/b", net["value_2_bias"])
    w.words("v2/actv")
    w.matrix("v3/w", net["value_3"])
    w.bias("v3/b", net["value_3_bias"])
    w.matrix("sv3/w", net["score_3"])
    w.bias("sv3/b", net["score_3_bias"])
    w.conv("vownership/w", net["ownership"])
    data = gzip.compress(b"".join(w.parts), 6, mtime=0)
    with open(path, "wb") as file:
        file.write(data)
    return len(data)


# ---- the network, in NumPy: slow and plain, the judge of what is exported ----


def convolve(x, w, mask):
    """x: [n][y][x][channel], zero off the board; so is the result."""
    half = w.shape[0] // 2
    x = np.pad(x, ((0, 0), (half, half), (half, half), (0, 0)))
    height, width = mask.shape[1:3]
    out = np.zeros(mask.shape[:3] + (w.shape[3],), np.float32)
    for dy in range(w.shape[0]):
        for dx in range(w.shape[1]):
            out += x[:, dy : dy + height, dx : dx + width] @ w[dy, dx]
    return out * mask


def activate(x, norm, mask):
    return np.maximum(x * norm["scale"] + norm["bias"], 0) * mask


def pool(x, mask, value_head=False):
    area = mask.sum((1, 2))
    mean = x.sum((1, 2)) / area
    side = np.sqrt(area) - 14
    last = mean * (side * side * 0.01 - 0.1) if value_head else (x - (1 - mask)).max((1, 2))
    return np.concatenate([mean, mean * side * 0.1, last], 1)


def run_block(x, block, mask):
    y = activate(x, block["pre"], mask)
    mid = convolve(y, block["conv"], mask)
    if "pool_conv" in block:
        g = activate(convolve(y, block["pool_conv"], mask), block["pool_norm"], mask)
        mid = mid + (pool(g, mask) @ block["pool_bias"])[:, None, None]
    return x + convolve(activate(mid, block["mid"], mask), block["final"], mask)


def run(net, planes, numbers):
    """planes: [n][22][y][x], numbers: [n][19]; returns raw outputs: policy [n][y * x + 1], value
    [n][3], score [n][4], ownership [n][y][x]."""
    planes = np.asarray(planes, np.float32).transpose(0, 2, 3, 1)
    mask = planes[..., :1]
    x = convolve(planes, net["stem"], mask)
    x = (x + (np.asarray(numbers, np.float32) @ net["stem_global"])[:, None, None]) * mask
    for block in net["blocks"]:
        x = run_block(x, block, mask)
    x = activate(x, net["tip"], mask)

    g = activate(convolve(x, net["policy_pool"], mask), net["policy_pool_norm"], mask)
    g = pool(g, mask)
    p = convolve(x, net["policy_conv"], mask) + (g @ net["policy_bias"])[:, None, None]
    p = convolve(activate(p, net["policy_norm"], mask), net["policy_out"], mask)
    policy = np.concatenate([p.reshape(len(p), -1), g @ net["policy_pass"]], 1)

    v = activate(convolve(x, net["value_conv"], mask), net["value_norm"], mask)
    h = np.maximum(pool(v, mask, True) @ net["value_2"] + net["value_2_bias"], 0)
    value = h @ net["value_3"] + net["value_3_bias"]
    score = h @ net["score_3"] + net["score_3_bias"]
    return policy, value, score, convolve(v, net["ownership"], mask)[..., 0]
