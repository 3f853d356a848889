/* Messages over NATS. Subjects, with the cluster's name in front:
 *   NAME.hello           from workers, to all masters and to `yomi cluster`
 *   NAME.master.M        to the master M
 *   NAME.workers         to all workers
 *   NAME.worker.W        to the worker W
 *   NAME.gone.M.W        to the master M, by the broker itself: nobody listens at NAME.worker.W
 * The library's threads fill an inbox; an event descriptor tells the owner's loop. Messages leave
 * by a thread of their own: while the library connects again, or waits for a broker that does not
 * read, every call of it waits with it. */
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

#else

#include <errno.h>
#include <nats/nats.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "cluster/inbox.h"
#include "cluster/message.h"

enum {
    CONNECT_MS = 5000,
    AGAIN_MS = 250,       /* between two tries to connect again */
    PING_MS = 2000,       /* a broker that does not answer two of these is gone */
    WRITE_MS = 2000,      /* one that does not read for so long, too */
    LOOK_MS = 200,        /* how often the state of the connection is read */
    WAIT_BYTES = 1 << 20, /* that may wait for a broker that is gone; the rest is lost */
    OUT_BYTES = 8 << 20,  /* likewise, before the library has them */
    SUBJECT = 3 * YO_MESSAGE_NAME + 16
};

struct link {
    char cluster[YO_MESSAGE_NAME], self[YO_MESSAGE_NAME];
    bool is_worker;
    natsConnection *connection;
    natsSubscription *subscriptions[3];
    size_t subscription_count;
    int event_fd;
    atomic_bool closed; /* the library has given the connection up */
    pthread_t sender;
    bool has_sender;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    /* Under the mutex: */
    struct yo_inbox inbox;
    size_t listening;    /* subscriptions whose callback may still run */
    struct yo_inbox out; /* the subject, where to answer, the message; 0 after the first two */
    size_t out_bytes;
    bool ending;
    pthread_cond_t more; /* to be sent, or the end */
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

static void wait_for_more(struct link *l) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 1000000L * LOOK_MS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&l->more, &l->mutex, &until);
}

