/* The value of a node, from its own evaluation and its children. */
#include <math.h>

#include "search/guided/internal.h"

struct part {
    const struct yo_guided_node *child;
    float weight, utility, prior;
};

/* Distribution function of Student's t with three degrees of freedom. */
static float student3(float t) {
    float x = t / 1.7320508f;
    return 0.5f + (x / (1 + x * x) + atanf(x)) / 3.1415927f;
}

/* Discounts visits that a child got only because of its prior, although moves with a higher prior
 * have better values: the child is known not to be the best move. */
static void prune_noise(struct part *parts, size_t count, float scale, float sign) {
    float utility = 0, weight = 0, prior = 0;
    for (size_t i = 0; i < count; i++) {
        struct part *p = &parts[i];
        if (weight > 0 && prior > 0) {
            float gap = utility / weight - sign * p->utility;
            float excess = p->weight - 2 * weight * p->prior / prior;
            if (gap > 0 && excess > 0) p->weight -= excess * (1 - expf(-gap / scale));
        }
        utility += sign * p->utility * p->weight;
        weight += p->weight;
        prior += p->prior;
    }
}

/* Reduces the weight of children whose value is clearly below the mean. The total weight does not
 * change. */
static void prefer_good(struct part *parts, size_t count, float exponent, float sign) {
    float total = 0, sum = 0, after = 0;
    for (size_t i = 0; i < count; i++) {
        total += parts[i].weight;
        sum += parts[i].weight * parts[i].utility;
    }
    if (total <= 0) return;
    float mean = sum / total;
    for (size_t i = 0; i < count; i++) {
        if (parts[i].weight <= 0) continue;
        float stdev = sqrtf(1e-8f + 1 / (1.5f * sqrtf(parts[i].weight)));
        float z = sign * (parts[i].utility - mean) / stdev;
        float share = student3(z) + 0.0001f;
        parts[i].weight *= exponent == 0.25f ? sqrtf(sqrtf(share)) : powf(share, exponent);
        after += parts[i].weight;
    }
    if (after <= 0) return;
    for (size_t i = 0; i < count; i++)
        parts[i].weight *= total / after;
}

static size_t gather(const struct guided_search *s, const struct yo_guided_node *node,
                     struct part *parts) {
    const struct yo_guided_edge *edges = yo_guided_edges(&s->tree, node);
    unsigned reach = atomic_load_explicit(&node->reach, memory_order_relaxed);
    size_t count = 0;
    for (unsigned i = 0; i < reach; i++) {
        if (yo_guided_edge_visits(&s->tree, &edges[i]) == 0) continue;
        const struct yo_guided_node *child = yo_guided_node(&s->tree, yo_guided_child(&edges[i]));
        parts[count++] =
            (struct part){child, yo_guided_edge_weight(&s->tree, &edges[i]),
                          yo_guided_get(&child->mean.utility), guided_prior(s, node, &edges[i])};
    }
    return count;
}

struct sums {
    float weight, utility, utility_sq, value, score, score_sq;
};

static void add_own(struct sums *sums, const struct yo_guided_node *node, float correction) {
    const struct yo_guided_value *own = &node->own;
    float w = node->own_weight, utility = own->utility + correction;
    sums->weight += w;
    sums->utility += w * utility;
    sums->utility_sq += w * utility * utility;
    sums->value += w * own->value;
    sums->score += w * own->score;
    sums->score_sq += w * (own->score * own->score + own->score_stdev * own->score_stdev);
}

static void add_child(struct sums *sums, const struct part *part) {
    const struct yo_guided_means *mean = &part->child->mean;
    float w = part->weight;
    sums->weight += w;
    sums->utility += w * part->utility;
    sums->utility_sq += w * yo_guided_get(&mean->utility_sq);
    sums->value += w * yo_guided_get(&mean->value);
    sums->score += w * yo_guided_get(&mean->score);
    sums->score_sq += w * yo_guided_get(&mean->score_sq);
}

