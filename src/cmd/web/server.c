#include "cmd/web/server.h"

#include "base/diag.h"

#ifdef YOMI_WEB

#include <civetweb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/time.h"
#include "cluster/master.h"
#include "cmd/web/address.h"
#include "cmd/web/answer.h"
#include "cmd/web/link.h"
#include "cmd/web/page.h"

enum {
    SPARE_THREADS = 8, /* for files and refusals, beside those that WebSockets hold */
    WATCH_MS = 50,
    FDS_MAX = 65536,
};

struct yo_server {
    struct yo_server_config config;
    struct mg_context *mg;
    char host[64], address[192], key[YO_WEB_KEY_SIZE]; /* key: "" for none */
    bool loopback;
    pthread_t watcher;
    bool watches;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    /* Under the lock: */
    struct entry *entries; /* config.sessions of them */
    bool leaving;
};

/* A connection. It is taken before the handshake, so that no more than that are accepted. */
struct entry {
    const struct mg_connection *connection; /* NULL: free */
    struct yo_link *link;                   /* NULL until the handshake is done */
};

/* ---- Requests over HTTP ---- */

static bool has_key(const struct yo_server *s, const struct mg_request_info *info) {
    return !s->key[0] || yo_web_key_matches(info->query_string, s->key);
}

static const char no_page[] =
    "The page is not part of this build of Yomi: npm was missing when it was built.\n"
    "Install npm (Debian: apt-get install npm) and build again. The protocol at /ws works.\n";

/* Every request but the WebSocket's ends here: civetweb's own files and programs are never
 * reached. */
static int begin_request(struct mg_connection *c) {
    const struct mg_request_info *info = mg_get_request_info(c);
    const struct yo_server *s = info->user_data;
    const char *uri = info->local_uri, *method = info->request_method;
    if (!uri) return yo_answer_text(c, 400, "bad request\n");
    if (strcmp(uri, "/ws") == 0 && mg_get_header(c, "Upgrade")) return 0;
    if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
        return yo_answer_text(c, 405, "only GET and HEAD are answered\n");
    if (!yo_web_origin_allowed(mg_get_header(c, "Host"), NULL, s->loopback))
        return yo_answer_text(c, 403, "this server is not known by that name\n");
    bool is_start = strcmp(uri, "/") == 0, is_health = strcmp(uri, "/health") == 0;
    if ((is_start || is_health) && !has_key(s, info))
        return yo_answer_text(c, 403, "the address lacks the key that yomi web printed\n");
    if (is_health) return yo_answer_health(c);
    const struct yo_page_file *file = yo_page_find(uri);
    if (file) return yo_answer_file(c, file);
    if (is_start) return yo_answer_text(c, 503, no_page);
    if (strcmp(uri, "/ws") == 0) return yo_answer_text(c, 426, "this is for a WebSocket\n");
    return yo_answer_text(c, 404, "there is no such page\n");
}

/* ---- WebSockets ---- */

/* The entry of a connection, or a free one for NULL. Under the lock. */
static struct entry *find(struct yo_server *s, const struct mg_connection *c) {
    for (int i = 0; i < s->config.sessions; i++)
        if (s->entries[i].connection == c) return &s->entries[i];
    return NULL;
}

static bool reserve(struct yo_server *s, const struct mg_connection *c) {
    pthread_mutex_lock(&s->lock);
    struct entry *entry = s->leaving ? NULL : find(s, NULL);
    if (entry) entry->connection = c;
    pthread_mutex_unlock(&s->lock);
    return entry != NULL;
}

static void refuse(const struct mg_connection *c, int status, const char *text) {
    yo_answer_text((struct mg_connection *)c, status, text);
}

static int connecting(const struct mg_connection *c, void *user) {
    struct yo_server *s = user;
    const struct mg_request_info *info = mg_get_request_info(c);
    if (!has_key(s, info)) {
        refuse(c, 403, "the address lacks the key that yomi web printed\n");
        return 1;
    }
    if (!yo_web_origin_allowed(mg_get_header(c, "Host"), mg_get_header(c, "Origin"), s->loopback)) {
        refuse(c, 403, "the request comes from another page\n");
        return 1;
    }
    if (!reserve(s, c)) {
        refuse(c, 503, "too many connections; try again later\n");
        return 1;
    }
    return 0;
}

