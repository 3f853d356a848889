/* One simulation, in steps: down the tree (table 1 of the paper), one node more, a playout, and the
 * result added to every node on the way. */
#include <string.h>

#include "search/uct/internal.h"

static uint32_t clamp16(float x) { return x < 0 ? 0 : x > 65535 ? 65535 : (uint32_t)(x + 0.5f); }

/* ---- one node more ---- */

/* The moves that are to have nodes, and what is known of them. */
static size_t gather(struct uct_worker *w) {
    const struct yo_uct *uct = w->uct;
    size_t count = uct->game->moves(w->position, w->moves), kept = 0;
    memset(w->priors, 0, count * sizeof w->priors[0]);
    if (!uct->priors.judge) return count;
    uct->priors.judge(uct->priors.ctx, w->position, w->moves, count, w->priors);
    for (size_t i = 0; i < count; i++) {
        if (w->priors[i].prune) continue;
        w->moves[kept] = w->moves[i];
        w->priors[kept++] = w->priors[i];
    }
    return kept;
}

/* "Use of the parent's information", section 3.4: the move as it was two moves earlier, when the
 * same side was to move. -1 where it was not looked at. */
static void look_up_grandparent(struct uct_worker *w, size_t depth) {
    size_t count = 0;
    const struct yo_tree *tree = &w->uct->tree;
    const struct yo_node *uncle =
        yo_tree_children(tree, yo_tree_node(tree, w->path[depth - 2]), &count);
    for (size_t i = 0; uncle && i < count; i++, uncle++) {
        unsigned visits = uct_visits(uncle);
        w->grand[uncle->move] = visits ? (float)uct_half_wins(uncle) / (float)visits : -1;
    }
}

/* Insertion keeps moves of equal value in the game's order. */
static void sort(struct uct_worker *w, size_t count, const float *value) {
    for (size_t i = 1; i < count; i++) {
        uint32_t moved = w->order[i];
        size_t at = i;
        for (; at > 0 && value[w->order[at - 1]] < value[moved]; at--)
            w->order[at] = w->order[at - 1];
        w->order[at] = moved;
    }
}

/* Nobody says how likely a move that means nothing is; where it matters it must not come last. */
static float chance_of(const struct uct_worker *w, size_t i, size_t count) {
    bool null = w->moves[i] == w->uct->game->move_null;
    return null ? 1 / (float)count : w->priors[i].chance;
}

/* By the chance that a good player makes the move, so that a search that widens slowly begins with
 * the likely ones; else by what they were worth two moves earlier. */
static void put_in_order(struct uct_worker *w, size_t count, size_t depth) {
    const struct yo_uct_options *options = &w->uct->options;
    bool by_chance = options->widen > 0, by_value = options->order && depth >= 2 && !by_chance;
    for (size_t i = 0; i < count; i++) {
        w->order[i] = (uint32_t)i;
        if (by_value) w->grand[w->moves[i]] = -1;
    }
    if (by_value) look_up_grandparent(w, depth);
    for (size_t i = 0; i < count; i++)
        w->rank[i] = by_chance ? chance_of(w, i, count) : by_value ? w->grand[w->moves[i]] : 0;
    if (by_chance || by_value) sort(w, count, w->rank);
}

static void fill_child(const struct uct_worker *w, struct yo_node *child, uint32_t k) {
    const struct yo_prior *prior = &w->priors[k];
    float factor = w->uct->options.prior;
    child->move = w->moves[k];
    child->chance = prior->chance;
    child->prior_visits = (uint16_t)clamp16(factor * prior->visits);
    child->prior_half_wins = (uint16_t)clamp16(2 * factor * prior->wins);
}

bool yo_uct_expand(struct uct_worker *w, yo_node_index index, size_t depth) {
    struct yo_tree *tree = &w->uct->tree;
    struct yo_node *node = yo_tree_node(tree, index);
    yo_node_index none = YO_NODE_NONE, block = YO_NODE_NONE;
    if (atomic_load_explicit(&tree->full, memory_order_relaxed)) return false;
    if (!atomic_compare_exchange_strong(&node->children, &none, YO_NODE_CLAIMED)) return false;
    size_t count = gather(w);
    if (count > 0) block = yo_tree_alloc(tree, index, count);
    if (block != YO_NODE_NONE) {
        put_in_order(w, count, depth);
        for (size_t i = 0; i < count; i++)
            fill_child(w, yo_tree_node(tree, block + (yo_node_index)i), w->order[i]);
    }
    atomic_store_explicit(&node->children, block, memory_order_release);
    return block != YO_NODE_NONE;
}

/* ---- down ---- */

