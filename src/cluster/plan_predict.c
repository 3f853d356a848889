/* Kaneko's Assign and Recommend ("Parallel execution of game-tree search based on prediction of the
 * best move", GPW 2010, in Japanese). Both give jobs to a number of workers; which worker gets
 * which is decided afterwards.
 *
 * Assign: one worker searches the node. More are split among the likeliest moves and one worker for
 * all other moves. Recommend: before a node is split for the first time, its workers search one
 * move each for a short time, and the values put the moves in order. Where every likely move gets
 * one worker the two are the same, so nothing is recommended there. */
#include <math.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "cluster/plan_tree.h"

/* A node below this depth would not fit into a job's path. */
#define DEPTH_MOST (YO_PLAN_PATH_MAX - 2)
/* A plan that leans gives a move no less than this many halvings of the best one's share. */
#define LEAN_MOST 4.0

/* ---- the order of moves ---- */

/* Nothing to search there: not allowed, over, searched to the end, or a mate is known. */
static bool is_closed(const struct yo_plan *plan, const struct plan_edge *edge) {
    struct yo_plan_value value;
    if (edge->barred || edge->final || edge->settled) return true;
    if (edge->child != PLAN_NONE && plan->nodes[edge->child].settled) return true;
    return yo_plan_edge_value(plan, edge, &value, NULL) && value.mate != 0;
}

static bool is_before(const struct yo_plan *plan, const struct plan_node *node,
                      const struct plan_edge *a, const struct plan_edge *b) {
    struct yo_plan_value va, vb;
    bool known_a = yo_plan_edge_value(plan, a, &va, NULL),
         known_b = yo_plan_edge_value(plan, b, &vb, NULL);
    if (known_a != known_b) return known_a;
    if (known_a) {
        int score_a = yo_plan_sure_score(plan, node, &va),
            score_b = yo_plan_sure_score(plan, node, &vb);
        if (score_a != score_b) return score_a > score_b;
    }
    return a->likely > b->likely;
}

/* By insertion: it keeps the order of equal moves, and the old order is nearly the new one. */
void yo_plan_rank(const struct yo_plan *plan, const struct plan_node *node, uint32_t *rank) {
    for (size_t i = 1; i < node->count; i++) {
        uint32_t edge = rank[i];
        size_t k = i;
        for (; k > 0 && is_before(plan, node, &node->edges[edge], &node->edges[rank[k - 1]]); k--)
            rank[k] = rank[k - 1];
        rank[k] = edge;
    }
}

static size_t count_open(const struct yo_plan *plan, const struct plan_node *node) {
    size_t open = 0;
    for (size_t i = 0; i < node->count; i++)
        open += !is_closed(plan, &node->edges[i]);
    return open;
}

/* ---- the chosen moves of a node ---- */

static bool is_chosen(const struct plan_node *node, uint32_t edge) {
    for (size_t i = 0; i < node->chosen_count; i++)
        if (node->chosen[i] == edge) return true;
    return false;
}

static void drop_closed(const struct yo_plan *plan, struct plan_node *node) {
    size_t kept = 0;
    for (size_t i = 0; i < node->chosen_count; i++)
        if (!is_closed(plan, &node->edges[node->chosen[i]])) node->chosen[kept++] = node->chosen[i];
    node->chosen_count = kept;
}

/* The chosen move that stands last in the order. */
static size_t find_last(const struct plan_node *node) {
    for (size_t r = node->count; r-- > 0;)
        for (size_t i = 0; i < node->chosen_count; i++)
            if (node->chosen[i] == node->rank[r]) return i;
    return 0;
}

/* Is it so much better that workers have to leave what they search? */
static bool is_clearly_better(const struct yo_plan *plan, const struct plan_node *node,
                              uint32_t edge, uint32_t than) {
    struct yo_plan_value a, b;
    if (!yo_plan_edge_value(plan, &node->edges[edge], &a, NULL)) return false;
    if (!yo_plan_edge_value(plan, &node->edges[than], &b, NULL)) return true;
    return yo_plan_sure_score(plan, node, &a) >
           yo_plan_sure_score(plan, node, &b) + plan->config.margin;
}

/* The first `width` moves of the order, except that a chosen move stays until another is clearly
 * better. */
static void choose(const struct yo_plan *plan, struct plan_node *node, size_t width) {
    drop_closed(plan, node);
    yo_plan_rank(plan, node, node->rank);
    while (node->chosen_count > width) {
        size_t last = find_last(node);
        node->chosen[last] = node->chosen[--node->chosen_count];
    }
    for (size_t r = 0; r < node->count; r++) {
        uint32_t edge = node->rank[r];
        if (is_closed(plan, &node->edges[edge]) || is_chosen(node, edge)) continue;
        if (node->chosen_count < width) {
            node->chosen[node->chosen_count++] = edge;
            continue;
        }
        size_t last = find_last(node);
        if (!is_clearly_better(plan, node, edge, node->chosen[last])) break;
        node->chosen[last] = edge;
    }
}

