/* Leaves in batches. Each thread has two: while the evaluator works on one, the thread selects
 * leaves for the other. Virtual losses keep simulations away from leaves in flight. Selecting
 * without their results costs strength; experiments/tano/parallelism measures how much. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/notice.h"
#include "base/time.h"
#include "search/uct/batch.h"

/* ---- creation and deletion ---- */

void yo_uct_batches_delete(struct uct_worker *w) {
    for (int b = 0; w->batches && b < 2; b++) {
        yo_uct_batch_regain(w, &w->batches[b]);
        yo_free(w->batches[b].items);
        yo_free(w->batches[b].results);
        yo_free(w->batches[b].leaves);
        yo_free(w->batches[b].owners);
        yo_free_aligned(w->batches[b].positions);
    }
    yo_free(w->batches);
    w->batches = NULL;
}

enum yo_err yo_uct_batches_new(struct uct_worker *w, struct yo_diag *diag) {
    size_t count = w->uct->options.leaves;
    size_t stride = (w->uct->game->position_size + 63) / 64 * 64;
    bool good = (w->batches = yo_alloc(2, sizeof *w->batches)) != NULL;
    for (int b = 0; good && b < 2; b++) {
        struct uct_batch *batch = &w->batches[b];
        batch->position_stride = stride;
        batch->items = yo_alloc(count, sizeof *batch->items);
        batch->results = yo_alloc(count, sizeof *batch->results);
        batch->leaves = yo_alloc(count, sizeof *batch->leaves);
        batch->owners = yo_alloc(OWNER_LEAVES * UCT_CELLS_MAX, sizeof *batch->owners);
        batch->positions = yo_alloc_aligned(count * stride);
        good = batch->items && batch->results && batch->leaves && batch->owners && batch->positions;
    }
    if (good) return YO_OK;
    yo_uct_batches_delete(w);
    yo_diag_set(diag, YO_ERR_NOMEM, "no memory for batches of %zu leaves", count);
    yo_diag_hint(diag, "fewer of them with --leaves");
    return YO_ERR_NOMEM;
}

void yo_uct_batch_empty(struct uct_batch *batch) {
    batch->eval = (struct yo_eval_batch){.items = batch->items};
    batch->owner_count = 0;
}

/* ---- selection ---- */

static void remember(const struct uct_worker *w, struct leaf *leaf) {
    size_t count = w->depth + 1;
    leaf->depth = w->depth;
    memcpy(leaf->path, w->path, count * sizeof leaf->path[0]);
    memcpy(leaf->to_move, w->to_move, count * sizeof leaf->to_move[0]);
}

static void recall(struct uct_worker *w, const struct leaf *leaf) {
    size_t count = leaf->depth + 1;
    w->depth = leaf->depth;
    memcpy(w->path, leaf->path, count * sizeof leaf->path[0]);
    memcpy(w->to_move, leaf->to_move, count * sizeof leaf->to_move[0]);
}

/* A game that is over, or a solved node, needs no evaluator: its result is backed up at once. */
static bool settle(struct uct_worker *w, uint64_t number, unsigned games) {
    const struct yo_uct *uct = w->uct;
    const struct yo_node *leaf = yo_tree_node(&uct->tree, w->path[w->depth]);
    bool known = w->depth > 0 && uct_solved(leaf);
    if (!known && uct->game->outcome(w->position) == YO_OUTCOME_NONE) return false;
    struct yo_rollout rollout;
    struct uct_reward one = yo_uct_evaluate(w, number, &rollout);
    struct uct_reward reward = {games, games * one.value_first, games * one.score_first};
    yo_uct_back_up(w, &reward, &rollout, uct->pending);
    return true;
}

uint64_t yo_uct_take_numbers(struct yo_uct *uct, uint64_t wanted, uint64_t *first) {
    uint64_t limit = uct->limits->playouts;
    *first = atomic_fetch_add_explicit(&uct->next_number, wanted, memory_order_relaxed);
    if (!limit) return wanted;
    return *first >= limit ? 0 : limit - *first < wanted ? limit - *first : wanted;
}

void yo_uct_batch_put(struct uct_worker *w, struct uct_batch *batch, bool want_owner,
                      uint64_t games, uint64_t first) {
    const struct yo_uct *uct = w->uct;
    size_t i = batch->eval.item_count++;
    void *position = batch->positions + i * batch->position_stride;
    remember(w, &batch->leaves[i]);
    memcpy(position, w->position, uct->game->position_size);
    batch->results[i] = (struct yo_eval_result){0};
    if (want_owner && batch->owner_count < OWNER_LEAVES) {
        int32_t *owner = batch->owners + UCT_CELLS_MAX * batch->owner_count++;
        memset(owner, 0, uct->cells * sizeof *owner);
        batch->results[i].playouts.owner = owner;
    }
    batch->items[i] = (struct yo_eval_item){.position = position,
                                            .want = uct->want,
                                            .results = &batch->results[i],
                                            .playout_policy = uct->playout_policy,
                                            .playouts = games,
                                            .seed = uct->options.seed,
                                            .first_game = first};
}

