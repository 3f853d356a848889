/* One table of option names: a row here has the same name on the command line, in GTP (yomi-param),
 * USI (setoption) and JSON. A new option is a new row. Commands put these rows into their own
 * tables; a session keeps the values of its game's table (session.h). */
#pragma once

#include "base/option.h"
#include "engine/book.h"
#include "engine/go.h"
#include "engine/level.h"
#include "engine/shogi_guided.h"
#include "eval/shogi/net_open.h"
#include "search/alphabeta/alphabeta.h"

/* The help of the row `book` for each game. */
#define YO_BOOK_HELP_GO                                                                            \
    "the opening book that moves are played from, an SGF file with variations; or builtin, or "    \
    "off; auto: builtin, unless playouts or visits are limited"
#define YO_BOOK_HELP_SHOGI                                                                         \
    "the opening book, a file of YaneuraOu's text format; or builtin, or off (no_book); auto: "    \
    "builtin, unless the client limits depth, nodes, playouts or the time of a move"

/* The names that the option `search` takes for shogi; each is a row of yo_search_kinds. */
extern const char *const yo_session_shogi_searches[];
/* The choices of other rows. */
extern const char *const yo_session_depth_rules[];
extern const char *const yo_session_prunings[];
extern const char *const yo_session_entering_rules[];

/* Of the row `strategy`: "auto" and those that cluster/plan.h has. */
extern const char *const yo_session_strategies[];

/* ---- The cluster, for either game ---- */

#define YO_CLUSTER_ROWS                                                                            \
    YO_STRING("cluster", YO_EVERYWHERE, NULL, "WHERE",                                             \
              "search with the workers of a cluster: local:N starts N of them on this machine, "   \
              "nats://HOST:PORT uses those that are connected there"),                             \
        YO_STRING("cluster-name", YO_EVERYWHERE, "yomi", "NAME",                                   \
                  "which of the clusters at that address"),                                        \
        YO_CHOICE("strategy", YO_EVERYWHERE, "auto", yo_session_strategies, "NAME",                \
                  "how the search is divided between workers; auto: predict for alpha-beta, "      \
                  "share for the others"),                                                         \
        YO_STRING("cluster-auth", YO_EVERYWHERE, NULL, "FILE",                                     \
                  "file with user, password or TLS files for that address; see docs/cluster.md")

/* ---- Go ---- */

/* First limits and playing options, which do not need a new search; then the options that searches
 * are made from. */
#define YO_GO_ROWS                                                                                 \
    YO_INT("playouts", YO_ON_CLI | YO_ON_GTP, "0", 0, 9e15, "N",                                   \
           "playouts or evaluations for each move; 0: no limit. With this, one thread and no "     \
           "other limit, the same seed plays the same game"),                                      \
        YO_INT("visits", YO_ON_CLI | YO_ON_GTP, "0", 0, 9e15, "N",                                 \
               "with a network: visits of the position for each move, those kept from earlier "    \
               "moves included; 0: no limit"),                                                     \
        YO_REAL("time", YO_ON_CLI | YO_ON_GTP, "0", 0, 1e6, "SECONDS",                             \
                "thinking time for each move; 0: as the client's clock and --playouts have it, "   \
                "or 2 seconds if there is no limit at all"),                                       \
        YO_INT("seed", YO_ON_CLI | YO_ON_GTP, "1", 0, 9e15, "N", "start of the random numbers"),   \
        YO_REAL("resign", YO_ON_CLI | YO_ON_GTP, "0.05", 0, 1, "CHANCE",                           \
                "resign when the chance to win is below this at three moves in a row, or nothing " \
                "but a pass is left and ten points are missing; if a third of the board is full "  \
                "and there is no handicap; 0: never"),                                             \
        YO_REAL("lag", YO_ON_CLI | YO_ON_GTP, "0.2", 0, 60, "SECONDS",                             \
                "time kept back from each move when a clock runs"),                                \
        YO_INT("judge", YO_ON_CLI | YO_ON_GTP, "2000", 2, 1e7, "N",                                \
               "playouts that decide which stones are dead"),                                      \
        YO_BOOL("ponder", YO_ON_CLI | YO_ON_GTP, "false", "think in the opponent's time as well"), \
        YO_LEVEL_ROWS,                                                                             \
        YO_STRING("book", YO_ON_CLI | YO_ON_GTP, YO_BOOK_AUTO, "FILE", YO_BOOK_HELP_GO),           \
        YO_INT("threads", YO_ON_CLI | YO_ON_GTP, "0", 0, 1024, "N",                                \
               "threads; 0: one for each core"),                                                   \
        YO_STRING("backend", YO_ON_CLI | YO_ON_GTP, "auto", "NAME",                                \
                  "what plays the playouts; `yomi devices` lists them. check:NAME compares all "   \
                  "that one plays with the reference"),                                            \
        YO_CLUSTER_ROWS, YO_ENGINE_OPTION_ROWS

/* ---- Shogi: names as other engines and GUIs spell them ---- */

