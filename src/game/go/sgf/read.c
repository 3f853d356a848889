/* yo_sgf_parse and yo_sgf_load: charset detection, and a second pass if the declared charset
 * fails. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/charset.h"
#include "game/go/sgf/parse.h"
#include "game/go/sgf/text.h"

#define BYTE_ORDER_MARK "\xef\xbb\xbf"

static enum sgf_utf8 detect_utf8(const char *bytes, size_t len) {
    size_t long_forms = 0;
    for (size_t i = 0; i < len;) {
        size_t n = yo_utf8_length(bytes + i, len - i);
        if (n == 0) return SGF_NOT_UTF8;
        if (n > 2) long_forms++;
        i += n;
    }
    return long_forms >= 2 ? SGF_SURELY_UTF8 : SGF_MAYBE_UTF8;
}

struct input {
    const char *bytes;
    size_t len;
    const char *name;
    enum sgf_utf8 utf8;
    bool forced_utf8;
};

#define GUESS_HINT                                                                                 \
    "is the file damaged? If it is in Shift_JIS, GBK or Big5 it must say so in its first node, "   \
    "for "                                                                                         \
    "example CA[GBK]"

/* *odd: the values may end elsewhere in another charset, and something is wrong. */
static enum yo_err run(const struct input *in, bool ignore_pairs, bool *odd, struct yo_sgf **sgf,
                       struct yo_diag *diag) {
    struct sgf_parser p = {.at = in->bytes,
                           .end = in->bytes + in->len,
                           .sgf = yo_sgf_tree_new(),
                           .diag = diag,
                           .utf8 = in->utf8,
                           .forced_utf8 = in->forced_utf8,
                           .ignore_pairs = ignore_pairs,
                           .charset = yo_sgf_charset_latin1};
    *odd = false;
    if (!p.sgf) return yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory for a game record");
    snprintf(p.sgf->name, sizeof p.sgf->name, "%s", in->name ? in->name : "");
    enum yo_err err = yo_sgf_parser_run(&p);
    *odd = p.used_pairs && (err == YO_ERR_PARSE || p.cut);
    if (err == YO_ERR_PARSE && p.guessed) yo_diag_hint(diag, GUESS_HINT);
    yo_sgf_charset_close(&p.charset);
    yo_buf_free(&p.scratch);
    if (err)
        yo_sgf_delete(p.sgf);
    else
        *sgf = p.sgf;
    return err;
}

/* A CA that names Shift_JIS, GBK or Big5 changes where values end. If it is wrong, the file may
 * still parse without it. If not, the result is that of the declared charset. */
static enum yo_err run_twice(const struct input *in, struct yo_sgf **sgf, struct yo_diag *diag) {
    bool odd, still_odd;
    struct yo_sgf *other = NULL;
    struct yo_diag unread = {0};
    enum yo_err err = run(in, false, &odd, sgf, diag);
    if (!odd) return err;
    enum yo_err again = run(in, true, &still_odd, &other, &unread);
    bool whole = !again && other->warnings[SGF_WARN_CUT].err == YO_OK;
    if (whole || again == YO_ERR_NOMEM) {
        yo_sgf_delete(*sgf);
        *sgf = other;
        return again;
    }
    yo_sgf_delete(other);
    return err;
}

enum yo_err yo_sgf_parse(const char *bytes, size_t len, const char *name, struct yo_sgf **sgf,
                         struct yo_diag *diag) {
    if (!bytes) bytes = ""; /* an empty buffer may be NULL */
    struct input in = {.bytes = bytes, .len = len, .name = name};
    struct yo_buf text = {0};
    struct yo_diag unread = {0};
    if (!diag) diag = &unread;
    const char *wrapped = yo_sgf_charset_unwrap(bytes, len, &text);
    if (text.failed) {
        yo_buf_free(&text);
        return yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory for a game record");
    }
    if (wrapped) {
        in.bytes = yo_buf_text(&text);
        in.len = text.len;
        in.forced_utf8 = true;
    } else if (len >= 3 && memcmp(bytes, BYTE_ORDER_MARK, 3) == 0) {
        in.bytes += 3;
        in.len -= 3;
        in.forced_utf8 = true;
    }
    in.utf8 = detect_utf8(in.bytes, in.len);
    struct yo_sgf *made = NULL;
    enum yo_err err = run_twice(&in, &made, diag);
    if (!err) {
        if (wrapped) snprintf(made->charset, sizeof made->charset, "%s", wrapped);
        *sgf = made;
    }
    yo_buf_free(&text);
    return err;
}

/* Devices have no end; no record comes near this size. */
#define FILE_MAX ((size_t)1 << 26)

static enum yo_err read_all(FILE *file, struct yo_buf *bytes) {
    char block[1 << 14];
    size_t got = 1;
    while (got > 0 && !bytes->failed && bytes->len <= FILE_MAX) {
        got = fread(block, 1, sizeof block, file);
        yo_buf_add(bytes, block, got);
    }
    if (ferror(file)) return YO_ERR_IO;
    return bytes->len > FILE_MAX ? YO_ERR_RANGE : yo_buf_status(bytes);
}

static enum yo_err fail_io(const char *path, struct yo_diag *diag) {
    yo_diag_set(diag, YO_ERR_IO, "cannot read the file: %s", strerror(errno));
    yo_diag_where(diag, path, 0, 0);
    return YO_ERR_IO;
}

enum yo_err yo_sgf_load(const char *path, struct yo_sgf **sgf, struct yo_diag *diag) {
    FILE *file = fopen(path, "rb");
    if (!file) return fail_io(path, diag);
    struct yo_buf bytes = {0};
    enum yo_err err = read_all(file, &bytes);
    if (err == YO_ERR_IO)
        fail_io(path, diag);
    else if (err == YO_ERR_RANGE)
        yo_diag_set(diag, err, "%.100s is too large for a game record", path);
    else if (err)
        yo_diag_set(diag, err, "not enough memory for this file");
    else
        err = yo_sgf_parse(yo_buf_text(&bytes), bytes.len, path, sgf, diag);
    fclose(file);
    yo_buf_free(&bytes);
    return err;
}
