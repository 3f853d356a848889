/* Messages over NATS. Subjects, with the cluster's name in front:
 *   NAME.hello           from workers, to all masters and to `yomi cluster`
 *   NAME.master.M        to the master M
 *   NAME.workers         to all workers
 *   NAME.worker.W        to the worker W
 *   NAME.name.W          nobody writes there: who listens has the name W
 *   NAME.gone.M.W        to the master M, by the broker itself: nobody listens at NAME.worker.W
 * The library's threads fill an inbox; an event descriptor tells the owner's loop. A thread of its
 * own connects, sends and disconnects: while the library connects, or waits for a broker that does
 * not read, every call of it waits with it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "cluster/transport.h"

bool yo_transport_is_nats(const char *address) {
    return strncmp(address, "nats://", 7) == 0 || strncmp(address, "tls://", 6) == 0;
}

/* Of each address in the list. A host in brackets has colons of its own, and a password may have
 * any. */
enum yo_err yo_transport_check_port(const char *address, struct yo_diag *diag) {
    for (const char *next = address; *next;) {
        char one[256];
        size_t len = strcspn(next, ",");
        snprintf(one, sizeof one, "%.*s", len < sizeof one ? (int)len : (int)sizeof one - 1, next);
        next += len + (next[len] == ',');
        const char *host = strstr(one, "://") ? strstr(one, "://") + 3 : one;
        if (strrchr(host, '@')) host = strrchr(host, '@') + 1;
        if (strrchr(host, ']')) host = strrchr(host, ']') + 1;
        const char *port = strchr(host, ':');
        size_t digits = port ? strspn(port + 1, "0123456789") : 0;
        bool whole = port && (port[1 + digits] == '\0' || port[1 + digits] == '/');
        long number = whole ? strtol(port + 1, NULL, 10) : 0;
        if (!port || (number >= 1 && number <= 65535)) continue;
        yo_diag_set(diag, YO_ERR_ARGUMENT, "%.100s: the port %.40s is no number from 1 to 65535",
                    one, port + 1);
        yo_diag_hint(diag, "for example nats://HOST:4222");
        return YO_ERR_ARGUMENT;
    }
    return YO_OK;
}

#ifndef YOMI_NATS

enum yo_err yo_transport_nats(const struct yo_nats_config *config, struct yo_transport *transport,
                              struct yo_diag *diag) {
    (void)transport;
    yo_diag_set(diag, YO_ERR_UNSUPPORTED, "%.60s: this yomi was built without NATS", config->url);
    yo_diag_hint(diag, "install libnats-dev and build again, or use local workers");
    return YO_ERR_UNSUPPORTED;
}

const char *yo_transport_nats_version(void) { return NULL; }

bool yo_transport_nats_shared(const struct yo_nats_config *config, int64_t time_ms,
                              char name[YO_MESSAGE_NAME]) {
    (void)config, (void)time_ms, (void)name;
    return false;
}

#else

#include <pthread.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/time.h"
#include "cluster/inbox.h"
#include "cluster/message.h"
#include "cluster/nats_options.h"

enum {
    LOOK_MS = 200,       /* how often the state of the connection is read */
    LEAVE_MS = 1000,     /* for the last words; then the library is left to itself */
    NAME_MS = 1000,      /* until a name that is taken is asked for again */
    OUT_BYTES = 8 << 20, /* that may wait before the library has them; the rest is lost */
    SUBJECT = 3 * YO_MESSAGE_NAME + 16
};

struct link {
    char cluster[YO_MESSAGE_NAME], self[YO_MESSAGE_NAME];
    bool is_worker;
    bool later; /* it connects as soon as somebody answers */
    int event_fd;
    atomic_bool closed; /* refused, or given up by the library */
    pthread_t thread;
    bool has_thread;
    /* The thread's: */
    natsOptions *options;
    natsConnection *connection;
    natsSubscription *subscriptions[4];
    size_t subscription_count;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    /* Under the mutex: */
    struct yo_inbox inbox;
    size_t listening;    /* subscriptions whose callback may still run */
    struct yo_inbox out; /* the subject, where to answer, the message; 0 after the first two */
    size_t out_bytes;
    pthread_cond_t more; /* to be sent, or the end */
    bool tried;          /* to connect, with this result: */
    natsStatus status;
    bool taken; /* another worker has its name */
    bool ending;
    bool ended; /* the thread has nothing more to do */
    bool left;  /* the owner has gone: the thread frees it */
};

