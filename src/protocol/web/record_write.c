/* The request record.write: a list of nodes becomes a record's text. */
#include "protocol/web/record_write.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"

enum yo_err yo_web_record_no_memory(struct web_writer *w) {
    return yo_diag_set(w->diag, YO_ERR_NOMEM, "no memory for the record");
}

static enum yo_err take_real(const json_t *object, const char *key, double *out,
                             struct yo_diag *diag) {
    const json_t *value = json_object_get(object, key);
    if (!value) return YO_OK;
    if (!json_is_number(value)) return yo_diag_set(diag, YO_ERR_PARSE, "%s must be a number", key);
    *out = json_number_value(value);
    return YO_OK;
}

enum yo_err yo_web_record_found(const struct web_writer *w, const json_t *node,
                                struct web_found *out) {
    struct yo_diag *diag = w->diag;
    json_t *object, *pv, *value;
    size_t i;
    *out = (struct web_found){0};
    enum yo_err err = yo_web_take_object(node, "found", &object, diag);
    if (err || !object) return err;
    err = take_real(object, "winrate", &out->winrate, diag);
    if (!err) err = take_real(object, "score", &out->score, diag);
    if (!err) err = yo_web_take_int(object, "visits", 0, INT64_C(1) << 53, &out->visits, diag);
    if (!err) err = yo_web_take_int(object, "nodes", 0, INT64_C(1) << 53, &out->nodes, diag);
    if (!err) err = yo_web_take_int(object, "cp", -30000, 30000, &out->cp, diag);
    if (!err) err = yo_web_take_int(object, "mate", -900, 900, &out->mate, diag);
    if (!err) err = yo_web_take_int(object, "depth", 0, 10000, &out->depth, diag);
    if (!err) err = yo_web_take_array(object, "pv", 1000, &pv, diag);
    if (err) return err;
    if (!(out->winrate >= 0 && out->winrate <= 1) || !(fabs(out->score) <= 1000))
        return yo_diag_set(diag, YO_ERR_RANGE, "found: the win rate or score is out of range");
    json_array_foreach(pv, i, value) {
        if (out->length == WEB_LINE) break;
        err = yo_web_read_move(&w->start, yo_json_string(value), &out->pv[out->length++], diag);
        if (err) return err;
    }
    out->known = true;
    return YO_OK;
}

const char *yo_web_record_comment(const json_t *node) {
    return yo_json_string(json_object_get(node, "comment"));
}

const json_t *yo_web_record_node(const struct web_writer *w, size_t i) {
    return json_array_get(w->nodes, i);
}

enum yo_err yo_web_record_parent(const struct web_writer *w, size_t i, int64_t *parent) {
    *parent = -1;
    const json_t *node = yo_web_record_node(w, i);
    if (!json_is_object(node) || !json_object_get(node, "parent"))
        return yo_diag_set(w->diag, YO_ERR_PARSE, "node %zu has no parent", i);
    enum yo_err err = yo_web_check_members(
        node, "a node", "parent move comment time_ms end setup winrate found", w->diag);
    return err ? err : yo_web_take_int(node, "parent", i ? 0 : -1, (int64_t)i - 1, parent, w->diag);
}

/* The first position is written as a position without moves. */
static enum yo_err take_start(struct web_writer *w) {
    json_t *start, *position, *wrapped;
    bool failed = false;
    int index = -1;
    enum yo_err err = yo_web_take_object(w->record, "start", &start, w->diag);
    if (err) return err;
    position = start ? json_copy(start) : yo_json_object();
    wrapped = yo_json_object();
    yo_json_set(position, "game", json_incref(json_object_get(w->record, "game")), &failed);
    yo_json_set(wrapped, "position", position, &failed);
    err = failed ? yo_diag_set(w->diag, YO_ERR_PARSE, "the record's game must be go or shogi")
                 : yo_web_take_game(wrapped, &w->start, NULL, &index, w->diag);
    json_decref(wrapped);
    return err;
}

static enum yo_err find_format(const char *name, bool go, int *format, struct yo_diag *diag) {
    *format = -1;
    if (go && strcmp(name, "sgf") == 0) return YO_OK;
    for (int i = YO_SHOGI_CSA; !go && i <= YO_SHOGI_JKF; i++)
        if (strcmp(yo_web_formats[i], name) == 0) *format = i;
    if (*format >= 0) return YO_OK;
    yo_diag_set(diag, YO_ERR_UNKNOWN, "there is no format '%.20s' for this game", name);
    yo_diag_hint(diag, go ? "it takes sgf" : "it takes kif, ki2, csa, jkf");
    return YO_ERR_UNKNOWN;
}

static void free_writer(struct web_writer *w) {
    yo_web_game_free(&w->start);
    yo_sgf_delete(w->sgf);
    yo_shogi_record_delete(w->kif);
    yo_free(w->go);
    yo_free(w->to_move);
    yo_free(w->shogi);
    yo_free(w->positions);
}

static enum yo_err write_record(struct web_writer *w, const char *name, struct yo_buf *text,
                                const char **lost) {
    json_t *headers, *nodes;
    int format;
    enum yo_err err =
        yo_web_check_members(w->record, "record", "game start headers nodes", w->diag);
    if (!err) err = yo_web_take_object(w->record, "headers", &headers, w->diag);
    if (!err) err = yo_web_take_array(w->record, "nodes", WEB_NODES_MAX, &nodes, w->diag);
    if (!err) err = take_start(w);
    if (!err) err = find_format(name, w->start.go, &format, w->diag);
    if (err) return err;
    w->nodes = nodes;
    w->count = json_array_size(nodes);
    if (w->count == 0) return yo_diag_set(w->diag, YO_ERR_PARSE, "nodes is missing or empty");
    return w->start.go ? yo_web_write_go(w, headers, text)
                       : yo_web_write_shogi(w, headers, (enum yo_shogi_format)format, text, lost);
}

YO_WEB_REQUEST(record_write) {
    struct yo_buf text = {0};
    const char *format = NULL, *lost = NULL;
    json_t *record;
    bool failed = false;
    (void)index;
    enum yo_err err = yo_web_take_text(request, "format", &format, diag);
    if (!err) err = yo_web_take_object(request, "record", &record, diag);
    if (!err && (!record || !format))
        err = yo_diag_set(diag, YO_ERR_PARSE, "record and format must be there");
    struct web_writer w = {.record = err ? NULL : record, .diag = diag};
    if (!err) err = write_record(&w, format, &text, &lost);
    if (!err) {
        json_t *m = yo_web_answer("record.write", id, &failed);
        yo_web_put(m, "format", format, &failed);
        yo_json_set(m, "text", yo_json_text(yo_buf_text(&text), text.len), &failed);
        yo_json_set(m, "lost", lost ? json_string(lost) : json_null(), &failed);
        yo_web_send(web, m, failed, false);
    }
    free_writer(&w);
    yo_buf_free(&text);
    return err;
}
