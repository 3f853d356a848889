#include "eval/combine/mix.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/random.h"

enum {
    JOBS = 64,  /* batches in flight; a further one waits */
    ITEMS = 512 /* of a batch */
};

struct mix;

/* A batch in flight: the items once for each evaluator, with the results of the caller's items. */
struct job {
    struct mix *mix;
    struct yo_eval_batch *outer; /* NULL: the job is free */
    struct yo_eval_batch inner[2];
    struct yo_eval_item items[2][ITEMS];
    int running;  /* under the lock */
    bool sent[2]; /* submit took it */
};

struct mix {
    const struct yo_game_ops *game;
    struct yo_eval part[2]; /* network, playouts */
    struct yo_eval_mix_options options;
    pthread_mutex_t lock;
    pthread_cond_t finished; /* a batch, and so a job */
    struct job *jobs[JOBS];
    int job_count;
};

static void describe(void *ctx, int playout_policy, struct yo_eval_about *about) {
    (void)playout_policy;
    const struct mix *mix = ctx;
    struct yo_eval_about playouts;
    mix->part[0].ops->describe(mix->part[0].ctx, 0, about);
    mix->part[1].ops->describe(mix->part[1].ctx, mix->options.playout_policy, &playouts);
    char name[sizeof about->name];
    snprintf(name, sizeof name, "%.50s, %.0f%% playouts by %.20s", about->name,
             100 * (double)mix->options.lambda, playouts.name);
    memcpy(about->name, name, sizeof name);
    if (!about->batch_max || about->batch_max > ITEMS) about->batch_max = ITEMS;
    if (about->batch > about->batch_max) about->batch = about->batch_max;
    about->exact = about->at_once = false;
}

/* ---- the value ---- */

static void mix_value(const struct mix *mix, const struct yo_eval_playouts *p, int side,
                      struct yo_eval_value *value) {
    float lambda = mix->options.lambda, own = 1 - lambda, games = (float)p->games;
    if (p->games == 0) return;
    float first = (float)p->half_wins_first / (2 * games);
    float z = side == 0 ? first : 1 - first;
    float points = (side == 0 ? 0.5f : -0.5f) * (float)p->score2_first / games;
    float square = 0.25f * (float)p->score2_squared / games;
    float mean = own * value->score_mean + lambda * points;
    float second =
        own * (value->score_mean * value->score_mean + value->score_stdev * value->score_stdev) +
        lambda * square;
    value->win = own * value->win + lambda * z; /* z counts a draw as half a win */
    value->draw *= own;
    value->score_mean = mean;
    value->score_stdev = second > mean * mean ? sqrtf(second - mean * mean) : 0;
    value->score_lead = own * value->score_lead + lambda * points;
}

static void mix_results(const struct job *job) {
    const struct mix *mix = job->mix;
    for (size_t i = 0; i < job->outer->item_count; i++) {
        const struct yo_eval_item *item = &job->outer->items[i];
        int side = mix->game->side_to_move(item->position) ^ (item->children != NULL);
        for (size_t j = 0; (item->want & YO_EVAL_VALUE) && j < yo_eval_result_count(item); j++)
            mix_value(mix, &item->results[j].playouts, side, &item->results[j].value);
    }
}

/* ---- jobs ---- */

static enum yo_err outcome(struct job *job) {
    for (int i = 0; i < 2; i++) {
        if (!job->inner[i].err) continue;
        job->outer->diag = job->inner[i].diag;
        return job->inner[i].err;
    }
    mix_results(job);
    return YO_OK;
}

/* Drops one reference to the job; the last one finishes the batch and frees the job. */
static void release(struct job *job) {
    struct mix *mix = job->mix;
    pthread_mutex_lock(&mix->lock);
    if (--job->running > 0) {
        pthread_mutex_unlock(&mix->lock);
        return;
    }
    struct yo_eval_batch *outer = job->outer;
    outer->err = outcome(job);
    void (*done)(struct yo_eval_batch *) = outer->done;
    job->outer = NULL;
    /* A caller that polls may free the batch from here on. */
    if (!done) atomic_store_explicit(&outer->finished, true, memory_order_release);
    pthread_cond_broadcast(&mix->finished);
    pthread_mutex_unlock(&mix->lock);
    if (done) done(outer);
}

static void inner_done(struct yo_eval_batch *inner) { release(inner->user); }

/* Waits until a job is free. Jobs finish without the threads that wait here. */
static struct job *take_job(struct mix *mix, struct yo_eval_batch *outer) {
    struct job *found = NULL;
    pthread_mutex_lock(&mix->lock);
    while (!found) {
        for (int i = 0; i < mix->job_count && !found; i++)
            if (!mix->jobs[i]->outer) found = mix->jobs[i];
        if (!found) pthread_cond_wait(&mix->finished, &mix->lock);
    }
    found->outer = outer;
    found->running = 2;
    found->sent[0] = found->sent[1] = false;
    pthread_mutex_unlock(&mix->lock);
    return found;
}

