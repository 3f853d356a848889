/* CSA, versions 1 to 3. */
#include <string.h>

#include "base/buf.h"
#include "base/diag.h"
#include "game/shogi/kifu/reader.h"
#include "game/shogi/kifu/words.h"
#include "game/shogi/text.h"

struct csa {
    struct record_reader *r;
    struct record_setup setup;
    bool given;     /* some line set pieces */
    bool version_3; /* "V3.0": a $NOTE is one line, with escapes */
    bool in_note;   /* the line before is part of a $NOTE */
};

static enum yo_err fail(struct csa *c, const char *what) {
    return yo_record_fail(c->r, YO_ERR_PARSE, what);
}

/* Reads a piece of two letters; 0 if there is none. */
static int take_piece(struct csa *c) {
    for (int kind = YO_SHOGI_PAWN; kind < YO_SHOGI_KINDS; kind++)
        if (yo_shogi_csa_pieces[kind] && yo_record_take(c->r, yo_shogi_csa_pieces[kind]))
            return kind;
    return 0;
}

/* Two digits: a square, YO_SHOGI_NO_SQUARE for the hand ("00"), or -1. */
static int take_square(struct csa *c) {
    struct record_reader *r = c->r;
    if (yo_record_take(r, "00")) return YO_SHOGI_NO_SQUARE;
    if (r->line_end - r->at < 2 || r->at[0] < '1' || r->at[0] > '9' || r->at[1] < '1' ||
        r->at[1] > '9')
        return -1;
    int square = shogi_square(r->at[0] - '1', r->at[1] - '1');
    r->at += 2;
    return square;
}

/* ---- The first position ---- */

static void set_even_game(struct csa *c) {
    struct yo_shogi_position start;
    yo_shogi_position_start(&start);
    memcpy(c->setup.board, start.board, sizeof c->setup.board);
    c->given = true;
}

/* "PI82HI22KA": the even position without these pieces. */
static enum yo_err read_even(struct csa *c) {
    set_even_game(c);
    while (!record_at_end(c->r)) {
        const char *before = c->r->at;
        int square = take_square(c), kind = take_piece(c);
        if (square < 0 || square == YO_SHOGI_NO_SQUARE || !kind ||
            shogi_kind(c->setup.board[square]) != kind) {
            c->r->at = before;
            return fail(c, "no such piece stands there to be left out");
        }
        c->setup.board[square] = 0;
    }
    return YO_OK;
}

/* "P1-KY-KE ... ", three characters a square, from file 9. */
static enum yo_err read_rank(struct csa *c, int rank) {
    struct record_reader *r = c->r;
    c->given = true;
    for (int file = 8; file >= 0 && !record_at_end(r); file--) {
        yo_shogi_piece *square = &c->setup.board[shogi_square(file, rank)];
        *square = 0;
        if (yo_record_take(r, " *")) {
            yo_record_take(r, " ");
            continue;
        }
        int side = *r->at == '-';
        if (*r->at != '+' && *r->at != '-') return fail(c, "a square is ' * ', '+FU', '-FU', ...");
        r->at++;
        int kind = take_piece(c);
        if (!kind) return fail(c, "this is no piece");
        *square = shogi_piece(side, kind);
    }
    return record_at_end(r) ? YO_OK : fail(c, "a rank has nine squares");
}

static void give_rest(struct csa *c, int side) {
    int left[YO_SHOGI_KING] = {0, 18, 4, 4, 4, 4, 2, 2};
    for (int square = 0; square < YO_SHOGI_SQUARES; square++) {
        int kind = shogi_kind(c->setup.board[square]);
        if (kind && kind != YO_SHOGI_KING) left[shogi_unpromoted(kind)]--;
    }
    for (int kind = YO_SHOGI_PAWN; kind < YO_SHOGI_KING; kind++) {
        left[kind] -= c->setup.hands[0][kind] + c->setup.hands[1][kind];
        if (left[kind] > 0) c->setup.hands[side][kind] += left[kind];
    }
}

/* "P+63FU00KI00AL". */
static enum yo_err read_pieces(struct csa *c, int side) {
    c->given = true;
    while (!record_at_end(c->r)) {
        int square = take_square(c);
        if (square < 0) return fail(c, "this is no square");
        if (square == YO_SHOGI_NO_SQUARE && yo_record_take(c->r, "AL")) {
            give_rest(c, side);
            continue;
        }
        int kind = take_piece(c);
        if (!kind) return fail(c, "this is no piece");
        if (square != YO_SHOGI_NO_SQUARE) {
            c->setup.board[square] = shogi_piece(side, kind);
        } else {
            if (kind >= YO_SHOGI_KING) return fail(c, "this piece cannot be in hand");
            if (++c->setup.hands[side][kind] > 18)
                return fail(c, "more pieces in hand than there are");
        }
    }
    return YO_OK;
}

