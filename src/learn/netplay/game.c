#include "learn/netplay/game.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/random.h"
#include "learn/netplay/move.h"
#include "learn/netplay/visit.h"

enum { TRIES_MAX = 100000 };

const struct yo_netplay_settings yo_netplay_defaults = {
    .seed = 1,
    .visits = 400,
    .fast_visits = 80,
    .cheap_visits = 20,
    .full_share = 0.25,
    .noise = 0.25f,
    .noise_alpha = 10.83f,
    .puct = {.cpuct = 1.1f,
             .cpuct_log = 0.45f,
             .cpuct_base = 500,
             .fpu = 0.2f,
             .policy_temperature = 1,
             .forced = 2},
    .score_static = 0.1f,
    .score_dynamic = 0.3f,
    .score_zero = 0.2f,
    .temperature = 0.8f,
    .temperature_late = 0.2f,
    .opening = 1,
    .decided = 0.9f,
    .reuse = true,
};

/* ---- memory ---- */

static enum yo_err init_tree(struct yo_netplay_tree *tree, const struct yo_netplay_settings *s,
                             int size) {
    /* What a search keeps of the one before, and what a fast one adds. */
    return yo_netplay_tree_init(tree, (size_t)s->visits + s->fast_visits + s->cheap_visits + 16,
                                s->rules->moves_max(size), s->coding->kept_words);
}

enum yo_err yo_netplay_scratch_init(struct yo_netplay_scratch *scratch,
                                    const struct yo_netplay_settings *settings, int largest) {
    size_t most = settings->rules->game->max_moves;
    *scratch = (struct yo_netplay_scratch){0};
    enum yo_err err = init_tree(&scratch->spare, settings, largest);
    scratch->moves = yo_alloc(most, sizeof *scratch->moves);
    scratch->leaf = yo_alloc_aligned(settings->rules->game->position_size);
    scratch->logits = yo_alloc(most, sizeof *scratch->logits);
    scratch->targets = yo_alloc(most, sizeof *scratch->targets);
    bool good = scratch->moves && scratch->leaf && scratch->logits && scratch->targets;
    if (settings->rules->solver_new && (settings->leaf_proof || settings->root_proof)) {
        scratch->solver_delete = settings->rules->solver_delete;
        scratch->solver = settings->rules->solver_new();
        good = good && scratch->solver;
    }
    return err || !good ? YO_ERR_NOMEM : YO_OK;
}

void yo_netplay_scratch_free(struct yo_netplay_scratch *scratch) {
    yo_netplay_tree_free(&scratch->spare);
    yo_free(scratch->moves);
    yo_free_aligned(scratch->leaf);
    yo_free(scratch->logits);
    yo_free(scratch->targets);
    if (scratch->solver) scratch->solver_delete(scratch->solver);
    yo_buf_free(&scratch->bytes);
}

enum yo_err yo_netplay_game_init(struct yo_netplay_game *g,
                                 const struct yo_netplay_settings *settings, int size,
                                 int largest) {
    *g = (struct yo_netplay_game){.settings = settings, .size = size};
    enum yo_err err = init_tree(&g->tree, settings, largest);
    size_t bytes = settings->rules->game->position_size;
    size_t moves = settings->rules->moves_max(size);
    g->root = yo_alloc_aligned(bytes);
    g->moves = yo_alloc(moves, sizeof *g->moves);
    g->entries = yo_alloc(moves, sizeof *g->entries);
    if (err || !g->root || !g->moves || !g->entries) return YO_ERR_NOMEM;
    if (settings->coding->memory_new && !(g->memory = settings->coding->memory_new(size)))
        return YO_ERR_NOMEM;
    return YO_OK;
}

static void drop_game(struct yo_netplay_game *g) {
    if (g->game) g->settings->rules->destroy(g->game);
    g->game = NULL;
}

void yo_netplay_game_free(struct yo_netplay_game *g) {
    if (!g->settings) return;
    drop_game(g);
    yo_netplay_tree_free(&g->tree);
    yo_free_aligned(g->root);
    yo_free(g->moves);
    yo_free(g->entries);
    if (g->memory) g->settings->coding->memory_delete(g->memory);
    yo_netplay_record_free(&g->record);
}

/* ---- beginning ---- */

static enum yo_err set_up(struct yo_netplay_game *g, struct yo_diag *diag) {
    const struct yo_netplay_rules *rules = g->settings->rules;
    drop_game(g);
    enum yo_err err = rules->create(g->record.setup, g->record.setup_size, &g->game, diag);
    if (err) return err;
    rules->game->from_game(g->game, g->root);
    yo_netplay_tree_clear(&g->tree);
    g->waiting = g->full = false;
    g->gumbel.count = 0;
    g->budget = 0;
    g->scores = (struct yo_guided_scores){.in_static = g->settings->score_static,
                                          .in_dynamic = g->settings->score_dynamic,
                                          .unit = sqrtf((float)rules->cells(g->root))};
    g->before_count = 0;
    g->ahead_for = g->ahead = g->decided = 0;
    g->resigns = yo_random_uniform(&g->random) < g->settings->resign_share;
    return YO_OK;
}

enum yo_err yo_netplay_game_begin(struct yo_netplay_game *g, uint64_t number, uint32_t net,
                                  struct yo_diag *diag) {
    const struct yo_netplay_settings *s = g->settings;
    g->random = yo_mix64(s->seed * YO_SPLITMIX_STEP ^ (s->match ? number / 2 : number));
    yo_netplay_record_clear(&g->record);
    g->record.game = s->rules->id;
    g->record.number = number;
    g->record.net = net;
    g->record.setup_size =
        s->setup ? s->setup(s->setups, number, g->record.setup)
                 : s->rules->draw(s->rules_settings, g->size, &g->random, g->record.setup);
    enum yo_err err = set_up(g, diag);
    if (err) return err;
    double mean = s->opening * s->rules->opening * (double)s->rules->cells(g->root);
    g->opening = (int)(-mean * log(yo_random_uniform(&g->random)) + 0.5);
    yo_netplay_move_plan(g);
    return YO_OK;
}

