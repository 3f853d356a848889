#include "learn/netplay/run.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/pool.h"
#include "base/time.h"
#include "eval/net/runner.h"
#include "learn/netplay/store.h"
#include "learn/netplay/visit.h"

enum { CHUNK = 8, REPORT_MS = 1000 };

struct group {
    int size, count;
    struct yo_netplay_game *games;
    struct yo_net_runner *runners[2]; /* the second in a match only */
    atomic_int next;                  /* game to step; count and more: none left */
    atomic_int left;                  /* games not stepped */
    atomic_int rows[2];               /* of the batches that are filled */
    bool in_batch;                    /* queued or running; under the lock */
    struct group *after;
};

struct run {
    const struct yo_netplay_run *wanted;
    struct yo_netplay_settings settings;
    int largest; /* board size */
    struct yo_net_program programs[2];
    int nets; /* 1, or 2 in a match */
    struct group groups[YO_NETPLAY_GROUPS_MAX];
    int group_count;
    struct yo_netplay_scratch *scratch; /* one a stepping thread */
    struct yo_netplay_store store;
    atomic_uint_fast64_t begun;
    atomic_int active; /* games that are not idle */
    atomic_int over;   /* nothing more to do, stopped, or failed */

    pthread_mutex_t lock;
    pthread_cond_t filled, answered;
    struct group *first, *last; /* filled batches that no thread runs yet */
    int64_t reported_ms;
    struct yo_netplay_counts counts; /* of all threads, as last reported */
    enum yo_err err;
    struct yo_diag diag;
};

static void end_all(struct run *run) {
    pthread_mutex_lock(&run->lock);
    atomic_store(&run->over, 1);
    pthread_cond_broadcast(&run->filled);
    pthread_cond_broadcast(&run->answered);
    pthread_mutex_unlock(&run->lock);
}

static void fail(struct run *run, enum yo_err err, const struct yo_diag *diag) {
    pthread_mutex_lock(&run->lock);
    if (!run->err) {
        run->err = err;
        run->diag = *diag;
    }
    pthread_mutex_unlock(&run->lock);
    end_all(run);
}

/* ---- games ---- */

/* A pending game of this size, taken out of the store; false if there is none. */
static bool take_pending(struct run *run, int size, struct yo_netplay_record *taken) {
    const struct yo_netplay_rules *rules = run->wanted->settings.rules;
    bool found = false;
    pthread_mutex_lock(&run->lock);
    for (size_t i = 0; i < run->store.pending_count && !found; i++) {
        struct yo_netplay_record *record = &run->store.pending[i];
        found = record->game == rules->id && rules->size(record->setup, record->setup_size) == size;
        if (!found) continue;
        *taken = *record;
        *record = run->store.pending[--run->store.pending_count];
    }
    pthread_mutex_unlock(&run->lock);
    return found;
}

/* A pending game, or a new one, or none. */
static enum yo_err begin(struct run *run, const struct group *group, struct yo_netplay_game *g,
                         struct yo_diag *diag) {
    struct yo_netplay_record record;
    struct yo_diag damaged;
    while (take_pending(run, group->size, &record)) {
        enum yo_err err = yo_netplay_game_resume(g, &record, &damaged);
        yo_netplay_record_free(&record);
        if (!err) return YO_OK;
    }
    uint64_t number = atomic_fetch_add(&run->begun, 1);
    if (run->wanted->games == 0 || number < run->wanted->games)
        return yo_netplay_game_begin(g, number, run->wanted->net_id, diag);
    if (atomic_fetch_sub(&run->active, 1) == 1) atomic_store(&run->over, 1);
    return YO_OK;
}

static enum yo_err keep(struct run *run, struct yo_netplay_game *g,
                        struct yo_netplay_scratch *scratch, struct yo_diag *diag) {
    yo_buf_clear(&scratch->bytes);
    if (yo_netplay_record_write(&g->record, &scratch->bytes))
        return yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory for a record");
    return yo_netplay_store_append(&run->store, &scratch->bytes, diag);
}

