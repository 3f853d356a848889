/* The numbers of alpha-beta that only matches can judge: margins, depth limits and reductions, in
 * one table. A row: name, default, least, most, what it is. Values are centipawns and depths are
 * plies unless a row says otherwise; "64ths" are parts of a ply (rule.h). `yomi usi --tune` offers
 * each row as a USI option; docs/alphabeta.md says how to tune them. */
#pragma once

#define YO_AB_MARGIN_LIST(X)                                                                       \
    /* Reverse futility: static value far above beta. */                                           \
    X(reverse_futility_depth, 7, 0, 20, "reverse futility pruning: up to this depth")              \
    X(reverse_futility_margin, 120, 20, 500, "reverse futility pruning: margin a ply")             \
    /* Razoring: static value far below alpha. */                                                  \
    X(razor_depth, 3, 0, 10, "razoring: up to this depth")                                         \
    X(razor_base, 250, 0, 2000, "razoring: margin")                                                \
    X(razor_margin, 250, 0, 1000, "razoring: margin times plies squared")                          \
    /* Null move. */                                                                               \
    X(null_depth, 3, 1, 20, "null move: from this depth on")                                       \
    X(null_base, 3, 1, 8, "null move: reduction in plies")                                         \
    X(null_divisor, 4, 1, 16, "null move: one ply more reduction for so many plies of depth")      \
    X(null_eval_divisor, 200, 20, 2000, "null move: one ply more for so much above beta")          \
    X(null_eval_max, 3, 0, 8, "null move: at most so many plies more for being above beta")        \
    X(null_verify_depth, 12, 3, 100, "null move: verified by a search from this depth on")         \
    /* Late move pruning, futility, history and exchange pruning of single moves. */               \
    X(late_depth, 7, 0, 20, "late move pruning: up to this depth")                                 \
    X(late_base, 8, 1, 60, "late move pruning: moves that are tried")                              \
    X(late_margin, 3, 0, 20, "late move pruning: moves more, times plies squared")                 \
    X(futility_depth, 6, 0, 20, "futility pruning: up to this depth")                              \
    X(futility_base, 120, 0, 1000, "futility pruning: margin")                                     \
    X(futility_margin, 130, 10, 500, "futility pruning: margin a ply")                             \
    X(history_depth, 4, 0, 20, "history pruning: up to this depth")                                \
    X(history_margin, -4500, -20000, 0, "history pruning: history a ply below which moves go")     \
    X(exchange_depth, 8, 0, 20, "pruning by static exchange: up to this depth")                    \
    X(exchange_quiet, 30, 0, 200,                                                                  \
      "pruning by static exchange: loss by plies squared, quiet moves")                            \
    X(exchange_capture, 120, 0, 500, "pruning by static exchange: loss a ply, captures")           \
    /* Singular extension. */                                                                      \
    X(singular_depth, 7, 3, 30, "singular extension: from this depth on")                          \
    X(singular_table_depth, 3, 0, 10, "singular extension: plies that the table may lack")         \
    X(singular_margin, 3, 0, 20, "singular extension: margin a ply")                               \
    /* Late move reduction: base + ln(depth) ln(move number) / divisor. */                         \
    X(reduction_base, 40, 0, 200, "late move reduction: base, in hundredths of a ply")             \
    X(reduction_divisor, 200, 50, 600, "late move reduction: divisor, in hundredths")              \
    X(reduction_cut_node, 64, 0, 192, "late move reduction: more at a cut node, in 64ths")         \
    X(reduction_not_improving, 32, 0, 128, "late move reduction: more if not improving, in 64ths") \
    X(reduction_pv, 64, 0, 192, "late move reduction: less at a PV node, in 64ths")                \
    X(reduction_gives_check, 64, 0, 192, "late move reduction: less for a check, in 64ths")        \
    X(reduction_in_check, 32, 0, 128, "late move reduction: less in check, in 64ths")              \
    X(reduction_capture, 64, 0, 192, "late move reduction: less for a capture, in 64ths")          \
    X(reduction_history, 12000, 2000, 60000, "late move reduction: history worth a ply")           \
    X(iir_depth, 5, 2, 20, "internal iterative reduction: from this depth on")                     \
    /* History and move ordering. */                                                               \
    X(bonus_margin, 260, 20, 1000, "history: bonus of a cut a ply")                                \
    X(bonus_max, 2000, 200, 8000, "history: largest bonus")                                        \
    X(sort_margin, -3000, -20000, 0,                                                               \
      "move ordering: history a ply below which moves stay unsorted")                              \
    /* Quiescence, aspiration window. */                                                           \
    X(quiescence_margin, 250, 0, 2000, "quiescence: what a capture may lack of alpha")             \
    X(window, 30, 5, 500, "aspiration window: first half width")                                   \
    X(window_growth, 3, 2, 10, "aspiration window: factor after a failure")                        \
    X(window_max, 2000, 100, 10000, "aspiration window: from this width on it is open")

struct yo_ab_margins {
#define X(name, initial, least, most, help) int name;
    YO_AB_MARGIN_LIST(X)
#undef X
};

#define YO_AB_MARGINS_DEFAULT                                                                      \
    { YO_AB_MARGIN_LIST(YO_AB_MARGIN_INITIAL) }
#define YO_AB_MARGIN_INITIAL(name, initial, least, most, help) .name = (initial),
