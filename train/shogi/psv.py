"""Training positions as `yomi selfplay shogi` writes them (docs/training.md has the format), as text.

A reader of its own, so that a mistake in the engine's shows.
"""

import numpy as np
import torch

RECORD = np.dtype([("position", "u1", 32), ("score", "<i2"), ("move", "<u2"), ("ply", "<u2"),
                   ("result", "i1"), ("flags", "u1")])

# letter: code, bits
KINDS = {"P": (0x01, 2), "L": (0x03, 4), "N": (0x0B, 4), "S": (0x07, 4), "B": (0x1F, 6), "R": (0x3F, 6),
         "G": (0x0F, 5)}
# Pieces as small numbers, 0 for none: "+P" of Black is PIECE[("P", True, 0)].
PIECE = {}
for _letter in KINDS:
    for _promoted in (False, True):
        for _white in (0, 1):
            if not (_letter == "G" and _promoted):
                PIECE[_letter, _promoted, _white] = len(PIECE) + 1


def _windows(in_hand):
    """For each 8 bits that may come next: the piece and how many of the bits are its."""
    table = np.zeros((256, 2), np.int64)
    for (letter, promoted, white), number in PIECE.items():
        if in_hand and promoted:
            continue
        code, bits = KINDS[letter][0] >> in_hand, KINDS[letter][1] - in_hand
        if letter != "G":
            code |= promoted << bits
            bits += 1
        code |= white << bits
        bits += 1
        for rest in range(1 << (8 - bits)):
            table[code | rest << bits] = number, bits
    if not in_hand:
        table[0::2] = 0, 1
    return table


class Walker:
    """Reads pieces from packed positions, all of them in step."""

    def __init__(self, packed):
        pad = torch.zeros(len(packed), 2, dtype=torch.uint8, device=packed.device)
        self.bytes = torch.cat([packed, pad], 1).to(torch.int64)
        self.at = torch.full((len(packed),), 15, dtype=torch.int64, device=packed.device)
        head = self.bytes[:, 0] | self.bytes[:, 1] << 8
        self.white_to_move = head & 1
        self.kings = torch.stack([head >> 1 & 127, head >> 8 & 127], 1)
        self.tables = [torch.from_numpy(_windows(h)).to(packed.device) for h in (False, True)]

    def next(self, in_hand, wanted):
        """The next piece of those positions that want one; 0 elsewhere."""
        at = (self.at >> 3).clamp(max=32).unsqueeze(1)
        low, high = self.bytes.gather(1, at), self.bytes.gather(1, at + 1)
        window = ((low | high << 8).squeeze(1) >> (self.at & 7)) & 255
        found = self.tables[in_hand][window]
        self.at += torch.where(wanted, found[:, 1], torch.zeros_like(found[:, 1]))
        return torch.where(wanted, found[:, 0], torch.zeros_like(found[:, 0]))


def sfens(packed):
    """The positions as text, for comparison with the engine; slow."""
    walk = Walker(packed)
    names = {n: ("+" if p else "") + (l.lower() if w else l) for (l, p, w), n in PIECE.items()}
    boards = []
    for square in range(81):
        boards.append(walk.next(False, (walk.kings != square).all(1)).tolist())
    hands = []
    while (walk.at < 256).any():
        hands.append(walk.next(True, walk.at < 256).tolist())
    texts = []
    for i in range(len(packed)):
        cells = {s: names[boards[s][i]] for s in range(81) if boards[s][i]}
        cells[int(walk.kings[i, 0])], cells[int(walk.kings[i, 1])] = "K", "k"
        ranks = []
        for rank in range(9):
            text = "".join(cells.get(file * 9 + rank, "1") for file in range(8, -1, -1))
            for n in range(9, 1, -1):
                text = text.replace("1" * n, str(n))
            ranks.append(text)
        held = "".join(names[h[i]] for h in hands if h[i]) or "-"
        texts.append("%s %s %s 1" % ("/".join(ranks), "bw"[int(walk.white_to_move[i])], held))
    return texts
