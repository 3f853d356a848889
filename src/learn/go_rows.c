#include "learn/go_rows.h"

#include <assert.h>
#include <string.h>

static_assert(sizeof(struct yo_go_row) == 512 && sizeof(struct yo_go_rows_header) == 512,
              "train/go/data.py knows the size");

/* ---- planes ---- */

uint16_t yo_go_row_point(int size, yo_go_point move) {
    if (move == YO_GO_PASS) return YO_GO_ROW_PASS;
    if (move == YO_GO_NONE) return YO_GO_ROW_NO_MOVE;
    return (uint16_t)(move / size * YO_GO_ROW_GRID + move % size);
}

void yo_go_row_plane(int size, const uint64_t *words, uint8_t out[YO_GO_ROW_BYTES]) {
    for (int w = 0; w < YO_GO_WORDS_MAX; w++)
        for (uint64_t left = words[w]; left; left &= left - 1) {
            unsigned at = yo_go_row_point(size, (yo_go_point)(64 * w + __builtin_ctzll(left)));
            out[at / 8] = (uint8_t)(out[at / 8] | 1u << at % 8);
        }
}

static void join(const uint64_t *a, const uint64_t *b, uint64_t *out) {
    for (int w = 0; w < YO_GO_WORDS_MAX; w++)
        out[w] = a[w] | b[w];
}

static void put_planes(const struct yo_go_net_input *in, struct yo_go_row *row) {
    uint64_t code[YO_GO_WORDS_MAX];
    const uint64_t(*libs)[YO_GO_WORDS_MAX] = &in->plane[YO_GO_PLANE_LIBERTIES_1];
    yo_go_row_plane(in->size, in->plane[YO_GO_PLANE_OWN], row->plane[YO_GO_ROW_OWN]);
    yo_go_row_plane(in->size, in->plane[YO_GO_PLANE_OPPONENT], row->plane[YO_GO_ROW_OPPONENT]);
    join(libs[0], libs[2], code);
    yo_go_row_plane(in->size, code, row->plane[YO_GO_ROW_LIBERTIES_LOW]);
    join(libs[1], libs[2], code);
    yo_go_row_plane(in->size, code, row->plane[YO_GO_ROW_LIBERTIES_HIGH]);
    yo_go_row_plane(in->size, in->plane[YO_GO_PLANE_KO], row->plane[YO_GO_ROW_KO]);
    yo_go_row_plane(in->size, in->plane[YO_GO_PLANE_LADDER], row->plane[YO_GO_ROW_LADDER]);
    yo_go_row_plane(in->size, in->plane[YO_GO_PLANE_LADDER_MOVES],
                    row->plane[YO_GO_ROW_LADDER + 3]);
}

void yo_go_row_inputs(const struct yo_go_position *pos, const struct yo_go_net_input *in,
                      struct yo_go_row *row) {
    yo_go_point last[YO_GO_TURNS] = {pos->last, pos->before, pos->earlier[0], pos->earlier[1],
                                     pos->earlier[2]};
    put_planes(in, row);
    for (int t = 0; t < YO_GO_TURNS; t++)
        row->last[t] = yo_go_row_point(in->size, last[t]);
    memcpy(row->global, in->global, sizeof row->global);
    row->size = in->size;
}

/* Copies the ladders of one and two moves ago from the earlier rows; at the start, from the first
 * row. */
static void put_past_ladders(struct yo_go_row *rows, int i) {
    for (int ago = 1; ago <= 2; ago++)
        memcpy(rows[i].plane[YO_GO_ROW_LADDER + ago],
               rows[i >= ago ? i - ago : 0].plane[YO_GO_ROW_LADDER], YO_GO_ROW_BYTES);
}

/* ---- a game ---- */

static void begin(const struct yo_go_record *record, const struct yo_go_rules *rules,
                  struct yo_go_position *pos) {
    *pos = (struct yo_go_position){
        .rules = *rules,
        .last = YO_GO_NONE,
        .before = YO_GO_NONE,
        .earlier = {YO_GO_NONE, YO_GO_NONE, YO_GO_NONE},
        .to_move = YO_GO_BLACK,
    };
    yo_go_board_init(&pos->board, record->size);
}

static yo_go_point move_at(const struct yo_go_record *record, int i) {
    return i < record->count ? record->moves[i] : YO_GO_PASS;
}

int yo_go_rows_count(const struct yo_go_record *record) {
    struct yo_go_board board;
    enum yo_go_color color = YO_GO_BLACK;
    yo_go_board_init(&board, record->size);
    for (int i = 0; i < record->count; i++, color = yo_go_other(color)) {
        yo_go_point move = record->moves[i];
        if (move != YO_GO_PASS && !yo_go_board_is_legal(&board, color, move)) return i;
        yo_go_board_play(&board, color, move);
    }
    bool passed = record->count > 0 && record->moves[record->count - 1] == YO_GO_PASS;
    return record->count + (record->counted && !passed ? 2 : 0);
}

static void put_outcome(const struct yo_go_record *record, enum yo_go_color own,
                        struct yo_go_row *row) {
    row->result = 2;
    row->lead2 = YO_GO_ROW_NO_SCORE;
    if (record->decided)
        row->result = (int8_t)(record->winner == YO_GO_EMPTY ? 0 : record->winner == own ? 1 : -1);
    if (record->counted)
        row->lead2 = (int16_t)(own == YO_GO_BLACK ? record->lead2 : -record->lead2);
}

void yo_go_rows_make(const struct yo_go_record *record, const struct yo_go_rules *rules,
                     uint32_t game, struct yo_go_row *rows, int count) {
    struct yo_go_position pos;
    struct yo_go_net_input in;
    begin(record, rules, &pos);
    for (int i = 0; i < count; i++) {
        struct yo_go_row *row = &rows[i];
        memset(row, 0, sizeof *row);
        yo_go_features_v7(&pos, YO_GO_ROW_INPUTS, &in);
        yo_go_row_inputs(&pos, &in, row);
        put_past_ladders(rows, i);
        row->move = yo_go_row_point(record->size, move_at(record, i));
        row->game = game;
        put_outcome(record, (enum yo_go_color)pos.to_move, row);
        yo_go_position_play(&pos, move_at(record, i));
    }
}
