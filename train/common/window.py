"""Files of rows that play_rows makes, and a window of the newest rows on the device."""
import numpy as np
import torch


def load(path, magic, row, device):
    """[n][row] bytes."""
    header = np.fromfile(path, np.uint8, row)
    if len(header) < row or header[:8].tobytes() != magic:
        raise ValueError("%s is no file of rows of self-play, or of another game" % path)
    count, size = int(header[8:16].view(np.uint64)[0]), int(header[16:20].view(np.uint32)[0])
    if size != row:
        raise ValueError("%s has rows of %d bytes, not %d" % (path, size, row))
    rows = np.fromfile(path, np.uint8, count * row, offset=row)
    if len(rows) != count * row:
        raise ValueError("%s ends early" % path)
    return torch.from_numpy(rows).view(count, row).to(device)


def words(rows, start, count):
    """Unsigned 16-bit numbers [n][count], as floats."""
    pairs = rows[:, start : start + 2 * count].reshape(len(rows), count, 2).float()
    return pairs[..., 0] + 256 * pairs[..., 1]


class Window:
    """The newest rows, up to a number of them. A game reads a file of them, and makes batches."""

    def __init__(self, device, most):
        self.device, self.most, self.rows = device, most, None

    def add(self, path):
        new = self.read(path)
        rows = new if self.rows is None else torch.cat([self.rows, new])
        self.rows = rows[-self.most :]
        return len(new)

    def __len__(self):
        return 0 if self.rows is None else len(self.rows)
