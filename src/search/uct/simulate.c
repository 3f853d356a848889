/* One simulation, in steps: selection (table 1 of the paper), expansion by one node, a playout, and
 * backup of its result along the path. */
#include <string.h>

#include "search/uct/internal.h"

static uint32_t clamp16(float x) { return x < 0 ? 0 : x > 65535 ? 65535 : (uint32_t)(x + 0.5f); }

/* ---- expansion ---- */

/* The moves that get nodes, with their priors. */
static size_t gather(struct uct_worker *w) {
    const struct yo_uct *uct = w->uct;
    size_t count = uct->game->moves(w->position, w->moves), kept = 0;
    memset(w->priors, 0, count * sizeof w->priors[0]);
    if (!uct->priors.estimate) return count;
    uct->priors.estimate(uct->priors.ctx, w->position, w->moves, count, w->priors);
    for (size_t i = 0; i < count; i++) {
        if (w->priors[i].prune) continue;
        w->moves[kept] = w->moves[i];
        w->priors[kept++] = w->priors[i];
    }
    return kept;
}

/* "Use of the parent's information", section 3.4: the value of the move two moves earlier, when the
 * same side was to move. -1 where it was not visited. */
static void look_up_grandparent(struct uct_worker *w, size_t depth) {
    size_t count = 0;
    const struct yo_tree *tree = &w->uct->tree;
    const struct yo_node *uncle =
        yo_tree_children(tree, yo_tree_node(tree, w->path[depth - 2]), &count);
    for (size_t i = 0; uncle && i < count; i++, uncle++) {
        unsigned visits = uct_visits(uncle);
        w->grand[uncle->move] = visits ? (float)uct_value(uncle) / (float)visits : -1;
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

/* The priors have no chance for the null move; it gets the mean one, so that it is not ordered last
 * where it matters. */
static float chance_of(const struct uct_worker *w, size_t i, size_t count) {
    bool null = w->moves[i] == w->uct->game->move_null;
    return null ? 1 / (float)count : w->priors[i].chance;
}

/* By prior probability where the search widens progressively, so that it begins with the likely
 * moves; else by their values two moves earlier. */
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
    yo_node_index block = YO_NODE_NONE;
    if (atomic_load_explicit(&tree->full, memory_order_relaxed)) return false;
    if (!yo_tree_claim(node)) return false;
    size_t count = gather(w);
    if (count > 0) block = yo_tree_alloc(tree, index, count);
    if (block != YO_NODE_NONE) {
        put_in_order(w, count, depth);
        for (size_t i = 0; i < count; i++)
            fill_child(w, yo_tree_node(tree, block + (yo_node_index)i), w->order[i]);
    }
    yo_tree_publish(node, block);
    return block != YO_NODE_NONE;
}

/* ---- selection ---- */

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

/* Descends to a leaf, or to a solved node. */
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

static struct uct_reward reward_of(int64_t score2) {
    int64_t value = score2 > 0 ? YO_VALUE_ONE : score2 == 0 ? YO_VALUE_ONE / 2 : 0;
    return (struct uct_reward){1, value, score2 * YO_SCORE_HALF};
}

static int64_t for_side(int side, const struct uct_reward *reward) {
    return side == 0 ? reward->value_first : reward->games * YO_VALUE_ONE - reward->value_first;
}

static int64_t for_mover(const struct uct_worker *w, size_t depth,
                         const struct uct_reward *reward) {
    return for_side(w->to_move[depth] ^ 1, reward);
}

static void add_owner(struct uct_worker *w, const struct yo_rollout *rollout) {
    if (!rollout->owner) return;
    for (size_t i = 0; i < w->uct->cells; i++) {
        int64_t sum = atomic_load_explicit(&w->owner[i], memory_order_relaxed);
        atomic_store_explicit(&w->owner[i], sum + rollout->owner[i], memory_order_relaxed);
    }
    atomic_fetch_add_explicit(&w->rollouts, 1, memory_order_relaxed);
}

/* A solved node is worth its result, with the mean of its scores in whole half points. */
static struct uct_reward recall(const struct uct_worker *w, const struct yo_node *node) {
    enum yo_solved solved = uct_solved(node);
    int64_t mover = solved == YO_SOLVED_WIN    ? YO_VALUE_ONE
                    : solved == YO_SOLVED_DRAW ? YO_VALUE_ONE / 2
                                               : 0;
    int64_t visits = uct_visits(node), pending = w->uct->pending;
    int64_t score = atomic_load_explicit(&node->score, memory_order_relaxed) / YO_SCORE_HALF;
    score = score / (visits > pending ? visits - pending : 1) * YO_SCORE_HALF;
    bool mover_is_first = w->to_move[w->depth] == 1;
    return (struct uct_reward){1, mover_is_first ? mover : YO_VALUE_ONE - mover,
                               mover_is_first ? score : -score};
}

static enum yo_solved solved_as(int64_t value) {
    if (value == YO_VALUE_ONE) return YO_SOLVED_WIN;
    return value == 0 ? YO_SOLVED_LOSS : YO_SOLVED_DRAW;
}

/* Scores a game that is over: by the rollouts, or by the outcome if there are none. */
static bool finish_game(const struct uct_worker *w, uint64_t number, struct yo_rollout *rollout) {
    const struct yo_uct *uct = w->uct;
    const struct yo_rollouts *r = &uct->rollouts;
    if (r->ops)
        return r->ops->finish(r->ctx, w->position, uct->options.seed, number, w->scratch, rollout);
    enum yo_outcome outcome = uct->game->outcome(w->position);
    rollout->score2 = (outcome == YO_OUTCOME_FIRST) - (outcome == YO_OUTCOME_SECOND);
    return true;
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
    } else if (finish_game(w, number, rollout) && uct->options.solve && w->depth > 0) {
        struct uct_reward reward = reward_of(rollout->score2);
        atomic_store_explicit(&leaf->solved,
                              (unsigned char)solved_as(for_mover(w, w->depth, &reward)),
                              memory_order_relaxed);
    }
    add_owner(w, rollout);
    return reward_of(rollout->score2);
}

