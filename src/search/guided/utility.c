/* Combines value and score into one number. The value dominates; points add a little, more near the
 * score of the root, so that the search still prefers good moves in a won or lost game. After
 * KataGo (Wu, "Accelerating self-play learning in Go", 2019, section 4.3). */
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

void guided_set_center(struct guided_search *s, float root_score, size_t cells) {
    s->score_unit = cells ? sqrtf((float)cells) : 0;
    float cap = DYNAMIC_UNITS * s->score_unit, center = root_score * (1 - s->options.score_zero);
    if (center > root_score + cap) center = root_score + cap;
    if (center < root_score - cap) center = root_score - cap;
    s->score_center = center;
}

float guided_utility(const struct guided_search *s, const struct yo_guided_value *value) {
    float u = value->value, unit = s->score_unit;
    const struct yo_guided_options *o = &s->options;
    if (unit == 0) return u;
    if (o->score_static > 0)
        u += o->score_static * saturated(value->score, value->score_stdev, 0, STATIC_UNITS * unit);
    if (o->score_dynamic > 0)
        u += o->score_dynamic *
             saturated(value->score, value->score_stdev, s->score_center, DYNAMIC_UNITS * unit);
    return u;
}

void guided_value(const struct guided_search *s, const struct yo_eval_value *value, int to_move,
                  struct yo_guided_value *out) {
    float sign = to_move == 0 ? 1.0f : -1.0f;
    out->value = sign * (2 * value->win + value->draw - 1);
    out->score = sign * value->score_mean;
    out->score_stdev = value->score_stdev;
    out->utility = guided_utility(s, out);
}

void guided_recenter(const struct guided_search *s, yo_cell cell) {
    struct yo_guided_node *node = yo_guided_node(&s->tree, cell);
    const struct yo_guided_edge *edges = yo_guided_edges(&s->tree, node);
    unsigned reach = atomic_load_explicit(&node->reach, memory_order_relaxed);
    if (yo_guided_visits(node) == 0) return;
    struct yo_guided_bias *bias = yo_guided_bias(&s->tree, node);
    node->own.utility = guided_utility(s, &node->own);
    if (bias) bias->error = bias->weight = 0; /* the table was cleared */
    for (unsigned i = 0; i < reach; i++)
        if (yo_guided_child(&edges[i])) guided_recenter(s, yo_guided_child(&edges[i]));
    if (reach > 0) {
        guided_update(s, node);
    } else {
        float utility = node->own.utility + (bias ? guided_bias_of(s, bias->slot) : 0);
        yo_guided_set(&node->mean.utility, utility);
        yo_guided_set(&node->mean.utility_sq, utility * utility);
    }
}