static void enter(struct uct_worker *w, yo_node_index index) {
    w->path[w->depth] = index;
    w->to_move[w->depth] = (uint8_t)w->uct->game->side_to_move(w->position);
    atomic_fetch_add_explicit(&yo_tree_node(&w->uct->tree, index)->visits, w->uct->pending,
                              memory_order_relaxed);
}

static bool wants_children(const struct yo_uct *uct, const struct yo_node *node) {
    return uct_visits(node) >= uct->pending + uct->options.expand ||
           node == yo_tree_node(&uct->tree, 1);
}

/* To a leaf, or to a node whose result is known. */
void yo_uct_descend(struct uct_worker *w) {
    const struct yo_uct *uct = w->uct;
    memcpy(w->position, uct->position, uct->game->position_size);
    w->depth = 0;
    enter(w, YO_NODE_ROOT);
    while (w->depth < UCT_DEPTH_MAX) {
        struct yo_node *node = yo_tree_node(&uct->tree, w->path[w->depth]);
        if (w->depth > 0 && uct_solved(node)) return;
        size_t count = 0;
        const struct yo_node *children = yo_tree_children(&uct->tree, node, &count);
        if (!children) {
            if (uct->game->outcome(w->position) != YO_OUTCOME_NONE || !wants_children(uct, node) ||
                !yo_uct_expand(w, w->path[w->depth], w->depth))
                return;
            children = yo_tree_children(&uct->tree, node, &count);
        }
        yo_node_index first = (yo_node_index)(children - uct->tree.nodes);
        yo_node_index next = yo_uct_select(uct, node, first, count);
        uct->game->play(w->position, yo_tree_node(&uct->tree, next)->move);
        w->depth++;
        enter(w, next);
    }
}

/* ---- the result of the leaf ---- */

static struct uct_reward reward_of(int score2) {
    return (struct uct_reward){1, score2 > 0 ? 2 : score2 == 0 ? 1 : 0, score2};
}

static unsigned for_mover(const struct uct_worker *w, size_t depth,
                          const struct uct_reward *reward) {
    bool mover_is_first = w->to_move[depth] == 1;
    return mover_is_first ? reward->half_wins_first : 2 * reward->games - reward->half_wins_first;
}

static void add_owner(struct uct_worker *w, const struct yo_rollout *rollout) {
    if (!rollout->owner) return;
    for (size_t i = 0; i < w->uct->cells; i++) {
        int64_t sum = atomic_load_explicit(&w->owner[i], memory_order_relaxed);
        atomic_store_explicit(&w->owner[i], sum + rollout->owner[i], memory_order_relaxed);
    }
    atomic_fetch_add_explicit(&w->rollouts, 1, memory_order_relaxed);
}

/* A node that is solved stands for its result, with the mean score that it has seen. */
static struct uct_reward recall(const struct uct_worker *w, const struct yo_node *node) {
    enum yo_solved solved = uct_solved(node);
    unsigned mover = solved == YO_SOLVED_WIN ? 2 : solved == YO_SOLVED_DRAW ? 1 : 0;
    int64_t visits = uct_visits(node), pending = w->uct->pending;
    int64_t score2 = atomic_load_explicit(&node->score2, memory_order_relaxed);
    score2 /= visits > pending ? visits - pending : 1;
    bool mover_is_first = w->to_move[w->depth] == 1;
    return (struct uct_reward){1, mover_is_first ? mover : 2 - mover,
                               mover_is_first ? score2 : -score2};
}

static enum yo_solved solved_as(unsigned half_wins) {
    static const enum yo_solved as[] = {YO_SOLVED_LOSS, YO_SOLVED_DRAW, YO_SOLVED_WIN};
    return as[half_wins];
}

struct uct_reward yo_uct_evaluate(struct uct_worker *w, uint64_t number,
                                  struct yo_rollout *rollout) {
    struct yo_uct *uct = w->uct;
    struct yo_node *leaf = yo_tree_node(&uct->tree, w->path[w->depth]);
    const struct yo_rollouts *r = &uct->rollouts;
    *rollout = (struct yo_rollout){0};
    if (w->depth > 0 && uct_solved(leaf)) return recall(w, leaf);
    if (uct->game->outcome(w->position) == YO_OUTCOME_NONE) {
        r->ops->play(r->ctx, w->position, uct->options.seed, number, w->scratch, rollout);
    } else if (r->ops->finish(r->ctx, w->position, uct->options.seed, number, w->scratch,
                              rollout) &&
               uct->options.solve && w->depth > 0) {
        struct uct_reward reward = reward_of(rollout->score2);
        atomic_store_explicit(&leaf->solved,
                              (unsigned char)solved_as(for_mover(w, w->depth, &reward)),
                              memory_order_relaxed);
    }
    add_owner(w, rollout);
    return reward_of(rollout->score2);
}

