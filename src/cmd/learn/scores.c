/* yomi learn scores: training positions with the scores of a network with a policy, of searches
 * with it, or of alpha-beta. */
#include <stdio.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cpu.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/time.h"
#include "cmd/command.h"
#include "cmd/learn/learn.h"
#include "engine/shogi_guided.h"
#include "eval/net/choice.h"
#include "eval/net/evaluator.h"
#include "eval/net/game.h"
#include "eval/shogi/net_open.h"
#include "game/shogi/game_ops.h"
#include "game/shogi/packed.h"
#include "learn/netplay/values.h"
#include "learn/scores.h"
#include "learn/searched.h"

struct network {
    struct yo_net *net;
    const struct yo_net_backend *backend;
};

static enum yo_err open_network(const struct yo_options *o, struct network *n,
                                struct yo_diag *diag) {
    const char *name = yo_options_text(o, "net");
    enum yo_err err = yo_shogi_guide_load(name, &n->net, diag);
    if (err) return err;
    if (yo_net_game(n->net)->game != &yo_shogi_ops) {
        err = yo_diag_set(diag, YO_ERR_ARGUMENT, "%.150s is no network for shogi", name);
    } else {
        n->backend = yo_net_choose_named(&n->net->graph, yo_options_text(o, "backend"), diag);
        if (!n->backend) err = YO_ERR_ARGUMENT;
    }
    if (err) yo_net_delete(n->net);
    return err;
}

struct watch {
    struct yo_progress progress;
    size_t before, total; /* samples of the files before this one; of all */
};

static void tell(void *user, size_t done) {
    struct watch *w = user;
    done += w->before;
    yo_progress_say(&w->progress, (double)done, (double)w->total, "%zu of %zu positions", done,
                    w->total);
}

static void tell_searches(void *user, const struct yo_netplay_counts *counts) {
    tell(user, counts->games);
}

/* Only whole samples are read; a file of self-play that was killed may end in half a one. */
static enum yo_err read_samples(const char *path, struct yo_buf *samples, struct yo_diag *diag) {
    struct yo_buf bytes = {0};
    enum yo_err err = yo_file_read(path, &bytes, diag);
    if (!err)
        yo_buf_add(samples, yo_buf_text(&bytes), bytes.len / YO_SHOGI_SAMPLE * YO_SHOGI_SAMPLE);
    yo_buf_free(&bytes);
    if (!err && yo_buf_status(samples)) err = yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    return err;
}

/* ---- three ways to score ---- */

struct scoring {
    const struct yo_options *options;
    uint8_t *samples;
    const size_t *ends; /* of each file's samples, by its argument */
    struct yo_scores_mix mix;
    struct watch watch;
};

/* By the network alone; takes it over. */
static enum yo_err by_value(struct scoring *s, const struct network *n, struct yo_diag *diag) {
    const struct yo_options *o = s->options;
    struct yo_eval eval;
    struct yo_net_eval_options options = {.backend = n->backend,
                                          .threads = (int)yo_options_int(o, "threads"),
                                          .notices = yo_cmd_notices};
    enum yo_err err = yo_net_eval_new(n->net, &options, &eval, diag);
    if (err) return err;
    for (size_t i = 1; !err && yo_options_argument(o, i); i++) {
        err = yo_scores_replace(eval, &s->mix, s->samples + s->watch.before * YO_SHOGI_SAMPLE,
                                s->ends[i] - s->watch.before, yo_options_argument(o, i), tell,
                                &s->watch, diag);
        s->watch.before = s->ends[i];
    }
    eval.ops->destroy(eval.ctx);
    return err;
}

/* By searches with it. */
static enum yo_err by_search(struct scoring *s, const struct network *n, struct yo_diag *diag) {
    const struct yo_options *o = s->options;
    unsigned visits = (unsigned)yo_options_int(o, "visits");
    struct yo_netplay_run how = {.net = n->net,
                                 .backend = n->backend,
                                 .threads = (int)yo_options_int(o, "threads"),
                                 .notices = yo_cmd_notices,
                                 .progress = tell_searches,
                                 .user = &s->watch};
    float *chances = yo_alloc(s->watch.total, sizeof *chances);
    enum yo_err err = chances ? YO_OK : yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    for (size_t i = 1; !err && yo_options_argument(o, i); i++) {
        uint8_t *first = s->samples + s->watch.before * YO_SHOGI_SAMPLE;
        size_t count = s->ends[i] - s->watch.before;
        err =
            yo_netplay_values(&how, visits, first, count, yo_options_argument(o, i), chances, diag);
        if (!err) yo_scores_mix_in(&s->mix, chances, first, count);
        s->watch.before = s->ends[i];
    }
    yo_free(chances);
    return err;
}