/* From one answer to the next question. */
static enum yo_err step(struct run *run, struct group *group, struct yo_netplay_game *g,
                        struct yo_netplay_scratch *scratch, struct yo_diag *diag) {
    enum yo_err err = YO_OK;
    if (!g->game) return YO_OK;
    if (g->waiting) {
        const struct yo_net_program *program = &run->programs[g->net];
        struct yo_net_raw raw = yo_net_runner_raw_of(group->runners[g->net], g->row, g->symmetry);
        yo_netplay_visit_answer(g, program->game, program->net, &raw, scratch);
    }
    while (!err && g->game) {
        bool ended;
        err = yo_netplay_game_go_on(g, scratch, &ended, diag);
        if (err || !ended) break;
        err = keep(run, g, scratch, diag);
        if (!err) err = begin(run, group, g, diag);
    }
    if (err || !g->game) return err;
    struct yo_net_runner *runner = group->runners[g->net];
    g->row = atomic_fetch_add_explicit(&group->rows[g->net], 1, memory_order_relaxed);
    if (run->settings.coding->input_kept) {
        struct yo_net_kept kept = {.now = g->kept, .memory = g->memory};
        yo_netplay_visit_was(g, kept.was);
        yo_net_runner_put_kept(runner, g->row, scratch->leaf, g->symmetry, &kept);
    } else {
        yo_net_runner_put(runner, g->row, scratch->leaf, g->symmetry);
    }
    return YO_OK;
}

/* ---- batches ---- */

static void hand_over(struct run *run, struct group *group) {
    for (int i = 0; i < run->nets; i++)
        yo_net_runner_resize(group->runners[i], atomic_load(&group->rows[i]));
    pthread_mutex_lock(&run->lock);
    group->in_batch = true;
    group->after = NULL;
    if (run->last)
        run->last->after = group;
    else
        run->first = group;
    run->last = group;
    pthread_cond_signal(&run->filled);
    pthread_mutex_unlock(&run->lock);
}

static void report(struct run *run) {
    const struct yo_netplay_run *wanted = run->wanted;
    if (wanted->progress) wanted->progress(wanted->user, &run->counts);
    run->reported_ms = yo_time_ms();
}

static enum yo_err run_batch(struct run *run, struct group *group, struct yo_diag *diag) {
    for (int i = 0; i < run->nets; i++) {
        enum yo_err err =
            yo_net_runner_run(group->runners[i], YO_EVAL_VALUE | YO_EVAL_POLICY, diag);
        if (err) return err;
        const struct yo_net_backend *backend = run->programs[i].backend;
        if (backend->notify) backend->notify(run->programs[i].program, &run->wanted->notices);
    }
    return YO_OK;
}

static bool serve(struct run *run) {
    pthread_mutex_lock(&run->lock);
    while (!run->first && !atomic_load(&run->over))
        pthread_cond_wait(&run->filled, &run->lock);
    struct group *group = atomic_load(&run->over) ? NULL : run->first;
    if (group) {
        run->first = group->after;
        if (!run->first) run->last = NULL;
    }
    if (group && yo_time_ms() - run->reported_ms >= REPORT_MS) report(run);
    pthread_mutex_unlock(&run->lock);
    if (!group) return false;

    struct yo_diag diag;
    enum yo_err err = run_batch(run, group, &diag);
    if (err) {
        fail(run, err, &diag);
        return false;
    }
    for (int i = 0; i < run->nets; i++)
        atomic_store(&group->rows[i], 0);
    atomic_store(&group->left, group->count);
    pthread_mutex_lock(&run->lock);
    group->in_batch = false;
    atomic_store(&group->next, 0);
    pthread_cond_broadcast(&run->answered);
    pthread_mutex_unlock(&run->lock);
    if (run->wanted->stop && atomic_load(run->wanted->stop)) end_all(run);
    return true;
}

/* ---- threads ---- */

