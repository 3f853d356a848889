/* The request record.read: a record's text becomes a list of nodes. */
#include <string.h>
#include <strings.h>

#include "base/base64.h"
#include "base/diag.h"
#include "protocol/web/record.h"

static bool ends_with(const char *name, const char *suffix) {
    size_t len = strlen(name), tail = strlen(suffix);
    return len >= tail && strcasecmp(name + len - tail, suffix) == 0;
}

/* SGF begins with a parenthesis; a mail may stand before it, which the name tells. */
static bool is_sgf(const struct yo_buf *text, const char *name) {
    const char *p = yo_buf_text(text);
    if (strncmp(p, "\xef\xbb\xbf", 3) == 0) p += 3;
    p += strspn(p, " \t\r\n");
    return *p == '(' || ends_with(name, ".sgf");
}

static enum yo_err read_text(const json_t *request, struct yo_buf *text, struct yo_diag *diag) {
    const json_t *plain = json_object_get(request, "text"),
                 *bytes = json_object_get(request, "bytes");
    if (!plain == !bytes || (plain && !json_is_string(plain)) || (bytes && !json_is_string(bytes)))
        return yo_diag_set(diag, YO_ERR_PARSE, "either text or bytes must be there, as a text");
    if (plain)
        yo_buf_add(text, json_string_value(plain), json_string_length(plain));
    else if (!yo_base64_decode(json_string_value(bytes), json_string_length(bytes), text))
        return yo_diag_set(diag, YO_ERR_PARSE, "bytes is not base64");
    return yo_buf_status(text) ? yo_diag_set(diag, YO_ERR_NOMEM, "out of memory") : YO_OK;
}

static enum yo_err read_record(const struct yo_buf *text, const char *name, size_t index, json_t *m,
                               bool *failed, struct yo_diag *diag) {
    if (is_sgf(text, name)) {
        struct yo_sgf *sgf;
        enum yo_err err = yo_sgf_parse(yo_buf_text(text), text->len, name, &sgf, diag);
        if (err) return err;
        err = yo_web_put_go(sgf, index, m, failed, diag);
        yo_sgf_delete(sgf);
        return err;
    }
    struct yo_shogi_record *record;
    enum yo_err err = yo_shogi_record_parse(yo_buf_text(text), text->len, name, &record, diag);
    if (err) return err;
    err = yo_web_put_shogi(record, m, failed, diag);
    yo_shogi_record_delete(record);
    return err;
}

YO_WEB_REQUEST(record_read) {
    struct yo_buf text = {0};
    const char *name = "record";
    int64_t which = 0;
    bool failed = false;
    (void)index;
    enum yo_err err = yo_web_take_text(request, "name", &name, diag);
    if (!err) err = yo_web_take_int(request, "index", 0, 1000000, &which, diag);
    if (!err) err = read_text(request, &text, diag);
    json_t *m = err ? NULL : yo_web_answer("record.read", id, &failed);
    if (!err) err = read_record(&text, name, (size_t)which, m, &failed, diag);
    if (err)
        json_decref(m);
    else
        yo_web_send(web, m, failed, false);
    yo_buf_free(&text);
    return err;
}
