#include "game/shogi/kifu/record.h"

#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "game/shogi/text.h"

const char *yo_shogi_record_text(const struct yo_shogi_record *record, size_t text) {
    return text ? record->texts.data + text : "";
}

/* Text 0 is the empty text, so that a zeroed node has no texts. */
static enum yo_err add_text(struct yo_shogi_record *record, const char *bytes, size_t len,
                            size_t *text) {
    size_t at = record->texts.len;
    yo_buf_add(&record->texts, bytes, len);
    yo_buf_char(&record->texts, '\0');
    enum yo_err err = yo_buf_status(&record->texts);
    if (!err) *text = at;
    return err;
}

enum yo_err yo_shogi_record_new(struct yo_shogi_record **out) {
    struct yo_shogi_record *record = yo_alloc(1, sizeof *record);
    if (!record) return YO_ERR_NOMEM;
    record->charset = "UTF-8";
    yo_shogi_position_start(&record->start);
    yo_buf_char(&record->texts, '\0');
    record->node_cap = 64;
    record->nodes = yo_alloc(record->node_cap, sizeof *record->nodes);
    if (!record->nodes || yo_buf_status(&record->texts)) {
        yo_shogi_record_delete(record);
        return YO_ERR_NOMEM;
    }
    record->nodes[0] = (struct yo_shogi_node){.parent = YO_SHOGI_NO_NODE,
                                              .child = YO_SHOGI_NO_NODE,
                                              .sibling = YO_SHOGI_NO_NODE,
                                              .time_ms = -1};
    record->node_count = 1;
    *out = record;
    return YO_OK;
}

void yo_shogi_record_delete(struct yo_shogi_record *record) {
    if (!record) return;
    yo_free(record->headers);
    yo_free(record->nodes);
    yo_buf_free(&record->texts);
    yo_free(record);
}

const char *yo_shogi_record_header(const struct yo_shogi_record *record, const char *key) {
    for (size_t i = 0; i < record->header_count; i++)
        if (strcmp(yo_shogi_record_text(record, record->headers[i].key), key) == 0)
            return yo_shogi_record_text(record, record->headers[i].value);
    return NULL;
}

enum yo_err yo_shogi_record_add_header(struct yo_shogi_record *record, const char *key,
                                       const char *value) {
    if (record->header_count == record->header_cap) {
        size_t cap = record->header_cap ? 2 * record->header_cap : 16;
        void *headers = yo_realloc(record->headers, cap, sizeof *record->headers);
        if (!headers) return YO_ERR_NOMEM;
        record->headers = headers;
        record->header_cap = cap;
    }
    struct yo_shogi_header header;
    enum yo_err err = add_text(record, key, strlen(key), &header.key);
    if (!err) err = add_text(record, value, strlen(value), &header.value);
    if (!err) record->headers[record->header_count++] = header;
    return err;
}

static enum yo_err grow_nodes(struct yo_shogi_record *record) {
    if (record->node_count < record->node_cap) return YO_OK;
    if (record->node_count > INT32_MAX / 2) return YO_ERR_NOMEM;
    void *nodes = yo_realloc(record->nodes, 2 * record->node_cap, sizeof *record->nodes);
    if (!nodes) return YO_ERR_NOMEM;
    record->nodes = nodes;
    record->node_cap *= 2;
    return YO_OK;
}

enum yo_err yo_shogi_record_add(struct yo_shogi_record *record, int parent, yo_shogi_move move,
                                enum yo_shogi_end end, int *node) {
    if (record->nodes[parent].ply >= YO_SHOGI_RECORD_PLIES) return YO_ERR_RANGE;
    enum yo_err err = grow_nodes(record);
    if (err) return err;
    int index = (int)record->node_count++;
    record->nodes[index] = (struct yo_shogi_node){.move = move,
                                                  .end = (uint8_t)end,
                                                  .ply = (uint16_t)(record->nodes[parent].ply + 1),
                                                  .parent = parent,
                                                  .child = YO_SHOGI_NO_NODE,
                                                  .sibling = YO_SHOGI_NO_NODE,
                                                  .time_ms = -1};
    int *link = &record->nodes[parent].child;
    while (*link != YO_SHOGI_NO_NODE)
        link = &record->nodes[*link].sibling;
    *link = index;
    *node = index;
    return YO_OK;
}

enum yo_err yo_shogi_record_add_line(struct yo_shogi_record *record, size_t *text, const char *line,
                                     size_t len) {
    if (*text == 0) return add_text(record, line, len, text);
    size_t old = strlen(record->texts.data + *text);
    if (*text + old + 1 == record->texts.len) { /* the last text can grow in place */
        record->texts.data[record->texts.len - 1] = '\n';
        yo_buf_add(&record->texts, line, len);
        yo_buf_char(&record->texts, '\0');
        return yo_buf_status(&record->texts);
    }
    struct yo_buf joined = {0};
    yo_buf_printf(&joined, "%s\n", record->texts.data + *text);
    yo_buf_add(&joined, line, len);
    enum yo_err err = yo_buf_status(&joined);
    if (!err) err = add_text(record, joined.data, joined.len, text);
    yo_buf_free(&joined);
    return err;
}

enum yo_err yo_shogi_record_set_text(struct yo_shogi_record *record, size_t *text,
                                     const char *value) {
    if (*value) return add_text(record, value, strlen(value), text);
    *text = 0;
    return YO_OK;
}

void yo_shogi_record_cut(struct yo_shogi_record *record, int node) {
    int *link = &record->nodes[record->nodes[node].parent].child;
    while (*link != node)
        link = &record->nodes[*link].sibling;
    *link = record->nodes[node].sibling;
}

void yo_shogi_record_position(const struct yo_shogi_record *record, int node,
                              struct yo_shogi_position *pos) {
    yo_shogi_move moves[YO_SHOGI_RECORD_PLIES + 1];
    size_t count = 0;
    for (int n = node; n > 0; n = record->nodes[n].parent)
        moves[count++] = record->nodes[n].move;
    *pos = record->start;
    while (count > 0)
        if (moves[--count] != YO_SHOGI_NO_MOVE) yo_shogi_play(pos, moves[count]);
}