static enum yo_err read_position_line(struct csa *c) {
    struct record_reader *r = c->r;
    if (r->positioned)
        return fail(c, "the position cannot change after the side to move was named");
    if (yo_record_take(r, "PI")) return read_even(c);
    if (yo_record_take(r, "P+")) return read_pieces(c, YO_SHOGI_BLACK);
    if (yo_record_take(r, "P-")) return read_pieces(c, YO_SHOGI_WHITE);
    r->at++;
    int64_t rank = record_at_end(r) || *r->at < '1' || *r->at > '9' ? -1 : *r->at++ - '1';
    return rank < 0 ? fail(c, "after P comes I, +, - or a rank") : read_rank(c, (int)rank);
}

static enum yo_err settle(struct csa *c, int side) {
    if (!c->given) set_even_game(c);
    return yo_record_settle(c->r, &c->setup, side);
}

/* ---- Moves ---- */

static enum yo_err read_move(struct csa *c, int side) {
    struct record_reader *r = c->r;
    enum yo_err err;
    if (!r->positioned && (err = settle(c, side))) return err;
    const char *start = r->at;
    int from = take_square(c), to = take_square(c);
    int kind = from < 0 || to < 0 || to == YO_SHOGI_NO_SQUARE ? 0 : take_piece(c);
    if (!kind) return fail(c, "a move is written like +7776FU or -0055KA");
    const char *end = r->at;
    r->at = start - 1; /* errors point to the move */
    if (side != r->pos.side) return fail(c, "it is the other side's move");
    yo_shogi_move move;
    if (from == YO_SHOGI_NO_SQUARE) {
        if (kind >= YO_SHOGI_KING) return fail(c, "this piece cannot be dropped");
        move = shogi_drop(kind, to);
    } else {
        int was = shogi_kind(r->pos.board[from]);
        if (was != kind && (!shogi_can_promote(was) || was + YO_SHOGI_PROMOTED != kind))
            return fail(c, "no such piece stands there");
        move = from == to ? YO_SHOGI_NO_MOVE : shogi_move(from, to);
        if (was != kind) move |= YO_SHOGI_PROMOTE;
    }
    if ((err = yo_record_add_move(r, move))) return err;
    r->at = end;
    return YO_OK;
}

/* "T12", "T12.345". */
static enum yo_err read_time(struct csa *c) {
    struct record_reader *r = c->r;
    int64_t seconds = yo_record_number(r, 10000000);
    if (seconds < 0) return fail(c, "a time is written like T12");
    int64_t ms = 0;
    if (yo_record_take(r, "."))
        for (int64_t unit = 100; !record_at_end(r) && *r->at >= '0' && *r->at <= '9'; r->at++) {
            ms += unit * (*r->at - '0');
            unit /= 10;
        }
    if (r->node > 0) r->record->nodes[r->node].time_ms = 1000 * seconds + ms;
    return YO_OK;
}

static enum yo_err read_end(struct csa *c) {
    struct record_reader *r = c->r;
    enum yo_err err;
    if (!r->positioned && (err = settle(c, YO_SHOGI_BLACK))) return err;
    for (int end = 1; end < YO_SHOGI_ENDS; end++) {
        size_t len = strlen(yo_shogi_csa_ends[end]);
        bool whole = (size_t)(r->line_end - r->at) == len ||
                     ((size_t)(r->line_end - r->at) > len && r->at[len] == ',');
        if (whole && yo_record_take(r, yo_shogi_csa_ends[end]))
            return yo_record_add_end(r, (enum yo_shogi_end)end);
    }
    return fail(c, "there is no such end of a game");
}

static enum yo_err add_comment(struct csa *c) {
    struct record_reader *r = c->r;
    yo_record_take(r, "*");
    enum yo_err err = yo_shogi_record_add_line(r->record, &r->record->nodes[r->node].comment, r->at,
                                               (size_t)(r->line_stop - r->at));
    r->at = r->line_end;
    return err ? yo_record_fail(r, err, "out of memory") : YO_OK;
}

static enum yo_err read_statement(struct csa *c) {
    struct record_reader *r = c->r;
    switch (*r->at++) {
    case '+':
    case '-': {
        int side = r->at[-1] == '-';
        if (!record_at_end(r) && *r->at != ',') return read_move(c, side);
        if (r->positioned) return fail(c, "the side to move was named before");
        return settle(c, side);
    }
    case 'T':
        return read_time(c);
    case '%':
        return read_end(c);
    case '\'':
        return add_comment(c);
    default: /* extensions of other programs after a comma */
        while (!record_at_end(r) && *r->at != ',')
            r->at++;
        return YO_OK;
    }
}

