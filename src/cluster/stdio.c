/* A worker's end of the pipes: messages are lines of standard input and output. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/file.h"
#include "cluster/message.h"
#include "cluster/transport.h"

struct streams {
    struct yo_buf input; /* received, not yet consumed */
    bool ended;
};

static void read_some(struct streams *s) {
    char bytes[1 << 14];
    ssize_t got = read(STDIN_FILENO, bytes, sizeof bytes);
    if (got > 0) yo_buf_add(&s->input, bytes, (size_t)got);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) s->ended = true;
}

/* The first line of the input, without its newline, into *out. Lines that are too long are passed
 * over. */
static bool take_line(struct streams *s, struct yo_buf *out) {
    char *end = s->input.len ? memchr(s->input.data, '\n', s->input.len) : NULL;
    if (!end) {
        if (s->input.len > YO_MESSAGE_BYTES_MAX) yo_buf_clear(&s->input);
        return false;
    }
    size_t len = (size_t)(end - s->input.data);
    yo_buf_clear(out);
    yo_buf_add(out, s->input.data, len);
    memmove(s->input.data, end + 1, s->input.len - len - 1);
    s->input.len -= len + 1;
    return true;
}

static bool receive(void *ctx, struct yo_buf *out) {
    struct streams *s = ctx;
    if (take_line(s, out)) return true;
    if (!s->ended) read_some(s);
    return take_line(s, out);
}

static bool is_over(void *ctx) { return ((struct streams *)ctx)->ended; }

static enum yo_err send(void *ctx, const char *to, const char *bytes, size_t len) {
    struct streams *s = ctx;
    struct yo_buf line = {0};
    (void)to; /* there is one master at the other end */
    yo_buf_add(&line, bytes, len);
    yo_buf_char(&line, '\n');
    enum yo_err err = yo_buf_status(&line);
    if (!err && yo_file_write(STDOUT_FILENO, line.data, line.len)) {
        s->ended = true;
        err = YO_ERR_IO;
    }
    yo_buf_free(&line);
    return err;
}

static void destroy(void *ctx) {
    struct streams *s = ctx;
    yo_buf_free(&s->input);
    yo_free(s);
}

static const struct yo_transport_ops ops = {"stdio", send, receive, is_over, destroy};

enum yo_err yo_transport_stdio(struct yo_transport *transport, struct yo_diag *diag) {
    struct streams *s = yo_alloc(1, sizeof *s);
    if (!s) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for messages");
    fcntl(STDIN_FILENO, F_SETFL, fcntl(STDIN_FILENO, F_GETFL) | O_NONBLOCK);
    *transport = (struct yo_transport){&ops, s, STDIN_FILENO};
    return YO_OK;
}

void yo_transport_close(struct yo_transport *transport) {
    if (transport->ops) transport->ops->destroy(transport->ctx);
    *transport = (struct yo_transport){.fd = -1};
}
