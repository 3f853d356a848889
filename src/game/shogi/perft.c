#include "game/shogi/perft.h"

#include "game/shogi/movegen.h"

uint64_t yo_shogi_perft(const struct yo_shogi_position *pos, int depth) {
    if (depth == 0) return 1;
    yo_shogi_move moves[YO_SHOGI_LIST];
    size_t count = yo_shogi_legal_moves(pos, moves);
    if (depth == 1) return count;
    uint64_t total = 0;
    for (size_t i = 0; i < count; i++) {
        struct yo_shogi_position next = *pos;
        yo_shogi_play(&next, moves[i]);
        total += yo_shogi_perft(&next, depth - 1);
    }
    return total;
}