/* Best first: the larger part of the workers goes to the better move. A move stays in front until
 * another is clearly better. */
static void sort_chosen(const struct yo_plan *plan, struct plan_node *node) {
    for (size_t i = 1; i < node->chosen_count; i++)
        for (size_t k = i; k > 0; k--) {
            uint32_t *pair = &node->chosen[k - 1];
            if (!is_clearly_better(plan, node, pair[1], pair[0])) break;
            uint32_t swapped = pair[0];
            pair[0] = pair[1];
            pair[1] = swapped;
        }
}

/* ---- jobs ---- */

static enum yo_err assign(struct yo_plan *plan, uint32_t at, size_t workers,
                          enum yo_plan_purpose purpose, struct yo_diag *diag);

/* One worker for the open moves that are not among the `taken`. */
static enum yo_err want_rest(struct yo_plan *plan, uint32_t at, const uint32_t *taken, size_t count,
                             enum yo_plan_purpose purpose, struct yo_diag *diag) {
    enum yo_err err = yo_plan_want(plan, at, purpose, diag);
    const struct plan_node *node = &plan->nodes[at];
    for (uint32_t i = 0; !err && i < node->count; i++) {
        bool rest = !is_closed(plan, &node->edges[i]);
        for (size_t k = 0; rest && k < count; k++)
            rest = taken[k] != i;
        if (rest) err = yo_plan_want_only(plan, node->edges[i].move, diag);
    }
    return err;
}

/* Workers for a child; those that it cannot use are left over. */
static enum yo_err descend(struct yo_plan *plan, uint32_t at, uint32_t edge, size_t workers,
                           enum yo_plan_purpose purpose, struct yo_diag *diag) {
    enum yo_err err = yo_plan_open(plan, at, edge, diag);
    if (err) return err;
    return assign(plan, plan->nodes[at].edges[edge].child, workers, purpose, diag);
}

/* The open edges of a node in its order; returns how many. */
static size_t list_open(const struct yo_plan *plan, const struct plan_node *node, uint32_t *list) {
    size_t open = 0;
    for (size_t r = 0; r < node->count; r++)
        if (!is_closed(plan, &node->edges[node->rank[r]])) list[open++] = node->rank[r];
    return open;
}

/* Opens the children of the first `count` of these edges. False if one of them is over, which
 * changes the order. */
static bool open_all(struct yo_plan *plan, uint32_t at, const uint32_t *edges, size_t count,
                     enum yo_err *err, struct yo_diag *diag) {
    for (size_t i = 0; !*err && i < count; i++) {
        *err = yo_plan_open(plan, at, edges[i], diag);
        if (!*err && is_closed(plan, &plan->nodes[at].edges[edges[i]])) return false;
    }
    return true;
}

/* Recommend: a worker for each of the first moves of the frozen order, one for all others. If there
 * are more workers than moves, the first moves get more. */
static enum yo_err recommend(struct yo_plan *plan, uint32_t at, size_t workers,
                             struct yo_diag *diag) {
    const struct plan_node *node = &plan->nodes[at];
    uint32_t *list = yo_alloc(node->count, sizeof *list);
    if (!list) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for a plan");
    enum yo_err err = YO_OK;
    size_t open, single;
    do {
        open = list_open(plan, &plan->nodes[at], list);
        single = open <= workers ? open : workers - 1;
    } while (!open_all(plan, at, list, single, &err, diag));
    for (size_t i = 0; !err && i < single; i++) {
        size_t share = single < open ? 1 : workers / single + (i < workers % single);
        err = descend(plan, at, list[i], share, YO_PLAN_CANDIDATE, diag);
    }
    if (!err && single < open) err = want_rest(plan, at, list, single, YO_PLAN_CANDIDATE, diag);
    yo_free(list);
    return err;
}

/* How many of the workers each chosen move gets, at least one if there are enough. Even shares, or,
 * if the plan leans, shares that are halved with every `lean` centipawns behind the best. */