static struct group *find_work(struct run *run, int from) {
    pthread_mutex_lock(&run->lock);
    struct group *found = NULL;
    while (!found && !atomic_load(&run->over)) {
        for (int i = 0; i < run->group_count && !found; i++) {
            struct group *group = &run->groups[(from + i) % run->group_count];
            if (!group->in_batch && atomic_load(&group->next) < group->count) found = group;
        }
        if (!found) pthread_cond_wait(&run->answered, &run->lock);
    }
    pthread_mutex_unlock(&run->lock);
    return atomic_load(&run->over) ? NULL : found;
}

static void add_counts(struct run *run, struct yo_netplay_scratch *scratch) {
    pthread_mutex_lock(&run->lock);
#define X(name) run->counts.name += scratch->counts.name;
    YO_NETPLAY_COUNTS(X)
#undef X
    pthread_mutex_unlock(&run->lock);
    scratch->counts = (struct yo_netplay_counts){0};
}

static void work_on(struct run *run, struct group *group, struct yo_netplay_scratch *scratch) {
    int first;
    while ((first = atomic_fetch_add(&group->next, CHUNK)) < group->count) {
        int last = first + CHUNK < group->count ? first + CHUNK : group->count;
        for (int i = first; i < last; i++) {
            struct yo_diag diag = {0};
            enum yo_err err = step(run, group, &group->games[i], scratch, &diag);
            if (!err) continue;
            fail(run, err, &diag);
            return;
        }
        if (atomic_fetch_sub(&group->left, last - first) != last - first) continue;
        if (atomic_load(&run->over)) {
            end_all(run);
            return;
        }
        /* A group whose games have all ended rests. */
        if (atomic_load(&group->rows[0]) + atomic_load(&group->rows[1]) > 0) hand_over(run, group);
        return;
    }
}

static bool work(void *ctx, int thread) {
    struct run *run = ctx;
    if (thread < run->wanted->eval_threads) {
        while (serve(run)) {
        }
        return false;
    }
    int index = thread - run->wanted->eval_threads;
    struct yo_netplay_scratch *scratch = &run->scratch[index];
    struct group *group;
    while ((group = find_work(run, index % run->group_count))) {
        work_on(run, group, scratch);
        add_counts(run, scratch);
    }
    add_counts(run, scratch);
    return false;
}

/* ---- making and ending ---- */

static enum yo_err make_group(struct run *run, struct group *group, int size, int count,
                              struct yo_diag *diag) {
    group->size = size;
    group->games = yo_alloc((size_t)count, sizeof *group->games);
    if (!group->games) return YO_ERR_NOMEM;
    group->count = count;
    atomic_init(&group->left, count);
    for (int i = 0; i < count; i++) {
        enum yo_err err =
            yo_netplay_game_init(&group->games[i], &run->settings, size, run->largest);
        if (!err) err = begin(run, group, &group->games[i], diag);
        if (err) return err;
    }
    enum yo_err err = YO_OK;
    for (int i = 0; i < run->nets && !err; i++) {
        err = yo_net_runner_new(&run->programs[i], count, &group->runners[i], diag);
        if (!err) err = yo_net_runner_start(group->runners[i], size, diag);
    }
    return err;
}

static enum yo_err make_all(struct run *run, struct yo_diag *diag) {
    const struct yo_netplay_run *wanted = run->wanted;
    run->scratch = yo_alloc((size_t)wanted->threads, sizeof *run->scratch);
    if (!run->scratch) return YO_ERR_NOMEM;
    for (int i = 0; i < wanted->size_count; i++)
        if (wanted->sizes[i] > run->largest) run->largest = wanted->sizes[i];
    for (int i = 0; i < wanted->threads; i++)
        if (yo_netplay_scratch_init(&run->scratch[i], &run->settings, run->largest))
            return YO_ERR_NOMEM;
    atomic_store(&run->active, wanted->at_once);
    for (int i = 0, games = wanted->at_once; i < wanted->groups; i++) {
        int count = games / (wanted->groups - i);
        struct group *group = &run->groups[run->group_count++];
        enum yo_err err =
            make_group(run, group, wanted->sizes[i % wanted->size_count], count, diag);
        if (err) return err;
        games -= count;
    }
    return YO_OK;
}

