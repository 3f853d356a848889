/* record.read for shogi: KIF, KI2, CSA, JKF. */
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "protocol/web/record.h"

static json_t *shogi_node(const struct yo_shogi_record *record, size_t i, bool *failed) {
    const struct yo_shogi_node *n = &record->nodes[i];
    const char *comment = yo_shogi_record_text(record, n->comment);
    char text[YO_SHOGI_MOVE_TEXT], end[32];
    json_t *object = yo_json_object();
    int score;
    if (n->move) yo_web_put(object, "move", yo_shogi_move_format(n->move, text), failed);
    if (n->end) yo_web_put(object, "end", yo_web_end_name(n->end, end), failed);
    if (n->time_ms >= 0) yo_web_put_int(object, "time_ms", n->time_ms, failed);
    if (*comment) yo_web_put(object, "comment", comment, failed);
    enum yo_shogi_note_form form =
        record->format == YO_SHOGI_CSA ? YO_SHOGI_NOTE_FLOODGATE : YO_SHOGI_NOTE_HOME;
    if (yo_shogi_noted(record, (int)i, form, &score))
        yo_web_put_real(object, "winrate", yo_shogi_score_rate(score), failed);
    return object;
}

/* The record's numbers may have gaps and another order, so the nodes are numbered anew: depth
 * first, children in order. */
static enum yo_err shogi_nodes(const struct yo_shogi_record *record, json_t *list, bool *failed,
                               struct yo_diag *diag) {
    int *number = yo_alloc(record->node_count, sizeof *number);
    if (!number) return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    int node = 0;
    while (node != YO_SHOGI_NO_NODE) {
        const struct yo_shogi_node *n = &record->nodes[node];
        json_t *object = shogi_node(record, (size_t)node, failed);
        yo_web_put_int(object, "parent", node ? number[n->parent] : -1, failed);
        number[node] = (int)json_array_size(list);
        yo_json_append(list, object, failed);
        if (n->child != YO_SHOGI_NO_NODE) {
            node = n->child;
            continue;
        }
        while (node > 0 && record->nodes[node].sibling == YO_SHOGI_NO_NODE)
            node = record->nodes[node].parent;
        node = node > 0 ? record->nodes[node].sibling : YO_SHOGI_NO_NODE;
    }
    yo_free(number);
    return YO_OK;
}

static json_t *shogi_headers(const struct yo_shogi_record *record, bool *failed) {
    json_t *headers = yo_json_object();
    for (size_t i = 0; i < record->header_count; i++) {
        const char *key = yo_shogi_record_text(record, record->headers[i].key);
        const char *value = yo_shogi_record_text(record, record->headers[i].value);
        const char *name = key;
        for (const struct web_header *h = yo_web_headers; h->name; h++)
            if ((h->kif && strcmp(h->kif, key) == 0) || (h->kif2 && strcmp(h->kif2, key) == 0))
                name = h->name;
        if (*value) yo_web_put(headers, name, value, failed);
    }
    return headers;
}

enum yo_err yo_web_put_shogi(const struct yo_shogi_record *record, json_t *m, bool *failed,
                             struct yo_diag *diag) {
    char sfen[YO_SHOGI_SFEN_MAX];
    if (record->node_count > WEB_NODES_MAX)
        return yo_diag_set(diag, YO_ERR_RANGE, "a record may have %d nodes at most", WEB_NODES_MAX);
    json_t *nodes = yo_json_array();
    enum yo_err err = shogi_nodes(record, nodes, failed, diag);
    if (err) {
        json_decref(nodes);
        return err;
    }
    json_t *out = yo_json_object(), *start = yo_json_object();
    yo_shogi_sfen_format(&record->start, sfen);
    yo_web_put(start, "sfen", sfen, failed);
    yo_web_put(out, "game", "shogi", failed);
    yo_json_set(out, "start", start, failed);
    yo_json_set(out, "headers", shogi_headers(record, failed), failed);
    yo_json_set(out, "nodes", nodes, failed);
    yo_json_set(m, "record", out, failed);
    yo_web_put(m, "format", yo_web_formats[record->format], failed);
    yo_web_put_int(m, "games", 1, failed);
    yo_json_set(m, "warnings", yo_json_array(), failed);
    return YO_OK;
}
