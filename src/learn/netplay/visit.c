#include "learn/netplay/visit.h"

#include <string.h>

#include "base/random.h"

/* ---- values ---- */

static struct yo_netplay_value value_of(const struct yo_netplay_game *g,
                                        const struct yo_eval_value *v, int side) {
    float sign = side == 0 ? 1.0f : -1.0f;
    struct yo_netplay_value out = {.value = sign * (2 * v->win + v->draw - 1),
                                   .score = sign * v->score_mean};
    out.utility = out.value;
    if (v->score_mean != 0 || v->score_stdev != 0) /* a game with points */
        out.utility += yo_guided_score_utility(&g->scores, out.score, v->score_stdev);
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

/* ---- visits ---- */

enum arrival { AT_LEAF, AT_KNOWN };

/* The leaf's position is another game's soon: keeps what its answer needs. */
static void ask(struct yo_netplay_game *g, struct yo_netplay_scratch *scratch) {
    const struct yo_game_ops *game = g->settings->rules->game;
    const struct yo_net_game *coding = g->settings->coding;
    g->move_count = game->moves(scratch->leaf, scratch->moves);
    for (size_t i = 0; i < g->move_count; i++) {
        g->moves[i] = (uint16_t)scratch->moves[i];
        g->entries[i] = (uint16_t)coding->policy_index(scratch->leaf, scratch->moves[i]);
    }
    g->leaf_side = game->side_to_move(scratch->leaf);
    g->symmetry = (int)((yo_splitmix64(&g->random) >> 33) % (unsigned)coding->symmetries);
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

/* The game ends at the leaf, or will surely be won from there: no network is asked. */
static void end_leaf(struct yo_netplay_game *g, const void *leaf,
                     const struct yo_eval_value *ended) {
    int side = g->settings->rules->game->side_to_move(leaf);
    struct yo_netplay_value value = value_of(g, ended, side);
    uint32_t node = add_leaf(g, &value, side);
    if (node) yo_netplay_node(&g->tree, node)->over = 1;
    if (ended->win == 1) drop_prior(g);
    yo_netplay_tree_back_up(&g->tree, &g->path, &value);
}

/* Is the value of a new leaf known without the network? */
static bool is_known(const struct yo_netplay_game *g, const struct yo_netplay_scratch *scratch,
                     struct yo_eval_value *value) {
    const struct yo_netplay_settings *s = g->settings;
    if (s->rules->game->outcome(scratch->leaf) != YO_OUTCOME_NONE) {
        s->rules->finish(scratch->leaf, value);
        return true;
    }
    *value = (struct yo_eval_value){.win = 1};
    return scratch->solver && s->leaf_proof > 0 &&
           s->rules->wins(scratch->solver, scratch->leaf, s->leaf_proof);
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

static const struct yo_netplay_puct *puct_of(const struct yo_netplay_game *g) {
    const struct yo_netplay_settings *s = g->settings;
    return g->net && s->other_puct ? s->other_puct : &s->puct;
}

static enum arrival descend(struct yo_netplay_game *g, struct yo_netplay_scratch *scratch) {
    const struct yo_game_ops *game = g->settings->rules->game;
    struct yo_netplay_tree *tree = &g->tree;
    struct yo_netplay_path *path = &g->path;
    struct yo_netplay_puct puct = *puct_of(g);
    struct yo_eval_value known;
    void *leaf = scratch->leaf;
    if (!g->full) puct.forced = 0;
    memcpy(leaf, g->root, game->position_size);
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
        game->play(leaf, kid->move);
        if (at) continue;
        if (!is_known(g, scratch, &known)) return AT_LEAF;
        end_leaf(g, leaf, &known);
        return AT_KNOWN;
    }
}

bool yo_netplay_visit(struct yo_netplay_game *g, struct yo_netplay_scratch *scratch) {
    if (descend(g, scratch) == AT_KNOWN) return false;
    ask(g, scratch);
    return true;
}

/* ---- answers ---- */

void yo_netplay_visit_was(const struct yo_netplay_game *g, const uint64_t *was[2]) {
    for (int ago = 1; ago <= 2; ago++) {
        int i = g->path.length - 1 - ago;
        was[ago - 1] = i >= 0                  ? yo_netplay_kept(&g->tree, g->path.node[i])
                       : -i <= g->before_count ? g->before[-i - 1]
                                               : NULL;
    }
}

void yo_netplay_visit_answer(struct yo_netplay_game *g, const struct yo_net_game *coding,
                             const struct yo_net *net, const struct yo_net_raw *raw,
                             struct yo_netplay_scratch *scratch) {
    struct yo_eval_value answer;
    g->waiting = false;
    coding->value(net, g->root, raw, &answer);
    coding->policy_of(net, g->size, raw, g->entries, g->move_count, scratch->logits);
    float temperature = puct_of(g)->policy_temperature;
    if (temperature != 1)
        for (size_t i = 0; i < g->move_count; i++)
            scratch->logits[i] /= temperature;
    yo_netplay_softmax(scratch->logits, g->move_count);
    struct yo_netplay_value value = value_of(g, &answer, g->leaf_side);
    uint32_t node = add_leaf(g, &value, g->leaf_side);
    if (node) yo_netplay_tree_open(&g->tree, node, g->moves, scratch->logits, g->move_count);
    yo_netplay_tree_back_up(&g->tree, &g->path, &value);
    scratch->counts.evaluations++;
}