enum yo_err yo_netplay_game_resume(struct yo_netplay_game *g, struct yo_netplay_record *record,
                                   struct yo_diag *diag) {
    const struct yo_netplay_rules *rules = g->settings->rules;
    struct yo_netplay_record old = g->record;
    g->record = *record;
    *record = old;
    g->random = yo_mix64(g->settings->seed * YO_SPLITMIX_STEP ^ g->record.number ^
                         g->record.step_count << 40);
    enum yo_err err = set_up(g, diag);
    for (size_t i = 0; !err && i < g->record.step_count; i++)
        err = rules->play(g->game, g->record.steps[i].move, diag);
    if (err) {
        drop_game(g);
        return err;
    }
    rules->game->from_game(g->game, g->root);
    g->opening = 0;
    yo_netplay_move_plan(g);
    return YO_OK;
}

/* ---- the end ---- */

static void count_game(const struct yo_netplay_game *g, struct yo_netplay_counts *counts) {
    const struct yo_netplay_record *r = &g->record;
    counts->games++;
    counts->first += r->outcome == YO_OUTCOME_FIRST;
    counts->second += r->outcome == YO_OUTCOME_SECOND;
    counts->draws += r->outcome == YO_OUTCOME_DRAW;
    bool swapped = r->number & 1;
    counts->won += r->outcome == (swapped ? YO_OUTCOME_SECOND : YO_OUTCOME_FIRST);
    counts->lost += r->outcome == (swapped ? YO_OUTCOME_FIRST : YO_OUTCOME_SECOND);
    counts->moves += r->step_count;
    for (size_t i = 0; i < r->step_count; i++)
        counts->targets += r->steps[i].kind == YO_NETPLAY_FULL;
    counts->decided += g->decided != 0;
    counts->resigned += r->end == YO_NETPLAY_RESIGNED;
    counts->cut += r->end == YO_NETPLAY_CUT;
    enum yo_outcome expected = g->decided > 0 ? YO_OUTCOME_FIRST : YO_OUTCOME_SECOND;
    counts->decided_wrong += g->decided && r->end != YO_NETPLAY_CUT && r->outcome != expected;
}

static bool is_too_long(const struct yo_netplay_game *g) {
    int most = g->settings->rules->length_max(g->root);
    if (g->settings->length_max > 0 && g->settings->length_max < most)
        most = g->settings->length_max;
    return (int)g->record.step_count >= most;
}

/* The side to move has a forced win, which needs no play. */
static bool is_won(const struct yo_netplay_game *g, struct yo_netplay_scratch *scratch) {
    const struct yo_netplay_settings *s = g->settings;
    return scratch->solver && s->root_proof > 0 &&
           s->rules->wins(scratch->solver, g->root, s->root_proof);
}

static bool end_game(struct yo_netplay_game *g, struct yo_netplay_scratch *scratch) {
    const struct yo_netplay_rules *rules = g->settings->rules;
    struct yo_netplay_record *r = &g->record;
    struct yo_netplay_result result;
    enum yo_netplay_end end = rules->ended(g->root);
    bool won = end == YO_NETPLAY_UNFINISHED && is_won(g, scratch);
    if (won) end = YO_NETPLAY_SETTLED;
    if (end == YO_NETPLAY_UNFINISHED && g->decided && g->resigns) end = YO_NETPLAY_RESIGNED;
    if (end == YO_NETPLAY_UNFINISHED && is_too_long(g)) end = YO_NETPLAY_CUT;
    if (end == YO_NETPLAY_UNFINISHED) return false;
    r->end = (uint8_t)end;
    if (end == YO_NETPLAY_RESIGNED) {
        r->outcome = g->decided > 0 ? YO_OUTCOME_FIRST : YO_OUTCOME_SECOND;
    } else if (won) {
        r->outcome = rules->game->side_to_move(g->root) ? YO_OUTCOME_SECOND : YO_OUTCOME_FIRST;
    } else if (end != YO_NETPLAY_CUT) {
        rules->result(g->root, &result);
        r->outcome = (uint8_t)result.outcome;
        r->lead2 = result.lead2;
        r->cells = result.cells;
        memcpy(r->owner, result.owner, result.cells);
    }
    count_game(g, &scratch->counts);
    drop_game(g);
    return true;
}

/* ---- all of it ---- */

enum yo_err yo_netplay_game_go_on(struct yo_netplay_game *g, struct yo_netplay_scratch *scratch,
                                  bool *ended, struct yo_diag *diag) {
    *ended = false;
    for (int tries = 0; tries < TRIES_MAX; tries++) {
        if (yo_netplay_move_due(g)) {
            enum yo_err err = yo_netplay_move(g, scratch, diag);
            if (err) return err == YO_ERR_NOMEM ? yo_diag_set(diag, err, "not enough memory") : err;
            *ended = end_game(g, scratch);
            if (*ended) return YO_OK;
            continue;
        }
        if (g->tree.root && g->budget == 0) yo_netplay_move_begin(g, scratch);
        if (yo_netplay_visit(g, scratch)) return YO_OK;
    }
    return yo_diag_set(diag, YO_ERR_STATE, "a search does not end");
}
