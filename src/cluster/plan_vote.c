/* Workers that search the whole root: their votes, and the sum of their statistics. Each worker's
 * latest report replaces its earlier one, so lost and repeated messages do no harm. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "cluster/plan_tree.h"

/* ---- ballots ---- */

/* Do the answers of the deepest searches count? */
static bool counts_depth(const struct yo_plan *plan) {
    return plan->config.strategy == YO_PLAN_EXCHANGE ||
           (plan->config.strategy == YO_PLAN_PREDICT && plan->roots > 0);
}

/* Is that so at times? The master's own look comes before the first plan, and outlives it. */
static bool may_count_depth(const struct yo_plan *plan) {
    return plan->config.strategy == YO_PLAN_EXCHANGE || plan->config.strategy == YO_PLAN_PREDICT;
}

static bool is_voting(const struct yo_plan *plan) {
    enum yo_plan_strategy strategy = plan->config.strategy;
    return strategy == YO_PLAN_MAJORITY || strategy == YO_PLAN_OPTIMISTIC ||
           strategy == YO_PLAN_SHARE || counts_depth(plan);
}

static void free_ballot(struct plan_ballot *ballot) {
    yo_free(ballot->visits);
    yo_free(ballot->winrates);
}

static struct plan_ballot *find(struct yo_plan *plan, uint32_t worker) {
    for (size_t i = 0; i < plan->ballot_count; i++)
        if (plan->ballots[i].worker == worker) return &plan->ballots[i];
    return NULL;
}

static struct plan_ballot *add(struct yo_plan *plan, uint32_t worker) {
    if (plan->ballot_count == plan->ballot_cap) {
        size_t cap = plan->ballot_cap ? 2 * plan->ballot_cap : 16;
        struct plan_ballot *ballots = yo_realloc(plan->ballots, cap, sizeof *ballots);
        if (!ballots) return NULL;
        plan->ballots = ballots;
        plan->ballot_cap = cap;
    }
    size_t moves = plan->nodes[PLAN_ROOT].count;
    struct plan_ballot ballot = {.worker = worker,
                                 .visits = yo_alloc(moves, sizeof *ballot.visits),
                                 .winrates = yo_alloc(moves, sizeof *ballot.winrates)};
    if (!ballot.visits || !ballot.winrates) {
        free_ballot(&ballot);
        return NULL;
    }
    plan->ballots[plan->ballot_count] = ballot;
    return &plan->ballots[plan->ballot_count++];
}

enum yo_err yo_plan_ballot(struct yo_plan *plan, uint32_t worker,
                           const struct yo_search_result *result, int64_t now_ms,
                           struct yo_diag *diag) {
    bool counts = worker == YO_PLAN_MASTER ? may_count_depth(plan) : is_voting(plan);
    if (!counts || result->first > 0) return YO_OK;
    /* Its best move has failed low: what it will play instead is not known yet. */
    if (counts_depth(plan) && result->moves[0].bound == YO_BOUND_UPPER) return YO_OK;
    const struct plan_node *root = &plan->nodes[PLAN_ROOT];
    struct plan_ballot *ballot = find(plan, worker);
    if (!ballot) ballot = add(plan, worker);
    if (!ballot) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for a worker's vote");
    const struct yo_search_move *best = &result->moves[0];
    ballot->edge = yo_plan_edge_of(root, best->move);
    ballot->value = (struct yo_plan_value){.centipawns = yo_search_centipawns(best),
                                           .mate = best->mate,
                                           .depth = best->depth ? best->depth : result->depth,
                                           .nodes = result->nodes,
                                           .at_ms = now_ms,
                                           .worker = worker};
    for (size_t i = 0; i < root->count; i++)
        ballot->visits[i] = 0;
    for (size_t i = 0; i < result->move_count; i++) {
        uint32_t edge = yo_plan_edge_of(root, result->moves[i].move);
        ballot->visits[edge] = result->moves[i].visits;
        ballot->winrates[edge] = result->moves[i].winrate_to_move;
    }
    return YO_OK;
}

void yo_plan_forget(struct yo_plan *plan, uint32_t worker) {
    struct plan_ballot *ballot = find(plan, worker);
    if (!ballot) return;
    free_ballot(ballot);
    *ballot = plan->ballots[--plan->ballot_count];
}

void yo_plan_ballots_clear(struct yo_plan *plan) {
    for (size_t i = 0; i < plan->ballot_count; i++)
        free_ballot(&plan->ballots[i]);
    plan->ballot_count = 0;
}

/* ---- votes ---- */

/* Does the answer `a` count more than `b`, by what is behind it? 0: as much. A mate is a proof at
 * any depth. */
static int compare_depth(const struct yo_plan_value *a, const struct yo_plan_value *b) {
    if (a->mate > 0 || b->mate > 0) return yo_plan_score(a) - yo_plan_score(b);
    return a->depth - b->depth;
}

static struct yo_plan_value value_of(const struct yo_search_move *m) {
    return (struct yo_plan_value){.centipawns = m->centipawns, .mate = m->mate, .depth = m->depth};
}

/* `visits` has the votes while they are counted. */
static bool wins(const struct yo_plan *plan, const struct yo_search_move *a,
                 const struct yo_search_move *b) {
    struct yo_plan_value va = value_of(a), vb = value_of(b);
    int by_depth = counts_depth(plan) ? compare_depth(&va, &vb) : 0;
    if (by_depth) return by_depth > 0;
    int by_votes = a->visits == b->visits ? 0 : a->visits > b->visits ? 1 : -1;
    int by_value = yo_plan_score(&va) - yo_plan_score(&vb);
    bool majority = plan->config.strategy == YO_PLAN_MAJORITY;
    int first = majority ? by_votes : by_value, then = majority ? by_value : by_votes;
    return first ? first > 0 : then ? then > 0 : a->move < b->move;
}

