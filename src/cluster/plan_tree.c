#include "cluster/plan_tree.h"

#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"

/* ---- values ---- */

enum { MATE_SCORE = 1000000, CENTIPAWNS_MOST = 900000 };

int yo_plan_score(const struct yo_plan_value *v) {
    if (v->mate > 0) return MATE_SCORE - v->mate;
    if (v->mate < 0) return -MATE_SCORE - v->mate;
    return v->centipawns > CENTIPAWNS_MOST    ? CENTIPAWNS_MOST
           : v->centipawns < -CENTIPAWNS_MOST ? -CENTIPAWNS_MOST
                                              : v->centipawns;
}

int yo_plan_sure_score(const struct yo_plan *plan, const struct plan_node *node,
                       const struct yo_plan_value *v) {
    int lacks = node->deepest - v->depth;
    bool sure = v->mate || lacks <= 0 || v->depth == PLAN_DEPTH_FINAL;
    return yo_plan_score(v) - (sure ? 0 : plan->config.discount * (lacks < 8 ? lacks : 8));
}

bool yo_plan_as_deep(const struct yo_plan_value *a, const struct yo_plan_value *b) {
    return a->depth != b->depth ? a->depth > b->depth : a->nodes >= b->nodes;
}

/* The value of a position for the side that moved there. */
static struct yo_plan_value lift(struct yo_plan_value v) {
    v.centipawns = -v.centipawns;
    v.mate = v.mate > 0 ? -v.mate - 1 : v.mate < 0 ? -v.mate + 1 : 0;
    if (v.depth > 0) v.depth++;
    return v;
}

/* A child's value counts when all its moves are covered: the best of a few would be too low for the
 * side to move there. A deeper search of the move, or one that found another move better, overrules
 * it. */
bool yo_plan_edge_value(const struct yo_plan *plan, const struct plan_edge *edge,
                        struct yo_plan_value *value, bool *through_child) {
    const struct plan_node *child = edge->child == PLAN_NONE ? NULL : &plan->nodes[edge->child];
    bool own = edge->own.any && !edge->own.upper, down = child && child->known;
    if (own) *value = edge->own.value;
    struct yo_plan_value lifted = down ? lift(child->value) : (struct yo_plan_value){0};
    if (own && down) down = !edge->final && child->complete && yo_plan_as_deep(&lifted, value);
    if (down && edge->own.any && edge->own.upper && yo_plan_as_deep(&edge->own.value, &lifted))
        down = yo_plan_score(&lifted) <= yo_plan_score(&edge->own.value);
    if (down) *value = lifted;
    if (through_child) *through_child = down;
    return own || down;
}

static int find_deepest(const struct yo_plan *plan, const struct plan_node *node) {
    int deepest = 0;
    for (uint32_t i = 0; i < node->count; i++) {
        struct yo_plan_value value;
        if (!node->edges[i].barred && yo_plan_edge_value(plan, &node->edges[i], &value, NULL) &&
            value.depth > deepest && value.depth < PLAN_DEPTH_FINAL)
            deepest = value.depth;
    }
    return deepest;
}

/* The best edge; whether all are covered. */
static void evaluate(struct yo_plan *plan, struct plan_node *node) {
    if (node->count == 0) return; /* the game is over: open() has set the value */
    node->deepest = find_deepest(plan, node);
    node->known = false;
    node->complete = true;
    int most = 0;
    for (uint32_t i = 0; i < node->count; i++) {
        struct yo_plan_value value;
        if (node->edges[i].barred) continue;
        if (!yo_plan_edge_value(plan, &node->edges[i], &value, NULL)) {
            if (!node->edges[i].own.any) node->complete = false;
            continue;
        }
        int score = yo_plan_sure_score(plan, node, &value);
        if (node->known && score <= most) continue;
        node->known = true;
        node->best = i;
        node->value = value;
        most = score;
    }
}

void yo_plan_back_up(struct yo_plan *plan, uint32_t at) {
    for (; at != PLAN_NONE; at = plan->nodes[at].parent)
        evaluate(plan, &plan->nodes[at]);
}

/* ---- nodes ---- */

uint32_t yo_plan_edge_of(const struct plan_node *node, yo_move move) {
    for (uint32_t i = 0; i < node->count; i++)
        if (node->edges[i].move == move) return i;
    return PLAN_NONE;
}

