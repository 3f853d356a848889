/* Searches the first position of a game with different settings, for the same time each, and
 * compares their speed. */
#include <stdio.h>

#include "base/cpu.h"
#include "cmd/doctor/doctor.h"
#include "engine/options.h"
#include "engine/session.h"

/* Fewer threads search better at the same speed: what the others look at is known to them. So the
 * fewest that reach this share of the best speed are chosen. */
#define GOOD_ENOUGH 0.95
/* A setting that Yomi does not choose by itself must be better by this much. */
#define CLEARLY 1.25
#define STEPS   9

struct measure {
    enum yo_session_game game;
    int64_t time_ms;
    struct yo_buf *out;
    char eval[64];
};

static enum yo_err set(struct yo_options *options, const char *key, int value,
                       struct yo_diag *diag) {
    char text[16];
    snprintf(text, sizeof text, "%d", value);
    return yo_options_set(options, YO_EVERYWHERE, key, text, diag);
}

/* Visits or nodes a second. The first search, of a tenth of the time, makes the tree and wakes the
 * threads. */
static enum yo_err run(struct measure *m, int threads, int leaves, double *speed,
                       struct yo_diag *diag) {
    struct yo_options options;
    struct yo_session *session = NULL;
    struct yo_search_result result = {0};
    enum yo_err err = yo_options_init(&options, yo_session_rows(m->game), diag);
    if (err) return err;
    err = set(&options, "threads", threads, diag);
    if (!err && leaves) err = set(&options, "leaves", leaves, diag);
    struct yo_session_config config = {.game = m->game, .options = &options, .strict = true};
    if (!err) err = yo_session_new(&config, &session, diag);
    for (int i = 0; !err && i < 2; i++) {
        struct yo_search_limits limits = {.time_ms = i ? m->time_ms : m->time_ms / 10 + 1,
                                          .whole = true};
        yo_session_clear(session);
        err = yo_session_analyse(session, NULL, &limits, NULL, NULL, NULL, &result, diag);
    }
    if (!err) {
        uint64_t done = m->game == YO_SESSION_GO ? result.playouts : result.nodes;
        *speed = 1000.0 * (double)done / (double)(result.elapsed_ms > 0 ? result.elapsed_ms : 1);
        snprintf(m->eval, sizeof m->eval, "%s", yo_session_eval_name(session));
    }
    yo_session_delete(session);
    yo_options_free(&options);
    return err;
}

/* 1, 2, 4 ... and all cores. */
static int thread_steps(int cores, int steps[STEPS]) {
    int count = 0;
    for (int n = 1; n < cores && count < STEPS - 1; n *= 2)
        steps[count++] = n;
    steps[count++] = cores;
    return count;
}

static enum yo_err tune_threads(struct measure *m, struct yo_doctor_settings *best, double *speed,
                                struct yo_diag *diag) {
    int steps[STEPS], cores = yo_cpu_count();
    double speeds[STEPS], most = 0;
    int count = thread_steps(cores < YO_AB_THREADS_MAX ? cores : YO_AB_THREADS_MAX, steps);
    for (int i = 0; i < count; i++) {
        enum yo_err err = run(m, steps[i], 0, &speeds[i], diag);
        if (err) return err;
        if (i == 0) yo_buf_printf(m->out, "  on %s\n", m->eval);
        yo_buf_printf(m->out, "  %3d thread%s %10.0f/s\n", steps[i],
                      steps[i] == 1 ? ": " : "s:", speeds[i]);
        if (speeds[i] > most) most = speeds[i];
    }
    int chosen = 0;
    while (speeds[chosen] < GOOD_ENOUGH * most)
        chosen++;
    best->threads = steps[chosen];
    *speed = speeds[chosen];
    return YO_OK;
}

static enum yo_err tune_leaves(struct measure *m, struct yo_doctor_settings *best, double speed,
                               struct yo_diag *diag) {
    static const int steps[] = {1, 4, 16, 64};
    double most = CLEARLY * speed;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        double here;
        enum yo_err err = run(m, best->threads, steps[i], &here, diag);
        if (err) return err;
        yo_buf_printf(m->out, "  %3d lea%s %11.0f/s\n", steps[i],
                      steps[i] == 1 ? "f:  " : "ves:", here);
        if (here < most) continue;
        most = here;
        best->leaves = steps[i];
    }
    return YO_OK;
}

enum yo_err yo_doctor_tune(enum yo_session_game game, double seconds,
                           struct yo_doctor_settings *best, struct yo_buf *out,
                           struct yo_diag *diag) {
    int steps[STEPS], runs = thread_steps(yo_cpu_count(), steps) + (game == YO_SESSION_GO ? 4 : 0);
    struct measure m = {.game = game, .out = out, .time_ms = (int64_t)(1000 * seconds / runs) + 1};
    double speed = 0;
    *best = (struct yo_doctor_settings){.threads = 1};
    enum yo_err err = tune_threads(&m, best, &speed, diag);
    if (!err && game == YO_SESSION_GO) err = tune_leaves(&m, best, speed, diag);
    return err;
}
