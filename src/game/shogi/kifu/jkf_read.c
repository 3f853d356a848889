/* Reads JKF, a record as JSON: https://github.com/na2hiro/json-kifu-format. */
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "base/json.h"
#include "game/shogi/kifu/reader.h"
#include "game/shogi/kifu/words.h"
#include "game/shogi/text.h"

/* JSON is one value, so errors name the move; the line is that of the whole. */
static enum yo_err fail(struct record_reader *r, enum yo_err err, const char *what) {
    int ply = r->record->nodes[r->node].ply;
    if (err == YO_ERR_NOMEM)
        yo_diag_set(r->diag, err, "out of memory");
    else
        yo_diag_set(r->diag, err, "JKF, after move %d: %s", ply, what);
    yo_diag_where(r->diag, r->name ? r->name : "", 1, 1);
    return err;
}

static enum yo_err refuse(struct record_reader *r, const char *what) {
    return fail(r, YO_ERR_PARSE, what);
}

/* A whole number from 0 to most, or -1. */
static int64_t number(const json_t *object, const char *key, int64_t most) {
    const json_t *value = json_object_get(object, key);
    if (!json_is_integer(value)) return -1;
    int64_t n = json_integer_value(value);
    return n >= 0 && n <= most ? n : -1;
}

static int piece_of(const json_t *value) {
    const char *name = yo_json_string(value);
    for (int kind = YO_SHOGI_PAWN; name && kind < YO_SHOGI_KINDS; kind++)
        if (yo_shogi_csa_pieces[kind] && strcmp(yo_shogi_csa_pieces[kind], name) == 0) return kind;
    return 0;
}

/* The length of the first line of a text, and the start of the next; NULL if there is none. */
static const char *split(const char *text, size_t *len) {
    *len = strcspn(text, "\r\n");
    if (text[*len] == '\0') return NULL;
    return text + *len + (text[*len] == '\r' && text[*len + 1] == '\n' ? 2 : 1);
}

/* ---- Headers ---- */

static enum yo_err add_header(struct record_reader *r, const char *key, const char *value) {
    while (value) { /* a header for each line */
        size_t len;
        const char *next = split(value, &len);
        struct yo_buf part = {0};
        yo_buf_add(&part, value, len);
        enum yo_err err = yo_buf_status(&part);
        if (!err) err = yo_shogi_record_add_header(r->record, key, yo_buf_text(&part));
        yo_buf_free(&part);
        if (err) return fail(r, err, "");
        value = next;
    }
    return YO_OK;
}

static enum yo_err read_headers(struct record_reader *r, json_t *headers) {
    const char *key;
    json_t *value;
    if (headers && !json_is_object(headers)) return refuse(r, "header is no object");
    json_object_foreach(headers, key, value) {
        const char *text = yo_json_string(value);
        /* `initial` has it; some programs leave it among the headers. */
        if (yo_shogi_header_is_setup(key)) continue;
        if (!text || key[0] == '\0' || strpbrk(key, "\r\n"))
            return refuse(r, "a header is no text");
        enum yo_err err = add_header(r, key, text);
        if (err) return err;
    }
    return YO_OK;
}

/* ---- The first position ---- */

static enum yo_err read_hand(struct record_reader *r, json_t *hand, int counts[YO_SHOGI_KING]) {
    const char *key;
    json_t *value;
    if (!json_is_object(hand)) return refuse(r, "a hand is no object");
    json_object_foreach(hand, key, value) {
        for (int kind = YO_SHOGI_PAWN; kind < YO_SHOGI_KING; kind++)
            if (strcmp(yo_shogi_csa_pieces[kind], key) == 0)
                counts[kind] = (int)number(hand, key, 18);
    }
    for (int kind = YO_SHOGI_PAWN; kind < YO_SHOGI_KING; kind++)
        if (counts[kind] < 0) return refuse(r, "a hand has a number of pieces that cannot be");
    return YO_OK;
}