uint32_t yo_plan_node_at(const struct yo_plan *plan, const yo_move *path, size_t count) {
    uint32_t at = PLAN_ROOT;
    for (size_t i = 0; i < count && at != PLAN_NONE; i++) {
        uint32_t edge = yo_plan_edge_of(&plan->nodes[at], path[i]);
        at = edge == PLAN_NONE ? PLAN_NONE : plan->nodes[at].edges[edge].child;
    }
    return at;
}

static void free_node(struct plan_node *node) {
    yo_free_aligned(node->position);
    yo_free(node->edges);
    yo_free(node->rank);
    *node = (struct plan_node){0};
}

/* The value of a game that is over, for the side to move. */
static struct yo_plan_value final_value(enum yo_outcome outcome, int side, int64_t now_ms) {
    struct yo_plan_value value = {.depth = PLAN_DEPTH_FINAL, .at_ms = now_ms};
    /* A position without moves and without a result is a draw, too. */
    if (outcome == YO_OUTCOME_FIRST || outcome == YO_OUTCOME_SECOND)
        value.mate = (outcome == YO_OUTCOME_FIRST) == (side == 0) ? 1 : -1;
    return value;
}

/* Fills in a node whose position is set. */
static enum yo_err fill(struct yo_plan *plan, struct plan_node *node, struct yo_diag *diag) {
    const struct yo_game_ops *ops = plan->ops;
    node->live = true;
    node->begun_ms = -1;
    node->parent = PLAN_NONE;
    node->count = ops->moves(node->position, plan->moves);
    size_t room = node->count ? node->count : 1;
    node->edges = yo_alloc(room, sizeof *node->edges);
    node->rank = yo_alloc(room, sizeof *node->rank);
    if (!node->edges || !node->rank)
        return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for the master's tree");
    for (uint32_t i = 0; i < node->count; i++) {
        node->edges[i] =
            (struct plan_edge){.move = plan->moves[i], .likely = -(double)i, .child = PLAN_NONE};
        node->rank[i] = i;
    }
    if (node->count > 0) return YO_OK;
    node->settled = node->known = node->complete = true;
    node->value =
        final_value(ops->outcome(node->position), ops->side_to_move(node->position), plan->now_ms);
    return YO_OK;
}

void yo_plan_order(struct yo_plan *plan, struct plan_node *node) {
    if (node->ordered || !plan->config.order || node->count == 0) return;
    node->ordered = true;
    for (size_t i = 0; i < node->count; i++) {
        plan->moves[i] = node->edges[i].move;
        plan->likely[i] = node->edges[i].likely;
    }
    plan->config.order(plan->config.user, node->position, plan->moves, node->count, plan->likely);
    for (size_t i = 0; i < node->count; i++)
        node->edges[i].likely = plan->likely[i];
}

static enum yo_err new_node(struct yo_plan *plan, const void *position, uint32_t *out,
                            struct yo_diag *diag) {
    uint32_t at = 0;
    while (at < plan->node_count && plan->nodes[at].live)
        at++;
    if (at == plan->node_cap) {
        size_t cap = plan->node_cap ? 2 * plan->node_cap : 64;
        struct plan_node *nodes = yo_realloc(plan->nodes, cap, sizeof *nodes);
        if (!nodes) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for the master's tree");
        plan->nodes = nodes;
        plan->node_cap = cap;
    }
    struct plan_node node = {.position = yo_alloc_aligned(plan->ops->position_size)};
    enum yo_err err = YO_ERR_NOMEM;
    if (node.position) {
        memcpy(node.position, position, plan->ops->position_size);
        err = fill(plan, &node, diag);
    } else {
        yo_diag_set(diag, err, "no memory for the master's tree");
    }
    if (err) {
        free_node(&node);
        return err;
    }
    if (at == plan->node_count) plan->node_count++;
    plan->live_count++;
    plan->nodes[at] = node;
    *out = at;
    return YO_OK;
}

enum yo_err yo_plan_open_root(struct yo_plan *plan, const void *game, struct yo_diag *diag) {
    uint32_t root;
    plan->ops->from_game(game, plan->scratch);
    enum yo_err err = new_node(plan, plan->scratch, &root, diag);
    if (err) return err;
    plan->mark = plan->ops->mark(game);
    yo_plan_order(plan, &plan->nodes[root]);
    return YO_OK;
}

