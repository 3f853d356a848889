"""The inputs of HalfKA zones and K-P networks (docs/shogi-net.md), as tables.

A position is 38 piece inputs as the side to move sees them, in any order, and the squares of both kings. A
row of weights is found by looking up a piece input and the square of the own king; so what is unusual about
the inputs, mirrored boards, zones and offsets from the king, is in the tables alone.
"""

import numpy as np

PIECES, HANDS, SQUARES = 1548, 90, 81
PER_ZONE = PIECES + SQUARES  # the pieces, and the other's king
ZONES, OWN = 19, 45
INPUTS = ZONES * PER_ZONE + OWN
ON = 40  # inputs of a side: 38 pieces, two kings
OFFSETS = 17 * 17
RELATIVE = (PIECES - HANDS) // SQUARES * OFFSETS + OFFSETS  # and the other's king; one more: none
KP = PIECES + 2 * SQUARES  # inputs of K-P: pieces, the own king, the other's
KP_RELATIVE = KP + (PIECES - HANDS) // SQUARES * OFFSETS  # and pieces by their offset from the own king

# First inputs in hand and on the board, and how many of a kind there are in hand: of the viewer, of the other.
# In the order of psv.KINDS' letters; promoted pieces but horse and dragon are golds.
HAND = {"P": (1, 20), "L": (39, 44), "N": (49, 54), "S": (59, 64), "G": (69, 74), "B": (79, 82), "R": (85, 88)}
BOARD = {"P": (90, 171), "L": (252, 333), "N": (414, 495), "S": (576, 657), "G": (738, 819), "B": (900, 981),
         "+B": (1062, 1143), "R": (1224, 1305), "+R": (1386, 1467)}


def mirrored(square):
    return (8 - square // 9) * 9 + square % 9


def zone_of(king):
    """Of a king on files 1 to 5."""
    file, rank = king // 9, king % 9
    if rank >= 6:
        return (8 - rank) * 5 + file
    return (15 if rank == 5 else 17) + (file > 2)


def _board_parts(inputs):
    """First input of the kind, and square, of inputs of pieces on the board."""
    return (inputs - HANDS) // SQUARES * SQUARES + HANDS, (inputs - HANDS) % SQUARES


def flipped():
    """flipped()[i]: the piece input as the other side sees it."""
    out = np.arange(PIECES)
    out[0] = 0
    for own, other in HAND.values():
        count = other - own
        for n in range(count):
            if own + n < HANDS and other + n < HANDS:
                out[own + n], out[other + n] = other + n, own + n
    for own, other in BOARD.values():
        for square in range(SQUARES):
            out[own + square] = other + 80 - square
            out[other + square] = own + 80 - square
    return out


def mirrored_inputs():
    """mirrored_inputs()[i]: the piece input, left for right."""
    inputs = np.arange(PIECES)
    first, square = _board_parts(inputs)
    return np.where(inputs < HANDS, inputs, first + mirrored(square))


def tables():
    """rows[king][piece input], kings[king][the other's king]: rows of weights; own[king]: the own king's row."""
    inputs, turned = np.arange(PIECES), mirrored_inputs()
    rows = np.zeros((SQUARES, PIECES), np.int64)
    kings = np.zeros((SQUARES, SQUARES), np.int64)
    own = np.zeros(SQUARES, np.int64)
    for king in range(SQUARES):
        turn = king // 9 > 4
        seen = mirrored(king) if turn else king
        base = zone_of(seen) * PER_ZONE
        rows[king] = base + (turned if turn else inputs)
        other = np.arange(SQUARES)
        kings[king] = base + PIECES + (mirrored(other) if turn else other)
        own[king] = ZONES * PER_ZONE + seen
    return rows, kings, own


def squares_of_zones():
    """A square that stands for each zone: its own, or one in the middle of it."""
    of = [8 - z // 5 + 9 * (z % 5) for z in range(15)]
    return of + [9 * 1 + 5, 9 * 4 + 5, 9 * 1 + 3, 9 * 4 + 3]


def kp_relatives():
    """kp_relatives()[king][piece input]: the row of weights by the offset; KP_RELATIVE for a piece in hand."""
    out = np.full((SQUARES, PIECES), KP_RELATIVE, np.int64)
    inputs = np.arange(HANDS, PIECES)
    for king in range(SQUARES):
        out[king, HANDS:] = KP + _offsets(inputs, king)
    return out


def _offsets(inputs, king):
    kind, square = (inputs - HANDS) // SQUARES, (inputs - HANDS) % SQUARES
    return kind * OFFSETS + (square // 9 - king // 9 + 8) * 17 + square % 9 - king % 9 + 8


def relatives():
    """relatives()[zone][input of PER_ZONE]: the offset from the zone's square that it shares weights with other
    zones by; RELATIVE for a piece in hand."""
    out = np.full((ZONES, PER_ZONE), RELATIVE, np.int64)
    inputs = np.arange(HANDS, PER_ZONE)
    for zone, king in enumerate(squares_of_zones()):
        out[zone, HANDS:] = _offsets(inputs, king)
    return out
