#include "eval/shogi/unit.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/random.h"
#include "game/shogi/movegen.h"
#include "game/shogi/see.h"
#include "game/shogi/text.h"

/* Positions of random games stand in for those of a search: one side is ahead by a piece or two.
 * USUAL is the value of the community's K-P network of 256 on them with FV_SCALE 16. Its ratio to
 * the built-in network is the same, within a quarter, in games of the engine against itself. */
enum { POSITIONS = 128, USUAL = 850, VALUE_MAX = 3000 };

/* Of four random moves the best by static exchange evaluation: captures happen, and few pieces are
 * lost for nothing. */
static yo_shogi_move draw(const struct yo_shogi_position *pos, uint64_t *random) {
    yo_shogi_move moves[YO_SHOGI_LIST], best = YO_SHOGI_NO_MOVE;
    size_t count = yo_shogi_legal_moves(pos, moves);
    for (int i = 0; i < 4 && count > 0; i++) {
        yo_shogi_move move = moves[yo_splitmix64(random) % count];
        if (!best || yo_shogi_see(pos, move) > yo_shogi_see(pos, best)) best = move;
    }
    return best;
}

static void play(struct yo_shogi_position *pos, uint64_t *random) {
    yo_shogi_position_start(pos);
    int plies = 20 + (int)(yo_splitmix64(random) % 40);
    for (yo_shogi_move move; plies-- > 0 && (move = draw(pos, random));)
        yo_shogi_play(pos, move);
}

int yo_shogi_eval_unit(const struct yo_shogi_eval *eval) {
    void *state = eval->state_size ? yo_alloc_aligned(eval->state_size) : NULL;
    uint64_t random = 1;
    int sum = 0, count = 0;
    if (eval->state_size && !state) return 100; /* the search will find no memory either */
    for (int i = 0; i < POSITIONS; i++) {
        struct yo_shogi_position pos;
        play(&pos, &random);
        if (shogi_in_check(&pos)) continue;
        if (eval->root) eval->root(eval->net, &pos, state);
        int size = abs(eval->value(eval->net, &pos, state));
        sum += size < VALUE_MAX ? size : VALUE_MAX;
        count++;
    }
    yo_free_aligned(state);
    int unit = sum * 100 / (count * USUAL);
    return unit > 0 ? unit : 1;
}

uint64_t yo_shogi_eval_mark(const struct yo_shogi_eval *eval) {
    enum { SAMPLE = 16 };
    void *state = eval->state_size ? yo_alloc_aligned(eval->state_size) : NULL;
    uint64_t random = 1, mark = 0;
    if (eval->state_size && !state) return 0;
    for (int i = 0; i < SAMPLE; i++) {
        struct yo_shogi_position pos;
        play(&pos, &random);
        if (eval->root) eval->root(eval->net, &pos, state);
        mark = yo_mix64(mark + (uint64_t)eval->value(eval->net, &pos, state));
    }
    yo_free_aligned(state);
    return mark;
}