const char *yo_transport_nats_version(void) { return nats_GetVersion(); }

/* ---- Receiving ---- */

static void put(struct link *l, const char *bytes, size_t len) {
    uint64_t one = 1;
    pthread_mutex_lock(&l->mutex);
    yo_inbox_put(&l->inbox, bytes, len);
    pthread_mutex_unlock(&l->mutex);
    ssize_t wrote = write(l->event_fd, &one, sizeof one);
    (void)wrote; /* it can only fail if a wake is pending already */
}

/* Nobody listens at a worker's subject, or at that of all: an answer of the broker itself. */
static void put_gone(struct link *l, const char *subject) {
    struct yo_message leave = {.kind = YO_MESSAGE_LEAVE};
    struct yo_buf line = {0};
    const char *worker = strrchr(subject, '.');
    if (!worker || !yo_message_is_name(worker + 1)) return;
    strcpy(leave.worker, worker + 1);
    if (yo_message_write(&leave, &line) == YO_OK) put(l, yo_buf_text(&line), line.len);
    yo_buf_free(&line);
}

static void arrive(natsConnection *connection, natsSubscription *subscription, natsMsg *message,
                   void *user) {
    struct link *l = user;
    int len = natsMsg_GetDataLength(message);
    (void)connection, (void)subscription;
    if (natsMsg_IsNoResponders(message))
        put_gone(l, natsMsg_GetSubject(message));
    else if (len > 0 && len <= YO_MESSAGE_BYTES_MAX)
        put(l, natsMsg_GetData(message), (size_t)len);
    natsMsg_Destroy(message);
}

static bool receive(void *ctx, struct yo_buf *out) {
    struct link *l = ctx;
    uint64_t wakes;
    pthread_mutex_lock(&l->mutex);
    bool found = yo_inbox_take(&l->inbox, out);
    if (!found && read(l->event_fd, &wakes, sizeof wakes) < 0) {
        /* it was not set */
    }
    pthread_mutex_unlock(&l->mutex);
    return found;
}

static bool is_over(void *ctx) { return atomic_load(&((struct link *)ctx)->closed); }

/* ---- Sending ---- */

static enum yo_err send(void *ctx, const char *to, const char *bytes, size_t len) {
    struct link *l = ctx;
    struct yo_buf out = {0};
    if (!to)
        yo_buf_printf(&out, "%s.%s", l->cluster, l->is_worker ? "hello" : "workers");
    else
        yo_buf_printf(&out, "%s.%s.%s", l->cluster, l->is_worker ? "master" : "worker", to);
    yo_buf_char(&out, '\0');
    if (!l->is_worker)
        yo_buf_printf(&out, "%s.gone.%s.%s", l->cluster, l->self, to ? to : YO_TRANSPORT_NOBODY);
    yo_buf_char(&out, '\0');
    yo_buf_add(&out, bytes, len);
    enum yo_err err = yo_buf_status(&out);
    pthread_mutex_lock(&l->mutex);
    if (!err && l->out_bytes + out.len > OUT_BYTES) err = YO_ERR_IO;
    if (!err) {
        size_t before = l->out.count;
        yo_inbox_put(&l->out, out.data, out.len);
        if (l->out.count > before) l->out_bytes += out.len;
        pthread_cond_signal(&l->more);
    }
    pthread_mutex_unlock(&l->mutex);
    yo_buf_free(&out);
    return err;
}

static void publish(struct link *l, const struct yo_buf *out) {
    const char *subject = out->data, *reply = subject + strlen(subject) + 1;
    const char *bytes = reply + strlen(reply) + 1;
    int len = (int)(out->len - (size_t)(bytes - subject));
    if (*reply)
        natsConnection_PublishRequest(l->connection, subject, reply, bytes, len);
    else
        natsConnection_Publish(l->connection, subject, bytes, len);
}

/* Under the mutex. */
static void wait_for(struct link *l, pthread_cond_t *what, int64_t time_ms) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += time_ms / 1000;
    until.tv_nsec += time_ms % 1000 * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(what, &l->mutex, &until);
}

