/* The searches that a session can be made with. A kind is a row of a table; who starts sessions
 * hands the table in, so that a search from a folder further down (a cluster's master) can be one
 * of them. */
#pragma once

#include "base/notice.h"
#include "base/option.h"
#include "eval/eval.h"
#include "eval/shogi/eval.h"
#include "game/go/patterns.h"
#include "search/search.h"

enum yo_session_game { YO_SESSION_GO, YO_SESSION_SHOGI };

/* What a search is made of. All of it outlives the search. */
struct yo_search_setup {
    enum yo_session_game game;
    const struct yo_options *options; /* a session's; options.h has the rows */
    struct yo_eval playouts;          /* Go: what plays them */
    struct yo_eval net;               /* ops NULL: there is no network */
    const struct yo_shogi_eval *eval; /* shogi: the static evaluation */
    int threads;                      /* at least 1 */
    uint64_t seed;
    char *plays; /* for people: what plays or evaluates for the search; `plays_size` bytes */
    size_t plays_size;
    struct yo_notices notices;             /* who hears of devices that were lost */
    const struct yo_go_patterns *patterns; /* Go: NULL for those built in */
    bool strict; /* too little memory is an error; if not, less is used and a notice tells */
    void (*notice)(void *user, const char *text); /* or NULL */
    void *user;
};

struct yo_search_kind {
    const char *name; /* as the option `search` has it */
    enum yo_session_game game;
    /* Makes the search; or takes over changed options, if *search was made by this kind before. A
     * search that could not be kept is destroyed, and *search is empty on failure. */
    enum yo_err (*make)(const struct yo_search_setup *setup, struct yo_search *search,
                        struct yo_diag *diag);
};

/* Those that need nothing but what stands above engine/. Ends with a row whose name is NULL; a
 * game's first row is what it is played with if nothing is asked for. */
extern const struct yo_search_kind yo_search_kinds[];

/* The kind of this name, or with NULL or "auto" the game's first; NULL, with a message that lists
 * them, if there is none. */
const struct yo_search_kind *yo_search_kind_find(const struct yo_search_kind *kinds,
                                                 enum yo_session_game game, const char *name,
                                                 struct yo_diag *diag);
void yo_search_destroy(struct yo_search *search);
