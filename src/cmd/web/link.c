#include "cmd/web/link.h"

#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <linux/tcp.h> /* the C library's tcp_info has no tcpi_bytes_received; musl's has */
#else
#include <netinet/tcp.h>
#endif

#include "base/alloc.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/time.h"

enum {
    CONTINUATION = 0,
    TEXT = 1,
    BINARY = 2,
    CLOSE = 8,
    PING = 9,
    PONG = 10,
    FIN = 0x80,
};

enum {
    QUEUE_MAX = 8 << 20,  /* bytes that may wait for a slow reader */
    FRAME_MS = 20 * 1000, /* the longest time from a frame's first byte to its last */
};

#define RATE  50.0  /* messages a second */
#define BURST 100.0 /* that may come at once */

struct message {
    struct message *next;
    int opcode;
    bool report;
    size_t len;
    char bytes[];
};

struct yo_link {
    struct yo_link_config config;
    struct yo_web *web;
    struct yo_buf parts; /* of a message in several frames */
    double tokens;       /* messages that may come now */
    int64_t counted_ms;

    pthread_t writer, reader;
    pthread_mutex_t lock;
    pthread_cond_t came; /* a message for the writer */
    pthread_cond_t turn; /* a message for the reader, or its answer */
    /* Under the lock: */
    struct message *first, *last;
    size_t queued;
    bool leaving;
    const char *text; /* a message of the page, until it has been handled */
    size_t text_len;
    bool started; /* the reader has made `web`, or failed */
    enum yo_err start_err;
    struct yo_diag start_diag;

    atomic_llong heard_ms;    /* the last message of the page */
    atomic_llong frame_bytes; /* of all frames so far, with their headers */
    /* Of yo_link_watch: */
    int64_t begun_bytes; /* received before the first frame; -1: not known */
    int64_t whole_ms;    /* when no frame was incomplete last */
    int64_t seen_bytes;
};

void yo_link_cut(struct yo_link *link) { shutdown(link->config.fd, SHUT_RDWR); }

/* ---- Out ---- */

/* Removes the waiting report. */
static void drop_report(struct yo_link *link) {
    struct message **at = &link->first, *before = NULL;
    while (*at && !(*at)->report) {
        before = *at;
        at = &(*at)->next;
    }
    if (!*at) return;
    struct message *old = *at;
    *at = old->next;
    if (link->last == old) link->last = before;
    link->queued -= old->len;
    yo_free(old);
}

static void put(struct yo_link *link, int opcode, const char *bytes, size_t len, bool report) {
    struct message *m = yo_alloc(1, sizeof *m + len);
    if (m) {
        m->opcode = opcode;
        m->report = report;
        m->len = len;
        memcpy(m->bytes, bytes, len);
    }
    pthread_mutex_lock(&link->lock);
    if (report) drop_report(link);
    bool full = !m || link->queued + len > QUEUE_MAX || link->leaving;
    if (!full) {
        *(link->last ? &link->last->next : &link->first) = m;
        link->last = m;
        link->queued += len;
        pthread_cond_signal(&link->came);
    }
    pthread_mutex_unlock(&link->lock);
    if (!full) return;
    yo_free(m);
    yo_link_cut(link); /* a page that misses a message would wait for it for ever */
}

static void send_message(void *user, const char *text, size_t len, bool report) {
    put(user, TEXT, text, len, report);
}

static struct message *take(struct yo_link *link) {
    pthread_mutex_lock(&link->lock);
    while (!link->first && !link->leaving)
        pthread_cond_wait(&link->came, &link->lock);
    struct message *m = link->leaving ? NULL : link->first;
    if (m) {
        link->first = m->next;
        if (!link->first) link->last = NULL;
        link->queued -= m->len;
    }
    pthread_mutex_unlock(&link->lock);
    return m;
}

static void *write_all(void *arg) {
    struct yo_link *link = arg;
    struct message *m;
    bool heard = true;
    while ((m = take(link))) {
        if (heard) heard = link->config.write(link->config.connection, m->opcode, m->bytes, m->len);
        if (!heard) yo_link_cut(link);
        yo_free(m);
    }
    return NULL;
}

/* ---- In ---- */

/* All calls to `web` come from a thread of our own: those of civetweb have stacks of 100 kB, too
 * small for reading records. */
static void *read_all(void *arg) {
    struct yo_link *link = arg;
    enum yo_err err = yo_web_new(&link->config.web, &link->web, &link->start_diag);
    pthread_mutex_lock(&link->lock);
    link->start_err = err;
    link->started = true;
    pthread_cond_broadcast(&link->turn);
    while (!err && !link->leaving) {
        if (!link->text) {
            pthread_cond_wait(&link->turn, &link->lock);
            continue;
        }
        pthread_mutex_unlock(&link->lock);
        yo_web_feed(link->web, link->text, link->text_len);
        pthread_mutex_lock(&link->lock);
        link->text = NULL;
        pthread_cond_broadcast(&link->turn);
    }
    pthread_mutex_unlock(&link->lock);
    if (!err) yo_web_delete(link->web);
    return NULL;
}

/* Hands a message to the reader and waits until it has been handled: a page that sends faster
 * than that waits too. */
static void feed(struct yo_link *link, const char *text, size_t len) {
    pthread_mutex_lock(&link->lock);
    link->text = text;
    link->text_len = len;
    pthread_cond_broadcast(&link->turn);
    while (link->text)
        pthread_cond_wait(&link->turn, &link->lock);
    pthread_mutex_unlock(&link->lock);
}

/* Waits until this message may come. */
static void limit_rate(struct yo_link *link) {
    int64_t now = yo_time_ms();
    link->tokens += (double)(now - link->counted_ms) * RATE / 1000;
    if (link->tokens > BURST) link->tokens = BURST;
    link->counted_ms = now;
    link->tokens -= 1;
    if (link->tokens < 0) usleep((useconds_t)(-link->tokens * 1e6 / RATE));
}

