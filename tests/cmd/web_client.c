/* A small WebSocket client for web.sh: web_client PORT SCENARIO. Each scenario talks to a running
 * `yomi web` and ends with status 0 if the server behaved. A plain program, without cmocka. */
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/json.h"

enum { TEXT = 0x81, PATIENCE_MS = 120 * 1000, MOVES = 400 };

static int port;

static void die(const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    vfprintf(stderr, fmt, args);
    va_end(args);
    fputc('\n', stderr);
    exit(1);
}

/* ---- Bytes ---- */

static int dial(void) {
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)port),
                                  .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address)) die("connect failed");
    return fd;
}

/* False when the server has closed the connection. */
static bool put(int fd, const void *bytes, size_t len) {
    for (const char *p = bytes; len > 0;) {
        ssize_t n = write(fd, p, len);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        p += n;
        len -= (size_t)n;
    }
    return true;
}

static bool get(int fd, void *bytes, size_t len) {
    for (char *p = bytes; len > 0;) {
        struct pollfd wait = {.fd = fd, .events = POLLIN};
        if (poll(&wait, 1, PATIENCE_MS) == 0) die("the server says nothing");
        ssize_t n = read(fd, p, len);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        p += n;
        len -= (size_t)n;
    }
    return true;
}

/* ---- HTTP ---- */

/* Sends the request and returns the status of the answer; 0: there was none. */
static int request(int fd, const char *method, const char *uri, const char *headers) {
    char text[1024], head[4096];
    size_t len = 0;
    snprintf(text, sizeof text, "%s %s HTTP/1.1\r\n%s\r\n", method, uri, headers);
    if (!put(fd, text, strlen(text))) return 0;
    while (len < sizeof head - 1 && get(fd, head + len, 1)) {
        head[++len] = '\0';
        if (len >= 4 && strcmp(head + len - 4, "\r\n\r\n") == 0) break;
    }
    return len > 12 ? atoi(head + 9) : 0;
}

#define UPGRADE                                                                                    \
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"                   \
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"

static int shake(int fd, const char *uri, const char *headers) {
    char all[512];
    snprintf(all, sizeof all, UPGRADE "%s", headers);
    return request(fd, "GET", uri, all);
}

/* Tries again while there is no room: those who left may not have been noticed yet. */
static int open_socket(void) {
    char host[64];
    snprintf(host, sizeof host, "Host: 127.0.0.1:%d\r\n", port);
    for (int ms = 0; ms < PATIENCE_MS; ms += 20) {
        int fd = dial(), status = shake(fd, "/ws", host);
        if (status == 101) return fd;
        if (status != 503) die("the handshake got status %d", status);
        close(fd);
        usleep(20000);
    }
    die("there was never room");
    return -1;
}

/* ---- Frames ---- */

static bool send_frame(int fd, int bits, const char *bytes, size_t len) {
    unsigned char head[14] = {(unsigned char)bits};
    size_t n = 2;
    if (len < 126) {
        head[1] = (unsigned char)(0x80 | len);
    } else {
        int extra = len > 65535 ? 8 : 2;
        head[1] = (unsigned char)(0x80 | (extra == 8 ? 127 : 126));
        for (int i = 0; i < extra; i++)
            head[n++] = (unsigned char)((uint64_t)len >> 8 * (extra - 1 - i));
    }
    n += 4; /* a mask of zeros changes nothing */
    return put(fd, head, n) && put(fd, bytes, len);
}

static bool say(int fd, const char *text) { return send_frame(fd, TEXT, text, strlen(text)); }

/* The next message; NULL when the connection is closed. */
static json_t *hear(int fd) {
    unsigned char head[10];
    if (!get(fd, head, 2)) return NULL;
    size_t len = head[1] & 127;
    int extra = len == 127 ? 8 : len == 126 ? 2 : 0;
    if (extra && !get(fd, head + 2, (size_t)extra)) return NULL;
    if (extra) len = 0;
    for (int i = 0; i < extra; i++)
        len = len << 8 | head[2 + i];
    char *bytes = malloc(len + 1);
    json_t *json = NULL;
    struct yo_diag diag;
    if (!bytes || !get(fd, bytes, len)) return NULL;
    if (head[0] == TEXT && yo_json_read(bytes, len, &json, &diag))
        die("not JSON: %.*s", (int)len, bytes);
    free(bytes);
    return head[0] == 0x8a ? hear(fd) : json; /* pongs are skipped; NULL for a close frame, too */
}

