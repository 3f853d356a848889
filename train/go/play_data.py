"""Rows of self-play games (src/learn/netplay/rows.h): kept packed on the device, newest last; batches of
one board size are unpacked there and cut to that size."""
import numpy as np
import torch

from data import GRID, POINTS, Unpacker

MAGIC, ROW = b"YOMIROW2", 1344
OWNER, POLICY, WIN, HAS_OWNER = 512, 604, 1328, 1330  # places in a row
SIZE = 428


def load(path, device):
    header = np.fromfile(path, np.uint8, ROW)
    if len(header) < ROW or header[:8].tobytes() != MAGIC:
        raise ValueError("%s is no file of rows of self-play" % path)
    count, size = int(header[8:16].view(np.uint64)[0]), int(header[16:20].view(np.uint32)[0])
    if size != ROW:
        raise ValueError("%s has rows of %d bytes, not %d" % (path, size, ROW))
    rows = np.fromfile(path, np.uint8, count * ROW, offset=ROW)
    if len(rows) != count * ROW:
        raise ValueError("%s ends early" % path)
    return torch.from_numpy(rows).view(count, ROW).to(device)


def words(rows, start, count):
    """Unsigned 16-bit numbers."""
    pairs = rows[:, start : start + 2 * count].reshape(len(rows), count, 2).float()
    return pairs[..., 0] + 256 * pairs[..., 1]


class Batch:
    """planes [n][16][s][s], numbers [n][19], policy [n][s * s + 1] (adds up to 1), result [n] as in data.py,
    win [n] (of the search), lead [n] in points (NaN: unknown), owner [n][s][s] (1 own .. -1), has_owner [n]"""


class PlayUnpacker:
    def __init__(self, device):
        self.inputs = Unpacker(device)

    def __call__(self, rows, symmetry, size):
        n, b = len(rows), Batch()
        planes, b.numbers, _, b.result, b.lead = self.inputs(rows[:, :512], symmetry)
        source = self.inputs.source[size, symmetry]
        policy = words(rows, POLICY, POINTS + 1)
        board = self.cut(policy[:, :POINTS].gather(1, source), size).flatten(1)
        policy = torch.cat([board, policy[:, POINTS:]], 1)
        b.policy = policy / policy.sum(1, keepdim=True).clamp(min=1)
        bits = rows[:, OWNER : OWNER + 92].reshape(n, 2, 46, 1)
        bits = torch.bitwise_and(bits >> self.inputs.shifts, 1).reshape(n, 2, -1)[..., :POINTS]
        owner = (bits[:, 0].float() - bits[:, 1].float()).gather(1, source)
        b.owner, b.has_owner = self.cut(owner, size), rows[:, HAS_OWNER] > 0
        b.win = words(rows, WIN, 1)[:, 0] / 65535
        b.planes = planes[:, :, :size, :size].contiguous()
        return b

    @staticmethod
    def cut(points, size):
        return points.reshape(-1, GRID, GRID)[:, :size, :size]


class Window:
    """The newest rows, up to a number of them."""

    def __init__(self, device, most):
        self.device, self.most, self.rows = device, most, None
        self.unpack = PlayUnpacker(device)

    def add(self, path):
        new = load(path, self.device)
        rows = new if self.rows is None else torch.cat([self.rows, new])
        self.rows = rows[-self.most :]
        sizes = self.rows[:, SIZE]
        self.by_size = {int(s): (sizes == s).nonzero()[:, 0] for s in sizes.unique()}
        return len(new)

    def __len__(self):
        return 0 if self.rows is None else len(self.rows)

    def draw(self, batch):
        """Random rows of one size, turned at random; a size comes as often as its rows do."""
        sizes = sorted(self.by_size)
        share = torch.tensor([float(len(self.by_size[s])) for s in sizes])
        size = sizes[int(torch.multinomial(share, 1))]
        index = self.by_size[size]
        chosen = index[torch.randint(0, len(index), (batch,), device=self.device)]
        symmetry = torch.randint(0, 8, (batch,), device=self.device)
        return self.unpack(self.rows[chosen], symmetry, size)
