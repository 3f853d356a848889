#include "game/go/sgf/book.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/random.h"
#include "game/go/sgf/replay.h"
#include "game/go/state.h"

enum { SYMMETRIES = 8, KOMI2_MAX = 3, PASS_KEY = 362 };

/* A move of a position, both turned as the key has it. */
struct entry {
    uint64_t key;
    size_t order; /* in the file */
    yo_go_point move;
    int size, komi2;
    float winrate; /* of the side that plays it; -1: not known */
};

struct yo_go_book {
    struct entry *entries; /* by key, then by order */
    size_t count, cap;
};

/* ---- Turning the board ---- */

/* Bits of a symmetry: mirror the columns, then the rows, then exchange both. */
static yo_go_point turn(yo_go_point point, int size, int symmetry) {
    int row = point / size, column = point % size;
    if (symmetry & 1) column = size - 1 - column;
    if (symmetry & 2) row = size - 1 - row;
    return (yo_go_point)(symmetry & 4 ? column * size + row : row * size + column);
}

static yo_go_point turn_back(yo_go_point point, int size, int symmetry) {
    if (symmetry & 4) point = turn(point, size, 4);
    return turn(point, size, symmetry & 3);
}

static uint64_t hash_of(uint64_t number) { return yo_splitmix64(&number); }

/* The least hash over all symmetries, and the symmetry that has it. */
static uint64_t find_key(const struct yo_go_game *game, enum yo_go_color color, int *symmetry) {
    int size = yo_go_game_size(game);
    uint64_t hashes[SYMMETRIES] = {0};
    for (int p = 0; p < size * size; p++) {
        enum yo_go_color stone = yo_go_game_at(game, (yo_go_point)p);
        for (int s = 0; s < SYMMETRIES && stone != YO_GO_EMPTY; s++)
            hashes[s] ^= hash_of((uint64_t)turn((yo_go_point)p, size, s) * 4 + stone);
    }
    *symmetry = 0;
    for (int s = 1; s < SYMMETRIES; s++)
        if (hashes[s] < hashes[*symmetry]) *symmetry = s;
    return hashes[*symmetry] ^ hash_of((uint64_t)(PASS_KEY + size) * 4 + color);
}

uint64_t yo_go_book_key(const struct yo_go_game *game, enum yo_go_color color) {
    int symmetry;
    return find_key(game, color, &symmetry);
}

/* ---- Reading ---- */

static enum yo_err add(struct yo_go_book *book, struct entry entry) {
    if (book->count == book->cap) {
        size_t cap = book->cap ? 2 * book->cap : 256;
        void *grown = yo_realloc(book->entries, cap, sizeof *book->entries);
        if (!grown) return YO_ERR_NOMEM;
        book->entries = grown;
        book->cap = cap;
    }
    entry.order = book->count;
    book->entries[book->count++] = entry;
    return YO_OK;
}

static float winrate_of(const struct yo_sgf_node *node, enum yo_go_color color) {
    const char *text = yo_sgf_get(node, "SBKV", 0);
    char *end;
    double black = text ? strtod(text, &end) / 100 : -1;
    if (!text || end == text || !(black >= 0 && black <= 1)) return -1;
    return (float)(color == YO_GO_BLACK ? black : 1 - black);
}

/* Plays the node's move and adds it to the book. *plays: it has one that can be played, or none and
 * no setup, so that its children are part of the book. */
static enum yo_err take_node(struct yo_go_book *book, const struct yo_sgf_node *node,
                             struct yo_go_game *game, bool *plays) {
    struct yo_go_played played;
    int symmetry, size = yo_go_game_size(game);
    *plays = !yo_sgf_find_setup(node);
    if (!*plays || !yo_sgf_next_move(node->first, size, &played)) return YO_OK;
    uint64_t key = find_key(game, played.color, &symmetry);
    enum yo_err err = yo_go_game_play(game, played.color, played.move, NULL);
    *plays = err == YO_OK;
    if (err) return err == YO_ERR_NOMEM ? err : YO_OK;
    if (played.move == YO_GO_PASS) return YO_OK;
    return add(book, (struct entry){.key = key,
                                    .move = turn(played.move, size, symmetry),
                                    .size = size,
                                    .komi2 = yo_go_game_rules(game)->komi2,
                                    .winrate = winrate_of(node, played.color)});
}

