#include "search/judge.h"

#include <string.h>

#include "base/diag.h"
#include "game/go/region.h"

/* A string whose points end up its own this much more often than the opponent's (or the other way
 * round) is alive (dead); in between, neither side can take the other: seki. */
#define CLEAR 0.4f
/* To stop playing, more certainty is wanted. */
#define SURE      0.6f
#define CONFIDENT 0.75

int yo_judge_komi2(const struct yo_go_game *game) {
    const struct yo_go_rules *rules = yo_go_game_rules(game);
    int stones = yo_go_game_handicap(game);
    if (stones == 0 || rules->handicap_bonus == YO_GO_BONUS_0) return rules->komi2;
    if (rules->handicap_bonus == YO_GO_BONUS_N_MINUS_1) stones--;
    return rules->komi2 + 2 * stones;
}

/* Playouts with each side first, into ownership and winrate_black. */
static enum yo_err sample(struct yo_eval eval, const struct yo_go_game *game, uint64_t seed,
                          uint64_t games, struct yo_judgement *out, struct yo_diag *diag) {
    int size = yo_go_game_size(game), points = size * size;
    uint32_t histogram[2][2 * YO_GO_POINTS_MAX + 1] = {0};
    int32_t ownership[2][YO_GO_POINTS_MAX] = {0};
    struct yo_playout_position position[2];
    struct yo_eval_result result[2] = {0};
    struct yo_eval_item item[2];
    yo_playout_position_from_game(game, &position[0]);
    position[1] = position[0];
    position[1].to_move = (uint8_t)yo_go_other((enum yo_go_color)position[0].to_move);
    position[1].ko = YO_GO_NONE;
    position[1].last = YO_GO_PASS;
    for (int i = 0; i < 2; i++) {
        result[i].playouts.histogram = histogram[i];
        result[i].playouts.ownership = ownership[i];
        item[i] = (struct yo_eval_item){.position = &position[i],
                                        .want = YO_EVAL_PLAYOUTS,
                                        .results = &result[i],
                                        .policy = YO_PLAYOUT_LIGHT,
                                        .playouts = games / 2 + 1,
                                        .seed = seed};
    }
    struct yo_eval_batch batch = {.items = item, .item_count = 2};
    enum yo_err err = eval.ops->submit(eval.ctx, &batch, diag);
    if (err) return err;
    err = eval.ops->wait(eval.ctx, &batch);
    if (err) return yo_diag_set(diag, err, "playouts failed: %s", yo_err_text(err));

    double total = (double)(result[0].playouts.games + result[1].playouts.games), won = 0;
    for (int i = 0; i < 2; i++) {
        uint64_t black, white, draws;
        yo_playout_count_wins(histogram[i], size, yo_judge_komi2(game), &black, &white, &draws);
        won += (double)black + 0.5 * (double)draws;
    }
    out->winrate_black = won / total;
    for (int p = 0; p < points; p++)
        out->ownership[p] = (float)((ownership[0][p] + ownership[1][p]) / total);
    return YO_OK;
}

/* The status of a string from the mean ownership of its points; false when it is not sure. */
static bool judge_string(const struct yo_go_region *string, enum yo_go_color color,
                         struct yo_judgement *out) {
    float mean = 0;
    for (int i = 0; i < string->count; i++)
        mean += out->ownership[string->points[i]];
    mean /= (float)string->count;
    if (color == YO_GO_WHITE) mean = -mean;
    uint8_t status = YO_JUDGE_SEKI;
    if (mean > CLEAR) status = YO_JUDGE_ALIVE;
    if (mean < -CLEAR) status = YO_JUDGE_DEAD;
    for (int i = 0; i < string->count; i++)
        out->status[string->points[i]] = status;
    return mean > SURE || mean < -SURE;
}

static void apply_benson(const struct yo_go_game *game, int points, struct yo_judgement *out) {
    uint8_t alive[YO_GO_POINTS_MAX] = {0};
    yo_go_game_benson(game, alive);
    for (int p = 0; p < points; p++)
        if (alive[p] != YO_GO_EMPTY) out->ownership[p] = alive[p] == YO_GO_BLACK ? 1.0f : -1.0f;
}

static bool judge_strings(const struct yo_go_game *game, int points, struct yo_judgement *out) {
    uint8_t seen[YO_GO_POINTS_MAX] = {0}, colors[YO_GO_POINTS_MAX];
    struct yo_go_region string;
    bool sure = true;
    yo_go_region_colors(game, NULL, colors);
    for (int p = 0; p < points; p++) {
        if (colors[p] == YO_GO_EMPTY || seen[p]) continue;
        yo_go_region_find(yo_go_game_size(game), colors, (yo_go_point)p, seen, &string);
        if (!judge_string(&string, (enum yo_go_color)colors[p], out)) sure = false;
    }
    return sure;
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

enum yo_err yo_judge_go(struct yo_eval eval, const struct yo_go_game *game, uint64_t seed,
                        uint64_t games, struct yo_judgement *out, struct yo_diag *diag) {
    int points = yo_go_game_size(game) * yo_go_game_size(game);
    memset(out, 0, sizeof *out);
    enum yo_err err = sample(eval, game, seed, games, out, diag);
    if (err) return err;
    apply_benson(game, points, out);
    bool sure = judge_strings(game, points, out);
    for (int p = 0; p < points; p++)
        out->dead[p] = out->status[p] == YO_JUDGE_DEAD;
    out->settled = sure && !has_open_region(game, points, out->dead);
    yo_go_game_score(game, out->dead, &out->score);
    return YO_OK;
}

bool yo_judge_opponent_passed(const struct yo_go_game *game) {
    size_t count = yo_go_game_move_count(game);
    if (count == 0) return false;
    struct yo_go_played last = yo_go_game_move(game, count - 1);
    return last.move == YO_GO_PASS && last.color != yo_go_game_to_move(game);
}

static bool has_dead(const struct yo_judgement *judgement, const struct yo_go_game *game,
                     enum yo_go_color color) {
    int points = yo_go_game_size(game) * yo_go_game_size(game);
    for (int p = 0; p < points; p++)
        if (judgement->dead[p] && yo_go_game_at(game, (yo_go_point)p) == color) return true;
    return false;
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
    /* An open board may count as won by komi alone: then the playouts must think so too. */
    double winrate = me == YO_GO_BLACK ? judgement->winrate_black : 1 - judgement->winrate_black;
    return winrate > (judgement->settled ? 0.5 : CONFIDENT);
}