/* By the value of a network with a policy, or by searches with it. */
static enum yo_err by_network(struct scoring *s, struct yo_diag *diag) {
    struct network network;
    enum yo_err err = open_network(s->options, &network, diag);
    if (err) return err;
    if (yo_options_int(s->options, "visits") == 1) return by_value(s, &network, diag);
    err = by_search(s, &network, diag);
    yo_net_delete(network.net);
    return err;
}

/* By searches of alpha-beta. */
static enum yo_err by_alphabeta(struct scoring *s, struct yo_diag *diag) {
    const struct yo_options *o = s->options;
    struct yo_shogi_net *net = NULL;
    struct yo_searched_how how = {.nodes = (uint64_t)yo_options_int(o, "nodes"),
                                  .share = s->mix.share,
                                  .threads = (int)yo_options_int(o, "threads"),
                                  .told = tell,
                                  .user = &s->watch};
    if (how.threads == 0) how.threads = yo_cpu_count();
    enum yo_err err = yo_shogi_net_open(yo_options_text(o, "eval"), &net, diag);
    how.net = net;
    for (size_t i = 1; !err && yo_options_argument(o, i); i++) {
        err = yo_searched_scores(&how, s->samples + s->watch.before * YO_SHOGI_SAMPLE,
                                 s->ends[i] - s->watch.before, yo_options_argument(o, i), diag);
        s->watch.before = s->ends[i];
    }
    yo_shogi_net_delete(net);
    return err;
}

static enum yo_err score_files(const struct yo_options *o, struct yo_buf *samples,
                               const size_t *ends, struct yo_diag *diag) {
    int64_t started_ms = yo_time_ms();
    struct scoring s = {
        .options = o,
        .samples = (uint8_t *)samples->data,
        .ends = ends,
        .mix = {.scale = yo_options_real(o, "scale"), .share = yo_options_real(o, "share")},
        .watch.total = samples->len / YO_SHOGI_SAMPLE};
    enum yo_err err = yo_options_int(o, "nodes") ? by_alphabeta(&s, diag) : by_network(&s, diag);
    yo_progress_hide(&s.watch.progress);
    if (!err)
        printf("%zu positions in %.1f s\n", s.watch.total,
               1e-3 * (double)(yo_time_ms() - started_ms));
    return err;
}

enum yo_err yo_learn_scores(const struct yo_options *o, struct yo_diag *diag) {
    const char *out = yo_options_text(o, "out");
    struct yo_buf samples = {0};
    static const char *const of_net[] = {"visits", "net", "backend", NULL};
    static const char *const of_search[] = {"eval", NULL};
    bool searches = yo_options_int(o, "nodes") != 0;
    enum yo_err err =
        yo_options_refuse(o, searches ? of_net : of_search,
                          searches ? "learn scores with --nodes, which goes with --eval"
                                   : "learn scores without --nodes",
                          diag);
    if (err) return err;
    if (!out) return yo_diag_set(diag, YO_ERR_ARGUMENT, "give --out, the file of the positions");
    err = yo_file_can_replace(out, diag);
    size_t *ends = yo_alloc(o->argument_count, sizeof *ends);
    if (!err && !ends) err = yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    for (size_t i = 1; !err && yo_options_argument(o, i); i++) {
        err = read_samples(yo_options_argument(o, i), &samples, diag);
        ends[i] = samples.len / YO_SHOGI_SAMPLE;
    }
    if (!err && samples.len == 0)
        err = yo_diag_set(diag, YO_ERR_STATE, "there is no position to score");
    if (!err) err = score_files(o, &samples, ends, diag);
    if (!err) err = yo_file_replace(out, yo_buf_text(&samples), samples.len, diag);
    yo_free(ends);
    yo_buf_free(&samples);
    return err;
}
