#include "cluster/master.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/json.h"
#include "base/live.h"
#include "base/time.h"
#include "cluster/entries.h"
#include "cluster/master_inside.h"

enum { TICK_MAX_MS = 100, LET_IN_US = 100, LET_IN_MAX = 100 };

void yo_master_lock(struct master *m) {
    atomic_store(&m->wanted, true);
    pthread_mutex_lock(&m->mutex);
    atomic_store(&m->wanted, false);
}

/* ---- Notices: gathered by the talking thread, told by the searching one ---- */

/* Under the mutex; when there is no room, the latest replaces the last. */
static void keep_notice(void *user, const char *text) {
    struct master *m = user;
    size_t at = m->notice_count < MASTER_NOTICES_MAX ? m->notice_count++ : MASTER_NOTICES_MAX - 1;
    snprintf(m->notices[at], MASTER_NOTICE_LEN, "%s", text);
}

void yo_master_tell(const struct master *m, const char *text) {
    if (m->notice)
        m->notice(m->user, text);
    else
        yo_notice(&m->others, "%s", text);
}

void yo_master_tell_notices(struct master *m) {
    char texts[MASTER_NOTICES_MAX][MASTER_NOTICE_LEN];
    yo_master_lock(m);
    size_t count = m->notice_count;
    memcpy(texts, m->notices, sizeof texts);
    m->notice_count = 0;
    pthread_mutex_unlock(&m->mutex);
    for (size_t i = 0; i < count; i++)
        yo_master_tell(m, texts[i]);
}

/* ---- The talking thread ---- */

static void send_bytes(void *user, const char *to, const char *bytes, size_t len) {
    struct master *m = user;
    m->transport.ops->send(m->transport.ctx, to, bytes, len);
}

void yo_master_wake(struct master *m) {
    uint64_t one = 1;
    ssize_t put = write(m->wake_fd, &one, sizeof one);
    (void)put; /* it can only fail if a wake is pending already */
}

static void learn(void *user, const char *table, const char *data, size_t count) {
    const struct master *m = user;
    struct yo_search_entry entries[YO_ENTRIES_MAX];
    char mine[20];
    yo_entries_kind_text(m->inner.ops->entry_kind(m->inner.ctx), mine);
    if (strcmp(mine, table) != 0) return;
    yo_entries_read(data, count, entries);
    m->inner.ops->give_entries(m->inner.ctx, entries, count);
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

/* Once: no message will come any more. Under the mutex. */
static void tell_if_over(struct master *m, bool *told) {
    if (*told || !m->transport.ops->is_over(m->transport.ctx)) return;
    *told = true;
    keep_notice(m, "the broker refuses this master, which has no more workers until it is started "
                   "again");
}

static void *talk(void *arg) {
    struct master *m = arg;
    bool told = false;
    struct yo_buf bytes = {0}, text = {0};
    struct yo_live live = {0};
    yo_live_open(&live, "cluster");
    pthread_mutex_lock(&m->mutex);
    while (!m->ending) {
        receive_all(m, &bytes);
        tell_if_over(m, &told);
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
            usleep(1000 * MASTER_LOOK_MS);
        pthread_mutex_lock(&m->mutex);
    }
    pthread_mutex_unlock(&m->mutex);
    yo_live_close(&live);
    yo_buf_free(&text);
    yo_buf_free(&bytes);
    return NULL;
}

/* ---- As a search ---- */

static void clear(void *ctx) {
    struct master *m = ctx;
    m->inner.ops->clear(m->inner.ctx);
    yo_master_lock(m);
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
        yo_master_wake(m);
        pthread_join(m->thread, NULL);
    }
    yo_pool_delete(m->pool);
    yo_crew_delete(m->crew);
    yo_transport_close(&m->transport);
    if (m->inner.ops) m->inner.ops->destroy(m->inner.ctx);
    if (m->delete_order) m->delete_order(m->order);
    yo_copy_free(&m->copy);
    if (m->wake_fd >= 0) close(m->wake_fd);
    pthread_mutex_destroy(&m->mutex);
    yo_free(m);
}

/* Workers load their networks, or have to be asked: a first move should not be theirs to wait for.
 */
static void wait_for(struct master *m, size_t expected, int64_t wait_ms) {
    int64_t until = yo_time_ms() + wait_ms;
    for (size_t here = 0; here < expected && yo_time_ms() < until;) {
        usleep(1000 * MASTER_LOOK_MS);
        yo_master_lock(m);
        here = yo_crew_count(m->crew).workers;
        pthread_mutex_unlock(&m->mutex);
    }
    yo_master_tell_notices(m);
}

static enum yo_err start(struct master *m, const struct yo_master_config *config,
                         struct yo_diag *diag) {
    struct yo_crew_config crew = {.master = m->name,
                                  .game = config->game,
                                  .plan = config->plan,
                                  .send = send_bytes,
                                  .learn = learn,
                                  .user = m,
                                  .notices = {keep_notice, m}};
    enum yo_err err = yo_crew_new(&crew, &m->crew, diag);
    if (!err) err = yo_pool_new(1, &m->pool, diag);
    if (err) return err;
    struct yo_message who = {.kind = YO_MESSAGE_WHO};
    struct yo_buf line = {0};
    if (yo_message_write(&who, &line) == YO_OK) send_bytes(m, NULL, yo_buf_text(&line), line.len);
    yo_buf_free(&line);
    m->has_thread = pthread_create(&m->thread, NULL, talk, m) == 0;
    if (!m->has_thread) return yo_diag_set(diag, YO_ERR_NOMEM, "no thread for a cluster");
    wait_for(m, config->expected, config->wait_ms);
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
    m->shares = config->plan.strategy == YO_PLAN_SHARE && m->inner.ops->entry_kind;
    m->wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    snprintf(m->name, sizeof m->name, "%s", config->name);
    pthread_mutex_init(&m->mutex, NULL);
    m->ops = (struct yo_search_ops){.name = "cluster",
                                    .limits = m->inner.ops->limits,
                                    .run = yo_master_run,
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
