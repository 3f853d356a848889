#include "game/shogi/book.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/diag.h"
#include "game/shogi/movegen.h"
#include "game/shogi/text.h"

#define HEADER          "#YANEURAOU-DB2016"
#define BYTE_ORDER_MARK "\xef\xbb\xbf"

/* Where a position's moves begin in the text. Books have millions of positions, most of which are
 * never looked up, so moves are parsed at lookup. */
struct place {
    uint64_t hash;
    size_t at;
};

struct yo_shogi_book {
    char *text;
    struct place *places; /* sorted by hash, then by place in the file */
    size_t count, cap;
};

/* ---- Lines ---- */

static const char *line_end(const char *line) { return line + strcspn(line, "\r\n"); }

static const char *next_line(const char *line) {
    line = line_end(line);
    if (line[0] == '\r' && line[1] == '\n') line++;
    return *line ? line + 1 : line;
}

/* Comments and empty lines. */
static bool is_comment(const char *line) {
    return line == line_end(line) || line[0] == '#' || strncmp(line, "//", 2) == 0;
}

static bool is_position(const char *line) { return strncmp(line, "sfen ", 5) == 0; }

/* Copies the next word of the line; "" at its end. */
static const char *read_word(const char *at, char *word, size_t size) {
    at += strspn(at, " \t");
    size_t len = strcspn(at, " \t\r\n");
    snprintf(word, size, "%.*s", (int)(len < size ? len : size - 1), at);
    return at + len;
}

/* False for entries that are no move: none, resign, win and the like. */
static bool read_move(const char *line, struct yo_shogi_book_move *out) {
    char word[5][24];
    for (size_t i = 0; i < 5; i++)
        line = read_word(line, word[i], sizeof word[i]);
    *out = (struct yo_shogi_book_move){0};
    if (yo_shogi_move_parse(word[0], &out->move, NULL)) return false;
    if (yo_shogi_move_parse(word[1], &out->reply, NULL)) out->reply = YO_SHOGI_NO_MOVE;
    long value = strtol(word[2], NULL, 10), depth = strtol(word[3], NULL, 10);
    out->value = (int)(value < -100000 ? -100000 : value > 100000 ? 100000 : value);
    out->depth = (int)(depth < 0 ? 0 : depth > 1000 ? 1000 : depth);
    int64_t count = strtoll(word[4], NULL, 10);
    out->count = count < 0 ? 0 : count > INT32_MAX ? INT32_MAX : count;
    return true;
}

/* ---- Reading ---- */

static enum yo_err add_place(struct yo_shogi_book *book, uint64_t hash, const char *moves) {
    if (book->count == book->cap) {
        size_t cap = book->cap ? 2 * book->cap : 256;
        void *grown = yo_realloc(book->places, cap, sizeof *book->places);
        if (!grown) return YO_ERR_NOMEM;
        book->places = grown;
        book->cap = cap;
    }
    book->places[book->count++] = (struct place){hash, (size_t)(moves - book->text)};
    return YO_OK;
}

static enum yo_err read_position(struct yo_shogi_book *book, const char *line,
                                 struct yo_diag *diag) {
    char sfen[YO_SHOGI_SFEN_MAX + 64];
    struct yo_shogi_position pos;
    size_t len = (size_t)(line_end(line) - line);
    while (len > 0 && strchr(" \t", line[len - 1]))
        len--;
    if (len >= sizeof sfen) return yo_diag_set(diag, YO_ERR_PARSE, "this is no position");
    snprintf(sfen, sizeof sfen, "%.*s", (int)len, line);
    enum yo_err err = yo_shogi_sfen_parse(sfen, &pos, diag);
    return err ? err : add_place(book, shogi_hash(&pos), next_line(line));
}

static enum yo_err check_move(const struct yo_shogi_book *book, const char *line,
                              struct yo_diag *diag) {
    char word[24];
    yo_shogi_move move;
    if (book->count == 0)
        return yo_diag_set(diag, YO_ERR_PARSE, "there is a move before the first position");
    read_word(line, word, sizeof word);
    static const char *const others[] = {"none", "resign", "win"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcmp(word, others[i]) == 0) return YO_OK;
    return yo_shogi_move_parse(word, &move, diag);
}

