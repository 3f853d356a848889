/* A thread moves messages between the transport and the crew; the thread of the search watches
 * clock, limits and stop flag, and copies results out. The mutex guards the crew. */
#include "cluster/master.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/json.h"
#include "base/live.h"
#include "base/time.h"
#include "cluster/copy.h"
#include "cluster/crew.h"

enum {
    LOOK_MS = 10,    /* how often the stop flag is read */
    REPORT_MS = 100, /* between two reports of the search */
    FIRST_MS = 30,   /* the master's own look at the position, before any worker has answered */
    SLICE_MS = 250,  /* without workers: its own search in parts, in case some come */
    SLICE_MAX_MS = 2000,
    OWN_BELOW_MS = 60, /* a search this short is its own */
    TICK_MAX_MS = 100,
    EXPECT_MS = 10000,
    LET_IN_US = 100,
    LET_IN_MAX = 100,
    NOTICES_MAX = 16,
    NOTICE_LEN = 320
};

struct master {
    struct yo_search_ops ops;
    struct yo_search inner;
    struct yo_transport transport;
    char name[YO_MESSAGE_NAME];
    void (*notice)(void *user, const char *text);
    void *user;
    struct yo_notices others;
    void (*delete_order)(void *order);
    void *order;
    struct yo_copy copy; /* of the last result */
    bool alone;          /* the last notice said that there are no workers */

    pthread_t thread;
    bool has_thread;
    int wake_fd;
    atomic_bool wanted; /* the searching thread waits for the mutex */
    pthread_mutex_t mutex;
    /* Under the mutex: */
    struct yo_crew *crew;
    enum yo_session_game game;
    bool ending;
    char notices[NOTICES_MAX][NOTICE_LEN];
    size_t notice_count;
};

/* The searching thread's way to the mutex: the talking thread, which takes it again and again, lets
 * it in. */
static void lock(struct master *m) {
    atomic_store(&m->wanted, true);
    pthread_mutex_lock(&m->mutex);
    atomic_store(&m->wanted, false);
}

/* ---- Notices: gathered by the talking thread, told by the searching one ---- */

/* Under the mutex; when there is no room, the latest replaces the last. */
static void keep_notice(void *user, const char *text) {
    struct master *m = user;
    size_t at = m->notice_count < NOTICES_MAX ? m->notice_count++ : NOTICES_MAX - 1;
    snprintf(m->notices[at], NOTICE_LEN, "%s", text);
}

static void tell(const struct master *m, const char *text) {
    if (m->notice) m->notice(m->user, text);
    yo_notice(&m->others, "%s", text);
}

static void tell_notices(struct master *m) {
    char texts[NOTICES_MAX][NOTICE_LEN];
    lock(m);
    size_t count = m->notice_count;
    memcpy(texts, m->notices, sizeof texts);
    m->notice_count = 0;
    pthread_mutex_unlock(&m->mutex);
    for (size_t i = 0; i < count; i++)
        tell(m, texts[i]);
}

/* ---- The talking thread ---- */

static void send_bytes(void *user, const char *to, const char *bytes, size_t len) {
    struct master *m = user;
    m->transport.ops->send(m->transport.ctx, to, bytes, len);
}

static void wake(struct master *m) {
    uint64_t one = 1;
    ssize_t put = write(m->wake_fd, &one, sizeof one);
    (void)put; /* it can only fail if a wake is pending already */
}

/* Until nothing waits, or the searching thread does: it has a clock to keep. */
static void receive_all(struct master *m, struct yo_buf *bytes) {
    while (!atomic_load(&m->wanted) && m->transport.ops->receive(m->transport.ctx, bytes))
        yo_crew_take(m->crew, yo_buf_text(bytes), bytes->len, yo_time_ms());
}

static void let_in(struct master *m) {
    for (int i = 0; i < LET_IN_MAX && atomic_load(&m->wanted); i++)
        usleep(LET_IN_US);
}

