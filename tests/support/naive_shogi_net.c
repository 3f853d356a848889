#include "support/naive_shogi_net.h"

#include <stdlib.h>
#include <string.h>

#include "support/shogi_random.h"

#define LAYERS                                                                                     \
    "Network=AffineTransform[1<-32](ClippedReLU[32](AffineTransform[32<-32](ClippedReLU[32]("      \
    "AffineTransform[32<-512](InputSlice[512(0:512)])))))"

/* ---- Making ---- */

static void put(uint8_t **at, uint32_t value, int bytes) {
    for (int i = 0; i < bytes; i++)
        *(*at)++ = (uint8_t)(value >> 8 * i);
}

/* A number of either sign, below `size` without it. */
static uint32_t any(uint64_t *state, uint32_t size) { return shogi_random(state, 2 * size) - size; }

static void put_affine(uint8_t **at, uint64_t *state, int outputs, int inputs, bool large) {
    for (int i = 0; i < outputs; i++)
        put(at, large ? any(state, 1u << 30) : any(state, 20000), 4);
    for (int i = 0; i < outputs * inputs; i++)
        put(at, any(state, large ? 128 : 40), 1);
}

void naive_net_make(struct naive_net *net, enum yo_shogi_net_kind kind, uint64_t *state,
                    bool large) {
    static const struct {
        const char *text;
        uint32_t hash;
        size_t inputs;
    } kinds[] = {
        [YO_SHOGI_NET_KP] = {"Features=K+P[1710->256x2]," LAYERS, 0x3f5715ff, 1710},
        [YO_SHOGI_NET_HALFKP] = {"Features=HalfKP(Friend)[125388->256x2]," LAYERS, 0x5d69d7b8,
                                 125388},
        [YO_SHOGI_NET_RELATIVE] = {"Features=K+P+RelativeKP[6912->256x2]," LAYERS, 0x52f715ff,
                                   6912},
        [YO_SHOGI_NET_ZONES] = {"Features=HalfKA_zones[30996->256x2]," LAYERS, 0x6b2e15ff, 30996},
    };
    const char *text = kinds[kind].text;
    uint32_t hash = kinds[kind].hash, layers = 0x63337156;
    size_t inputs = kinds[kind].inputs;
    net->kind = kind;
    net->header = 12 + strlen(text);
    net->size = net->header + 4 + 512 + 512 * inputs + 4 + 128 + 16384 + 128 + 1024 + 4 + 32;
    net->bytes = malloc(net->size);
    uint8_t *at = net->bytes;
    put(&at, 0x7af32f16, 4);
    put(&at, hash ^ layers, 4);
    put(&at, (uint32_t)strlen(text), 4);
    memcpy(at, text, strlen(text));
    at += strlen(text);
    put(&at, hash, 4);
    for (size_t i = 0; i < 256 * (inputs + 1); i++)
        put(&at, any(state, large ? 32768 : 40), 2);
    put(&at, layers, 4);
    put_affine(&at, state, 32, 512, large);
    put_affine(&at, state, 32, 32, large);
    put_affine(&at, state, 1, 32, large);
}

/* ---- Evaluating ---- */

static int64_t get(const uint8_t *at, int bytes) {
    int64_t value = 0;
    for (int i = bytes - 1; i >= 0; i--)
        value = value << 8 | at[i];
    int64_t half = (int64_t)1 << (8 * bytes - 1);
    return value >= half ? value - 2 * half : value;
}

/* Kinds in the order of the inputs; each has 81 of the own side, then 81 of the other. seen: the
 * square as the viewer sees it. */
static int input_of_board(int viewer, yo_shogi_piece piece, int seen) {
    static const int kinds[] = {YO_SHOGI_PAWN,   YO_SHOGI_LANCE,  YO_SHOGI_KNIGHT, YO_SHOGI_SILVER,
                                YO_SHOGI_GOLD,   YO_SHOGI_BISHOP, YO_SHOGI_HORSE,  YO_SHOGI_ROOK,
                                YO_SHOGI_DRAGON, YO_SHOGI_KING};
    int kind = shogi_kind(piece), at = 0;
    if (kind > YO_SHOGI_KING && kind < YO_SHOGI_HORSE) kind = YO_SHOGI_GOLD;
    while (kinds[at] != kind)
        at++;
    int own = shogi_side(piece) == viewer;
    return 90 + 162 * at + (own ? 0 : 81) + seen;
}

static int input_of_hand(int viewer, int side, int kind, int nth) {
    static const int most[] = {0, 18, 4, 4, 4, 4, 2, 2};
    int at = 1;
    for (int k = 1; k < kind; k++)
        at += 2 * (most[k] + 1);
    return at + (side == viewer ? 0 : most[kind] + 1) + nth;
}

static void add_row(const struct naive_net *net, size_t input, int16_t sums[256]) {
    const uint8_t *row = net->bytes + net->header + 4 + 512 + 512 * input;
    for (int i = 0; i < 256; i++)
        sums[i] = (int16_t)(uint16_t)(sums[i] + get(row + 2 * i, 2));
}

