/* A search for Go with all that stands behind it, made from options: what `yomi gtp`, `yomi play`
 * and the others have in common. */
#pragma once

#include "base/option.h"
#include "eval/eval.h"
#include "search/go/options.h"
#include "search/search.h"

enum yo_engine_kind { YO_ENGINE_UCT, YO_ENGINE_FLAT };

extern const char *const yo_engine_kinds[];

/* The rows that every command with a search has, beside its limits, threads and seed. */
#define YO_ENGINE_OPTION_ROWS                                                                      \
    YO_CHOICE("search", YO_EVERYWHERE, "uct", yo_engine_kinds, "NAME",                             \
              "how moves are searched: a tree, or the moves at hand alone"),                       \
        YO_UCT_OPTION_ROWS, YO_UCT_GO_OPTION_ROWS

/* Just these rows, for a protocol that sets them one by one. */
extern const struct yo_option yo_engine_options[];
/* Takes the values of those rows from another table that has them. */
void yo_engine_options_copy(const struct yo_options *from, struct yo_options *to);

struct yo_engine_setup {
    const struct yo_options *options; /* of a table that has YO_ENGINE_OPTION_ROWS */
    const char *backend;              /* of batches of playouts; NULL or "auto" for the fastest */
    int threads;                      /* 0 for one for each core */
    uint64_t seed;
    const struct yo_go_patterns *patterns; /* NULL: built in; outlives the engine */
    struct yo_notices notices;             /* who hears of devices that were lost */
};

/* Zeroed: not started. */
struct yo_engine {
    struct yo_eval eval;
    struct yo_search search;
    char plays[256]; /* for people: what plays the playouts of this search */
};

/* Starts it if it does not run. */
enum yo_err yo_engine_start(struct yo_engine *engine, const struct yo_engine_setup *setup,
                            struct yo_diag *diag);
void yo_engine_stop(struct yo_engine *engine);
