#include "learn/selfplay_leaves.h"

#include "base/alloc.h"
#include "base/random.h"
#include "game/shogi/movegen.h"
#include "game/shogi/packed.h"
#include "game/shogi/see.h"

enum yo_err yo_selfplay_leaves_init(struct selfplay_leaves *leaves, uint64_t room) {
    *leaves = (struct selfplay_leaves){.room = room};
    if (room == 0) return YO_OK;
    leaves->drawn = yo_alloc(room, sizeof *leaves->drawn);
    return leaves->drawn ? YO_OK : YO_ERR_NOMEM;
}

void yo_selfplay_leaves_free(struct selfplay_leaves *leaves) {
    yo_free(leaves->drawn);
    *leaves = (struct selfplay_leaves){0};
}

void yo_selfplay_leaves_meet(void *leaves, const struct yo_shogi_position *pos, int score) {
    struct selfplay_leaves *l = leaves;
    uint64_t at = l->met++;
    if (at >= l->most) at = yo_splitmix64(&l->random) % l->met;
    if (at < l->most) l->drawn[at] = (struct selfplay_leaf){.pos = *pos, .score = score};
}

bool yo_selfplay_leaf_is_quiet(const struct selfplay_leaf *leaf) {
    yo_shogi_move moves[YO_SHOGI_LIST];
    size_t count = yo_shogi_legal_moves(&leaf->pos, moves);
    for (size_t i = 0; i < count; i++)
        if (!yo_shogi_sample_is_quiet(&leaf->pos, moves[i]) &&
            yo_shogi_see(&leaf->pos, moves[i]) > 0)
            return false;
    return true;
}
