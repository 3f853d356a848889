/* Any bytes as an opening book: it is refused for a reason, or the moves it gives are legal. */
#include <stdint.h>
#include <stdlib.h>

#include "game/shogi/book.h"
#include "game/shogi/movegen.h"
#include "game/shogi/text.h"

static void check(int holds) {
    if (!holds) abort();
}

static void ask(const struct yo_shogi_book *book, const struct yo_shogi_position *pos) {
    struct yo_shogi_book_move moves[16];
    size_t count = yo_shogi_book_find(book, pos, moves, 16);
    check(count <= 16);
    for (size_t i = 0; i < count; i++)
        check(yo_shogi_move_is_sound(pos, moves[i].move) && moves[i].count >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct yo_shogi_book *book;
    struct yo_diag diag = {0};
    struct yo_shogi_position pos;
    yo_shogi_move moves[YO_SHOGI_LIST];
    if (yo_shogi_book_read((const char *)data, size, &book, &diag)) {
        check(diag.what[0] != '\0');
        return 0;
    }
    yo_shogi_position_start(&pos);
    ask(book, &pos);
    size_t count = yo_shogi_legal_moves(&pos, moves);
    for (size_t i = 0; i < count; i++) {
        struct yo_shogi_position next = pos;
        yo_shogi_play(&next, moves[i]);
        ask(book, &next);
    }
    yo_shogi_book_delete(book);
    return 0;
}
