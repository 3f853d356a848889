#include "eval/playout/work.h"

#include <string.h>

#include "base/diag.h"
#include "eval/playout/rollout.h"

/* Items of more games than this are split among threads. Large enough to keep a bit-slice full,
 * small enough that threads finish together. */
#define SHARE_MAX 1024
#define SHARE_MIN 64
#define SHARES    4 /* at least, for each thread */

#define NOTHING SIZE_MAX

/* ---- checking ---- */

static int size_of(const struct yo_eval_item *item) {
    return ((const struct yo_go_position *)item->position)->board.geometry->size;
}

static enum yo_err check_item(const struct yo_playout_work *work, const struct yo_eval_item *item,
                              struct yo_diag *diag) {
    const struct yo_go_position *position = item->position;
    if (item->want != YO_EVAL_PLAYOUTS)
        return yo_diag_set(diag, YO_ERR_UNSUPPORTED, "playouts give no network value or policy");
    if (item->playout_policy < 0 || item->playout_policy >= YO_PLAYOUT_POLICIES)
        return yo_diag_set(diag, YO_ERR_ARGUMENT, "there is no playout policy %d",
                           item->playout_policy);
    if (item->playouts > YO_PLAYOUT_GAMES_MAX)
        return yo_diag_set(diag, YO_ERR_RANGE, "at most %u games at a time",
                           (unsigned)YO_PLAYOUT_GAMES_MAX);
    if (size_of(item) != work->size || item->playout_policy != (int)work->policy)
        return yo_diag_set(diag, YO_ERR_ARGUMENT, "a batch has one board size and one policy");
    for (size_t i = 0; item->children && i < item->child_count; i++) {
        yo_move move = item->children[i];
        if (move != YO_GO_PASS && (move >= (yo_move)position->board.geometry->points ||
                                   !yo_go_position_legal(position, (yo_go_point)move)))
            return yo_diag_set(diag, YO_ERR_ILLEGAL, "move %u is illegal", (unsigned)move);
    }
    return YO_OK;
}

static enum yo_err check_backend(const struct yo_playout_work *work, struct yo_diag *diag) {
    if (yo_playout_supports(work->backend, work->env, work->policy, work->size)) return YO_OK;
    yo_diag_set(diag, YO_ERR_UNSUPPORTED, "backend %s has no %s policy on %dx%d",
                work->backend->name, yo_playout_policy_name(work->policy), work->size, work->size);
    yo_diag_hint(diag, "choose backend auto or scalar");
    return YO_ERR_UNSUPPORTED;
}

/* ---- cutting ---- */

static uint64_t share_size(const struct yo_playout_work *work, uint64_t games) {
    struct yo_playout_cut cut = yo_playout_backend_cut(work->backend, work->size);
    uint64_t least = cut.share_min ? cut.share_min : SHARE_MIN;
    uint64_t most = cut.share_max ? cut.share_max : SHARE_MAX;
    uint64_t size = games / (uint64_t)((cut.shares ? cut.shares : SHARES) * work->runners);
    return size > most ? most : size < least ? least : size;
}

/* A batch with fewer games than the smallest share is not split: two halves take as long as the
 * whole. */
static int count_runners(const struct yo_playout_work *work, uint64_t games, int threads,
                         int cores) {
    struct yo_playout_cut cut = yo_playout_backend_cut(work->backend, work->size);
    if (cut.threads == 0) return cores;
    if (games < cut.share_min) return 1;
    return cut.threads < threads ? cut.threads : threads;
}

/* Number of shares for each position of an item. */
static uint64_t shares_of(const struct yo_playout_work *work, const struct yo_eval_item *item) {
    return (item->playouts + work->share_size - 1) / work->share_size;
}

