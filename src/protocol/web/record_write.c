/* The request record.write: a list of nodes becomes a record's text. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "engine/go_note.h"
#include "game/go/sgf/info.h"
#include "game/go/sgf/line.h"
#include "game/shogi/kifu/encode.h"
#include "game/shogi/movegen.h"
#include "protocol/web/record.h"

enum { LINE = 20 };

/* What an analysis found, from a node's `found`. */
struct found {
    bool known;
    double winrate, score; /* Black's */
    int64_t visits, cp, mate, depth;
    yo_move pv[LINE];
    size_t length;
};

struct writer {
    const json_t *record, *nodes;
    size_t count;
    struct web_game start; /* the first position, for the text of moves */
    struct yo_diag *diag;
    struct yo_sgf *sgf;
    struct yo_sgf_node **go; /* by node */
    uint8_t *to_move;        /* by node: the colour to move after it */
    struct yo_shogi_record *kif;
    int *shogi;                          /* by node */
    struct yo_shogi_position *positions; /* by node */
};

static enum yo_err no_memory(struct writer *w) {
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

static enum yo_err take_found(const struct writer *w, const json_t *node, struct found *out) {
    struct yo_diag *diag = w->diag;
    json_t *object, *pv, *value;
    size_t i;
    *out = (struct found){0};
    enum yo_err err = yo_web_take_object(node, "found", &object, diag);
    if (err || !object) return err;
    err = take_real(object, "winrate", &out->winrate, diag);
    if (!err) err = take_real(object, "score", &out->score, diag);
    if (!err) err = yo_web_take_int(object, "visits", 0, INT64_C(1) << 53, &out->visits, diag);
    if (!err) err = yo_web_take_int(object, "cp", -30000, 30000, &out->cp, diag);
    if (!err) err = yo_web_take_int(object, "mate", -900, 900, &out->mate, diag);
    if (!err) err = yo_web_take_int(object, "depth", 0, 10000, &out->depth, diag);
    if (!err) err = yo_web_take_array(object, "pv", 1000, &pv, diag);
    if (err) return err;
    if (!(out->winrate >= 0 && out->winrate <= 1) || !(fabs(out->score) <= 1000))
        return yo_diag_set(diag, YO_ERR_RANGE, "found: the win rate or score is out of range");
    json_array_foreach(pv, i, value) {
        if (out->length == LINE) break;
        err = yo_web_read_move(&w->start, yo_json_string(value), &out->pv[out->length++], diag);
        if (err) return err;
    }
    out->known = true;
    return YO_OK;
}

static const char *comment_of(const json_t *node) {
    return yo_json_string(json_object_get(node, "comment"));
}

static const json_t *node_at(const struct writer *w, size_t i) {
    return json_array_get(w->nodes, i);
}

/* The number of the node's parent, which stands before it. */
static enum yo_err take_parent(const struct writer *w, size_t i, int64_t *parent) {
    *parent = -1;
    const json_t *node = node_at(w, i);
    if (!json_is_object(node) || !json_object_get(node, "parent"))
        return yo_diag_set(w->diag, YO_ERR_PARSE, "node %zu has no parent", i);
    enum yo_err err = yo_web_check_members(
        node, "a node", "parent move comment time_ms end setup winrate found", w->diag);
    return err ? err : yo_web_take_int(node, "parent", i ? 0 : -1, (int64_t)i - 1, parent, w->diag);
}

/* ---- Go ---- */

static enum yo_err set_go(struct writer *w, struct yo_sgf_node *node, const char *id,
                          const char *value) {
    enum yo_err err = yo_sgf_set(w->sgf, node, id, value);
    return err ? yo_diag_set(w->diag, err, "no memory for the record, or a text is not UTF-8")
               : YO_OK;
}

static enum yo_err put_points(struct writer *w, struct yo_sgf_node *node, const json_t *setup,
                              const char *key, const char *id) {
    json_t *list, *value;
    size_t i;
    int size = yo_go_game_size(w->start.go);
    enum yo_err err = yo_web_take_array(setup, key, YO_GO_POINTS_MAX, &list, w->diag);
    if (err) return err;
    json_array_foreach(list, i, value) {
        char text[3];
        yo_move point;
        err = yo_web_read_move(&w->start, yo_json_string(value), &point, w->diag);
        if (!err && point >= (yo_move)(size * size))
            err = yo_diag_set(w->diag, YO_ERR_PARSE, "%s: a pass is no point", key);
        if (!err && yo_sgf_add(w->sgf, node, id, yo_sgf_point_text((yo_go_point)point, size, text)))
            err = no_memory(w);
        if (err) return err;
    }
    return YO_OK;
}

static enum yo_err put_setup(struct writer *w, size_t i) {
    json_t *setup;
    const char *turn = NULL;
    struct yo_sgf_node *node = w->go[i];
    enum yo_err err = yo_web_take_object(node_at(w, i), "setup", &setup, w->diag);
    if (err || !setup) return err;
    err = yo_web_check_members(setup, "setup", "black white empty turn", w->diag);
    if (!err) err = put_points(w, node, setup, "black", "AB");
    if (!err) err = put_points(w, node, setup, "white", "AW");
    if (!err) err = put_points(w, node, setup, "empty", "AE");
    if (!err) err = yo_web_take_text(setup, "turn", &turn, w->diag);
    if (err || !turn) return err;
    w->to_move[i] = *turn == 'w' ? YO_GO_WHITE : YO_GO_BLACK;
    return set_go(w, node, "PL", *turn == 'w' ? "W" : "B");
}

static enum yo_err put_go_move(struct writer *w, size_t i) {
    const char *text = yo_json_string(json_object_get(node_at(w, i), "move"));
    char point[3];
    yo_move move;
    if (!json_object_get(node_at(w, i), "move")) return YO_OK;
    int color = w->to_move[i];
    if (text && (text[0] == 'b' || text[0] == 'w') && text[1] == ' ') {
        color = text[0] == 'b' ? YO_GO_BLACK : YO_GO_WHITE;
        text += 2;
    }
    enum yo_err err = yo_web_read_move(&w->start, text, &move, w->diag);
    if (err) return err;
    w->to_move[i] = (uint8_t)yo_go_other((enum yo_go_color)color);
    return set_go(w, w->go[i], color == YO_GO_BLACK ? "B" : "W",
                  yo_sgf_point_text((yo_go_point)move, yo_go_game_size(w->start.go), point));
}

static enum yo_err put_go_node(struct writer *w, size_t i) {
    int64_t parent;
    enum yo_err err = take_parent(w, i, &parent);
    if (err) return err;
    if (i > 0) {
        if (yo_sgf_node_new(w->sgf, w->go[parent], &w->go[i])) return no_memory(w);
        w->to_move[i] = w->to_move[parent];
        err = put_go_move(w, i);
        if (!err) err = put_setup(w, i);
    }
    const char *comment = comment_of(node_at(w, i));
    return err || !comment ? err : set_go(w, w->go[i], "C", comment);
}

static bool has_child_with(const struct yo_sgf_node *node, int size, yo_move move) {
    for (const struct yo_sgf_node *c = yo_sgf_child(node); c; c = yo_sgf_sibling(c)) {
        struct yo_go_played played;
        if (yo_sgf_next_move(c->first, size, &played) && played.move == move) return true;
    }
    return false;
}

/* The note that yomi analyze writes, and the better line where the game went another way. */
static enum yo_err put_go_found(struct writer *w, size_t i) {
    struct found f;
    enum yo_err err = take_found(w, node_at(w, i), &f);
    if (err || !f.known || f.length == 0) return err;
    enum yo_go_color to_move = (enum yo_go_color)w->to_move[i];
    bool black = to_move == YO_GO_BLACK;
    uint64_t visits[LINE];
    for (size_t k = 0; k < LINE; k++)
        visits[k] = (uint64_t)f.visits + 2; /* all of the line is shown */
    struct yo_search_move best = {.move = f.pv[0],
                                  .winrate_to_move = black ? f.winrate : 1 - f.winrate,
                                  .score_to_move = black ? f.score : -f.score,
                                  .visits = (uint64_t)f.visits + 1,
                                  .pv = f.pv,
                                  .pv_visits = visits,
                                  .pv_count = f.length};
    struct yo_search_result result = {
        .moves = &best, .move_count = 1, .playouts = (uint64_t)f.visits};
    int size = yo_go_game_size(w->start.go);
    struct yo_sgf_node *node = w->go[i];
    bool differs = yo_sgf_child(node) && !has_child_with(node, size, f.pv[0]);
    err = yo_go_note_write(w->sgf, node, size, to_move, &result);
    if (!err && differs) err = yo_go_note_add_line(w->sgf, node, size, to_move, &best);
    return err ? no_memory(w) : YO_OK;
}

static enum yo_err put_go_headers(struct writer *w, const json_t *headers) {
    struct yo_sgf_node *root = yo_sgf_root(w->sgf, 0);
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)headers, key, value) {
        const char *text = yo_json_string(value);
        for (const struct web_header *h = yo_web_headers; h->name; h++) {
            if (!h->sgf || strcmp(h->name, key) != 0 || !text || !*text) continue;
            enum yo_err err = set_go(w, root, h->sgf, text);
            if (err) return err;
        }
    }
    return YO_OK;
}