/* Until its end; what is there then is sent. */
static void send_all(struct link *l) {
    struct yo_buf out = {0};
    pthread_mutex_lock(&l->mutex);
    for (bool ending = false; !ending;) {
        ending = l->ending;
        if (l->out.count == 0 && !ending) wait_for(l, &l->more, LOOK_MS);
        while (yo_inbox_take(&l->out, &out)) {
            l->out_bytes -= out.len;
            pthread_mutex_unlock(&l->mutex);
            if (yo_buf_status(&out) == YO_OK) publish(l, &out);
            pthread_mutex_lock(&l->mutex);
        }
        pthread_mutex_unlock(&l->mutex);
        atomic_store(&l->closed, natsConnection_IsClosed(l->connection));
        pthread_mutex_lock(&l->mutex);
    }
    pthread_mutex_unlock(&l->mutex);
    yo_buf_free(&out);
}

/* ---- Connecting ---- */

/* The last callback of a subscription has returned. */
static void end_listening(void *user) {
    struct link *l = user;
    pthread_mutex_lock(&l->mutex);
    l->listening--;
    pthread_cond_broadcast(&l->changed);
    pthread_mutex_unlock(&l->mutex);
}

static natsStatus subscribe(struct link *l, const char *subject) {
    natsSubscription **subscription = &l->subscriptions[l->subscription_count];
    natsStatus s = natsConnection_Subscribe(subscription, l->connection, subject, arrive, l);
    if (s != NATS_OK) return s;
    pthread_mutex_lock(&l->mutex);
    l->listening++;
    pthread_mutex_unlock(&l->mutex);
    l->subscription_count++;
    if (natsSubscription_SetOnCompleteCB(*subscription, end_listening, l) != NATS_OK)
        end_listening(l);
    return NATS_OK;
}

/* Brokers whose users were set up before names were asked for do not permit that; a name may be
 * taken there. */
static bool is_permitted(struct link *l) {
    char names[SUBJECT];
    const char *why = NULL;
    snprintf(names, sizeof names, "\"%s.name.", l->cluster);
    return natsConnection_GetLastError(l->connection, &why) != NATS_NOT_PERMITTED ||
           (why && strstr(why, names));
}

static natsStatus subscribe_all(struct link *l) {
    char subject[SUBJECT];
    const char *c = l->cluster;
    natsStatus s = NATS_OK;
    snprintf(subject, sizeof subject, "%s.name.%s", c, l->self);
    if (l->is_worker) s = subscribe(l, subject); /* the first: is_permitted reads the last error */
    snprintf(subject, sizeof subject, "%s.%s", c, l->is_worker ? "workers" : "hello");
    if (s == NATS_OK) s = subscribe(l, subject);
    snprintf(subject, sizeof subject, "%s.%s.%s", c, l->is_worker ? "worker" : "master", l->self);
    if (s == NATS_OK) s = subscribe(l, subject);
    snprintf(subject, sizeof subject, "%s.gone.%s.*", c, l->self);
    if (s == NATS_OK && !l->is_worker) s = subscribe(l, subject);
    if (s == NATS_OK) s = natsConnection_FlushTimeout(l->connection, YO_NATS_CONNECT_MS);
    /* The broker tells a user who may not listen there before it answers the flush. */
    return s == NATS_OK && !is_permitted(l) ? NATS_NOT_PERMITTED : s;
}

/* Does another worker listen at its name? The broker answers that nobody does, and that before it
 * answers the flush. */
static natsStatus ask_for_name(struct link *l, bool *taken) {
    enum { AT_ONCE_MS = 10 };
    char subject[SUBJECT], reply[SUBJECT + 20];
    natsSubscription *answers = NULL;
    natsMsg *answer = NULL;
    const char *ignored;
    *taken = false;
    if (natsConnection_HasHeaderSupport(l->connection) != NATS_OK) return NATS_OK;
    snprintf(subject, sizeof subject, "%s.name.%s", l->cluster, l->self);
    snprintf(reply, sizeof reply, "%s.%llx", subject, (unsigned long long)yo_time_ns());
    natsStatus s = natsConnection_SubscribeSync(&answers, l->connection, reply);
    if (s == NATS_OK) s = natsConnection_PublishRequest(l->connection, subject, reply, "", 0);
    if (s == NATS_OK) s = natsConnection_FlushTimeout(l->connection, YO_NATS_CONNECT_MS);
    if (s == NATS_OK)
        *taken = natsSubscription_NextMsg(&answer, answers, AT_ONCE_MS) == NATS_TIMEOUT &&
                 natsConnection_GetLastError(l->connection, &ignored) != NATS_NOT_PERMITTED;
    natsMsg_Destroy(answer);
    natsSubscription_Destroy(answers);
    return s;
}

