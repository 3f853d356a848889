/* Which child a simulation goes to: the urgency of a move, from its value, AMAF, priors and an
 * exploration bound. */
#include <math.h>

#include "search/uct/internal.h"

#define WIDEN_BASE 2
/* With AMAF, a node with more visits than this gives each move that it considers a share of them,
 * so that a wrong AMAF is found out. */
#define TRIED_FROM 1000
#define TRIED_PART 400
/* Visits, prior ones included, before which an own value says little. */
#define NOTICED   20.0f
#define HALF_WINS (2.0f / (float)YO_VALUE_ONE) /* of a sum of values; a power of two: exact */

/* Evidence for a child: visits and a mean. */
struct evidence {
    float visits, mean;
};

static struct evidence own_evidence(const struct yo_node *node, float weight) {
    float visits = weight * (float)uct_visits(node) + (float)node->prior_visits;
    float half_wins = weight * HALF_WINS * (float)uct_value(node) + (float)node->prior_half_wins;
    return (struct evidence){visits, visits > 0 ? 0.5f * half_wins / visits : 0};
}

static struct evidence amaf_evidence(const struct yo_node *node, float weight) {
    uint64_t amaf = atomic_load_explicit(&node->amaf, memory_order_relaxed);
    float visits = weight * (float)(uint32_t)(amaf >> 32);
    float half_wins = weight * (float)(uint32_t)amaf;
    return (struct evidence){visits, visits > 0 ? 0.5f * half_wins / visits : 0};
}

/* AMAF has many samples and a bias; the own value has few samples and no bias. With k the visits at
 * which the bias weighs as much as the variance (1 / 4b^2), the mean squared error is least for
 * this share of AMAF (Gelly and Silver, "Monte-Carlo tree search and rapid action value
 * estimation", 2011). */
static float mix(struct evidence own, struct evidence amaf, float k) {
    float beta = amaf.visits / (own.visits + amaf.visits + own.visits * amaf.visits / k);
    return (1 - beta) * own.mean + beta * amaf.mean;
}

/* The own value less two standard errors, with a win and a loss added. A move whose
 * AMAF is wrong, such as one that keeps a seki, would be refuted by AMAF alone for thousands of
 * visits if its own value counted only through `mix`; once this bound exceeds the mix, the bound is
 * the better estimate. */
static float lower_bound(struct evidence own) {
    float visits = own.visits + 2, mean = (own.mean * own.visits + 1) / visits;
    return mean - 2 * sqrtf(mean * (1 - mean) / visits);
}

/* The second terms of UCB1 (algorithm 1) and of UCB1-TUNED (equation 1), where with rewards of 0
 * and 1 the mean of the squares is the mean itself. */
static float bound(enum yo_uct_formula formula, float log_n, float visits, float mean) {
    float ratio = log_n / visits;
    if (formula == YO_UCT_UCB1) return sqrtf(2 * ratio);
    float variance = mean - mean * mean + sqrtf(2 * ratio);
    return sqrtf(ratio * (variance < 0.25f ? variance : 0.25f));
}

/* Data shared by all children of one node during selection. */
struct crowd {
    const struct yo_uct_options *options;
    float weight;        /* of a playout */
    float log_n, sqrt_n; /* of the parent's visits */
    float visits;        /* the parent's, weighted */
};

/* Exploration bonus by the prior probability: it falls with the visits of the move and grows with
 * those of its parent (PUCT: Rosin, "Multi-armed bandits with episode context", 2011, in the form
 * of Silver and others, 2016). */
static float bias(const struct crowd *crowd, const struct yo_node *node) {
    float visits = crowd->weight * (float)uct_visits(node);
    return crowd->options->bias * node->chance * crowd->sqrt_n / (1 + visits);
}

static float urgency(const struct crowd *crowd, const struct yo_node *node) {
    const struct yo_uct_options *options = crowd->options;
    struct evidence own = own_evidence(node, crowd->weight), amaf = {0};
    if (options->rave > 0) amaf = amaf_evidence(node, crowd->weight);
    bool known = own.visits + amaf.visits > 0;
    float value = amaf.visits > 0 ? mix(own, amaf, options->rave) : own.mean;
    bool notices = crowd->visits > TRIED_FROM && own.visits >= NOTICED;
    if (notices && own.mean > value) value = fmaxf(value, lower_bound(own));
    if (!known) value = options->fpu; /* section 3.4 */
    if (options->bias > 0) value += bias(crowd, node);
    if (options->explore == 0 || !known) return value;
    float visits = own.visits > 1 ? own.visits : 1;
    return value + options->explore * bound(options->formula, crowd->log_n, visits, own.mean);
}

/* Progressive widening (Coulom, "Computing Elo ratings of move patterns in the game of Go", 2007):
 * how many of the children, sorted by prior probability, selection considers now. */
static size_t widened(const struct crowd *crowd, size_t count) {
    if (crowd->options->widen == 0) return count;
    float wide = WIDEN_BASE + crowd->options->widen * crowd->log_n;
    return wide < (float)count ? (size_t)wide : count;
}

static bool is_untried(const struct crowd *crowd, const struct yo_node *node) {
    return crowd->options->rave > 0 && crowd->visits > TRIED_FROM &&
           crowd->weight * (float)uct_visits(node) * TRIED_PART < crowd->visits;
}

yo_node_index yo_uct_select(const struct yo_uct *uct, const struct yo_node *parent,
                            yo_node_index first, size_t count) {
    const struct yo_node *children = yo_tree_node(&uct->tree, first);
    float n = uct->weight * (float)uct_visits(parent), best = -INFINITY;
    struct crowd crowd = {&uct->options, uct->weight, logf(n + 1), sqrtf(n), n};
    size_t chosen = 0, lost = 0, left = widened(&crowd, count);
    bool found = false;
    size_t advised_end = parent == yo_tree_node(&uct->tree, YO_NODE_ROOT) ? uct->advised_end : 0;
    for (size_t i = 0; i < count && (left > 0 || i < advised_end); i++) {
        const struct yo_node *child = &children[i];
        if (child->banned || (left == 0 && !child->advised)) continue;
        enum yo_solved solved = uct_solved(child);
        if (solved == YO_SOLVED_WIN) return first + (yo_node_index)i;
        if (solved == YO_SOLVED_LOSS) {
            lost = i;
            continue;
        }
        if (left > 0) left--;
        float u = is_untried(&crowd, child) ? INFINITY : urgency(&crowd, child);
        if (u <= best) continue;
        best = u;
        chosen = i;
        found = true;
    }
    return first + (yo_node_index)(found ? chosen : lost);
}
