/* KIF and KI2: one reader, since they differ only in how moves are written. */
#include <string.h>

#include "base/diag.h"
#include "game/shogi/record_reader.h"
#include "game/shogi/record_words.h"
#include "game/shogi/text.h"

struct kif {
    struct record_reader *r;
    const char *handicap; /* its SFEN, if one was named */
    bool diagram;         /* a board was drawn */
    int rows, side;
    yo_shogi_piece board[YO_SHOGI_SQUARES];
    int hands[2][YO_SHOGI_KING];
    int path[YO_SHOGI_RECORD_PLIES + 2]; /* the nodes of the line being read, by their ply */
    int path_end;                        /* the ply of the last of them */
};

static enum yo_err fail(struct kif *k, const char *what) {
    return yo_record_fail(k->r, YO_ERR_PARSE, what);
}

/* ---- The first position ---- */

static int take_short_piece(struct record_reader *r) {
    for (int kind = YO_SHOGI_PAWN; kind < YO_SHOGI_KINDS; kind++) {
        if (!yo_shogi_kif_short_pieces[kind]) continue;
        if (yo_record_take(r, yo_shogi_kif_short_pieces[kind])) return kind;
        if (yo_shogi_kif_pieces_too[kind] && yo_record_take(r, yo_shogi_kif_pieces_too[kind]))
            return kind;
    }
    return 0;
}

/* "|v香v桂 ・ ・ 玉 ...|一" */
static enum yo_err read_row(struct kif *k) {
    struct record_reader *r = k->r;
    if (k->rows == 9) return fail(k, "a board has nine ranks");
    for (int file = 8; file >= 0; file--) {
        int side = yo_record_take(r, "v") || yo_record_take(r, "V");
        if (!side && !yo_record_take(r, "^")) yo_record_take(r, " ");
        if (yo_record_take(r, "・")) continue;
        int kind = take_short_piece(r);
        if (!kind) return fail(k, "this is no piece");
        k->board[shogi_square(file, k->rows)] = shogi_piece(side, kind);
    }
    k->rows++;
    k->diagram = true;
    return YO_OK;
}

/* 一 to 十九; 1 if there is none. */
static int take_count(struct record_reader *r) {
    int count = yo_record_take(r, "十") ? 10 : 0;
    for (int i = 0; i < 9; i++)
        if (yo_record_take(r, yo_shogi_kanji_digits[i])) return count + i + 1;
    return count ? count : 1;
}

/* "飛　角二　歩十八", "なし" */
static enum yo_err read_hand(struct kif *k, int side) {
    struct record_reader *r = k->r;
    memset(k->hands[side], 0, sizeof k->hands[side]);
    for (yo_record_skip_space(r); !record_at_end(r); yo_record_skip_space(r)) {
        if (yo_record_take(r, "なし")) continue;
        int kind = take_short_piece(r);
        if (!kind || kind >= YO_SHOGI_KING) return fail(k, "this is no piece that can be in hand");
        k->hands[side][kind] += take_count(r);
        if (k->hands[side][kind] > (kind == YO_SHOGI_PAWN ? 18 : 15))
            return fail(k, "more pieces in hand than there are");
    }
    return YO_OK;
}

static enum yo_err read_handicap(struct kif *k) {
    yo_record_skip_space(k->r);
    const char *name, *sfen;
    for (size_t i = 0; (name = yo_shogi_handicap(i, &sfen)); i++) {
        if (!yo_record_take(k->r, name)) continue;
        k->handicap = sfen;
        return YO_OK;
    }
    if (yo_record_take(k->r, "その他")) return YO_OK;
    fail(k, "there is no handicap of this name");
    yo_diag_hint(k->r->diag, "name it その他 and draw the board");
    return YO_ERR_PARSE;
}

static enum yo_err settle(struct kif *k) {
    struct record_reader *r = k->r;
    struct yo_shogi_position *pos = &r->record->start;
    r->positioned = true;
    if (k->diagram) {
        if (k->rows != 9) return fail(k, "the board has fewer than nine ranks");
        yo_shogi_position_clear(pos);
        for (int square = 0; square < YO_SHOGI_SQUARES; square++)
            if (k->board[square]) yo_shogi_position_put(pos, square, k->board[square]);
        for (int side = 0; side < 2; side++)
            for (int kind = YO_SHOGI_PAWN; kind < YO_SHOGI_KING; kind++)
                yo_shogi_position_give(pos, side, kind, k->hands[side][kind]);
        struct yo_diag diag;
        if (yo_shogi_position_settle(pos, k->side, &diag)) return fail(k, diag.what);
    } else if (k->handicap) {
        yo_shogi_sfen_parse(k->handicap, pos, NULL);
    }
    r->pos = *pos;
    return YO_OK;
}

/* ---- Headers ---- */

