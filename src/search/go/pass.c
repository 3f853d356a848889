#include "search/go/pass.h"

#include <math.h>
#include <string.h>

#include "base/time.h"
#include "game/go/state.h"

#define JUDGE_GAMES 1000
/* Judging whether the game is over may take 1/JUDGE_SHARE of the time; the rest is for the
 * search. */
#define JUDGE_SHARE 3
/* With less time than this it does not judge, unless the opponent has passed. */
#define JUDGE_MS_MIN 40

/* With this winrate a pass is good enough. With less it must be above 0.5 and at most PASS_LOSS
 * below the best move. */
#define PASS_SURE 0.9
#define PASS_LOSS 0.05
/* On a quiet board counted by territory a move must be better than a pass by this much. What is
 * left to defend there changes the winrate by more; in large areas the noise of playouts alone
 * reaches half of it. */
#define WORTH_A_POINT 0.25
/* With a winrate below this the search passes too, if the opponent has passed and the board is
 * closed. */
#define GIVE_IN 0.25

void yo_go_pass_begin(struct yo_go_pass *pass, const struct yo_go_game *game,
                      const struct yo_search_limits *limits) {
    pass->game = game;
    pass->limits = limits;
    pass->start_ms = yo_time_ms();
    pass->judged = pass->over = pass->behind = pass->certain = false;
    pass->chance = 0;
    pass->visits = 0;
    memset(&pass->judgement, 0, sizeof pass->judgement);
}

bool yo_go_pass_asks(const struct yo_go_pass *pass) {
    int64_t time_ms = yo_search_time_ms(pass->limits);
    bool hurries = time_ms && time_ms < JUDGE_MS_MIN;
    return hurries ? yo_judge_opponent_passed(pass->game) : yo_judge_may_be_over(pass->game);
}

enum yo_err yo_go_pass_judge(struct yo_go_pass *pass, struct yo_eval eval, uint64_t seed,
                             const atomic_bool *stop, struct yo_diag *diag) {
    if (pass->judged) return YO_OK;
    const struct yo_go_game *game = pass->game;
    struct yo_judge_limits judging = {
        .seed = seed, .games = JUDGE_GAMES, .nodes = YO_JUDGE_NODES_IN_SEARCH, .stop = stop};
    int64_t time_ms = yo_search_time_ms(pass->limits);
    if (time_ms) judging.deadline_ms = pass->start_ms + time_ms / JUDGE_SHARE;
    enum yo_err err = yo_judge_go(eval, game, &judging, &pass->judgement, diag);
    if (err) return err;
    bool is_black = yo_go_game_to_move(game) == YO_GO_BLACK;
    bool may_pass = yo_search_allows(pass->limits, YO_GO_PASS);
    bool clean_up = pass->limits->clean_up;
    pass->judged = true;
    pass->chance = is_black ? pass->judgement.winrate_black : 1 - pass->judgement.winrate_black;
    pass->visits = JUDGE_GAMES;
    pass->over = may_pass && yo_judge_should_pass(&pass->judgement, game, clean_up);
    pass->behind = may_pass && yo_judge_should_give_in(&pass->judgement, game, clean_up);
    pass->certain =
        pass->over && pass->judgement.certain && yo_judge_moves_cost(&pass->judgement, game);
    if (pass->certain) pass->chance = 1;
    return YO_OK;
}

bool yo_go_pass_must_capture(const struct yo_go_game *game, const struct yo_search_limits *limits) {
    return limits->clean_up || !yo_go_game_rules(game)->friendly_pass_ok;
}

bool yo_go_pass_is_safe(const struct yo_go_pass *pass) { return pass->chance >= PASS_SURE; }

bool yo_go_pass_is_lost(const struct yo_go_pass *pass) { return pass->chance < YO_JUDGE_HOPELESS; }

/* The judgement is for a pass: does the search agree? */
static bool prefers_pass(const struct yo_go_pass *pass, const struct yo_search_result *result) {
    double gain = result->moves[0].winrate_to_move - pass->chance;
    if (yo_judge_moves_cost(&pass->judgement, pass->game)) return gain < WORTH_A_POINT;
    return yo_go_pass_is_safe(pass) || (pass->chance > 0.5 && gain < PASS_LOSS);
}

/* The game is lost by the judgement: does the search agree? Playouts always give dead stones some
 * chance to live, the same for every move, and for that chance the search would fill its own
 * territory. */
static bool is_hopeless(const struct yo_go_pass *pass, const struct yo_search_result *result) {
    bool ended = pass->judgement.closed && yo_judge_opponent_passed(pass->game);
    return result->moves[0].winrate_to_move <= YO_JUDGE_HOPELESS ||
           (ended && yo_search_root_winrate(result) < GIVE_IN);
}

bool yo_go_pass_is_best(const struct yo_go_pass *pass, const struct yo_search_result *result) {
    if (result->move_count == 0) return true;
    return (pass->over && prefers_pass(pass, result)) ||
           (pass->behind && is_hopeless(pass, result));
}

/* The visits to report for a pass: the search's own, or those of the judgement, but with the visits
 * of the other moves no more than the limit. */
static uint64_t visits_to_tell(const struct yo_go_pass *pass,
                               const struct yo_search_result *result) {
    const struct yo_search_limits *l = pass->limits;
    uint64_t most = l->playouts ? l->playouts : l->visits, others = 0;
    for (size_t i = 0; i < result->move_count; i++) {
        const struct yo_search_move *move = &result->moves[i];
        if (move->move == YO_GO_PASS && move->visits > 0) return move->visits;
        others += move->visits;
    }
    if (most == 0 || pass->visits + others <= most) return pass->visits;
    return others < most ? most - others : 1;
}

static double prior_of_pass(const struct yo_search_result *result) {
    for (size_t i = 0; i < result->prior_count; i++)
        if (result->priors[i].move == YO_GO_PASS) return result->priors[i].share;
    return 0;
}

void yo_go_pass_put_first(struct yo_go_pass *pass, struct yo_search_result *result) {
    static const yo_move move = YO_GO_PASS;
    double chance = pass->chance;
    size_t count = 1;
    if (pass->behind && result->move_count > 0)
        chance = fmin(chance, result->moves[0].winrate_to_move);
    pass->told_visits = visits_to_tell(pass, result);
    pass->moves[0] =
        (struct yo_search_move){.move = move,
                                .visits = pass->told_visits,
                                .winrate_to_move = chance,
                                .score_to_move = yo_judge_lead(&pass->judgement, pass->game),
                                .lcb_to_move = yo_search_lower_bound(chance, pass->told_visits),
                                .prior = prior_of_pass(result),
                                .pv = &move,
                                .pv_visits = &pass->told_visits,
                                .pv_count = 1};
    for (size_t i = 0; i < result->move_count; i++)
        if (result->moves[i].move != YO_GO_PASS) pass->moves[count++] = result->moves[i];
    result->moves = pass->moves;
    result->move_count = count;
    if (result->playouts > 0) return;
    memcpy(pass->ownership, pass->judgement.ownership, sizeof pass->ownership);
    result->ownership = pass->ownership;
}