/* Twice, since one that ends, or whose connection the broker has just lost, may have it still. */
static natsStatus claim_name(struct link *l) {
    bool taken;
    natsStatus s = ask_for_name(l, &taken);
    if (s != NATS_OK || !taken) return s;
    pthread_mutex_lock(&l->mutex);
    for (int64_t until = yo_time_ms() + NAME_MS; !l->ending && yo_time_ms() < until;)
        wait_for(l, &l->more, until - yo_time_ms());
    pthread_mutex_unlock(&l->mutex);
    s = ask_for_name(l, &taken);
    pthread_mutex_lock(&l->mutex);
    l->taken = taken;
    pthread_mutex_unlock(&l->mutex);
    return s == NATS_OK && taken ? NATS_ERR : s;
}

static void disconnect(struct link *l) {
    if (l->connection) natsConnection_FlushTimeout(l->connection, 200); /* a last leave or stop */
    for (size_t i = 0; i < l->subscription_count; i++) {
        natsSubscription_Unsubscribe(l->subscriptions[i]);
        natsSubscription_Destroy(l->subscriptions[i]);
    }
    l->subscription_count = 0;
    pthread_mutex_lock(&l->mutex);
    while (l->listening > 0)
        pthread_cond_wait(&l->changed, &l->mutex);
    pthread_mutex_unlock(&l->mutex);
    natsConnection_Destroy(l->connection);
    l->connection = NULL;
}

static bool is_ending(struct link *l) {
    pthread_mutex_lock(&l->mutex);
    bool ending = l->ending;
    pthread_mutex_unlock(&l->mutex);
    return ending;
}

/* Whoever waited may have gone meanwhile: then there is nobody to listen for. */
static natsStatus connect_once(struct link *l) {
    natsStatus s = natsConnection_Connect(&l->connection, l->options);
    if (s == NATS_OK && is_ending(l)) s = NATS_CONNECTION_CLOSED;
    if (s == NATS_OK && l->is_worker) s = claim_name(l);
    if (s == NATS_OK) s = subscribe_all(l);
    if (s != NATS_OK) disconnect(l);
    return s;
}

/* Once, or until somebody answers. Under the mutex at its end, as at its beginning. */
static natsStatus connect_link(struct link *l) {
    for (;;) {
        pthread_mutex_unlock(&l->mutex);
        natsStatus s = connect_once(l);
        pthread_mutex_lock(&l->mutex);
        l->tried = true;
        l->status = s;
        pthread_cond_broadcast(&l->changed);
        if (!l->later || l->ending || (s != NATS_NO_SERVER && s != NATS_TIMEOUT)) return s;
        wait_for(l, &l->more, YO_NATS_AGAIN_MS);
        if (l->ending) return s;
    }
}

static void free_link(struct link *l) {
    if (l->event_fd >= 0) close(l->event_fd);
    natsOptions_Destroy(l->options);
    yo_inbox_free(&l->inbox);
    yo_inbox_free(&l->out);
    pthread_cond_destroy(&l->changed);
    pthread_cond_destroy(&l->more);
    pthread_mutex_destroy(&l->mutex);
    yo_free(l);
}

/* The only thread that waits for the library. */
static void *serve(void *user) {
    struct link *l = user;
    pthread_mutex_lock(&l->mutex);
    natsStatus s = connect_link(l);
    pthread_mutex_unlock(&l->mutex);
    if (s == NATS_OK)
        send_all(l);
    else
        atomic_store(&l->closed, true);
    disconnect(l);
    pthread_mutex_lock(&l->mutex);
    l->ended = true;
    bool left = l->left;
    pthread_cond_broadcast(&l->changed);
    pthread_mutex_unlock(&l->mutex);
    if (left) free_link(l);
    return NULL;
}

/* Until the thread has ended, or for a while: the library may wait for a broker that hangs, and who
 * quits does not. Nobody has said anything yet while it connects for the first time. */
static void destroy(void *ctx) {
    struct link *l = ctx;
    if (l->has_thread) {
        pthread_mutex_lock(&l->mutex);
        l->ending = true;
        pthread_cond_signal(&l->more);
        for (int64_t until = yo_time_ms() + (l->tried ? LEAVE_MS : 0), now;
             !l->ended && (now = yo_time_ms()) < until;)
            wait_for(l, &l->changed, until - now);
        pthread_t thread = l->thread;
        bool left = l->left = !l->ended;
        pthread_mutex_unlock(&l->mutex);
        if (left) {
            pthread_detach(thread);
            return;
        }
        pthread_join(thread, NULL);
    }
    free_link(l);
}

