/* position [startpos | sfen SFEN] [moves MOVE...] */
#include <string.h>

#include "base/buf.h"
#include "base/diag.h"
#include "game/shogi/movegen.h"
#include "protocol/usi/internal.h"

/* Reads the SFEN: at most four words, up to "moves" or the end. */
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

static enum yo_err read_moves(const char *rest, struct yo_shogi_game *game, struct yo_diag *diag) {
    char word[32];
    if (!yo_usi_word(&rest, word, sizeof word)) return YO_OK;
    if (strcmp(word, "moves") != 0)
        return yo_diag_set(diag, YO_ERR_PARSE, "expected moves, not '%s'", word);
    while (yo_usi_word(&rest, word, sizeof word)) {
        yo_shogi_move move;
        enum yo_err err = yo_shogi_move_parse(word, &move, diag);
        if (err) return err;
        if (!yo_shogi_move_is_sound(shogi_game_now(game), move))
            return yo_diag_set(diag, YO_ERR_ILLEGAL, "move %zu, %s, is not legal", game->count,
                               word);
        if (yo_shogi_game_add(game, move)) return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    }
    return YO_OK;
}

void yo_usi_position(struct yo_usi *usi, const char *rest) {
    struct yo_diag diag = {0};
    struct yo_shogi_position start;
    struct yo_shogi_game *game = NULL;
    enum yo_err err = read_start(&rest, &start, &diag);
    if (!err && yo_shogi_game_begin(&start, &game))
        err = yo_diag_set(&diag, YO_ERR_NOMEM, "out of memory");
    if (!err) err = read_moves(rest, game, &diag);
    if (err) {
        yo_shogi_game_delete(game);
        yo_usi_complain(usi, "position", &diag);
        return;
    }
    yo_session_take_shogi(usi->session, game); /* answers the running search first */
}
