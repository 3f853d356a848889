/* When a search is over: stopped, at its limits, or with a best move that cannot change. */
#include "search/decide.h"
#include "search/uct/internal.h"

#define VISITS_MAX ((unsigned)1 << 30) /* counters of half wins for AMAF have 32 bits */
/* Visits of an only move: its winrate decides whether to resign. */
#define ONLY_VISITS 100

/* The two most visited moves of the root that are not proven to lose; either may be NULL. */
static void lead(const struct yo_uct *uct, const struct yo_node **first,
                 const struct yo_node **second) {
    size_t count = 0;
    const struct yo_node *root = yo_tree_node(&uct->tree, YO_NODE_ROOT);
    const struct yo_node *child = yo_tree_children(&uct->tree, root, &count);
    *first = *second = NULL;
    for (size_t i = 0; i < count; i++) {
        if (child[i].banned || uct_solved(&child[i]) == YO_SOLVED_LOSS) continue;
        unsigned visits = uct_visits(&child[i]);
        if (!*first || visits > uct_visits(*first)) {
            *second = *first;
            *first = &child[i];
        } else if (!*second || visits > uct_visits(*second)) {
            *second = &child[i];
        }
    }
}

static double mean_of(const struct yo_node *node) { return uct_visits(node) ? uct_mean(node) : 0; }

static struct yo_search_lead lead_of(const struct yo_uct *uct) {
    const struct yo_node *first, *second;
    lead(uct, &first, &second);
    struct yo_search_lead of = {.alone = first && !second,
                                .first_wins = first && uct_solved(first) == YO_SOLVED_WIN};
    if (first) of.first = uct_visits(first);
    if (second) of.second = uct_visits(second);
    if (second) of.second_is_better = mean_of(second) > mean_of(first);
    return of;
}

static double visits_made(const struct yo_uct *uct) {
    return uct_visits(yo_tree_node(&uct->tree, YO_NODE_ROOT)) - (double)uct->visits_before;
}

/* A playout is one visit, or more where the results of an evaluator beside the search add
 * visits. */
static bool is_decided_by_count(const struct yo_uct *uct) {
    double made = visits_made(uct), playouts = (double)uct->limits->playouts;
    double begun = (double)atomic_load_explicit(&uct->next_number, memory_order_relaxed);
    double each = made > begun ? made / begun : 1;
    struct yo_search_lead of = lead_of(uct);
    if (of.alone && of.first >= ONLY_VISITS) return true;
    return yo_search_is_decided(&of, each * playouts - made);
}

bool yo_uct_is_over(const struct yo_uct *uct) {
    if (uct->stop && atomic_load_explicit(uct->stop, memory_order_relaxed)) return true;
    if (uct_visits(yo_tree_node(&uct->tree, YO_NODE_ROOT)) >= VISITS_MAX) return true;
    bool early = uct->options.early && uct->limits->playouts && !uct->limits->whole;
    if (early && is_decided_by_count(uct)) return true;
    if (!yo_search_clock_end(uct->clock)) return false;
    struct yo_search_progress progress = {.clock = uct->clock,
                                          .start_ms = uct->start_ms,
                                          .made = visits_made(uct),
                                          .only_visits = ONLY_VISITS,
                                          .whole = uct->limits->whole};
    struct yo_search_lead of = lead_of(uct);
    return yo_search_is_over_by_clock(&progress, &of);
}
