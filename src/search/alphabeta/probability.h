/* Realization-probability search (Tsuruoka, Yokoyama, Chikayama 2002): how likely a move is to be
 * played, by the categories it belongs to, and the depth rule made of it. A line is searched while
 * the product of its moves' probabilities is large enough; in logarithms, each move costs depth. */
#pragma once

#include <stddef.h>

#include "base/buf.h"
#include "search/alphabeta/rule.h"

/* The categories of moves. A move may belong to several. Those marked "in check" hold the evasions,
 * the others all other moves. */
#define YO_PROBABILITY_LIST(X)                                                                     \
    X(RECAPTURE, "recapture", "takes what has just moved, without loss")                           \
    X(WINNING_CAPTURE, "winning-capture", "takes and gains by the exchange")                       \
    X(EVEN_CAPTURE, "even-capture", "takes, and the exchange comes out even")                      \
    X(LOSING_CAPTURE, "losing-capture", "takes and loses by the exchange")                         \
    X(PROMOTION, "promotion", "promotes without loss")                                             \
    X(SAFE_CHECK, "safe-check", "gives check without loss")                                        \
    X(UNSAFE_CHECK, "unsafe-check", "gives check and loses the piece")                             \
    X(ESCAPE, "escape", "takes an attacked piece to where it is safe")                             \
    X(THREAT, "threat", "attacks a piece that is worth more, from where it is safe")               \
    X(DROP_ATTACK, "drop-attack", "drops a piece by the other king without loss")                  \
    X(DROP_DEFENCE, "drop-defence", "drops a piece by the own king without loss")                  \
    X(DROP_OTHER, "drop-other", "drops a piece elsewhere without loss")                            \
    X(KING_STEP, "king-step", "moves the king")                                                    \
    X(PAWN_PUSH, "pawn-push", "pushes a pawn without loss")                                        \
    X(GENERAL_STEP, "general-step", "moves a silver or gold without loss")                         \
    X(OTHER, "other", "any other move that loses nothing")                                         \
    X(GIVES_AWAY, "gives-away", "a quiet move that loses material")                                \
    X(TAKE_CHECKER, "take-checker", "in check: takes the checking piece")                          \
    X(STEP_ASIDE, "step-aside", "in check: moves the king")                                        \
    X(INTERPOSE, "interpose", "in check: interposes without loss")                                 \
    X(INTERPOSE_LOSING, "interpose-losing", "in check: interposes, and the piece is lost")

enum yo_probability_category {
#define X(name, text, help) YO_PROBABILITY_##name,
    YO_PROBABILITY_LIST(X)
#undef X
        YO_PROBABILITIES
};

/* How often moves of a category were played, and how often they could have been. */
struct yo_probability_table {
    uint64_t played[YO_PROBABILITIES], seen[YO_PROBABILITIES];
    uint64_t games, positions;
    int costs[YO_PROBABILITIES]; /* of a move, in parts of a ply; yo_probability_settle fills it */
};

const char *yo_probability_name(enum yo_probability_category category);

/* The set of categories of a legal move, one bit each; never empty. last: the move before, or
 * YO_SHOGI_NO_MOVE. */
uint32_t yo_probability_categories(const struct yo_shogi_position *pos, yo_shogi_move move,
                                   yo_shogi_move last);

/* Counts one position and the move played there. */
void yo_probability_count(struct yo_probability_table *table, const struct yo_shogi_position *pos,
                          yo_shogi_move played, yo_shogi_move last);
double yo_probability_of(const struct yo_probability_table *table,
                         enum yo_probability_category category);
/* Computes the costs from the counts. */
void yo_probability_settle(struct yo_probability_table *table);

/* As text and back: a comment with the name and version, then CSV. Errors name line and column. */
void yo_probability_write(const struct yo_probability_table *table, struct yo_buf *out);
enum yo_err yo_probability_parse(const char *text, const char *name,
                                 struct yo_probability_table *table, struct yo_diag *diag);
enum yo_err yo_probability_load(const char *path, struct yo_probability_table *table,
                                struct yo_diag *diag);

/* The depth rule. It points to the table, which must outlive it. A move costs as much as its
 * likeliest category. */
struct yo_ab_rule yo_probability_rule(const struct yo_probability_table *table);
