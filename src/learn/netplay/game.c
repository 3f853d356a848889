#include "learn/netplay/game.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/random.h"
#include "eval/net/graph.h"

enum { POLICY_MAX = 4096, DECIDED_MOVES = 6, TRIES_MAX = 100000 };

const struct yo_netplay_settings yo_netplay_defaults = {
    .seed = 1,
    .visits = 400,
    .fast_visits = 80,
    .cheap_visits = 20,
    .full_share = 0.25,
    .noise = 0.25f,
    .noise_alpha = 10.83f,
    .puct = {.cpuct = 1.1f, .cpuct_log = 0.45f, .cpuct_base = 500, .fpu = 0.2f, .forced = 2},
    .score_utility = 0.1f,
    .temperature = 0.8f,
    .temperature_late = 0.2f,
    .opening = 1,
    .decided = 0.9f,
    .reuse = true,
    .symmetries = 1,
};

/* ---- memory ---- */

static enum yo_err init_tree(struct yo_netplay_tree *tree, const struct yo_netplay_settings *s,
                             int size) {
    /* What a search keeps of the one before, and what a fast one adds. */
    return yo_netplay_tree_init(tree, (size_t)s->visits + s->fast_visits + s->cheap_visits + 16,
                                s->rules->moves_max(size), s->kept_words);
}

enum yo_err yo_netplay_scratch_init(struct yo_netplay_scratch *scratch,
                                    const struct yo_netplay_settings *settings, int largest) {
    size_t most = settings->rules->game->max_moves;
    *scratch = (struct yo_netplay_scratch){0};
    enum yo_err err = init_tree(&scratch->spare, settings, largest);
    scratch->moves = yo_alloc(most, sizeof *scratch->moves);
    scratch->policy = yo_alloc(most, sizeof *scratch->policy);
    scratch->logits = yo_alloc(POLICY_MAX, sizeof *scratch->logits);
    scratch->targets = yo_alloc(most, sizeof *scratch->targets);
    bool good = scratch->moves && scratch->policy && scratch->logits && scratch->targets;
    return err || !good ? YO_ERR_NOMEM : YO_OK;
}

void yo_netplay_scratch_free(struct yo_netplay_scratch *scratch) {
    yo_netplay_tree_free(&scratch->spare);
    yo_free(scratch->moves);
    yo_free(scratch->policy);
    yo_free(scratch->logits);
    yo_free(scratch->targets);
    yo_buf_free(&scratch->bytes);
}

enum yo_err yo_netplay_game_init(struct yo_netplay_game *g,
                                 const struct yo_netplay_settings *settings, int size,
                                 int largest) {
    *g = (struct yo_netplay_game){.settings = settings, .size = size};
    enum yo_err err = init_tree(&g->tree, settings, largest);
    size_t bytes = settings->rules->game->position_size;
    g->root = yo_alloc_aligned(bytes);
    g->leaf = yo_alloc_aligned(bytes);
    g->moves = yo_alloc(settings->rules->moves_max(size), sizeof *g->moves);
    return err || !g->root || !g->leaf || !g->moves ? YO_ERR_NOMEM : YO_OK;
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
    yo_free_aligned(g->leaf);
    yo_free(g->moves);
    yo_netplay_record_free(&g->record);
}

/* ---- beginning ---- */

/* Draws the kind of the next search. A full one begins with an empty tree, since its target should
 * come from visits with noise; a fast one keeps what is known. */
static void plan_search(struct yo_netplay_game *g) {
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
    g->record.setup_size = s->rules->draw(s->rules_settings, g->size, &g->random, g->record.setup);
    enum yo_err err = set_up(g, diag);
    if (err) return err;
    double mean = s->opening * s->rules->opening * (double)s->rules->cells(g->root);
    g->opening = (int)(-mean * log(yo_random_uniform(&g->random)) + 0.5);
    plan_search(g);
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
    plan_search(g);
    return YO_OK;
}

/* ---- values ---- */

/* Points count a little, so that decided games are still played well. */
static struct yo_netplay_value value_of(const struct yo_netplay_game *g,
                                        const struct yo_eval_value *v, int side) {
    float sign = side == 0 ? 1.0f : -1.0f, unit = sqrtf((float)g->settings->rules->cells(g->root));
    struct yo_netplay_value out = {.value = sign * (2 * v->win + v->draw - 1),
                                   .score = sign * v->score_mean};
    float points = out.score / unit;
    out.utility = out.value + g->settings->score_utility * points / (1 + fabsf(points));
    return out;
}

