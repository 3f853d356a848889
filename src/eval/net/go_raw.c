#include "eval/net/go_raw.h"

static enum yo_err run_one(struct yo_net_runner *runner, const struct yo_go_position *position,
                           int symmetry, struct yo_net_raw *out, struct yo_diag *diag) {
    enum yo_err err = yo_net_runner_start(runner, position->board.geometry->size, diag);
    if (err) return err;
    int row = yo_net_runner_add(runner, position, symmetry);
    err = yo_net_runner_run(runner, YO_EVAL_VALUE | YO_EVAL_POLICY | YO_EVAL_OWNERSHIP, diag);
    if (!err) *out = yo_net_runner_raw(runner, row);
    return err;
}

static void set_policy(const struct yo_go_position *position, const struct yo_net_raw *net_raw,
                       struct yo_net_go_raw *raw) {
    yo_move moves[YO_GO_POINTS_MAX + 1];
    float logits[YO_GO_POINTS_MAX + 1], legal[YO_GO_POINTS_MAX + 1];
    size_t count = 0;
    yo_net_go.policy(NULL, raw->size, net_raw, logits);
    for (yo_go_point p = 0; p <= YO_GO_PASS; p++) {
        raw->policy[p] = -1;
        if (p >= raw->size * raw->size && p != YO_GO_PASS) continue;
        if (p != YO_GO_PASS && !yo_go_position_legal(position, p)) continue;
        legal[count] = logits[yo_net_go.policy_index(position, p)];
        moves[count++] = p;
    }
    yo_net_softmax(legal, count);
    for (size_t i = 0; i < count; i++)
        raw->policy[moves[i]] = legal[i];
}

enum yo_err yo_net_go_raw(struct yo_net_runner *runner, const struct yo_go_position *position,
                          int symmetry, struct yo_net_go_raw *raw, struct yo_diag *diag) {
    struct yo_net_raw net_raw;
    enum yo_err err = run_one(runner, position, symmetry, &net_raw, diag);
    if (err) return err;
    raw->size = position->board.geometry->size;
    raw->symmetry = symmetry;
    raw->to_move = (enum yo_go_color)position->to_move;
    yo_net_go_value(yo_net_runner_net(runner), &position->rules, &net_raw, &raw->value);
    set_policy(position, &net_raw, raw);
    yo_net_go.ownership(position, &net_raw, raw->white_ownership);
    for (int p = 0; p < raw->size * raw->size; p++)
        raw->white_ownership[p] = -raw->white_ownership[p]; /* the table's view is Black's */
    return YO_OK;
}

/* ---- White's view ---- */

struct named {
    const char *key; /* of the analysis protocol */
    const char *name;
    double number;
    int decimals;
};

enum { NUMBERS = 9 };

static void list_numbers(const struct yo_net_go_raw *raw, struct named out[NUMBERS]) {
    const struct yo_net_go_value *v = &raw->value;
    bool white = raw->to_move == YO_GO_WHITE;
    double sign = white ? 1 : -1;
    const struct named all[NUMBERS] = {
        {"whiteWinProb", "whiteWin", white ? v->win : v->loss, 6},
        {"whiteLossProb", "whiteLoss", white ? v->loss : v->win, 6},
        {"noResultProb", "noResult", v->no_result, 6},
        {"whiteLead", "whiteLead", sign * v->lead, 3},
        {"whiteScoreSelfplay", "whiteScoreSelfplay", sign * v->score_mean, 3},
        {"whiteScoreSelfplaySq", "whiteScoreSelfplaySq", v->score_square, 3},
        {"varTimeLeft", "varTimeLeft", v->time_left, 3},
        {"shorttermWinlossError", "shorttermWinlossError", v->winloss_error, 3},
        {"shorttermScoreError", "shorttermScoreError", v->score_error, 3},
    };
    for (int i = 0; i < NUMBERS; i++)
        out[i] = all[i];
}

void yo_net_go_raw_text(const struct yo_net_go_raw *raw, struct yo_buf *out) {
    struct named numbers[NUMBERS];
    list_numbers(raw, numbers);
    yo_buf_printf(out, "symmetry %d\n", raw->symmetry);
    for (int i = 0; i < NUMBERS; i++)
        yo_buf_printf(out, "%s %.*f\n", numbers[i].name, numbers[i].decimals, numbers[i].number);
    yo_buf_str(out, "policy\n");
    for (int p = 0; p < raw->size * raw->size; p++) {
        if (raw->policy[p] < 0)
            yo_buf_str(out, "    NAN ");
        else
            yo_buf_printf(out, "%8.6f ", (double)raw->policy[p]);
        if (p % raw->size == raw->size - 1) yo_buf_char(out, '\n');
    }
    yo_buf_printf(out, "policyPass %8.6f \nwhiteOwnership\n", (double)raw->policy[YO_GO_PASS]);
    for (int p = 0; p < raw->size * raw->size; p++)
        yo_buf_printf(out, "%9.7f%s", (double)raw->white_ownership[p],
                      p % raw->size == raw->size - 1 ? " \n" : " ");
}

json_t *yo_net_go_raw_json(const struct yo_net_go_raw *raw) {
    bool failed = false;
    struct named numbers[NUMBERS];
    json_t *object = yo_json_object(), *policy = yo_json_array(), *owner = yo_json_array();
    int points = raw->size * raw->size;
    list_numbers(raw, numbers);
    for (int i = 0; i < NUMBERS; i++)
        yo_json_set(object, numbers[i].key, yo_json_real(numbers[i].number), &failed);
    for (int p = 0; p < points; p++) {
        yo_json_append(policy, yo_json_real((double)raw->policy[p]), &failed);
        yo_json_append(owner, yo_json_real((double)raw->white_ownership[p]), &failed);
    }
    yo_json_append(policy, yo_json_real((double)raw->policy[YO_GO_PASS]), &failed);
    yo_json_set(object, "policy", policy, &failed);
    yo_json_set(object, "whiteOwnership", owner, &failed);
    yo_json_set(object, "symmetry", json_integer(raw->symmetry), &failed);
    yo_json_set(object, "boardSize", json_integer(raw->size), &failed);
    yo_json_set(object, "currentPlayer", yo_json_text(raw->to_move == YO_GO_BLACK ? "B" : "W", 1),
                &failed);
    if (!failed) return object;
    json_decref(object);
    return NULL;
}
