"""Rows of self-play games (src/learn/netplay/rows_shogi.h) on the device, unpacked there."""
import torch
import torch.nn.functional as F

import window
from data import PLANE_BYTES, Unpacker
from window import words

MAGIC, ROW, PLANES, TARGETS = b"YOMIROW3", 1504, 119, 48
RESULT = PLANES * PLANE_BYTES  # places in a row
WIN, LABELS = RESULT + 1, RESULT + 3
WEIGHTS = LABELS + 2 * TARGETS


def load(path, device):
    return window.load(path, MAGIC, ROW, device)


class Window(window.Window):
    def __init__(self, device, most):
        super().__init__(device, most)
        self.unpacker = Unpacker(PLANES, device)

    def read(self, path):
        return load(path, self.device)

    def unpack(self, rows, mirror):
        """Planes, and the targets: labels and weights [n][48] (weights add up to 1, or to 0 for a fast
        search), the search's chance [n], result [n]."""
        planes = self.unpacker.planes_of(rows, mirror)
        labels = words(rows, LABELS, TARGETS).long()
        labels = torch.where(mirror[:, None], self.unpacker.mirrored[labels], labels)
        weights = words(rows, WEIGHTS, TARGETS)
        weights = weights / weights.sum(1, keepdim=True).clamp(min=1)
        result = rows[:, RESULT].contiguous().view(torch.int8)
        return (planes,), (labels, weights, words(rows, WIN, 1)[:, 0] / 65535, result)

    def draw(self, batch, newest=None):
        """Random rows, mirrored at random. newest: only of so many rows."""
        first = 0 if newest is None else max(0, len(self.rows) - newest)
        chosen = torch.randint(first, len(self.rows), (batch,), device=self.device)
        mirror = torch.rand(batch, device=self.device) < 0.5
        return self.unpack(self.rows[chosen], mirror)


def play_losses(outputs, targets, search_share):
    """Returns the sum to descend, and its parts. search_share: of the search's chance in the value target; the
    rest is who won."""
    policy, value = (x.float() for x in outputs)
    labels, weights, win, result = targets
    won = torch.where(result == 2, win, (result.float() + 1) / 2)
    chance = (1 - search_share) * won + search_share * win
    searched = weights.sum().clamp(min=1)  # positions with a policy target
    parts = {"policy": -(weights * F.log_softmax(policy, 1).gather(1, labels)).sum() / searched,
             "value": F.binary_cross_entropy_with_logits(value, chance)}
    return parts["policy"] + parts["value"], parts