/* The node of the leaf takes its place in the tree. */
static uint32_t add_leaf(struct yo_netplay_game *g, const struct yo_netplay_value *value,
                         int side) {
    struct yo_netplay_path *path = &g->path;
    uint32_t node = yo_netplay_tree_add(&g->tree, side, value);
    path->node[path->length - 1] = node;
    if (path->length == 1) {
        g->tree.root = node;
    } else {
        struct yo_netplay_node *parent = yo_netplay_node(&g->tree, path->node[path->length - 2]);
        yo_netplay_kids(&g->tree, parent)[path->kid[path->length - 2]].child = node;
    }
    if (node) memcpy(yo_netplay_kept(&g->tree, node), g->kept, g->tree.kept * sizeof *g->kept);
    return node;
}

void yo_netplay_game_was(const struct yo_netplay_game *g, const uint64_t *was[2]) {
    for (int ago = 1; ago <= 2; ago++) {
        int i = g->path.length - 1 - ago;
        was[ago - 1] = i >= 0                  ? yo_netplay_kept(&g->tree, g->path.node[i])
                       : -i <= g->before_count ? g->before[-i - 1]
                                               : NULL;
    }
}

void yo_netplay_game_answer(struct yo_netplay_game *g, const struct yo_net_game *coding,
                            const struct yo_net *net, const struct yo_net_raw *raw,
                            struct yo_netplay_scratch *scratch) {
    struct yo_eval_value answer;
    float *policy = scratch->policy;
    g->waiting = false;
    coding->value(net, g->leaf, raw, &answer);
    coding->policy(net, g->size, raw, scratch->logits);
    for (size_t i = 0; i < g->move_count; i++)
        policy[i] = scratch->logits[coding->policy_index(g->leaf, g->moves[i])];
    yo_net_softmax(policy, g->move_count);
    int side = g->settings->rules->game->side_to_move(g->leaf);
    struct yo_netplay_value value = value_of(g, &answer, side);
    uint32_t node = add_leaf(g, &value, side);
    if (node) yo_netplay_tree_open(&g->tree, node, g->moves, policy, g->move_count);
    yo_netplay_tree_back_up(&g->tree, &g->path, &value);
    scratch->counts.evaluations++;
}

/* ---- visits ---- */

enum arrival { AT_LEAF, AT_KNOWN };

static void ask(struct yo_netplay_game *g, struct yo_netplay_scratch *scratch) {
    const struct yo_game_ops *game = g->settings->rules->game;
    g->move_count = game->moves(g->leaf, scratch->moves);
    for (size_t i = 0; i < g->move_count; i++)
        g->moves[i] = (uint16_t)scratch->moves[i];
    g->symmetry = (int)((yo_splitmix64(&g->random) >> 33) % (unsigned)g->settings->symmetries);
    g->waiting = true;
}

/* Counts the value of a node that needs no answer once more. */
static void repeat(struct yo_netplay_game *g, uint32_t at) {
    const struct yo_netplay_node *node = yo_netplay_node(&g->tree, at);
    struct yo_netplay_value value = {node->own, node->own_value, node->own_score};
    yo_netplay_tree_back_up(&g->tree, &g->path, &value);
}

/* A move that loses at once needs no second visit while there are others, however likely the policy
 * finds it: a pass that answers a pass must not make the first one look like a win. */
static void drop_prior(struct yo_netplay_game *g) {
    int at = g->path.length - 2;
    struct yo_netplay_node *parent = yo_netplay_node(&g->tree, g->path.node[at]);
    yo_netplay_kids(&g->tree, parent)[g->path.kid[at]].prior = 0;
}

/* The game ends at the leaf: its value is that of the rules. */
static void end_leaf(struct yo_netplay_game *g) {
    struct yo_eval_value ended;
    g->settings->rules->finish(g->leaf, &ended);
    int side = g->settings->rules->game->side_to_move(g->leaf);
    struct yo_netplay_value value = value_of(g, &ended, side);
    uint32_t node = add_leaf(g, &value, side);
    if (node) yo_netplay_node(&g->tree, node)->over = 1;
    if (ended.win == 1) drop_prior(g);
    yo_netplay_tree_back_up(&g->tree, &g->path, &value);
}

/* The kid that a visit of the node takes, made if it is new; kid_count: none. */
static unsigned choose(struct yo_netplay_game *g, struct yo_netplay_node *node,
                       const struct yo_netplay_puct *puct) {
    bool is_root = g->path.length == 1;
    if (node->over || g->path.length == YO_NETPLAY_DEPTH_MAX) return node->kid_count;
    if (is_root && g->gumbel.count > 0)
        return yo_netplay_gumbel_select(&g->gumbel, &g->tree, g->budget);
    unsigned i = yo_netplay_tree_select(&g->tree, node, puct, is_root);
    if (i == node->kid_count && node->edge_count > 0) i = yo_netplay_tree_try(&g->tree, node);
    return i;
}