static enum yo_err read_statements(struct csa *c) {
    for (;;) {
        enum yo_err err = read_statement(c);
        if (err) return err;
        if (record_at_end(c->r)) return YO_OK;
        if (!yo_record_take(c->r, ",")) return fail(c, "nothing is expected here");
        if (record_at_end(c->r)) return YO_OK;
    }
}

/* ---- Headers ---- */

static enum yo_err add_header(struct csa *c, const char *key, const char *value) {
    struct yo_buf text = {0};
    yo_buf_add(&text, value, (size_t)(c->r->line_end - value));
    enum yo_err err = yo_buf_status(&text);
    if (!err) err = yo_shogi_record_add_header(c->r->record, key, yo_buf_text(&text));
    yo_buf_free(&text);
    return err ? yo_record_fail(c->r, err, "out of memory") : YO_OK;
}

static const char note[] = "$NOTE";

/* A line of a note. In version 3 "\\n" is a line break and "\\\\" a backslash. */
static enum yo_err add_note(struct csa *c, const char *at) {
    const char *name = yo_shogi_header_from_csa(note), *end = c->r->line_end;
    enum yo_err err = YO_OK;
    struct yo_buf text = {0};
    for (; at < end && !err; at++) {
        bool escape = c->version_3 && *at == '\\' && at + 1 < end;
        if (escape && at[1] == 'n') {
            err = yo_shogi_record_add_header(c->r->record, name, yo_buf_text(&text));
            yo_buf_clear(&text);
        } else {
            yo_buf_char(&text, *at);
        }
        if (escape && (at[1] == 'n' || at[1] == '\\')) at++;
    }
    if (!err) err = yo_buf_status(&text);
    if (!err) err = yo_shogi_record_add_header(c->r->record, name, yo_buf_text(&text));
    yo_buf_free(&text);
    c->in_note = true;
    return err ? yo_record_fail(c->r, err, "out of memory") : YO_OK;
}

/* "$EVENT:..."; of keys that are not in the table of words.c, those of KIF lose the "$" that CSA
 * asks for. */
static enum yo_err read_header(struct csa *c) {
    struct record_reader *r = c->r;
    const char *colon = memchr(r->at, ':', (size_t)(r->line_end - r->at));
    if (!colon) return fail(c, "a header is written like $EVENT:...");
    if ((size_t)(colon - r->at) == strlen(note) && memcmp(r->at, note, strlen(note)) == 0)
        return add_note(c, colon + 1);
    struct yo_buf key = {0};
    yo_buf_add(&key, r->at, (size_t)(colon - r->at));
    if (yo_buf_status(&key)) return yo_record_fail(r, YO_ERR_NOMEM, "out of memory");
    const char *own = yo_buf_text(&key), *name = yo_shogi_header_from_csa(own);
    if (!name) name = own[1] & 0x80 ? own + 1 : own;
    /* The P lines say what the first position is; as a line of KIF this would say it once more. */
    if (yo_shogi_header_is_setup(name)) {
        yo_buf_free(&key);
        return YO_OK;
    }
    enum yo_err err = add_header(c, name, colon + 1);
    yo_buf_free(&key);
    return err;
}

static enum yo_err read_line(struct csa *c) {
    struct record_reader *r = c->r;
    bool in_note = c->in_note;
    c->in_note = false;
    switch (*r->at) {
    case 'V':
        c->version_3 = r->line_end - r->at > 1 && r->at[1] >= '3';
        return YO_OK;
    case 'N':
        if (r->line_end - r->at < 2 || (r->at[1] != '+' && r->at[1] != '-'))
            return fail(c, "a name is written like N+... or N-...");
        return add_header(c, r->at[1] == '+' ? "先手" : "後手", r->at + 2);
    case '$':
        return read_header(c);
    case 'P':
        return read_position_line(c);
    case '+':
    case '-':
    case 'T':
    case '%':
        return read_statements(c);
    case '\'':
        if (r->line == 1 && yo_record_take(r, "'CSA encoding=")) return YO_OK;
        r->at++;
        return add_comment(c);
    default: /* some programs write the lines of a note as they are */
        return in_note ? add_note(c, r->at) : fail(c, "no line of a CSA record begins like this");
    }
}

enum yo_err yo_record_read_csa(struct record_reader *r) {
    struct csa c = {.r = r};
    while (yo_record_next_line(r)) {
        if (record_at_end(r)) continue;
        if (*r->at == '/') break;
        enum yo_err err = read_line(&c);
        if (err) return err;
    }
    while (!r->record->more && yo_record_next_line(r)) /* a comment is no game */
        r->record->more = !record_at_end(r) && !strchr("'/", *r->at);
    r->at = r->line_end;
    return r->positioned ? YO_OK : settle(&c, YO_SHOGI_BLACK);
}