static void fill(struct job *job, int which) {
    const struct mix *mix = job->mix;
    const struct yo_eval_batch *outer = job->outer;
    struct yo_eval_batch *inner = &job->inner[which];
    *inner = (struct yo_eval_batch){.items = job->items[which], .done = inner_done, .user = job};
    for (size_t i = 0; i < outer->item_count; i++) {
        const struct yo_eval_item *item = &outer->items[i];
        if (which == 1 && !(item->want & YO_EVAL_VALUE)) continue;
        struct yo_eval_item *copy = &inner->items[inner->item_count++];
        *copy = *item;
        if (which == 0) continue;
        copy->want = YO_EVAL_PLAYOUTS;
        copy->playout_policy = mix->options.playout_policy;
        copy->playouts = mix->options.playouts;
        copy->seed = mix->options.seed ^ mix->game->hash(item->position);
        copy->first_game = 0;
        for (size_t j = 0; j < yo_eval_result_count(item); j++)
            item->results[j].playouts = (struct yo_eval_playouts){0};
    }
}

/* ---- the interface ---- */

static enum yo_err submit(void *ctx, struct yo_eval_batch *batch, struct yo_diag *diag) {
    struct mix *mix = ctx;
    if (batch->item_count > ITEMS)
        return yo_diag_set(diag, YO_ERR_RANGE, "more than %d positions in a batch", (int)ITEMS);
    for (size_t i = 0; i < batch->item_count; i++)
        if (batch->items[i].want & YO_EVAL_PLAYOUTS)
            return yo_diag_set(diag, YO_ERR_UNSUPPORTED, "playouts are part of the value");
    atomic_store(&batch->finished, false);
    struct job *job = take_job(mix, batch);
    memcpy(batch->work, &job, sizeof job);
    fill(job, 0);
    fill(job, 1);
    job->sent[0] = true;
    job->sent[1] = job->inner[1].item_count > 0;
    enum yo_err err = mix->part[0].ops->submit(mix->part[0].ctx, &job->inner[0], diag);
    if (err) { /* the batch was never submitted */
        pthread_mutex_lock(&mix->lock);
        job->outer = NULL;
        pthread_cond_broadcast(&mix->finished);
        pthread_mutex_unlock(&mix->lock);
        return err;
    }
    /* The network's half is in flight: the batch will finish, with an error of the second. Once the
     * second is submitted the job belongs to the evaluators. */
    struct yo_eval_batch *second = &job->inner[1];
    bool any = second->item_count > 0;
    if (any) err = mix->part[1].ops->submit(mix->part[1].ctx, second, &second->diag);
    if (any && !err) return YO_OK;
    second->err = err;
    job->sent[1] = false;
    release(job);
    return YO_OK;
}

static bool poll_batch(void *ctx, struct yo_eval_batch *batch) {
    (void)ctx;
    return atomic_load_explicit(&batch->finished, memory_order_acquire);
}

static enum yo_err wait_batch(void *ctx, struct yo_eval_batch *batch) {
    struct mix *mix = ctx;
    pthread_mutex_lock(&mix->lock);
    while (!poll_batch(ctx, batch))
        pthread_cond_wait(&mix->finished, &mix->lock);
    pthread_mutex_unlock(&mix->lock);
    return batch->err;
}

/* Holds a reference while it cancels both halves, since they may finish meanwhile. */
static void cancel(void *ctx, struct yo_eval_batch *batch) {
    struct mix *mix = ctx;
    struct job *job;
    memcpy(&job, batch->work, sizeof job);
    pthread_mutex_lock(&mix->lock);
    bool ours = job->outer == batch;
    if (ours) job->running++;
    pthread_mutex_unlock(&mix->lock);
    if (!ours) return;
    for (int i = 0; i < 2; i++)
        if (job->sent[i]) mix->part[i].ops->cancel(mix->part[i].ctx, &job->inner[i]);
    release(job);
}

static void destroy(void *ctx) {
    struct mix *mix = ctx;
    pthread_mutex_lock(&mix->lock);
    for (int i = 0; i < mix->job_count; i++)
        while (mix->jobs[i]->outer)
            pthread_cond_wait(&mix->finished, &mix->lock);
    pthread_mutex_unlock(&mix->lock);
    for (int i = 0; i < mix->job_count; i++)
        yo_free(mix->jobs[i]);
    pthread_cond_destroy(&mix->finished);
    pthread_mutex_destroy(&mix->lock);
    yo_free(mix);
}

static const struct yo_eval_ops mix_ops = {
    .describe = describe,
    .submit = submit,
    .poll = poll_batch,
    .wait = wait_batch,
    .cancel = cancel,
    .destroy = destroy,
};

enum yo_err yo_eval_mix_new(const struct yo_game_ops *game, struct yo_eval net,
                            struct yo_eval playouts, const struct yo_eval_mix_options *options,
                            struct yo_eval *eval, struct yo_diag *diag) {
    struct mix *mix = yo_alloc(1, sizeof *mix);
    if (!mix) return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    mix->game = game;
    mix->part[0] = net;
    mix->part[1] = playouts;
    mix->options = *options;
    if (mix->options.playouts == 0) mix->options.playouts = 1;
    pthread_mutex_init(&mix->lock, NULL);
    pthread_cond_init(&mix->finished, NULL);
    for (; mix->job_count < JOBS; mix->job_count++) {
        struct job *job = mix->jobs[mix->job_count] = yo_alloc(1, sizeof *job);
        if (!job) {
            destroy(mix);
            return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
        }
        job->mix = mix;
    }
    *eval = (struct yo_eval){&mix_ops, mix};
    return YO_OK;
}
