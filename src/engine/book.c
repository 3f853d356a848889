#include "engine/book.h"

#include <string.h>

#include "base/random.h"

/* books/go.sgf and books/shogi.db, by cmake/embed.cmake. */
extern const unsigned char yo_go_book_bytes[];
extern const size_t yo_go_book_bytes_len;
extern const unsigned char yo_shogi_book_bytes[];
extern const size_t yo_shogi_book_bytes_len;

/* Moves that are worse than the best by more than this are not played; they stand in a book for the
 * answers to them. Books of others hold many that lose. */
#define GO_WORSE_MAX 0.02
enum { SHOGI_WORSE_MAX = 30, MOVES_MAX = 64 };

bool yo_book_is_off(const char *name) {
    return !name || strcmp(name, YO_BOOK_OFF) == 0 || strcmp(name, YO_BOOK_NONE) == 0;
}

bool yo_book_is_used(const char *name, bool limited) {
    return !yo_book_is_off(name) && !(limited && strcmp(name, YO_BOOK_AUTO) == 0);
}

static bool is_builtin(const char *name) {
    return strcmp(name, YO_BOOK_BUILTIN) == 0 || strcmp(name, YO_BOOK_AUTO) == 0;
}

enum yo_err yo_book_open_go(const char *name, struct yo_go_book **book, struct yo_diag *diag) {
    *book = NULL;
    if (yo_book_is_off(name)) return YO_OK;
    if (!is_builtin(name)) return yo_go_book_load(name, book, diag);
    return yo_go_book_read((const char *)yo_go_book_bytes, yo_go_book_bytes_len, name, book, diag);
}

enum yo_err yo_book_check_go(const char *name, struct yo_diag *diag) {
    struct yo_go_book *book;
    enum yo_err err = yo_book_open_go(name, &book, diag);
    if (!err) yo_go_book_delete(book);
    return err;
}

enum yo_err yo_book_open_shogi(const char *name, struct yo_shogi_book **book,
                               struct yo_diag *diag) {
    *book = NULL;
    if (yo_book_is_off(name)) return YO_OK;
    if (!is_builtin(name)) return yo_shogi_book_load(name, book, diag);
    return yo_shogi_book_read((const char *)yo_shogi_book_bytes, yo_shogi_book_bytes_len, book,
                              diag);
}

/* ---- Drawing ---- */

bool yo_book_draw_go(const struct yo_go_book *book, const struct yo_go_game *game,
                     enum yo_go_color color, uint64_t *random, struct yo_go_book_move *move) {
    struct yo_go_book_move moves[MOVES_MAX];
    size_t count = book ? yo_go_book_find(book, game, color, moves, MOVES_MAX) : 0, kept = 0;
    double best = -1;
    for (size_t i = 0; i < count; i++)
        if (moves[i].winrate_to_move > best) best = moves[i].winrate_to_move;
    for (size_t i = 0; i < count; i++)
        if (moves[i].winrate_to_move >= best - GO_WORSE_MAX) moves[kept++] = moves[i];
    if (kept == 0) return false;
    *move = moves[yo_splitmix64(random) % kept];
    return true;
}

/* By their game counts; a move without a count counts as one game. */
static uint64_t weight(const struct yo_shogi_book_move *move) {
    return move->count > 0 ? (uint64_t)move->count : 1;
}

bool yo_book_draw_shogi(const struct yo_shogi_book *book, const struct yo_shogi_position *position,
                        uint64_t *random, struct yo_shogi_book_move *move) {
    struct yo_shogi_book_move moves[MOVES_MAX];
    size_t count = book ? yo_shogi_book_find(book, position, moves, MOVES_MAX) : 0, kept = 0;
    uint64_t sum = 0;
    int best = INT32_MIN;
    for (size_t i = 0; i < count; i++)
        if (moves[i].value > best) best = moves[i].value;
    for (size_t i = 0; i < count; i++)
        if (moves[i].value >= best - SHOGI_WORSE_MAX) {
            sum += weight(&moves[i]);
            moves[kept++] = moves[i];
        }
    if (kept == 0) return false;
    uint64_t at = yo_splitmix64(random) % sum;
    size_t i = 0;
    for (; at >= weight(&moves[i]); i++)
        at -= weight(&moves[i]);
    *move = moves[i];
    return true;
}
