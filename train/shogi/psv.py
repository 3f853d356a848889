"""Training positions as `yomi selfplay shogi` writes them, unpacked many at once.

docs/training.md has the format. Everything here works on whole arrays: the positions are walked
through square by square, but each step treats all of them, on the CPU or on a GPU.
"""

import os

import numpy as np
import torch

RECORD = np.dtype([("position", "u1", 32), ("score", "<i2"), ("move", "<u2"), ("ply", "<u2"),
                   ("result", "i1"), ("flags", "u1")])
QUIET, ASIDE = 1, 2         # flags

PIECES = 1548                 # inputs for pieces
INPUTS = PIECES + 2 * 81      # and for the two kings
NONE = INPUTS                 # stands for "no input"
SLOTS = 40
IN_HAND = 90                  # inputs of pieces in hand; those on the board follow, 81 of a kind
RELATIVE = (PIECES - IN_HAND) // 81 * 17 * 17  # inputs of pieces as seen from the own king

# letter: code, bits, first input on the board (own, other), promoted, first input in hand
KINDS = {
    "P": (0x01, 2, (90, 171), (738, 819), (1, 20)),
    "L": (0x03, 4, (252, 333), (738, 819), (39, 44)),
    "N": (0x0B, 4, (414, 495), (738, 819), (49, 54)),
    "S": (0x07, 4, (576, 657), (738, 819), (59, 64)),
    "B": (0x1F, 6, (900, 981), (1062, 1143), (79, 82)),
    "R": (0x3F, 6, (1224, 1305), (1386, 1467), (85, 88)),
    "G": (0x0F, 5, (738, 819), None, (69, 74)),
}
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


def _first_inputs():
    """[where: board or hand][piece][viewer]: the first input of a piece."""
    table = np.full((2, len(PIECE) + 1, 2), NONE, np.int64)
    for (letter, promoted, white), number in PIECE.items():
        for viewer in (0, 1):
            other = int(white != viewer)
            table[0, number, viewer] = KINDS[letter][3 if promoted else 2][other]
            table[1, number, viewer] = KINDS[letter][4][other]
    return table


def mirror():
    """Each input's image when left and right are exchanged; NONE stays."""
    table = np.arange(INPUTS + 1)
    for first in range(90, INPUTS, 81):
        for square in range(81):
            table[first + square] = first + (8 - square // 9) * 9 + square % 9
    return torch.from_numpy(table)


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


def inputs(packed):
    """(N, 32) bytes -> (N, 2, 40) numbers of inputs, the side to move first, padded with NONE."""
    count, device = len(packed), packed.device
    walk = Walker(packed)
    first = torch.from_numpy(_first_inputs()).to(device)
    out = torch.full((2, count, SLOTS), NONE, dtype=torch.int16, device=device)
    filled = torch.zeros(count, dtype=torch.int64, device=device)
    rows = torch.arange(count, device=device)

    def put(there, black, white):
        at = rows[there], filled[there]
        out[0][at] = black[there].to(torch.int16)
        out[1][at] = white[there].to(torch.int16)
        filled[there] += 1

    everywhere = torch.ones(count, dtype=torch.bool, device=device)
    for side in (0, 1):
        king = walk.kings[:, side]
        put(everywhere, PIECES + 81 * side + king, PIECES + 81 * (1 - side) + 80 - king)
    for square in range(81):
        piece = walk.next(False, (walk.kings != square).all(1))
        put(piece > 0, first[0, piece, 0] + square, first[0, piece, 1] + 80 - square)
    held = torch.zeros(count, len(PIECE) + 1, dtype=torch.int64, device=device)
    while (walk.at < 256).any():
        piece = walk.next(True, walk.at < 256)
        nth = held.gather(1, piece.unsqueeze(1)).squeeze(1)
        put(piece > 0, first[1, piece, 0] + nth, first[1, piece, 1] + nth)
        held.scatter_add_(1, piece.unsqueeze(1), (piece > 0).to(torch.int64).unsqueeze(1))
    black_first = (walk.white_to_move == 0).view(-1, 1, 1)
    both = out.permute(1, 0, 2)
    return torch.where(black_first, both, both.flip(1)).contiguous()


def with_relative(inputs):
    """(N, 2, 40) numbers of inputs -> (N, 2, 80): each piece on the board as the own king sees it, too.
    Those inputs are numbered from NONE + 1 on."""
    own_king = (inputs >= PIECES) & (inputs < PIECES + 81)
    king = (own_king * (inputs - PIECES)).sum(2, keepdim=True)
    kind, square = (inputs - IN_HAND) // 81, (inputs - IN_HAND) % 81
    files, ranks = square // 9 - king // 9 + 8, square % 9 - king % 9 + 8
    relative = NONE + 1 + (kind * 17 + files) * 17 + ranks
    on_board = (inputs >= IN_HAND) & (inputs < PIECES)
    return torch.cat([inputs, torch.where(on_board, relative, torch.full_like(inputs, NONE))], 2)


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


def read(path, first=0):
    """The records of a file from a number on; it may be one that is being written."""
    count = os.path.getsize(path) // RECORD.itemsize - first
    return np.fromfile(path, RECORD, max(0, count), offset=first * RECORD.itemsize)


def quiet(records, below):
    """Which are worth learning from: a bare evaluation can come near their scores. Scores of `below` and
    more are mates mostly, which it cannot see: they would be four fifths of the loss."""
    score = records["score"].astype(np.int32)
    return ((records["flags"] & QUIET) != 0) & (np.abs(score) < below)
