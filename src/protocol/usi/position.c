/* position [startpos | sfen SFEN] [moves MOVE...] */
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/diag.h"
#include "game/shogi/movegen.h"
#include "protocol/usi/internal.h"

/* The SFEN's up to four words, up to "moves" or the end. */
static enum yo_err read_sfen(const char **rest, struct yo_shogi_position *pos,
                             struct yo_diag *diag) {
    struct yo_buf sfen = {0};
    *rest += strspn(*rest, " \t");
    const char *moves = strstr(*rest, " moves");
    size_t len = moves ? (size_t)(moves - *rest) : strlen(*rest);
    while (len > 0 && strchr(" \t\r\n", (*rest)[len - 1]))
        len--;
    yo_buf_add(&sfen, *rest, len);
    enum yo_err err = yo_buf_status(&sfen);
    if (err)
        yo_diag_set(diag, err, "out of memory");
    else
        err = yo_shogi_sfen_parse(yo_buf_text(&sfen), pos, diag);
    yo_buf_free(&sfen);
    *rest += len;
    return err;
}

static enum yo_err read_start(const char **rest, struct yo_shogi_position *pos,
                              struct yo_diag *diag) {
    char word[32];
    yo_usi_word(rest, word, sizeof word);
    if (strcmp(word, "sfen") == 0) return read_sfen(rest, pos, diag);
    if (strcmp(word, "startpos") != 0)
        return yo_diag_set(diag, YO_ERR_PARSE, "expected startpos or sfen, not '%s'", word);
    yo_shogi_position_start(pos);
    return YO_OK;
}

/* A game while it is read. */
struct game {
    struct yo_shogi_position pos, before;
    struct yo_shogi_past *past;
    size_t count;
};

static enum yo_err read_moves(const char *rest, struct game *game, struct yo_diag *diag) {
    char word[32];
    if (!yo_usi_word(&rest, word, sizeof word)) return YO_OK;
    if (strcmp(word, "moves") != 0)
        return yo_diag_set(diag, YO_ERR_PARSE, "expected moves, not '%s'", word);
    while (yo_usi_word(&rest, word, sizeof word)) {
        yo_shogi_move move;
        enum yo_err err = yo_shogi_move_parse(word, &move, diag);
        if (err) return err;
        if (!yo_shogi_move_is_sound(&game->pos, move))
            return yo_diag_set(diag, YO_ERR_ILLEGAL, "move %zu, %s, is not legal", game->count,
                               word);
        game->before = game->pos;
        yo_shogi_play(&game->pos, move);
        game->past[game->count] = yo_shogi_past_next(&game->past[game->count - 1], &game->pos);
        game->count++;
    }
    return YO_OK;
}

void yo_usi_position(struct yo_usi *usi, const char *rest) {
    struct yo_diag diag = {0};
    /* A move and its space take five characters or more. */
    struct game game = {.past = yo_alloc(strlen(rest) / 5 + 2, sizeof *game.past), .count = 1};
    enum yo_err err = game.past ? YO_OK : yo_diag_set(&diag, YO_ERR_NOMEM, "out of memory");
    if (!err && !(err = read_start(&rest, &game.pos, &diag))) {
        game.past[0] = yo_shogi_past_first(&game.pos);
        err = read_moves(rest, &game, &diag);
    }
    if (err) {
        yo_free(game.past);
        yo_usi_complain(usi, "position", &diag);
        return;
    }
    yo_usi_stop(usi, false);
    yo_free(usi->past);
    usi->past = game.past;
    usi->past_count = game.count;
    usi->pos = game.pos;
    usi->before = game.before;
}
