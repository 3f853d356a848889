/* All outputs of a Go network for one position, as KataGo's command kata-raw-nn prints them. For
 * display and tests; a search uses the evaluator. */
#pragma once

#include "base/buf.h"
#include "base/json.h"
#include "eval/net/go.h"
#include "eval/net/runner.h"

struct yo_net_go_raw {
    int size, symmetry;
    enum yo_go_color to_move;
    struct yo_net_go_value value;       /* for the side to move */
    float policy[YO_GO_POINTS_MAX + 1]; /* by point or YO_GO_PASS; -1 where no move is legal */
    float white_ownership[YO_GO_POINTS_MAX];
};

enum yo_err yo_net_go_raw(struct yo_net_runner *runner, const struct yo_go_position *position,
                          int symmetry, struct yo_net_go_raw *raw, struct yo_diag *diag);
/* The text of kata-raw-nn, White's view; ends with a newline. */
void yo_net_go_raw_text(const struct yo_net_go_raw *raw, struct yo_buf *out);
/* The same as a JSON object, with the keys of the analysis protocol; NULL if there is no memory. */
json_t *yo_net_go_raw_json(const struct yo_net_go_raw *raw);