static int port_of(int fd, int (*name)(int, struct sockaddr *, socklen_t *)) {
    struct sockaddr_storage address = {0};
    socklen_t len = sizeof address;
    if (name(fd, (struct sockaddr *)&address, &len)) return -1;
    if (address.ss_family == AF_INET) return ntohs(((struct sockaddr_in *)&address)->sin_port);
    if (address.ss_family == AF_INET6) return ntohs(((struct sockaddr_in6 *)&address)->sin6_port);
    return -1;
}

static int peer_name(int fd, struct sockaddr *a, socklen_t *len) { return getpeername(fd, a, len); }
static int sock_name(int fd, struct sockaddr *a, socklen_t *len) { return getsockname(fd, a, len); }

/* civetweb does not tell the socket of a connection, and only a socket can be ended from another
 * thread. Ports tell which it is. */
static int find_socket(const struct mg_request_info *info) {
    long most = sysconf(_SC_OPEN_MAX);
    for (int fd = 0; fd < (most > 0 && most < FDS_MAX ? most : FDS_MAX); fd++)
        if (port_of(fd, peer_name) == info->remote_port &&
            port_of(fd, sock_name) == info->server_port)
            return fd;
    return -1;
}

static bool write_frame(void *connection, int opcode, const char *bytes, size_t len) {
    return mg_websocket_write(connection, opcode, bytes, len) > 0;
}

