/* Writes JKF, a record as JSON: https://github.com/na2hiro/json-kifu-format. */
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "game/shogi/kifu/reader.h"
#include "game/shogi/kifu/words.h"

struct writer {
    const struct yo_shogi_record *record;
    bool failed;
};

static void set(struct writer *w, json_t *object, const char *key, json_t *value) {
    yo_json_set(object, key, value, &w->failed);
}

static json_t *text(const char *chars) { return yo_json_text(chars, strlen(chars)); }

/* ---- Headers: a key that occurs more than once has its values as lines. ---- */

static json_t *headers(struct writer *w) {
    json_t *object = yo_json_object();
    const struct yo_shogi_record *record = w->record;
    for (size_t i = 0; i < record->header_count; i++) {
        const char *key = yo_shogi_record_text(record, record->headers[i].key);
        const char *value = yo_shogi_record_text(record, record->headers[i].value);
        const char *before = yo_json_string(json_object_get(object, key));
        struct yo_buf lines = {0};
        if (before) yo_buf_printf(&lines, "%s\n", before);
        yo_buf_str(&lines, value);
        if (yo_buf_status(&lines)) w->failed = true;
        set(w, object, key, text(yo_buf_text(&lines)));
        yo_buf_free(&lines);
    }
    return object;
}

/* ---- The first position ---- */

static json_t *square(struct writer *w, yo_shogi_piece piece) {
    json_t *object = yo_json_object();
    if (!piece) return object;
    set(w, object, "color", json_integer(shogi_side(piece)));
    set(w, object, "kind", text(yo_shogi_csa_pieces[shogi_kind(piece)]));
    return object;
}

static json_t *hand(struct writer *w, yo_shogi_hand held) {
    json_t *object = yo_json_object();
    for (int kind = YO_SHOGI_PAWN; kind < YO_SHOGI_KING; kind++)
        set(w, object, yo_shogi_csa_pieces[kind], json_integer(shogi_hand_count(held, kind)));
    return object;
}

static json_t *position(struct writer *w) {
    const struct yo_shogi_position *pos = &w->record->start;
    json_t *object = yo_json_object(), *board = yo_json_array(), *hands = yo_json_array();
    for (int file = 0; file < 9; file++) {
        json_t *column = yo_json_array();
        for (int rank = 0; rank < 9; rank++)
            yo_json_append(column, square(w, pos->board[shogi_square(file, rank)]), &w->failed);
        yo_json_append(board, column, &w->failed);
    }
    for (int side = 0; side < 2; side++)
        yo_json_append(hands, hand(w, pos->hands[side]), &w->failed);
    set(w, object, "color", json_integer(pos->side));
    set(w, object, "board", board);
    set(w, object, "hands", hands);
    return object;
}

static json_t *initial(struct writer *w) {
    json_t *object = yo_json_object();
    const char *preset = yo_shogi_jkf_preset(&w->record->start);
    set(w, object, "preset", text(preset ? preset : "OTHER"));
    if (!preset) set(w, object, "data", position(w));
    return object;
}

/* ---- Moves ---- */

static json_t *place(struct writer *w, int at) {
    json_t *object = yo_json_object();
    set(w, object, "x", json_integer(shogi_file(at) + 1));
    set(w, object, "y", json_integer(shogi_rank(at) + 1));
    return object;
}

static json_t *move(struct writer *w, int n, const struct yo_shogi_position *pos) {
    const struct yo_shogi_node *node = &w->record->nodes[n];
    yo_shogi_move m = node->move, before = w->record->nodes[node->parent].move;
    int to = shogi_to(m), side = pos->side;
    int kind = shogi_is_drop(m) ? shogi_dropped(m) : shogi_kind(pos->board[shogi_from(m)]);
    int taken = shogi_kind(pos->board[to]);
    char which[4];
    json_t *object = yo_json_object();
    set(w, object, "color", json_integer(side));
    if (!shogi_is_drop(m)) set(w, object, "from", place(w, shogi_from(m)));
    set(w, object, "to", place(w, to));
    set(w, object, "piece", text(yo_shogi_csa_pieces[kind]));
    if (before && shogi_to(before) == to) set(w, object, "same", json_true());
    yo_bb zone = yo_shogi_tables.zone[side];
    bool may = !shogi_is_drop(m) && shogi_can_promote(kind) &&
               (bb_has(zone, to) || bb_has(zone, shogi_from(m)));
    if (may) set(w, object, "promote", json_boolean(shogi_promotes(m)));
    if (taken) set(w, object, "capture", text(yo_shogi_csa_pieces[taken]));
    yo_record_which_letters(pos, m, which);
    if (which[0]) set(w, object, "relative", text(which));
    return object;
}