/* What `yomi web` shows of the workers. Under the mutex. */
static void put_live(const struct master *m, struct yo_buf *out) {
    bool failed = false;
    struct yo_crew_worker w;
    json_t *root = yo_json_object(), *list = yo_json_array();
    for (size_t i = 0; yo_crew_worker(m->crew, i, &w); i++) {
        json_t *row = yo_json_object();
        yo_json_set(row, "name", yo_json_text(w.name, strlen(w.name)), &failed);
        yo_json_set(row, "engine", yo_json_text(w.engine, strlen(w.engine)), &failed);
        yo_json_set(row, "busy", json_boolean(w.busy), &failed);
        yo_json_set(row, "nodes", json_integer((json_int_t)w.nodes), &failed);
        yo_json_append(list, row, &failed);
    }
    yo_json_set(root, "name", yo_json_text(m->name, strlen(m->name)), &failed);
    yo_json_set(root, "game", json_string(m->game == YO_SESSION_GO ? "go" : "shogi"), &failed);
    yo_json_set(root, "workers", list, &failed);
    yo_buf_clear(out);
    if (!failed) yo_json_write(out, root);
    json_decref(root);
}

static void *talk(void *arg) {
    struct master *m = arg;
    struct yo_buf bytes = {0}, text = {0};
    struct yo_live live = {0};
    yo_live_open(&live, "cluster");
    pthread_mutex_lock(&m->mutex);
    while (!m->ending) {
        receive_all(m, &bytes);
        int64_t now = yo_time_ms(), wait = yo_crew_tick(m->crew, now) - now;
        bool tells = yo_live_is_due(&live);
        if (tells) put_live(m, &text);
        pthread_mutex_unlock(&m->mutex);
        if (tells && text.len > 0) yo_live_write(&live, yo_buf_text(&text), text.len);
        let_in(m);
        struct pollfd fds[] = {{.fd = m->transport.fd, .events = POLLIN},
                               {.fd = m->wake_fd, .events = POLLIN}};
        uint64_t wakes;
        poll(fds, 2, wait < 1 ? 1 : wait > TICK_MAX_MS ? TICK_MAX_MS : (int)wait);
        if (fds[1].revents && read(m->wake_fd, &wakes, sizeof wakes) < 0 && errno != EAGAIN)
            usleep(1000 * LOOK_MS);
        pthread_mutex_lock(&m->mutex);
    }
    pthread_mutex_unlock(&m->mutex);
    yo_live_close(&live);
    yo_buf_free(&text);
    yo_buf_free(&bytes);
    return NULL;
}

/* ---- A search ---- */

struct running {
    struct master *m;
    const void *game;
    const struct yo_search_limits *limits;
    const atomic_bool *stop;
    yo_search_report_fn report;
    void *user;
    struct yo_search_clock *clock, own_clock;
    int64_t started_ms, reported_ms, best_since_ms, slice_ms;
    int64_t changed; /* of the crew, at the last report */
    yo_move best;
};

static bool is_stopped(const struct running *r) { return r->stop && atomic_load(r->stop); }

/* The soft end comes earlier if the best move is old, later if it is new. */
static bool is_time_up(struct running *r, int64_t now) {
    int64_t soft = yo_search_clock_read(&r->clock->soft),
            hard = yo_search_clock_read(&r->clock->hard),
            least = yo_search_clock_read(&r->clock->least);
    if (hard && now >= hard) return true;
    if (!soft) return false;
    int64_t steady = now - r->best_since_ms, spent = now - r->started_ms;
    int64_t percent = 2 * steady >= spent ? 90 : 125;
    int64_t end = r->started_ms + (soft - r->started_ms) * percent / 100;
    if (end < least) end = least;
    if (now < end) return false;
    return !yo_search_clock_ends_later(r->clock, now);
}

static bool is_timed(const struct running *r) {
    return yo_search_clock_read(&r->clock->soft) || yo_search_clock_read(&r->clock->hard);
}

/* Nothing more to find: a mate that is seen to its end. */
static bool is_decided(const struct running *r, const struct yo_search_result *result) {
    if (!is_timed(r) || r->limits->whole || result->move_count == 0) return false;
    const struct yo_search_move *best = &result->moves[0];
    return best->mate > 0 && best->depth >= best->mate;
}

static bool is_enough(struct running *r, const struct yo_search_result *result) {
    const struct yo_search_limits *l = r->limits;
    uint64_t most = l->nodes ? l->nodes : l->playouts ? l->playouts : l->visits;
    if (is_stopped(r) || is_time_up(r, yo_time_ms())) return true;
    if (most && result->nodes >= most) return true;
    if (l->depth && result->depth >= l->depth) return true;
    return is_decided(r, result);
}

