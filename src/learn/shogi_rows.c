#include "learn/shogi_rows.h"

#include <string.h>

#include "base/diag.h"
#include "game/shogi/movegen.h"

_Static_assert(sizeof(struct yo_shogi_row_targets) == 8, "targets are 8 bytes in a file");
_Static_assert(sizeof(struct yo_shogi_rows_header) == 64, "the header is 64 bytes in a file");

size_t yo_shogi_row_size(int planes) {
    bool known = planes == YO_SHOGI_NET_PIECES || planes == YO_SHOGI_NET_DLSHOGI;
    return known ? (size_t)planes * YO_SHOGI_ROW_BYTES + sizeof(struct yo_shogi_row_targets) : 0;
}

void yo_shogi_row_planes(const struct yo_shogi_position *pos, int count, uint8_t *out) {
    static const uint64_t all[] = {~UINT64_C(0), ~UINT64_C(0)};
    uint64_t planes[YO_SHOGI_NET_DLSHOGI][YO_SHOGI_PLANE_WORDS] = {{0}};
    if (count == YO_SHOGI_NET_PIECES)
        yo_shogi_features_pieces(pos, planes);
    else
        yo_shogi_features_dlshogi(pos, all, planes);
    for (int i = 0; i < count; i++)
        for (int byte = 0; byte < YO_SHOGI_ROW_BYTES; byte++)
            *out++ = (uint8_t)(planes[i][byte / 8] >> (byte % 8 * 8));
}

enum yo_err yo_shogi_row_make(const struct yo_shogi_sample *sample, int planes, uint8_t *row,
                              struct yo_diag *diag) {
    struct yo_shogi_position pos;
    enum yo_err err = yo_shogi_unpack(sample->position, &pos, diag);
    if (err) return err;
    bool has_move = sample->move != YO_SHOGI_NO_MOVE;
    if (has_move && !yo_shogi_move_is_sound(&pos, sample->move))
        return yo_diag_set(diag, YO_ERR_ILLEGAL, "the move is not legal in its position");
    bool aside = sample->flags & YO_SHOGI_SAMPLE_ASIDE;
    struct yo_shogi_row_targets targets = {
        .label =
            has_move ? (uint16_t)yo_shogi_policy_index(&pos, sample->move) : YO_SHOGI_ROW_NO_MOVE,
        .score = sample->score,
        .result = aside ? 2 : sample->result,
        .flags = sample->flags,
        .ply = sample->ply,
    };
    yo_shogi_row_planes(&pos, planes, row);
    memcpy(row + (size_t)planes * YO_SHOGI_ROW_BYTES, &targets, sizeof targets);
    return YO_OK;
}
