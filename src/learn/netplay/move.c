#include "learn/netplay/move.h"

#include <math.h>
#include <string.h>

#include "base/random.h"

enum { DECIDED_MOVES = 6 };

/* ---- searches ---- */

void yo_netplay_move_plan(struct yo_netplay_game *g) {
    const struct yo_netplay_settings *s = g->settings;
    double share = g->decided ? s->full_share / 5 : s->full_share;
    g->full = g->opening == 0 && yo_random_uniform(&g->random) < share;
    g->budget = 0;
    if (s->match) {
        int side = s->rules->game->side_to_move(g->root);
        g->net = g->opening > 0 ? 0 : side ^ (int)(g->record.number & 1);
    }
    bool over = g->tree.root && yo_netplay_node(&g->tree, g->tree.root)->over;
    if (g->full || over) yo_netplay_tree_clear(&g->tree);
}

void yo_netplay_move_begin(struct yo_netplay_game *g, struct yo_netplay_scratch *scratch) {
    const struct yo_netplay_settings *s = g->settings;
    g->budget = g->full ? s->visits : g->decided ? s->cheap_visits : s->fast_visits;
    const struct yo_netplay_node *root = yo_netplay_node(&g->tree, g->tree.root);
    /* What was kept of the last search has its center, which is near. */
    g->scores.center =
        yo_guided_score_center(root->score / (float)root->visits, g->scores.unit, s->score_zero);
    size_t count = s->rules->root_moves(g->root, scratch->moves);
    yo_netplay_tree_restrict(&g->tree, scratch->moves, count);
    g->gumbel.count = 0;
    if (g->full && s->gumbel > 0)
        yo_netplay_gumbel_begin(&g->gumbel, &g->tree, s->gumbel, &g->random);
    else if (g->full && s->noise > 0)
        yo_netplay_root_noise(&g->tree, s->noise, s->noise_alpha, &g->random);
}

bool yo_netplay_move_due(const struct yo_netplay_game *g) {
    if (!g->tree.root) return false;
    return g->opening > 0 ||
           (g->budget > 0 && yo_netplay_node(&g->tree, g->tree.root)->visits > g->budget);
}

/* ---- moves ---- */

static float temperature(const struct yo_netplay_game *g) {
    const struct yo_netplay_settings *s = g->settings;
    float side = sqrtf((float)s->rules->cells(g->root));
    float left = exp2f(-(float)g->record.step_count / side);
    return s->temperature_late + (s->temperature - s->temperature_late) * left;
}

/* Notes who is far ahead. */
static void watch(struct yo_netplay_game *g, float value) {
    int side = value > g->settings->decided ? 1 : value < -g->settings->decided ? -1 : 0;
    g->ahead_for = side && side == g->ahead ? g->ahead_for + 1 : side != 0;
    g->ahead = side;
    if (g->ahead_for >= DECIDED_MOVES && !g->decided) g->decided = side;
}

static uint16_t of_65535(float share) {
    return (uint16_t)(65535 * (share < 0 ? 0 : share > 1 ? 1 : share) + 0.5f);
}

/* The step of the search that is over, with its targets; the move is drawn from them. */
static enum yo_err note_search(struct yo_netplay_game *g, struct yo_netplay_scratch *scratch,
                               struct yo_netplay_step *step) {
    const struct yo_netplay_settings *s = g->settings;
    const struct yo_netplay_node *root = yo_netplay_node(&g->tree, g->tree.root);
    float sign = root->to_move == 0 ? 1.0f : -1.0f, n = (float)root->visits;
    float score2 = fminf(fmaxf(2 * sign * root->score / n, -2000), 2000);
    bool gumbel = g->gumbel.count > 0;
    size_t room = s->rules->game->max_moves;
    size_t count =
        gumbel ? yo_netplay_gumbel_target(&g->tree, scratch->targets, room)
               : yo_netplay_root_visits(&g->tree, &s->puct, g->full, scratch->targets, room);
    if (count == 0) return YO_ERR_STATE;
    *step = (struct yo_netplay_step){.kind = g->full ? YO_NETPLAY_FULL : YO_NETPLAY_FAST,
                                     .win = of_65535(0.5f + 0.5f * sign * root->value / n),
                                     .score2 = (int16_t)lrintf(score2),
                                     .target_at = (uint32_t)g->record.target_count};
    if (gumbel) {
        step->move = yo_netplay_gumbel_best(&g->gumbel, &g->tree);
    } else {
        size_t pick = yo_netplay_root_pick(scratch->targets, count, temperature(g), &g->random);
        step->move = scratch->targets[pick].move;
    }
    watch(g, root->value / n);
    if (!g->full) return YO_OK;
    step->target_count = (uint16_t)count;
    for (size_t i = 0; i < count; i++)
        if (yo_netplay_record_target(&g->record, scratch->targets[i].move,
                                     scratch->targets[i].weight))
            return YO_ERR_NOMEM;
    return YO_OK;
}

static enum yo_err play(struct yo_netplay_game *g, struct yo_netplay_scratch *scratch,
                        const struct yo_netplay_step *step, struct yo_diag *diag) {
    const struct yo_netplay_rules *rules = g->settings->rules;
    if (yo_netplay_record_step(&g->record, step)) return YO_ERR_NOMEM;
    enum yo_err err = rules->play(g->game, step->move, diag);
    if (err) return err;
    rules->game->from_game(g->game, g->root);
    memcpy(g->before[1], g->before[0], sizeof g->before[0]);
    memcpy(g->before[0], yo_netplay_kept(&g->tree, g->tree.root), g->tree.kept * sizeof *g->kept);
    if (g->before_count < 2) g->before_count++;
    if (g->settings->reuse && step->kind != YO_NETPLAY_OPENING)
        yo_netplay_tree_advance(&g->tree, step->move, &scratch->spare);
    else
        yo_netplay_tree_clear(&g->tree);
    yo_netplay_move_plan(g);
    return YO_OK;
}

static enum yo_err play_drawn(struct yo_netplay_game *g, struct yo_netplay_scratch *scratch,
                              struct yo_diag *diag) {
    const struct yo_netplay_rules *rules = g->settings->rules;
    size_t count = rules->root_moves(g->root, scratch->moves), kept = 0;
    for (size_t i = 0; i < count; i++)
        if (scratch->moves[i] != rules->game->move_null) scratch->moves[kept++] = scratch->moves[i];
    yo_netplay_tree_restrict(&g->tree, scratch->moves, kept > 0 ? kept : count);
    yo_move move = yo_netplay_root_draw(&g->tree, 1, &g->random);
    struct yo_netplay_step step = {.kind = YO_NETPLAY_OPENING, .move = (uint16_t)move};
    g->opening--;
    return play(g, scratch, &step, diag);
}

enum yo_err yo_netplay_move(struct yo_netplay_game *g, struct yo_netplay_scratch *scratch,
                            struct yo_diag *diag) {
    struct yo_netplay_step step;
    if (g->opening > 0) return play_drawn(g, scratch, diag);
    enum yo_err err = note_search(g, scratch, &step);
    return err ? err : play(g, scratch, &step, diag);
}
