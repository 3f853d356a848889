/* yomi learn network: the shogi network for alpha-beta, from positions of games. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/time.h"
#include "cmd/learn/learn.h"
#include "eval/shogi/net_open.h"
#include "learn/network/fit.h"

struct watch {
    struct yo_progress progress;
    int64_t started_ms;
    int epochs;
};

static void tell_epoch(void *user, int epoch, const struct yo_fit_losses *l) {
    struct watch *w = user;
    yo_progress_hide(&w->progress);
    if (epoch == 0)
        printf("at the start: loss held out %.5f, results %.5f\n", l->held, l->results);
    else
        printf("epoch %d: loss %.5f, held out %.5f, results %.5f, %.0f s\n", epoch, l->learned,
               l->held, l->results, 1e-3 * (double)(yo_time_ms() - w->started_ms));
    fflush(stdout);
}

static void tell_step(void *user, size_t done, size_t total) {
    struct watch *w = user;
    yo_progress_say(&w->progress, (double)done, (double)total, "step %zu of %zu", done, total);
}

static enum yo_err read_positions(const struct yo_options *o, struct fit_set *set,
                                  struct yo_diag *diag) {
    struct fit_targets targets = {.results = yo_options_real(o, "results"),
                                  .scale = yo_options_real(o, "scale"),
                                  .below = (int)yo_options_int(o, "below")};
    struct yo_progress progress = {0};
    enum yo_err err = YO_OK;
    for (size_t i = 1; !err && yo_options_argument(o, i); i++) {
        const char *path = yo_options_argument(o, i);
        struct yo_buf bytes = {0};
        yo_learn_show_file(&progress, o, i);
        err = yo_file_read(path, &bytes, diag);
        if (!err) err = yo_fit_set_add(set, yo_buf_text(&bytes), bytes.len, path, &targets, diag);
        yo_buf_free(&bytes);
    }
    yo_progress_hide(&progress);
    if (!err && (err = yo_fit_set_divide(set))) yo_diag_set(diag, err, "out of memory");
    if (!err && set->learned_count == 0)
        err = yo_diag_set(diag, YO_ERR_STATE, "there is no quiet position to learn from");
    return err;
}

static float cp_of(const struct yo_options *o) { return (float)yo_options_real(o, "scale"); }

static enum yo_err take_start(const struct yo_options *o, struct fit_params *params,
                              struct yo_diag *diag) {
    const char *name = yo_options_text(o, "start");
    struct yo_shogi_net *net = NULL;
    if (strcmp(name, "none") == 0) {
        yo_fit_params_draw(params, cp_of(o), (uint64_t)yo_options_int(o, "seed"));
        return YO_OK;
    }
    enum yo_err err = yo_shogi_net_open(name, &net, diag);
    if (!err && !net)
        err = yo_diag_set(diag, YO_ERR_ARGUMENT, "--start %.100s is no network", name);
    if (!err) err = yo_fit_params_from(params, cp_of(o), net, diag);
    yo_shogi_net_delete(net);
    return err;
}

static enum yo_err write_network(const char *path, const struct fit_params *params, float cp,
                                 struct yo_diag *diag) {
    struct fit_view *view = yo_alloc_aligned(sizeof *view);
    struct yo_shogi_net *net = NULL;
    struct yo_buf bytes = {0};
    enum yo_err err = view ? yo_shogi_net_new(YO_SHOGI_NET_RELATIVE, &net) : YO_ERR_NOMEM;
    if (!err) {
        yo_fit_view_update(view, params, cp, 0, SHOGI_RELATIVE_INPUTS);
        yo_fit_view_store(view, net);
        yo_shogi_net_write(net, &bytes);
        err = yo_buf_status(&bytes);
    }
    if (err)
        yo_diag_set(diag, err, "out of memory");
    else
        err = yo_file_replace(path, yo_buf_text(&bytes), bytes.len, diag);
    yo_buf_free(&bytes);
    yo_shogi_net_delete(net);
    yo_free_aligned(view);
    return err;
}

static enum yo_err learn(const struct yo_options *o, const struct fit_set *set,
                         struct fit_params *params, struct yo_diag *diag) {
    struct yo_fit_settings settings = {.epochs = (int)yo_options_int(o, "epochs"),
                                       .batch = (int)yo_options_int(o, "batch"),
                                       .threads = (int)yo_options_int(o, "threads"),
                                       .rate = yo_options_real(o, "rate"),
                                       .decay = yo_options_real(o, "decay"),
                                       .cp = cp_of(o),
                                       .seed = (uint64_t)yo_options_int(o, "seed")};
    struct watch watch = {.started_ms = yo_time_ms(), .epochs = settings.epochs};
    struct yo_fit_watcher watcher = {.epoch = tell_epoch, .step = tell_step, .user = &watch};
    struct yo_fit_losses best;
    if (settings.threads == 0) settings.threads = yo_cpu_count();
    printf("%zu positions to learn from, %zu held out\n", set->learned_count, set->held_count);
    fflush(stdout);
    enum yo_err err = yo_fit_run(params, set, &settings, &watcher, &best, diag);
    yo_progress_hide(&watch.progress);
    const char *out = yo_options_text(o, "out");
    if (!err && settings.epochs > 0) err = write_network(out, params, settings.cp, diag);
    if (!err && settings.epochs > 0) printf("%s: loss held out %.5f\n", out, best.held);
    return err;
}

enum yo_err yo_learn_network(const struct yo_options *o, struct yo_diag *diag) {
    struct fit_set set = {0};
    const char *out = yo_options_text(o, "out");
    bool writes = yo_options_int(o, "epochs") > 0;
    if (writes && !out)
        return yo_diag_set(diag, YO_ERR_ARGUMENT, "give --out, the file of the new network");
    enum yo_err err = writes ? yo_file_can_replace(out, diag) : YO_OK;
    struct fit_params *params = err ? NULL : yo_alloc_aligned(sizeof *params);
    if (!err && !params) err = yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    if (!err) err = take_start(o, params, diag);
    if (!err) err = read_positions(o, &set, diag);
    if (!err) err = learn(o, &set, params, diag);
    yo_fit_set_free(&set);
    yo_free_aligned(params);
    return err;
}
