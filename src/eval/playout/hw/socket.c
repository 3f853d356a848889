#include "eval/playout/hw/socket.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/time.h"

#define STOP_CHECK_MS 100 /* how often a wait checks `stop` */

struct address {
    union {
        struct sockaddr any;
        struct sockaddr_un unix_;
        struct sockaddr_in in;
    };
    socklen_t length;
    const char *path; /* NULL for TCP */
};

static enum yo_err parse_path(const char *text, struct address *address, struct yo_diag *diag) {
    if (strlen(text) >= sizeof address->unix_.sun_path)
        return yo_diag_set(diag, YO_ERR_ARGUMENT, "the socket's path is too long: %.60s...", text);
    address->unix_.sun_family = AF_UNIX;
    memcpy(address->unix_.sun_path, text, strlen(text) + 1);
    address->length = sizeof address->unix_;
    address->path = text;
    return YO_OK;
}

static enum yo_err parse(const char *text, struct address *address, struct yo_diag *diag) {
    memset(address, 0, sizeof *address);
    if (strchr(text, '/')) return parse_path(text, address, diag);
    const char *colon = strrchr(text, ':'), *port = colon ? colon + 1 : text;
    size_t host = colon ? (size_t)(colon - text) : 0;
    char *end;
    long number = strtol(port, &end, 10);
    if (*port < '0' || *port > '9' || *end || number < 1 || number > 65535 ||
        (host && !(host == 9 && memcmp(text, "localhost", 9) == 0) &&
         !(host == 9 && memcmp(text, "127.0.0.1", 9) == 0))) {
        yo_diag_set(diag, YO_ERR_ARGUMENT, "'%.60s' is no address of a hardware server", text);
        yo_diag_hint(diag, "a port of this machine (4711) or the path of a socket (./yomi.sock)");
        return YO_ERR_ARGUMENT;
    }
    address->in.sin_family = AF_INET;
    address->in.sin_port = htons((uint16_t)number);
    address->in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address->length = sizeof address->in;
    return YO_OK;
}

static enum yo_err failed(const char *what, const char *address, int fd, struct yo_diag *diag) {
    int error = errno;
    if (fd >= 0) close(fd);
    return yo_diag_set(diag, YO_ERR_IO, "%s %.80s: %s", what, address, strerror(error));
}

/* Removes a socket that a dead server left behind; keeps one that accepts connections. */
static void remove_stale(const struct address *address) {
    struct stat status;
    if (stat(address->path, &status) != 0 || !S_ISSOCK(status.st_mode)) return;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return;
    if (connect(fd, &address->any, address->length) != 0 && errno == ECONNREFUSED)
        unlink(address->path);
    close(fd);
}

enum yo_err yo_hw_listen(const char *text, int *fd, struct yo_diag *diag) {
    struct address address;
    enum yo_err err = parse(text, &address, diag);
    if (err) return err;
    int s = socket(address.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (s < 0) return failed("cannot listen on", text, s, diag);
    int on = 1;
    if (address.path)
        remove_stale(&address);
    else
        setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(s, &address.any, address.length) != 0 || listen(s, 16) != 0)
        return failed("cannot listen on", text, s, diag);
    *fd = s;
    return YO_OK;
}

enum yo_err yo_hw_connect(const char *text, int *fd, struct yo_diag *diag) {
    struct address address;
    enum yo_err err = parse(text, &address, diag);
    if (err) return err;
    int s = socket(address.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (s < 0 || connect(s, &address.any, address.length) != 0)
        return failed("cannot reach", text, s, diag);
    *fd = s;
    return YO_OK;
}

/* Waits until the socket is ready for `events`. */
static enum yo_hw_io ready(int fd, short events, int64_t until_ms, const atomic_bool *stop) {
    for (;;) {
        if (stop && atomic_load(stop)) return YO_HW_IO_LATE;
        int64_t left = until_ms < 0 ? INT32_MAX : until_ms - yo_time_ms();
        if (left < 0) return YO_HW_IO_LATE;
        struct pollfd poll_fd = {.fd = fd, .events = events};
        int n = poll(&poll_fd, 1, stop && left > STOP_CHECK_MS ? STOP_CHECK_MS : (int)left);
        if (n > 0) return YO_HW_IO_OK;
        if (n < 0 && errno != EINTR) return YO_HW_IO_FAILED;
    }
}

enum yo_hw_io yo_hw_read(int fd, void *bytes, size_t n, int64_t timeout_ms,
                         const atomic_bool *stop) {
    int64_t until = timeout_ms < 0 ? -1 : yo_time_ms() + timeout_ms;
    for (size_t done = 0; done < n;) {
        enum yo_hw_io io = ready(fd, POLLIN, until, stop);
        if (io) return io;
        ssize_t got = recv(fd, (char *)bytes + done, n - done, MSG_DONTWAIT);
        if (got == 0) return YO_HW_IO_CLOSED;
        if (got < 0 && errno != EINTR && errno != EAGAIN) return YO_HW_IO_FAILED;
        if (got > 0) done += (size_t)got;
    }
    return YO_HW_IO_OK;
}

enum yo_hw_io yo_hw_write(int fd, const void *bytes, size_t n, int64_t timeout_ms) {
    int64_t until = timeout_ms < 0 ? -1 : yo_time_ms() + timeout_ms;
    for (size_t done = 0; done < n;) {
        enum yo_hw_io io = ready(fd, POLLOUT, until, NULL);
        if (io) return io;
        /* No SIGPIPE if the peer is gone: it would end the program. */
        ssize_t put = send(fd, (const char *)bytes + done, n - done, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (put < 0 && errno != EINTR && errno != EAGAIN) return YO_HW_IO_FAILED;
        if (put > 0) done += (size_t)put;
    }
    return YO_HW_IO_OK;
}
