#include "base/time.h"
#include "search/decide.h"
#include "search/guided/internal.h"

#define REPORT_MS  100
#define VISITS_MAX ((unsigned)1 << 30)
/* Visits of an only move: its winrate decides whether to resign. */
#define ONLY_VISITS 20

size_t guided_choices(const struct yo_guided *g) {
    const struct yo_guided_node *root = yo_guided_node(&g->search.tree, g->search.tree.root);
    const struct yo_guided_edge *edges = yo_guided_edges(&g->search.tree, root);
    size_t count = 0;
    for (unsigned i = 0; edges && i < root->edge_count; i++)
        count += !g->banned[edges[i].move];
    return count;
}

static struct yo_search_lead lead_of(const struct yo_guided *g) {
    const struct yo_guided_tree *tree = &g->search.tree;
    const struct yo_guided_node *root = yo_guided_node(tree, tree->root);
    const struct yo_guided_edge *edges = yo_guided_edges(tree, root);
    float sign = root->to_move == 0 ? 1.0f : -1.0f, value[2] = {0, 0};
    struct yo_search_lead lead = {.alone = guided_choices(g) == 1};
    for (unsigned i = 0; edges && i < atomic_load(&root->reach); i++) {
        yo_cell cell = yo_guided_child(&edges[i]);
        if (!cell || g->banned[edges[i].move]) continue;
        const struct yo_guided_node *child = yo_guided_node(tree, cell);
        double n = yo_guided_edge_visits(tree, &edges[i]);
        float u = sign * yo_guided_get(&child->mean.utility);
        if (n > lead.first) {
            lead.second = lead.first;
            value[1] = value[0];
            lead.first = n;
            value[0] = u;
        } else if (n > lead.second) {
            lead.second = n;
            value[1] = u;
        }
    }
    lead.second_is_better = lead.second > 0 && value[1] > value[0];
    return lead;
}

static bool is_over_by_clock(const struct yo_guided *g) {
    if (!yo_search_clock_end(g->clock)) return false;
    struct yo_search_progress progress = {
        .clock = g->clock,
        .start_ms = g->start_ms,
        .made = (double)atomic_load_explicit(&g->finished, memory_order_relaxed),
        .only_visits = ONLY_VISITS,
        .whole = g->limits->whole,
        .by_value = true};
    struct yo_search_lead lead = lead_of(g);
    return yo_search_is_over_by_clock(&progress, &lead);
}

/* Is the best move proven? Not if a move that proves the root may be one that the limits exclude.
 */
static bool is_solved(const struct yo_guided *g, const struct yo_guided_node *root) {
    if (g->limits->whole || g->limits->only || g->limits->avoid_count) return false;
    return yo_guided_solved(root) != YO_GUIDED_UNSOLVED;
}

static bool has_ended(const struct yo_guided *g) {
    const struct yo_guided_node *root = yo_guided_node(&g->search.tree, g->search.tree.root);
    return yo_guided_visits(root) >= VISITS_MAX || is_solved(g, root);
}

static bool must_end(const struct yo_guided *g) {
    bool stopped = g->stop && atomic_load_explicit(g->stop, memory_order_relaxed);
    return stopped || is_over_by_clock(g);
}

bool guided_is_over(const struct yo_guided *g) {
    return atomic_load_explicit(&g->over, memory_order_relaxed);
}

void guided_look_around(struct yo_guided *g) {
    if (must_end(g)) {
        atomic_store(&g->cut, true);
        atomic_store(&g->over, true);
    }
    if (has_ended(g)) atomic_store(&g->over, true);
    if (!guided_is_over(g)) guided_share(g, false);
    if (!g->report || yo_time_ms() - g->reported_ms < REPORT_MS) return;
    struct yo_search_result so_far;
    guided_fill_result(g, &so_far);
    g->report(g->user, &so_far);
    g->reported_ms = yo_time_ms();
}

void guided_fail(struct yo_guided *g, enum yo_err err, const struct yo_diag *diag) {
    if (!atomic_exchange(&g->failed, true)) {
        g->err = err;
        g->diag = *diag;
    }
    atomic_store(&g->over, true);
}
