/* Should a search of Go pass? What the judgement says of it, what the search says, and results with
 * a pass put first. Belongs to the search that asks; good for one run of it. */
#pragma once

#include "eval/eval.h"
#include "search/go/judge.h"
#include "search/search.h"

struct yo_go_pass {
    const struct yo_go_game *game;
    const struct yo_search_limits *limits;
    int64_t start_ms;

    struct yo_judgement judgement; /* all zero until it is judged */
    bool judged;
    bool over;     /* the judgement would pass: it wins by that */
    bool behind;   /* it loses, and nothing else is left to do */
    double chance; /* to win after a pass, and in how many visits it was found */
    uint64_t visits;

    /* What a result points to when a pass was put before the other moves. */
    struct yo_search_move moves[YO_GO_POINTS_MAX + 2];
    float ownership[YO_GO_POINTS_MAX];
    uint64_t told_visits;
};

/* Both outlive the run. */
void yo_go_pass_begin(struct yo_go_pass *pass, const struct yo_go_game *game,
                      const struct yo_search_limits *limits);

/* May the game be over, and is there time to find out? */
bool yo_go_pass_asks(const struct yo_go_pass *pass);

/* Judges the position, unless that was done. */
enum yo_err yo_go_pass_judge(struct yo_go_pass *pass, struct yo_eval eval, uint64_t seed,
                             const atomic_bool *stop, struct yo_diag *diag);

/* Do dead stones have to be taken off the board by moves? */
bool yo_go_pass_must_capture(const struct yo_go_game *game, const struct yo_search_limits *limits);

/* By what was found so far: is a pass the best move? */
bool yo_go_pass_is_best(const struct yo_go_pass *pass, const struct yo_search_result *result);

/* Is the chance so good that no other move need be looked at? Or so bad that nothing matters? */
bool yo_go_pass_is_safe(const struct yo_go_pass *pass);
bool yo_go_pass_is_lost(const struct yo_go_pass *pass);

/* Puts a pass before the other moves, with what is thought of it. */
void yo_go_pass_put_first(struct yo_go_pass *pass, struct yo_search_result *result);