static const char *text_of(const json_t *message, const char *key) {
    const char *text = yo_json_string(json_object_get(message, key));
    return text ? text : "";
}

/* Waits for the last message about this request. */
static json_t *await(int fd, int id) {
    for (json_t *m; (m = hear(fd)); json_decref(m)) {
        bool report =
            strcmp(text_of(m, "type"), "report") == 0 && !json_is_true(json_object_get(m, "final"));
        const json_t *about = json_object_get(m, "id");
        if (json_is_integer(about) && json_integer_value(about) == id && !report) return m;
    }
    die("the connection was closed before request %d was answered", id);
    return NULL;
}

static json_t *ask(int fd, int id, const char *text) {
    if (!say(fd, text)) die("the connection is closed");
    return await(fd, id);
}

static void hello(int fd) {
    json_t *m = ask(fd, 1, "{\"type\":\"hello\",\"id\":1}");
    if (strcmp(text_of(m, "type"), "hello") != 0) die("no hello");
    json_decref(m);
}

/* The server is alive and answers others. */
static void still_there(void) {
    int fd = open_socket();
    hello(fd);
    close(fd);
}

static bool is_closed(int fd) {
    json_t *m;
    while ((m = hear(fd)))
        json_decref(m);
    return true;
}

/* ---- Scenarios ---- */

/* The engine plays itself, as a page would let it. */
static void play(const char *position, const char *level, int most) {
    int fd = open_socket(), count = 0, passes = 0;
    struct yo_buf moves = {0}, text = {0};
    hello(fd);
    for (; count < most && passes < 2; count++) {
        yo_buf_clear(&text);
        yo_buf_printf(&text,
                      "{\"type\":\"move\",\"id\":%d,\"level\":%s,\"position\":{%s,\"moves\":[%s]}}",
                      count + 2, level, position, yo_buf_text(&moves));
        json_t *m = ask(fd, count + 2, yo_buf_text(&text));
        if (strcmp(text_of(m, "type"), "move") != 0)
            die("move %d: %s", count, text_of(m, "message"));
        const char *move = text_of(m, "move");
        bool ended = strcmp(move, "resign") == 0 || strcmp(move, "win") == 0;
        passes = strcmp(move, "pass") == 0 ? passes + 1 : 0;
        yo_buf_printf(&moves, "%s\"%s\"", count ? "," : "", move);
        json_decref(m);
        if (ended) break;
    }
    printf("%d moves: %s\n", count, yo_buf_text(&moves));
    yo_buf_free(&moves);
    yo_buf_free(&text);
    close(fd);
}

static void go(void) { play("\"game\":\"go\",\"size\":7,\"komi\":9", "2", MOVES); }
static void shogi(void) { play("\"game\":\"shogi\"", "1", 40); }

#define ENDLESS(id)                                                                                \
    "{\"type\":\"analyze\",\"id\":" #id ",\"every_ms\":20,\"ownership\":true,\"policy\":true,"     \
    "\"position\":{\"game\":\"go\",\"size\":19}}"

/* Leaves an endless analysis without a word; web.sh looks whether the server goes on searching. */
static void leave(void) {
    int fd = open_socket();
    say(fd, ENDLESS(1));
    json_t *m = hear(fd);
    if (!m) die("no report");
    json_decref(m);
    close(fd);
}

/* A hundred come and go, some in the middle of a search, some in the middle of a frame. */
static void many(void) {
    for (int i = 0; i < 100; i++) {
        int fd = open_socket();
        if (i % 3 == 0) hello(fd);
        if (i % 3 == 1) say(fd, ENDLESS(1));
        if (i % 3 == 2) put(fd, "\x81\xfe\x01", 3);
        close(fd);
    }
    still_there();
}