static enum yo_err write_go(struct writer *w, const json_t *headers, struct yo_buf *text) {
    char *sgf_text;
    size_t len;
    w->go = yo_alloc(w->count, sizeof *w->go);
    w->to_move = yo_alloc(w->count, sizeof *w->to_move);
    /* A record of the first position: size, rules, komi, handicap, setup. */
    if (!w->go || !w->to_move || yo_sgf_from_game(w->start.go, NULL, &w->sgf)) return no_memory(w);
    w->go[0] = yo_sgf_root(w->sgf, 0);
    w->to_move[0] = (uint8_t)yo_go_game_to_move(w->start.go);
    enum yo_err err = put_go_headers(w, headers);
    for (size_t i = 0; i < w->count && !err; i++)
        err = put_go_node(w, i);
    for (size_t i = 0; i < w->count && !err; i++)
        err = put_go_found(w, i);
    if (err) return err;
    if (yo_sgf_write(w->sgf, &sgf_text, &len)) return no_memory(w);
    yo_buf_add(text, sgf_text, len);
    yo_sgf_free_text(sgf_text);
    return yo_buf_status(text) ? no_memory(w) : YO_OK;
}

/* ---- Shogi ---- */

static enum yo_err put_shogi_headers(struct writer *w, const json_t *headers) {
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)headers, key, value) {
        const char *text = yo_json_string(value), *name = key;
        if (!text || !*text || strpbrk(key, ":\r\n") || strstr(key, "：") || strpbrk(text, "\r\n"))
            continue; /* would be read back as something else */
        for (const struct web_header *h = yo_web_headers; h->name; h++)
            if (strcmp(h->name, key) == 0) name = h->kif;
        if (name && yo_shogi_record_add_header(w->kif, name, text)) return no_memory(w);
    }
    return YO_OK;
}