/* Selects up to `count` leaves. False when the search is over, or when the tree is full. */
static bool fill(struct uct_worker *w, struct uct_batch *batch, size_t count) {
    struct yo_uct *uct = w->uct;
    size_t owner_every = count / OWNER_LEAVES + 1, filled = 0;
    bool more = true;
    yo_uct_batch_empty(batch);
    for (size_t i = 0; i < count; i++) {
        /* Tested before numbers are taken: every number that is taken must be played. */
        more = !atomic_load_explicit(&uct->over, memory_order_relaxed) && !uct_wants_room(uct);
        uint64_t first = 0, games = 0;
        if (more) games = yo_uct_take_numbers(uct, uct->options.leaf_playouts, &first);
        more = games > 0;
        if (!more) break;
        yo_uct_descend(w);
        if (settle(w, uct_number(uct, first), (unsigned)games)) continue;
        yo_uct_batch_put(w, batch, filled++ % owner_every == 0, games, uct_number(uct, first));
    }
    return more;
}

/* ---- backup ---- */

static void add_owner(struct uct_worker *w, const struct yo_eval_playouts *sums) {
    if (!sums->owner) return;
    for (size_t i = 0; i < w->uct->cells; i++) {
        int64_t sum = atomic_load_explicit(&w->owner[i], memory_order_relaxed);
        atomic_store_explicit(&w->owner[i], sum + sums->owner[i], memory_order_relaxed);
    }
    atomic_fetch_add_explicit(&w->rollouts, sums->games, memory_order_relaxed);
}

/* The playouts of a leaf as visits: all of them if the search waits for them; else, beside the
 * thread's own playouts, as many as the options give, rounded to whole half wins. */
static struct uct_reward reward_of_playouts(const struct yo_uct *uct,
                                            const struct yo_eval_playouts *sums) {
    const int64_t half = YO_VALUE_ONE / 2;
    int64_t half_wins = (int64_t)sums->half_wins_first, score2 = sums->score2_first;
    if (uct->options.leaf_wait || sums->games == 0)
        return (struct uct_reward){(unsigned)sums->games, half_wins * half, score2 * YO_SCORE_HALF};
    double visits = ceil((double)yo_uct_leaf_weight(&uct->options));
    double share = visits / (double)sums->games;
    return (struct uct_reward){(unsigned)visits, (int64_t)(share * (double)half_wins + 0.5) * half,
                               (int64_t)(share * (double)score2) * YO_SCORE_HALF};
}

/* A value for the side to move at the leaf, as one visit. */
static struct uct_reward reward_of_value(int side, const struct yo_eval_value *value) {
    double mean = (double)value->win + 0.5 * (double)value->draw;
    double score = 2 * (double)value->score_mean * (double)YO_SCORE_HALF;
    int64_t one = (int64_t)(fmin(fmax(mean, 0), 1) * (double)YO_VALUE_ONE + 0.5);
    return (struct uct_reward){1, side == 0 ? one : YO_VALUE_ONE - one,
                               (int64_t)(side == 0 ? score : -score)};
}

/* The worker holds the path to the leaf. */
static struct uct_reward take_result(struct uct_worker *w, const struct yo_eval_result *result) {
    if (w->uct->want == YO_EVAL_VALUE) return reward_of_value(w->to_move[w->depth], &result->value);
    add_owner(w, &result->playouts);
    if (w->details) yo_uct_details_add_sums(w, &result->playouts);
    return reward_of_playouts(w->uct, &result->playouts);
}

/* Backs up the results of a batch. If it failed, only removes the virtual losses. */
static void give(struct uct_worker *w, struct uct_batch *batch, bool good) {
    static const struct yo_rollout no_moves;
    bool waits = w->uct->options.leaf_wait;
    for (size_t i = 0; i < batch->eval.item_count; i++) {
        struct uct_reward reward = {0};
        recall(w, &batch->leaves[i]);
        if (good) reward = take_result(w, &batch->results[i]);
        yo_uct_back_up(w, &reward, waits ? &no_moves : NULL, waits ? w->uct->pending : 0);
    }
}

/* The first thread that sees a failure reports it. If there are no rollouts to continue with, the
 * search ends with that error. */