/* All nodes below the root, without recursion: records may be thousands of nodes deep. */
static enum yo_err take_tree(struct yo_go_book *book, const struct yo_sgf_node *root,
                             struct yo_go_game *game) {
    const struct yo_sgf_node *node = root->child;
    struct yo_go_played unused;
    int size = yo_go_game_size(game);
    while (node) {
        bool plays;
        enum yo_err err = take_node(book, node, game, &plays);
        if (err) return err;
        if (plays && node->child) {
            node = node->child;
            continue;
        }
        /* Back to the next variation: the moves of all nodes that are left are taken back. */
        size_t back = plays && yo_sgf_next_move(node->first, size, &unused);
        while (node != root && !node->sibling) {
            node = node->parent;
            back += node != root && yo_sgf_next_move(node->first, size, &unused);
        }
        yo_go_game_rewind(game, yo_go_game_move_count(game) - back);
        node = node == root ? NULL : node->sibling;
    }
    return YO_OK;
}

static int compare(const void *a, const void *b) {
    const struct entry *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static enum yo_err take_games(struct yo_go_book *book, const struct yo_sgf *sgf,
                              struct yo_diag *diag) {
    for (size_t i = 0; i < yo_sgf_game_count(sgf); i++) {
        struct yo_go_game *game;
        struct yo_diag warning;
        enum yo_err err = yo_sgf_to_game(sgf, i, 1, &game, &warning);
        if (err) {
            if (diag) *diag = warning;
            return err;
        }
        err = take_tree(book, yo_sgf_root(sgf, i), game);
        yo_go_game_delete(game);
        if (err) return yo_diag_set(diag, err, "not enough memory for the book");
    }
    if (book->count) qsort(book->entries, book->count, sizeof *book->entries, compare);
    return YO_OK;
}

static enum yo_err make(struct yo_sgf *sgf, struct yo_go_book **out, struct yo_diag *diag) {
    struct yo_go_book *book = yo_alloc(1, sizeof *book);
    enum yo_err err = book ? take_games(book, sgf, diag)
                           : yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory for the book");
    yo_sgf_delete(sgf);
    if (err)
        yo_go_book_delete(book);
    else
        *out = book;
    return err;
}

enum yo_err yo_go_book_read(const char *bytes, size_t len, const char *name,
                            struct yo_go_book **book, struct yo_diag *diag) {
    struct yo_sgf *sgf;
    enum yo_err err = yo_sgf_parse(bytes, len, name, &sgf, diag);
    return err ? err : make(sgf, book, diag);
}

enum yo_err yo_go_book_load(const char *path, struct yo_go_book **book, struct yo_diag *diag) {
    struct yo_sgf *sgf;
    enum yo_err err = yo_sgf_load(path, &sgf, diag);
    return err ? err : make(sgf, book, diag);
}

void yo_go_book_delete(struct yo_go_book *book) {
    if (!book) return;
    yo_free(book->entries);
    yo_free(book);
}

/* ---- Lookup ---- */

size_t yo_go_book_moves(const struct yo_go_book *book) { return book->count; }

static size_t first_at(const struct yo_go_book *book, uint64_t key) {
    size_t low = 0, high = book->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (book->entries[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool has(const struct yo_go_book_move *moves, size_t count, yo_go_point move) {
    for (size_t i = 0; i < count; i++)
        if (moves[i].move == move) return true;
    return false;
}

size_t yo_go_book_find(const struct yo_go_book *book, const struct yo_go_game *game,
                       enum yo_go_color color, struct yo_go_book_move *moves, size_t max) {
    int symmetry, size = yo_go_game_size(game), komi2 = yo_go_game_rules(game)->komi2;
    uint64_t key = find_key(game, color, &symmetry);
    size_t count = 0;
    for (size_t i = first_at(book, key);
         i < book->count && book->entries[i].key == key && count < max; i++) {
        const struct entry *e = &book->entries[i];
        if (e->size != size || abs(e->komi2 - komi2) > KOMI2_MAX) continue;
        yo_go_point move = turn_back(e->move, size, symmetry);
        if (has(moves, count, move) || !yo_go_game_legal(game, color, move)) continue;
        moves[count++] = (struct yo_go_book_move){move, e->winrate};
    }
    return count;
}