static enum yo_err add_shogi(struct writer *w, size_t i, int64_t parent) {
    const char *text = NULL, *end_name = NULL;
    yo_move move = 0;
    enum yo_shogi_end end = YO_SHOGI_GOES_ON;
    const struct yo_shogi_position *before = &w->positions[parent];
    enum yo_err err = yo_web_take_text(node_at(w, i), "move", &text, w->diag);
    if (!err) err = yo_web_take_text(node_at(w, i), "end", &end_name, w->diag);
    if (!err && text) err = yo_web_read_move(&w->start, text, &move, w->diag);
    if (err) return err;
    if (end_name && !(end = yo_web_end_find(end_name)))
        return yo_diag_set(w->diag, YO_ERR_UNKNOWN, "there is no end '%.30s'", end_name);
    if (!text == !end_name)
        return yo_diag_set(w->diag, YO_ERR_PARSE, "node %zu must have a move or an end", i);
    if (w->kif->nodes[w->shogi[parent]].end)
        return yo_diag_set(w->diag, YO_ERR_PARSE, "node %zu follows the end of the game", i);
    if (text && !yo_shogi_move_is_sound(before, (yo_shogi_move)move))
        return yo_diag_set(w->diag, YO_ERR_ILLEGAL, "node %zu: illegal move %.20s", i, text);
    int node;
    err = yo_shogi_record_add(w->kif, w->shogi[parent], (yo_shogi_move)move, end, &node);
    if (err == YO_ERR_RANGE) return yo_diag_set(w->diag, err, "the game is too long");
    if (err) return no_memory(w);
    w->positions[i] = *before;
    if (text) yo_shogi_play(&w->positions[i], (yo_shogi_move)move);
    w->shogi[i] = node;
    return yo_web_take_int(node_at(w, i), "time_ms", 0, INT64_C(1) << 40,
                           &w->kif->nodes[node].time_ms, w->diag);
}