static void fail(struct uct_worker *w, const struct yo_diag *diag) {
    struct yo_uct *uct = w->uct;
    if (atomic_exchange(&uct->batches_failed, true)) return;
    if (!uct->rollouts.ops) {
        uct->failure = *diag;
        atomic_store(&uct->over, true);
        return;
    }
    yo_notice(&uct->options.notices,
              "playouts for the search failed (%s); it goes on with the plain ones", diag->what);
}

bool yo_uct_may_end_any_time(const struct yo_uct *uct) {
    return !uct->limits->playouts || uct->limits->clock || uct->limits->time_ms;
}

size_t yo_uct_batch_size(const struct uct_worker *w) {
    size_t most = w->uct->options.leaves;
    return yo_uct_may_end_any_time(w->uct) ? yo_uct_pace_count(&w->pace, most) : most;
}

/* The pace compares how long batches of different sizes take. Only batches that waited alike in the
 * queue are comparable: behind one other batch that was not larger, and with no larger batch
 * behind. */
static void compare(struct uct_worker *w, struct uct_batch *batch, struct uct_batch *other) {
    batch->level = w->pace.level;
    batch->is_odd = batch->eval.item_count > yo_uct_batch_size(w);
    if (!w->uct->options.leaf_wait) return;
    if (!other->in_flight || other->level > batch->level) batch->is_odd = true;
    if (other->in_flight && other->level < batch->level) other->is_odd = true;
}

void yo_uct_batch_launch(struct uct_worker *w, struct uct_batch *batch) {
    struct yo_diag diag;
    const struct yo_eval *eval = &w->uct->eval;
    if (batch->eval.item_count == 0) return;
    compare(w, batch, &w->batches[batch == w->batches]);
    batch->start_ns = yo_time_ns();
    batch->in_flight = eval->ops->submit(eval->ctx, &batch->eval, &diag) == YO_OK;
    if (batch->in_flight) return;
    fail(w, &diag);
    give(w, batch, false);
}

void yo_uct_batch_land(struct uct_worker *w, struct uct_batch *batch) {
    const struct yo_uct *uct = w->uct;
    const struct yo_eval *eval = &uct->eval;
    batch->took_ns = 0;
    if (!batch->in_flight) return;
    batch->in_flight = false;
    bool good = eval->ops->wait(eval->ctx, &batch->eval) == YO_OK;
    if (!good) fail(w, &batch->eval.diag);
    give(w, batch, good);
    batch->took_ns = yo_time_ns() - batch->start_ns;
    if (!yo_uct_may_end_any_time(uct) || batch->is_odd) return;
    yo_uct_pace_note(&w->pace, uct->options.leaves, batch->level, batch->took_ns,
                     yo_uct_pace_short_ns(yo_search_time_ms(uct->limits)));
}

/* Cancels a batch without waiting for it, and removes its virtual losses. */
static void leave(struct uct_worker *w, struct uct_batch *batch) {
    const struct yo_eval *eval = &w->uct->eval;
    batch->in_flight = false;
    batch->is_left = true;
    eval->ops->cancel(eval->ctx, &batch->eval);
    give(w, batch, false);
}

void yo_uct_batch_end(struct uct_worker *w, struct uct_batch *batch) {
    const struct yo_eval *eval = &w->uct->eval;
    bool hurries = yo_uct_may_end_any_time(w->uct) && atomic_load(&w->uct->over);
    if (batch->in_flight && hurries && !eval->ops->poll(eval->ctx, &batch->eval))
        leave(w, batch);
    else
        yo_uct_batch_land(w, batch);
}

void yo_uct_batch_regain(struct uct_worker *w, struct uct_batch *batch) {
    const struct yo_eval *eval = &w->uct->eval;
    if (!batch->is_left) return;
    batch->is_left = false;
    enum yo_err err = eval->ops->wait(eval->ctx, &batch->eval);
    if (err && err != YO_ERR_CANCELLED) fail(w, &batch->eval.diag);
}

/* ---- the loop ---- */

void yo_uct_batches_work(struct uct_worker *w) {
    struct yo_uct *uct = w->uct;
    yo_uct_pace_begin(&w->pace);
    if (!uct->options.leaf_wait) {
        yo_uct_beside_work(w);
        return;
    }
    for (int b = 0; b < 2; b++)
        yo_uct_batch_regain(w, &w->batches[b]);
    bool more = true;
    for (int turn = 0; more && !atomic_load(&uct->batches_failed); turn ^= 1) {
        more = fill(w, &w->batches[turn], yo_uct_batch_size(w));
        yo_uct_batch_launch(w, &w->batches[turn]);
        yo_uct_batch_land(w, &w->batches[uct->at_once ? turn : turn ^ 1]);
        if (w->index == 0) yo_uct_look_around(uct);
    }
    for (int b = 0; b < 2; b++)
        yo_uct_batch_end(w, &w->batches[b]);
}
