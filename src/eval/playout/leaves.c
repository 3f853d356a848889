#include "eval/playout/leaves.h"

#include <string.h>

#include "eval/playout/rollout.h"
#include "game/go/game_ops.h"

struct slot {
    struct yo_playout_position position;
    int komi2; /* with the handicap bonus */
    bool want_owner;
    struct yo_eval_result result;
    uint32_t histogram[2 * YO_GO_POINTS_MAX + 1];
    int32_t owner[YO_GO_POINTS_MAX];
};

/* The policy is all that a context says. */
static enum yo_playout_policy policies[YO_PLAYOUT_POLICIES] = {
    [YO_PLAYOUT_LIGHT] = YO_PLAYOUT_LIGHT,
    [YO_PLAYOUT_MOGO] = YO_PLAYOUT_MOGO,
    [YO_PLAYOUT_PURE] = YO_PLAYOUT_PURE,
    [YO_PLAYOUT_RICH] = YO_PLAYOUT_RICH,
};

static void put(void *ctx, const void *position, bool want_owner, void *slot,
                struct yo_eval_item *item) {
    const struct yo_go_position *pos = position;
    struct slot *s = slot;
    int points = pos->board.geometry->points;
    memcpy(s->position.stones, pos->board.color, (size_t)points);
    s->position.size = (uint8_t)pos->board.geometry->size;
    s->position.to_move = pos->to_move;
    s->position.ko = pos->ko_holds ? pos->board.ko : YO_GO_NONE;
    s->position.last = pos->last;
    s->komi2 = yo_playout_white_bonus2(pos);
    s->want_owner = want_owner;
    memset(s->histogram, 0, (2 * (size_t)points + 1) * sizeof s->histogram[0]);
    if (want_owner) memset(s->owner, 0, (size_t)points * sizeof s->owner[0]);
    s->result = (struct yo_eval_result){
        .playouts = {.histogram = s->histogram, .ownership = want_owner ? s->owner : NULL}};
    *item = (struct yo_eval_item){.position = &s->position,
                                  .want = YO_EVAL_PLAYOUTS,
                                  .results = &s->result,
                                  .policy = *(const enum yo_playout_policy *)ctx};
}

static void get(void *ctx, const void *slot, struct yo_leaf_sums *sums) {
    (void)ctx;
    const struct slot *s = slot;
    const struct yo_playout_result *r = &s->result.playouts;
    uint64_t black, white, draws;
    yo_playout_count_wins(s->histogram, s->position.size, s->komi2, &black, &white, &draws);
    *sums = (struct yo_leaf_sums){.games = r->games,
                                  .half_wins_first = 2 * black + draws,
                                  .score2_first =
                                      2 * r->score_sum - (int64_t)s->komi2 * (int64_t)r->games,
                                  .owner = s->want_owner ? s->owner : NULL};
}

static const struct yo_leaf_ops leaf_ops = {
    .slot_size = sizeof(struct slot), .put = put, .get = get};

struct yo_leaves yo_playout_leaves(struct yo_eval eval, enum yo_playout_policy policy) {
    return (struct yo_leaves){.ops = &leaf_ops, .ctx = &policies[policy], .eval = eval};
}
