#include "learn/netplay/run.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "base/diag.h"
#include "base/time.h"
#include "learn/netplay/crew.h"

/* A GPU wants few large batches, of which two or three are on their way; a CPU has a batch for each
 * core. */
void yo_netplay_run_fit(struct yo_netplay_run *run) {
    bool gpu = strcmp(run->backend->name, "cuda") == 0;
    int cores = yo_cpu_count();
    if (run->threads == 0) run->threads = cores;
    if (run->eval_threads == 0) run->eval_threads = gpu ? 2 : cores;
    if (run->groups == 0) run->groups = gpu ? 4 : 2 * cores;
    if (run->groups < run->size_count) run->groups = run->size_count;
    if (run->groups > YO_NETPLAY_GROUPS_MAX) run->groups = YO_NETPLAY_GROUPS_MAX;
    /* 528 boards of 9x9 fill 132 multiprocessors once; more games at once take longer to end. */
    if (run->at_once == 0) run->at_once = gpu ? 528 * run->groups : 16 * run->groups;
    /* Few games are spread over all batches. */
    if (run->games > 0 && run->games < (uint64_t)run->at_once) run->at_once = (int)run->games;
    if (run->groups > run->at_once) run->groups = run->at_once;
}

static enum yo_err make_group(struct yo_netplay_crew *crew, struct yo_netplay_group *group,
                              int size, int count, struct yo_diag *diag) {
    group->size = size;
    group->games = yo_alloc((size_t)count, sizeof *group->games);
    if (!group->games) return YO_ERR_NOMEM;
    group->count = count;
    atomic_init(&group->left, count);
    for (int i = 0; i < count; i++) {
        enum yo_err err =
            yo_netplay_game_init(&group->games[i], &crew->settings, size, crew->largest);
        if (!err) err = yo_netplay_crew_begin(crew, group, &group->games[i], diag);
        if (err) return err;
    }
    enum yo_err err = YO_OK;
    for (int i = 0; i < crew->nets && !err; i++) {
        err = yo_net_runner_new(&crew->programs[i], count, &group->runners[i], diag);
        if (!err) err = yo_net_runner_start(group->runners[i], size, diag);
    }
    return err;
}

static enum yo_err make_all(struct yo_netplay_crew *crew, struct yo_diag *diag) {
    const struct yo_netplay_run *wanted = crew->wanted;
    crew->scratch = yo_alloc((size_t)wanted->threads, sizeof *crew->scratch);
    if (!crew->scratch) return YO_ERR_NOMEM;
    for (int i = 0; i < wanted->size_count; i++)
        if (wanted->sizes[i] > crew->largest) crew->largest = wanted->sizes[i];
    for (int i = 0; i < wanted->threads; i++)
        if (yo_netplay_scratch_init(&crew->scratch[i], &crew->settings, crew->largest))
            return YO_ERR_NOMEM;
    atomic_store(&crew->active, wanted->at_once);
    for (int i = 0, games = wanted->at_once; i < wanted->groups; i++) {
        int count = games / (wanted->groups - i);
        struct yo_netplay_group *group = &crew->groups[crew->group_count++];
        enum yo_err err =
            make_group(crew, group, wanted->sizes[i % wanted->size_count], count, diag);
        if (err) return err;
        games -= count;
    }
    return YO_OK;
}

/* Games that were in progress, and those that were pending and found no place. */
static enum yo_err save_pending(struct yo_netplay_crew *crew, struct yo_diag *diag) {
    struct yo_buf bytes = {0};
    enum yo_err err = YO_OK;
    for (int i = 0; i < crew->group_count; i++)
        for (int k = 0; k < crew->groups[i].count && !err; k++)
            if (crew->groups[i].games[k].game)
                err = yo_netplay_record_write(&crew->groups[i].games[k].record, &bytes);
    for (size_t i = 0; i < crew->store.pending_count && !err; i++)
        err = yo_netplay_record_write(&crew->store.pending[i], &bytes);
    if (err)
        yo_diag_set(diag, err, "not enough memory for unfinished games");
    else
        err = yo_netplay_store_save(&crew->store, &bytes, diag);
    yo_buf_free(&bytes);
    return err;
}

static void delete_crew(struct yo_netplay_crew *crew) {
    for (int i = 0; i < crew->group_count; i++) {
        for (int k = 0; k < crew->groups[i].count; k++)
            yo_netplay_game_free(&crew->groups[i].games[k]);
        yo_free(crew->groups[i].games);
        yo_net_runner_delete(crew->groups[i].runners[0]);
        yo_net_runner_delete(crew->groups[i].runners[1]);
    }
    for (int i = 0; crew->scratch && i < crew->wanted->threads; i++)
        yo_netplay_scratch_free(&crew->scratch[i]);
    yo_free(crew->scratch);
    yo_netplay_store_close(&crew->store);
    yo_net_program_free(&crew->programs[0]);
    yo_net_program_free(&crew->programs[1]);
    pthread_mutex_destroy(&crew->lock);
    pthread_cond_destroy(&crew->filled);
    pthread_cond_destroy(&crew->answered);
    yo_free(crew);
}

static enum yo_err compile_nets(struct yo_netplay_crew *crew, struct yo_diag *diag) {
    const struct yo_netplay_run *wanted = crew->wanted;
    struct yo_net *nets[2] = {wanted->net, wanted->other};
    enum yo_err err = YO_OK;
    crew->nets = wanted->settings.match ? 2 : 1;
    for (int i = 0; i < crew->nets && !err; i++)
        err = yo_net_program_init(
            &crew->programs[i], nets[i],
            i && wanted->other_backend ? wanted->other_backend : wanted->backend, diag);
    if (err) return err;
    crew->settings.coding = crew->programs[0].game;
    assert(crew->settings.coding->kept_words <= YO_NETPLAY_KEPT_MAX);
    return YO_OK;
}

enum yo_err yo_netplay_run(const struct yo_netplay_run *wanted, struct yo_netplay_counts *counts,
                           struct yo_diag *diag) {
    struct yo_netplay_crew *crew = yo_alloc(1, sizeof *crew);
    if (!crew) return yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory");
    crew->wanted = wanted;
    crew->settings = wanted->settings;
    crew->store.fd = -1;
    crew->reported_ms = yo_time_ms();
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->filled, NULL);
    pthread_cond_init(&crew->answered, NULL);
    enum yo_err err = compile_nets(crew, diag);
    if (!err) err = yo_netplay_store_open(&crew->store, wanted->path, diag);
    if (!err) {
        err = make_all(crew, diag);
        if (err == YO_ERR_NOMEM)
            yo_diag_set(diag, err, "not enough memory for %d games", wanted->at_once);
        if (!err) err = yo_netplay_crew_play(crew, diag);
        struct yo_diag unsaved;
        enum yo_err saved = save_pending(crew, &unsaved);
        if (!err && saved) *diag = unsaved;
        if (!err) err = saved;
    }
    *counts = crew->counts;
    counts->unfinished = (uint64_t)atomic_load(&crew->active);
    if (wanted->progress) wanted->progress(wanted->user, counts);
    delete_crew(crew);
    return err;
}