/* Copies the crew's result. Under the mutex. */
static enum yo_err take_result(struct running *r, struct yo_search_result *result,
                               struct yo_diag *diag) {
    struct yo_search_result known;
    yo_crew_result(r->m->crew, &known);
    enum yo_err err = yo_copy_result(&r->m->copy, &known, result);
    if (err) return yo_diag_set(diag, err, "no memory for a result");
    result->elapsed_ms = yo_time_ms() - r->started_ms;
    result->playouts = result->nodes;
    if (result->move_count > 0 && result->moves[0].move != r->best) {
        r->best = result->moves[0].move;
        r->best_since_ms = yo_time_ms();
    }
    return YO_OK;
}

static void report(struct running *r, const struct yo_search_result *result, int64_t changed) {
    int64_t now = yo_time_ms();
    if (changed == r->changed || now - r->reported_ms < REPORT_MS) return;
    r->changed = changed;
    r->reported_ms = now;
    if (r->report && result->move_count > 0) r->report(r->user, result);
}

/* The master's own search for at most this long; what it finds counts as a report. */
static void search_own(struct running *r, int64_t time_ms) {
    struct master *m = r->m;
    int64_t hard = yo_search_clock_read(&r->clock->hard), now = yo_time_ms();
    if (hard && hard - now < time_ms) time_ms = hard - now;
    if (time_ms <= 0 || is_stopped(r)) return;
    struct yo_search_result result = {0};
    struct yo_search_limits limits = {.time_ms = time_ms,
                                      .only = r->limits->only,
                                      .only_count = r->limits->only_count,
                                      .avoid = r->limits->avoid,
                                      .avoid_count = r->limits->avoid_count,
                                      .whole = true};
    if (yo_search_run(m->inner, r->game, &limits, r->stop, NULL, NULL, &result, NULL)) return;
    lock(m);
    yo_crew_add_own(m->crew, &result, yo_time_ms());
    pthread_mutex_unlock(&m->mutex);
}

/* Says once that the workers are gone, and once that they are back. */
static void tell_alone(struct master *m, bool alone) {
    if (alone == m->alone) return;
    m->alone = alone;
    tell(m, alone ? "no worker is there: the master searches by itself"
                  : "workers are there: the master leaves the search to them");
}

static enum yo_err search_with_crew(struct running *r, struct yo_search_result *result,
                                    struct yo_diag *diag) {
    struct master *m = r->m;
    enum yo_err err = YO_OK;
    search_own(r, FIRST_MS);
    for (;;) {
        usleep(1000 * LOOK_MS);
        lock(m);
        struct yo_crew_count count = yo_crew_count(m->crew);
        err = take_result(r, result, diag);
        pthread_mutex_unlock(&m->mutex);
        if (err) return err;
        tell_notices(m);
        report(r, result, count.changed);
        if (is_enough(r, result)) return YO_OK;
        tell_alone(m, count.workers == 0);
        if (count.workers > 0) {
            r->slice_ms = SLICE_MS;
            continue;
        }
        search_own(r, r->slice_ms);
        if (r->slice_ms < SLICE_MAX_MS) r->slice_ms *= 2;
    }
}

/* Limits that only one tree can keep, and searches too short to ask anyone. */
static bool is_own_affair(const struct yo_search_limits *l, int64_t time_ms) {
    return l->mate || l->details || l->clean_up || (time_ms && time_ms < OWN_BELOW_MS);
}

static enum yo_err run(void *ctx, const void *game, const struct yo_search_limits *limits,
                       const atomic_bool *stop, yo_search_report_fn report_to, void *user,
                       struct yo_search_result *result, struct yo_diag *diag) {
    struct master *m = ctx;
    int64_t now = yo_time_ms(), time_ms = yo_search_time_ms(limits);
    if (is_own_affair(limits, time_ms))
        return yo_search_run(m->inner, game, limits, stop, report_to, user, result, diag);
    struct running r = {.m = m,
                        .game = game,
                        .limits = limits,
                        .stop = stop,
                        .report = report_to,
                        .user = user,
                        .started_ms = now,
                        .best_since_ms = now,
                        .slice_ms = SLICE_MS,
                        .best = YO_MOVE_NONE};
    r.clock = yo_search_clock_begin(limits, &r.own_clock);
    lock(m);
    enum yo_err err = yo_crew_begin(m->crew, game, limits, time_ms, now, diag);
    pthread_mutex_unlock(&m->mutex);
    wake(m);
    if (!err) err = search_with_crew(&r, result, diag);
    lock(m);
    yo_crew_end(m->crew);
    pthread_mutex_unlock(&m->mutex);
    return err;
}

