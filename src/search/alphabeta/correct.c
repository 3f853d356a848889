#include "search/alphabeta/correct.h"

/* One error moves a mean by (plies + 1) / 256 of the difference, at most WEIGHT_MAX / 256. In
 * sixteenths, errors above ERROR_MAX would not fit into 16 bits. */
enum { UNIT = 16, WEIGHT_MAX = 16, ERROR_MAX = 2000 };

static size_t index_of(uint64_t key) {
    return key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - AB_CORRECT_BITS);
}

/* A hash of the pawn structure. */
static uint64_t pawn_key(const struct yo_shogi_position *pos) {
    yo_bb black = shogi_pieces(pos, YO_SHOGI_BLACK, YO_SHOGI_PAWN);
    yo_bb white = shogi_pieces(pos, YO_SHOGI_WHITE, YO_SHOGI_PAWN);
    uint64_t key = (uint64_t)black * UINT64_C(0x9e3779b97f4a7c15) ^
                   (uint64_t)(black >> 64) * UINT64_C(0xc2b2ae3d27d4eb4f) ^
                   (uint64_t)white * UINT64_C(0xff51afd7ed558ccd) ^
                   (uint64_t)(white >> 64) * UINT64_C(0x165667b19e3779f9);
    return key ^ key >> 32;
}

struct ab_correction ab_correction_of(struct ab_corrections *all,
                                      const struct yo_shogi_position *pos, uint16_t last) {
    int side = pos->side;
    return (struct ab_correction){{&all->pawns[side][index_of(pawn_key(pos))],
                                   &all->hands[side][index_of(pos->hand_key)],
                                   &all->moves[side][last]}};
}

int ab_correction_value(const struct ab_correction *c) {
    /* Never more than their mean: nodes further up learn their errors from corrected values, and a
     * larger weight would make the values diverge as nodes are searched. */
    return (*c->parts[0] + *c->parts[1] + *c->parts[2]) / (3 * UNIT);
}

void ab_correction_learn(const struct ab_correction *c, int plies, int error) {
    int weight = plies < WEIGHT_MAX ? plies + 1 : WEIGHT_MAX;
    if (error > ERROR_MAX) error = ERROR_MAX;
    if (error < -ERROR_MAX) error = -ERROR_MAX;
    for (size_t i = 0; i < sizeof c->parts / sizeof c->parts[0]; i++)
        *c->parts[i] = (int16_t)(*c->parts[i] + (error * UNIT - *c->parts[i]) * weight / 256);
}
