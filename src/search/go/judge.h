/* Which stones of a Go position are alive, dead or in seki, and the resulting score. Benson's
 * theorem decides what it can, reading (settle.h) what is left in small areas; a network, or
 * playouts without one, decide the rest by who owns the stones' points at the end. Deterministic
 * for a seed, unless it is cut short. */
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
    double winrate_black;              /* with either side to move first: of the playouts, or, in
                                          a settled position with seki, by the score */
    bool closed;  /* with the dead stones gone each empty region touches one colour only */
    bool quiet;   /* closed, and no string is in doubt */
    bool settled; /* nothing left to play for: closed, and each string clearly alive or dead */
    bool certain; /* settled, and each string so by proof, or in nearly all playouts */
};

/* How much a position is judged by, and what cuts it short. */
struct yo_judge_limits {
    uint64_t seed, games;
    unsigned nodes;          /* of reading; 0: as many as the result of a game deserves */
    int64_t deadline_ms;     /* of yo_time_ms; 0 for none */
    const atomic_bool *stop; /* or NULL */
    struct yo_eval net;      /* that tells ownership; ops NULL: none */
    bool goes_on;            /* open fights end as they would if the side to move went on */
};

/* Nodes of reading for a judgement inside a search: a few hundredths of a second at most. */
#define YO_JUDGE_NODES_IN_SEARCH 6000

/* Plays `games` playouts or a few more, half of them with each side to move first. Repeats that
 * without the strings found dead, until no more are found. When cut short it judges by the playouts
 * made so far, at least a few, and nothing counts as settled. */
enum yo_err yo_judge_go(struct yo_eval eval, const struct yo_go_game *game,
                        const struct yo_judge_limits *limits, struct yo_judgement *judgement,
                        struct yo_diag *diag);

/* The same for the result of a game. If it is not over, open fights are decided in turn, by the
 * side to move first (fight.h). After two passes under rules without agreement on dead stones, all
 * stones on the board are alive. */
enum yo_err yo_judge_result(struct yo_eval eval, const struct yo_go_game *game,
                            const struct yo_judge_limits *limits, struct yo_judgement *judgement,
                            struct yo_diag *diag);

/* Should the side to move pass now? Yes when it wins by the judgement and either the opponent has
 * just passed or nothing is left to play for; by territory, where a move that need not be answered
 * costs a point, already when the board is quiet. Where the rules have no agreement on dead stones
 * it must win with all of them counted as alive; with clean_up no dead stone of the opponent may be
 * left at all. */
bool yo_judge_should_pass(const struct yo_judgement *judgement, const struct yo_go_game *game,
                          bool clean_up);

/* Is the board quiet and counted by territory, so that each stone that need not be answered costs a
 * point? */
bool yo_judge_moves_cost(const struct yo_judgement *judgement, const struct yo_go_game *game);

/* Has the opponent of the side to move just passed? */
bool yo_judge_opponent_passed(const struct yo_go_game *game);

/* May the game be near its end? A cheap test, because judging costs playouts. Earlier by territory,
 * where moves after the end cost points. */
bool yo_judge_may_be_over(const struct yo_go_game *game);

/* True if the side to move loses by the judgement, and the opponent has just passed or nothing is
 * left to play for: then it should pass, if it finds no good move. With clean_up false as long as a
 * dead stone of the opponent is left. */
bool yo_judge_should_give_in(const struct yo_judgement *judgement, const struct yo_go_game *game,
                             bool clean_up);

/* Are any stones of that colour dead? */
bool yo_judge_has_dead(const struct yo_judgement *judgement, const struct yo_go_game *game,
                       enum yo_go_color color);

/* A position with a winrate below this is lost. */
#define YO_JUDGE_HOPELESS 0.02

/* The lead of the side to move in points: the score of a closed board, else the sum of the expected
 * ownership less komi. */
double yo_judge_lead(const struct yo_judgement *judgement, const struct yo_go_game *game);

/* The game's komi with the handicap bonus, in half points. */
int yo_judge_komi2(const struct yo_go_game *game);

/* The komi for results of playouts, which count area: yo_go_score_area_komi2 of the game. */
int yo_judge_area_komi2(const struct yo_go_game *game, bool closed);
