#include "eval/net/stream.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/alloc.h"
#include "base/diag.h"

enum { WINDOW = 1 << 16, WORD = 64, STEP = 1 << 16, MAX_SPACE = 100 };
/* 1 GiB of floats: more than any network there is. */
#define MAX_FLOATS ((uint64_t)1 << 28)

struct yo_net_stream {
    const unsigned char *bytes;
    size_t len, used; /* of the file */
    bool packed, damaged;
    z_stream zip;
    size_t at, end;  /* the unread part of the window */
    uint64_t before; /* bytes of the unpacked stream before the window */
    uint64_t floats;
    char part[64];
    unsigned char window[WINDOW];
};

const char *yo_net_stream_zlib(void) { return zlibVersion(); }

static void *zip_alloc(void *unused, unsigned count, unsigned size) {
    (void)unused;
    return yo_alloc(count, size);
}

static void zip_free(void *unused, void *block) {
    (void)unused;
    yo_free(block);
}

enum yo_err yo_net_stream_new(const void *bytes, size_t len, struct yo_net_stream **stream,
                              struct yo_diag *diag) {
    struct yo_net_stream *s = yo_alloc(1, sizeof *s);
    if (!s) return yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory to read a network");
    s->bytes = bytes;
    s->len = len;
    s->packed = len >= 2 && s->bytes[0] == 0x1f && s->bytes[1] == 0x8b;
    if (s->packed) {
        s->zip.zalloc = zip_alloc;
        s->zip.zfree = zip_free;
        if (inflateInit2(&s->zip, 15 + 16) != Z_OK) { /* 16: gzip's header */
            yo_free(s);
            return yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory to read a network");
        }
    }
    *stream = s;
    return YO_OK;
}

void yo_net_stream_delete(struct yo_net_stream *stream) {
    if (!stream) return;
    if (stream->packed) inflateEnd(&stream->zip);
    yo_free(stream);
}

void yo_net_stream_part(struct yo_net_stream *stream, const char *part) {
    snprintf(stream->part, sizeof stream->part, "%s", part);
}

/* ---- bytes ---- */

static size_t take_plain(struct yo_net_stream *s) {
    size_t count = s->len - s->used < WINDOW ? s->len - s->used : WINDOW;
    memcpy(s->window, s->bytes + s->used, count);
    s->used += count;
    return count;
}

/* gzip allows several members one after the other. */
static size_t take_packed(struct yo_net_stream *s) {
    s->zip.next_out = s->window;
    s->zip.avail_out = WINDOW;
    while (s->zip.avail_out == WINDOW && !s->damaged) {
        size_t left = s->len - s->used;
        unsigned given = left < (1u << 30) ? (unsigned)left : 1u << 30;
        s->zip.next_in = (unsigned char *)(uintptr_t)(s->bytes + s->used);
        s->zip.avail_in = given;
        int result = inflate(&s->zip, Z_NO_FLUSH);
        s->used += given - s->zip.avail_in;
        if (result == Z_STREAM_END) {
            if (s->used == s->len) break;
            if (inflateReset(&s->zip) != Z_OK) s->damaged = true;
        } else if (result != Z_OK) {
            s->damaged = true; /* or truncated: the input has ended */
        }
    }
    return WINDOW - s->zip.avail_out;
}

static bool refill(struct yo_net_stream *s) {
    s->before += s->end;
    s->at = 0;
    s->end = s->packed ? take_packed(s) : take_plain(s);
    return s->end > 0;
}

static int peek(struct yo_net_stream *s) {
    if (s->at == s->end && !refill(s)) return -1;
    return s->window[s->at];
}

static int next(struct yo_net_stream *s) {
    int c = peek(s);
    if (c >= 0) s->at++;
    return c;
}

