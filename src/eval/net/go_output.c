#include "eval/net/go_output.h"

#include <math.h>

#include "eval/net/symmetry.h"

static double softplus(double x) { return x > 40 ? x : log1p(exp(x)); }

/* Only simple ko, and the long kos of rules of territory, leave a game without result. */
static bool may_have_no_result(const struct yo_go_rules *rules) {
    return rules->ko == YO_GO_KO_SIMPLE || rules->scoring == YO_GO_TERRITORY;
}

static void set_chances(const struct yo_go_rules *rules, const float *logits,
                        struct yo_go_net_value *value) {
    bool third = may_have_no_result(rules);
    double win = (double)logits[0], loss = (double)logits[1], none = (double)logits[2];
    double most = fmax(win, loss);
    if (third) most = fmax(most, none);
    win = exp(win - most);
    loss = exp(loss - most);
    none = third ? exp(none - most) : 0;
    double sum = win + loss + none;
    value->win = win / sum;
    value->loss = loss / sum;
    value->no_result = none / sum;
}

/* Versions differ in what the last two outputs are: an error, its square, or the root of it. */
static void set_errors(const struct yo_net *net, const float *raw, struct yo_go_net_value *value) {
    const struct yo_net_multipliers *m = &net->multipliers;
    value->time_left = value->winloss_error = value->score_error = -1;
    if (net->version < 9) return;
    value->time_left = softplus((double)raw[3]) * m->variance_time;
    double winloss = (double)raw[4], score = (double)raw[5];
    if (net->version >= 14) {
        value->winloss_error = softplus(winloss * 0.5) * sqrt(m->shortterm_value_error);
        value->score_error = softplus(score * 0.5) * sqrt(m->shortterm_score_error);
    } else if (net->version >= 10) {
        value->winloss_error = sqrt(softplus(winloss) * m->shortterm_value_error);
        value->score_error = sqrt(softplus(score) * m->shortterm_score_error);
    } else {
        value->winloss_error = softplus(winloss);
        value->score_error = softplus(score) * 10;
    }
}

void yo_go_net_value(const struct yo_net *net, const struct yo_go_rules *rules,
                     const struct yo_net_raw *raw, struct yo_go_net_value *value) {
    const struct yo_net_multipliers *m = &net->multipliers;
    const float *score = raw->out[YO_NET_OUT_SCORE];
    set_chances(rules, raw->out[YO_NET_OUT_VALUE], value);
    /* The network speaks of games that have a result. */
    double result = 1 - value->no_result;
    double mean = (double)score[0] * m->score_mean;
    double stdev = softplus((double)score[1]) * m->score_stdev;
    value->score_mean = mean * result;
    value->score_square = (mean * mean + stdev * stdev) * result;
    value->score_stdev = sqrt(fmax(0, value->score_square - value->score_mean * value->score_mean));
    value->lead = (double)score[2] * m->lead * result;
    set_errors(net, score, value);
}

static double logit(int size, const struct yo_net_raw *raw, yo_move move) {
    if (move == YO_GO_PASS) return (double)raw->out[YO_NET_OUT_PASS][0];
    int p = yo_net_symmetry_point(size, raw->symmetry, (int)move);
    return (double)raw->out[YO_NET_OUT_POLICY][p];
}

/* Other channels than the first are for searches of another kind: an optimistic policy from version
 * 12, values of moves from 16. */
void yo_go_net_policy(int size, const struct yo_net_raw *raw, const yo_move *moves, size_t count,
                      float *policy) {

    double most = -INFINITY, sum = 0;
    for (size_t i = 0; i < count; i++) {
        double x = logit(size, raw, moves[i]);
        policy[i] = (float)x;
        if (x > most) most = x;
    }
    for (size_t i = 0; i < count; i++) {
        double x = exp((double)policy[i] - most);
        policy[i] = (float)x;
        sum += x;
    }
    for (size_t i = 0; i < count; i++)
        policy[i] = (float)((double)policy[i] / sum);
}

void yo_go_net_ownership(int size, const struct yo_net_raw *raw, float *ownership) {
    for (int p = 0; p < size * size; p++) {
        int turned = yo_net_symmetry_point(size, raw->symmetry, p);
        ownership[p] = tanhf(raw->out[YO_NET_OUT_OWNERSHIP][turned]);
    }
}