enum yo_err yo_plan_open(struct yo_plan *plan, uint32_t parent, uint32_t edge,
                         struct yo_diag *diag) {
    uint32_t child;
    if (plan->nodes[parent].edges[edge].child != PLAN_NONE) return YO_OK;
    memcpy(plan->scratch, plan->nodes[parent].position, plan->ops->position_size);
    plan->ops->play(plan->scratch, plan->nodes[parent].edges[edge].move);
    enum yo_err err = new_node(plan, plan->scratch, &child, diag);
    if (err) return err;
    struct plan_edge *e = &plan->nodes[parent].edges[edge];
    struct plan_node *node = &plan->nodes[child];
    node->parent = parent;
    node->parent_edge = edge;
    node->depth = plan->nodes[parent].depth + 1;
    e->child = child;
    if (node->settled) {
        e->final = plan->met_end = true;
        e->own = (struct plan_known){
            .any = true, .value = lift(node->value), .pv = {e->move}, .pv_count = 1};
        yo_plan_back_up(plan, parent);
    }
    return YO_OK;
}

void yo_plan_close(struct yo_plan *plan, uint32_t at) {
    struct plan_node *node = &plan->nodes[at];
    for (size_t i = 0; i < node->count; i++)
        if (node->edges[i].child != PLAN_NONE) yo_plan_close(plan, node->edges[i].child);
    if (node->parent != PLAN_NONE) {
        struct plan_edge *e = &plan->nodes[node->parent].edges[node->parent_edge];
        struct yo_plan_value value;
        bool down = false;
        if (yo_plan_edge_value(plan, e, &value, &down) && down) {
            const struct plan_edge *best = &node->edges[node->best];
            e->own = (struct plan_known){.any = true, .value = value, .pv = {e->move}};
            e->own.pv_count = 1;
            for (size_t i = 0; i < best->own.pv_count && e->own.pv_count < PLAN_PV_MAX; i++)
                e->own.pv[e->own.pv_count++] = best->own.pv[i];
        }
        e->child = PLAN_NONE;
    }
    free_node(node);
    plan->live_count--;
}

/* ---- the game goes on ---- */

/* The positions below a node, whose own is right. The old ones point into a game that has
 * changed. */
static void replay(struct yo_plan *plan, uint32_t at) {
    struct plan_node *node = &plan->nodes[at];
    for (size_t i = 0; i < node->count; i++) {
        if (node->edges[i].child == PLAN_NONE) continue;
        struct plan_node *child = &plan->nodes[node->edges[i].child];
        memcpy(child->position, node->position, plan->ops->position_size);
        plan->ops->play(child->position, node->edges[i].move);
        child->depth = node->depth + 1;
        replay(plan, node->edges[i].child);
    }
}

/* The root has index 0: the node moves there. */
void yo_plan_reroot(struct yo_plan *plan, uint32_t at) {
    if (at != PLAN_ROOT) {
        struct plan_node kept = plan->nodes[at];
        plan->nodes[kept.parent].edges[kept.parent_edge].child = PLAN_NONE;
        plan->nodes[at] = (struct plan_node){0};
        yo_plan_close(plan, PLAN_ROOT);
        plan->nodes[PLAN_ROOT] = kept;
        for (size_t i = 0; i < kept.count; i++)
            if (kept.edges[i].child != PLAN_NONE) plan->nodes[kept.edges[i].child].parent = 0;
    }
    struct plan_node *root = &plan->nodes[PLAN_ROOT];
    root->parent = PLAN_NONE;
    root->depth = 0;
    memcpy(root->position, plan->scratch, plan->ops->position_size);
    replay(plan, PLAN_ROOT);
    yo_plan_order(plan, root);
}

static bool has_child(const struct plan_node *node) {
    for (size_t i = 0; i < node->count; i++)
        if (node->edges[i].child != PLAN_NONE) return true;
    return false;
}

void yo_plan_shrink(struct yo_plan *plan) {
    bool closed = true;
    while (closed && plan->live_count > plan->config.node_limit) {
        closed = false;
        for (size_t i = plan->node_count; i-- > 1 && plan->live_count > plan->config.node_limit;) {
            struct plan_node *node = &plan->nodes[i];
            if (!node->live || node->wanted || has_child(node)) continue;
            yo_plan_close(plan, (uint32_t)i);
            closed = true;
        }
    }
}