static void share_out(const struct yo_plan *plan, uint32_t at, const uint32_t *chosen, size_t count,
                      size_t workers, size_t *shares) {
    const struct plan_node *node = &plan->nodes[at];
    double weights[PLAN_WIDTH_MAX], sum = 0;
    struct yo_plan_value best, value;
    bool leans = plan->config.lean > 0 && workers > count &&
                 yo_plan_edge_value(plan, &node->edges[chosen[0]], &best, NULL);
    for (size_t i = 0; i < count; i++) {
        double behind = LEAN_MOST; /* nothing is known of the move */
        weights[i] = 1;
        if (leans && yo_plan_edge_value(plan, &node->edges[chosen[i]], &value, NULL))
            behind = (double)(yo_plan_score(&best) - yo_plan_score(&value)) / plan->config.lean;
        if (leans) weights[i] = exp2(-fmin(fmax(behind, 0), LEAN_MOST));
        sum += weights[i];
    }
    size_t left = workers;
    for (size_t i = 0; i < count; i++) {
        size_t others = count - 1 - i;
        size_t share = leans ? (size_t)((double)left * weights[i] / sum + 0.5)
                             : left / (others + 1) + (left % (others + 1) != 0);
        if (share + others > left) share = left > others ? left - others : 0;
        shares[i] = i + 1 == count ? left : share > 0 || left == 0 ? share : 1;
        left -= shares[i];
        sum -= weights[i];
    }
}

/* Assign, once the order is known. */
static enum yo_err divide(struct yo_plan *plan, uint32_t at, size_t workers, struct yo_diag *diag) {
    const struct yo_plan_config *c = &plan->config;
    size_t open = count_open(plan, &plan->nodes[at]);
    size_t width = workers <= c->leaf_width + 1 ? workers - 1 : c->width;
    if (width > open) width = open;
    enum yo_err err = YO_OK;
    /* Workers were taken away in mid-recommendation: if they come back, it begins anew. */
    plan->nodes[at].begun_ms = -1;
    uint32_t chosen[PLAN_WIDTH_MAX]; /* a copy: nodes move when one is added */
    size_t count;
    do {
        struct plan_node *node = &plan->nodes[at];
        choose(plan, node, width);
        sort_chosen(plan, node);
        count = node->chosen_count;
        for (size_t i = 0; i < count; i++)
            chosen[i] = node->chosen[i];
    } while (!open_all(plan, at, chosen, count, &err, diag));
    bool rest = count < count_open(plan, &plan->nodes[at]);
    size_t shares[PLAN_WIDTH_MAX];
    share_out(plan, at, chosen, count, workers - rest, shares);
    for (size_t i = 0; !err && i < count; i++)
        if (shares[i] > 0) err = descend(plan, at, chosen[i], shares[i], YO_PLAN_LINE, diag);
    if (!err && rest) err = want_rest(plan, at, chosen, count, YO_PLAN_REST, diag);
    return err;
}

/* Starts a recommendation if there was none. True while it runs. */
static bool is_recommending(struct yo_plan *plan, struct plan_node *node) {
    if (node->recommended) return false;
    if (node->begun_ms < 0) {
        yo_plan_rank(plan, node, node->rank);
        node->begun_ms = plan->now_ms;
    }
    int64_t end = node->begun_ms + plan->config.recommend_ms;
    node->recommended = plan->now_ms >= end;
    if (!node->recommended && (plan->again_ms < 0 || end < plan->again_ms)) plan->again_ms = end;
    return !node->recommended;
}

static enum yo_err assign(struct yo_plan *plan, uint32_t at, size_t workers,
                          enum yo_plan_purpose purpose, struct yo_diag *diag) {
    struct plan_node *node = &plan->nodes[at];
    if (node->settled) return YO_OK;
    size_t open = count_open(plan, node);
    if (open == 0) return YO_OK;
    if (workers == 1 || node->depth >= DEPTH_MOST) return yo_plan_want_all(plan, at, purpose, diag);
    if (open == 1) {
        for (uint32_t i = 0; i < node->count; i++)
            if (!is_closed(plan, &node->edges[i]))
                return descend(plan, at, i, workers, purpose, diag);
    }
    yo_plan_order(plan, node);
    bool leaf = workers <= plan->config.leaf_width + 1;
    if (!leaf && is_recommending(plan, node)) return recommend(plan, at, workers, diag);
    return divide(plan, at, workers, diag);
}

enum yo_err yo_plan_predict(struct yo_plan *plan, size_t workers, struct yo_diag *diag) {
    const struct plan_node *root = &plan->nodes[PLAN_ROOT];
    bool won = root->known && root->value.mate > 0;
    if (workers == 0 || won || count_open(plan, root) == 0) return YO_OK;
    enum yo_err err = YO_OK;
    for (size_t i = 0; !err && i < plan->roots; i++)
        err = yo_plan_want_all(plan, PLAN_ROOT, YO_PLAN_WHOLE, diag);
    if (err || plan->roots >= workers) return err;
    return assign(plan, PLAN_ROOT, workers - plan->roots, YO_PLAN_LINE, diag);
}
