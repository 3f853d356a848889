/* Should a search of Go pass? Combines the judgement with the result of the search, and puts a pass
 * first in a result. The search owns it; valid for one run. */
#pragma once

#include "eval/eval.h"
#include "search/go/judge.h"
#include "search/search.h"

struct yo_go_pass {
    const struct yo_go_game *game;
    const struct yo_search_limits *limits;
    int64_t start_ms;

    struct yo_judgement judgement; /* all zero until the position is judged */
    bool judged;
    bool over;     /* yo_judge_should_pass: the side to move wins */
    bool behind;   /* yo_judge_should_give_in: it loses */
    bool certain;  /* it wins for certain, and moves cost points: no search can be as sure */
    double chance; /* winrate after a pass, and the visits it was measured in */
    uint64_t visits;

    /* Memory of a result in which a pass was put first. */
    struct yo_search_move moves[YO_GO_POINTS_MAX + 2];
    float ownership[YO_GO_POINTS_MAX];
    uint64_t told_visits;
};

/* The game and the limits must outlive the run. */
void yo_go_pass_begin(struct yo_go_pass *pass, const struct yo_go_game *game,
                      const struct yo_search_limits *limits);

/* May the game be over, and is there time to judge it? */
bool yo_go_pass_asks(const struct yo_go_pass *pass);

/* Judges the position, unless it is judged already. */
enum yo_err yo_go_pass_judge(struct yo_go_pass *pass, struct yo_eval eval, uint64_t seed,
                             const atomic_bool *stop, struct yo_diag *diag);

/* Do dead stones have to be taken off the board by moves? */
bool yo_go_pass_must_capture(const struct yo_go_game *game, const struct yo_search_limits *limits);

/* Is a pass the best move, by the results so far? */
bool yo_go_pass_is_best(const struct yo_go_pass *pass, const struct yo_search_result *result);

/* Is the winrate after a pass so high that no other move has to be searched? Or so low that the
 * game is lost? */
bool yo_go_pass_is_safe(const struct yo_go_pass *pass);
bool yo_go_pass_is_lost(const struct yo_go_pass *pass);

/* Puts a pass before the other moves, with its value. */
void yo_go_pass_put_first(struct yo_go_pass *pass, struct yo_search_result *result);
