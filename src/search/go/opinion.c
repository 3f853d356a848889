#include "search/go/opinion.h"

#include <string.h>

#include "base/time.h"
#include "eval/playout/position.h"
#include "game/go/region.h"
#include "game/go/state.h"

/* Games of the first batch for each side to move first; doubled as long as a batch takes less than
 * the time below. */
#define FIRST_BATCH 64
#define BATCH_MS    10

static bool is_over(const struct yo_judge_limits *limits) {
    if (limits->deadline_ms && yo_time_ms() >= limits->deadline_ms) return true;
    return limits->stop && atomic_load(limits->stop);
}

/* Playouts from a position, with each side to move first. */
struct sample {
    struct yo_go_position position[2];
    struct yo_eval_result result[2];
    uint32_t histogram[2][2 * YO_GO_POINTS_MAX + 1];
    int32_t ownership[2][YO_GO_POINTS_MAX];
};

static void sample_init(struct sample *s, const struct yo_playout_position *from) {
    memset(s, 0, sizeof *s);
    yo_playout_position_to_go(from, &s->position[0]);
    s->position[1] = s->position[0];
    s->position[1].to_move = (uint8_t)yo_go_other((enum yo_go_color)from->to_move);
    s->position[1].board.ko = YO_GO_NONE;
    s->position[1].last = YO_GO_PASS;
    for (int i = 0; i < 2; i++) {
        s->result[i].playouts.histogram = s->histogram[i];
        s->result[i].playouts.owner = s->ownership[i];
    }
}

static enum yo_err play(struct yo_eval eval, struct sample *s, uint64_t seed, uint64_t games,
                        struct yo_diag *diag) {
    struct yo_eval_item item[2];
    for (int i = 0; i < 2; i++)
        item[i] = (struct yo_eval_item){.position = &s->position[i],
                                        .want = YO_EVAL_PLAYOUTS,
                                        .results = &s->result[i],
                                        .playout_policy = YO_PLAYOUT_LIGHT,
                                        .playouts = games,
                                        .seed = seed,
                                        .first_game = s->result[i].playouts.games};
    return yo_eval_run(eval, item, 2, diag);
}

/* One batch if there is no deadline and no stop, else short batches. */
static enum yo_err play_all(struct yo_eval eval, struct sample *s,
                            const struct yo_judge_limits *limits, bool *cut, struct yo_diag *diag) {
    uint64_t left = limits->games / 2 + 1;
    uint64_t batch = limits->deadline_ms || limits->stop ? FIRST_BATCH : left;
    do {
        int64_t before = yo_time_ms();
        uint64_t games = batch < left ? batch : left;
        enum yo_err err = play(eval, s, limits->seed, games, diag);
        if (err) return err;
        left -= games;
        if (yo_time_ms() - before < BATCH_MS) batch *= 2;
        *cut = left > 0 && is_over(limits);
    } while (left > 0 && !*cut);
    return YO_OK;
}

static double games_of(const struct sample *s) {
    return (double)(s->result[0].playouts.games + s->result[1].playouts.games);
}

/* Black's winrate. */
static double winrate_of(const struct sample *s, int komi2) {
    double won = 0;
    for (int i = 0; i < 2; i++) {
        uint64_t black, white, draws;
        yo_playout_count_wins(s->histogram[i], s->position[0].board.geometry->size, komi2, &black,
                              &white, &draws);
        won += (double)black + 0.5 * (double)draws;
    }
    return won / games_of(s);
}

enum yo_err yo_opinion_of_playouts(struct yo_eval eval, const struct yo_go_game *game,
                                   const uint8_t *dead, const struct yo_judge_limits *limits,
                                   struct yo_opinion *opinion, struct yo_diag *diag) {
    struct yo_playout_position from;
    struct sample s;
    yo_playout_position_from_game(game, &from);
    bool removes = memchr(dead, 1, YO_GO_POINTS_MAX) != NULL;
    yo_go_region_colors(game, dead, from.stones);
    if (removes) from.ko = YO_GO_NONE;
    sample_init(&s, &from);
    enum yo_err err = play_all(eval, &s, limits, &opinion->cut, diag);
    if (err) return err;
    for (int p = 0; p < s.position[0].board.geometry->points; p++)
        opinion->ownership[p] = (float)((s.ownership[0][p] + s.ownership[1][p]) / games_of(&s));
    for (int closed = 0; closed < 2; closed++)
        opinion->winrate_black[closed] = winrate_of(&s, yo_judge_area_komi2(game, closed));
    return YO_OK;
}

bool yo_opinion_has_ownership(struct yo_eval net) {
    const unsigned wants = YO_EVAL_VALUE | YO_EVAL_OWNERSHIP;
    struct yo_eval_about about = {.wants = 0};
    if (net.ops) net.ops->describe(net.ctx, 0, &about);
    return (about.wants & wants) == wants;
}

/* What a network says of a position, turned in each of eight ways. */
struct views {
    struct yo_eval_item item[8];
    struct yo_eval_result result[8];
    float ownership[8][YO_GO_POINTS_MAX];
};

/* Adds a share of the mean over the views. */
static enum yo_err add_views(struct yo_eval net, const struct yo_go_position *position, float share,
                             struct views *views, struct yo_opinion *opinion,
                             struct yo_diag *diag) {
    for (int i = 0; i < 8; i++) {
        views->result[i] = (struct yo_eval_result){.ownership = views->ownership[i]};
        views->item[i] = (struct yo_eval_item){.position = position,
                                               .want = YO_EVAL_VALUE | YO_EVAL_OWNERSHIP,
                                               .results = &views->result[i],
                                               .turn = (uint8_t)(i + 1)};
    }
    enum yo_err err = yo_eval_run(net, views->item, 8, diag);
    for (int i = 0; !err && i < 8; i++) {
        const struct yo_eval_value *value = &views->result[i].value;
        float to_move = value->win + 0.5f * value->draw;
        float black = position->to_move == YO_GO_BLACK ? to_move : 1 - to_move;
        for (int closed = 0; closed < 2; closed++)
            opinion->winrate_black[closed] += (double)(share / 8 * black);
        for (int p = 0; p < position->board.geometry->points; p++)
            opinion->ownership[p] += share / 8 * views->ownership[i][p];
    }
    return err;
}

enum yo_err yo_opinion_of_net(struct yo_eval net, const struct yo_go_game *game,
                              struct yo_opinion *opinion, struct yo_diag *diag) {
    struct yo_go_position position;
    struct views views;
    bool over = yo_go_game_passes(game) >= 2;
    memset(opinion, 0, sizeof *opinion);
    yo_go_position_from_game(game, &position);
    enum yo_err err = add_views(net, &position, over ? 0.5f : 1, &views, opinion, diag);
    if (err || !over) return err;
    yo_go_position_play(&position, YO_GO_PASS);
    return add_views(net, &position, 0.5f, &views, opinion, diag);
}