/* The bytes of a frame from the page, which is masked. */
static int64_t frame_size(size_t len) {
    return (int64_t)len + 6 + (len > 65535 ? 8 : len > 125 ? 2 : 0);
}

static bool take_text(struct yo_link *link, int bits, const char *bytes, size_t len) {
    if (link->parts.len + len > YO_WEB_MESSAGE_MAX) return false;
    limit_rate(link);
    if ((bits & FIN) && link->parts.len == 0) {
        feed(link, bytes, len);
        return true;
    }
    yo_buf_add(&link->parts, bytes, len);
    if (yo_buf_status(&link->parts)) return false;
    if (!(bits & FIN)) return true;
    feed(link, yo_buf_text(&link->parts), link->parts.len);
    yo_buf_free(&link->parts);
    return true;
}

bool yo_link_frame(struct yo_link *link, int bits, const char *bytes, size_t len) {
    int opcode = bits & 15;
    atomic_fetch_add(&link->frame_bytes, frame_size(len));
    atomic_store(&link->heard_ms, yo_time_ms());
    switch (opcode) {
    case PING:
        if (len > 125) return false;
        limit_rate(link);
        put(link, PONG, bytes, len, false);
        return true;
    case PONG:
        return true;
    case TEXT:
    case CONTINUATION:
        return take_text(link, bits, bytes, len);
    default:
        return false; /* close, binary, and what does not exist */
    }
}

/* ---- Watching ---- */

static int64_t received_bytes(const struct yo_link *link) {
    struct tcp_info info;
    socklen_t size = sizeof info;
    memset(&info, 0, sizeof info);
    if (getsockopt(link->config.fd, IPPROTO_TCP, TCP_INFO, &info, &size)) return -1;
    return size >= offsetof(struct tcp_info, tcpi_bytes_received) + 8
               ? (int64_t)info.tcpi_bytes_received
               : -1;
}

/* civetweb gives a frame only when it is complete and takes memory for it before. Bytes that came
 * but were in no frame yet belong to an incomplete one. */
static bool has_bad_frame(struct yo_link *link, int64_t now_ms) {
    int64_t received = received_bytes(link), whole = atomic_load(&link->frame_bytes);
    if (received < 0 || link->begun_bytes < 0) return false;
    int64_t open = received - link->begun_bytes - whole;
    if (open <= 0 || whole != link->seen_bytes) link->whole_ms = now_ms;
    link->seen_bytes = whole;
    return open > 4 * (int64_t)YO_WEB_MESSAGE_MAX || now_ms - link->whole_ms > FRAME_MS;
}

void yo_link_watch(struct yo_link *link, int64_t now_ms) {
    int64_t most = link->config.web.idle_ms, silent = now_ms - atomic_load(&link->heard_ms);
    bool idle = most > 0 && silent > most && !yo_web_is_busy(link->web);
    if (idle || has_bad_frame(link, now_ms)) yo_link_cut(link);
}

/* ---- Making ---- */

static void leave(struct yo_link *link) {
    pthread_mutex_lock(&link->lock);
    link->leaving = true;
    pthread_cond_signal(&link->came);
    pthread_cond_broadcast(&link->turn);
    pthread_mutex_unlock(&link->lock);
}

static void free_link(struct yo_link *link) {
    while (link->first) {
        struct message *m = link->first;
        link->first = m->next;
        yo_free(m);
    }
    yo_buf_free(&link->parts);
    pthread_cond_destroy(&link->turn);
    pthread_cond_destroy(&link->came);
    pthread_mutex_destroy(&link->lock);
    yo_free(link);
}

static enum yo_err start_reader(struct yo_link *link, struct yo_diag *diag) {
    if (pthread_create(&link->reader, NULL, read_all, link))
        return yo_diag_set(diag, YO_ERR_NOMEM, "no thread could be started");
    pthread_mutex_lock(&link->lock);
    while (!link->started)
        pthread_cond_wait(&link->turn, &link->lock);
    pthread_mutex_unlock(&link->lock);
    if (!link->start_err) return YO_OK;
    pthread_join(link->reader, NULL);
    if (diag) *diag = link->start_diag;
    return link->start_err;
}

static enum yo_err start(struct yo_link *link, struct yo_diag *diag) {
    enum yo_err err = start_reader(link, diag);
    if (err) return err;
    if (pthread_create(&link->writer, NULL, write_all, link) == 0) return YO_OK;
    leave(link);
    pthread_join(link->reader, NULL);
    return yo_diag_set(diag, YO_ERR_NOMEM, "no thread could be started");
}

enum yo_err yo_link_new(const struct yo_link_config *config, struct yo_link **out,
                        struct yo_diag *diag) {
    struct yo_link *link = yo_alloc(1, sizeof *link);
    if (!link) return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    int64_t now = yo_time_ms();
    link->config = *config;
    link->config.web.send = send_message;
    link->config.web.user = link;
    link->tokens = BURST;
    link->counted_ms = link->whole_ms = now;
    atomic_store(&link->heard_ms, now);
    link->begun_bytes = received_bytes(link);
    pthread_mutex_init(&link->lock, NULL);
    pthread_cond_init(&link->came, NULL);
    pthread_cond_init(&link->turn, NULL);
    enum yo_err err = start(link, diag);
    if (err)
        free_link(link);
    else
        *out = link;
    return err;
}

void yo_link_delete(struct yo_link *link) {
    leave(link);
    yo_link_cut(link); /* a write that waits for the reader fails */
    pthread_join(link->reader, NULL);
    pthread_join(link->writer, NULL);
    free_link(link);
}