static enum yo_err add_header(struct kif *k, const char *key, size_t key_len) {
    struct record_reader *r = k->r;
    struct yo_buf name = {0}, value = {0};
    yo_buf_add(&name, key, key_len);
    yo_buf_add(&value, r->at, (size_t)(r->line_end - r->at));
    enum yo_err err = yo_buf_status(&name) ? YO_ERR_NOMEM : yo_buf_status(&value);
    if (!err) err = yo_shogi_record_add_header(r->record, yo_buf_text(&name), yo_buf_text(&value));
    yo_buf_free(&name);
    yo_buf_free(&value);
    return err ? yo_record_fail(r, err, "out of memory") : YO_OK;
}

static enum yo_err read_header(struct kif *k, const char *colon) {
    struct record_reader *r = k->r;
    const char *key = r->at;
    size_t len = (size_t)(colon - key);
    static const struct {
        const char *key;
        int side;
    } hands[] = {{"先手の持駒", 0}, {"下手の持駒", 0}, {"後手の持駒", 1}, {"上手の持駒", 1}};
    r->at = colon + strlen("：");
    for (size_t i = 0; i < 4; i++)
        if (len == strlen(hands[i].key) && memcmp(key, hands[i].key, len) == 0)
            return read_hand(k, hands[i].side);
    if (len == strlen("手合割") && memcmp(key, "手合割", len) == 0) return read_handicap(k);
    return add_header(k, key, len);
}

/* ---- Moves ---- */

/* More minutes than anyone has; no number is larger, so that what is written can be read again. */
#define MINUTES_MAX 9999999

/* "( 0:16/00:00:16)": minutes and seconds, or hours too; the total is worked out anew. */
static void read_time(struct record_reader *r) {
    yo_record_skip_space(r);
    if (!yo_record_take(r, "(")) return;
    int64_t seconds = 0, part;
    do {
        yo_record_skip_space(r);
        part = yo_record_number(r, MINUTES_MAX);
        if (part < 0) return;
        seconds = 60 * seconds + part;
    } while (seconds <= MINUTES_MAX && yo_record_take(r, ":"));
    if (seconds > 60 * MINUTES_MAX + 59) seconds = 60 * MINUTES_MAX + 59;
    r->record->nodes[r->node].time_ms = 1000 * seconds;
}

/* The longest word wins: 反則負け and 切れ負け end alike. */
static enum yo_shogi_end find_end(const struct record_reader *r, bool anywhere) {
    size_t left = (size_t)(r->line_end - r->at), best_len = 0;
    int best = YO_SHOGI_GOES_ON;
    for (int end = 1; end < YO_SHOGI_ENDS; end++) {
        size_t len = strlen(yo_shogi_kif_ends[end]);
        const char *found = memmem(r->at, left, yo_shogi_kif_ends[end], len);
        if (!found || (!anywhere && found != r->at) || len <= best_len) continue;
        best = end;
        best_len = len;
    }
    /* Who broke the rules: the side that is not to move. */
    if (best == YO_SHOGI_END_FOUL_BY_BLACK && r->pos.side == YO_SHOGI_BLACK)
        best = YO_SHOGI_END_FOUL_BY_WHITE;
    return (enum yo_shogi_end)best;
}

static void remember(struct kif *k) {
    k->path_end = k->r->record->nodes[k->r->node].ply;
    k->path[k->path_end] = k->r->node;
}

static int previous_target(const struct kif *k) {
    yo_shogi_move move = k->r->record->nodes[k->r->node].move;
    return move ? shogi_to(move) : YO_SHOGI_NO_SQUARE;
}

static enum yo_err read_move(struct kif *k) {
    yo_shogi_move move;
    const char *start = k->r->at;
    enum yo_err err = yo_record_kif_move(k->r, previous_target(k), &move);
    if (err) return err;
    const char *end = k->r->at;
    k->r->at = start;
    err = yo_record_add_move(k->r, move);
    k->r->at = end;
    if (!err) remember(k);
    return err;
}

/* "   1 ７六歩(77)   ( 0:16/00:00:16)" */
static enum yo_err read_numbered(struct kif *k) {
    struct record_reader *r = k->r;
    yo_record_number(r, YO_SHOGI_RECORD_PLIES);
    yo_record_skip_space(r);
    enum yo_shogi_end end = find_end(r, false);
    enum yo_err err = end ? yo_record_add_end(r, end) : read_move(k);
    if (err) return err;
    if (end) {
        yo_record_take(r, yo_shogi_kif_ends[end]);
        remember(k);
    }
    read_time(r);
    return YO_OK;
}

/* "▲７六歩    △３四歩"; -1: no such sign. */
static int take_sign(struct record_reader *r) {
    static const char *const signs[2][4] = {{"▲", "☗", "▼", NULL}, {"△", "☖", "▽", NULL}};
    for (int side = 0; side < 2; side++)
        for (int i = 0; signs[side][i]; i++)
            if (yo_record_take(r, signs[side][i])) return side;
    return -1;
}

