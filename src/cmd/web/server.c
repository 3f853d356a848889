#include "cmd/web/server.h"
#include "cluster/master.h"

#include "base/diag.h"

#ifdef YOMI_WEB

#include <civetweb.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "base/alloc.h"
#include "base/json.h"
#include "base/time.h"
#include "cmd/web/link.h"
#include "cmd/web/page.h"
#include "eval/playout/backend.h"
#include "yomi/version.h"

enum {
    SPARE_THREADS = 8, /* for files and refusals, beside those that WebSockets hold */
    WATCH_MS = 50,
    FDS_MAX = 65536,
};

#define FILES_POLICY                                                                               \
    "default-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self' ws: wss:; "          \
    "img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

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

/* ---- Answers over HTTP ---- */

static int answer(struct mg_connection *c, int status, const char *type, const char *headers,
                  const char *bytes, size_t len) {
    const struct mg_request_info *info = mg_get_request_info(c);
    mg_printf(c,
              "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n"
              "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
              "Content-Security-Policy: " FILES_POLICY "\r\nConnection: close\r\n%s\r\n",
              status, mg_get_response_code_text(c, status), type, len, headers);
    if (strcmp(info->request_method, "HEAD") != 0 && len > 0) mg_write(c, bytes, len);
    return status;
}

static int answer_text(struct mg_connection *c, int status, const char *text) {
    return answer(c, status, "text/plain; charset=utf-8", "Cache-Control: no-store\r\n", text,
                  strlen(text));
}

static int answer_health(struct mg_connection *c) {
    bool failed = false;
    json_t *m = yo_json_object(), *backends = yo_json_array();
    const struct yo_playout_backend *backend;
    for (size_t i = 0; (backend = yo_playout_backend_at(i)); i++)
        if (yo_playout_available(backend))
            yo_json_append(backends, json_string(backend->name), &failed);
    yo_json_set(m, "version", json_string(yo_version()), &failed);
    yo_json_set(m, "backends", backends, &failed);
    yo_json_set(m, "page", json_boolean(yo_page_files[0].path != NULL), &failed);
    yo_json_set(m, "status", json_string("ok"), &failed);
    struct yo_buf text = {0};
    yo_json_write(&text, m);
    failed = failed || text.failed;
    int status = failed ? answer_text(c, 500, "out of memory\n")
                        : answer(c, 200, "application/json", "Cache-Control: no-store\r\n",
                                 text.data, text.len);
    yo_buf_free(&text);
    json_decref(m);
    return status;
}

/* For clients that do not take gzip. */
static int answer_inflated(struct mg_connection *c, const struct yo_page_file *file,
                           const char *headers) {
    size_t packed = (size_t)(file->end - file->bytes);
    const unsigned char *t = file->end - 4; /* a gzip file ends with the size of its contents */
    size_t size = t[0] | (size_t)t[1] << 8 | (size_t)t[2] << 16 | (size_t)t[3] << 24;
    char *bytes = yo_alloc(size + 1, 1);
    z_stream z = {.next_in = (Bytef *)file->bytes,
                  .avail_in = (uInt)packed,
                  .next_out = (Bytef *)bytes,
                  .avail_out = (uInt)size};
    bool good = bytes && inflateInit2(&z, 16 + MAX_WBITS) == Z_OK;
    if (good) {
        good = inflate(&z, Z_FINISH) == Z_STREAM_END;
        inflateEnd(&z);
    }
    int status = good ? answer(c, 200, yo_page_mime(file), headers, bytes, size)
                      : answer_text(c, 500, "out of memory\n");
    yo_free(bytes);
    return status;
}