/* What alpha-beta is made of. */
#define YO_ALPHABETA_ROWS                                                                          \
    YO_STRING_USI("eval", "EvalFile", YO_EVERYWHERE, YO_SHOGI_EVAL_DEFAULT, "FILE",                \
                  "the network, a file of YaneuraOu's format; or builtin, or material"),           \
        YO_INT_USI("fv-scale", "FV_SCALE", YO_EVERYWHERE, "16", 1, 128, "N",                       \
                   "the network's output that makes a hundredth of a pawn"),                       \
        YO_CHOICE_USI("depth-rule", "DepthRule", YO_EVERYWHERE, "plain", yo_session_depth_rules,   \
                      "RULE", "what a move costs in depth"),                                       \
        YO_STRING_USI("probability-file", "ProbabilityFile", YO_EVERYWHERE, NULL, "FILE",          \
                      "table of `yomi learn probability`, for the rule realization"),              \
        YO_CHOICE_USI("pruning", "Pruning", YO_EVERYWHERE, "full", yo_session_prunings, "KIND",    \
                      "shortcuts that the search takes")

/* How a game of shogi is played with it. */
#define YO_SHOGI_ROWS                                                                              \
    YO_CHOICE("search", YO_EVERYWHERE, "auto", yo_session_shogi_searches, "NAME",                  \
              "how moves are searched: by alpha-beta, in a tree (uct) with the same evaluation, "  \
              "or by a network with a policy (puct, mcss); auto: puct with --net, else "           \
              "alphabeta"),                                                                        \
        YO_INT("playouts", YO_EVERYWHERE, "0", 0, 9e15, "N",                                       \
               "positions to search for each move, where the client sets no depth and no number "  \
               "of nodes; 0: no limit"),                                                           \
        YO_INT("visits", YO_EVERYWHERE, "0", 0, 9e15, "N",                                         \
               "the same, but with a network those kept from earlier moves are included; 0: no "   \
               "limit"),                                                                           \
        YO_LEVEL_ROWS,                                                                             \
        YO_INT_USI("memory", "USI_Hash", YO_EVERYWHERE, "64", 1, 65536, "MB",                      \
                   "size of the transposition table, or of the tree"),                             \
        YO_INT_USI("threads", "Threads", YO_EVERYWHERE, "1", 1, YO_AB_THREADS_MAX, "N",            \
                   "threads that search"),                                                         \
        YO_INT("seed", YO_EVERYWHERE, "1", 0, 9e15, "N", "start of the random numbers of mcss"),   \
        YO_INT_USI("multi-pv", "MultiPV", YO_EVERYWHERE, "1", 1, 600, "N",                         \
                   "best moves that are reported"),                                                \
        YO_BOOL_USI("usi-ponder", "USI_Ponder", YO_EVERYWHERE, "false",                            \
                    "the client lets the engine ponder"),                                          \
        YO_BOOL_USI(                                                                               \
            "stochastic-ponder", "Stochastic_Ponder", YO_EVERYWHERE, "false",                      \
            "pondering is about all answers of the opponent, not the one that is expected"),       \
        YO_INT_USI("network-delay", "NetworkDelay", YO_EVERYWHERE, "120", 0, 10000, "MS",          \
                   "time usually lost on the way to the server"),                                  \
        YO_INT_USI("network-delay2", "NetworkDelay2", YO_EVERYWHERE, "120", 0, 10000, "MS",        \
                   "time lost on the way to the server at worst"),                                 \
        YO_INT_USI("minimum-thinking-time", "MinimumThinkingTime", YO_EVERYWHERE, "1000", 0,       \
                   100000, "MS", "a move takes so long, where the clock can afford it"),           \
        YO_INT_USI("slow-mover", "SlowMover", YO_EVERYWHERE, "100", 1, 1000, "PERCENT",            \
                   "of the usual time for a move"),                                                \
        YO_BOOL_USI("round-up-to-full-second", "RoundUpToFullSecond", YO_EVERYWHERE, "true",       \
                    "the rest of a second that the server charges anyway is used"),                \
        YO_INT_USI("resign-value", "ResignValue", YO_EVERYWHERE, "99999", 0, 99999, "CP",          \
                   "resigns when so far behind"),                                                  \
        YO_INT_USI("max-moves-to-draw", "MaxMovesToDraw", YO_EVERYWHERE, "0", 0, 100000, "N",      \
                   "moves until a draw; 0 for no limit"),                                          \
        YO_CHOICE_USI("entering-king-rule", "EnteringKingRule", YO_EVERYWHERE, "CSARule27",        \
                      yo_session_entering_rules, "RULE", "when an entered king wins"),             \
        YO_BOOL_USI("usi-own-book", "USI_OwnBook", YO_EVERYWHERE, "true",                          \
                    "the engine may play from its book"),                                          \
        YO_STRING_USI("book", "BookFile", YO_EVERYWHERE, YO_BOOK_AUTO, "FILE",                     \
                      YO_BOOK_HELP_SHOGI),                                                         \
        YO_CLUSTER_ROWS, YO_ALPHABETA_ROWS, YO_SHOGI_NET_ROWS, YO_UCT_TREE_ROWS

/* The margins of alpha-beta, only for tuning. */
#define YO_TUNE_ROW(name, initial, least, most, help)                                              \
    YO_INT(#name, YO_ON_TUNE, #initial, least, most, "N", help),
#define YO_TUNE_ROWS YO_AB_MARGIN_LIST(YO_TUNE_ROW)

/* The value of a string option; NULL if it is unset, empty, or "<empty>", which some clients
 * send. */
const char *yo_session_text(const struct yo_options *options, const char *key);
/* Whether an option, by its key, is the player's alone: limits of a move, time, the book, what is
 * decided after a search. Searches are made without it. */
bool yo_session_is_habit(const char *key);
