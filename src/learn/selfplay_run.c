#include "learn/selfplay_run.h"

#include <pthread.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/pool.h"
#include "base/time.h"

/* Largest number of games in progress or waiting for an earlier one; interval of saving the
 * state. */
enum { WINDOW = 512, SAVE_MS = 5000 };

struct slot {
    struct yo_selfplay_game game;
    bool done;
};

struct crew {
    const struct yo_selfplay_run *run;
    pthread_mutex_t lock; /* for all below; a slot belongs to its thread until done */
    pthread_cond_t moved;
    struct selfplay_store store;
    struct slot slots[WINDOW];
    uint64_t next; /* number of the next game to start */
    int64_t saved_ms;
    bool halt;
    enum yo_err err;
    struct yo_diag diag;
};

static bool is_stopped(const struct crew *c) {
    return c->halt || (c->run->stop && atomic_load_explicit(c->run->stop, memory_order_relaxed));
}

static void fail(struct crew *c, enum yo_err err) {
    if (!c->err) c->err = err;
    c->halt = true;
}

static bool begin_game(struct crew *c, uint64_t *number) {
    pthread_mutex_lock(&c->lock);
    while (!is_stopped(c) && c->next >= c->store.tally.games + WINDOW)
        pthread_cond_wait(&c->moved, &c->lock);
    bool got = !is_stopped(c) && c->next < c->run->games;
    if (got) *number = c->next++;
    pthread_mutex_unlock(&c->lock);
    return got;
}

/* Stores the finished games that are next in order. */
static void take_games(struct crew *c) {
    for (;;) {
        uint64_t number = c->store.tally.games;
        struct slot *slot = &c->slots[number % WINDOW];
        if (!slot->done) break;
        slot->done = false;
        bool swapped = c->run->settings.match && number % 2;
        enum yo_err err = yo_selfplay_store_add(&c->store, &slot->game, swapped, &c->diag);
        if (!err && yo_time_ms() - c->saved_ms >= SAVE_MS) {
            err = yo_selfplay_store_save(&c->store, &c->diag);
            c->saved_ms = yo_time_ms();
        }
        if (err) {
            fail(c, err);
            break;
        }
        if (c->run->progress) c->run->progress(c->run->user, &c->store.tally);
    }
    pthread_cond_broadcast(&c->moved);
}

static void end_game(struct crew *c, uint64_t number, enum yo_err err) {
    pthread_mutex_lock(&c->lock);
    if (err == YO_OK) {
        c->slots[number % WINDOW].done = true;
        take_games(c);
    } else {
        c->halt = true;
        if (err != YO_ERR_CANCELLED) fail(c, yo_diag_set(&c->diag, err, "%s", yo_err_text(err)));
        pthread_cond_broadcast(&c->moved);
    }
    pthread_mutex_unlock(&c->lock);
}

static bool work(void *crew, int thread) {
    struct crew *c = crew;
    (void)thread;
    struct yo_selfplayer *player = NULL;
    uint64_t number;
    enum yo_err err = yo_selfplayer_new(&c->run->settings, &player);
    if (err) end_game(c, 0, err);
    while (!err && begin_game(c, &number)) {
        err = yo_selfplayer_play(player, number, c->run->stop, &c->slots[number % WINDOW].game);
        end_game(c, number, err);
    }
    yo_selfplayer_delete(player);
    return true;
}

static enum yo_err run_threads(struct crew *c, int threads) {
    struct yo_pool *pool;
    struct yo_job job = {.run = work, .ctx = c, .threads = threads};
    enum yo_err err = yo_pool_new(threads, &pool, &c->diag);
    if (err) return err;
    yo_pool_submit(pool, &job);
    yo_pool_delete(pool);
    err = c->err;
    struct yo_diag unsaved;
    /* Keeps the games finished before a failure. */
    enum yo_err saved = yo_selfplay_store_save(&c->store, err ? &unsaved : &c->diag);
    return err ? err : saved;
}

enum yo_err yo_selfplay_run(const struct yo_selfplay_run *run, struct yo_selfplay_tally *tally,
                            struct yo_diag *diag) {
    struct crew *c = yo_alloc(1, sizeof *c);
    if (!c) return yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory");
    c->run = run;
    enum yo_err err = yo_selfplay_store_open(&c->store, run->path, run->settings_text, diag);
    if (!err) {
        c->next = c->store.tally.games;
        c->saved_ms = yo_time_ms();
        pthread_mutex_init(&c->lock, NULL);
        pthread_cond_init(&c->moved, NULL);
        err = run_threads(c, run->threads);
        if (err && diag) *diag = c->diag;
        *tally = c->store.tally;
        pthread_cond_destroy(&c->moved);
        pthread_mutex_destroy(&c->lock);
        yo_selfplay_store_close(&c->store);
    }
    for (int i = 0; i < WINDOW; i++)
        yo_free(c->slots[i].game.samples);
    yo_free(c);
    return err;
}
