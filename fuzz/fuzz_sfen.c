/* SFEN and USI moves: what parses is written back the same, and every legal move of it can be
 * played, written and read. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "game/shogi/movegen.h"
#include "game/shogi/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_position(const struct yo_shogi_position *pos) {
    char sfen[YO_SHOGI_SFEN_MAX], text[YO_SHOGI_MOVE_TEXT];
    struct yo_shogi_position again;
    if (yo_shogi_sfen_parse(yo_shogi_sfen_format(pos, sfen), &again, NULL)) __builtin_trap();
    if (shogi_hash(pos) != shogi_hash(&again) || pos->ply != again.ply) __builtin_trap();
    yo_shogi_move moves[YO_SHOGI_LIST];
    size_t count = yo_shogi_legal_moves(pos, moves);
    if (count > YO_SHOGI_MOVES_MAX) __builtin_trap();
    for (size_t i = 0; i < count; i++) {
        yo_shogi_move move;
        if (yo_shogi_move_parse(yo_shogi_move_format(moves[i], text), &move, NULL))
            __builtin_trap();
        if (move != moves[i]) __builtin_trap();
        struct yo_shogi_position next = *pos;
        yo_shogi_play(&next, move);
        if (yo_shogi_sfen_parse(yo_shogi_sfen_format(&next, sfen), &again, NULL)) __builtin_trap();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    if (!text) return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    struct yo_shogi_position pos;
    struct yo_diag diag = {0};
    yo_shogi_move move;
    if (yo_shogi_sfen_parse(text, &pos, &diag) == YO_OK)
        check_position(&pos);
    else if (diag.what[0] == '\0')
        __builtin_trap();
    yo_shogi_move_parse(text, &move, &diag);
    free(text);
    return 0;
}