static int answer_file(struct mg_connection *c, const struct yo_page_file *file) {
    char headers[160], tag[40];
    size_t len = (size_t)(file->end - file->bytes);
    const char *accepts = mg_get_header(c, "Accept-Encoding");
    const char *known = mg_get_header(c, "If-None-Match");
    snprintf(tag, sizeof tag, "\"%08lx-%zx\"", crc32(0, file->bytes, (uInt)len), len);
    snprintf(headers, sizeof headers,
             "ETag: %s\r\nCache-Control: no-cache\r\nVary: Accept-Encoding\r\n", tag);
    if (known && strcmp(known, tag) == 0)
        return answer(c, 304, yo_page_mime(file), headers, NULL, 0);
    if (!accepts || !strstr(accepts, "gzip")) return answer_inflated(c, file, headers);
    size_t used = strlen(headers);
    snprintf(headers + used, sizeof headers - used, "Content-Encoding: gzip\r\n");
    return answer(c, 200, yo_page_mime(file), headers, (const char *)file->bytes, len);
}

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
    if (!uri) return answer_text(c, 400, "bad request\n");
    if (strcmp(uri, "/ws") == 0 && mg_get_header(c, "Upgrade")) return 0;
    if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
        return answer_text(c, 405, "only GET and HEAD are answered\n");
    if (!yo_web_origin_allowed(mg_get_header(c, "Host"), NULL, s->loopback))
        return answer_text(c, 403, "this server is not known by that name\n");
    bool is_start = strcmp(uri, "/") == 0, is_health = strcmp(uri, "/health") == 0;
    if ((is_start || is_health) && !has_key(s, info))
        return answer_text(c, 403, "the address lacks the key that yomi web printed\n");
    if (is_health) return answer_health(c);
    const struct yo_page_file *file = yo_page_find(uri);
    if (file) return answer_file(c, file);
    if (is_start) return answer_text(c, 503, no_page);
    if (strcmp(uri, "/ws") == 0) return answer_text(c, 426, "this is for a WebSocket\n");
    return answer_text(c, 404, "there is no such page\n");
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
    answer_text((struct mg_connection *)c, status, text);
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
    struct yo_link_config config = {
        .web = {.options = s->config.options, .kinds = yo_cluster_kinds},
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

/* civetweb takes numeric addresses only. */
static enum yo_err resolve(struct yo_server *s, struct yo_diag *diag) {
    struct addrinfo wanted = {.ai_socktype = SOCK_STREAM}, *found = NULL;
    char text[48];
    int why = getaddrinfo(s->config.host, NULL, &wanted, &found);
    if (!why)
        why = getnameinfo(found->ai_addr, found->ai_addrlen, text, sizeof text, NULL, 0,
                          NI_NUMERICHOST);
    if (!why) {
        bool six = found->ai_family == AF_INET6;
        s->loopback = yo_web_is_loopback(text);
        snprintf(s->host, sizeof s->host, six ? "[%s]" : "%s", text);
    }
    if (found) freeaddrinfo(found);
    if (!why) return YO_OK;
    return yo_diag_set(diag, YO_ERR_ARGUMENT, "--host %.60s: %s", s->config.host,
                       gai_strerror(why));
}

/* For the printed address: where all addresses are listened on, one that others can reach. */
static void reachable_host(const struct yo_server *s, char *out, size_t size) {
    struct ifaddrs *list = NULL;
    snprintf(out, size, "%s", s->host);
    if (strcmp(s->host, "0.0.0.0") != 0 && strcmp(s->host, "[::]") != 0) return;
    if (getifaddrs(&list)) return;
    for (struct ifaddrs *i = list; i; i = i->ifa_next) {
        char text[48];
        bool up = (i->ifa_flags & IFF_UP) && !(i->ifa_flags & IFF_LOOPBACK);
        if (!up || !i->ifa_addr || i->ifa_addr->sa_family != AF_INET) continue;
        if (getnameinfo(i->ifa_addr, sizeof(struct sockaddr_in), text, sizeof text, NULL, 0,
                        NI_NUMERICHOST) == 0) {
            snprintf(out, size, "%s", text);
            break;
        }
    }
    freeifaddrs(list);
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
    mg_init_library(MG_FEATURES_WEBSOCKET);
    s->mg = mg_start(&callbacks, s, options);
    if (!s->mg) {
        yo_diag_set(diag, YO_ERR_IO, "cannot listen on %s: %s", port, strerror(errno));
        yo_diag_hint(diag, "another program may use this port; --port 0 takes any free one");
        return YO_ERR_IO;
    }
    mg_set_websocket_handler(s->mg, "/ws", connecting, connected, frame_came, closed, s);
    struct mg_server_port ports[1] = {{0}};
    mg_get_server_ports(s->mg, 1, ports);
    char shown[64];
    reachable_host(s, shown, sizeof shown);
    snprintf(s->address, sizeof s->address, "http://%s:%d/%s%s", shown, ports[0].port,
             s->key[0] ? "?key=" : "", s->key);
    return YO_OK;
}

static enum yo_err start(struct yo_server *s, struct yo_diag *diag) {
    enum yo_err err = resolve(s, diag);
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