/* 17 x 17 inputs for each of the 18 kinds on the board: eight files or ranks either way. */
static size_t relative_input(int input, int king) {
    int kind = (input - 90) / 81, square = (input - 90) % 81;
    int file = square / 9, rank = square % 9, king_file = king / 9, king_rank = king % 9;
    return (size_t)(1710 + (kind * 17 + (file + 8 - king_file)) * 17 + (rank + 8 - king_rank));
}

/* file: 0 to 4, as the owner of the king sees it, or mirrored; rank 8 is the nearest. */
static int zone_of(int file, int rank) {
    if (rank >= 6) return (8 - rank) * 5 + file;
    bool edge = file < 3;
    if (rank == 5) return edge ? 15 : 16;
    return edge ? 17 : 18;
}

static void add_zone_rows(const struct naive_net *net, const struct yo_shogi_position *pos,
                          int viewer, int16_t sums[256]) {
    yo_shogi_piece board[81]; /* as the viewer sees it */
    int king = 0;
    for (int square = 0; square < 81; square++)
        board[viewer ? 80 - square : square] = pos->board[square];
    for (int square = 0; square < 81; square++)
        if (shogi_kind(board[square]) == YO_SHOGI_KING && shogi_side(board[square]) == viewer)
            king = square;
    bool mirror = king / 9 > 4;
    int file = mirror ? 8 - king / 9 : king / 9, rank = king % 9;
    size_t first = (size_t)zone_of(file, rank) * 1629;
    add_row(net, (size_t)(19 * 1629 + 9 * file + rank), sums);
    for (int square = 0; square < 81; square++) {
        if (!board[square] || square == king) continue;
        int seen = mirror ? (8 - square / 9) * 9 + square % 9 : square;
        if (shogi_kind(board[square]) == YO_SHOGI_KING)
            add_row(net, first + 1548 + (size_t)seen, sums);
        else
            add_row(net, first + (size_t)input_of_board(viewer, board[square], seen), sums);
    }
    for (int side = 0; side < 2; side++)
        for (int kind = YO_SHOGI_PAWN; kind < YO_SHOGI_KING; kind++)
            for (int n = 0; n < shogi_hand_count(pos->hands[side], kind); n++)
                add_row(net, first + (size_t)input_of_hand(viewer, side, kind, n), sums);
}

static void side_sums(const struct naive_net *net, const struct yo_shogi_position *pos, int viewer,
                      int16_t sums[256]) {
    bool halfkp = net->kind == YO_SHOGI_NET_HALFKP;
    int king = viewer ? 80 - pos->king[1] : pos->king[0];
    size_t offset = halfkp ? (size_t)(1548 * king) : 0;
    for (int i = 0; i < 256; i++)
        sums[i] = (int16_t)get(net->bytes + net->header + 4 + 2 * i, 2);
    if (net->kind == YO_SHOGI_NET_ZONES) {
        add_zone_rows(net, pos, viewer, sums);
        return;
    }
    for (int square = 0; square < 81; square++) {
        yo_shogi_piece piece = pos->board[square];
        bool is_king = shogi_kind(piece) == YO_SHOGI_KING;
        if (!piece || (halfkp && is_king)) continue;
        int input = input_of_board(viewer, piece, viewer ? 80 - square : square);
        add_row(net, offset + (size_t)input, sums);
        if (net->kind == YO_SHOGI_NET_RELATIVE && !is_king)
            add_row(net, relative_input(input, king), sums);
    }
    for (int side = 0; side < 2; side++)
        for (int kind = YO_SHOGI_PAWN; kind < YO_SHOGI_KING; kind++)
            for (int n = 0; n < shogi_hand_count(pos->hands[side], kind); n++)
                add_row(net, offset + (size_t)input_of_hand(viewer, side, kind, n), sums);
}

static int64_t clip(int64_t value) { return value < 0 ? 0 : value > 127 ? 127 : value; }

/* Outputs before they are clipped, as 32 bits hold them; returns what comes after the layer. */
static const uint8_t *affine(const uint8_t *at, const int64_t *inputs, int input_count,
                             int32_t *outputs, int output_count) {
    const uint8_t *weights = at + 4 * output_count;
    for (int i = 0; i < output_count; i++) {
        int64_t sum = get(at + 4 * i, 4);
        for (int j = 0; j < input_count; j++)
            sum += inputs[j] * get(weights + i * input_count + j, 1);
        outputs[i] = (int32_t)(uint32_t)(uint64_t)sum;
    }
    return weights + output_count * input_count;
}

int32_t naive_net_output(const struct naive_net *net, const struct yo_shogi_position *pos) {
    int16_t sums[2][256];
    int64_t inputs[512];
    int32_t outputs[32];
    for (int i = 0; i < 2; i++)
        side_sums(net, pos, pos->side ^ i, sums[i]);
    for (int i = 0; i < 512; i++)
        inputs[i] = clip(sums[i / 256][i % 256]);
    const uint8_t *at = net->bytes + net->size - (128 + 16384 + 128 + 1024 + 4 + 32);
    at = affine(at, inputs, 512, outputs, 32);
    for (int i = 0; i < 32; i++)
        inputs[i] = clip(outputs[i] >> 6);
    at = affine(at, inputs, 32, outputs, 32);
    for (int i = 0; i < 32; i++)
        inputs[i] = clip(outputs[i] >> 6);
    affine(at, inputs, 32, outputs, 1);
    return outputs[0];
}