static enum arrival descend(struct yo_netplay_game *g) {
    const struct yo_game_ops *game = g->settings->rules->game;
    struct yo_netplay_tree *tree = &g->tree;
    struct yo_netplay_path *path = &g->path;
    struct yo_netplay_puct puct = g->settings->puct;
    if (!g->full) puct.forced = 0;
    memcpy(g->leaf, g->root, game->position_size);
    path->length = 1;
    path->node[0] = tree->root;
    if (!tree->root) return AT_LEAF;
    for (uint32_t at = tree->root;;) {
        struct yo_netplay_node *node = yo_netplay_node(tree, at);
        unsigned i = choose(g, node, &puct);
        if (i == node->kid_count) {
            repeat(g, at);
            return AT_KNOWN;
        }
        const struct yo_netplay_kid *kid = &yo_netplay_kids(tree, node)[i];
        path->kid[path->length - 1] = (uint16_t)i;
        path->node[path->length++] = at = kid->child;
        game->play(g->leaf, kid->move);
        if (at) continue;
        if (game->outcome(g->leaf) == YO_OUTCOME_NONE) return AT_LEAF;
        end_leaf(g);
        return AT_KNOWN;
    }
}

/* ---- moves ---- */

static float temperature(const struct yo_netplay_game *g) {
    const struct yo_netplay_settings *s = g->settings;
    float side = sqrtf((float)s->rules->cells(g->root));
    float left = exp2f(-(float)g->record.step_count / side);
    return s->temperature_late + (s->temperature - s->temperature_late) * left;
}

static void begin_search(struct yo_netplay_game *g, struct yo_netplay_scratch *scratch) {
    const struct yo_netplay_settings *s = g->settings;
    g->budget = g->full ? s->visits : g->decided ? s->cheap_visits : s->fast_visits;
    size_t count = s->rules->root_moves(g->root, scratch->moves);
    yo_netplay_tree_restrict(&g->tree, scratch->moves, count);
    g->gumbel.count = 0;
    if (g->full && s->gumbel > 0)
        yo_netplay_gumbel_begin(&g->gumbel, &g->tree, s->gumbel, &g->random);
    else if (g->full && s->noise > 0)
        yo_netplay_root_noise(&g->tree, s->noise, s->noise_alpha, &g->random);
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
    plan_search(g);
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

static bool end_game(struct yo_netplay_game *g, struct yo_netplay_counts *counts) {
    const struct yo_netplay_rules *rules = g->settings->rules;
    struct yo_netplay_record *r = &g->record;
    struct yo_netplay_result result;
    enum yo_netplay_end end = rules->ended(g->root);
    if (end == YO_NETPLAY_UNFINISHED && g->decided && g->resigns) end = YO_NETPLAY_RESIGNED;
    if (end == YO_NETPLAY_UNFINISHED && (int)r->step_count >= rules->length_max(g->root))
        end = YO_NETPLAY_CUT;
    if (end == YO_NETPLAY_UNFINISHED) return false;
    r->end = (uint8_t)end;
    if (end == YO_NETPLAY_RESIGNED) {
        r->outcome = g->decided > 0 ? YO_OUTCOME_FIRST : YO_OUTCOME_SECOND;
    } else if (end != YO_NETPLAY_CUT) {
        rules->result(g->root, &result);
        r->outcome = (uint8_t)result.outcome;
        r->lead2 = result.lead2;
        r->cells = result.cells;
        memcpy(r->owner, result.owner, result.cells);
    }
    count_game(g, counts);
    drop_game(g);
    return true;
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

/* Whether the root's search is over. */
static bool may_move(const struct yo_netplay_game *g) {
    if (!g->tree.root) return false;
    return g->opening > 0 ||
           (g->budget > 0 && yo_netplay_node(&g->tree, g->tree.root)->visits > g->budget);
}

static enum yo_err move_on(struct yo_netplay_game *g, struct yo_netplay_scratch *scratch,
                           struct yo_diag *diag) {
    struct yo_netplay_step step;
    if (g->opening > 0) return play_drawn(g, scratch, diag);
    enum yo_err err = note_search(g, scratch, &step);
    return err ? err : play(g, scratch, &step, diag);
}

enum yo_err yo_netplay_game_go_on(struct yo_netplay_game *g, struct yo_netplay_scratch *scratch,
                                  bool *ended, struct yo_diag *diag) {
    *ended = false;
    for (int tries = 0; tries < TRIES_MAX; tries++) {
        if (may_move(g)) {
            enum yo_err err = move_on(g, scratch, diag);
            if (err) return err == YO_ERR_NOMEM ? yo_diag_set(diag, err, "not enough memory") : err;
            *ended = end_game(g, &scratch->counts);
            if (*ended) return YO_OK;
            continue;
        }
        if (g->tree.root && g->budget == 0) begin_search(g, scratch);
        if (descend(g) == AT_KNOWN) continue;
        ask(g, scratch);
        return YO_OK;
    }
    return yo_diag_set(diag, YO_ERR_STATE, "a search does not end");
}
