/* record.write for shogi: KIF, KI2, CSA, JKF. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "game/shogi/kifu/encode.h"
#include "game/shogi/movegen.h"
#include "protocol/web/record_write.h"

static enum yo_err put_shogi_headers(struct web_writer *w, const json_t *headers) {
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)headers, key, value) {
        const char *text = yo_json_string(value), *name = key;
        if (!text || !*text || strpbrk(key, ":\r\n") || strstr(key, "：") || strpbrk(text, "\r\n"))
            continue; /* would be read back as something else */
        for (const struct web_header *h = yo_web_headers; h->name; h++)
            if (strcmp(h->name, key) == 0) name = h->kif;
        if (name && yo_shogi_record_add_header(w->kif, name, text))
            return yo_web_record_no_memory(w);
    }
    return YO_OK;
}

static enum yo_err add_shogi(struct web_writer *w, size_t i, int64_t parent) {
    const char *text = NULL, *end_name = NULL;
    yo_move move = 0;
    enum yo_shogi_end end = YO_SHOGI_GOES_ON;
    const struct yo_shogi_position *before = &w->positions[parent];
    enum yo_err err = yo_web_take_text(yo_web_record_node(w, i), "move", &text, w->diag);
    if (!err) err = yo_web_take_text(yo_web_record_node(w, i), "end", &end_name, w->diag);
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
    if (err) return yo_web_record_no_memory(w);
    w->positions[i] = *before;
    if (text) yo_shogi_play(&w->positions[i], (yo_shogi_move)move);
    w->shogi[i] = node;
    return yo_web_take_int(yo_web_record_node(w, i), "time_ms", 0, INT64_C(1) << 40,
                           &w->kif->nodes[node].time_ms, w->diag);
}

static enum yo_err put_shogi_node(struct web_writer *w, size_t i) {
    int64_t parent;
    const char *comment = yo_web_record_comment(yo_web_record_node(w, i));
    enum yo_err err = yo_web_record_parent(w, i, &parent);
    if (!err && i > 0) err = add_shogi(w, i, parent);
    if (err || !comment) return err;
    err = yo_shogi_record_set_text(w->kif, &w->kif->nodes[w->shogi[i]].comment, comment);
    return err ? yo_web_record_no_memory(w) : YO_OK;
}

static int note_score(const struct web_found *f) {
    if (f->mate > 0) return YO_SHOGI_NOTE_MATE - (int)f->mate;
    return f->mate < 0 ? -(YO_SHOGI_NOTE_MATE + (int)f->mate) : (int)f->cp;
}

/* The legal beginning of the line. */
static size_t sound_line(const struct yo_shogi_position *pos, const struct web_found *f,
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

static enum yo_err put_shogi_found(struct web_writer *w, size_t i, enum yo_shogi_format format) {
    struct web_found f;
    int node = w->shogi[i];
    enum yo_err err = yo_web_record_found(w, yo_web_record_node(w, i), &f);
    if (err || !f.known || w->kif->nodes[node].end) return err;
    yo_shogi_move line[WEB_LINE], move = w->kif->nodes[node].move;
    const struct yo_shogi_position *pos = &w->positions[i];
    bool csa = format == YO_SHOGI_CSA;
    enum yo_shogi_note_form form = csa ? YO_SHOGI_NOTE_FLOODGATE : YO_SHOGI_NOTE_HOME;
    struct yo_shogi_note note = {.score_black = note_score(&f),
                                 .depth = (int)f.depth,
                                 .nodes = (uint64_t)(f.nodes ? f.nodes : f.visits),
                                 .line = line,
                                 .length = sound_line(pos, &f, line)};
    bool differs = note.length > 0 && w->kif->nodes[node].child != YO_SHOGI_NO_NODE &&
                   !is_followed_by(w->kif, node, line[0]);
    err = yo_shogi_notes_write(w->kif, node, form, &note, pos,
                               move ? shogi_to(move) : YO_SHOGI_NO_SQUARE);
    if (!err && differs && !csa) err = yo_shogi_notes_add_line(w->kif, node, form, &note, pos);
    return err ? yo_web_record_no_memory(w) : YO_OK;
}

enum yo_err yo_web_write_shogi(struct web_writer *w, const json_t *headers,
                               enum yo_shogi_format format, struct yo_buf *text,
                               const char **lost) {
    w->shogi = yo_alloc(w->count, sizeof *w->shogi);
    w->positions = yo_alloc(w->count, sizeof *w->positions);
    if (!w->shogi || !w->positions || yo_shogi_record_new(&w->kif))
        return yo_web_record_no_memory(w);
    w->kif->start = w->positions[0] = *shogi_game_now(w->start.shogi);
    enum yo_err err = put_shogi_headers(w, headers);
    for (size_t i = 0; i < w->count && !err; i++)
        err = put_shogi_node(w, i);
    for (size_t i = 0; i < w->count && !err; i++)
        err = put_shogi_found(w, i, format);
    if (err) return err;
    *lost = yo_shogi_writing_loss(w->kif, format);
    return yo_shogi_record_write(w->kif, format, text) ? yo_web_record_no_memory(w) : YO_OK;
}
