/* What the parts of `yomi learn` share. */
#pragma once

#include "base/option.h"
#include "cmd/progress.h"

/* Which of the files, the arguments after the first, is being read. */
void yo_learn_show_file(struct yo_progress *progress, const struct yo_options *options, size_t i);

enum yo_err yo_learn_network(const struct yo_options *options, struct yo_diag *diag);
enum yo_err yo_learn_positions(const struct yo_options *options, struct yo_diag *diag);
enum yo_err yo_learn_scores(const struct yo_options *options, struct yo_diag *diag);

#define YO_LEARN_NETWORK_OPTIONS                                                                   \
    YO_STRING("start", YO_ON_CLI, "none", "FILE",                                                  \
              "network: what it goes on from: a K-P or K-P relative network, or none"),            \
        YO_INT("epochs", YO_ON_CLI, "6", 0, 1000, "N",                                             \
               "network: how often each position is seen; 0 only measures --start"),               \
        YO_INT("batch", YO_ON_CLI, "8192", 1, 1 << 24, "N", "network: positions of a step"),       \
        YO_REAL("rate", YO_ON_CLI, "0.002", 0, 1, "R", "network: the highest learning rate"),      \
        YO_REAL("decay", YO_ON_CLI, "0.1", 0, 100, "R",                                            \
                "network: pull towards zero of weights that belong to single inputs"),             \
        YO_REAL("scale", YO_ON_CLI, "600", 1, 100000, "CP",                                        \
                "network, positions, scores: hundredths of a pawn that make the odds e to 1"),     \
        YO_INT("below", YO_ON_CLI, "2500", 1, 32767, "CP",                                         \
               "network: positions with such scores, mates mostly, are left out"),                 \
        YO_INT("threads", YO_ON_CLI, "0", 0, 1024, "N",                                            \
               "network, scores: 0 for one on each core"),                                         \
        YO_INT("seed", YO_ON_CLI, "1", 0, 1e15, "N", "network: another order of positions")

#define YO_LEARN_SCORES_OPTIONS                                                                    \
    YO_STRING("net", YO_ON_CLI, "builtin", "FILE", "scores: a network in ONNX, or builtin"),       \
        YO_STRING("backend", YO_ON_CLI, "auto", "NAME", "scores: what runs the network"),          \
        YO_REAL("share", YO_ON_CLI, "1", 0, 1, "SHARE",                                            \
                "scores: how much the new ones count, beside the scores that are there"),          \
        YO_INT("visits", YO_ON_CLI, "1", 1, 60000, "N",                                            \
               "scores: of a search in each position; 1: the network's value alone"),              \
        YO_INT("nodes", YO_ON_CLI, "0", 0, 1e12, "N",                                              \
               "scores: of alpha-beta's search in each position, in place of --net; 0: none"),     \
        YO_STRING("eval", YO_ON_CLI, "builtin", "FILE",                                            \
                  "scores: with --nodes, what evaluates: a network's file, builtin, or material")
