"""Files of rows (src/learn/go_rows.h) on the device, packed as they are; batches are unpacked there."""
import numpy as np
import torch

MAGIC, ROW = b"YOMIROW1", 512
GRID, POINTS = 19, 361
PLANE_BYTES, ROW_PLANES = 46, 9
NO_SCORE = -32768
SMALL_COPIES = 8  # boards below 19x19 are rare in the records: each counts this often


def load(path, device):
    header = np.fromfile(path, np.uint8, ROW)
    if len(header) < ROW or header[:8].tobytes() != MAGIC:
        raise ValueError("%s is no file of rows" % path)
    count, size = int(header[8:16].view(np.uint64)[0]), int(header[16:20].view(np.uint32)[0])
    if size != ROW:
        raise ValueError("%s has rows of %d bytes, not %d" % (path, size, ROW))
    rows = torch.from_numpy(np.fromfile(path, np.uint8, count * ROW, offset=ROW))
    if len(rows) != count * ROW:
        raise ValueError("%s ends early" % path)
    return rows.view(count, ROW).to(device)


def symmetry_tables():
    """[size][symmetry][point]: which point of the grid comes to a point; and the inverse. Passes
    and missing moves (361, 362) stay what they are."""
    source = np.tile(np.arange(POINTS + 2), (GRID + 1, 8, 1))
    for size in range(1, GRID + 1):
        for s in range(8):
            y, x = np.mgrid[:size, :size]
            fy, fx = (y, x) if not s & 4 else (x, y)
            fy = size - 1 - fy if s & 1 else fy
            fx = size - 1 - fx if s & 2 else fx
            source[size, s, (y * GRID + x).ravel()] = (fy * GRID + fx).ravel()
    inverse = np.argsort(source, 2)
    return source, inverse


class Unpacker:
    def __init__(self, device):
        source, inverse = symmetry_tables()
        self.source = torch.from_numpy(source[:, :, :POINTS].copy()).to(device)
        self.inverse = torch.from_numpy(inverse).to(device)
        grid = np.arange(POINTS)
        on = [(grid // GRID < s) & (grid % GRID < s) for s in range(GRID + 1)]
        self.on_board = torch.from_numpy(np.array(on, np.uint8)).to(device)
        self.shifts = torch.arange(8, dtype=torch.uint8, device=device)

    def __call__(self, rows, symmetry):
        """rows: [n][512], symmetry: [n] of 0 to 7. Returns planes [n][16][19][19] of bytes, numbers
        [n][19], and the targets: move [n], result [n] (1, -1, 0, 2 unknown), lead [n] in points
        (NaN: unknown)."""
        n = len(rows)
        bits = rows[:, : ROW_PLANES * PLANE_BYTES].reshape(n, ROW_PLANES, PLANE_BYTES, 1)
        bits = torch.bitwise_and(bits >> self.shifts, 1).reshape(n, ROW_PLANES, -1)[..., :POINTS]
        moves = rows[:, 414:426].contiguous().view(torch.int16).long()
        lead2 = rows[:, 426:428].contiguous().view(torch.int16)[:, 0]
        size = rows[:, 428].long()
        result = rows[:, 429].contiguous().view(torch.int8)
        numbers = rows[:, 432:508].contiguous().view(torch.float32)

        own, opponent, low, high, ko = bits[:, :5].unbind(1)
        last = torch.zeros(n, 5, POINTS + 2, dtype=torch.uint8, device=rows.device)
        last.scatter_(2, moves[:, :5, None], 1)
        planes = torch.cat([torch.stack([self.on_board[size], own, opponent, low & (1 - high),
                                         high & (1 - low), low & high, ko], 1),
                            last[..., :POINTS], bits[:, 5:]], 1)
        source = self.source[size, symmetry]
        planes = planes.gather(2, source[:, None].expand(-1, planes.shape[1], -1))
        move = self.inverse[size, symmetry].gather(1, moves[:, 5:6])[:, 0]
        move = torch.where(move > POINTS, torch.full_like(move, POINTS), move)
        lead = torch.where(lead2 == NO_SCORE, torch.full_like(lead2, 0, dtype=torch.float32) / 0,
                           lead2.float() / 2)
        return planes.reshape(n, -1, GRID, GRID), numbers, move, result, lead


class Batches:
    """Every row once in each pass, in random order, rows of small boards several times: inputs, and
    move, result and lead."""

    def __init__(self, rows, batch, seed):
        self.rows, self.batch = rows, batch
        self.random = torch.Generator(device=rows.device)
        self.random.manual_seed(seed)
        small = (rows[:, 428] < GRID).nonzero()[:, 0]
        every = torch.arange(len(rows), device=rows.device)
        self.index = torch.cat([every] + [small] * (SMALL_COPIES - 1))
        if len(self.index) < batch:
            raise ValueError("a batch of %d from %d rows" % (batch, len(self.index)))
        self.unpack = Unpacker(rows.device)
        self.at = len(self.index)

    def __next__(self):
        if self.at + self.batch > len(self.index):
            order = torch.randperm(len(self.index), device=self.rows.device,
                                   generator=self.random)
            self.index, self.at = self.index[order], 0
        rows = self.rows[self.index[self.at : self.at + self.batch]]
        self.at += self.batch
        symmetry = torch.randint(0, 8, (self.batch,), device=rows.device, generator=self.random)
        planes, numbers, *targets = self.unpack(rows, symmetry)
        return (planes, numbers), targets