/* Leaves in the middle of the handshake, rudely. Room for as many as before must be left. */
static void vanish(void) {
    for (int i = 0; i < 100; i++) {
        char text[512];
        struct linger rude = {.l_onoff = 1, .l_linger = 0};
        int fd = dial();
        int len = snprintf(text, sizeof text,
                           "GET /ws HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n" UPGRADE "\r\n", port);
        put(fd, text, (size_t)len);
        setsockopt(fd, SOL_SOCKET, SO_LINGER, &rude, sizeof rude);
        close(fd);
    }
    int fds[8];
    for (int i = 0; i < 8; i++)
        fds[i] = open_socket();
    for (int i = 0; i < 8; i++)
        close(fds[i]);
}

/* Analyses until the server ends. */
static void stay(void) {
    int fd = open_socket();
    say(fd, ENDLESS(1));
    json_t *m = hear(fd);
    if (!m) die("no report");
    json_decref(m);
    puts("ready");
    fflush(stdout);
    is_closed(fd);
    close(fd);
}

/* One more than there is room for is told so, and those that are there go on. */
static void full(void) {
    int fds[16], count = 0, status = 101;
    char host[64];
    snprintf(host, sizeof host, "Host: 127.0.0.1:%d\r\n", port);
    while (count < 16 && status == 101) {
        fds[count] = dial();
        status = shake(fds[count++], "/ws", host);
    }
    if (status != 503) die("connection %d got status %d", count, status);
    for (int i = 0; i < count - 1; i++)
        hello(fds[i]);
    for (int i = 0; i < count; i++)
        close(fds[i]);
}

/* Does not read for a while; another is served meanwhile, and then only the newest report waits. */
static void slow(void) {
    int fd = open_socket();
    say(fd, ENDLESS(1));
    for (int i = 0; i < 10; i++) {
        still_there();
        usleep(100000);
    }
    json_t *m = ask(fd, 2, "{\"type\":\"stop\",\"id\":2}");
    if (!json_is_true(json_object_get(m, "stopped"))) die("nothing was stopped");
    json_decref(m);
    close(fd);
}

static void garbage(void) {
    unsigned state = 1;
    for (int i = 0; i < 40; i++) {
        char bytes[512];
        for (size_t k = 0; k < sizeof bytes; k++)
            bytes[k] = (char)((state = state * 1103515245u + 12345u) >> 16);
        int fd = i % 4 ? open_socket() : dial();
        put(fd, bytes, sizeof bytes);
        close(fd);
    }
    /* Well-formed frames that mean nothing: binary, an opcode that does not exist. */
    static const int odd[] = {0x82, 0x83, 0x8f};
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        int fd = open_socket();
        send_frame(fd, odd[i], "x", 1);
        if (!is_closed(fd)) die("a frame of kind %x was taken", (unsigned)odd[i]);
        close(fd);
    }
    int fd = open_socket();
    json_t *m;
    say(fd, "{}]");
    if (!(m = hear(fd)) || strcmp(text_of(m, "code"), "parse") != 0) die("no error for nonsense");
    json_decref(m);
    send_frame(fd, 0x89, "ping", 4); /* a ping between two requests */
    hello(fd);
    close(fd);
    still_there();
}

/* A frame that claims a gigabyte: nothing of it comes, or megabytes do until the server cuts. */
static void gigabyte(void) {
    static const char claim[] = "\x81\xff\0\0\0\0\x40\0\0\0\0\0\0\0";
    static char zeros[1 << 16];
    int silent = open_socket(), busy = open_socket();
    put(silent, claim, sizeof claim - 1);
    put(busy, claim, sizeof claim - 1);
    still_there();
    int sent = 0;
    while (sent < 4096 && put(busy, zeros, sizeof zeros))
        sent++;
    if (sent == 4096) die("the server took 256 MB");
    printf("cut after %d KB\n", sent * (int)(sizeof zeros >> 10));
    still_there();
    close(silent);
    close(busy);
}

