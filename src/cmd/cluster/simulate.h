/* yomi cluster simulate: a cluster in virtual time. */
#pragma once

#include "base/option.h"
#include "cluster/plan.h"

extern const char *const yo_simulate_games[];  /* shogi, go */
extern const char *const yo_simulate_orders[]; /* how plans order moves quickly */

#define YO_SIMULATE_ROWS                                                                           \
    YO_CHOICE("game", YO_ON_CLI, "shogi", yo_simulate_games, "GAME", "shogi or go"),               \
        YO_CHOICE("strategy", YO_ON_CLI, "predict", yo_plan_strategies, "NAME",                    \
                  "simulate: how the work is divided"),                                            \
        YO_REAL("seconds", YO_ON_CLI, "15", 0.001, 1e6, "S", "simulate: virtual time for a move"), \
        YO_INT("speed", YO_ON_CLI, "20000", 1, 1e9, "N",                                           \
               "simulate: nodes, in Go playouts, of a worker in a virtual second"),                \
        YO_REAL("recommend", YO_ON_CLI, "0", 0, 1e6, "S",                                          \
                "simulate: time of a recommendation; 0 for 1/15 of the move's"),                   \
        YO_REAL("step", YO_ON_CLI, "0", 0, 1e6, "S",                                               \
                "simulate: time between two plans; 0 for 1/60 of the move's"),                     \
        YO_INT("width", YO_ON_CLI, "2", 1, 8, "N",                                                 \
               "simulate: moves of a node that get workers of their own"),                         \
        YO_INT("leaf-width", YO_ON_CLI, "3", 1, 8, "N", "simulate: the same at leaves"),           \
        YO_INT("margin", YO_ON_CLI, "30", 1, 100000, "CP",                                         \
               "simulate: by how much a move must be better to replace the chosen one"),           \
        YO_INT("lean", YO_ON_CLI, "0", 0, 100000, "CP",                                            \
               "simulate: a move so far behind the best gets half as many workers; 0: as many"),   \
        YO_INT("discount", YO_ON_CLI, "20", 0, 1000, "CP",                                         \
               "simulate: what a value loses for each ply it lacks to the deepest one"),           \
        YO_INT("roots", YO_ON_CLI, "50", 0, 100, "PERCENT",                                        \
               "simulate: share of the workers that search the root for predict's answer"),        \
        YO_INT("entries", YO_ON_CLI, "128", 0, 4096, "N",                                          \
               "simulate: table entries that a worker sends to the others at each step"),          \
        YO_CHOICE("order", YO_ON_CLI, "search", yo_simulate_orders, "NAME",                        \
                  "simulate: the quick order of shogi moves: by a search of depth 1, by "          \
                  "realization probability, by the policy of --net, or none"),                     \
        YO_STRING("net", YO_ON_CLI, NULL, "FILE",                                                  \
                  "simulate: network with a policy of shogi, or builtin, for --order policy"),     \
        YO_STRING("probability-file", YO_ON_CLI, NULL, "FILE",                                     \
                  "simulate: table of `yomi learn probability`, for --order probability"),         \
        YO_STRING("eval", YO_ON_CLI, "builtin", "FILE", "simulate: evaluation of shogi"),          \
        YO_INT("table", YO_ON_CLI, "4", 1, 65536, "MB", "simulate: memory of a worker"),           \
        YO_INT("size", YO_ON_CLI, "9", 2, 19, "N", "simulate: board size of Go"),                  \
        YO_INT("seed", YO_ON_CLI, "1", 0, 1e15, "N", "simulate: seed of openings and faults"),     \
        YO_REAL("dies", YO_ON_CLI, "0", 0, 1, "P",                                                 \
                "simulate: a worker dies within a second, with this probability"),                 \
        YO_REAL("slows", YO_ON_CLI, "0", 0, 1, "P", "simulate: likewise: it is slow for a while"), \
        YO_REAL("mutes", YO_ON_CLI, "0", 0, 1, "P",                                                \
                "simulate: likewise: its reports are late or lost for a while"),                   \
        YO_INT("against", YO_ON_CLI, "0", 0, 512, "THREADS",                                       \
               "simulate: games against one machine with so many threads; 0: positions"),          \
        YO_INT("rival", YO_ON_CLI, "0", 0, 1024, "N",                                              \
               "simulate: games against another cluster with so many workers"),                    \
        YO_CHOICE("rival-strategy", YO_ON_CLI, "split", yo_plan_strategies, "NAME",                \
                  "simulate: the strategy of --rival"),                                            \
        YO_INT("rival-entries", YO_ON_CLI, "0", 0, 4096, "N", "simulate: its --entries"),          \
        YO_INT("games", YO_ON_CLI, "2", 1, 1e9, "N", "simulate: games of a match"),                \
        YO_INT("first-game", YO_ON_CLI, "0", 0, 1e9, "N",                                          \
               "simulate: the number of the first game"),                                          \
        YO_INT("opening", YO_ON_CLI, "8", 0, 64, "N",                                              \
               "simulate: random moves at the beginning of a game"),                               \
        YO_BOOL("trace", YO_ON_CLI, "false", "simulate: print every event on standard error"),     \
        YO_BOOL("timeline", YO_ON_CLI, "false", "simulate: print the best move at each step")

/* The options that only simulate has, for the other words to refuse; ends with NULL. */
extern const char *const yo_simulate_keys[];

enum yo_err yo_cluster_simulate(const struct yo_options *options, struct yo_diag *diag);
