/* A search for Go with all that stands behind it, made from options: what `yomi gtp`, `yomi play`
 * and the others have in common. */
#pragma once

#include "base/option.h"
#include "eval/eval.h"
#include "search/guided/options.h"
#include "search/search.h"
#include "search/uct/options.h"

enum yo_engine_kind {
    YO_ENGINE_AUTO,
    YO_ENGINE_UCT,
    YO_ENGINE_FLAT,
    YO_ENGINE_PUCT,
    YO_ENGINE_MCSS,
};

extern const char *const yo_engine_kinds[];
extern const char *const yo_engine_symmetries[];

/* The rows that every command with a search has, beside its limits, threads and seed. */
#define YO_ENGINE_OPTION_ROWS                                                                      \
    YO_CHOICE(                                                                                     \
        "search", YO_EVERYWHERE, "auto", yo_engine_kinds, "NAME",                                  \
        "how moves are searched: by playouts in a tree (uct) or of the moves at hand (flat), "     \
        "by a network (puct, mcss); auto: puct with --net, else uct"),                             \
        YO_UCT_OPTION_ROWS, YO_GUIDED_OPTION_ROWS

/* The network that a search asks, of the commands that play Go. */
#define YO_NET_OPTION_ROWS                                                                         \
    YO_STRING("net", YO_ON_CLI, NULL, "FILE",                                                      \
              "a network in KataGo's format (.bin.gz, .txt.gz) to search with"),                   \
        YO_STRING("net-backend", YO_ON_CLI, NULL, "NAME",                                          \
                  "what evaluates the network; `yomi bench net` lists them"),                      \
        YO_CHOICE("net-symmetry", YO_ON_CLI, "random", yo_engine_symmetries, "NAME",               \
                  "how positions are turned before the network sees them: one way by its "         \
                  "position, one of eight for all, or the mean over all eight"),                   \
        YO_INT("net-cache", YO_ON_CLI, "64", 0, 1e6, "MB",                                         \
               "memory for evaluations that may be asked for again")

/* Just these rows, for a protocol that sets them one by one. */
extern const struct yo_option yo_engine_options[];
/* Takes the values of those rows from another table that has them. */
void yo_engine_options_copy(const struct yo_options *from, struct yo_options *to);

struct yo_engine_net {
    const char *path;    /* NULL: none */
    const char *backend; /* NULL: the fastest */
    int symmetry;        /* 0 to 7, or YO_NET_SYMMETRY_ */
    size_t cache_mb;
};

/* From a table that has YO_NET_OPTION_ROWS; the strings are the table's. */
struct yo_engine_net yo_engine_net_options(const struct yo_options *options);

struct yo_engine_setup {
    const struct yo_options *options; /* of a table that has YO_ENGINE_OPTION_ROWS */
    const char *backend;              /* of batches of playouts; NULL or "auto" for the fastest */
    struct yo_engine_net net;
    int threads; /* 0 for one for each core */
    uint64_t seed;
};

/* Zeroed: not started. */
struct yo_engine {
    struct yo_eval eval; /* playouts */
    struct yo_eval net;  /* ops NULL: none */
    struct yo_search search;
    char plays[256]; /* for people: what plays the playouts of this search */
};

/* Starts it if it does not run. */
enum yo_err yo_engine_start(struct yo_engine *engine, const struct yo_engine_setup *setup,
                            struct yo_diag *diag);
void yo_engine_stop(struct yo_engine *engine);
