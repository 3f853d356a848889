/* Which edge a simulation takes: PUCT. The exploration follows KataGo's published account of its
 * search (docs/KataGoMethods.md there): a coefficient that grows with the logarithm of the visits
 * and with the spread of the values seen, and a first-play urgency below the parent's value by the
 * share of the policy that was tried. */
#include <math.h>

#include "search/guided/internal.h"

/* Data shared by all edges of one node during selection. */
struct choice {
    const struct yo_guided_options *options;
    float sign;   /* +1 where the side that moves first chooses */
    float scale;  /* of the exploration term, all but the prior and the child's visits */
    float total;  /* weight of the children, for the printed form */
    float unseen; /* value of a move that was not tried, for the side to move */
};

/* Standard deviation of the utility below a node, pulled towards a prior. */
static float spread(const struct yo_guided_options *o, const struct yo_guided_node *node) {
    float weight = yo_guided_get(&node->weight);
    if (weight <= 1) return o->stdev_prior;
    float mean = yo_guided_get(&node->mean.utility),
          mean_sq = yo_guided_get(&node->mean.utility_sq);
    float square = mean * mean, prior = o->stdev_prior_weight;
    if (mean_sq < square) mean_sq = square;
    float second = ((square + o->stdev_prior * o->stdev_prior) * prior + mean_sq * weight) /
                   (prior + weight - 1);
    return second > square ? sqrtf(second - square) : 0;
}

static float exploration(const struct yo_guided_options *o, const struct yo_guided_node *node,
                         float total) {
    float cpuct = o->cpuct + o->cpuct_log * logf((total + o->cpuct_base) / o->cpuct_base);
    float by_spread = 1 + o->stdev_scale * (spread(o, node) / o->stdev_prior - 1);
    return cpuct * by_spread * (o->whole_root ? 1 : sqrtf(total + 0.01f));
}

/* First-play urgency. The share of the policy that was tried sets the weight of the node's mean
 * against its own value, and the size of the reduction. */
static float first_play(const struct guided_search *s, const struct yo_guided_node *node,
                        float sign, float tried, bool is_root) {
    const struct yo_guided_options *o = &s->options;
    float share = tried < 1 ? tried : 1, of_mean = share * share;
    float mean = yo_guided_get(&node->mean.utility), own;
    __atomic_load(&node->own.utility, &own, __ATOMIC_RELAXED); /* share.c changes it */
    float parent = of_mean * mean + (1 - of_mean) * own;
    return sign * parent - (is_root ? o->root_fpu : o->fpu) * sqrtf(share);
}

float guided_prior(const struct guided_search *s, const struct yo_guided_node *node,
                   const struct yo_guided_edge *edge) {
    return s->options.uniform ? 1 / (float)node->edge_count : yo_guided_prior(edge);
}

static float urgency_of_new(const struct choice *c, float prior) {
    float explore = c->options->whole_root ? sqrtf(c->total) : 1;
    return c->unseen + c->scale * prior * explore;
}

/* Virtual loss: simulations in flight count as lost, so that the next ones select other moves. */
static float urgency(const struct choice *c, const struct yo_guided_node *child, float weight,
                     float prior) {
    float lost = c->options->virtual_loss * (float)yo_guided_pending(child);
    float value = weight > 0 ? c->sign * yo_guided_get(&child->mean.utility) : c->unseen;
    if (lost > 0) value += (-1 - value) * lost / (lost + (weight > 0.25f ? weight : 0.25f));
    float n = 1 + weight + lost;
    float explore = c->options->whole_root ? sqrtf(c->total / n) : 1 / n;
    return value + c->scale * prior * explore;
}

/* +1 for a proven win, which is selected; -1 for a proven loss, which is avoided; else 0. */
static int verdict(const struct yo_guided_node *child, int to_move) {
    switch (yo_guided_solved(child)) {
    case YO_GUIDED_FIRST_WINS:
        return to_move == 0 ? 1 : -1;
    case YO_GUIDED_SECOND_WINS:
        return to_move == 0 ? -1 : 1;
    default:
        return 0;
    }
}

unsigned guided_select(const struct guided_search *s, const struct yo_guided_node *node,
                       bool is_root) {
    const struct yo_guided_edge *edges = yo_guided_edges(&s->tree, node);
    unsigned reach = atomic_load_explicit(&node->reach, memory_order_relaxed);
    float total = 0, tried = 0;
    for (unsigned i = 0; i < reach; i++) {
        yo_cell cell = yo_guided_child(&edges[i]);
        if (!cell || (is_root && guided_is_banned(s, edges[i].move))) continue;
        const struct yo_guided_node *child = yo_guided_node(&s->tree, cell);
        float weight = yo_guided_edge_weight(&s->tree, &edges[i]);
        total += weight + s->options.virtual_loss * (float)yo_guided_pending(child);
        if (weight > 0) tried += guided_prior(s, node, &edges[i]);
    }
    float sign = node->to_move == 0 ? 1.0f : -1.0f;
    struct choice c = {&s->options, sign, exploration(&s->options, node, total), total,
                       first_play(s, node, sign, tried, is_root)};
    unsigned chosen = node->edge_count, lost = node->edge_count;
    float best = -INFINITY;
    bool saw_new = false;
    for (unsigned i = 0; i < node->edge_count && !(saw_new && i >= reach); i++) {
        if (is_root && guided_is_banned(s, edges[i].move)) continue;
        yo_cell cell = yo_guided_child(&edges[i]);
        float prior = guided_prior(s, node, &edges[i]), u;
        if (!cell) {
            /* Edges are sorted by their priors: the first untried move is the best of them. */
            if (saw_new) continue;
            saw_new = true;
            u = urgency_of_new(&c, prior);
        } else {
            const struct yo_guided_node *child = yo_guided_node(&s->tree, cell);
            int known = s->options.solve ? verdict(child, node->to_move) : 0;
            if (known > 0) return i;
            if (known < 0) {
                if (lost == node->edge_count) lost = i;
                continue;
            }
            u = urgency(&c, child, yo_guided_edge_weight(&s->tree, &edges[i]), prior);
        }
        if (u <= best) continue;
        best = u;
        chosen = i;
    }
    return chosen < node->edge_count ? chosen : lost;
}
