/* Which stones of a Go position are alive, which are dead, and what the score is then.
 * Benson's theorem settles what it can; playouts decide the rest by who owns the stones' points
 * in the end. Deterministic for a seed, unless it is cut short. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "eval/eval.h"
#include "yomi/go.h"

enum yo_judge_status { YO_JUDGE_EMPTY, YO_JUDGE_ALIVE, YO_JUDGE_DEAD, YO_JUDGE_SEKI };

struct yo_judgement {
    uint8_t status[YO_GO_POINTS_MAX];  /* enum yo_judge_status of each stone's string */
    uint8_t dead[YO_GO_POINTS_MAX];    /* 1 for dead stones, as yo_go_game_score wants them */
    float ownership[YO_GO_POINTS_MAX]; /* +1 always Black's .. -1 always White's */
    struct yo_go_score score;          /* with the dead stones taken off */
    double winrate_black;              /* of the playouts, whoever moves first */
    bool closed;  /* with the dead stones gone each empty region touches one colour only */
    bool settled; /* nothing left to play for: closed, and each string clearly alive or dead */
};

/* How much is played to judge a position, and what cuts it short. */
struct yo_judge_limits {
    uint64_t seed, games;
    int64_t deadline_ms;     /* of yo_time_ms; 0 for none */
    const atomic_bool *stop; /* or NULL */
};

/* Plays `games` playouts or a few more, half of them with each side to move first; and again
 * without the strings that were found dead, until no more are. When cut short it judges by what was
 * played, which are some games at least, and nothing counts as settled. */
enum yo_err yo_judge_go(struct yo_eval eval, const struct yo_go_game *game,
                        const struct yo_judge_limits *limits, struct yo_judgement *judgement,
                        struct yo_diag *diag);

/* The same for those who ask how a game ends: after two passes under rules without agreement on
 * dead stones, what stands on the board is alive. */
enum yo_err yo_judge_result(struct yo_eval eval, const struct yo_go_game *game,
                            const struct yo_judge_limits *limits, struct yo_judgement *judgement,
                            struct yo_diag *diag);

/* Should the side to move pass now, judged so? Yes when it wins by that and either the opponent
 * has just passed or nothing is left to play for. Where the rules have no agreement on dead stones
 * it must win with all of them counted as alive; with clean_up no dead stone of the opponent may
 * be left at all. */
bool yo_judge_should_pass(const struct yo_judgement *judgement, const struct yo_go_game *game,
                          bool clean_up);

/* Has the opponent of the side to move just passed? */
bool yo_judge_opponent_passed(const struct yo_go_game *game);

/* Judging costs playouts: is the game so far on that it may be near its end? */
bool yo_judge_may_be_over(const struct yo_go_game *game);

/* Lost by that, and the opponent would have it end, or there is nothing left to play: then the side
 * to move should pass, if it finds no good move. With clean_up not as long as a dead stone of the
 * opponent is left. */
bool yo_judge_should_give_in(const struct yo_judgement *judgement, const struct yo_go_game *game,
                             bool clean_up);

/* Below this chance no playout finds a way to win. */
#define YO_JUDGE_HOPELESS 0.02

/* By how many points the side to move is ahead: as counted, or as expected while points are open.
 */
double yo_judge_lead(const struct yo_judgement *judgement, const struct yo_go_game *game);

/* The game's komi with the handicap bonus, in half points. */
int yo_judge_komi2(const struct yo_go_game *game);

/* The komi for results of playouts, which count area: yo_go_score_area_komi2 of the game. */
int yo_judge_area_komi2(const struct yo_go_game *game, bool closed);
