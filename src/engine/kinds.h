/* The table of searches for sessions, one row per kind. The caller passes the table, so that it can
 * include a search from a folder that depends on engine/ (a cluster's master). */
#pragma once

#include "base/notice.h"
#include "base/option.h"
#include "eval/eval.h"
#include "eval/shogi/eval.h"
#include "game/go/patterns.h"
#include "search/search.h"

enum yo_session_game { YO_SESSION_GO, YO_SESSION_SHOGI };

/* The parts of a search. All must outlive the search. */
struct yo_search_setup {
    enum yo_session_game game;
    const char *search;               /* the kind's name */
    const struct yo_options *options; /* a session's; options.h has the rows */
    struct yo_eval playouts;          /* Go: the evaluator of playouts */
    struct yo_eval net; /* with policy and value; ops NULL: there is no such network */
    const struct yo_shogi_eval *eval; /* shogi: the static evaluation */
    int threads;                      /* at least 1 */
    uint64_t seed;
    char *plays; /* for display: the backends of the search; `plays_size` bytes */
    size_t plays_size;
    struct yo_notices notices;             /* receives a notice when a device is lost */
    const struct yo_go_patterns *patterns; /* Go: NULL for those built in */
    /* Too little memory, or a cluster that cannot be used, is an error. If false, a notice reports
     * it, and the search does without. */
    bool strict;
    bool at_once;                                 /* as in struct yo_session_config */
    void (*notice)(void *user, const char *text); /* or NULL */
    void *user;
};

/* A notice, if anybody wants it. */
void yo_search_setup_tell(const struct yo_search_setup *setup, const char *fmt, ...)
    YO_PRINTF(2, 3);
/* The most memory in MB that a search should try to have of what the option `memory` asks for: half
 * of the machine's where that is less, since the system overcommits. */
size_t yo_search_setup_memory(const struct yo_search_setup *setup);
/* After a search that got less. */
void yo_search_setup_tell_memory(const struct yo_search_setup *setup, size_t got);

struct yo_search_kind {
    const char *name; /* as the option `search` has it */
    enum yo_session_game game;
    /* Makes the search, or applies changed options if this kind made *search before. Destroys a
     * search that cannot be kept; *search is empty on failure. */
    enum yo_err (*make)(const struct yo_search_setup *setup, struct yo_search *search,
                        struct yo_diag *diag);
};

/* The searches that engine/ can make itself. Ends with a row whose name is NULL; a game's first row
 * is its default. */
extern const struct yo_search_kind yo_search_kinds[];

/* The kind with this name; for NULL or "auto" the game's first. NULL if there is none, with a
 * message that lists them. */
const struct yo_search_kind *yo_search_kind_find(const struct yo_search_kind *kinds,
                                                 enum yo_session_game game, const char *name,
                                                 struct yo_diag *diag);
void yo_search_destroy(struct yo_search *search);
