/* The parameters of alpha-beta that are tuned by matches: margins, depth limits and reductions, in
 * one table. A row: name, default, least, most, what it is. Depths are plies unless a row says
 * otherwise; "64ths" are parts of a ply (rule.h). `yomi usi --tune` offers each row as a USI
 * option; docs/alphabeta.md says how to tune them. */
#pragma once

/* Differences of static values, for an evaluation whose unit is 100. The search scales them to the
 * unit of its evaluation (eval/shogi/eval.h). */
#define YO_AB_VALUE_LIST(X)                                                                        \
    X(reverse_futility_margin, 132, 20, 500, "reverse futility pruning: margin a ply")             \
    X(razor_base, 744, 0, 2000, "razoring: margin")                                                \
    X(razor_margin, 538, 0, 1000, "razoring: margin times plies squared")                          \
    X(null_eval_divisor, 252, 20, 2000, "null move: one ply more for so much above beta")          \
    X(null_slack, 198, 0, 1000, "null move: static value above beta, at depth 0")                  \
    X(null_slack_ply, 44, 0, 100, "null move: so much less of it a ply")                           \
    X(probcut_margin, 155, 50, 1000, "ProbCut: what a capture has to win above beta")              \
    X(probcut_improving, 30, 0, 300, "ProbCut: so much less if improving")                         \
    X(futility_base, 95, 0, 1000, "futility pruning: margin")                                      \
    X(futility_margin, 134, 10, 500, "futility pruning: margin a ply")                             \
    X(capture_futility_base, 457, 0, 1000, "futility pruning of captures: margin")                 \
    X(capture_futility_margin, 305, 10, 1000, "futility pruning of captures: margin a ply")        \
    X(singular_margin, 180, 0, 1000, "singular extension: margin a ply, in 64ths")                 \
    X(singular_double, 78, 0, 500, "singular extension: this much below it, two plies")            \
    X(reduction_deeper, 59, 0, 600, "late move reduction: surprise that is worth a ply")           \
    X(reduction_deeper_ply, 200, 0, 2000, "late move reduction: more of it a ply, in hundredths")  \
    X(reduction_shallower, 100, 0, 2000,                                                           \
      "late move reduction: a surprise below this is worth a ply less, a ply, in hundredths")      \
    X(quiescence_margin, 555, 0, 2000, "quiescence: what a capture may lack of alpha")             \
    X(correction_max, 939, 50, 2000, "correction of static values: the largest error learned")     \
    X(swing_value, 100, 20, 2000,                                                                  \
      "history: change of the static value by a move that is worth 100")                           \
    X(window, 34, 5, 500, "aspiration window: first half width")                                   \
    X(window_max, 2000, 100, 10000, "aspiration window: from this width on it is open")