static enum yo_err read_position(struct record_reader *r, json_t *data) {
    struct record_setup setup = {0};
    json_t *board = json_object_get(data, "board"), *hands = json_object_get(data, "hands");
    int side = (int)number(data, "color", 1);
    if (side < 0) return refuse(r, "color, the side to move, is 0 or 1");
    if (json_array_size(board) != 9) return refuse(r, "a board has nine files");
    for (int i = 0; i < YO_SHOGI_SQUARES; i++) {
        json_t *file = json_array_get(board, (size_t)i / 9);
        if (json_array_size(file) != 9) return refuse(r, "a file has nine squares");
        json_t *square = json_array_get(file, (size_t)i % 9);
        if (!json_object_get(square, "kind")) continue;
        int kind = piece_of(json_object_get(square, "kind")), color;
        if (!kind) return refuse(r, "this is no piece");
        if ((color = (int)number(square, "color", 1)) < 0) return refuse(r, "color is 0 or 1");
        setup.board[shogi_square(i / 9, i % 9)] = shogi_piece(color, kind);
    }
    if (json_array_size(hands) != 2) return refuse(r, "there are two hands");
    for (int s = 0; s < 2; s++) {
        enum yo_err err = read_hand(r, json_array_get(hands, (size_t)s), setup.hands[s]);
        if (err) return err;
    }
    return yo_record_settle(r, &setup, side);
}

static enum yo_err read_initial(struct record_reader *r, json_t *initial) {
    const char *preset = yo_json_string(json_object_get(initial, "preset"));
    r->positioned = true;
    if (!initial || json_is_null(initial)) return YO_OK;
    if (!preset) return refuse(r, "initial has no preset");
    if (strcmp(preset, "OTHER") == 0) return read_position(r, json_object_get(initial, "data"));
    const char *sfen = yo_shogi_jkf_start(preset);
    if (!sfen) return refuse(r, "there is no preset of this name");
    yo_shogi_sfen_parse(sfen, &r->record->start, NULL);
    r->pos = r->record->start;
    return YO_OK;
}

/* ---- Moves ---- */

/* YO_SHOGI_NO_SQUARE: none. */
static int place(const json_t *value) {
    int x = (int)number(value, "x", 9), y = (int)number(value, "y", 9);
    return x < 1 || y < 1 ? YO_SHOGI_NO_SQUARE : shogi_square(x - 1, y - 1);
}

static enum yo_err read_move(struct record_reader *r, const json_t *move) {
    const json_t *origin = json_object_get(move, "from"), *target = json_object_get(move, "to");
    yo_shogi_move last = r->record->nodes[r->node].move, m;
    bool same = json_is_true(json_object_get(move, "same")) && last;
    int to = !target && same ? shogi_to(last) : place(target), from = place(origin);
    int kind = piece_of(json_object_get(move, "piece"));
    if (!kind) return refuse(r, "the next move has no piece");
    if (to == YO_SHOGI_NO_SQUARE) return refuse(r, "the next move has no target");
    if (origin && from == YO_SHOGI_NO_SQUARE) return refuse(r, "the next move comes from nowhere");
    int64_t color = number(move, "color", 1);
    if (color >= 0 && color != r->pos.side) return refuse(r, "it is the other side's move");
    if (!origin) {
        if (kind >= YO_SHOGI_KING) return refuse(r, "this piece cannot be dropped");
        m = shogi_drop(kind, to);
    } else {
        if (shogi_kind(r->pos.board[from]) != kind) return refuse(r, "no such piece stands there");
        m = from == to ? YO_SHOGI_NO_MOVE : shogi_move(from, to);
        if (json_is_true(json_object_get(move, "promote"))) m |= YO_SHOGI_PROMOTE;
    }
    enum yo_err err = yo_record_add_move(r, m);
    return err ? fail(r, err, "the next move is illegal, or comes after the end") : YO_OK;
}

static enum yo_err read_special(struct record_reader *r, const json_t *special) {
    const char *word = yo_json_string(special);
    for (int end = 1; word && end < YO_SHOGI_ENDS; end++)
        if (strcmp(yo_shogi_csa_ends[end], word) == 0) {
            enum yo_err err = yo_record_add_end(r, (enum yo_shogi_end)end);
            return err ? fail(r, err, "the game ended before") : YO_OK;
        }
    return refuse(r, "there is no such end of a game");
}

