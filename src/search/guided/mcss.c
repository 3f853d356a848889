/* MC softmax search (equations 3 to 8): a move is drawn with a probability that grows with its
 * value, a node's value is the mean of its children's by another such probability, and all children
 * of a node are evaluated together when it is opened. Values are chances to win, 0 to 1, of the
 * side to move, so that temperatures mean what they do in the paper. */
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "search/guided/internal.h"

static float sign_of(const struct yo_guided_node *node) { return node->to_move == 0 ? 1 : -1; }

/* E(v(a;s)) for the side to move at s. */
static float value_of(const struct yo_guided_node *child, float sign) {
    return 0.5f * (1 + sign * yo_guided_get(&child->mean.utility));
}

static float temperature(const struct guided_search *s, const struct yo_guided_node *node) {
    const struct yo_guided_options *o = &s->options;
    if (o->select_cooling == 0) return o->select_temperature;
    return o->select_temperature / powf(1 + (float)yo_guided_visits(node), o->select_cooling);
}

/* Equation 8's second term, in AlphaGo Zero's form or as printed. */
static float exploration(const struct guided_search *s, const struct yo_guided_node *node,
                         const struct yo_guided_edge *edge, float visits, float total) {
    const struct yo_guided_options *o = &s->options;
    if (o->mcss_cpuct == 0) return 0;
    float n = 1 + visits;
    float share = o->whole_root ? sqrtf(total / n) : sqrtf(total) / n;
    return o->mcss_cpuct * guided_prior(s, node, edge) * share;
}

/* Visits by an edge, those in flight included. */
static unsigned tries(const struct guided_search *s, const struct yo_guided_edge *edge) {
    yo_cell cell = yo_guided_child(edge);
    if (!cell) return 0;
    return yo_guided_edge_visits(&s->tree, edge) +
           yo_guided_pending(yo_guided_node(&s->tree, cell));
}

/* Those of all edges. */
static float visits_below(const struct guided_search *s, const struct yo_guided_node *node) {
    const struct yo_guided_edge *edges = yo_guided_edges(&s->tree, node);
    unsigned total = 0;
    for (unsigned i = 0; i < node->edge_count; i++)
        total += tries(s, &edges[i]);
    return (float)total;
}

unsigned guided_mcss_select(const struct guided_search *s, const struct yo_guided_node *node,
                            bool is_root, uint64_t *random) {
    const struct yo_guided_edge *edges = yo_guided_edges(&s->tree, node);
    float worth[GUIDED_CHILDREN_MAX], best = -INFINITY, sign = sign_of(node), sum = 0;
    float t = temperature(s, node), total = visits_below(s, node);
    for (unsigned i = 0; i < node->edge_count; i++) {
        yo_cell cell = yo_guided_child(&edges[i]);
        worth[i] = -INFINITY;
        if (!cell || (is_root && guided_is_banned(s, edges[i].move))) continue;
        const struct yo_guided_node *child = yo_guided_node(&s->tree, cell);
        float lost = s->options.virtual_loss * (float)yo_guided_pending(child);
        float value = value_of(child, sign);
        float n = 1 + (float)yo_guided_edge_visits(&s->tree, &edges[i]);
        worth[i] = value * n / (n + lost) +
                   exploration(s, node, &edges[i], (float)tries(s, &edges[i]), total);
        if (worth[i] > best) best = worth[i];
    }
    if (best == -INFINITY) return node->edge_count;
    for (unsigned i = 0; i < node->edge_count; i++)
        sum += worth[i] = expf((worth[i] - best) / t);
    float at = sum * (float)(yo_splitmix64(random) >> 40) / (float)(1 << 24);
    unsigned last = 0;
    for (unsigned i = 0; i < node->edge_count; i++) {
        if (worth[i] == 0) continue;
        last = i;
        at -= worth[i];
        if (at < 0) break;
    }
    return last;
}

/* Equations 5 to 7; the scores and the expected depth use the same weights. */
void guided_mcss_compute(const struct guided_search *s, struct yo_guided_node *node) {
    const struct yo_guided_edge *edges = yo_guided_edges(&s->tree, node);
    float sign = sign_of(node), best = -INFINITY, sum = 0;
    float utility = 0, value = 0, score = 0, score_sq = 0, depth = 0;
    for (unsigned i = 0; i < node->edge_count; i++) {
        yo_cell cell = yo_guided_child(&edges[i]);
        if (!cell) continue;
        float e = value_of(yo_guided_node(&s->tree, cell), sign);
        if (e > best) best = e;
    }
    for (unsigned i = 0; i < node->edge_count; i++) {
        yo_cell cell = yo_guided_child(&edges[i]);
        if (!cell) continue;
        const struct yo_guided_node *child = yo_guided_node(&s->tree, cell);
        const struct yo_guided_means *mean = &child->mean;
        float w = expf((value_of(child, sign) - best) / s->options.backup_temperature);
        sum += w;
        utility += w * yo_guided_get(&mean->utility);
        value += w * yo_guided_get(&mean->value);
        score += w * yo_guided_get(&mean->score);
        score_sq += w * yo_guided_get(&mean->score_sq);
        depth += w * (1 + yo_guided_get(&mean->depth));
    }
    if (sum > 0) {
        yo_guided_set(&node->mean.utility, utility / sum);
        yo_guided_set(&node->mean.value, value / sum);
        yo_guided_set(&node->mean.score, score / sum);
        yo_guided_set(&node->mean.score_sq, score_sq / sum);
        yo_guided_set(&node->mean.depth, depth / sum);
    }
    yo_guided_set(&node->weight, (float)yo_guided_visits(node) + 1);
}

/* The evaluator gives the value of each child for the side to move there. */
bool guided_mcss_open(struct yo_guided *g, struct yo_guided_node *node,
                      struct yo_guided_edge *edges, const struct guided_leaf *leaf) {
    struct guided_search *s = &g->search;
    for (unsigned i = 0; i < node->edge_count; i++) {
        yo_cell cell = yo_guided_tree_add(&s->tree, node->to_move ^ 1);
        if (!cell) return false;
        struct yo_guided_node *child = yo_guided_node(&s->tree, cell);
        guided_value(s, &leaf->children[i].value, child->to_move, &child->own);
        child->own_weight = 1;
        yo_guided_set(&child->mean.utility, child->own.utility);
        yo_guided_set(&child->mean.value, child->own.value);
        yo_guided_set(&child->mean.score, child->own.score);
        yo_guided_set(&child->mean.score_sq, child->own.score * child->own.score);
        if (leaf->below) {
            memcpy(leaf->below, leaf->position, g->game->position_size);
            g->game->play(leaf->below, leaf->moves[i]);
            cell = guided_join(g, cell, leaf->below, leaf->moves[i], leaf->depth + 1);
        }
        atomic_store_explicit(&edges[i].child, cell, memory_order_release);
        atomic_store_explicit(&node->reach, (unsigned short)(i + 1), memory_order_relaxed);
    }
    return true;
}
