/* The first position of a KIF record: a handicap by its name, or a drawn board with hands. */
#include <string.h>

#include "base/diag.h"
#include "game/shogi/kifu/reader.h"
#include "game/shogi/kifu/words.h"
#include "game/shogi/text.h"

static enum yo_err fail(const struct kif_setup *k, const char *what) {
    return yo_record_fail(k->r, YO_ERR_PARSE, what);
}

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
enum yo_err yo_record_kif_row(struct kif_setup *k) {
    struct record_reader *r = k->r;
    if (k->rows == 9) return fail(k, "a board has nine ranks");
    for (int file = 8; file >= 0; file--) {
        int side = yo_record_take(r, "v") || yo_record_take(r, "V");
        if (!side && !yo_record_take(r, "^")) yo_record_take(r, " ");
        if (yo_record_take(r, "・")) continue;
        int kind = take_short_piece(r);
        if (!kind) return fail(k, "this is no piece");
        k->pieces.board[shogi_square(file, k->rows)] = shogi_piece(side, kind);
    }
    k->rows++;
    k->diagram = true;
    return YO_OK;
}

/* A count from 一 to 十九; 1 if there is none. */
static int take_count(struct record_reader *r) {
    int count = yo_record_take(r, "十") ? 10 : 0;
    for (int i = 0; i < 9; i++)
        if (yo_record_take(r, yo_shogi_kanji_digits[i])) return count + i + 1;
    return count ? count : 1;
}

/* "飛　角二　歩十八", "なし" */
enum yo_err yo_record_kif_hand(struct kif_setup *k, int side) {
    struct record_reader *r = k->r;
    memset(k->pieces.hands[side], 0, sizeof k->pieces.hands[side]);
    for (yo_record_skip_space(r); !record_at_end(r); yo_record_skip_space(r)) {
        if (yo_record_take(r, "なし")) continue;
        int kind = take_short_piece(r);
        if (!kind || kind >= YO_SHOGI_KING) return fail(k, "this is no piece that can be in hand");
        k->pieces.hands[side][kind] += take_count(r);
        if (k->pieces.hands[side][kind] > (kind == YO_SHOGI_PAWN ? 18 : 15))
            return fail(k, "more pieces in hand than there are");
    }
    return YO_OK;
}

enum yo_err yo_record_kif_handicap(struct kif_setup *k) {
    yo_record_skip_space(k->r);
    const char *name, *sfen;
    for (size_t i = 0; (name = yo_shogi_handicap(i, &sfen)); i++) {
        if (!yo_record_take(k->r, name)) continue;
        k->handicap = sfen;
        return YO_OK;
    }
    /* A board follows; 詰将棋 is the value in mating problems. */
    if (yo_record_take(k->r, "その他") || yo_record_take(k->r, "詰将棋")) return YO_OK;
    fail(k, "there is no handicap of this name");
    yo_diag_hint(k->r->diag, "name it その他 and draw the board");
    return YO_ERR_PARSE;
}

bool yo_record_kif_side(struct kif_setup *k) {
    static const char *const words[] = {"先手番", "下手番", "後手番", "上手番"};
    for (int i = 0; i < 4; i++)
        if (yo_record_take(k->r, words[i])) {
            k->side = i >= 2;
            return true;
        }
    return false;
}

void yo_record_kif_turn(struct kif_setup *k) {
    yo_record_skip_space(k->r);
    k->side = yo_record_take(k->r, "後手") || yo_record_take(k->r, "上手");
}

enum yo_err yo_record_kif_settle(struct kif_setup *k) {
    struct record_reader *r = k->r;
    if (k->diagram && k->rows != 9) return fail(k, "the board has fewer than nine ranks");
    if (k->diagram) return yo_record_settle(r, &k->pieces, k->side);
    if (k->handicap) yo_shogi_sfen_parse(k->handicap, &r->record->start, NULL);
    r->pos = r->record->start;
    r->positioned = true;
    return YO_OK;
}
