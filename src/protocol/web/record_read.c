/* The request record.read: a record's text becomes a list of nodes. */
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/base64.h"
#include "base/diag.h"
#include "engine/go_note.h"
#include "game/go/sgf/info.h"
#include "game/go/sgf/replay.h"
#include "protocol/web/record.h"

/* ---- Go ---- */

struct go_reader {
    const struct yo_sgf *sgf;
    int size;
    json_t *nodes;
    int *parents; /* by depth in the tree: the last node of the list made there */
    size_t depth, room;
    bool failed;
};

static json_t *point_text(yo_go_point point, int size) {
    char text[8];
    return json_string(yo_go_point_format(point, size, text));
}

static void put_comment(struct go_reader *r, const struct yo_sgf_node *node, json_t *object) {
    const char *comment = yo_sgf_get(node, "C", 0);
    double rate;
    if (comment && *comment) yo_web_put(object, "comment", comment, &r->failed);
    if (yo_go_note_read(node, &rate)) yo_web_put_real(object, "winrate", rate, &r->failed);
}

static const char *player_of(const struct yo_sgf_node *node) {
    const char *text = yo_sgf_get(node, "PL", 0);
    if (!text) return NULL;
    return *text == 'W' || *text == 'w' || *text == '2' ? "w" : "b";
}

/* {"black":[...],"white":[...],"empty":[...]}, or NULL if the node has no setup. */
static enum yo_err read_setup(struct go_reader *r, const struct yo_sgf_node *node, json_t **out,
                              struct yo_diag *diag) {
    static const char *const names[] = {"empty", "black", "white"};
    uint8_t colors[YO_GO_POINTS_MAX];
    memset(colors, 0xff, sizeof colors);
    *out = NULL;
    if (!yo_sgf_find_setup(node)) return YO_OK;
    enum yo_err err = yo_sgf_read_setup(r->sgf, node, r->size, colors, diag);
    if (err) return err;
    json_t *object = yo_json_object();
    for (int color = 0; color < 3; color++) {
        json_t *list = yo_json_array();
        for (int p = 0; p < r->size * r->size; p++)
            if (colors[p] == color)
                yo_json_append(list, point_text((yo_go_point)p, r->size), &r->failed);
        yo_json_set(object, names[color], list, &r->failed);
    }
    *out = object;
    return YO_OK;
}

/* Appends a node to the list; returns its number. */
static int append(struct go_reader *r, int parent, json_t *object) {
    yo_web_put_int(object, "parent", parent, &r->failed);
    yo_json_append(r->nodes, object, &r->failed);
    return (int)json_array_size(r->nodes) - 1;
}

static void put_played(struct go_reader *r, json_t *object, const struct yo_go_played *move) {
    char point[8], text[16] = "b ";
    text[0] = move->color == YO_GO_BLACK ? 'b' : 'w';
    strcpy(text + 2, yo_go_point_format(move->move, r->size, point));
    yo_web_put(object, "move", text, &r->failed);
}

/* A node of the file becomes one of the list, or several if it has several moves. *number becomes
 * that of the last. */
static enum yo_err read_node(struct go_reader *r, const struct yo_sgf_node *node, int *number,
                             struct yo_diag *diag) {
    json_t *object = yo_json_object(), *setup;
    struct yo_go_played move;
    put_comment(r, node, object);
    enum yo_err err = read_setup(r, node, &setup, diag);
    if (setup) yo_json_set(object, "setup", setup, &r->failed);
    const char *player = player_of(node);
    if (player && !setup) {
        yo_json_set(object, "setup", setup = yo_json_object(), &r->failed);
    }
    if (player) yo_web_put(setup, "turn", player, &r->failed);
    const struct sgf_property *p = yo_sgf_next_move(node->first, r->size, &move);
    bool is_root = *number < 0;
    if (p && !is_root && !setup) {
        put_played(r, object, &move);
        p = yo_sgf_next_move(p->next, r->size, &move);
    }
    *number = append(r, *number, object);
    for (; p && !err; p = yo_sgf_next_move(p->next, r->size, &move)) {
        json_t *more = yo_json_object();
        put_played(r, more, &move);
        *number = append(r, *number, more);
    }
    if (!err && json_array_size(r->nodes) > WEB_NODES_MAX)
        err = yo_diag_set(diag, YO_ERR_RANGE, "a record may have %d nodes at most", WEB_NODES_MAX);
    return err;
}

static bool remember(struct go_reader *r, int number) {
    if (r->depth == r->room) {
        size_t room = 2 * r->room + 64;
        void *grown = yo_realloc(r->parents, room, sizeof *r->parents);
        if (!grown) return false;
        r->parents = grown;
        r->room = room;
    }
    r->parents[r->depth++] = number;
    return true;
}

/* A move that is not on the board is an error, as for every other reader. */
static enum yo_err check_moves(struct go_reader *r, const struct yo_sgf_node *node,
                               struct yo_diag *diag) {
    struct yo_go_played move;
    const struct sgf_property *p = yo_sgf_next_move(node->first, r->size, &move);
    for (; p; p = yo_sgf_next_move(p->next, r->size, &move)) {
        if (move.move != YO_GO_NONE) continue;
        yo_diag_set(diag, YO_ERR_PARSE, "%s[%.20s] is no point of a %dx%d board", p->id,
                    p->first->text, r->size, r->size);
        yo_diag_where(diag, r->sgf->name, p->line, p->column);
        return YO_ERR_PARSE;
    }
    return YO_OK;
}