/* ---- up ---- */

static void add_reward(const struct uct_worker *w, size_t depth, const struct uct_reward *reward,
                       unsigned pending) {
    struct yo_node *node = yo_tree_node(&w->uct->tree, w->path[depth]);
    int64_t score2 = w->to_move[depth] == 1 ? reward->score2_first : -reward->score2_first;
    atomic_fetch_add_explicit(&node->half_wins, for_mover(w, depth, reward), memory_order_relaxed);
    atomic_fetch_add_explicit(&node->score2, score2, memory_order_relaxed);
    if (pending != reward->games) /* may wrap, and comes out right */
        atomic_fetch_add_explicit(&node->visits, reward->games - pending, memory_order_relaxed);
}

/* All moves as first: every child that the side to move here played later, before the opponent did,
 * shares in the result. An update that another thread overwrites is one sample lost, which costs
 * less than to lock each. */
static void add_amaf(const struct uct_worker *w, size_t depth, const struct uct_reward *reward) {
    size_t count = 0;
    const struct yo_tree *tree = &w->uct->tree;
    struct yo_node *child = yo_tree_children(tree, yo_tree_node(tree, w->path[depth]), &count);
    int8_t side = (int8_t)w->to_move[depth];
    unsigned first = reward->half_wins_first;
    unsigned half_wins = side == 0 ? first : 2 * reward->games - first;
    uint64_t sample = (uint64_t)reward->games << 32 | half_wins;
    for (size_t i = 0; child && i < count; i++, child++) {
        if (w->first_by[child->move] != side) continue;
        uint64_t amaf = atomic_load_explicit(&child->amaf, memory_order_relaxed);
        atomic_store_explicit(&child->amaf, amaf + sample, memory_order_relaxed);
    }
}

static void note_playout(struct uct_worker *w, const struct yo_rollout *rollout) {
    memset(w->first_by, -1, w->uct->game->move_bound);
    for (size_t i = rollout->move_count; i-- > 0;)
        w->first_by[rollout->moves[i]] = (int8_t)(w->to_move[w->depth] ^ (i & 1));
}

/* A move that wins decides its parent against the side that moved there; when all moves lose, for
 * it. What was left out of the tree does not count. */
static void solve_parent(const struct uct_worker *w, size_t depth) {
    const struct yo_tree *tree = &w->uct->tree;
    const struct yo_node *node = yo_tree_node(tree, w->path[depth]);
    struct yo_node *parent = yo_tree_node(tree, w->path[depth - 1]);
    size_t count = 0;
    unsigned char verdict = YO_SOLVED_LOSS;
    if (uct_solved(node) != YO_SOLVED_WIN) {
        verdict = YO_SOLVED_WIN;
        const struct yo_node *child = yo_tree_children(tree, parent, &count);
        for (size_t i = 0; i < count; i++) {
            enum yo_solved solved = uct_solved(&child[i]);
            if (solved == YO_UNSOLVED || solved == YO_SOLVED_WIN) return;
            if (solved == YO_SOLVED_DRAW) verdict = YO_SOLVED_DRAW;
        }
    }
    atomic_store_explicit(&parent->solved, verdict, memory_order_relaxed);
}

void yo_uct_back_up(struct uct_worker *w, const struct uct_reward *reward,
                    const struct yo_rollout *rollout, unsigned pending) {
    bool amaf = w->uct->options.rave > 0 && rollout;
    yo_move null_move = w->uct->game->move_null;
    if (amaf) note_playout(w, rollout);
    for (size_t depth = w->depth + 1; depth-- > 0;) {
        const struct yo_node *node = yo_tree_node(&w->uct->tree, w->path[depth]);
        if (amaf && null_move != YO_MOVE_NONE) w->first_by[null_move] = -1;
        if (amaf) add_amaf(w, depth, reward);
        add_reward(w, depth, reward, pending);
        if (depth == 0) break;
        if (amaf) w->first_by[node->move] = (int8_t)w->to_move[depth - 1];
        if (depth > 1 && uct_solved(node)) solve_parent(w, depth);
    }
}

void yo_uct_finish(struct uct_worker *w, uint64_t number) {
    struct yo_rollout rollout;
    struct uct_reward reward = yo_uct_evaluate(w, number, &rollout);
    yo_uct_back_up(w, &reward, &rollout, w->uct->pending);
    if (w->details) yo_uct_details_add(w, reward.score2_first, &rollout);
}

void yo_uct_simulate(struct uct_worker *w, uint64_t number) {
    yo_uct_descend(w);
    yo_uct_finish(w, number);
}
