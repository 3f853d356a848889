/* From the root to a leaf: selection, and how the game ends there. */
#include <string.h>

#include "base/random.h"
#include "search/guided/internal.h"

static void enter(const struct yo_guided *g, struct guided_leaf *leaf, yo_cell cell) {
    leaf->path[leaf->depth] = cell;
    struct yo_guided_node *node = yo_guided_node(&g->search.tree, cell);
    atomic_fetch_add_explicit(&node->pending, 1, memory_order_relaxed);
}

/* Positions that several orders of moves lead to have one node. Searches that exchange what they
 * find name nodes by the moves that lead to them, so there each has its own. */
static bool joins(const struct yo_guided *g) {
    return g->search.tree.joins.entries && !yo_share_is_on(&g->share);
}

yo_cell guided_join(struct yo_guided *g, yo_cell fresh, const void *position, yo_move last,
                    size_t depth) {
    if (!joins(g) || !position) return fresh;
    const struct yo_guided_hooks *hooks = &g->hooks;
    uint64_t key = hooks->position_key(hooks->ctx, position, last);
    if (!key) return fresh;
    if (g->search.options.joining == YO_GUIDED_JOIN_SAME && hooks->history_key)
        key = yo_mix64(key) + hooks->history_key(hooks->ctx, position);
    return yo_guided_tree_join(&g->search.tree, fresh, key, depth);
}

yo_cell guided_child_of(struct yo_guided *g, struct yo_guided_node *node,
                        struct yo_guided_edge *edge, unsigned i, const void *position,
                        size_t depth) {
    struct yo_guided_tree *tree = &g->search.tree;
    yo_cell child = yo_guided_child(edge), none = 0;
    if (child) return child;
    child = yo_guided_tree_add(tree, node->to_move ^ 1);
    if (!child) return 0;
    child = guided_join(g, child, position, edge->move, depth);
    if (!atomic_compare_exchange_strong(&edge->child, &none, child)) {
        yo_guided_tree_take_back(tree, child);
        return none;
    }
    unsigned short reach = atomic_load_explicit(&node->reach, memory_order_relaxed);
    while (reach < i + 1 &&
           !atomic_compare_exchange_weak(&node->reach, &reach, (unsigned short)(i + 1))) {
    }
    return child;
}

/* A node has more visits than the edge that leads to it, by other edges: so many are not needed
 * again. The visit counts for the edge alone. */
static bool catches_up(const struct yo_guided *g, yo_cell way) {
    if (!(way & YO_GUIDED_LINK) || !joins(g)) return false;
    struct yo_guided_link *link = yo_guided_link(&g->search.tree, way);
    const struct yo_guided_node *node = yo_guided_node(&g->search.tree, way);
    unsigned most = atomic_load_explicit(&node->visits, memory_order_acquire);
    unsigned visits = atomic_load_explicit(&link->visits, memory_order_relaxed);
    while (visits < most)
        if (atomic_compare_exchange_weak(&link->visits, &visits, visits + 1)) return true;
    return false;
}

/* ---- ends of the game ---- */

/* The end of the game at a node. */
struct ending {
    enum yo_outcome outcome; /* NONE: the game goes on */
    bool proven;
};

/* By the rules, or because a proof was found. */
static struct ending look_for_end(const struct guided_worker *w, const void *position) {
    const struct yo_guided *g = w->g;
    const struct yo_guided_hooks *hooks = &g->hooks;
    struct ending end = {.proven = !hooks->unproven};
    end.outcome = hooks->outcome ? hooks->outcome(hooks->ctx, position, &end.proven)
                                 : g->game->outcome(position);
    if (end.outcome == YO_OUTCOME_NONE && hooks->prove && g->search.options.solve)
        end.outcome = hooks->prove(hooks->ctx, w->index, position, 0);
    return end;
}

static bool finish_value(const struct yo_guided *g, const void *position, enum yo_outcome outcome,
                         struct yo_eval_value *value) {
    if (g->hooks.finish) return g->hooks.finish(g->hooks.ctx, position, g->limits->clean_up, value);
    enum yo_outcome won = g->game->side_to_move(position) ? YO_OUTCOME_SECOND : YO_OUTCOME_FIRST;
    *value = (struct yo_eval_value){.win = outcome == won, .draw = outcome == YO_OUTCOME_DRAW};
    return true;
}

static enum yo_guided_solved solved_as(enum yo_outcome outcome) {
    return outcome == YO_OUTCOME_FIRST    ? YO_GUIDED_FIRST_WINS
           : outcome == YO_OUTCOME_SECOND ? YO_GUIDED_SECOND_WINS
                                          : YO_GUIDED_DRAWN;
}