static enum yo_err read_lines(struct yo_shogi_book *book, struct yo_diag *diag) {
    const char *line = book->text;
    if (strncmp(line, BYTE_ORDER_MARK, 3) == 0) line += 3;
    if (strncmp(line, HEADER, sizeof HEADER - 1) != 0) {
        yo_diag_set(diag, YO_ERR_PARSE, "this is no book");
        yo_diag_hint(diag, "expected a text file that begins with %s 1.00", HEADER);
        return YO_ERR_PARSE;
    }
    for (int number = 1; *line; number++, line = next_line(line)) {
        enum yo_err err = YO_OK;
        if (is_position(line))
            err = read_position(book, line, diag);
        else if (!is_comment(line))
            err = check_move(book, line, diag);
        if (!err) continue;
        if (err == YO_ERR_NOMEM) return yo_diag_set(diag, err, "not enough memory for the book");
        yo_diag_where(diag, "", number, 0);
        return err;
    }
    return YO_OK;
}

static int compare_places(const void *a, const void *b) {
    const struct place *p = a, *q = b;
    if (p->hash != q->hash) return p->hash < q->hash ? -1 : 1;
    return p->at < q->at ? -1 : p->at > q->at;
}

/* Takes over the text. The buffer must have been appended to, so that its data is not NULL. */
static enum yo_err make(struct yo_buf *text, struct yo_shogi_book **out, struct yo_diag *diag) {
    struct yo_shogi_book *book = yo_alloc(1, sizeof *book);
    if (!book || yo_buf_status(text)) {
        yo_free(book);
        yo_buf_free(text);
        return yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory for the book");
    }
    book->text = text->data;
    enum yo_err err = YO_OK;
    if (strlen(book->text) != text->len)
        err = yo_diag_set(diag, YO_ERR_PARSE, "this is no text file");
    else
        err = read_lines(book, diag);
    if (err) {
        yo_shogi_book_delete(book);
        return err;
    }
    if (book->count) qsort(book->places, book->count, sizeof *book->places, compare_places);
    *out = book;
    return YO_OK;
}

enum yo_err yo_shogi_book_read(const char *bytes, size_t len, struct yo_shogi_book **book,
                               struct yo_diag *diag) {
    struct yo_buf text = {0};
    yo_buf_add(&text, bytes, len);
    return make(&text, book, diag);
}

enum yo_err yo_shogi_book_load(const char *path, struct yo_shogi_book **book,
                               struct yo_diag *diag) {
    char block[1 << 14];
    struct yo_buf text = {0};
    FILE *file = fopen(path, "rbe");
    if (!file) return yo_diag_set(diag, YO_ERR_IO, "cannot open %.150s: %s", path, strerror(errno));
    yo_buf_add(&text, "", 0);
    for (size_t got; !text.failed && (got = fread(block, 1, sizeof block, file)) > 0;)
        yo_buf_add(&text, block, got);
    int failed = ferror(file) ? errno : 0;
    fclose(file);
    if (failed) {
        yo_buf_free(&text);
        return yo_diag_set(diag, YO_ERR_IO, "cannot read %.150s: %s", path, strerror(failed));
    }
    enum yo_err err = make(&text, book, diag);
    if (err && diag) yo_diag_where(diag, path, diag->line, 0);
    return err;
}

void yo_shogi_book_delete(struct yo_shogi_book *book) {
    if (!book) return;
    yo_free(book->text);
    yo_free(book->places);
    yo_free(book);
}

/* ---- Lookup ---- */

size_t yo_shogi_book_positions(const struct yo_shogi_book *book) { return book->count; }

static const char *find_moves(const struct yo_shogi_book *book, uint64_t hash) {
    size_t low = 0, high = book->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (book->places[middle].hash < hash)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < book->count && book->places[low].hash == hash;
    return found ? book->text + book->places[low].at : NULL;
}

size_t yo_shogi_book_find(const struct yo_shogi_book *book, const struct yo_shogi_position *pos,
                          struct yo_shogi_book_move *moves, size_t max) {
    const char *line = find_moves(book, shogi_hash(pos));
    size_t count = 0;
    if (!line) return 0;
    for (; *line && !is_position(line) && count < max; line = next_line(line))
        if (!is_comment(line) && read_move(line, &moves[count]) &&
            yo_shogi_move_is_sound(pos, moves[count].move))
            count++;
    return count;
}