static bool is_space(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* ---- errors ---- */

enum yo_err yo_net_stream_error(const struct yo_net_stream *s, enum yo_err err,
                                struct yo_diag *diag, const char *what) {
    yo_diag_set(diag, err, "%s%s%s, at byte %" PRIu64 "%s", s->part, s->part[0] ? ": " : "", what,
                s->before + s->at, s->packed ? " of the unpacked file" : "");
    return err;
}

static enum yo_err expected(const struct yo_net_stream *s, const char *what, struct yo_diag *diag) {
    char text[128];
    if (s->damaged)
        snprintf(text, sizeof text, "the gzip data is damaged or cut off where %s should be", what);
    else if (s->at == s->end && s->used == s->len)
        snprintf(text, sizeof text, "the file ends where %s should be", what);
    else
        snprintf(text, sizeof text, "%s expected", what);
    yo_net_stream_error(s, YO_ERR_PARSE, diag, text);
    yo_diag_hint(diag, "is it a whole network file?");
    return YO_ERR_PARSE;
}

/* ---- words ---- */

enum yo_err yo_net_stream_word(struct yo_net_stream *s, const char *what, char *out, size_t size,
                               struct yo_diag *diag) {
    int skipped = 0;
    while (is_space(peek(s)) && skipped++ < MAX_SPACE)
        next(s);
    size_t len = 0;
    for (int c; (c = peek(s)) > ' ' && c < 0x7f && len + 1 < size; next(s))
        out[len++] = (char)c;
    out[len] = '\0';
    int c = peek(s);
    if (len == 0 || (c >= 0 && !is_space(c))) return expected(s, what, diag);
    return YO_OK;
}

enum yo_err yo_net_stream_int(struct yo_net_stream *s, const char *what, int min, int max, int *out,
                              struct yo_diag *diag) {
    char word[WORD], *end;
    enum yo_err err = yo_net_stream_word(s, what, word, sizeof word, diag);
    if (err) return err;
    errno = 0;
    long value = strtol(word, &end, 10);
    if (*end || errno || value < INT_MIN || value > INT_MAX) return expected(s, what, diag);
    if (value < min || value > max) {
        char text[128];
        snprintf(text, sizeof text, "%s is %ld, not %d to %d", what, value, min, max);
        return yo_net_stream_error(s, YO_ERR_PARSE, diag, text);
    }
    *out = (int)value;
    return YO_OK;
}

enum yo_err yo_net_stream_double(struct yo_net_stream *s, const char *what, double *out,
                                 struct yo_diag *diag) {
    char word[WORD], *end;
    enum yo_err err = yo_net_stream_word(s, what, word, sizeof word, diag);
    if (err) return err;
    *out = strtod(word, &end);
    if (*end || !isfinite(*out)) return expected(s, what, diag);
    return YO_OK;
}

/* ---- floats ---- */

static enum yo_err read_text(struct yo_net_stream *s, const char *what, float *out, size_t count,
                             struct yo_diag *diag) {
    for (size_t i = 0; i < count; i++) {
        char word[WORD], *end;
        enum yo_err err = yo_net_stream_word(s, what, word, sizeof word, diag);
        if (err) return err;
        out[i] = strtof(word, &end);
        if (*end) return expected(s, what, diag);
    }
    return YO_OK;
}

static bool read_bytes(struct yo_net_stream *s, unsigned char *out, size_t count) {
    while (count > 0) {
        if (peek(s) < 0) return false;
        size_t here = s->end - s->at < count ? s->end - s->at : count;
        memcpy(out, s->window + s->at, here);
        s->at += here;
        out += here;
        count -= here;
    }
    return true;
}

static void to_floats(float *out, size_t count) {
    for (size_t i = 0; i < count; i++) {
        unsigned char b[4];
        memcpy(b, &out[i], 4);
        uint32_t bits = b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
        memcpy(&out[i], &bits, 4);
    }
}

static enum yo_err read_step(struct yo_net_stream *s, const char *what, bool binary, float *out,
                             size_t count, struct yo_diag *diag) {
    if (binary) {
        if (!read_bytes(s, (unsigned char *)out, count * 4)) return expected(s, what, diag);
        to_floats(out, count);
    } else {
        enum yo_err err = read_text(s, what, out, count, diag);
        if (err) return err;
    }
    for (size_t i = 0; i < count; i++)
        if (!isfinite(out[i]))
            return yo_net_stream_error(s, YO_ERR_PARSE, diag, "a weight is not a finite number");
    return YO_OK;
}

static enum yo_err skip_mark(struct yo_net_stream *s, const char *what, bool *binary,
                             struct yo_diag *diag) {
    int skipped = 0;
    while (is_space(peek(s)) && skipped++ < MAX_SPACE)
        next(s);
    *binary = peek(s) == '@';
    for (const char *mark = "@BIN@"; *binary && *mark; mark++)
        if (next(s) != *mark) return expected(s, what, diag);
    return YO_OK;
}

enum yo_err yo_net_stream_floats(struct yo_net_stream *s, const char *what, size_t count,
                                 float **out, struct yo_diag *diag) {
    if (count > MAX_FLOATS || s->floats > MAX_FLOATS - count)
        return yo_net_stream_error(s, YO_ERR_UNSUPPORTED, diag,
                                   "a network of more than 268 million weights is not supported");
    s->floats += count;
    bool binary;
    enum yo_err err = skip_mark(s, what, &binary, diag);
    float *floats = NULL;
    size_t room = 0;
    for (size_t done = 0; !err && done < count;) {
        if (done == room) {
            room = room ? room * 2 : STEP;
            if (room > count) room = count;
            float *more = yo_realloc(floats, room, sizeof *floats);
            if (!more) {
                err = yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory for the network");
                break;
            }
            floats = more;
        }
        err = read_step(s, what, binary, floats + done, room - done, diag);
        done = room;
    }
    if (err) {
        yo_free(floats);
        return err;
    }
    *out = floats;
    return YO_OK;
}

enum yo_err yo_net_stream_end(struct yo_net_stream *s, struct yo_diag *diag) {
    for (int skipped = 0; is_space(peek(s)) && skipped < WINDOW; skipped++)
        next(s);
    yo_net_stream_part(s, "");
    if (s->damaged) return expected(s, "its end", diag);
    if (peek(s) < 0) return YO_OK;
    return yo_net_stream_error(s, YO_ERR_PARSE, diag,
                               "there is something after the end of the network");
}
