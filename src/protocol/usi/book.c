/* USI_OwnBook and BookFile: moves from a book. */
#include <string.h>

#include "base/alloc.h"
#include "base/random.h"
#include "protocol/usi/internal.h"

/* Moves that are worse than the best by more than this are not played; books hold many that lose.
 */
enum { WORSE_MAX = 30, MOVES_MAX = 64 };

/* A book that cannot be read is said, and the game goes on without. */
static enum yo_err load(struct yo_usi *usi, const char *name) {
    size_t size = strlen(name) + 1;
    char *copy = yo_alloc(size, 1);
    struct yo_shogi_book *book = NULL;
    struct yo_diag diag = {0};
    if (!copy) return YO_ERR_NOMEM;
    memcpy(copy, name, size);
    yo_free(usi->book_asked);
    yo_shogi_book_delete(usi->book);
    usi->book_asked = copy;
    usi->book = NULL;
    if (strcmp(name, USI_NO_BOOK) == 0) return YO_OK;
    if (yo_shogi_book_load(name, &book, &diag)) {
        yo_usi_complain(usi, "BookFile", &diag);
        yo_usi_say(usi, "info string playing without a book");
        return YO_OK;
    }
    usi->book = book;
    yo_usi_say(usi, "info string BookFile %s: %zu positions", name, yo_shogi_book_positions(book));
    return YO_OK;
}

enum yo_err yo_usi_prepare_book(struct yo_usi *usi) {
    const char *name = yo_usi_text_option(usi, "BookFile");
    if (!name || !yo_options_bool(&usi->options, "USI_OwnBook")) name = USI_NO_BOOK;
    return usi->book_asked && strcmp(usi->book_asked, name) == 0 ? YO_OK : load(usi, name);
}

static uint64_t draw(struct yo_usi *usi, uint64_t bound) {
    return yo_splitmix64(&usi->random) % bound;
}

/* As often as games had them; a move without a count is one game's. */
static uint64_t weight(const struct yo_shogi_book_move *move) {
    return move->count > 0 ? (uint64_t)move->count : 1;
}

struct yo_shogi_book_move yo_usi_book_move(struct yo_usi *usi) {
    struct yo_shogi_book_move moves[MOVES_MAX];
    size_t count = usi->book ? yo_shogi_book_find(usi->book, usi_now(usi), moves, MOVES_MAX) : 0;
    size_t kept = 0;
    uint64_t sum = 0;
    int best = INT32_MIN;
    for (size_t i = 0; i < count; i++)
        if (moves[i].value > best) best = moves[i].value;
    for (size_t i = 0; i < count; i++)
        if (moves[i].value >= best - WORSE_MAX) {
            sum += weight(&moves[i]);
            moves[kept++] = moves[i];
        }
    if (kept == 0) return (struct yo_shogi_book_move){0};
    uint64_t at = draw(usi, sum);
    size_t i = 0;
    for (; at >= weight(&moves[i]); i++)
        at -= weight(&moves[i]);
    return moves[i];
}
