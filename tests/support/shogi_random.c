#include "support/shogi_random.h"

#include "game/shogi/movegen.h"
#include "game/shogi/text.h"

uint32_t shogi_random(uint64_t *state, uint32_t below) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((*state >> 33) % below);
}

void shogi_random_game(uint64_t *state, int moves, struct yo_shogi_position *pos) {
    yo_shogi_position_start(pos);
    for (int i = 0; i < moves; i++) {
        yo_shogi_move list[YO_SHOGI_LIST];
        size_t count = yo_shogi_legal_moves(pos, list);
        if (count == 0) return;
        yo_shogi_play(pos, list[shogi_random(state, (uint32_t)count)]);
    }
}

static bool try_setup(uint64_t *state, struct yo_shogi_position *pos) {
    static const int totals[] = {0, 18, 4, 4, 4, 4, 2, 2, 2};
    yo_shogi_position_clear(pos);
    uint32_t crowd = 1 + shogi_random(state, 8); /* the larger, the fewer pieces on the board */
    for (int kind = YO_SHOGI_PAWN; kind <= YO_SHOGI_KING; kind++)
        for (int i = 0; i < totals[kind]; i++) {
            int side = kind == YO_SHOGI_KING ? i : (int)shogi_random(state, 2);
            int square = (int)shogi_random(state, YO_SHOGI_SQUARES);
            uint32_t fate = shogi_random(state, crowd + 1);
            bool on_board = fate == 0 || (kind == YO_SHOGI_KING && shogi_random(state, 4));
            if (on_board && !pos->board[square]) {
                int up = shogi_can_promote(kind) && shogi_random(state, 3) == 0;
                yo_shogi_position_put(pos, square,
                                      shogi_piece(side, kind + up * YO_SHOGI_PROMOTED));
            } else if (fate > 1 && kind != YO_SHOGI_KING) {
                yo_shogi_position_give(pos, side, kind, 1);
            }
        }
    return yo_shogi_position_settle(pos, (int)shogi_random(state, 2), NULL) == YO_OK;
}

void shogi_random_setup(uint64_t *state, struct yo_shogi_position *pos) {
    while (!try_setup(state, pos))
        continue;
}