static void store(struct yo_guided_node *node, const struct sums *sums) {
    float share = 1 / sums->weight;
    yo_guided_set(&node->weight, sums->weight);
    yo_guided_set(&node->mean.utility, sums->utility * share);
    yo_guided_set(&node->mean.utility_sq, sums->utility_sq * share);
    yo_guided_set(&node->mean.value, sums->value * share);
    yo_guided_set(&node->mean.score, sums->score * share);
    yo_guided_set(&node->mean.score_sq, sums->score_sq * share);
}

/* Learns the error of the node's own value, and returns the correction for it. The lock is held. */
static float correct(const struct guided_search *s, struct yo_guided_node *node,
                     const struct sums *children, float weight) {
    const struct yo_guided_bias *bias = yo_guided_bias(&s->tree, node);
    if (!bias || !bias->slot) return 0;
    if (children->weight > 0)
        guided_bias_learn(s, node, children->utility / children->weight, weight);
    return guided_bias_of(s, bias->slot);
}

/* A proven result replaces the value; the score remains that of the evaluator. */
static struct yo_guided_value value_of(const struct yo_guided_node *node) {
    struct yo_guided_value value = node->own;
    enum yo_guided_solved solved = yo_guided_solved(node);
    if (solved == YO_GUIDED_UNSOLVED) return value;
    value.value = solved == YO_GUIDED_FIRST_WINS    ? 1.0f
                  : solved == YO_GUIDED_SECOND_WINS ? -1.0f
                                                    : 0;
    value.utility = value.value;
    return value;
}

static void set_means(struct yo_guided_node *node, const struct yo_guided_value *v) {
    yo_guided_set(&node->mean.utility, v->utility);
    yo_guided_set(&node->mean.utility_sq, v->utility * v->utility);
    yo_guided_set(&node->mean.value, v->value);
    yo_guided_set(&node->mean.score, v->score);
    yo_guided_set(&node->mean.score_sq, v->score * v->score + v->score_stdev * v->score_stdev);
}

/* The lock is held. */
static void compute(const struct guided_search *s, struct yo_guided_node *node) {
    struct part parts[GUIDED_CHILDREN_MAX];
    const struct yo_guided_options *o = &s->options;
    float sign = node->to_move == 0 ? 1.0f : -1.0f, visited = 0;
    struct sums sums = {0};
    size_t count = gather(s, node, parts);
    for (size_t i = 0; i < count; i++)
        visited += parts[i].weight;
    if (o->noise_prune > 0) prune_noise(parts, count, o->noise_prune, sign);
    if (o->value_exponent > 0) prefer_good(parts, count, o->value_exponent, sign);
    for (size_t i = 0; i < count; i++)
        add_child(&sums, &parts[i]);
    add_own(&sums, node, correct(s, node, &sums, visited));
    store(node, &sums);
}

void guided_unlock(const struct guided_search *s, struct yo_guided_node *node) {
    while (!yo_guided_unlock(node)) {
        yo_guided_take_changes(node);
        if (s->options.mode == YO_GUIDED_MCSS)
            guided_mcss_compute(s, node);
        else
            compute(s, node);
        if (!yo_guided_is_proven(node)) continue;
        /* What came back since is not what the position is worth. */
        struct yo_guided_value v = value_of(node);
        set_means(node, &v);
    }
}

void guided_update(const struct guided_search *s, struct yo_guided_node *node) {
    if (yo_guided_lock_or_leave(node)) guided_unlock(s, node);
}

void guided_repeat(const struct guided_search *s, struct yo_guided_node *node) {
    const struct yo_guided_bias *bias = yo_guided_bias(&s->tree, node);
    yo_guided_lock(node);
    struct yo_guided_value v = value_of(node);
    if (bias && yo_guided_solved(node) == YO_GUIDED_UNSOLVED)
        v.utility += guided_bias_of(s, bias->slot);
    float weight = yo_guided_visits(node) > 0 ? yo_guided_get(&node->weight) + 1 : node->own_weight;
    yo_guided_set(&node->weight, weight);
    set_means(node, &v);
    guided_unlock(s, node);
}