/* The game ends at this node, which this thread claimed. False: the evaluator gives the value. */
static bool end_here(const struct yo_guided *g, struct yo_guided_node *node, const void *position,
                     const struct ending *end) {
    struct yo_eval_value value;
    if (!finish_value(g, position, end->outcome, &value)) return false;
    guided_value(&g->search, &value, node->to_move, &node->own);
    node->own_weight = 1;
    if (g->search.options.solve && end->proven)
        atomic_store(&node->solved, (unsigned char)solved_as(end->outcome));
    atomic_store_explicit(&node->state, YO_GUIDED_OVER, memory_order_release);
    return true;
}

/* Visits at which a node is looked at again for a proof, and by how much they grow until the next.
 */
enum { PROOF_VISITS = 8, PROOF_GROWTH = 3 /* as a power of two */, PROOFS = 4, LONG_PROOF = 2 };

/* The more often a node was visited, the more a proof of it is worth. */
static void prove_again(struct guided_worker *w, struct yo_guided_node *node,
                        const void *position) {
    const struct yo_guided *g = w->g;
    unsigned number = yo_guided_proofs(node);
    if (number == PROOFS || yo_guided_solved(node) != YO_GUIDED_UNSOLVED) return;
    unsigned due = (unsigned)PROOF_VISITS << PROOF_GROWTH * number;
    if (yo_guided_visits(node) < due || guided_is_over(g)) return;
    if (!yo_guided_claim_proof(node, number)) return;
    w->proved = w->proved || number >= LONG_PROOF;
    enum yo_outcome outcome = g->hooks.prove(g->hooks.ctx, w->index, position, due);
    if (outcome != YO_OUTCOME_NONE) yo_guided_set_proven(node, solved_as(outcome));
}

static enum guided_arrival claim(struct guided_worker *w, struct yo_guided_node *node,
                                 const struct guided_leaf *leaf) {
    unsigned char fresh = YO_GUIDED_FRESH;
    if (!atomic_compare_exchange_strong(&node->state, &fresh, YO_GUIDED_WAITING))
        return GUIDED_BUSY;
    if (leaf->depth == 0) return GUIDED_NEW;
    struct ending end = look_for_end(w, leaf->position);
    if (end.outcome == YO_OUTCOME_NONE) return GUIDED_NEW;
    return end_here(w->g, node, leaf->position, &end) ? GUIDED_OLD : GUIDED_NEW;
}

/* ---- selection ---- */

static unsigned select_edge(struct guided_worker *w, const struct yo_guided_node *node,
                            bool is_root) {
    const struct guided_search *s = &w->g->search;
    if (is_root && s->options.gumbel) return guided_gumbel_select(w->g);
    if (s->options.mode == YO_GUIDED_MCSS) return guided_mcss_select(s, node, is_root, &w->random);
    return guided_select(s, node, is_root);
}

enum guided_arrival guided_descend(struct guided_worker *w, struct guided_leaf *leaf) {
    struct yo_guided *g = w->g;
    struct guided_search *s = &g->search;
    memcpy(leaf->position, g->position, g->game->position_size);
    leaf->depth = 0;
    leaf->caught_up = false;
    leaf->key = 0;
    enter(g, leaf, s->tree.root);
    for (;;) {
        struct yo_guided_node *node = yo_guided_node(&s->tree, leaf->path[leaf->depth]);
        enum yo_guided_state state = yo_guided_state(node);
        if (state == YO_GUIDED_FRESH) {
            enum guided_arrival arrival = claim(w, node, leaf);
            if (arrival != GUIDED_BUSY) return arrival;
            continue;
        }
        if (state == YO_GUIDED_WAITING) return GUIDED_BUSY;
        if (state == YO_GUIDED_OPEN && leaf->depth > 0 && g->hooks.prove && s->options.solve)
            prove_again(w, node, leaf->position);
        bool known =
            leaf->depth > 0 && s->options.solve && yo_guided_solved(node) != YO_GUIDED_UNSOLVED;
        if (state == YO_GUIDED_OVER || known || !node->edges || leaf->depth == GUIDED_DEPTH_MAX)
            return GUIDED_OLD;
        unsigned i = select_edge(w, node, leaf->depth == 0);
        if (i == node->edge_count) return GUIDED_OLD;
        struct yo_guided_edge *edge = &yo_guided_edges(&s->tree, node)[i];
        yo_cell child = yo_guided_child(edge);
        bool is_new = !child;
        if (s->bias &&
            (is_new || yo_guided_state(yo_guided_node(&s->tree, child)) == YO_GUIDED_FRESH))
            leaf->key = g->hooks.surroundings(g->hooks.ctx, leaf->position, edge->move);
        if (is_new) {
            g->game->play(leaf->position, edge->move);
            child = guided_child_of(g, node, edge, i, leaf->position, leaf->depth + 1);
        }
        if (!child) return GUIDED_OLD;
        leaf->caught_up = catches_up(g, child);
        if (leaf->caught_up) {
            leaf->path[++leaf->depth] = child;
            return GUIDED_OLD;
        }
        if (!is_new) g->game->play(leaf->position, edge->move);
        leaf->depth++;
        enter(g, leaf, child);
    }
}
