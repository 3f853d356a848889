#include "game/shogi/kifu/encode.h"

#include <string.h>
#include <strings.h>

#include "base/charset.h"
#include "base/diag.h"
#include "game/shogi/kifu/reader.h"

#define GETA "〓"

static const struct {
    const char *ending;
    struct yo_shogi_writing how;
} endings[] = {
    {".kif", {.format = YO_SHOGI_KIF, .charset = YO_SHOGI_SHIFT_JIS}},
    {".kifu", {.format = YO_SHOGI_KIF, .charset = YO_SHOGI_UTF8}},
    {".ki2", {.format = YO_SHOGI_KI2, .charset = YO_SHOGI_SHIFT_JIS}},
    {".ki2u", {.format = YO_SHOGI_KI2, .charset = YO_SHOGI_UTF8}},
    {".jkf", {.format = YO_SHOGI_JKF, .charset = YO_SHOGI_UTF8}},
    {".json", {.format = YO_SHOGI_JKF, .charset = YO_SHOGI_UTF8}},
    {".csa", {.format = YO_SHOGI_CSA, .charset = YO_SHOGI_UTF8}},
};

bool yo_shogi_writing_of_name(const char *path, struct yo_shogi_writing *how) {
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof endings[0]; i++) {
        if (strcasecmp(dot, endings[i].ending) != 0) continue;
        *how = endings[i].how;
        return true;
    }
    return false;
}

struct yo_shogi_writing yo_shogi_writing_as_read(const struct yo_shogi_record *record) {
    bool shift_jis = strcmp(record->charset, "CP932") == 0 && record->format != YO_SHOGI_JKF;
    return (struct yo_shogi_writing){.format = record->format,
                                     .charset = shift_jis ? YO_SHOGI_SHIFT_JIS : YO_SHOGI_UTF8};
}

/* Characters that Unicode has twice and CP932 once: those on the left come from JIS's tables, those
 * on the right from Microsoft's, and fonts show them alike. iconv alone unifies most of them, but
 * converts the yen sign to a backslash and the overline to a tilde. */
static const char *const twins[][2] = {{"¥", "￥"}, {"‾", "￣"}, {"〜", "～"},
                                       {"‖", "∥"},  {"−", "－"}, {"¢", "￠"},
                                       {"£", "￡"}, {"¬", "￢"}, {"—", "―"}};

static const char *find_twin(const char *at, size_t len) {
    for (size_t i = 0; i < sizeof twins / sizeof twins[0]; i++)
        if (strlen(twins[i][0]) == len && memcmp(at, twins[i][0], len) == 0) return twins[i][1];
    return NULL;
}

static bool has_twins(const char *text) {
    for (size_t i = 0; i < sizeof twins / sizeof twins[0]; i++)
        if (strstr(text, twins[i][0])) return true;
    return false;
}

static bool put(const char *text, size_t len, struct yo_buf *out) {
    return yo_charset_convert("CP932", "UTF-8", text, len, out);
}

struct encoder {
    const struct yo_shogi_writing *how;
    struct yo_buf *out;
    size_t replaced;
    struct yo_diag *diag;
};

static enum yo_err lack(const struct encoder *e, const char *at, size_t len, int line, int column) {
    yo_diag_set(e->diag, YO_ERR_UNSUPPORTED, "Shift_JIS has no character '%.*s'", (int)len, at);
    yo_diag_where(e->diag, "the record as it would be written", line, column);
    yo_diag_hint(e->diag, "write UTF-8 (.kifu, .ki2u), or have such characters replaced by " GETA);
    return YO_ERR_UNSUPPORTED;
}

/* Fallback for text that does not convert as a whole. */
static enum yo_err put_by_character(struct encoder *e, const char *text, size_t len) {
    int line = 1, column = 1;
    for (size_t at = 0; at < len; column++) {
        size_t size = yo_utf8_length(text + at, len - at);
        const char *twin = find_twin(text + at, size);
        if (twin ? !put(twin, strlen(twin), e->out) : !put(text + at, size, e->out)) {
            if (!e->how->replaces) return lack(e, text + at, size, line, column);
            put(GETA, strlen(GETA), e->out);
            e->replaced++;
        }
        if (text[at] == '\n') line++, column = 0;
        at += size;
    }
    return YO_OK;
}

static enum yo_err put_text(struct encoder *e, const char *text) {
    size_t len = strlen(text);
    if (!has_twins(text) && put(text, len, e->out)) return YO_OK;
    return put_by_character(e, text, len);
}

enum yo_err yo_shogi_record_encode(const struct yo_shogi_record *record,
                                   const struct yo_shogi_writing *how, struct yo_buf *out,
                                   size_t *replaced, struct yo_diag *diag) {
    bool shift_jis = how->charset == YO_SHOGI_SHIFT_JIS;
    if (shift_jis && how->format == YO_SHOGI_JKF)
        return yo_diag_set(diag, YO_ERR_UNSUPPORTED, "JKF is JSON, which is UTF-8");
    struct yo_buf text = {0};
    struct encoder e = {.how = how, .out = out, .diag = diag};
    size_t before = out->len;
    if (how->format == YO_SHOGI_JKF)
        yo_record_write_jkf(record, &text);
    else if (how->format == YO_SHOGI_CSA)
        yo_record_write_csa(record, shift_jis ? "SHIFT_JIS" : "UTF-8", &text);
    else
        yo_record_write_kif(record, how->format == YO_SHOGI_KI2, shift_jis ? "Shift_JIS" : "UTF-8",
                            &text);
    enum yo_err err = YO_OK;
    if (shift_jis && !yo_buf_status(&text))
        err = put_text(&e, yo_buf_text(&text));
    else
        yo_buf_add(out, yo_buf_text(&text), text.len);
    if (!err && (yo_buf_status(&text) || yo_buf_status(out)))
        err = yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory for a game record");
    if (err && out->data) out->data[out->len = before] = '\0';
    yo_buf_free(&text);
    if (!err && replaced) *replaced = e.replaced;
    return err;
}

const char *yo_shogi_writing_loss(const struct yo_shogi_record *record,
                                  enum yo_shogi_format format) {
    bool variations = false, bookmarks = false, times = false;
    for (int n = record->nodes[0].child; n != YO_SHOGI_NO_NODE; n = record->nodes[n].child) {
        variations = variations || record->nodes[n].sibling != YO_SHOGI_NO_NODE;
        bookmarks = bookmarks || record->nodes[n].bookmark;
        times = times || record->nodes[n].time_ms >= 0;
    }
    if (format == YO_SHOGI_CSA && variations) return "CSA has no variations; the main line is kept";
    if (format == YO_SHOGI_CSA && bookmarks) return "CSA has no bookmarks; they are left out";
    if (format == YO_SHOGI_KI2 && times) return "KI2 has no times; they are left out";
    if (format == YO_SHOGI_JKF && bookmarks) return "JKF has no bookmarks; they are left out";
    if (format == YO_SHOGI_JKF && !yo_record_jkf_holds_forks(record))
        return "variations that are nested too deep for JKF are left out";
    return NULL;
}
