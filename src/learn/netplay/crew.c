#include "learn/netplay/crew.h"

#include "base/diag.h"
#include "base/pool.h"
#include "base/time.h"
#include "learn/netplay/visit.h"

enum { CHUNK = 8, REPORT_MS = 1000 };

static void end_all(struct yo_netplay_crew *crew) {
    pthread_mutex_lock(&crew->lock);
    atomic_store(&crew->over, 1);
    pthread_cond_broadcast(&crew->filled);
    pthread_cond_broadcast(&crew->answered);
    pthread_mutex_unlock(&crew->lock);
}

static void fail(struct yo_netplay_crew *crew, enum yo_err err, const struct yo_diag *diag) {
    pthread_mutex_lock(&crew->lock);
    if (!crew->err) {
        crew->err = err;
        crew->diag = *diag;
    }
    pthread_mutex_unlock(&crew->lock);
    end_all(crew);
}

/* ---- games ---- */

/* A pending game of this size, taken out of the store; false if there is none. */
static bool take_pending(struct yo_netplay_crew *crew, int size, struct yo_netplay_record *taken) {
    const struct yo_netplay_rules *rules = crew->wanted->settings.rules;
    bool found = false;
    pthread_mutex_lock(&crew->lock);
    for (size_t i = 0; i < crew->store.pending_count && !found; i++) {
        struct yo_netplay_record *record = &crew->store.pending[i];
        found = record->game == rules->id && rules->size(record->setup, record->setup_size) == size;
        if (!found) continue;
        *taken = *record;
        *record = crew->store.pending[--crew->store.pending_count];
    }
    pthread_mutex_unlock(&crew->lock);
    return found;
}

enum yo_err yo_netplay_crew_begin(struct yo_netplay_crew *crew,
                                  const struct yo_netplay_group *group, struct yo_netplay_game *g,
                                  struct yo_diag *diag) {
    struct yo_netplay_record record;
    struct yo_diag damaged;
    while (take_pending(crew, group->size, &record)) {
        enum yo_err err = yo_netplay_game_resume(g, &record, &damaged);
        yo_netplay_record_free(&record);
        if (!err) return YO_OK;
    }
    uint64_t begun = atomic_fetch_add(&crew->begun, 1);
    if (crew->wanted->games == 0 || begun < crew->wanted->games)
        return yo_netplay_game_begin(g, crew->store.next + begun, crew->wanted->net_id, diag);
    if (atomic_fetch_sub(&crew->active, 1) == 1) atomic_store(&crew->over, 1);
    return YO_OK;
}

static enum yo_err keep(struct yo_netplay_crew *crew, struct yo_netplay_game *g,
                        struct yo_netplay_scratch *scratch, struct yo_diag *diag) {
    if (crew->wanted->ended) crew->wanted->ended(crew->wanted->user, &g->record);
    if (!crew->wanted->path) return YO_OK;
    yo_buf_clear(&scratch->bytes);
    if (yo_netplay_record_write(&g->record, &scratch->bytes))
        return yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory for a record");
    return yo_netplay_store_append(&crew->store, &scratch->bytes, diag);
}

/* From one answer to the next question. */
static enum yo_err step(struct yo_netplay_crew *crew, struct yo_netplay_group *group,
                        struct yo_netplay_game *g, struct yo_netplay_scratch *scratch,
                        struct yo_diag *diag) {
    enum yo_err err = YO_OK;
    if (!g->game) return YO_OK;
    if (g->waiting) {
        const struct yo_net_program *program = &crew->programs[g->net];
        struct yo_net_raw raw = yo_net_runner_raw_of(group->runners[g->net], g->row, g->symmetry);
        yo_netplay_visit_answer(g, program->game, program->net, &raw, scratch);
    }
    while (!err && g->game) {
        bool ended;
        err = yo_netplay_game_go_on(g, scratch, &ended, diag);
        if (err || !ended) break;
        err = keep(crew, g, scratch, diag);
        if (!err) err = yo_netplay_crew_begin(crew, group, g, diag);
    }
    if (err || !g->game) return err;
    struct yo_net_runner *runner = group->runners[g->net];
    g->row = atomic_fetch_add_explicit(&group->rows[g->net], 1, memory_order_relaxed);
    if (crew->settings.coding->input_kept) {
        struct yo_net_kept kept = {.now = g->kept, .memory = g->memory};
        yo_netplay_visit_was(g, kept.was);
        yo_net_runner_put_kept(runner, g->row, scratch->leaf, g->symmetry, &kept);
    } else {
        yo_net_runner_put(runner, g->row, scratch->leaf, g->symmetry);
    }
    yo_net_runner_want(runner, g->row, g->entries, g->move_count);
    return YO_OK;
}

/* ---- batches ---- */

static void hand_over(struct yo_netplay_crew *crew, struct yo_netplay_group *group) {
    for (int i = 0; i < crew->nets; i++)
        yo_net_runner_resize(group->runners[i], atomic_load(&group->rows[i]));
    pthread_mutex_lock(&crew->lock);
    group->in_batch = true;
    group->after = NULL;
    if (crew->last)
        crew->last->after = group;
    else
        crew->first = group;
    crew->last = group;
    pthread_cond_signal(&crew->filled);
    pthread_mutex_unlock(&crew->lock);
}

