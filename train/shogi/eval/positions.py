"""Positions of `yomi selfplay shogi` and `yomi learn scores` (docs/training.md) on a device, as zones.py has them."""

import os
import sys
from pathlib import Path

import numpy as np
import torch

sys.path.append(str(Path(__file__).resolve().parents[1]))
import psv  # noqa: E402
import zones  # noqa: E402

QUIET, ASIDE = 1, 2
PORTION = 1 << 20  # positions unpacked at a time
RUN, RUNS, HELD = 50000, 20, 7  # one run of positions in RUNS is held out; a run is of several games
SIDES = 38
HAND_KINDS = "PLNSGBR"


def _piece_tables():
    """For each piece of psv.PIECE: its first input on the board, and its place among the fourteen hands."""
    board, hand = np.zeros(len(psv.PIECE) + 1, np.int64), np.zeros(len(psv.PIECE) + 1, np.int64)
    for (letter, promoted, white), number in psv.PIECE.items():
        name = "+" + letter if promoted and letter in "BR" else "G" if promoted else letter
        board[number] = zones.BOARD[name][white]
        hand[number] = 2 * HAND_KINDS.index(letter) + white
    first = np.array([zones.HAND[k][side] for k in HAND_KINDS for side in (0, 1)])
    return board, hand, first


class Unpacker:
    def __init__(self, device):
        board, hand, first = (torch.from_numpy(t).to(device) for t in _piece_tables())
        self.board, self.hand, self.first = board, hand, first
        self.flip = torch.from_numpy(zones.flipped()).to(device)

    def __call__(self, packed):
        """38 piece inputs as the side to move sees them; its king's square and the other's, as each sees its own."""
        walk = psv.Walker(packed)
        count = len(packed)
        out = torch.zeros(count, SIDES + 1, dtype=torch.int64, device=packed.device)  # the last is for none
        at = torch.zeros(count, 1, dtype=torch.int64, device=packed.device)

        def put(inputs, there):
            out.scatter_(1, torch.where(there, at, SIDES), inputs)
            at.add_(there.to(at.dtype))

        for square in range(zones.SQUARES):
            piece = walk.next(False, (walk.kings != square).all(1)).unsqueeze(1)
            put(self.board[piece] + square, piece > 0)
        held = torch.zeros(count, 2 * len(HAND_KINDS), dtype=torch.int64, device=packed.device)
        while bool((walk.at < 256).any()):
            piece = walk.next(True, walk.at < 256).unsqueeze(1)
            hand = self.hand[piece]
            put(self.first[hand] + held.gather(1, hand), piece > 0)
            held.scatter_add_(1, hand, (piece > 0).to(held.dtype))
        if not bool((at == SIDES).all()):
            raise ValueError("a position has not all of its pieces")
        white = walk.white_to_move.bool().unsqueeze(1)
        pieces = torch.where(white, self.flip[out[:, :SIDES]], out[:, :SIDES])
        black, other = walk.kings[:, :1], zones.SQUARES - 1 - walk.kings[:, 1:]
        return pieces, torch.where(white, other, black), torch.where(white, black, other)


def targets(rows, scale, results):
    """Chances to win of the side to move: by the score, and by the result for so much of it."""
    chance = 1 / (1 + np.exp(-rows["score"].astype(np.float32) / scale))
    told = (1 - results) * chance + results * (1 + rows["result"].astype(np.float32)) / 2
    return np.where(rows["flags"] & ASIDE, chance, told).astype(np.float32)


class Positions:
    """pieces: int16 [n][38]; kings: uint8 [n][2]; target: float [n]."""

    def __init__(self, device):
        self.device, self.unpack = device, Unpacker(device)
        self.parts = {False: [], True: []}  # by held out

    def add(self, path, scale, results, below):
        """The quiet positions of a file; returns how many."""
        if os.path.getsize(path) % psv.RECORD.itemsize:
            raise ValueError(f"{path}: not a whole number of positions of {psv.RECORD.itemsize} bytes")
        rows = np.fromfile(path, psv.RECORD)
        rows = rows[(rows["flags"] & QUIET != 0) & (np.abs(rows["score"].astype(np.int32)) < below)]
        run = min(RUN, len(rows) // RUNS + 1)
        held = np.arange(len(rows)) // run % RUNS == HELD
        for first in range(0, len(rows), PORTION):
            part, out = rows[first:first + PORTION], held[first:first + PORTION]
            packed = torch.from_numpy(np.ascontiguousarray(part["position"])).to(self.device)
            try:
                pieces, own, other = self.unpack(packed)
            except ValueError as error:
                raise ValueError(f"{path}: {error}") from error
            wanted = torch.from_numpy(targets(part, scale, results)).to(self.device)
            row = (pieces.to(torch.int16), torch.cat([own, other], 1).to(torch.uint8), wanted)
            for which in (False, True):
                chosen = torch.from_numpy(out == which).to(self.device)
                self.parts[which].append(tuple(t[chosen] for t in row))
        return len(rows)

    def finish(self, held):
        """All positions to learn from, or those held out, as three tensors; the parts are given up."""
        parts, self.parts[held] = self.parts[held], []
        return tuple(torch.cat(t) for t in zip(*parts))


class Inputs:
    """Rows of weights, int32 [n][40 or more], of the side to move and of the other."""

    def __init__(self, kind, device):
        self.kind, self.flip = kind, torch.from_numpy(zones.flipped()).to(device)
        if kind == "zones":
            rows, kings, own = zones.tables()
            self.kings, self.own = self._table(kings, device).flatten(), self._table(own, device)
        else:
            rows = zones.kp_relatives()
        self.rows = self._table(rows, device).flatten()

    @staticmethod
    def _table(array, device):
        return torch.from_numpy(array.astype(np.int32)).to(device)

    def side(self, pieces, own, other):
        """own, other: squares as the own side sees them."""
        if self.kind != "zones":
            plain = torch.cat([pieces, own + zones.PIECES, other + zones.PIECES + zones.SQUARES], 1).int()
            return plain if self.kind == "kp" else torch.cat([plain, self.rows[own * zones.PIECES + pieces]], 1)
        at = self.rows[own * zones.PIECES + pieces]
        return torch.cat([at, self.kings[own * zones.SQUARES + other], self.own[own]], 1)

    def __call__(self, pieces, kings):
        pieces, kings = pieces.long(), kings.long()
        us, them = kings[:, :1], kings[:, 1:]
        last = zones.SQUARES - 1
        return self.side(pieces, us, last - them), self.side(self.flip[pieces], them, last - us)


class Mirror:
    """Positions, drawn by chance, left for right: the rules are the same there. Zones networks see both alike anyway."""

    def __init__(self, device):
        self.inputs = torch.from_numpy(zones.mirrored_inputs().astype(np.int16)).to(device)
        self.squares = torch.from_numpy(zones.mirrored(np.arange(zones.SQUARES)).astype(np.uint8)).to(device)

    def __call__(self, pieces, kings):
        turned = torch.rand(len(pieces), 1, device=pieces.device) < 0.5
        return (torch.where(turned, self.inputs[pieces.long()], pieces),
                torch.where(turned, self.squares[kings.long()], kings))
