/* A search for Go with its playouts and network, made from a session's options. */
#pragma once

#include "base/option.h"
#include "engine/go_net.h"
#include "engine/kinds.h"
#include "eval/eval.h"
#include "search/go/options.h"
#include "search/search.h"

/* The names that the option `search` takes for Go; each is a row of yo_search_kinds. And those that
 * it takes in a command for both games. */
extern const char *const yo_engine_kinds[];
extern const char *const yo_engine_all_kinds[];

/* The option rows of every command with a search, besides limits, threads and seed. */
#define YO_ENGINE_OPTION_ROWS                                                                      \
    YO_CHOICE("search", YO_EVERYWHERE, "auto", yo_engine_kinds, "NAME",                            \
              "how moves are searched: by playouts in a tree (uct) or of the moves at hand "       \
              "(flat), or by a network (puct, mcss); auto: puct with a network, else uct"),        \
        YO_ENGINE_PART_ROWS
/* The rows of the parts that searches are made of. */
#define YO_ENGINE_PART_ROWS                                                                        \
    YO_GO_NET_ROWS, YO_UCT_OPTION_ROWS, YO_UCT_GO_OPTION_ROWS, YO_GUIDED_OPTION_ROWS
/* The same rows for a command that has Go and shogi. */
#define YO_ENGINE_ALL_ROWS                                                                         \
    YO_CHOICE("search", YO_EVERYWHERE, "auto", yo_engine_all_kinds, "NAME",                        \
              "how moves are searched. Go: uct, flat, puct or mcss; shogi: alphabeta, uct, puct "  \
              "or mcss; puct and mcss need a network with a policy; auto: the best there is"),     \
        YO_ENGINE_PART_ROWS

/* Only these rows, for commands that refuse them in another game. */
extern const struct yo_option yo_engine_options[];

struct yo_engine_setup {
    const struct yo_search_kind *kinds;
    const struct yo_options *options; /* a session's */
    const char *backend;              /* for batches of playouts; NULL or "auto" for the fastest */
    int threads;                      /* 0 for one for each core */
    int size;                         /* of the board */
    uint64_t seed;
    const struct yo_go_patterns *patterns; /* NULL: built in; outlives the engine */
    struct yo_notices notices;             /* receives a notice when a device is lost */
    struct yo_nets *nets;                  /* as in struct yo_session_config */
    bool strict, at_once;                  /* these four as in struct yo_session_config */
    void (*notice)(void *user, const char *text);
    void *user;
};

/* Zeroed: not started. */
struct yo_engine {
    struct yo_eval eval; /* playouts */
    struct yo_eval net;  /* ops NULL: none */
    struct yo_eval mix;  /* of both; ops NULL: none */
    struct yo_search search;
    int size;        /* of the board that the network was opened for */
    char plays[256]; /* for display: the playout backends of this search */
};

/* Starts the engine if it does not run. */
enum yo_err yo_engine_start(struct yo_engine *engine, const struct yo_engine_setup *setup,
                            struct yo_diag *diag);
void yo_engine_stop(struct yo_engine *engine);

/* Rows of yo_search_kinds. */
enum yo_err yo_go_make_uct(const struct yo_search_setup *setup, struct yo_search *search,
                           struct yo_diag *diag);
enum yo_err yo_go_make_flat(const struct yo_search_setup *setup, struct yo_search *search,
                            struct yo_diag *diag);