static void report(struct yo_netplay_crew *crew) {
    const struct yo_netplay_run *wanted = crew->wanted;
    if (wanted->progress) wanted->progress(wanted->user, &crew->counts);
    crew->reported_ms = yo_time_ms();
}

static enum yo_err run_batch(struct yo_netplay_crew *crew, struct yo_netplay_group *group,
                             struct yo_diag *diag) {
    for (int i = 0; i < crew->nets; i++) {
        enum yo_err err =
            yo_net_runner_run(group->runners[i], YO_EVAL_VALUE | YO_EVAL_POLICY, diag);
        if (err) return err;
        const struct yo_net_backend *backend = crew->programs[i].backend;
        if (backend->notify) backend->notify(crew->programs[i].program, &crew->wanted->notices);
    }
    return YO_OK;
}

static bool serve(struct yo_netplay_crew *crew) {
    pthread_mutex_lock(&crew->lock);
    while (!crew->first && !atomic_load(&crew->over))
        pthread_cond_wait(&crew->filled, &crew->lock);
    struct yo_netplay_group *group = atomic_load(&crew->over) ? NULL : crew->first;
    if (group) {
        crew->first = group->after;
        if (!crew->first) crew->last = NULL;
    }
    if (group && yo_time_ms() - crew->reported_ms >= REPORT_MS) report(crew);
    pthread_mutex_unlock(&crew->lock);
    if (!group) return false;

    struct yo_diag diag;
    enum yo_err err = run_batch(crew, group, &diag);
    if (err) {
        fail(crew, err, &diag);
        return false;
    }
    for (int i = 0; i < crew->nets; i++)
        atomic_store(&group->rows[i], 0);
    atomic_store(&group->left, group->count);
    pthread_mutex_lock(&crew->lock);
    group->in_batch = false;
    atomic_store(&group->next, 0);
    pthread_cond_broadcast(&crew->answered);
    pthread_mutex_unlock(&crew->lock);
    if (crew->wanted->stop && atomic_load(crew->wanted->stop)) end_all(crew);
    return true;
}

/* ---- threads ---- */

static struct yo_netplay_group *find_work(struct yo_netplay_crew *crew, int from) {
    pthread_mutex_lock(&crew->lock);
    struct yo_netplay_group *found = NULL;
    while (!found && !atomic_load(&crew->over)) {
        for (int i = 0; i < crew->group_count && !found; i++) {
            struct yo_netplay_group *group = &crew->groups[(from + i) % crew->group_count];
            if (!group->in_batch && atomic_load(&group->next) < group->count) found = group;
        }
        if (!found) pthread_cond_wait(&crew->answered, &crew->lock);
    }
    pthread_mutex_unlock(&crew->lock);
    return atomic_load(&crew->over) ? NULL : found;
}

static void add_counts(struct yo_netplay_crew *crew, struct yo_netplay_scratch *scratch) {
    pthread_mutex_lock(&crew->lock);
#define X(name) crew->counts.name += scratch->counts.name;
    YO_NETPLAY_COUNTS(X)
#undef X
    pthread_mutex_unlock(&crew->lock);
    scratch->counts = (struct yo_netplay_counts){0};
}

static void work_on(struct yo_netplay_crew *crew, struct yo_netplay_group *group,
                    struct yo_netplay_scratch *scratch) {
    int first;
    while ((first = atomic_fetch_add(&group->next, CHUNK)) < group->count) {
        int last = first + CHUNK < group->count ? first + CHUNK : group->count;
        for (int i = first; i < last; i++) {
            struct yo_diag diag = {0};
            enum yo_err err = step(crew, group, &group->games[i], scratch, &diag);
            if (!err) continue;
            fail(crew, err, &diag);
            return;
        }
        if (atomic_fetch_sub(&group->left, last - first) != last - first) continue;
        if (atomic_load(&crew->over)) {
            end_all(crew);
            return;
        }
        /* A group whose games have all ended rests. */
        if (atomic_load(&group->rows[0]) + atomic_load(&group->rows[1]) > 0) hand_over(crew, group);
        return;
    }
}

static bool work(void *ctx, int thread) {
    struct yo_netplay_crew *crew = ctx;
    if (thread < crew->wanted->eval_threads) {
        while (serve(crew)) {
        }
        return false;
    }
    int index = thread - crew->wanted->eval_threads;
    struct yo_netplay_scratch *scratch = &crew->scratch[index];
    struct yo_netplay_group *group;
    while ((group = find_work(crew, index % crew->group_count))) {
        work_on(crew, group, scratch);
        add_counts(crew, scratch);
    }
    add_counts(crew, scratch);
    return false;
}

enum yo_err yo_netplay_crew_play(struct yo_netplay_crew *crew, struct yo_diag *diag) {
    int threads = crew->wanted->threads + crew->wanted->eval_threads;
    struct yo_pool *pool;
    enum yo_err err = yo_pool_new(threads, &pool, diag);
    if (err) return err;
    struct yo_job job = {.run = work, .ctx = crew, .threads = threads};
    yo_pool_submit(pool, &job);
    yo_pool_wait(pool, &job);
    yo_pool_delete(pool);
    if (crew->err) *diag = crew->diag;
    return crew->err;
}