static const struct yo_transport_ops ops = {"nats", send, receive, is_over, destroy};

/* ---- Making ---- */

/* For the result of the first try. */
static enum yo_err wait_until_tried(struct link *l, const struct yo_nats_config *config,
                                    struct yo_diag *diag) {
    enum { QUIT_LOOK_MS = 50 };
    int64_t until = yo_time_ms() + config->wait_ms;
    pthread_mutex_lock(&l->mutex);
    while (!l->tried && (!config->wait_ms || yo_time_ms() < until) &&
           !(config->quit && atomic_load(config->quit)))
        wait_for(l, &l->changed, QUIT_LOOK_MS);
    natsStatus s = l->tried ? l->status : NATS_TIMEOUT;
    bool taken = l->taken;
    pthread_mutex_unlock(&l->mutex);
    if (s == NATS_OK) return YO_OK;
    if (!taken) return yo_nats_failure(config, s, diag);
    yo_diag_set(diag, YO_ERR_MISMATCH, "the cluster %s has a worker %s already", l->cluster,
                l->self);
    yo_diag_hint(diag, "a --name is one worker's alone");
    return YO_ERR_MISMATCH;
}

enum yo_err yo_transport_nats(const struct yo_nats_config *config, struct yo_transport *transport,
                              struct yo_diag *diag) {
    const char *self = config->worker ? config->worker : config->master;
    enum yo_err err = yo_transport_check_port(config->url, diag);
    if (err) return err;
    if (!yo_message_is_name(config->cluster))
        return yo_diag_set(diag, YO_ERR_ARGUMENT,
                           "--cluster-name %.40s is no name: letters, digits, - and _",
                           config->cluster);
    struct link *l = yo_alloc(1, sizeof *l);
    if (!l) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for a connection");
    strcpy(l->cluster, config->cluster);
    snprintf(l->self, sizeof l->self, "%s", self);
    l->is_worker = config->worker != NULL;
    l->later = config->later;
    pthread_mutex_init(&l->mutex, NULL);
    pthread_cond_init(&l->changed, NULL);
    pthread_cond_init(&l->more, NULL);
    l->event_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (l->event_fd < 0) err = yo_diag_set(diag, YO_ERR_IO, "no event descriptor");
    if (!err) err = yo_nats_options(config, &l->options, diag);
    if (!err) {
        l->has_thread = pthread_create(&l->thread, NULL, serve, l) == 0;
        if (!l->has_thread) err = yo_diag_set(diag, YO_ERR_NOMEM, "no thread for a connection");
    }
    if (!err && !config->later) err = wait_until_tried(l, config, diag);
    if (err)
        destroy(l);
    else
        *transport = (struct yo_transport){&ops, l, l->event_fd};
    return err;
}

/* ---- Other clusters ---- */

/* The first part of a subject, if it is a name other than this. */
static bool take_cluster(const char *subject, const char *cluster, char out[YO_MESSAGE_NAME]) {
    size_t len = strcspn(subject, ".");
    if (len >= YO_MESSAGE_NAME) return false;
    memcpy(out, subject, len);
    out[len] = '\0';
    return yo_message_is_name(out) && strcmp(out, cluster) != 0;
}

bool yo_transport_nats_shared(const struct yo_nats_config *config, int64_t time_ms,
                              char name[YO_MESSAGE_NAME]) {
    natsOptions *options = NULL;
    natsConnection *connection = NULL;
    natsSubscription *hellos = NULL;
    bool found = false;
    if (yo_nats_options(config, &options, NULL)) return false;
    natsStatus s = natsConnection_Connect(&connection, options);
    if (s == NATS_OK) s = natsConnection_SubscribeSync(&hellos, connection, "*.hello");
    for (int64_t until = yo_time_ms() + time_ms, left; s == NATS_OK && !found;) {
        natsMsg *message = NULL;
        if ((left = until - yo_time_ms()) <= 0) break;
        s = natsSubscription_NextMsg(&message, hellos, left);
        if (s == NATS_OK) found = take_cluster(natsMsg_GetSubject(message), config->cluster, name);
        natsMsg_Destroy(message);
    }
    natsSubscription_Destroy(hellos);
    natsConnection_Destroy(connection);
    natsOptions_Destroy(options);
    return found;
}

#endif