static enum yo_err put_shogi_node(struct writer *w, size_t i) {
    int64_t parent;
    const char *comment = comment_of(node_at(w, i));
    enum yo_err err = take_parent(w, i, &parent);
    if (!err && i > 0) err = add_shogi(w, i, parent);
    if (err || !comment) return err;
    err = yo_shogi_record_set_text(w->kif, &w->kif->nodes[w->shogi[i]].comment, comment);
    return err ? no_memory(w) : YO_OK;
}

static int note_score(const struct found *f) {
    if (f->mate > 0) return YO_SHOGI_NOTE_MATE - (int)f->mate;
    return f->mate < 0 ? -(YO_SHOGI_NOTE_MATE + (int)f->mate) : (int)f->cp;
}

/* The legal beginning of the line. */
static size_t sound_line(const struct yo_shogi_position *pos, const struct found *f,
                         yo_shogi_move *line) {
    struct yo_shogi_position now = *pos;
    size_t length = 0;
    while (length < f->length && yo_shogi_move_is_sound(&now, (yo_shogi_move)f->pv[length])) {
        line[length] = (yo_shogi_move)f->pv[length];
        yo_shogi_play(&now, line[length++]);
    }
    return length;
}

static bool is_followed_by(const struct yo_shogi_record *record, int node, yo_shogi_move move) {
    for (int c = record->nodes[node].child; c != YO_SHOGI_NO_NODE; c = record->nodes[c].sibling)
        if (record->nodes[c].move == move) return true;
    return false;
}

static enum yo_err put_shogi_found(struct writer *w, size_t i, enum yo_shogi_format format) {
    struct found f;
    int node = w->shogi[i];
    enum yo_err err = take_found(w, node_at(w, i), &f);
    if (err || !f.known || w->kif->nodes[node].end) return err;
    yo_shogi_move line[LINE], move = w->kif->nodes[node].move;
    const struct yo_shogi_position *pos = &w->positions[i];
    bool csa = format == YO_SHOGI_CSA;
    enum yo_shogi_note_form form = csa ? YO_SHOGI_NOTE_FLOODGATE : YO_SHOGI_NOTE_HOME;
    struct yo_shogi_note note = {.score_black = note_score(&f),
                                 .depth = (int)f.depth,
                                 .nodes = (uint64_t)f.visits,
                                 .line = line,
                                 .length = sound_line(pos, &f, line)};
    bool differs = note.length > 0 && w->kif->nodes[node].child != YO_SHOGI_NO_NODE &&
                   !is_followed_by(w->kif, node, line[0]);
    err = yo_shogi_notes_write(w->kif, node, form, &note, pos,
                               move ? shogi_to(move) : YO_SHOGI_NO_SQUARE);
    if (!err && differs && !csa) err = yo_shogi_notes_add_line(w->kif, node, form, &note, pos);
    return err ? no_memory(w) : YO_OK;
}

static enum yo_err write_shogi(struct writer *w, const json_t *headers, enum yo_shogi_format format,
                               struct yo_buf *text, const char **lost) {
    w->shogi = yo_alloc(w->count, sizeof *w->shogi);
    w->positions = yo_alloc(w->count, sizeof *w->positions);
    if (!w->shogi || !w->positions || yo_shogi_record_new(&w->kif)) return no_memory(w);
    w->kif->start = w->positions[0] = *shogi_game_now(w->start.shogi);
    enum yo_err err = put_shogi_headers(w, headers);
    for (size_t i = 0; i < w->count && !err; i++)
        err = put_shogi_node(w, i);
    for (size_t i = 0; i < w->count && !err; i++)
        err = put_shogi_found(w, i, format);
    if (err) return err;
    *lost = yo_shogi_writing_loss(w->kif, format);
    return yo_shogi_record_write(w->kif, format, text) ? no_memory(w) : YO_OK;
}

/* ---- Both ---- */

/* The first position is written as a position without moves. */
static enum yo_err take_start(struct writer *w) {
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

static void free_writer(struct writer *w) {
    yo_web_game_free(&w->start);
    yo_sgf_delete(w->sgf);
    yo_shogi_record_delete(w->kif);
    yo_free(w->go);
    yo_free(w->to_move);
    yo_free(w->shogi);
    yo_free(w->positions);
}

static enum yo_err write_record(struct writer *w, const char *name, struct yo_buf *text,
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
    return w->start.go ? write_go(w, headers, text)
                       : write_shogi(w, headers, (enum yo_shogi_format)format, text, lost);
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
    struct writer w = {.record = err ? NULL : record, .diag = diag};
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