/* A message that is too long ends the connection; one in many frames, or just long enough, is
 * taken. */
static void long_message(void) {
    size_t most = 1 << 20;
    char *text = malloc(most + 1);
    memset(text, ' ', most + 1);
    memcpy(text, "{\"type\":\"hello\",\"id\":1}", 23);
    int fd = open_socket();
    send_frame(fd, TEXT, text, most);
    json_decref(await(fd, 1));
    send_frame(fd, 0x01, text, 10);
    send_frame(fd, 0x00, text + 10, 5);
    send_frame(fd, 0x80, text + 15, 100);
    json_decref(await(fd, 1));
    send_frame(fd, TEXT, text, most + 1);
    if (!is_closed(fd)) die("a message of more than a megabyte was taken");
    close(fd);
    free(text);
    still_there();
}

/* More requests at once than the rate allows are answered all the same, later. */
static void flood(void) {
    int fd = open_socket();
    for (int i = 0; i < 160; i++)
        say(fd, "{\"type\":\"stop\",\"id\":7}");
    for (int i = 0; i < 160; i++)
        json_decref(await(fd, 7));
    close(fd);
}

static void expect(int status, int got, const char *what) {
    if (got != status) die("%s got status %d, not %d", what, got, status);
}

static int get_page(const char *uri, const char *host) {
    char headers[128];
    snprintf(headers, sizeof headers, "Host: %s\r\n", host);
    int fd = dial(), status = request(fd, "GET", uri, headers);
    close(fd);
    return status;
}

static int shake_from(const char *host, const char *origin) {
    char headers[200];
    snprintf(headers, sizeof headers, "Host: %s\r\nOrigin: %s\r\n", host, origin);
    int fd = dial(), status = shake(fd, "/ws", headers);
    close(fd);
    return status;
}

static void origin(void) {
    char own[64], url[80];
    snprintf(own, sizeof own, "localhost:%d", port);
    snprintf(url, sizeof url, "http://%s", own);
    expect(101, shake_from(own, url), "our own page");
    expect(403, shake_from(own, "http://example.com"), "another page");
    expect(403, shake_from(own, "null"), "a page without an origin");
    expect(403, shake_from("example.com", "http://example.com"), "a name that leads here");
    expect(403, get_page("/health", "example.com"), "health by another name");
    expect(200, get_page("/health", own), "health");
    static const char *const files[] = {
        "/../../etc/passwd", "/etc/passwd",  "/%2e%2e/%2e%2e/etc/passwd",
        "/src/README.md",    "//etc/passwd", "/ws/../../etc/passwd"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        int status = get_page(files[i], own);
        if (status < 400 || status > 499) die("%s got status %d", files[i], status);
    }
}

/* A connection that says nothing is closed, but not while a search runs for it. */
static void idle(void) {
    int fd = open_socket(), busy = open_socket();
    hello(fd);
    hello(busy);
    if (!say(busy, ENDLESS(2))) die("the connection is closed");
    if (!is_closed(fd)) die("a silent connection was not closed");
    usleep(2500000);
    json_decref(ask(busy, 3, "{\"type\":\"hello\",\"id\":3}"));
    close(fd);
    close(busy);
}

static const struct {
    const char *name;
    void (*run)(void);
} scenarios[] = {
    {"go", go},           {"shogi", shogi},       {"leave", leave},
    {"many", many},       {"full", full},         {"slow", slow},
    {"garbage", garbage}, {"gigabyte", gigabyte}, {"long", long_message},
    {"flood", flood},     {"origin", origin},     {"vanish", vanish},
    {"stay", stay},       {"idle", idle},
};

int main(int argc, char **argv) {
    if (argc != 3) die("usage: web_client PORT SCENARIO");
    signal(SIGPIPE, SIG_IGN);
    port = atoi(argv[1]);
    for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++)
        if (strcmp(scenarios[i].name, argv[2]) == 0) {
            scenarios[i].run();
            return 0;
        }
    die("there is no scenario %s", argv[2]);
    return 1;
}