static enum yo_err play_all(struct run *run, struct yo_diag *diag) {
    int threads = run->wanted->threads + run->wanted->eval_threads;
    struct yo_pool *pool;
    enum yo_err err = yo_pool_new(threads, &pool, diag);
    if (err) return err;
    struct yo_job job = {.run = work, .ctx = run, .threads = threads};
    yo_pool_submit(pool, &job);
    yo_pool_wait(pool, &job);
    yo_pool_delete(pool);
    if (run->err) *diag = run->diag;
    return run->err;
}

/* Games that were in progress, and those that were pending and found no place. */
static enum yo_err save_pending(struct run *run, struct yo_diag *diag) {
    struct yo_buf bytes = {0};
    enum yo_err err = YO_OK;
    for (int i = 0; i < run->group_count; i++)
        for (int k = 0; k < run->groups[i].count && !err; k++)
            if (run->groups[i].games[k].game)
                err = yo_netplay_record_write(&run->groups[i].games[k].record, &bytes);
    for (size_t i = 0; i < run->store.pending_count && !err; i++)
        err = yo_netplay_record_write(&run->store.pending[i], &bytes);
    if (err)
        yo_diag_set(diag, err, "not enough memory for unfinished games");
    else
        err = yo_netplay_store_save(&run->store, &bytes, diag);
    yo_buf_free(&bytes);
    return err;
}

static void delete_run(struct run *run) {
    for (int i = 0; i < run->group_count; i++) {
        for (int k = 0; k < run->groups[i].count; k++)
            yo_netplay_game_free(&run->groups[i].games[k]);
        yo_free(run->groups[i].games);
        yo_net_runner_delete(run->groups[i].runners[0]);
        yo_net_runner_delete(run->groups[i].runners[1]);
    }
    for (int i = 0; run->scratch && i < run->wanted->threads; i++)
        yo_netplay_scratch_free(&run->scratch[i]);
    yo_free(run->scratch);
    yo_netplay_store_close(&run->store);
    yo_net_program_free(&run->programs[0]);
    yo_net_program_free(&run->programs[1]);
    pthread_mutex_destroy(&run->lock);
    pthread_cond_destroy(&run->filled);
    pthread_cond_destroy(&run->answered);
    yo_free(run);
}

static enum yo_err compile_nets(struct run *run, struct yo_diag *diag) {
    const struct yo_netplay_run *wanted = run->wanted;
    struct yo_net *nets[2] = {wanted->net, wanted->other};
    enum yo_err err = YO_OK;
    run->nets = wanted->settings.match ? 2 : 1;
    for (int i = 0; i < run->nets && !err; i++)
        err = yo_net_program_init(
            &run->programs[i], nets[i],
            i && wanted->other_backend ? wanted->other_backend : wanted->backend, diag);
    if (err) return err;
    run->settings.coding = run->programs[0].game;
    assert(run->settings.coding->kept_words <= YO_NETPLAY_KEPT_MAX);
    return YO_OK;
}

enum yo_err yo_netplay_run(const struct yo_netplay_run *wanted, struct yo_netplay_counts *counts,
                           struct yo_diag *diag) {
    struct run *run = yo_alloc(1, sizeof *run);
    if (!run) return yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory");
    run->wanted = wanted;
    run->settings = wanted->settings;
    run->store.fd = -1;
    run->reported_ms = yo_time_ms();
    pthread_mutex_init(&run->lock, NULL);
    pthread_cond_init(&run->filled, NULL);
    pthread_cond_init(&run->answered, NULL);
    enum yo_err err = compile_nets(run, diag);
    if (!err) err = yo_netplay_store_open(&run->store, wanted->path, diag);
    if (!err) {
        err = make_all(run, diag);
        if (err == YO_ERR_NOMEM)
            yo_diag_set(diag, err, "not enough memory for %d games", wanted->at_once);
        if (!err) err = play_all(run, diag);
        struct yo_diag unsaved;
        enum yo_err saved = save_pending(run, &unsaved);
        if (!err && saved) *diag = unsaved;
        if (!err) err = saved;
    }
    *counts = run->counts;
    if (wanted->progress) wanted->progress(wanted->user, counts);
    delete_run(run);
    return err;
}
