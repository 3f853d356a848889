/* Options of UCT for Go: those of the tree and those that Go adds. */
#pragma once

#include "game/go/patterns.h"
#include "search/uct/options.h"
#include "yomi/playout.h"

/* Not a playout policy itself: selects the one that won the matches on this board size. */
#define YO_UCT_POLICY_AUTO YO_PLAYOUT_POLICIES

struct yo_uct_go_options {
    struct yo_uct_options tree;
    int policy;     /* a yo_playout_policy, or YO_UCT_POLICY_AUTO */
    unsigned group; /* group mode, section 3.3: steps from the last moves; 0 for the whole board */
    bool zone;      /* zone mode, the same: playouts too */
    float even;     /* alpha of equation 2 */
    bool reading;   /* reads fights for the priors of the root */
    const struct yo_go_patterns *patterns; /* NULL: built in; outlives the search */
};

extern const char *const yo_uct_policies[];

/* For tables that have YO_UCT_OPTION_ROWS too. */
#define YO_UCT_GO_OPTION_ROWS                                                                      \
    YO_CHOICE_ALSO("playout-policy", "policy", YO_EVERYWHERE, "auto", yo_uct_policies, "POLICY",   \
                   "how playouts choose their moves; auto: rich up to 9x9, and up to 13x13 where " \
                   "only playouts are limited, else mogo"),                                        \
        YO_INT("group", YO_EVERYWHERE, "0", 0, 100, "N",                                           \
               "only moves of the last two moves' groups, N steps around; 0: the whole board"),    \
        YO_BOOL("reading", YO_EVERYWHERE, "true",                                                  \
                "read life and death in small areas first, and prefer the moves that decide it"),  \
        YO_BOOL("zone", YO_EVERYWHERE, "false", "playouts in the zone of that group only"),        \
        YO_REAL("zone-even", YO_EVERYWHERE, "0.5", 0, 1, "ALPHA",                                  \
                "how much of the lead elsewhere counts in a zone: 0 for an even game")

/* YO_ERR_ARGUMENT if options contradict each other. */
enum yo_err yo_uct_go_options_check(const struct yo_uct_go_options *options, struct yo_diag *diag);
/* The playout policy for boards of this size. `counted`: only playouts limit the search, not
 * time. */
enum yo_playout_policy yo_uct_policy(const struct yo_uct_go_options *options, int size,
                                     bool counted);

void yo_uct_go_options_default(struct yo_uct_go_options *options);
/* From a table that has both sets of rows; seed and threads do not change. */
void yo_uct_go_options_read(const struct yo_options *from, struct yo_uct_go_options *options);