enum yo_err yo_playout_work_init(struct yo_eval_batch *batch,
                                 const struct yo_playout_backend *backend,
                                 const struct yo_playout_env *env, int threads, int cores,
                                 struct yo_diag *diag) {
    struct yo_playout_work work = {.env = env, .policy = YO_PLAYOUT_LIGHT, .size = YO_GO_SIZE_MIN};
    uint64_t games = 0;
    if (batch->item_count > 0) {
        work.policy = (enum yo_playout_policy)batch->items[0].playout_policy;
        work.size = size_of(&batch->items[0]);
    }
    for (size_t i = 0; i < batch->item_count; i++) {
        const struct yo_eval_item *item = &batch->items[i];
        enum yo_err err = check_item(&work, item, diag);
        if (err) return err;
        games += yo_eval_result_count(item) * item->playouts;
    }
    work.backend = backend ? backend : yo_playout_backend_best(env, work.policy, work.size, games);
    enum yo_err err = check_backend(&work, diag);
    if (err) return err;
    work.runners = count_runners(&work, games, threads, cores);
    work.share_size = share_size(&work, games);
    for (size_t i = 0; i < batch->item_count; i++)
        work.share_count +=
            yo_eval_result_count(&batch->items[i]) * shares_of(&work, &batch->items[i]);
    memcpy(batch->work, &work, sizeof work);
    return YO_OK;
}

bool yo_playout_work_has_more(struct yo_playout_work *work) {
    return atomic_load(&work->next_share) < work->share_count;
}

bool yo_playout_work_drop_rest(struct yo_playout_work *work) {
    return atomic_exchange(&work->next_share, work->share_count) < work->share_count;
}

/* ---- taking ---- */

void yo_playout_taker_begin(struct yo_playout_taker *taker, struct yo_eval_batch *batch) {
    taker->batch = batch;
    taker->item = taker->first_share = taker->own_count = 0;
    taker->held = NOTHING;
}

/* This thread's own sums for a result; NULL: no free entry. */
static struct yo_eval_playouts *own_sums(struct yo_playout_taker *taker,
                                         struct yo_eval_playouts *to, size_t points) {
    for (size_t i = taker->own_count; i-- > 0;)
        if (taker->own[i].to == to) return &taker->own[i].sums;
    if (taker->own_count == YO_PLAYOUT_SUMS) return NULL;
    struct yo_playout_own_sums *own = &taker->own[taker->own_count++];
    memset(own->histogram, 0, (2 * points + 1) * sizeof own->histogram[0]);
    memset(own->owner, 0, points * sizeof own->owner[0]);
    own->to = to;
    own->sums = (struct yo_eval_playouts){.histogram = to->histogram ? own->histogram : NULL,
                                          .owner = to->owner ? own->owner : NULL};
    return &own->sums;
}

/* Shares are taken in order, so the search for the next one's item continues from the last. */
bool yo_playout_taker_next(struct yo_playout_taker *taker, struct yo_playout_piece *piece) {
    struct yo_playout_work *work = yo_playout_work_of(taker->batch);
    size_t share = taker->held;
    if (share == NOTHING)
        share = atomic_fetch_add_explicit(&work->next_share, 1, memory_order_relaxed);
    if (share >= work->share_count) return false;
    const struct yo_eval_item *item = &taker->batch->items[taker->item];
    size_t each = shares_of(work, item);
    while (share - taker->first_share >= yo_eval_result_count(item) * each) {
        taker->first_share += yo_eval_result_count(item) * each;
        item = &taker->batch->items[++taker->item];
        each = shares_of(work, item);
    }
    size_t which = (share - taker->first_share) / each, part = (share - taker->first_share) % each;
    struct yo_eval_playouts *result = &item->results[which].playouts;
    bool shared = each > 1 && work->runners > 1;
    if (shared) result = own_sums(taker, result, (size_t)(work->size * work->size));
    taker->held = result ? NOTHING : share;
    if (!result) return false;
    uint64_t done = part * work->share_size, left = item->playouts - done;
    *piece = (struct yo_playout_piece){
        .position = item->position,
        .child = item->children ? &item->children[which] : NULL,
        .komi2 = yo_playout_white_bonus2(item->position),
        .seed = item->seed,
        .first_game = item->first_game + done,
        .games = (uint32_t)(left < work->share_size ? left : work->share_size),
        .result = result,
    };
    return true;
}

bool yo_playout_taker_give(struct yo_playout_taker *taker) {
    int size = yo_playout_work_of(taker->batch)->size;
    for (size_t i = 0; i < taker->own_count; i++)
        yo_playout_merge(taker->own[i].to, &taker->own[i].sums, size * size);
    taker->own_count = 0;
    return taker->held != NOTHING;
}
