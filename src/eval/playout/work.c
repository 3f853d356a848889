#include "eval/playout/work.h"

#include "base/alloc.h"
#include "base/diag.h"
#include "eval/playout/position.h"

/* Items of more games than this are shared among threads; large enough to keep a bit-slice full,
 * small enough that threads finish together. */
#define SHARE_MAX 1024
#define SHARE_MIN 64
#define SHARES    4 /* at least, for each thread */

struct yo_playout_target {
    const struct yo_playout_position *position; /* the item's, or of work->children */
    struct yo_eval_item *item;
    struct yo_playout_result *result;
    struct yo_playout_result *partial; /* one for each thread, when threads share it; else NULL */
};

struct yo_playout_share {
    struct yo_playout_target *target;
    uint64_t first_game;
    uint32_t games;
};

void yo_playout_work_delete(struct yo_playout_work *work) {
    if (!work) return;
    yo_free(work->children);
    yo_free(work->partials);
    yo_free(work->arrays);
    yo_free(work->targets);
    yo_free(work->shares);
    yo_free(work);
}

/* ---- positions ---- */

static size_t targets_of(const struct yo_eval_item *item) {
    return item->children ? item->child_count : 1;
}

static enum yo_err check_item(const struct yo_playout_work *work, const struct yo_eval_item *item,
                              struct yo_diag *diag) {
    const struct yo_playout_position *position = item->position;
    if (item->want != YO_EVAL_PLAYOUTS)
        return yo_diag_set(diag, YO_ERR_UNSUPPORTED, "playouts give no network value or policy");
    if ((unsigned)item->policy >= YO_PLAYOUT_POLICIES)
        return yo_diag_set(diag, YO_ERR_ARGUMENT, "there is no playout policy %d",
                           (int)item->policy);
    if (item->playouts > YO_PLAYOUT_GAMES_MAX)
        return yo_diag_set(diag, YO_ERR_RANGE, "at most %u games at a time",
                           (unsigned)YO_PLAYOUT_GAMES_MAX);
    enum yo_err err = item->trusted ? yo_playout_position_outline(position, diag)
                                    : yo_playout_position_check(position, diag);
    if (err) return err;
    if (position->size != work->size || item->policy != work->policy)
        return yo_diag_set(diag, YO_ERR_ARGUMENT, "a batch has one board size and one policy");
    if (!work->backend->supports(item->policy, position->size)) {
        yo_diag_set(diag, YO_ERR_UNSUPPORTED, "backend %s has no %s policy on %dx%d",
                    work->backend->name, yo_playout_policy_name(item->policy), position->size,
                    position->size);
        yo_diag_hint(diag, "choose backend auto or scalar");
        return YO_ERR_UNSUPPORTED;
    }
    return YO_OK;
}

static enum yo_err make_targets(struct yo_playout_work *work, struct yo_diag *diag) {
    struct yo_playout_target *target = work->targets;
    struct yo_playout_position *child = work->children;
    for (size_t i = 0; i < work->batch->item_count; i++) {
        struct yo_eval_item *item = &work->batch->items[i];
        enum yo_err err = check_item(work, item, diag);
        for (size_t j = 0; !err && j < targets_of(item); j++, target++) {
            target->item = item;
            target->result = &item->results[j].playouts;
            target->position = item->children ? child : item->position;
            if (item->children)
                err = yo_playout_position_play(item->position, item->children[j], child++, diag);
        }
        if (err) return err;
    }
    return YO_OK;
}

/* ---- shares ---- */

/* A histogram and an ownership map. */
static size_t result_entries(size_t points) { return 2 * points + 1 + points; }

/* Gives each thread a result of its own for a target that several will work on. */
static void split_result(struct yo_playout_work *work, struct yo_playout_target *target,
                         uint32_t *arrays) {
    size_t points = (size_t)work->size * (size_t)work->size;
    for (int t = 0; t < work->threads; t++) {
        uint32_t *entries = arrays + result_entries(points) * (size_t)t;
        target->partial[t].histogram = target->result->histogram ? entries : NULL;
        target->partial[t].ownership =
            target->result->ownership ? (int32_t *)entries + 2 * points + 1 : NULL;
    }
}

static uint64_t share_size(uint64_t games, const struct yo_playout_work *work) {
    struct yo_playout_cut cut = yo_playout_backend_cut(work->backend, work->size);
    uint64_t least = cut.share_min ? cut.share_min : SHARE_MIN;
    uint64_t most = cut.share_max ? cut.share_max : SHARE_MAX;
    uint64_t size = games / (uint64_t)((cut.shares ? cut.shares : SHARES) * work->runners);
    return size > most ? most : size < least ? least : size;
}

static void add_shares(struct yo_playout_work *work, struct yo_playout_target *target,
                       uint64_t most) {
    uint64_t left = target->item->playouts, first = target->item->first_game;
    while (left > 0) {
        uint32_t n = (uint32_t)(left < most ? left : most);
        work->shares[work->share_count++] = (struct yo_playout_share){target, first, n};
        first += n;
        left -= n;
    }
}

