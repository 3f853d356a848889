/* Networks for Go: opened by a session's options, and the searches on them. */
#pragma once

#include "base/option.h"
#include "engine/kinds.h"
#include "search/guided/options.h"

struct yo_net;
struct yo_net_eval_options;
struct yo_nets;

extern const char *const yo_go_net_symmetries[];

#define YO_GO_NET_ROWS                                                                             \
    YO_STRING("net", YO_ON_CLI | YO_ON_GTP, "auto", "FILE",                                        \
              "a network in KataGo's format (.bin.gz, .txt.gz) to search with, builtin, or none; " \
              "auto: builtin where the CPU or a GPU is fast with it, unless --search uct or "      \
              "flat, --playouts, --backend or another option of playouts is given"),               \
        YO_STRING("net-backend", YO_ON_CLI | YO_ON_GTP, NULL, "NAME",                              \
                  "what evaluates the network; `yomi devices` lists them"),                        \
        YO_CHOICE("net-symmetry", YO_ON_CLI | YO_ON_GTP, "random", yo_go_net_symmetries, "NAME",   \
                  "how positions are turned before the network sees them: in one way that "        \
                  "depends on the position, in one of eight for all, or the mean of all eight"),   \
        YO_INT("net-cache", YO_ON_CLI | YO_ON_GTP, "64", 0, 1e6, "MB",                             \
               "memory for evaluations that may be asked for again"),                              \
        YO_REAL("mix", YO_ON_CLI | YO_ON_GTP, "0", 0, 1, "LAMBDA",                                 \
                "with a network: share of playouts in the value of a position; --leaf-playouts, "  \
                "--playout-policy and --backend are theirs")

/* Whether the options ask for a network: by name, or with "auto" by not asking for playouts.
 * patterns: those for playouts, or NULL. */
bool yo_go_net_is_wanted(const struct yo_options *options, const struct yo_go_patterns *patterns);
/* Refuses typed options that the search which the others choose has no use for. */
enum yo_err yo_go_net_refuse_unused(const struct yo_options *options,
                                    const struct yo_go_patterns *patterns, struct yo_diag *diag);
/* Whether a name is that of the networks that are part of the program, not a path. */
bool yo_go_net_names_builtin(const char *name);
/* A network by its path, or "builtin" for boards of this size. */
enum yo_err yo_go_net_load(const char *path, int size, struct yo_net **net, struct yo_diag *diag);
/* The same as an evaluator. */
enum yo_err yo_go_net_open_named(const char *path, int size,
                                 const struct yo_net_eval_options *wanted, struct yo_eval *net,
                                 struct yo_diag *diag);
struct yo_go_net_setup {
    int size;                  /* of the board */
    int threads;               /* 0: one for each core */
    struct yo_notices notices; /* receives notices of lost devices */
    struct yo_nets *nets;      /* networks that it may share; NULL: none */
};
/* The network that the options name, the built-in one for "auto". */
enum yo_err yo_go_net_open(const struct yo_options *options, const struct yo_go_net_setup *setup,
                           struct yo_eval *net, struct yo_diag *diag);
/* Whether the options' network is one that is part of the program. */
bool yo_go_net_is_builtin(const struct yo_options *options);
/* Whether it is another one for boards of one size than for those of the other. */
bool yo_go_net_differs(const struct yo_options *options, int size, int other);

/* The network and the playouts mixed, if the options ask for it; else *mix stays empty. Both must
 * outlive it. */
enum yo_err yo_go_net_mix(const struct yo_options *options, uint64_t seed, struct yo_eval net,
                          struct yo_eval playouts, struct yo_eval *mix, struct yo_diag *diag);

/* The file of the network for boards of this size that is part of the program. */
const void *yo_go_net_builtin(int size, size_t *len);

/* Rows of yo_search_kinds. */
enum yo_err yo_go_make_puct(const struct yo_search_setup *setup, struct yo_search *search,
                            struct yo_diag *diag);
enum yo_err yo_go_make_mcss(const struct yo_search_setup *setup, struct yo_search *search,
                            struct yo_diag *diag);
