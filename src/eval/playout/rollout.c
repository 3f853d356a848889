#include "eval/playout/rollout.h"

#include <string.h>

#include "eval/playout/scalar.h"
#include "eval/playout/spec.h"
#include "game/go/game_ops.h"
#include "game/go/score.h"

struct scratch {
    struct yo_playout playout;
    yo_go_point played[YO_PLAYOUT_MOVES_MAX];
    yo_move moves[YO_PLAYOUT_MOVES_MAX];
    int8_t owner[YO_GO_POINTS_MAX];
};

int yo_playout_white_bonus2(const struct yo_go_position *pos) {
    return yo_go_score_area_komi2(&pos->board, &pos->rules, pos->handicap,
                                  (enum yo_go_color)pos->to_move, false);
}

static void play(void *ctx, const void *position, uint64_t seed, uint64_t number, void *scratch,
                 struct yo_rollout *out) {
    const struct yo_playout_zone *zone = ctx;
    const struct yo_go_position *pos = position;
    struct scratch *s = scratch;
    uint8_t owner[YO_GO_POINTS_MAX];
    yo_playout_start_position(&s->playout, pos, seed, number);
    if (zone->on) yo_playout_keep_out(&s->playout, zone->outside);
    yo_playout_finish(&s->playout, zone->policy, zone->patterns ? zone->patterns : yo_go_patterns(),
                      s->played);
    yo_playout_owner(&s->playout.board, owner);

    int area = 0, points = pos->board.geometry->points;
    for (int p = 0; p < points; p++) {
        s->owner[p] = (int8_t)((owner[p] == YO_GO_BLACK) - (owner[p] == YO_GO_WHITE));
        area += zone->on && !zone->inside[p] ? 0 : s->owner[p];
    }
    for (uint32_t i = 0; i < s->playout.moves; i++)
        s->moves[i] = s->played[i];
    *out = (struct yo_rollout){.score2 = 2 * area - yo_playout_white_bonus2(pos) +
                                         (zone->on ? zone->add2 : 0),
                               .move_count = s->playout.moves,
                               .moves = s->moves,
                               .owner = s->owner};
}

/* Where players agree on dead stones, the position after two passes may contain some, so a playout
 * from there estimates the score better. */
static bool finish(void *ctx, const void *position, uint64_t seed, uint64_t number, void *scratch,
                   struct yo_rollout *out) {
    const struct yo_go_position *pos = position;
    if (pos->repeated) {
        *out = (struct yo_rollout){.score2 = 0};
        return true;
    }
    if (pos->rules.friendly_pass_ok || pos->rules.scoring != YO_GO_AREA) {
        play(ctx, position, seed, number, scratch, out);
        return false;
    }
    struct yo_go_score score;
    yo_go_score_board(&pos->board, &pos->rules, pos->handicap, NULL, &score);
    *out = (struct yo_rollout){.score2 = score.lead2};
    return true;
}

static size_t cells(const void *position) {
    return (size_t)((const struct yo_go_position *)position)->board.geometry->points;
}

static const struct yo_rollout_ops rollout_ops = {
    .name = "scalar",
    .scratch_size = sizeof(struct scratch),
    .play = play,
    .finish = finish,
    .cells = cells,
};

struct yo_rollouts yo_playout_zone_rollouts(struct yo_playout_zone *zone) {
    return (struct yo_rollouts){&rollout_ops, zone};
}

struct yo_rollouts yo_playout_rollouts(enum yo_playout_policy policy) {
    static const struct yo_playout_zone whole[YO_PLAYOUT_POLICIES] = {
        [YO_PLAYOUT_LIGHT] = {.policy = YO_PLAYOUT_LIGHT},
        [YO_PLAYOUT_MOGO] = {.policy = YO_PLAYOUT_MOGO},
        [YO_PLAYOUT_PURE] = {.policy = YO_PLAYOUT_PURE},
        [YO_PLAYOUT_RICH] = {.policy = YO_PLAYOUT_RICH},
    };
    return yo_playout_zone_rollouts((struct yo_playout_zone *)&whole[policy]); /* only read */
}