static enum yo_err make_shares(struct yo_playout_work *work) {
    uint64_t games = 0, shares = 0, split = 0;
    for (size_t i = 0; i < work->target_count; i++)
        games += work->targets[i].item->playouts;
    uint64_t most = share_size(games, work);
    for (size_t i = 0; i < work->target_count; i++) {
        shares += (work->targets[i].item->playouts + most - 1) / most;
        split += work->targets[i].item->playouts > most;
    }
    if (work->threads == 1) split = 0;
    size_t entries =
        result_entries((size_t)work->size * (size_t)work->size) * (size_t)work->threads;
    work->shares = yo_alloc(shares, sizeof *work->shares);
    work->arrays = yo_alloc(split * entries, sizeof *work->arrays);
    work->partials = yo_alloc(split * (size_t)work->threads, sizeof *work->partials);
    if (!work->shares || !work->arrays || !work->partials) return YO_ERR_NOMEM;
    struct yo_playout_result *partial = work->partials;
    uint32_t *arrays = work->arrays;
    for (size_t i = 0; i < work->target_count; i++) {
        struct yo_playout_target *target = &work->targets[i];
        if (split && target->item->playouts > most) {
            target->partial = partial;
            split_result(work, target, arrays);
            partial += work->threads;
            arrays += entries;
        }
        add_shares(work, target, most);
    }
    return YO_OK;
}

/* ---- the whole ---- */

/* A batch too small for a piece of its own on every stream is not torn apart either: two halves
 * take as long as the whole. */
static int count_runners(const struct yo_playout_work *work, uint64_t games, int cores) {
    struct yo_playout_cut cut = yo_playout_backend_cut(work->backend, work->size);
    if (cut.threads == 0) return cores;
    if (games < cut.share_min) return 1;
    return cut.threads < work->threads ? cut.threads : work->threads;
}

static enum yo_err fill(struct yo_playout_work *work, const struct yo_playout_backend *backend,
                        int cores, struct yo_diag *diag) {
    const struct yo_eval_batch *batch = work->batch;
    uint64_t games = 0;
    size_t children = 0;
    for (size_t i = 0; i < batch->item_count; i++) {
        work->target_count += targets_of(&batch->items[i]);
        if (batch->items[i].children) children += batch->items[i].child_count;
        games += targets_of(&batch->items[i]) * batch->items[i].playouts;
    }
    if (batch->item_count > 0) {
        work->policy = batch->items[0].policy;
        work->size = ((const struct yo_playout_position *)batch->items[0].position)->size;
    }
    work->backend = backend ? backend : yo_playout_backend_best(work->policy, work->size, games);
    work->runners = count_runners(work, games, cores);
    work->targets = yo_alloc(work->target_count, sizeof *work->targets);
    work->children = yo_alloc(children, sizeof *work->children);
    if (!work->targets || !work->children) return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    enum yo_err err = make_targets(work, diag);
    if (err) return err;
    err = make_shares(work);
    return err ? yo_diag_set(diag, err, "out of memory") : YO_OK;
}

enum yo_err yo_playout_work_new(struct yo_eval_batch *batch,
                                const struct yo_playout_backend *backend, int threads, int cores,
                                struct yo_playout_work **out, struct yo_diag *diag) {
    struct yo_playout_work *work = yo_alloc(1, sizeof *work);
    if (!work) return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    work->batch = batch;
    work->threads = threads;
    enum yo_err err = fill(work, backend, cores, diag);
    if (err)
        yo_playout_work_delete(work);
    else
        *out = work;
    return err;
}

bool yo_playout_work_take(struct yo_playout_work *work, int thread,
                          struct yo_playout_piece *piece) {
    size_t i = atomic_fetch_add_explicit(&work->next_share, 1, memory_order_relaxed);
    if (i >= work->share_count) return false;
    const struct yo_playout_share *share = &work->shares[i];
    struct yo_playout_target *target = share->target;
    *piece = (struct yo_playout_piece){
        .position = target->position,
        .seed = target->item->seed,
        .first_game = share->first_game,
        .games = share->games,
        .result = target->partial ? &target->partial[thread] : target->result,
        .sink = target->item->sink,
    };
    return true;
}

bool yo_playout_work_has_more(struct yo_playout_work *work) {
    return atomic_load(&work->next_share) < work->share_count;
}

void yo_playout_work_drop_rest(struct yo_playout_work *work) {
    atomic_store(&work->next_share, work->share_count);
}

void yo_playout_work_sum(struct yo_playout_work *work) {
    for (size_t i = 0; i < work->target_count; i++) {
        struct yo_playout_target *target = &work->targets[i];
        for (int t = 0; target->partial && t < work->threads; t++)
            yo_playout_result_merge(target->result, &target->partial[t], work->size);
    }
}