/* The only thread that has to wait for the library; what is there at the end is sent. */
static void *send_all(void *user) {
    struct link *l = user;
    struct yo_buf out = {0};
    pthread_mutex_lock(&l->mutex);
    for (bool ending = false; !ending;) {
        ending = l->ending;
        if (l->out.count == 0 && !ending) wait_for_more(l);
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
    return NULL;
}

static void end_sending(struct link *l) {
    if (!l->has_sender) return;
    pthread_mutex_lock(&l->mutex);
    l->ending = true;
    pthread_cond_signal(&l->more);
    pthread_mutex_unlock(&l->mutex);
    pthread_join(l->sender, NULL);
}

/* The last callback of a subscription has returned. */
static void end_listening(void *user) {
    struct link *l = user;
    pthread_mutex_lock(&l->mutex);
    l->listening--;
    pthread_cond_signal(&l->changed);
    pthread_mutex_unlock(&l->mutex);
}

static void destroy(void *ctx) {
    struct link *l = ctx;
    end_sending(l);
    if (l->connection) natsConnection_FlushTimeout(l->connection, 200); /* a last leave or stop */
    for (size_t i = 0; i < l->subscription_count; i++) {
        natsSubscription_Unsubscribe(l->subscriptions[i]);
        natsSubscription_Destroy(l->subscriptions[i]);
    }
    pthread_mutex_lock(&l->mutex);
    while (l->listening > 0)
        pthread_cond_wait(&l->changed, &l->mutex);
    pthread_mutex_unlock(&l->mutex);
    natsConnection_Destroy(l->connection);
    if (l->event_fd >= 0) close(l->event_fd);
    yo_inbox_free(&l->inbox);
    yo_inbox_free(&l->out);
    pthread_cond_destroy(&l->changed);
    pthread_cond_destroy(&l->more);
    pthread_mutex_destroy(&l->mutex);
    yo_free(l);
}

static const struct yo_transport_ops ops = {"nats", send, receive, is_over, destroy};

/* ---- Credentials ---- */

enum { USER, PASSWORD, CREDS, CA, CERT, KEY, KEYS }; /* from CREDS on: names of files */
static const char *const keys[KEYS] = {"user", "password", "creds", "ca", "cert", "key"};

struct auth {
    struct yo_buf text;
    const char *values[KEYS]; /* into the text; NULL: not given */
};

static enum yo_err read_auth_line(struct auth *auth, char *line, struct yo_diag *diag) {
    char *value = strchr(line, '=');
    if (*line == '#' || *line == '\0') return YO_OK;
    for (size_t i = 0; value && i < KEYS; i++)
        if (strlen(keys[i]) == (size_t)(value - line) &&
            strncmp(keys[i], line, (size_t)(value - line)) == 0) {
            auth->values[i] = value + 1;
            if (i < CREDS || access(value + 1, R_OK) == 0) return YO_OK;
            return yo_diag_set(diag, YO_ERR_IO, "cannot read %.100s: %s", value + 1,
                               strerror(errno));
        }
    yo_diag_set(diag, YO_ERR_PARSE, "a line is none of user=, password=, creds=, ca=, cert=, key=");
    return YO_ERR_PARSE;
}

static enum yo_err read_auth(const char *path, struct auth *auth, struct yo_diag *diag) {
    if (!path) return YO_OK;
    enum yo_err err = yo_file_read_text(path, &auth->text, diag);
    int number = 1;
    for (char *line = auth->text.data; !err && line && *line; number++) {
        char *end = line + strcspn(line, "\n"), *next = end + (*end == '\n');
        *end = '\0';
        line[strcspn(line, "\r")] = '\0';
        err = read_auth_line(auth, line, diag);
        if (err) yo_diag_where(diag, path, number, 1);
        line = next;
    }
    return err;
}

static natsStatus set_auth(natsOptions *options, const struct auth *auth) {
    const char *const *v = auth->values;
    natsStatus s = NATS_OK;
    if (v[USER]) s = natsOptions_SetUserInfo(options, v[USER], v[PASSWORD] ? v[PASSWORD] : "");
    if (s == NATS_OK && v[CREDS])
        s = natsOptions_SetUserCredentialsFromFiles(options, v[CREDS], NULL);
    if (s == NATS_OK && (v[CA] || v[CERT])) s = natsOptions_SetSecure(options, true);
    if (s == NATS_OK && v[CA]) s = natsOptions_LoadCATrustedCertificates(options, v[CA]);
    if (s == NATS_OK && v[CERT])
        s = natsOptions_LoadCertificatesChain(options, v[CERT], v[KEY] ? v[KEY] : v[CERT]);
    return s;
}

/* ---- Connecting ---- */

/* Other errors of the library go to standard error, if nobody takes them. */
static void pass_over(natsConnection *connection, natsSubscription *subscription, natsStatus error,
                      void *user) {
    (void)connection, (void)subscription, (void)error, (void)user;
}

static void pass_connected(natsConnection *connection, void *user) { (void)connection, (void)user; }

static natsStatus set_options(natsOptions *options, const struct yo_nats_config *config) {
    natsStatus s = natsOptions_SetURL(options, config->url);
    if (s == NATS_OK) s = natsOptions_SetTimeout(options, CONNECT_MS);
    if (s == NATS_OK) s = natsOptions_SetMaxReconnect(options, -1);
    if (s == NATS_OK) s = natsOptions_SetReconnectWait(options, AGAIN_MS);
    if (s == NATS_OK) s = natsOptions_SetReconnectJitter(options, AGAIN_MS, AGAIN_MS);
    if (s == NATS_OK) s = natsOptions_SetReconnectBufSize(options, WAIT_BYTES);
    if (s == NATS_OK) s = natsOptions_SetPingInterval(options, PING_MS);
    if (s == NATS_OK) s = natsOptions_SetWriteDeadline(options, WRITE_MS);
    if (s == NATS_OK) s = natsOptions_SetErrorHandler(options, pass_over, NULL);
    if (s == NATS_OK) s = natsOptions_SetSendAsap(options, true);
    if (s == NATS_OK && config->later) /* without a callback it would wait */
        s = natsOptions_SetRetryOnFailedConnect(options, true, pass_connected, NULL);
    return s;
}

static natsStatus subscribe(struct link *l, const char *subject) {
    natsStatus s = natsConnection_Subscribe(&l->subscriptions[l->subscription_count], l->connection,
                                            subject, arrive, l);
    if (s != NATS_OK) return s;
    l->listening += natsSubscription_SetOnCompleteCB(l->subscriptions[l->subscription_count],
                                                     end_listening, l) == NATS_OK;
    l->subscription_count++;
    return s;
}

static natsStatus subscribe_all(struct link *l, bool connected) {
    char subject[SUBJECT];
    const char *c = l->cluster;
    snprintf(subject, sizeof subject, "%s.%s", c, l->is_worker ? "workers" : "hello");
    natsStatus s = subscribe(l, subject);
    snprintf(subject, sizeof subject, "%s.%s.%s", c, l->is_worker ? "worker" : "master", l->self);
    if (s == NATS_OK) s = subscribe(l, subject);
    snprintf(subject, sizeof subject, "%s.gone.%s.*", c, l->self);
    if (s == NATS_OK && !l->is_worker) s = subscribe(l, subject);
    if (s != NATS_OK || !connected) return s;
    s = natsConnection_FlushTimeout(l->connection, CONNECT_MS);
    /* The broker tells a user who may not listen there before it answers the flush. */
    const char *ignored;
    if (s == NATS_OK && natsConnection_GetLastError(l->connection, &ignored) == NATS_NOT_PERMITTED)
        s = NATS_NOT_PERMITTED;
    return s;
}

static enum yo_err connect_link(struct link *l, const struct yo_nats_config *config,
                                struct yo_diag *diag) {
    struct auth auth = {0};
    natsOptions *options = NULL;
    enum yo_err err = read_auth(config->auth_file, &auth, diag);
    if (err) {
        yo_buf_free(&auth.text);
        return err;
    }
    natsStatus s = natsOptions_Create(&options);
    if (s == NATS_OK) s = set_options(options, config);
    if (s == NATS_OK) s = set_auth(options, &auth);
    if (s == NATS_OK) s = natsConnection_Connect(&l->connection, options);
    if (s == NATS_OK || s == NATS_NOT_YET_CONNECTED) s = subscribe_all(l, s == NATS_OK);
    natsOptions_Destroy(options);
    yo_buf_free(&auth.text);
    if (s == NATS_OK) return YO_OK;
    err = s == NATS_NO_SERVER ? YO_ERR_STATE : s == NATS_TIMEOUT ? YO_ERR_CANCELLED : YO_ERR_IO;
    yo_diag_set(diag, err, "cannot connect to %.80s: %s", config->url, natsStatus_GetText(s));
    if (s == NATS_CONNECTION_AUTH_FAILED)
        yo_diag_hint(diag, "the broker wants credentials: --cluster-auth FILE");
    else if (s == NATS_NOT_PERMITTED)
        yo_diag_hint(diag, "its user in --cluster-auth is not one for a %s of the cluster %s",
                     l->is_worker ? "worker" : "master", l->cluster);
    else if (s == NATS_SSL_ERROR || s == NATS_SECURE_CONNECTION_WANTED ||
             s == NATS_SECURE_CONNECTION_REQUIRED)
        yo_diag_hint(diag, "TLS: whom to trust is the line ca=FILE of --cluster-auth FILE");
    else if (s == NATS_TIMEOUT)
        yo_diag_hint(diag, "what listens there does not answer; `yomi cluster stop` ends a broker "
                           "that `up` started here");
    else
        yo_diag_hint(diag, "is there a broker? `yomi cluster up` starts one on this machine");
    return err;
}

enum yo_err yo_transport_nats(const struct yo_nats_config *config, struct yo_transport *transport,
                              struct yo_diag *diag) {
    const char *self = config->worker ? config->worker : config->master;
    if (!yo_message_is_name(config->cluster))
        return yo_diag_set(diag, YO_ERR_ARGUMENT,
                           "--cluster-name %.40s is no name: letters, digits, - and _",
                           config->cluster);
    struct link *l = yo_alloc(1, sizeof *l);
    if (!l) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for a connection");
    strcpy(l->cluster, config->cluster);
    snprintf(l->self, sizeof l->self, "%s", self);
    l->is_worker = config->worker != NULL;
    pthread_mutex_init(&l->mutex, NULL);
    pthread_cond_init(&l->changed, NULL);
    pthread_cond_init(&l->more, NULL);
    l->event_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    enum yo_err err = l->event_fd < 0 ? yo_diag_set(diag, YO_ERR_IO, "no event descriptor")
                                      : connect_link(l, config, diag);
    if (!err) l->has_sender = pthread_create(&l->sender, NULL, send_all, l) == 0;
    if (!err && !l->has_sender) err = yo_diag_set(diag, YO_ERR_NOMEM, "no thread for a connection");
    if (err)
        destroy(l);
    else
        *transport = (struct yo_transport){&ops, l, l->event_fd};
    return err;
}

#endif
