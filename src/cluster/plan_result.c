/* What is known of the root, in the form of a search's result. */
#include "cluster/plan_tree.h"
#include "search/search.h"

/* The expected line: down the tree along the best moves, then the PV of the last search. */
static size_t follow(const struct yo_plan *plan, const struct plan_edge *edge, yo_move *pv) {
    size_t count = 0;
    while (count < PLAN_PV_MAX) {
        struct yo_plan_value value;
        bool down;
        pv[count++] = edge->move;
        if (!yo_plan_edge_value(plan, edge, &value, &down)) return count;
        const struct plan_node *child = down ? &plan->nodes[edge->child] : NULL;
        if (down && child->count > 0) {
            edge = &child->edges[child->best];
            continue;
        }
        for (size_t i = 1; !down && i < edge->own.pv_count && count < PLAN_PV_MAX; i++)
            pv[count++] = edge->own.pv[i];
        return count;
    }
    return count;
}

/* Winrate and proof follow from the value. */
static void fill_winrate(struct yo_search_move *m) {
    m->proven = m->mate != 0;
    m->winrate_to_move = m->mate ? m->mate > 0 : yo_search_winrate_of(m->centipawns);
    if (m->mate >= PLAN_PROVEN / 2 || m->mate <= -PLAN_PROVEN / 2) m->mate = 0;
    m->lcb_to_move = m->winrate_to_move;
}

static bool is_listed(const struct yo_plan *plan, size_t count, yo_move move) {
    for (size_t i = 0; i < count; i++)
        if (plan->results[i].move == move) return true;
    return false;
}

/* Known values, best first; then, unless `known_only`, bounds and unknown moves by the quick order.
 * `count` moves are listed already. Returns how many there are then. */
static size_t fill_minimax(struct yo_plan *plan, size_t count, bool known_only) {
    const struct plan_node *root = &plan->nodes[PLAN_ROOT];
    size_t listed = count;
    for (size_t i = 0; i < root->count; i++)
        plan->order[i] = root->rank[i];
    yo_plan_rank(plan, root, plan->order);
    for (size_t r = 0; r < root->count; r++) {
        const struct plan_edge *edge = &root->edges[plan->order[r]];
        struct yo_plan_value value = {0};
        if (edge->barred || is_listed(plan, listed, edge->move)) continue;
        bool known = yo_plan_edge_value(plan, edge, &value, NULL);
        if (known_only && !known) continue;
        if (!known && edge->own.any) value = edge->own.value;
        struct yo_search_move *m = &plan->results[count];
        *m = (struct yo_search_move){
            .move = edge->move,
            .centipawns = value.centipawns,
            .mate = value.mate,
            .depth = value.depth,
            .visits = value.nodes,
            .bound = known           ? YO_BOUND_EXACT
                     : edge->own.any ? YO_BOUND_UPPER
                                     : YO_BOUND_UNKNOWN,
            .pv = plan->pvs + count * PLAN_PV_MAX,
        };
        m->pv_count = follow(plan, edge, plan->pvs + count * PLAN_PV_MAX);
        fill_winrate(m);
        count++;
    }
    return count;
}

/* Votes and sums have no line of their own. */
static void add_lines(struct yo_plan *plan, size_t count, bool values) {
    for (size_t i = 0; i < count; i++) {
        struct yo_search_move *m = &plan->results[i];
        const struct plan_node *root = &plan->nodes[PLAN_ROOT];
        m->pv = plan->pvs + i * PLAN_PV_MAX;
        m->pv_count =
            follow(plan, &root->edges[yo_plan_edge_of(root, m->move)], plan->pvs + i * PLAN_PV_MAX);
        if (values) fill_winrate(m);
    }
}

static void finish(struct yo_plan *plan, size_t count, struct yo_search_result *result) {
    *result = (struct yo_search_result){.moves = plan->results, .move_count = count};
    for (size_t i = 0; i < count; i++)
        result->nodes += plan->results[i].visits;
    if (count > 0) result->depth = plan->results[0].depth;
}

void yo_plan_result(struct yo_plan *plan, struct yo_search_result *result) {
    size_t count = 0;
    bool shared = plan->config.strategy == YO_PLAN_SHARE;
    if (shared)
        count = yo_plan_sum_shared(plan);
    else if (plan->config.strategy != YO_PLAN_SPLIT)
        count = yo_plan_count_votes(plan);
    if (count > 0) {
        bool voted = plan->config.strategy == YO_PLAN_MAJORITY ||
                     plan->config.strategy == YO_PLAN_OPTIMISTIC;
        /* The answer is that of the deepest search of the whole root; their further lines, and the
         * tree, have the moves after it, for analysis. */
        if (!shared && !voted) count = 1;
        add_lines(plan, count, !shared);
        if (!shared && !voted) count = fill_minimax(plan, count, true);
    } else {
        count = fill_minimax(plan, 0, false);
    }
    finish(plan, count, result);
}

bool yo_plan_root_value(const struct yo_plan *plan, yo_move move, struct yo_plan_value *value) {
    const struct plan_node *root = &plan->nodes[PLAN_ROOT];
    uint32_t edge = yo_plan_edge_of(root, move);
    return edge != PLAN_NONE && yo_plan_edge_value(plan, &root->edges[edge], value, NULL);
}
