#include "game/shogi/packed.h"

#include <stdio.h>
#include <string.h>

#include "base/diag.h"

/* A piece is a code, a promotion bit (not for gold generals) and a bit for White. In hand the code
 * omits its lowest bit, which marks an occupied square. Lowest bits first. */
static const struct {
    uint8_t code, bits;
} codes[YO_SHOGI_KING] = {
    [YO_SHOGI_NO_KIND] = {0x00, 1}, [YO_SHOGI_PAWN] = {0x01, 2},   [YO_SHOGI_LANCE] = {0x03, 4},
    [YO_SHOGI_KNIGHT] = {0x0b, 4},  [YO_SHOGI_SILVER] = {0x07, 4}, [YO_SHOGI_GOLD] = {0x0f, 5},
    [YO_SHOGI_BISHOP] = {0x1f, 6},  [YO_SHOGI_ROOK] = {0x3f, 6},
};

/* Kinds in the order of the format's own numbers, which put gold generals last. */
static const uint8_t order[] = {YO_SHOGI_PAWN,   YO_SHOGI_LANCE, YO_SHOGI_KNIGHT, YO_SHOGI_SILVER,
                                YO_SHOGI_BISHOP, YO_SHOGI_ROOK,  YO_SHOGI_GOLD};
enum { KINDS = 7, BITS = 8 * YO_SHOGI_PACKED };

struct stream {
    uint8_t *bytes;
    int at;
    bool over; /* read or wrote past the end */
};

/* ---- Writing ---- */

static void put_bits(struct stream *s, unsigned value, int count) {
    for (int i = 0; i < count; i++, s->at++) {
        if (s->at >= BITS) {
            s->over = true;
            return;
        }
        s->bytes[s->at / 8] |= (uint8_t)((value >> i & 1) << s->at % 8);
    }
}

static void put_piece(struct stream *s, int kind, int side, bool in_hand) {
    int plain = kind > YO_SHOGI_KING ? shogi_unpromoted(kind) : kind;
    put_bits(s, codes[plain].code >> in_hand, codes[plain].bits - in_hand);
    if (kind == YO_SHOGI_NO_KIND) return;
    if (plain != YO_SHOGI_GOLD) put_bits(s, kind > YO_SHOGI_KING, 1);
    put_bits(s, (unsigned)side, 1);
}

enum yo_err yo_shogi_pack(const struct yo_shogi_position *pos, uint8_t out[YO_SHOGI_PACKED]) {
    struct stream s = {.bytes = out};
    if (pos->king[0] == YO_SHOGI_NO_SQUARE || pos->king[1] == YO_SHOGI_NO_SQUARE)
        return YO_ERR_UNSUPPORTED;
    memset(out, 0, YO_SHOGI_PACKED);
    put_bits(&s, pos->side, 1);
    put_bits(&s, pos->king[YO_SHOGI_BLACK], 7);
    put_bits(&s, pos->king[YO_SHOGI_WHITE], 7);
    for (int square = 0; square < YO_SHOGI_SQUARES; square++) {
        int kind = shogi_kind(pos->board[square]);
        if (kind != YO_SHOGI_KING) put_piece(&s, kind, shogi_side(pos->board[square]), false);
    }
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < KINDS; i++)
            for (int n = shogi_hand_count(pos->hands[side], order[i]); n > 0; n--)
                put_piece(&s, order[i], side, true);
    return s.at == BITS && !s.over ? YO_OK : YO_ERR_UNSUPPORTED;
}

/* ---- Reading ---- */

/* The next bits, at least 24; behind the end they are 0. */
static uint32_t peek(const struct stream *s) {
    const uint8_t *b = s->bytes + s->at / 8;
    uint32_t word = b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    return word >> s->at % 8;
}

static bool skip(struct stream *s, int count) {
    s->over = s->over || s->at + count > BITS;
    if (!s->over) s->at += count;
    return !s->over;
}

static unsigned get_bits(struct stream *s, int count) {
    unsigned value = peek(s) & ((1u << count) - 1);
    return skip(s, count) ? value : 0;
}

/* A prefix code: exactly one kind matches. */
static int get_kind(struct stream *s, bool in_hand) {
    uint32_t window = peek(s) << in_hand | in_hand; /* the omitted bit is always 1 */
    int kind = in_hand;
    while ((window & ((1u << codes[kind].bits) - 1)) != codes[kind].code)
        kind++;
    return skip(s, codes[kind].bits - in_hand) ? kind : -1;
}

/* The piece, 0 for an empty square, or -1 for invalid bits. */
static int get_piece(struct stream *s, bool in_hand) {
    int kind = get_kind(s, in_hand);
    if (kind <= 0) return kind;
    if (kind != YO_SHOGI_GOLD && get_bits(s, 1)) kind += YO_SHOGI_PROMOTED;
    int piece = shogi_piece((int)get_bits(s, 1), kind);
    return s->over || (in_hand && kind > YO_SHOGI_KING) ? -1 : piece;
}