/* ---- backup ---- */

static void add_reward(const struct uct_worker *w, size_t depth, const struct uct_reward *reward,
                       unsigned pending) {
    struct yo_node *node = yo_tree_node(&w->uct->tree, w->path[depth]);
    int64_t score = w->to_move[depth] == 1 ? reward->score_first : -reward->score_first;
    atomic_fetch_add_explicit(&node->value, for_mover(w, depth, reward), memory_order_relaxed);
    atomic_fetch_add_explicit(&node->score, score, memory_order_relaxed);
    if (pending != reward->games) /* the difference may wrap; the sum is right */
        atomic_fetch_add_explicit(&node->visits, reward->games - pending, memory_order_relaxed);
}

/* All moves as first: every child that the side to move here played later, before the opponent did,
 * shares in the result. If another thread overwrites an update, one sample is lost; that costs less
 * than a lock. */
static void add_amaf(const struct uct_worker *w, size_t depth, const struct uct_reward *reward) {
    size_t count = 0;
    const struct yo_tree *tree = &w->uct->tree;
    struct yo_node *child = yo_tree_children(tree, yo_tree_node(tree, w->path[depth]), &count);
    int8_t side = (int8_t)w->to_move[depth];
    uint64_t half_wins = (uint64_t)(for_side(side, reward) >> (YO_VALUE_SHIFT - 1));
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

/* A winning move makes its parent a loss for the side that moved there; a parent whose moves all
 * lose is a win. Pruned moves do not count. */
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
    if (w->details) yo_uct_details_add_rollout(w, reward.score_first / YO_SCORE_HALF, &rollout);
}

void yo_uct_simulate(struct uct_worker *w, uint64_t number) {
    yo_uct_descend(w);
    yo_uct_finish(w, number);
}