static void clear(void *ctx) {
    struct master *m = ctx;
    m->inner.ops->clear(m->inner.ctx);
    lock(m);
    yo_crew_clear(m->crew);
    pthread_mutex_unlock(&m->mutex);
}

/* ---- Making ---- */

static void destroy(void *ctx) {
    struct master *m = ctx;
    if (m->has_thread) {
        pthread_mutex_lock(&m->mutex);
        m->ending = true;
        pthread_mutex_unlock(&m->mutex);
        wake(m);
        pthread_join(m->thread, NULL);
    }
    yo_crew_delete(m->crew);
    yo_transport_close(&m->transport);
    if (m->inner.ops) m->inner.ops->destroy(m->inner.ctx);
    if (m->delete_order) m->delete_order(m->order);
    yo_copy_free(&m->copy);
    if (m->wake_fd >= 0) close(m->wake_fd);
    pthread_mutex_destroy(&m->mutex);
    yo_free(m);
}

struct yo_search *yo_master_inner(struct yo_search search) {
    bool is_master = search.ops && search.ops->destroy == destroy;
    return is_master ? &((struct master *)search.ctx)->inner : NULL;
}

/* Workers load their networks: a first move should not be theirs to wait for. */
static void wait_for(struct master *m, size_t expected) {
    int64_t until = yo_time_ms() + EXPECT_MS;
    for (size_t here = 0; here < expected && yo_time_ms() < until;) {
        usleep(1000 * LOOK_MS);
        lock(m);
        here = yo_crew_count(m->crew).workers;
        pthread_mutex_unlock(&m->mutex);
    }
    tell_notices(m);
}

static enum yo_err start(struct master *m, const struct yo_master_config *config,
                         struct yo_diag *diag) {
    struct yo_crew_config crew = {.master = m->name,
                                  .game = config->game,
                                  .plan = config->plan,
                                  .send = send_bytes,
                                  .user = m,
                                  .notices = {keep_notice, m}};
    enum yo_err err = yo_crew_new(&crew, &m->crew, diag);
    if (err) return err;
    struct yo_message who = {.kind = YO_MESSAGE_WHO};
    struct yo_buf line = {0};
    if (yo_message_write(&who, &line) == YO_OK) send_bytes(m, NULL, yo_buf_text(&line), line.len);
    yo_buf_free(&line);
    m->has_thread = pthread_create(&m->thread, NULL, talk, m) == 0;
    if (!m->has_thread) return yo_diag_set(diag, YO_ERR_NOMEM, "no thread for a cluster");
    wait_for(m, config->expected);
    return YO_OK;
}

enum yo_err yo_master_new(const struct yo_master_config *config, struct yo_search *search,
                          struct yo_diag *diag) {
    struct master *m = yo_alloc(1, sizeof *m);
    if (!m) {
        struct yo_transport transport = config->transport;
        yo_transport_close(&transport);
        config->inner.ops->destroy(config->inner.ctx);
        if (config->delete_order) config->delete_order(config->plan.user);
        return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for a cluster");
    }
    m->inner = config->inner;
    m->transport = config->transport;
    m->notice = config->notice;
    m->user = config->user;
    m->game = config->game;
    m->others = config->notices;
    m->delete_order = config->delete_order;
    m->order = config->plan.user;
    m->wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    snprintf(m->name, sizeof m->name, "%s", config->name);
    pthread_mutex_init(&m->mutex, NULL);
    m->ops = (struct yo_search_ops){.name = "cluster",
                                    .limits = m->inner.ops->limits,
                                    .run = run,
                                    .clear = clear,
                                    .destroy = destroy};
    enum yo_err err = m->wake_fd < 0 ? yo_diag_set(diag, YO_ERR_IO, "no event descriptor")
                                     : start(m, config, diag);
    if (err)
        destroy(m);
    else
        *search = (struct yo_search){&m->ops, m};
    return err;
}