static enum yo_err read_signed(struct kif *k) {
    struct record_reader *r = k->r;
    r->record->format = YO_SHOGI_KI2;
    for (; !record_at_end(r); yo_record_skip_space(r)) {
        const char *start = r->at;
        int side = take_sign(r);
        if (side < 0) return fail(k, "a move begins with ▲ or △");
        if (side != r->pos.side) {
            r->at = start;
            return fail(k, "it is the other side's move");
        }
        enum yo_err err = read_move(k);
        if (err) return err;
    }
    return YO_OK;
}

/* "まで80手で後手の勝ち": in KI2 the only word on how a game ended, and some KIF too. */
static enum yo_err read_until(struct kif *k) {
    struct record_reader *r = k->r;
    if (r->record->nodes[r->node].end) return YO_OK;
    enum yo_shogi_end end = find_end(r, true);
    size_t left = (size_t)(r->line_end - r->at);
    if (!end && memmem(r->at, left, "時間切れ", strlen("時間切れ"))) end = YO_SHOGI_END_TIME_UP;
    if (!end && memmem(r->at, left, "勝ち", strlen("勝ち"))) end = YO_SHOGI_END_RESIGN;
    if (!end && memmem(r->at, left, "詰", strlen("詰"))) end = YO_SHOGI_END_MATE;
    enum yo_err err = end ? yo_record_add_end(r, end) : YO_OK;
    if (!err) remember(k);
    return err;
}

/* "変化：8手": what follows stands in place of that move of the line before. */
static enum yo_err read_variation(struct kif *k) {
    struct record_reader *r = k->r;
    yo_record_skip_space(r);
    int64_t ply = yo_record_number(r, YO_SHOGI_RECORD_PLIES);
    const struct yo_shogi_node *nodes = r->record->nodes;
    if (ply < 1 || ply > k->path_end) return fail(k, "there is no such move to vary from");
    r->node = k->path[ply - 1];
    if (nodes[r->node].end) return fail(k, "there can be no move after the end of a game");
    yo_shogi_record_position(r->record, r->node, &r->pos);
    return YO_OK;
}

/* ---- Lines ---- */

static enum yo_err add_text(struct kif *k, size_t *text) {
    struct record_reader *r = k->r;
    enum yo_err err =
        yo_shogi_record_add_line(r->record, text, r->at, (size_t)(r->line_end - r->at));
    return err ? yo_record_fail(r, err, "out of memory") : YO_OK;
}

static bool take_side(struct kif *k) {
    static const char *const words[] = {"先手番", "下手番", "後手番", "上手番"};
    for (int i = 0; i < 4; i++)
        if (yo_record_take(k->r, words[i])) {
            k->side = i >= 2;
            return true;
        }
    return false;
}

static bool is_move_line(struct record_reader *r) {
    const char *start = r->at;
    bool signed_move = take_sign(r) >= 0;
    bool numbered = yo_record_number(r, YO_SHOGI_RECORD_PLIES) >= 0;
    r->at = start;
    return signed_move || numbered || yo_record_take(r, "変化：") || yo_record_take(r, "まで");
}

static enum yo_err read_play(struct kif *k) {
    struct record_reader *r = k->r;
    enum yo_err err;
    if (!r->positioned && (err = settle(k))) return err;
    if (yo_record_take(r, "変化：")) return read_variation(k);
    if (yo_record_take(r, "まで")) return read_until(k);
    return *r->at >= '0' && *r->at <= '9' ? read_numbered(k) : read_signed(k);
}

static enum yo_err read_setup(struct kif *k) {
    struct record_reader *r = k->r;
    const char *colon = memmem(r->at, (size_t)(r->line_end - r->at), "：", strlen("："));
    if (r->positioned) return fail(k, "no line among the moves begins like this");
    if (yo_record_take(r, "|")) return read_row(k);
    if (*r->at == '+' || take_side(k) || yo_record_take(r, "手数") || yo_record_take(r, "９"))
        return YO_OK;
    return colon ? read_header(k, colon) : fail(k, "no line of a record begins like this");
}

static enum yo_err read_line(struct kif *k) {
    struct record_reader *r = k->r;
    struct yo_shogi_node *node = &r->record->nodes[r->node];
    yo_record_skip_space(r);
    if (record_at_end(r) || *r->at == '#') return YO_OK;
    if (yo_record_take(r, "*")) return add_text(k, &node->comment);
    if (yo_record_take(r, "&")) return add_text(k, &node->bookmark);
    const char *start = r->at;
    bool moves = is_move_line(r);
    r->at = start;
    return moves ? read_play(k) : read_setup(k);
}

enum yo_err yo_record_read_kif(struct record_reader *r) {
    struct kif k = {.r = r};
    while (yo_record_next_line(r)) {
        enum yo_err err = read_line(&k);
        if (err) return err;
    }
    r->at = r->line_end;
    if (r->positioned) return YO_OK;
    if (!k.diagram && !k.handicap && r->record->header_count == 0 && !r->record->nodes[0].comment)
        return fail(&k, "there is no game in this text");
    return settle(&k);
}
