"""Files of rows (src/learn/shogi_rows.h) on the device, packed as they are; batches are unpacked
there."""
import glob
import os

import numpy as np
import torch

MAGIC, HEADER, PLANE_BYTES, TARGETS = b"YOMISRW1", 64, 11, 8
LABELS = 27 * 81
NO_MOVE = -1  # the label of a position that has none, such as a leaf of a search
# Directions of the policy: up, up left, up right, left, right, down, down left, down right, knight left
# and right; the same with promotion; drops of seven kinds.
MIRRORED = [0, 2, 1, 4, 3, 5, 7, 6, 9, 8]
PROMOTIONS = slice(10, 20)
OPPONENT = {119: slice(31, 45), 104: slice(52, 66)}  # planes of the opponent's pieces


def read_header(path):
    """How many rows a file has, their bytes, and their planes."""
    header = np.fromfile(path, np.uint8, HEADER)
    if len(header) < HEADER or header[:8].tobytes() != MAGIC:
        raise ValueError("%s is no file of rows" % path)
    count = int(header[8:16].view(np.uint64)[0])
    size, planes = (int(x) for x in header[16:24].view(np.uint32))
    if size != planes * PLANE_BYTES + TARGETS:
        raise ValueError("%s has rows of %d bytes with %d planes" % (path, size, planes))
    return count, size, planes


def load(base, end, device, files=None):
    """The rows [n][bytes] of BASE.END or of all BASE-*.END (the first FILES), and how many planes they have."""
    whole = "%s.%s" % (base, end)
    paths = [whole] if os.path.exists(whole) else sorted(glob.glob("%s-*.%s" % (base, end)))[:files]
    if not paths:
        raise ValueError("there is no %s" % whole)
    headers = [read_header(path) for path in paths]
    if len({header[1:] for header in headers}) > 1:
        raise ValueError("the files %s-*.%s have different planes" % (base, end))
    _, size, planes = headers[0]
    rows = torch.empty((sum(header[0] for header in headers), size), dtype=torch.uint8, device=device)
    at = 0
    for path, (count, _, _) in zip(paths, headers):
        part = np.fromfile(path, np.uint8, count * size, offset=HEADER)
        if len(part) != count * size:
            raise ValueError("%s ends early" % path)
        rows[at:at + count] = torch.from_numpy(part).view(count, size).to(device)
        at += count
    return rows, planes


def mirrored_labels():
    """The label of a move when the board is seen in a mirror, left for right."""
    labels = np.arange(LABELS).reshape(27, 9, 9)
    order = MIRRORED + [10 + d for d in MIRRORED] + list(range(20, 27))
    return labels[order][:, ::-1].reshape(-1).copy()


def loud_moves(planes):
    """[n][27*81] of bool: moves that capture or promote, by planes [n][P][9][9]."""
    n = len(planes)
    taken = planes[:, OPPONENT[planes.shape[1]]].amax(1).reshape(n, 1, 81) > 0
    loud = taken.repeat(1, 27, 1)
    loud[:, PROMOTIONS] = True
    return loud.reshape(n, LABELS)


class Unpacker:
    def __init__(self, planes, device):
        self.planes = planes
        self.shifts = torch.arange(8, dtype=torch.uint8, device=device)
        # mirrored[l] is what l becomes: the map is its own inverse
        self.mirrored = torch.from_numpy(mirrored_labels()).to(device)

    def planes_of(self, rows, mirror):
        """rows: [n][bytes], which begin with the planes; mirror: [n] of bool. Returns [n][P][9][9] of
        bytes."""
        n = len(rows)
        bits = rows[:, : self.planes * PLANE_BYTES].reshape(n, self.planes, PLANE_BYTES, 1)
        bits = torch.bitwise_and(bits >> self.shifts, 1).reshape(n, self.planes, -1)[..., :81]
        planes = bits.reshape(n, self.planes, 9, 9)
        return torch.where(mirror[:, None, None, None], planes.flip(2), planes)

    def __call__(self, rows, mirror):
        """Planes, and the targets: label [n] (NO_MOVE where there is none), score [n] in centipawns, result
        [n] (1, -1, 0, 2 beside a game), and the moves that are not quiet [n][27*81]."""
        planes, size = self.planes_of(rows, mirror), self.planes * PLANE_BYTES
        words = rows[:, size:size + 4].contiguous().view(torch.int16)
        label = words[:, 0].long()
        label = torch.where(mirror & (label != NO_MOVE), self.mirrored[label], label)
        result = rows[:, size + 4].contiguous().view(torch.int8)
        return planes, label, words[:, 1].float(), result, loud_moves(planes)


class Batches:
    """Every row once in each pass, in random order, mirrored by chance: inputs, and the targets."""

    def __init__(self, rows, planes, batch, seed):
        self.rows, self.batch = rows, batch
        if len(rows) < batch:
            raise ValueError("a batch of %d from %d rows" % (batch, len(rows)))
        self.random = torch.Generator(device=rows.device)
        self.random.manual_seed(seed)
        self.unpack = Unpacker(planes, rows.device)
        self.at = len(rows)

    def __next__(self):
        if self.at + self.batch > len(self.rows):
            self.index = torch.randperm(len(self.rows), device=self.rows.device,
                                        generator=self.random)
            self.at = 0
        rows = self.rows[self.index[self.at:self.at + self.batch]]
        self.at += self.batch
        mirror = torch.rand(self.batch, device=rows.device, generator=self.random) < 0.5
        planes, *targets = self.unpack(rows, mirror)
        return (planes,), targets
