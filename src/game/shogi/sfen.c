#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "game/shogi/text.h"

const char yo_shogi_letters[] = " PLNSGBRK";

int yo_shogi_kind_of_letter(char letter) {
    if (letter >= 'a' && letter <= 'z') letter = (char)(letter - 'a' + 'A');
    const char *found = letter > ' ' ? strchr(yo_shogi_letters, letter) : NULL;
    return found ? (int)(found - yo_shogi_letters) : 0;
}

struct reader {
    const char *start, *at;
    struct yo_diag *diag;
};

static enum yo_err fail(const struct reader *r, const char *what) {
    yo_diag_set(r->diag, YO_ERR_PARSE, "%s", what);
    yo_diag_where(r->diag, "sfen", 1, (int)(r->at - r->start) + 1);
    return YO_ERR_PARSE;
}

static enum yo_err read_piece(struct reader *r, struct yo_shogi_position *pos, int square) {
    bool promoted = *r->at == '+';
    if (promoted) r->at++;
    int kind = yo_shogi_kind_of_letter(*r->at);
    if (!kind) return fail(r, "this is no piece");
    if (promoted && !shogi_can_promote(kind)) return fail(r, "this piece does not promote");
    int side = *r->at >= 'a' ? YO_SHOGI_WHITE : YO_SHOGI_BLACK;
    yo_shogi_position_put(pos, square,
                          shogi_piece(side, promoted ? kind + YO_SHOGI_PROMOTED : kind));
    r->at++;
    return YO_OK;
}

static enum yo_err read_rank(struct reader *r, struct yo_shogi_position *pos, int rank) {
    int file = 8; /* ranks are written from the left, which is file 9 */
    while (file >= 0) {
        if (*r->at >= '1' && *r->at <= '9') {
            file -= *r->at - '0';
            if (file < -1) return fail(r, "this rank has more than nine squares");
            r->at++;
        } else {
            enum yo_err err = read_piece(r, pos, shogi_square(file, rank));
            if (err) return err;
            file--;
        }
    }
    return YO_OK;
}

static enum yo_err read_board(struct reader *r, struct yo_shogi_position *pos) {
    for (int rank = 0; rank < 9; rank++) {
        enum yo_err err = read_rank(r, pos, rank);
        if (err) return err;
        if (rank == 8) break;
        if (*r->at != '/') return fail(r, "a rank of nine squares ends with '/'");
        r->at++;
    }
    return YO_OK;
}

static enum yo_err read_number(struct reader *r, int limit, int *number) {
    *number = 0;
    for (; *r->at >= '0' && *r->at <= '9'; r->at++) {
        *number = *number * 10 + (*r->at - '0');
        if (*number > limit) return fail(r, "this number is too large");
    }
    return YO_OK;
}

static enum yo_err read_hands(struct reader *r, struct yo_shogi_position *pos) {
    if (*r->at == '-') {
        r->at++;
        return YO_OK;
    }
    do {
        int count = 1;
        if (*r->at >= '0' && *r->at <= '9') {
            enum yo_err err = read_number(r, 18, &count);
            if (err) return err;
            if (count == 0) return fail(r, "a piece that is not there is not written");
        }
        int kind = yo_shogi_kind_of_letter(*r->at);
        if (!kind || kind == YO_SHOGI_KING) return fail(r, "this is no piece that can be in hand");
        int side = *r->at >= 'a' ? YO_SHOGI_WHITE : YO_SHOGI_BLACK;
        int room = kind == YO_SHOGI_PAWN ? 18 : kind >= YO_SHOGI_BISHOP ? 2 : 4;
        if (shogi_hand_count(pos->hands[side], kind) + count > room)
            return fail(r, "more pieces in hand than there are");
        yo_shogi_position_give(pos, side, kind, count);
        r->at++;
    } while (*r->at && *r->at != ' ');
    return YO_OK;
}

