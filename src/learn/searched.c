#include "learn/searched.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/diag.h"
#include "base/pool.h"
#include "eval/shogi/net_eval.h"
#include "game/shogi/game.h"
#include "game/shogi/movegen.h"
#include "search/alphabeta/alphabeta.h"

/* Samples between two times that a search forgets what it knows: fixed portions, so that scores do
 * not depend on threads. Neighbours are often of one game, and what is left of one helps the
 * next. */
enum { PORTION = 64, TABLE_MB = 1 };

struct work {
    const struct yo_searched_how *how;
    uint8_t *samples;
    size_t count;
    const char *name;
    pthread_mutex_t lock; /* for what follows */
    size_t next, done;    /* samples */
    enum yo_err err;
    struct yo_diag diag;
};

struct searcher {
    struct yo_shogi_eval eval;
    struct yo_ab *search;
    struct yo_shogi_game *game;
};

static enum yo_err open_searcher(struct searcher *s, const struct yo_shogi_net *net) {
    struct yo_ab_options options = yo_ab_options_default;
    s->eval = yo_shogi_net_eval(net);
    options.eval = &s->eval;
    options.mate_search = false; /* with few nodes its share would be too small */
    enum yo_err err = yo_shogi_game_new(NULL, &s->game, NULL);
    if (!err) err = yo_ab_new(TABLE_MB, &s->search);
    return err ? err : yo_ab_set_options(s->search, &options);
}

static void close_searcher(struct searcher *s) {
    yo_ab_delete(s->search);
    yo_shogi_game_delete(s->game);
}

static enum yo_err score_one(struct searcher *s, const struct yo_searched_how *how, uint8_t *at,
                             struct yo_diag *diag) {
    struct yo_shogi_sample sample;
    struct yo_shogi_position *first = &s->game->positions[0];
    enum yo_err err = yo_shogi_sample_read(at, &sample, diag);
    if (!err) err = yo_shogi_unpack(sample.position, first, diag);
    if (err || !yo_shogi_can_move(first)) return err;
    s->game->count = 1;
    s->game->past[0] = yo_shogi_past_first(first);
    struct yo_search_limits limits = {.nodes = how->nodes};
    struct yo_search_result result;
    err = yo_search_run(yo_ab_as_search(s->search), s->game, &limits, NULL, NULL, NULL, &result,
                        diag);
    if (err || result.move_count == 0 || result.moves[0].bound == YO_BOUND_UNKNOWN) return err;
    int found = yo_ab_score(&result);
    if (abs(found) < YO_AB_MATE_FROM)
        found = (int)lround(how->share * found + (1 - how->share) * sample.score);
    sample.score = (int16_t)found;
    yo_shogi_sample_write(&sample, at);
    return YO_OK;
}

/* The next portion; false if there is none, or something went wrong. */
static bool take(struct work *w, size_t *first, size_t *end) {
    pthread_mutex_lock(&w->lock);
    bool got = !w->err && w->next < w->count;
    if (got) {
        *first = w->next;
        *end = w->count - *first < PORTION ? w->count : *first + PORTION;
        w->next = *end;
    }
    pthread_mutex_unlock(&w->lock);
    return got;
}

static void hand_in(struct work *w, size_t done, enum yo_err err, const struct yo_diag *diag) {
    pthread_mutex_lock(&w->lock);
    w->done += done;
    if (err && !w->err) {
        w->err = err;
        w->diag = *diag;
    }
    if (!w->err && w->how->told) w->how->told(w->how->user, w->done);
    pthread_mutex_unlock(&w->lock);
}

static bool work(void *ctx, int thread) {
    struct work *w = ctx;
    (void)thread;
    struct searcher s = {0};
    struct yo_diag diag;
    size_t first, end;
    enum yo_err err = open_searcher(&s, w->how->net);
    if (err) hand_in(w, 0, yo_diag_set(&diag, err, "%s", yo_err_text(err)), &diag);
    while (!err && take(w, &first, &end)) {
        yo_ab_clear(s.search);
        size_t i = first;
        for (; !err && i < end; i++) {
            err = score_one(&s, w->how, w->samples + i * YO_SHOGI_SAMPLE, &diag);
            if (err) yo_shogi_sample_where(&diag, w->name, i);
        }
        hand_in(w, i - first, err, &diag);
    }
    close_searcher(&s);
    return true;
}

enum yo_err yo_searched_scores(const struct yo_searched_how *how, uint8_t *samples, size_t count,
                               const char *name, struct yo_diag *diag) {
    struct work w = {.how = how, .samples = samples, .count = count, .name = name};
    struct yo_pool *pool;
    struct yo_job job = {.run = work, .ctx = &w, .threads = how->threads};
    enum yo_err err = yo_pool_new(how->threads, &pool, diag);
    if (err) return err;
    pthread_mutex_init(&w.lock, NULL);
    yo_pool_submit(pool, &job);
    yo_pool_delete(pool);
    pthread_mutex_destroy(&w.lock);
    if (w.err && diag) *diag = w.diag;
    return w.err;
}