static void connected(struct mg_connection *c, void *user) {
    struct yo_server *s = user;
    struct yo_diag diag;
    struct yo_link *link;
    struct yo_link_config config = {.web = {.options = s->config.options,
                                            .kinds = yo_cluster_kinds,
                                            .idle_ms = s->config.idle_ms},
                                    .fd = find_socket(mg_get_request_info(c)),
                                    .write = write_frame,
                                    .connection = c};
    if (config.fd < 0 || yo_link_new(&config, &link, &diag)) return;
    pthread_mutex_lock(&s->lock);
    find(s, c)->link = link;
    pthread_cond_signal(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

static struct yo_link *link_of(struct yo_server *s, const struct mg_connection *c) {
    pthread_mutex_lock(&s->lock);
    struct entry *entry = find(s, c);
    struct yo_link *link = entry ? entry->link : NULL;
    pthread_mutex_unlock(&s->lock);
    return link;
}

static int frame_came(struct mg_connection *c, int bits, char *bytes, size_t len, void *user) {
    struct yo_link *link = link_of(user, c); /* NULL: there was no memory for it */
    return link && yo_link_frame(link, bits, bytes, len);
}

static void closed(const struct mg_connection *c, void *user) {
    struct yo_server *s = user;
    pthread_mutex_lock(&s->lock);
    struct entry *entry = find(s, c);
    struct yo_link *link = entry ? entry->link : NULL;
    if (entry) entry->link = NULL; /* the watcher sees it no more; the entry stays taken */
    pthread_mutex_unlock(&s->lock);
    if (link) yo_link_delete(link);
    pthread_mutex_lock(&s->lock);
    if (entry) entry->connection = NULL;
    pthread_mutex_unlock(&s->lock);
}

/* Every connection ends here, also one that left during the handshake, of which civetweb may call
 * no other handler. */
static void connection_ends(const struct mg_connection *c) {
    const struct mg_request_info *info = mg_get_request_info(c);
    if (info && info->user_data) closed(c, info->user_data);
}

static void *watch(void *arg) {
    struct yo_server *s = arg;
    pthread_mutex_lock(&s->lock);
    while (!s->leaving) {
        bool any = false;
        for (int i = 0; i < s->config.sessions; i++)
            if (s->entries[i].link) {
                yo_link_watch(s->entries[i].link, yo_time_ms());
                any = true;
            }
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += WATCH_MS * 1000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        if (any)
            pthread_cond_timedwait(&s->changed, &s->lock, &until);
        else
            pthread_cond_wait(&s->changed, &s->lock);
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

/* ---- Start and end ---- */

static int no_log(const struct mg_connection *c, const char *message) {
    (void)c, (void)message;
    return 1;
}

static enum yo_err listen_on(struct yo_server *s, struct yo_diag *diag) {
    char port[96], threads[16];
    struct mg_callbacks callbacks = {.begin_request = begin_request,
                                     .connection_close = connection_ends,
                                     .log_message = no_log,
                                     .log_access = no_log};
    snprintf(port, sizeof port, "%s:%d", s->host, s->config.port);
    snprintf(threads, sizeof threads, "%d", s->config.sessions + SPARE_THREADS);
    const char *options[] = {"listening_ports",
                             port,
                             "num_threads",
                             threads,
                             "request_timeout_ms",
                             "5000",
                             "websocket_timeout_ms",
                             "10000",
                             "enable_directory_listing",
                             "no",
                             "tcp_nodelay",
                             "1",
                             NULL};
    enum yo_err err = yo_address_try(s->host, s->config.port, diag);
    if (err) return err;
    mg_init_library(MG_FEATURES_WEBSOCKET);
    s->mg = mg_start(&callbacks, s, options);
    if (!s->mg) return yo_diag_set(diag, YO_ERR_IO, "civetweb cannot listen on %s", port);
    mg_set_websocket_handler(s->mg, "/ws", connecting, connected, frame_came, closed, s);
    struct mg_server_port ports[1] = {{0}};
    mg_get_server_ports(s->mg, 1, ports);
    char shown[64];
    yo_address_shown(s->host, shown, sizeof shown);
    snprintf(s->address, sizeof s->address, "http://%s:%d/%s%s", shown, ports[0].port,
             s->key[0] ? "?key=" : "", s->key);
    return YO_OK;
}

static enum yo_err start(struct yo_server *s, struct yo_diag *diag) {
    enum yo_err err = yo_address_resolve(s->config.host, mg_check_feature(MG_FEATURES_IPV6) != 0,
                                         s->host, sizeof s->host, &s->loopback, diag);
    if (err) return err;
    if (!s->loopback && !yo_web_key_make(s->key))
        return yo_diag_set(diag, YO_ERR_IO, "the system has no random numbers for a secret");
    s->entries = yo_alloc((size_t)s->config.sessions, sizeof *s->entries);
    if (!s->entries) return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    s->watches = pthread_create(&s->watcher, NULL, watch, s) == 0;
    if (!s->watches) return yo_diag_set(diag, YO_ERR_NOMEM, "no thread could be started");
    return listen_on(s, diag);
}

enum yo_err yo_server_start(const struct yo_server_config *config, struct yo_server **out,
                            struct yo_diag *diag) {
    struct yo_server *s = yo_alloc(1, sizeof *s);
    if (!s) return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    s->config = *config;
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    enum yo_err err = start(s, diag);
    if (err)
        yo_server_stop(s);
    else
        *out = s;
    return err;
}

void yo_server_stop(struct yo_server *s) {
    if (!s) return;
    pthread_mutex_lock(&s->lock);
    s->leaving = true;
    for (int i = 0; s->entries && i < s->config.sessions; i++)
        if (s->entries[i].link) yo_link_cut(s->entries[i].link);
    pthread_cond_signal(&s->changed);
    pthread_mutex_unlock(&s->lock);
    if (s->watches) pthread_join(s->watcher, NULL);
    if (s->mg) {
        mg_stop(s->mg);
        mg_exit_library();
    }
    yo_free(s->entries);
    pthread_cond_destroy(&s->changed);
    pthread_mutex_destroy(&s->lock);
    yo_free(s);
}

const char *yo_server_address(const struct yo_server *s) { return s->address; }
const char *yo_server_library(void) { return mg_version(); }

#else

enum yo_err yo_server_start(const struct yo_server_config *config, struct yo_server **server,
                            struct yo_diag *diag) {
    (void)config, (void)server;
    yo_diag_set(diag, YO_ERR_UNSUPPORTED, "the server is not part of this build");
    yo_diag_hint(diag,
                 "install civetweb (Debian: apt-get install libcivetweb-dev) and build again");
    return YO_ERR_UNSUPPORTED;
}

void yo_server_stop(struct yo_server *server) { (void)server; }
const char *yo_server_address(const struct yo_server *server) {
    (void)server;
    return "";
}
const char *yo_server_library(void) { return NULL; }

#endif