static bool read_pieces(struct stream *s, struct yo_shogi_position *pos) {
    for (int square = 0; square < YO_SHOGI_SQUARES; square++) {
        if (pos->board[square]) continue; /* a king */
        int piece = get_piece(s, false);
        if (piece < 0) return false;
        if (piece > 0) yo_shogi_position_put(pos, square, (yo_shogi_piece)piece);
    }
    while (s->at < BITS) {
        int piece = get_piece(s, true);
        if (piece < 0) return false;
        int side = shogi_side((yo_shogi_piece)piece), kind = shogi_kind((yo_shogi_piece)piece);
        /* A larger count would overflow into the next kind. */
        if (shogi_hand_count(pos->hands[side], kind) >= (kind == YO_SHOGI_PAWN ? 18 : 4))
            return false;
        yo_shogi_position_give(pos, side, kind, 1);
    }
    return true;
}

enum yo_err yo_shogi_unpack(const uint8_t bytes[YO_SHOGI_PACKED], struct yo_shogi_position *pos,
                            struct yo_diag *diag) {
    uint8_t copy[YO_SHOGI_PACKED + sizeof(uint32_t)] = {0};
    struct stream s = {.bytes = copy};
    struct yo_shogi_position read;
    memcpy(copy, bytes, YO_SHOGI_PACKED);
    yo_shogi_position_clear(&read);
    int side = (int)get_bits(&s, 1);
    int black = (int)get_bits(&s, 7), white = (int)get_bits(&s, 7);
    if (black >= YO_SHOGI_SQUARES || white >= YO_SHOGI_SQUARES || black == white)
        return yo_diag_set(diag, YO_ERR_PARSE, "a packed position without two kings");
    yo_shogi_position_put(&read, black, shogi_piece(YO_SHOGI_BLACK, YO_SHOGI_KING));
    yo_shogi_position_put(&read, white, shogi_piece(YO_SHOGI_WHITE, YO_SHOGI_KING));
    if (!read_pieces(&s, &read))
        return yo_diag_set(diag, YO_ERR_PARSE, "a packed position that is not made of pieces");
    if (yo_shogi_position_settle(&read, side, diag)) {
        /* The bytes are wrong, not what the caller asked for. */
        if (diag) diag->err = YO_ERR_PARSE;
        return YO_ERR_PARSE;
    }
    *pos = read;
    return YO_OK;
}

/* ---- Samples ---- */

static void put16(uint8_t *out, unsigned value) {
    out[0] = (uint8_t)value;
    out[1] = (uint8_t)(value >> 8);
}

static unsigned get16(const uint8_t *bytes) { return bytes[0] | (unsigned)bytes[1] << 8; }

/* The format's moves: drops have bit 14 and the kind for their origin, promotions bit 15. */
static unsigned move_to_format(yo_shogi_move move) {
    unsigned to = (unsigned)shogi_to(move), from = (unsigned)shogi_from(move);
    if (!shogi_is_drop(move)) return to | from << 7 | (shogi_promotes(move) ? 1u << 15 : 0);
    unsigned number = 1;
    while (order[number - 1] != shogi_dropped(move))
        number++;
    return to | number << 7 | 1u << 14;
}

static enum yo_err move_from_format(unsigned bits, yo_shogi_move *move, struct yo_diag *diag) {
    unsigned to = bits & 127, from = bits >> 7 & 127;
    bool drop = bits >> 14 & 1, promotes = bits >> 15 & 1;
    *move = YO_SHOGI_NO_MOVE;
    if (bits == 0) return YO_OK;
    if (to >= YO_SHOGI_SQUARES || (drop && (from < 1 || from > KINDS || promotes)) ||
        (!drop && (from >= YO_SHOGI_SQUARES || from == to)))
        return yo_diag_set(diag, YO_ERR_PARSE, "a training position with the move %#x", bits);
    *move = drop ? shogi_drop(order[from - 1], (int)to) : shogi_move((int)from, (int)to);
    if (promotes) *move |= YO_SHOGI_PROMOTE;
    return YO_OK;
}

void yo_shogi_sample_write(const struct yo_shogi_sample *sample, uint8_t out[YO_SHOGI_SAMPLE]) {
    memcpy(out, sample->position, YO_SHOGI_PACKED);
    put16(out + 32, (uint16_t)sample->score);
    put16(out + 34, move_to_format(sample->move));
    put16(out + 36, sample->ply);
    out[38] = (uint8_t)sample->result;
    out[39] = sample->flags;
}

enum yo_err yo_shogi_sample_read(const uint8_t bytes[YO_SHOGI_SAMPLE],
                                 struct yo_shogi_sample *sample, struct yo_diag *diag) {
    memcpy(sample->position, bytes, YO_SHOGI_PACKED);
    sample->score = (int16_t)get16(bytes + 32);
    sample->ply = (uint16_t)get16(bytes + 36);
    sample->result = (int8_t)bytes[38];
    sample->flags = bytes[39];
    if (sample->result < -1 || sample->result > 1)
        return yo_diag_set(diag, YO_ERR_PARSE, "a training position with the result %d",
                           sample->result);
    return move_from_format(get16(bytes + 34), &sample->move, diag);
}

void yo_shogi_sample_where(struct yo_diag *diag, const char *file, size_t i) {
    char place[256];
    size_t len = strlen(file), most = sizeof place / 2; /* more than a diag has room for */
    snprintf(place, sizeof place, "%s: position %zu", len > most ? file + len - most : file, i + 1);
    yo_diag_where(diag, place, 0, 0);
}

bool yo_shogi_sample_is_quiet(const struct yo_shogi_position *pos, yo_shogi_move best) {
    return !shogi_in_check(pos) && !pos->board[shogi_to(best)] && !shogi_promotes(best);
}
