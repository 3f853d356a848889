/* yomi learn scores: training positions with the scores of a network. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/time.h"
#include "cmd/command.h"
#include "cmd/learn/learn.h"
#include "engine/shogi_guided.h"
#include "eval/net/choice.h"
#include "eval/net/evaluator.h"
#include "eval/net/game.h"
#include "game/shogi/game_ops.h"
#include "game/shogi/packed.h"
#include "learn/scores.h"

static enum yo_err open_network(const struct yo_options *o, struct yo_eval *eval,
                                struct yo_diag *diag) {
    const char *name = yo_options_text(o, "net");
    struct yo_net *net;
    size_t len;
    const void *builtin = yo_shogi_net_builtin(&len);
    enum yo_err err = strcmp(name, "builtin") == 0 ? yo_net_read(builtin, len, &net, diag)
                                                   : yo_net_open(name, &net, diag);
    if (err) return err;
    struct yo_net_eval_options options = {.threads = (int)yo_options_int(o, "threads"),
                                          .notices = yo_cmd_notices};
    if (yo_net_game(net)->game != &yo_shogi_ops)
        err = yo_diag_set(diag, YO_ERR_ARGUMENT, "%.150s is no network for shogi", name);
    if (!err) {
        options.backend = yo_net_choose_named(&net->graph, yo_options_text(o, "backend"), diag);
        if (!options.backend) err = YO_ERR_ARGUMENT;
    }
    if (!err) return yo_net_eval_new(net, &options, eval, diag);
    yo_net_delete(net);
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

/* ends: of each file's samples, by its argument. */
static enum yo_err score_files(const struct yo_options *o, struct yo_buf *samples,
                               const size_t *ends, struct yo_diag *diag) {
    struct yo_eval eval;
    enum yo_err err = open_network(o, &eval, diag);
    if (err) return err;
    int64_t started_ms = yo_time_ms();
    struct watch watch = {.total = samples->len / YO_SHOGI_SAMPLE};
    struct yo_scores_mix mix = {.scale = yo_options_real(o, "scale"),
                                .share = yo_options_real(o, "share")};
    for (size_t i = 1; !err && yo_options_argument(o, i); i++) {
        uint8_t *first = (uint8_t *)samples->data + watch.before * YO_SHOGI_SAMPLE;
        err = yo_scores_replace(eval, &mix, first, ends[i] - watch.before,
                                yo_options_argument(o, i), tell, &watch, diag);
        watch.before = ends[i];
    }
    yo_progress_hide(&watch.progress);
    eval.ops->destroy(eval.ctx);
    if (!err)
        printf("%zu positions in %.1f s\n", watch.total,
               1e-3 * (double)(yo_time_ms() - started_ms));
    return err;
}

enum yo_err yo_learn_scores(const struct yo_options *o, struct yo_diag *diag) {
    const char *out = yo_options_text(o, "out");
    struct yo_buf samples = {0};
    if (!out) return yo_diag_set(diag, YO_ERR_ARGUMENT, "give --out, the file of the positions");
    enum yo_err err = yo_file_can_replace(out, diag);
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