/* All nodes below and including the root, each after its parent. */
static enum yo_err read_tree(struct go_reader *r, const struct yo_sgf_node *root,
                             struct yo_diag *diag) {
    const struct yo_sgf_node *node = root;
    while (node) {
        int number = r->depth ? r->parents[r->depth - 1] : -1;
        enum yo_err err = check_moves(r, node, diag);
        if (!err) err = read_node(r, node, &number, diag);
        if (err) return err;
        if (yo_sgf_child(node)) {
            if (!remember(r, number)) return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
            node = yo_sgf_child(node);
            continue;
        }
        while (node != root && !yo_sgf_sibling(node)) {
            node = yo_sgf_parent(node);
            r->depth--;
        }
        node = node == root ? NULL : yo_sgf_sibling(node);
    }
    return YO_OK;
}

static json_t *rules_value(const struct yo_go_rules *rules) {
    char text[256];
    json_t *object = NULL;
    const char *name = yo_go_rules_name(rules);
    if (name) return json_string(name);
    int len = yo_go_rules_format(rules, text, sizeof text);
    yo_json_read(text, (size_t)len, &object, NULL);
    return object;
}

/* Where the game begins: the first node's setup goes there. */
static json_t *go_start(struct go_reader *r, const struct yo_sgf_node *root,
                        const struct sgf_info *info) {
    json_t *start = yo_json_object(), *first = json_array_get(r->nodes, 0);
    json_t *setup = json_object_get(first, "setup");
    yo_web_put_int(start, "size", info->size, &r->failed);
    yo_web_put_real(start, "komi", info->rules.komi2 / 2.0, &r->failed);
    yo_json_set(start, "rules", rules_value(&info->rules), &r->failed);
    size_t black = json_array_size(json_object_get(setup, "black"));
    bool handicap = info->handicap >= 2 && black == (size_t)info->handicap;
    yo_web_put_int(start, "handicap", handicap ? info->handicap : 0, &r->failed);
    const char *player = player_of(root);
    yo_web_put(start, "turn", player ? player : handicap ? "w" : "b", &r->failed);
    if (setup) {
        json_object_del(setup, "empty");
        json_object_del(setup, "turn");
        yo_json_set(start, "setup", json_incref(setup), &r->failed);
        json_object_del(first, "setup");
    }
    return start;
}

static json_t *go_headers(const struct yo_sgf_node *root, bool *failed) {
    json_t *headers = yo_json_object();
    for (const struct web_header *h = yo_web_headers; h->name; h++) {
        const char *value = h->sgf ? yo_sgf_get(root, h->sgf, 0) : NULL;
        if (value && *value) yo_web_put(headers, h->name, value, failed);
    }
    return headers;
}

static enum yo_err put_go(struct yo_sgf *sgf, size_t index, json_t *m, bool *failed,
                          struct yo_diag *diag) {
    struct sgf_info info;
    if (index >= yo_sgf_game_count(sgf))
        return yo_diag_set(diag, YO_ERR_RANGE, "there is no game %zu among %zu", index + 1,
                           yo_sgf_game_count(sgf));
    const struct yo_sgf_node *root = yo_sgf_root(sgf, index);
    enum yo_err err = yo_sgf_info_read(sgf, root, &info, diag);
    if (err) return err;
    struct go_reader r = {.sgf = sgf, .size = info.size, .nodes = yo_json_array()};
    err = read_tree(&r, root, diag);
    yo_free(r.parents);
    if (err) {
        json_decref(r.nodes);
        return err;
    }
    json_t *record = yo_json_object(), *warnings = yo_json_array();
    yo_web_put(record, "game", "go", failed);
    yo_json_set(record, "start", go_start(&r, root, &info), failed);
    yo_json_set(record, "headers", go_headers(root, failed), failed);
    yo_json_set(record, "nodes", r.nodes, failed);
    *failed = *failed || r.failed;
    yo_json_set(m, "record", record, failed);
    yo_web_put(m, "format", "sgf", failed);
    yo_web_put_int(m, "games", (int64_t)yo_sgf_game_count(sgf), failed);
    const struct yo_diag *warning;
    for (size_t i = 0; (warning = yo_sgf_warning(sgf, i)); i++) {
        char text[512];
        yo_diag_format(warning, text, sizeof text);
        yo_json_append(warnings, yo_json_text(text, strlen(text)), failed);
    }
    yo_json_set(m, "warnings", warnings, failed);
    return YO_OK;
}

/* ---- Shogi ---- */

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

static enum yo_err put_shogi(const struct yo_shogi_record *record, json_t *m, bool *failed,
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

/* ---- Both ---- */

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
        err = put_go(sgf, index, m, failed, diag);
        yo_sgf_delete(sgf);
        return err;
    }
    struct yo_shogi_record *record;
    enum yo_err err = yo_shogi_record_parse(yo_buf_text(text), text->len, name, &record, diag);
    if (err) return err;
    err = put_shogi(record, m, failed, diag);
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
