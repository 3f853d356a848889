/* When a search is over: stopped, at its limits, or with a best move that cannot change. */
#include "base/time.h"
#include "search/uct/internal.h"

#define VISITS_MAX ((unsigned)1 << 30) /* counters of half wins for AMAF have 32 bits */
/* Before this share of the time a search does not end early because of a decided best move. */
#define EARLY_SHARE 0.1
/* Visits of an only move: its winrate decides whether to resign. */
#define ONLY_VISITS 100
/* A move with this share of the best one's visits may still be the better one. */
#define UNCLEAR_SHARE 0.6

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

/* Is there only one move, or can no other move reach the visits of the most visited one, even with
 * all visits to come? */
static bool is_decided(const struct yo_uct *uct, double to_come) {
    const struct yo_node *first, *second;
    lead(uct, &first, &second);
    if (first && !second && uct_visits(first) >= ONLY_VISITS) return true;
    double ahead = (first ? uct_visits(first) : 0) - (double)(second ? uct_visits(second) : 0);
    return ahead > to_come;
}

static double visits_made(const struct yo_uct *uct) {
    return uct_visits(yo_tree_node(&uct->tree, YO_NODE_ROOT)) - (double)uct->visits_before;
}

/* The best move cannot change in the time that is left, at the rate so far. */
static bool is_decided_by_clock(const struct yo_uct *uct, int64_t elapsed_ms, int64_t left_ms) {
    if ((double)elapsed_ms < EARLY_SHARE * (double)(elapsed_ms + left_ms)) return false;
    return is_decided(uct, visits_made(uct) / (double)elapsed_ms * (double)left_ms);
}

/* A playout is one visit, or more where the results of an evaluator beside the search add
 * visits. */
static bool is_decided_by_count(const struct yo_uct *uct) {
    double made = visits_made(uct), playouts = (double)uct->limits->playouts;
    double begun = (double)atomic_load_explicit(&uct->next_number, memory_order_relaxed);
    double each = made > begun ? made / begun : 1;
    return is_decided(uct, each * playouts - made);
}

static double mean_of(const struct yo_node *node) {
    unsigned visits = uct_visits(node);
    return visits ? uct_mean(node) : 0;
}

/* Two moves have similar visits, or the most visited one has the lower value. */
static bool is_unclear(const struct yo_uct *uct) {
    const struct yo_node *first, *second;
    lead(uct, &first, &second);
    if (!first || !second) return false;
    double share = (double)uct_visits(second) / (uct_visits(first) + 1.0);
    return share > UNCLEAR_SHARE || (share > UNCLEAR_SHARE / 4 && mean_of(second) > mean_of(first));
}

bool yo_uct_is_over(const struct yo_uct *uct) {
    if (uct->stop && atomic_load_explicit(uct->stop, memory_order_relaxed)) return true;
    if (uct_visits(yo_tree_node(&uct->tree, YO_NODE_ROOT)) >= VISITS_MAX) return true;
    bool early = uct->options.early && uct->limits->playouts && !uct->limits->whole;
    if (early && is_decided_by_count(uct)) return true;
    int64_t end = yo_search_clock_end(uct->clock), now = yo_time_ms();
    if (!end) return false;
    if (now >= end) return now >= yo_search_clock_read(&uct->clock->hard) || !is_unclear(uct);
    if (now < yo_search_clock_read(&uct->clock->least)) return false;
    int64_t elapsed_ms = now - uct->start_ms;
    return elapsed_ms > 0 && !uct->limits->whole && is_decided_by_clock(uct, elapsed_ms, end - now);
}