/* Above any real time; larger values are clamped, so that they can be read back. */
#define SECONDS_MAX 599999999

static void read_time(struct record_reader *r, const json_t *time) {
    const json_t *now = json_object_get(time, "now");
    int64_t h = number(now, "h", 999999), m = number(now, "m", 99999999);
    int64_t s = number(now, "s", SECONDS_MAX);
    if (m < 0 || s < 0) return;
    int64_t seconds = 3600 * (h < 0 ? 0 : h) + 60 * m + s;
    r->record->nodes[r->node].time_ms = 1000 * (seconds < SECONDS_MAX ? seconds : SECONDS_MAX);
}

static enum yo_err read_comments(struct record_reader *r, json_t *comments) {
    size_t i;
    json_t *value;
    json_array_foreach(comments, i, value) {
        const char *line = yo_json_string(value);
        if (!line) return refuse(r, "a comment is no text");
        while (line) {
            size_t len;
            const char *next = split(line, &len);
            size_t *text = &r->record->nodes[r->node].comment;
            enum yo_err err = yo_shogi_record_add_line(r->record, text, line, len);
            if (err) return fail(r, err, "");
            line = next;
        }
    }
    return YO_OK;
}

static enum yo_err read_line(struct record_reader *r, json_t *moves, int level);

static enum yo_err read_forks(struct record_reader *r, json_t *forks, int parent, int level) {
    size_t i;
    json_t *fork;
    if (!forks) return YO_OK;
    if (!json_is_array(forks)) return refuse(r, "forks is no array");
    if (level == JKF_FORKS_MAX) return refuse(r, "variations are nested too deep");
    int node = r->node;
    struct yo_shogi_position pos = r->pos;
    json_array_foreach(forks, i, fork) {
        r->node = parent;
        yo_shogi_record_position(r->record, parent, &r->pos);
        enum yo_err err = read_line(r, fork, level + 1);
        if (err) return err;
    }
    r->node = node;
    r->pos = pos;
    return YO_OK;
}

/* One element of `moves`: a move or an end, its time, comments and forks. */
static enum yo_err read_one(struct record_reader *r, json_t *one, int level) {
    int parent = r->node;
    json_t *move = json_object_get(one, "move"), *special = json_object_get(one, "special");
    enum yo_err err = YO_OK;
    if (!json_is_object(one)) return refuse(r, "a move is no object");
    if (move) err = read_move(r, move);
    if (!err && special) err = read_special(r, special);
    if (!err && r->node != parent) read_time(r, json_object_get(one, "time"));
    if (!err) err = read_comments(r, json_object_get(one, "comments"));
    return err ? err : read_forks(r, json_object_get(one, "forks"), parent, level);
}

static enum yo_err read_line(struct record_reader *r, json_t *moves, int level) {
    if (!json_is_array(moves)) return refuse(r, "moves is no array");
    for (size_t i = 0; i < json_array_size(moves); i++) {
        enum yo_err err = read_one(r, json_array_get(moves, i), level);
        if (err) return err;
    }
    return YO_OK;
}

static enum yo_err read_record(struct record_reader *r, json_t *root) {
    if (!json_is_object(root) || !json_object_get(root, "moves"))
        return refuse(r, "this JSON is no game record");
    enum yo_err err = read_headers(r, json_object_get(root, "header"));
    if (!err) err = read_initial(r, json_object_get(root, "initial"));
    return err ? err : read_line(r, json_object_get(root, "moves"), 0);
}

enum yo_err yo_record_read_jkf(struct record_reader *r) {
    json_t *root;
    enum yo_err err = yo_json_read(r->at, (size_t)(r->text_end - r->at), &root, r->diag);
    if (err && r->name && r->diag->line) /* JSON knows the place, but not the file */
        yo_diag_where(r->diag, r->name, r->diag->line, r->diag->column);
    if (err) return err;
    err = read_record(r, root);
    json_decref(root);
    return err;
}
