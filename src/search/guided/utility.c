#include "search/guided/utility.h"

#include <math.h>

#include "search/guided/internal.h"

#define STATIC_UNITS  2.0f  /* scale of the static part, in units of the board's edge */
#define DYNAMIC_UNITS 0.75f /* scale of the dynamic part */

/* The mean of 2/pi atan((x - center) / scale) over a normal distribution, by Gauss-Hermite
 * quadrature with seven points. */
static float saturated(float mean, float stdev, float center, float scale) {
    static const float at[] = {0.8162878829f, 1.6735516288f, 2.6519613568f};
    static const float weight[] = {0.4256072526f, 0.0545155828f, 0.0009717812f};
    float m = (mean - center) / scale, s = 1.41421356f * stdev / scale;
    float sum = 0.8102646176f * atanf(m);
    for (int i = 0; i < 3; i++)
        sum += weight[i] * (atanf(m + s * at[i]) + atanf(m - s * at[i]));
    return sum * (0.63661977f / 1.77245385f);
}

float yo_guided_score_center(float root_score, float unit, float zero) {
    float cap = DYNAMIC_UNITS * unit, center = root_score * (1 - zero);
    if (center > root_score + cap) center = root_score + cap;
    if (center < root_score - cap) center = root_score - cap;
    return center;
}

float yo_guided_score_utility(const struct yo_guided_scores *s, float mean, float stdev) {
    float u = 0;
    if (s->in_static > 0) u += s->in_static * saturated(mean, stdev, 0, STATIC_UNITS * s->unit);
    if (s->in_dynamic > 0)
        u += s->in_dynamic * saturated(mean, stdev, s->center, DYNAMIC_UNITS * s->unit);
    return u;
}

void guided_set_center(struct guided_search *s, float root_score, size_t cells) {
    s->score_unit = cells ? sqrtf((float)cells) : 0;
    s->score_center = yo_guided_score_center(root_score, s->score_unit, s->options.score_zero);
}

float guided_utility(const struct guided_search *s, const struct yo_guided_value *value) {
    if (s->score_unit == 0) return value->value;
    struct yo_guided_scores scores = {.in_static = s->options.score_static,
                                      .in_dynamic = s->options.score_dynamic,
                                      .unit = s->score_unit,
                                      .center = s->score_center};
    return value->value + yo_guided_score_utility(&scores, value->score, value->score_stdev);
}

void guided_value(const struct guided_search *s, const struct yo_eval_value *value, int to_move,
                  struct yo_guided_value *out) {
    float sign = to_move == 0 ? 1.0f : -1.0f;
    out->value = sign * (2 * value->win + value->draw - 1);
    out->score = sign * value->score_mean;
    out->score_stdev = value->score_stdev;
    out->utility = guided_utility(s, out);
}

static void recenter(struct guided_search *s, yo_cell way) {
    if (!yo_guided_tree_meet(&s->tree, way)) return;
    struct yo_guided_node *node = yo_guided_node(&s->tree, way);
    const struct yo_guided_edge *edges = yo_guided_edges(&s->tree, node);
    unsigned reach = atomic_load_explicit(&node->reach, memory_order_relaxed);
    if (node->own_weight == 0) return;
    struct yo_guided_bias *bias = yo_guided_bias(&s->tree, node);
    node->own.utility = guided_utility(s, &node->own);
    if (bias) bias->error = bias->weight = 0; /* the table was cleared */
    for (unsigned i = 0; i < reach; i++)
        if (yo_guided_child(&edges[i])) recenter(s, yo_guided_child(&edges[i]));
    if (reach > 0) {
        guided_update(s, node);
    } else {
        float utility = node->own.utility + (bias ? guided_bias_of(s, bias->slot) : 0);
        yo_guided_set(&node->mean.utility, utility);
        if (s->options.mode == YO_GUIDED_PUCT)
            yo_guided_set(&node->mean.utility_sq, utility * utility);
    }
}

void guided_recenter(struct guided_search *s) {
    yo_guided_tree_begin_walk(&s->tree);
    recenter(s, s->tree.root);
}