/* One more vote for a move; its value is the highest that a voter reports. */
static void count_vote(struct yo_search_move *m, const struct plan_ballot *ballot, bool by_depth) {
    struct yo_plan_value so_far = value_of(m);
    int deeper = by_depth ? compare_depth(&ballot->value, &so_far) : 0;
    if (m->visits == 0 || deeper > 0 ||
        (!deeper && yo_plan_score(&ballot->value) > yo_plan_score(&so_far))) {
        m->centipawns = ballot->value.centipawns;
        m->mate = ballot->value.mate;
        m->depth = ballot->value.depth;
    }
    m->visits++;
}

/* Ballots come in any order: the sum does not depend on it. The master's own look is the answer
 * until a worker has searched as deep; alone it is part of the tree. */
size_t yo_plan_count_votes(struct yo_plan *plan) {
    const struct plan_node *root = &plan->nodes[PLAN_ROOT];
    size_t count = 0;
    bool tree = plan->config.strategy == YO_PLAN_PREDICT && !counts_depth(plan);
    if (tree || plan->ballot_count == (find(plan, YO_PLAN_MASTER) != NULL)) return 0;
    for (size_t b = 0; b < plan->ballot_count; b++) {
        const struct plan_ballot *ballot = &plan->ballots[b];
        yo_move move = root->edges[ballot->edge].move;
        size_t i = 0;
        while (i < count && plan->results[i].move != move)
            i++;
        if (i == count) plan->results[count++] = (struct yo_search_move){.move = move};
        count_vote(&plan->results[i], ballot, counts_depth(plan));
    }
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k > 0 && wins(plan, &plan->results[k], &plan->results[k - 1]); k--) {
            struct yo_search_move swapped = plan->results[k];
            plan->results[k] = plan->results[k - 1];
            plan->results[k - 1] = swapped;
        }
    return count;
}

/* ---- shared statistics ---- */

/* A proven win is better than any number of visits. */
static int by_visits(const void *a, const void *b) {
    const struct yo_search_move *x = a, *y = b;
    if (x->proven != y->proven) return x->proven ? -1 : 1;
    if (x->mate != y->mate) return x->mate < y->mate ? -1 : 1;
    if (x->visits != y->visits) return x->visits < y->visits ? 1 : -1;
    if (x->winrate_to_move != y->winrate_to_move)
        return x->winrate_to_move < y->winrate_to_move ? 1 : -1;
    return x->move < y->move ? -1 : x->move > y->move;
}

static void take_mate(struct yo_search_move *m, int mate) {
    if (mate <= 0 || (m->mate && m->mate <= mate)) return;
    m->mate = m->depth = mate;
    m->proven = true;
}

/* What the trees of the workers have of a move; from workers that are gone, or the master itself,
 * its last report. False if there is nothing. */
static bool sum_up(const struct yo_plan *plan, size_t move, struct yo_search_move *m) {
    const struct plan_edge *edge = &plan->nodes[PLAN_ROOT].edges[move];
    const struct yo_plan_value *own = &edge->own.value;
    double wins_ = 0;
    *m = (struct yo_search_move){.move = edge->move};
    for (size_t b = 0; b < plan->ballot_count; b++) {
        const struct plan_ballot *ballot = &plan->ballots[b];
        m->visits += ballot->visits[move];
        wins_ += (double)ballot->visits[move] * ballot->winrates[move];
        if (ballot->edge == move) take_mate(m, ballot->value.mate);
    }
    if (plan->ballot_count == 0 && edge->own.any && !edge->own.upper) {
        m->visits = own->nodes;
        wins_ =
            (double)m->visits * (own->mate ? own->mate > 0 : yo_search_winrate_of(own->centipawns));
        if (own->mate < PLAN_PROVEN / 2) take_mate(m, own->mate);
    }
    m->winrate_to_move = m->proven ? 1 : m->visits ? wins_ / (double)m->visits : 0;
    return m->visits > 0 || m->proven;
}

/* A search for a move to play chooses the null move by a judgement of the end, not by its visits:
 * to a network a move in the own territory may be as good. Do most searches choose it? */
static bool is_null_chosen(const struct yo_plan *plan) {
    const struct plan_node *root = &plan->nodes[PLAN_ROOT];
    size_t for_null = 0;
    if (plan->config.whole) return false;
    if (plan->ballot_count == 0) return plan->own_null;
    for (size_t b = 0; b < plan->ballot_count; b++)
        for_null += root->edges[plan->ballots[b].edge].move == plan->ops->move_null;
    return 2 * for_null > plan->ballot_count;
}

static void put_first(struct yo_search_move *moves, size_t count, yo_move move) {
    size_t at = 0;
    while (at < count && moves[at].move != move)
        at++;
    if (at == count) return;
    struct yo_search_move first = moves[at];
    memmove(moves + 1, moves, at * sizeof *moves);
    moves[0] = first;
}

/* A tree with what all have found has been reported by each of them: then the sum is too large by
 * their number. */
size_t yo_plan_sum_shared(struct yo_plan *plan) {
    const struct plan_node *root = &plan->nodes[PLAN_ROOT];
    uint64_t times = plan->merged && plan->ballot_count ? plan->ballot_count : 1;
    size_t count = 0;
    for (size_t i = 0; i < root->count; i++) {
        struct yo_search_move *m = &plan->results[count];
        if (root->edges[i].barred || !sum_up(plan, i, m)) continue;
        m->visits = (m->visits + times - 1) / times;
        count++;
    }
    qsort(plan->results, count, sizeof plan->results[0], by_visits);
    if (is_null_chosen(plan)) put_first(plan->results, count, plan->ops->move_null);
    return count;
}