static json_t *clock(struct writer *w, int64_t seconds) {
    json_t *object = yo_json_object();
    set(w, object, "h", json_integer(seconds / 3600));
    set(w, object, "m", json_integer(seconds / 60 % 60));
    set(w, object, "s", json_integer(seconds % 60));
    return object;
}

static json_t *times(struct writer *w, int n) {
    json_t *object = yo_json_object();
    set(w, object, "now", clock(w, w->record->nodes[n].time_ms / 1000));
    set(w, object, "total", clock(w, yo_record_total_seconds(w->record, n)));
    return object;
}

static json_t *comments(struct writer *w, size_t comment) {
    json_t *array = yo_json_array();
    const char *line = yo_shogi_record_text(w->record, comment);
    for (;;) {
        size_t len = strcspn(line, "\n");
        yo_json_append(array, yo_json_text(line, len), &w->failed);
        if (line[len] == '\0') return array;
        line += len + 1;
    }
}

static json_t *one(struct writer *w, int n, const struct yo_shogi_position *pos) {
    const struct yo_shogi_node *node = &w->record->nodes[n];
    json_t *object = yo_json_object();
    if (node->move) set(w, object, "move", move(w, n, pos));
    if (node->end) set(w, object, "special", text(yo_shogi_csa_ends[node->end]));
    if (n > 0 && node->time_ms >= 0) set(w, object, "time", times(w, n));
    if (node->comment) set(w, object, "comments", comments(w, node->comment));
    return object;
}

/* Appends the nodes from `first` on. The other children of a node are forks of its first child. */
static void line(struct writer *w, int first, int level, json_t *array) {
    const struct yo_shogi_node *nodes = w->record->nodes;
    struct yo_shogi_position pos;
    yo_shogi_record_position(w->record, nodes[first].parent, &pos);
    for (int n = first; n != YO_SHOGI_NO_NODE; n = nodes[n].child) {
        json_t *object = one(w, n, &pos), *forks = NULL;
        if (nodes[nodes[n].parent].child == n && level < JKF_FORKS_MAX)
            for (int other = nodes[n].sibling; other != YO_SHOGI_NO_NODE;
                 other = nodes[other].sibling) {
                json_t *fork = yo_json_array();
                if (!forks) forks = yo_json_array();
                line(w, other, level + 1, fork);
                yo_json_append(forks, fork, &w->failed);
            }
        if (forks) set(w, object, "forks", forks);
        yo_json_append(array, object, &w->failed);
        if (nodes[n].move) yo_shogi_play(&pos, nodes[n].move);
    }
}

bool yo_record_jkf_holds_forks(const struct yo_shogi_record *record) {
    const struct yo_shogi_node *nodes = record->nodes;
    for (size_t i = 1; i < record->node_count; i++) {
        int level = 0;
        for (int n = (int)i; n > 0; n = nodes[n].parent)
            level += nodes[nodes[n].parent].child != n;
        if (level > JKF_FORKS_MAX) return false;
    }
    return true;
}

void yo_record_write_jkf(const struct yo_shogi_record *record, struct yo_buf *out) {
    struct writer w = {.record = record};
    json_t *object = yo_json_object(), *moves = yo_json_array();
    set(&w, object, "header", headers(&w));
    set(&w, object, "initial", initial(&w));
    yo_json_append(moves, one(&w, 0, &record->start), &w.failed);
    if (record->nodes[0].child != YO_SHOGI_NO_NODE) line(&w, record->nodes[0].child, 0, moves);
    set(&w, object, "moves", moves);
    if (!w.failed) yo_json_write_in_order(out, object);
    if (!w.failed) yo_buf_char(out, '\n');
    out->failed = out->failed || w.failed;
    json_decref(object);
}
