/* The SGF reader: whatever parses must come back the same from its own text, and must replay or
 * say why not. */
#include <stdint.h>
#include <string.h>

#include "../tests/support/sgf_same.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void replay(const struct yo_sgf *sgf) {
    struct yo_diag diag;
    for (size_t i = 0; i < sgf->root_count && i < 4; i++) {
        struct yo_go_game *game = NULL;
        enum yo_err err = yo_sgf_to_game(sgf, i, 0, &game, &diag);
        if (err && (game || diag.err != err || diag.what[0] == '\0')) __builtin_trap();
        if (err) continue;
        struct yo_sgf *record = NULL;
        if (yo_sgf_from_game(game, "?", &record) != YO_OK) __builtin_trap();
        struct yo_go_game *again = NULL;
        if (yo_sgf_to_game(record, 0, 0, &again, &diag) != YO_OK) __builtin_trap();
        int points = yo_go_game_size(game) * yo_go_game_size(game);
        for (int p = 0; p < points; p++)
            if (yo_go_game_at(game, (yo_go_point)p) != yo_go_game_at(again, (yo_go_point)p))
                __builtin_trap();
        if (yo_go_game_move_count(game) != yo_go_game_move_count(again)) __builtin_trap();
        yo_go_game_delete(again);
        yo_sgf_delete(record);
        yo_go_game_delete(game);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct yo_sgf *sgf = NULL, *again = NULL;
    struct yo_diag diag;
    enum yo_err err = yo_sgf_parse((const char *)data, size, "fuzz", &sgf, &diag);
    if (err) {
        if (sgf || diag.line < 1 || diag.column < 1 || diag.what[0] == '\0') __builtin_trap();
        return 0;
    }
    char *text;
    size_t len;
    if (yo_sgf_write(sgf, &text, &len) != YO_OK || strlen(text) != len) __builtin_trap();
    if (yo_sgf_parse(text, len, "again", &again, &diag) != YO_OK) __builtin_trap();
    if (!sgf_same(sgf, again) || yo_sgf_warning(again, 0)) __builtin_trap();
    replay(sgf);
    yo_sgf_free_text(text);
    yo_sgf_delete(again);
    yo_sgf_delete(sgf);
    return 0;
}
