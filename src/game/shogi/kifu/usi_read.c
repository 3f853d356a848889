/* Reads a game as USI has it, one a line: "startpos moves 7g7f 3c3d", or a SFEN in place of
 * startpos; "position" may stand before it, and resign or win after the last move. */
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "game/shogi/kifu/reader.h"
#include "game/shogi/text.h"

/* The length of the word at r->at. */
static size_t word_length(const struct record_reader *r) {
    size_t len = 0;
    while (r->at + len < r->line_end && r->at[len] != ' ' && r->at[len] != '\t')
        len++;
    return len;
}

/* At most four words, up to "moves" or the end. */
static enum yo_err read_sfen(struct record_reader *r) {
    const char *stop = memmem(r->at, (size_t)(r->line_end - r->at), " moves", strlen(" moves"));
    size_t len = (size_t)((stop ? stop : r->line_end) - r->at);
    struct yo_buf sfen = {0};
    struct yo_diag diag;
    yo_buf_add(&sfen, r->at, len);
    enum yo_err err = yo_buf_status(&sfen);
    if (err) return yo_record_fail(r, err, "out of memory");
    err = yo_shogi_sfen_parse(yo_buf_text(&sfen), &r->record->start, &diag);
    yo_buf_free(&sfen);
    r->at += err && diag.column > 0 ? (size_t)diag.column - 1 : len;
    return err ? yo_record_fail(r, YO_ERR_PARSE, diag.what) : YO_OK;
}

static enum yo_err read_start(struct record_reader *r) {
    if (yo_record_take(r, "position")) yo_record_skip_space(r);
    enum yo_err err = yo_record_take(r, "startpos") ? YO_OK : read_sfen(r);
    if (err) return err;
    r->pos = r->record->start;
    r->positioned = true;
    yo_record_skip_space(r);
    if (record_at_end(r) || yo_record_take(r, "moves")) return YO_OK;
    return yo_record_fail(r, YO_ERR_PARSE, "after the first position comes \"moves\"");
}

static enum yo_err read_move(struct record_reader *r) {
    char word[8] = "";
    size_t len = word_length(r);
    yo_shogi_move move;
    if (len < sizeof word) memcpy(word, r->at, len);
    enum yo_err err;
    if (strcmp(word, "resign") == 0)
        err = yo_record_add_end(r, YO_SHOGI_END_RESIGN);
    else if (strcmp(word, "win") == 0)
        err = yo_record_add_end(r, YO_SHOGI_END_DECLARATION);
    else if (yo_shogi_move_parse(word, &move, NULL))
        err = yo_record_fail(r, YO_ERR_PARSE, "this is no move of USI");
    else
        err = yo_record_add_move(r, move);
    r->at += len;
    return err;
}

enum yo_err yo_record_read_usi(struct record_reader *r) {
    while (yo_record_next_line(r)) {
        yo_record_skip_space(r);
        if (record_at_end(r)) continue;
        if (r->positioned) {
            r->record->more = true;
            break;
        }
        enum yo_err err = read_start(r);
        for (yo_record_skip_space(r); !err && !record_at_end(r); yo_record_skip_space(r))
            err = read_move(r);
        if (err) return err;
    }
    return YO_OK;
}