static enum yo_err space(struct reader *r, const char *what) {
    if (*r->at != ' ') return fail(r, what);
    while (*r->at == ' ')
        r->at++;
    return YO_OK;
}

static enum yo_err read_all(struct reader *r, struct yo_shogi_position *pos, int *side) {
    enum yo_err err = read_board(r, pos);
    if (!err) err = space(r, "the side to move, b or w, is missing");
    if (err) return err;
    if (*r->at != 'b' && *r->at != 'w') return fail(r, "the side to move is b or w");
    *side = *r->at++ == 'w';
    if ((err = space(r, "the pieces in hand are missing ('-' for none)"))) return err;
    if ((err = read_hands(r, pos))) return err;
    while (*r->at == ' ')
        r->at++;
    int number = 1;
    if (*r->at >= '0' && *r->at <= '9' && (err = read_number(r, 60000, &number))) return err;
    pos->ply = (uint16_t)(number > 0 ? number - 1 : 0);
    while (*r->at == ' ' || *r->at == '\n' || *r->at == '\r')
        r->at++;
    return *r->at ? fail(r, "nothing is expected after the move number") : YO_OK;
}

enum yo_err yo_shogi_sfen_parse(const char *text, struct yo_shogi_position *pos,
                                struct yo_diag *diag) {
    struct reader r = {.start = text, .at = text, .diag = diag};
    while (*r.at == ' ')
        r.at++;
    if (strncmp(r.at, "sfen ", 5) == 0) r.at += 5;
    struct yo_shogi_position made;
    yo_shogi_position_clear(&made);
    int side;
    enum yo_err err = read_all(&r, &made, &side);
    if (!err) err = yo_shogi_position_settle(&made, side, diag);
    if (!err) *pos = made;
    return err;
}

void yo_shogi_position_start(struct yo_shogi_position *pos) {
    yo_shogi_sfen_parse(YO_SHOGI_START, pos, NULL);
}

static char *format_piece(yo_shogi_piece piece, char *out) {
    int kind = shogi_kind(piece);
    if (kind > YO_SHOGI_KING) {
        *out++ = '+';
        kind -= YO_SHOGI_PROMOTED;
    }
    char letter = yo_shogi_letters[kind];
    *out++ = shogi_side(piece) == YO_SHOGI_WHITE ? (char)(letter - 'A' + 'a') : letter;
    return out;
}

static char *format_board(const struct yo_shogi_position *pos, char *out) {
    for (int rank = 0; rank < 9; rank++) {
        if (rank) *out++ = '/';
        int empty = 0;
        for (int file = 8; file >= 0; file--) {
            yo_shogi_piece piece = pos->board[shogi_square(file, rank)];
            if (!piece) empty++;
            if (empty && (piece || file == 0)) *out++ = (char)('0' + empty);
            if (!piece) continue;
            empty = 0;
            out = format_piece(piece, out);
        }
    }
    return out;
}

/* In the order that most programs write: rook first, pawns last, Black's before White's. */
static char *format_hands(const struct yo_shogi_position *pos, char *out) {
    const char *start = out;
    for (int side = 0; side < 2; side++)
        for (int kind = YO_SHOGI_ROOK; kind >= YO_SHOGI_PAWN; kind--) {
            int count = shogi_hand_count(pos->hands[side], kind);
            if (count == 0) continue;
            if (count > 1) out += sprintf(out, "%d", count);
            out = format_piece(shogi_piece(side, kind), out);
        }
    if (out == start) *out++ = '-';
    return out;
}

char *yo_shogi_sfen_format(const struct yo_shogi_position *pos, char out[YO_SHOGI_SFEN_MAX]) {
    char *at = format_board(pos, out);
    at += sprintf(at, " %c ", pos->side == YO_SHOGI_BLACK ? 'b' : 'w');
    at = format_hands(pos, at);
    sprintf(at, " %d", pos->ply + 1);
    return out;
}
