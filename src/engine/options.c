#include "engine/options.h"

#include <string.h>

#include "engine/session.h"

const char *const yo_session_shogi_searches[] = {"auto", "alphabeta", "uct", "puct", "mcss", NULL};
const char *const yo_session_depth_rules[] = {"plain", "half", "realization", NULL};
const char *const yo_session_prunings[] = {
    [YO_AB_PLAIN] = "none", [YO_AB_SAFE] = "safe", [YO_AB_FULL] = "full", NULL};
const char *const yo_session_entering_rules[] = {
    "NoEnteringKing", "CSARule24", "CSARule24H", "CSARule27", "CSARule27H", "TryRule", NULL};

const char *const yo_session_strategies[] = {"auto",     "predict",    "split",    "share",
                                             "majority", "optimistic", "exchange", NULL};

static const struct yo_option go_rows[] = {YO_GO_ROWS, YO_OPTIONS_END};
static const struct yo_option shogi_rows[] = {YO_SHOGI_ROWS, YO_TUNE_ROWS YO_OPTIONS_END};

const struct yo_option *yo_session_rows(enum yo_session_game game) {
    return game == YO_SESSION_GO ? go_rows : shogi_rows;
}

const char *yo_session_text(const struct yo_options *options, const char *key) {
    const char *text = yo_options_text(options, key);
    return text && *text && strcmp(text, "<empty>") != 0 ? text : NULL;
}

bool yo_session_is_habit(const char *key) {
    static const char *const keys[] = {"playouts",
                                       "visits",
                                       "time",
                                       "resign",
                                       "lag",
                                       "judge",
                                       "ponder",
                                       "level",
                                       "temperature",
                                       "multi-pv",
                                       "usi-ponder",
                                       "stochastic-ponder",
                                       "network-delay",
                                       "network-delay2",
                                       "minimum-thinking-time",
                                       "slow-mover",
                                       "round-up-to-full-second",
                                       "resign-value",
                                       "max-moves-to-draw",
                                       "entering-king-rule",
                                       "usi-own-book",
                                       "book"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (strcmp(key, keys[i]) == 0) return true;
    return false;
}