#define YO_AB_NUMBER_LIST(X)                                                                       \
    X(reverse_futility_depth, 4, 0, 20, "reverse futility pruning: up to this depth")              \
    X(razor_depth, 5, 0, 20, "razoring: up to this depth")                                         \
    X(null_depth, 2, 1, 20, "null move: from this depth on")                                       \
    X(null_base, 4, 1, 8, "null move: reduction in plies")                                         \
    X(null_divisor, 2, 1, 16, "null move: one ply more reduction for so many plies of depth")      \
    X(null_eval_max, 5, 0, 8, "null move: at most so many plies more for being above beta")        \
    X(null_verify_depth, 14, 3, 100, "null move: verified by a search from this depth on")         \
    X(probcut_depth, 5, 4, 100, "ProbCut: from this depth on")                                     \
    X(late_base, 8, 1, 60, "late move pruning: moves that are tried")                              \
    X(late_margin, 290, 0, 1000, "late move pruning: hundredths more, times plies squared")        \
    X(futility_depth, 9, 0, 20, "futility pruning: up to this reduced depth")                      \
    X(futility_history, 80, 10, 1000, "futility pruning: history worth a centipawn")               \
    X(capture_futility_depth, 8, 0, 20, "futility pruning of captures: up to this reduced depth")  \
    X(history_margin, -6394, -20000, 0, "history pruning: history a ply below which moves go")     \
    X(exchange_quiet, 26, 0, 200,                                                                  \
      "pruning by static exchange: loss by plies squared, quiet moves")                            \
    X(exchange_capture, 275, 0, 800,                                                               \
      "pruning by static exchange: loss a ply, captures and checks")                               \
    X(singular_depth, 6, 3, 100, "singular extension: from this depth on")                         \
    X(singular_table_depth, 3, 0, 10, "singular extension: plies that the table may lack")         \
    X(singular_doubles, 7, 0, 30, "singular extension: double ones on a line")                     \
    X(negative_extension, 56, 0, 192, "negative extension, if other moves hold, in 64ths")         \
    X(check_extension_depth, 10, 0, 100, "check extension: from this depth on")                    \
    X(reduction_base, 120, -64, 200, "late move reduction: base, in 64ths")                        \
    X(reduction_factor, 37, 5, 150, "late move reduction: hundredths of ln(depth) ln(number)")     \
    X(reduction_cut_node, 87, 0, 256, "late move reduction: more at a cut node, in 64ths")         \
    X(reduction_not_improving, 84, 0, 192, "late move reduction: more if not improving, in 64ths") \
    X(reduction_pv, 69, 0, 256, "late move reduction: less at a PV node, in 64ths")                \
    X(reduction_was_pv, 94, 0, 256, "late move reduction: less where a PV was, in 64ths")          \
    X(reduction_gives_check, 66, 0, 256, "late move reduction: less for a check, in 64ths")        \
    X(reduction_in_check, 41, 0, 256, "late move reduction: less in check, in 64ths")              \
    X(reduction_capture, 85, 0, 256, "late move reduction: less for a capture, in 64ths")          \
    X(reduction_table_capture, 71, 0, 256,                                                         \
      "late move reduction: more if the table's move is a capture, in 64ths")                      \
    X(reduction_answer, 10, 0, 256,                                                                \
      "late move reduction: less after a late move of the opponent, in 64ths")                     \
    X(reduction_history, 13649, 2000, 60000, "late move reduction: history worth a ply")           \
    X(iir_depth, 3, 2, 30, "internal iterative reduction: from this depth on at a PV node")        \
    X(iir_cut_depth, 6, 2, 30, "internal iterative reduction: from this depth on at a cut node")   \
    X(bonus_margin, 207, 20, 1000, "history: bonus of a cut a ply")                                \
    X(bonus_max, 1894, 200, 8000, "history: largest bonus")                                        \
    X(malus, 100, 0, 300, "history: percent of it that the moves tried before a cut lose")         \
    X(bonus_before, 98, 0, 200, "history: percent of it for the move before a fail low")           \
    X(bonus_table, 100, 0, 200, "history: percent of it for a move from the table that cuts")      \
    X(bonus_swing, 1500, 0, 8000, "history: largest bonus by the change of the static value")      \
    X(quiescence_mate, 1, 0, 1, "quiescence: 1 to look for a mate in one")                         \
    X(window_growth, 222, 110, 1000, "aspiration window: hundredths after a failure")              \
    X(reverse_futility_blend, 57, 0, 100,                                                          \
      "reverse futility pruning: percent of the value above beta that is returned")                \
    X(prune_reduced, 73, 0, 100, "pruning of moves: percent of the reduction that counts")         \
    X(reduction_pv_from, 2, 1, 5, "late move reduction: after so many moves at a PV node")         \
    X(history_weight_1, 154, 0, 300, "history: weight of the move before, percent")                \
    X(history_weight_2, 127, 0, 300, "history: weight of two moves before, percent")               \
    X(history_weight_4, 20, 0, 300, "history: weight of four moves before, percent")               \
    X(quiescence_moves, 21, 1, 30, "quiescence: captures that are tried if no recaptures")         \
    X(quiescence_checks, 2, 0, 3, "quiescence: plies with quiet checks")                           \
    X(unit, 100, 10, 1000, "all values above, in hundredths")

#define YO_AB_MARGIN_LIST(X) YO_AB_VALUE_LIST(X) YO_AB_NUMBER_LIST(X)

struct yo_ab_margins {
#define X(name, initial, least, most, help) int name;
    YO_AB_MARGIN_LIST(X)
#undef X
};

#define YO_AB_MARGINS_DEFAULT                                                                      \
    { YO_AB_MARGIN_LIST(YO_AB_MARGIN_INITIAL) }
#define YO_AB_MARGIN_INITIAL(name, initial, least, most, help) .name = (initial),
