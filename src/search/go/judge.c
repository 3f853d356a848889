#include "search/go/judge.h"

#include <string.h>

#include "base/time.h"
#include "eval/playout/position.h"
#include "game/go/region.h"
#include "game/go/score.h"
#include "game/go/state.h"

/* A string is alive if its points end as its own more often than as the opponent's, and dead if
 * less often. Only a string with a difference below this can be in seki. */
#define CLEAR 0.4f
/* A string with a difference above this is clearly alive, so that play can stop. */
#define SURE 0.6f
/* Removing a dead string makes the status of its neighbours clearer; at most this many rounds. */
#define ROUNDS    8
#define CONFIDENT 0.75
/* Games of the first batch for each side to move first; doubled as long as a batch takes less than
 * the time below. */
#define FIRST_BATCH 64
#define BATCH_MS    10

int yo_judge_komi2(const struct yo_go_game *game) {
    return yo_go_score_komi2(yo_go_game_rules(game), yo_go_game_handicap(game));
}

int yo_judge_area_komi2(const struct yo_go_game *game, bool closed) {
    return yo_go_score_area_komi2(&game->board, yo_go_game_rules(game), yo_go_game_handicap(game),
                                  yo_go_game_to_move(game), closed);
}

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

static void find_ownership(const struct sample *s, int points, float *ownership) {
    for (int p = 0; p < points; p++)
        ownership[p] = (float)((s->ownership[0][p] + s->ownership[1][p]) / games_of(s));
}

/* Would a stone there stand in atari, or be captured at once? */
static bool is_self_atari(const struct yo_go_board *board, enum yo_go_color color, yo_go_point p) {
    struct yo_go_board after = *board;
    yo_go_board_play(&after, color, p);
    return after.color[p] == YO_GO_EMPTY || yo_go_board_liberties(&after, p, 2) < 2;
}

/* The shape of a seki: on no liberty of the string can either side play without being captured. */
static bool is_standoff(const struct yo_go_board *board, const struct yo_go_region *string) {
    for (int i = 0; i < string->count; i++)
        for (int d = 0; d < 4; d++) {
            unsigned q = board->geometry->nbr[string->points[i]][d];
            if (board->color[q] != YO_GO_EMPTY) continue;
            if (!is_self_atari(board, YO_GO_BLACK, (yo_go_point)q)) return false;
            if (!is_self_atari(board, YO_GO_WHITE, (yo_go_point)q)) return false;
        }
    return true;
}

/* How much more often a string's points end as its own than as the opponent's, -1 .. +1. */
static float hold_of(const struct yo_go_region *string, enum yo_go_color color,
                     const float *ownership) {
    float sum = 0;
    for (int i = 0; i < string->count; i++)
        sum += ownership[string->points[i]];
    return (color == YO_GO_BLACK ? sum : -sum) / (float)string->count;
}

static void set_status(const struct yo_go_region *string, enum yo_judge_status status,
                       struct yo_judgement *out) {
    for (int i = 0; i < string->count; i++) {
        out->status[string->points[i]] = (uint8_t)status;
        out->dead[string->points[i]] = status == YO_JUDGE_DEAD;
    }
}

static void apply_benson(const struct yo_go_game *game, int points, float *ownership) {
    uint8_t alive[YO_GO_POINTS_MAX] = {0};
    yo_go_game_benson(game, alive);
    for (int p = 0; p < points; p++)
        if (alive[p] != YO_GO_EMPTY) ownership[p] = alive[p] == YO_GO_BLACK ? 1.0f : -1.0f;
}

/* Sets the status of every string that is left. Dead are all that are clearly dead or, if there is
 * none, the one with the lowest hold below 0. Returns whether any is dead; *sure becomes false if a
 * status is in doubt. */
static bool find_dead(const struct yo_go_game *game, int points, struct yo_judgement *out,
                      bool *sure) {
    uint8_t seen[YO_GO_POINTS_MAX] = {0}, colors[YO_GO_POINTS_MAX];
    struct yo_go_region string, worst = {.count = 0};
    float worst_hold = 0;
    bool found = false;
    yo_go_region_colors(game, out->dead, colors);
    for (int p = 0; p < points; p++) {
        if (colors[p] == YO_GO_EMPTY || seen[p]) continue;
        yo_go_region_find(yo_go_game_size(game), colors, (yo_go_point)p, seen, &string);
        float hold = hold_of(&string, (enum yo_go_color)colors[p], out->ownership);
        bool standoff = hold < CLEAR && hold > -CLEAR && is_standoff(&game->board, &string);
        set_status(&string, standoff ? YO_JUDGE_SEKI : YO_JUDGE_ALIVE, out);
        if (hold < SURE) *sure = *sure && hold < -CLEAR;
        if (hold < -CLEAR) {
            set_status(&string, YO_JUDGE_DEAD, out);
            found = true;
        } else if (!standoff && hold < worst_hold) {
            worst_hold = hold;
            worst = string;
        }
    }
    if (found || worst.count == 0) return found;
    set_status(&worst, YO_JUDGE_DEAD, out);
    return true;
}

/* With the dead stones off the board, does an empty region touch both colours, or none? */
static bool has_open_region(const struct yo_go_game *game, int points, const uint8_t *dead) {
    uint8_t seen[YO_GO_POINTS_MAX] = {0}, colors[YO_GO_POINTS_MAX];
    struct yo_go_region region;
    yo_go_region_colors(game, dead, colors);
    for (int p = 0; p < points; p++) {
        if (colors[p] != YO_GO_EMPTY || seen[p]) continue;
        yo_go_region_find(yo_go_game_size(game), colors, (yo_go_point)p, seen, &region);
        if (region.touches[YO_GO_BLACK] == region.touches[YO_GO_WHITE]) return true;
    }
    return false;
}

