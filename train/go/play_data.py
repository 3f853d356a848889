"""Rows of self-play games (src/learn/netplay/rows_go.h) on the device; batches of one board size are unpacked
there and cut to that size."""
import torch

import window
from data import GRID, POINTS, Unpacker
from window import words

MAGIC, ROW = b"YOMIROW2", 1344
OWNER, POLICY, WIN, HAS_OWNER = 512, 604, 1328, 1330  # places in a row
SIZE = 428


def load(path, device):
    return window.load(path, MAGIC, ROW, device)


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


class Window(window.Window):
    def __init__(self, device, most):
        super().__init__(device, most)
        self.unpack = PlayUnpacker(device)

    def read(self, path):
        return load(path, self.device)

    def add(self, path):
        count = super().add(path)
        sizes = self.rows[:, SIZE]
        self.by_size = {int(s): (sizes == s).nonzero()[:, 0] for s in sizes.unique()}
        return count

    def draw(self, batch, newest=None):
        """Random rows of one size, turned at random; a size comes as often as its rows do. newest: only of
        so many rows."""
        first = 0 if newest is None else len(self.rows) - newest
        by_size = {s: i[i >= first] if first > 0 else i for s, i in self.by_size.items()}
        sizes = sorted(by_size)
        share = torch.tensor([float(len(by_size[s])) for s in sizes])
        size = sizes[int(torch.multinomial(share, 1))]
        index = by_size[size]
        chosen = index[torch.randint(0, len(index), (batch,), device=self.device)]
        symmetry = torch.randint(0, 8, (batch,), device=self.device)
        b = self.unpack(self.rows[chosen], symmetry, size)
        return (b.planes, b.numbers), b