enum yo_err yo_judge_go(struct yo_eval eval, const struct yo_go_game *game,
                        const struct yo_judge_limits *limits, struct yo_judgement *out,
                        struct yo_diag *diag) {
    int points = yo_go_game_size(game) * yo_go_game_size(game);
    double winrate_black[2] = {0}; /* [0]: open board; [1]: closed */
    struct yo_playout_position position;
    struct sample sample;
    memset(out, 0, sizeof *out);
    yo_playout_position_from_game(game, &position);
    bool found = true, sure = true, cut = false;
    for (int round = 0; found && !cut && round < ROUNDS; round++) {
        sample_init(&sample, &position);
        enum yo_err err = play_all(eval, &sample, limits, &cut, diag);
        if (err) return err;
        find_ownership(&sample, points, out->ownership);
        for (int i = 0; i < 2 && round == 0; i++)
            winrate_black[i] = winrate_of(&sample, yo_judge_area_komi2(game, i));
        apply_benson(game, points, out->ownership);
        sure = true;
        found = find_dead(game, points, out, &sure);
        yo_go_region_colors(game, out->dead, position.stones);
        position.ko = YO_GO_NONE;
    }
    out->closed = !cut && !has_open_region(game, points, out->dead);
    out->settled = out->closed && sure;
    out->winrate_black = winrate_black[out->closed];
    yo_go_game_score(game, out->dead, &out->score);
    return YO_OK;
}

static void let_all_live(const struct yo_go_game *game, struct yo_judgement *judgement) {
    memset(judgement->dead, 0, sizeof judgement->dead);
    for (int p = 0; p < YO_GO_POINTS_MAX; p++)
        if (judgement->status[p] != YO_JUDGE_EMPTY) judgement->status[p] = YO_JUDGE_ALIVE;
    yo_go_game_score(game, NULL, &judgement->score);
}

enum yo_err yo_judge_result(struct yo_eval eval, const struct yo_go_game *game,
                            const struct yo_judge_limits *limits, struct yo_judgement *out,
                            struct yo_diag *diag) {
    enum yo_err err = yo_judge_go(eval, game, limits, out, diag);
    bool over = yo_go_game_passes(game) >= 2;
    if (!err && over && !yo_go_game_rules(game)->friendly_pass_ok) let_all_live(game, out);
    return err;
}

bool yo_judge_opponent_passed(const struct yo_go_game *game) {
    size_t count = yo_go_game_move_count(game);
    if (count == 0) return false;
    struct yo_go_played last = yo_go_game_move(game, count - 1);
    return last.move == YO_GO_PASS && last.color != yo_go_game_to_move(game);
}

bool yo_judge_may_be_over(const struct yo_go_game *game) {
    int size = yo_go_game_size(game);
    return yo_judge_opponent_passed(game) || 5 * yo_go_game_stones(game) > 2 * size * size;
}

double yo_judge_lead(const struct yo_judgement *judgement, const struct yo_go_game *game) {
    int points = yo_go_game_size(game) * yo_go_game_size(game);
    double black = judgement->score.lead2 / 2.0;
    if (!judgement->closed) black = -yo_judge_area_komi2(game, false) / 2.0;
    for (int p = 0; p < points && !judgement->closed; p++)
        black += (double)judgement->ownership[p];
    return yo_go_game_to_move(game) == YO_GO_BLACK ? black : -black;
}

static bool has_dead(const struct yo_judgement *judgement, const struct yo_go_game *game,
                     enum yo_go_color color) {
    int points = yo_go_game_size(game) * yo_go_game_size(game);
    for (int p = 0; p < points; p++)
        if (judgement->dead[p] && yo_go_game_at(game, (yo_go_point)p) == color) return true;
    return false;
}

bool yo_judge_should_give_in(const struct yo_judgement *judgement, const struct yo_go_game *game,
                             bool clean_up) {
    enum yo_go_color me = yo_go_game_to_move(game);
    if (clean_up && has_dead(judgement, game, yo_go_other(me))) return false;
    int lead2 = judgement->score.lead2;
    if (me == YO_GO_WHITE) lead2 = -lead2;
    return lead2 < 0 && (judgement->settled || yo_judge_opponent_passed(game));
}

bool yo_judge_should_pass(const struct yo_judgement *judgement, const struct yo_go_game *game,
                          bool clean_up) {
    enum yo_go_color me = yo_go_game_to_move(game);
    int sign = me == YO_GO_BLACK ? 1 : -1;
    if (!judgement->settled && !yo_judge_opponent_passed(game)) return false;
    if (clean_up && has_dead(judgement, game, yo_go_other(me))) return false;
    if (sign * judgement->score.lead2 <= 0) return false;
    if (!yo_go_game_rules(game)->friendly_pass_ok) {
        struct yo_go_score as_it_stands;
        yo_go_game_score(game, NULL, &as_it_stands);
        if (sign * as_it_stands.lead2 <= 0) return false;
    }
    /* On an open board komi alone may decide the count: so the winrate of the playouts must
     * agree. */
    double winrate = me == YO_GO_BLACK ? judgement->winrate_black : 1 - judgement->winrate_black;
    return winrate > (judgement->settled ? 0.5 : CONFIDENT);
}
