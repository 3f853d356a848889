#include "game/shogi/kifu/game.h"

#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "game/shogi/game.h"
#include "game/shogi/kifu/reader.h"

/* ---- Words ---- */

static int previous_target(const struct yo_shogi_game *game) {
    return game->count > 1 ? shogi_to(game->moves[game->count - 2]) : YO_SHOGI_NO_SQUARE;
}

static enum yo_err read_japanese(const struct yo_shogi_game *game, const char *text,
                                 yo_shogi_move *move, struct yo_diag *diag) {
    static const char *const signs[] = {"▲", "△", "☗", "☖"};
    size_t len = strlen(text);
    struct record_reader r = {.at = text,
                              .line_start = text,
                              .line_end = text + len,
                              .text_end = text + len,
                              .line = 1,
                              .pos = *shogi_game_now(game),
                              .diag = diag};
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
        if (yo_record_take(&r, signs[i])) break;
    enum yo_err err = yo_record_kif_move(&r, previous_target(game), move);
    if (!err && !record_at_end(&r))
        err = yo_record_fail(&r, YO_ERR_PARSE, "more than a move stands here");
    return err;
}

enum yo_err yo_shogi_game_read_move(const struct yo_shogi_game *game, const char *text,
                                    yo_shogi_move *move, struct yo_diag *diag) {
    yo_shogi_move read;
    struct yo_diag inner = {0};
    if (yo_shogi_move_parse(text, &read, NULL) == YO_OK) {
        if (!yo_shogi_game_legal(game, read))
            return yo_diag_set(diag, YO_ERR_ILLEGAL, "illegal move: %.20s", text);
    } else if (read_japanese(game, text, &read, &inner)) {
        return yo_diag_set(diag, inner.err, "'%.40s': %s", text, inner.what);
    }
    *move = read;
    return YO_OK;
}

char *yo_shogi_game_move_words(const struct yo_shogi_game *game, yo_shogi_move move,
                               char out[YO_SHOGI_WORDS_TEXT]) {
    struct yo_buf words = {0};
    const struct yo_shogi_position *pos = shogi_game_now(game);
    yo_record_ki2_text(pos, move, previous_target(game), &words);
    snprintf(out, YO_SHOGI_WORDS_TEXT, "%s%s", pos->side ? "△" : "▲", yo_buf_text(&words));
    yo_buf_free(&words);
    return out;
}

/* ---- Records ---- */

enum yo_err yo_shogi_game_record(const struct yo_shogi_game *game, struct yo_shogi_record **out) {
    struct yo_shogi_record *record;
    enum yo_err err = yo_shogi_record_new(&record);
    if (err) return err;
    record->start = game->positions[0];
    int node = 0;
    for (size_t i = 0; i + 1 < game->count && !err; i++)
        err = yo_shogi_record_add(record, node, game->moves[i], YO_SHOGI_GOES_ON, &node);
    if (err)
        yo_shogi_record_delete(record);
    else
        *out = record;
    return err;
}

enum yo_err yo_shogi_game_of_record(const struct yo_shogi_record *record, int node,
                                    struct yo_shogi_game **out) {
    struct yo_shogi_game *game;
    enum yo_err err = yo_shogi_game_begin(&record->start, &game);
    if (err) return err;
    for (int n = 0; n != node && !err; n = record->nodes[n].child) {
        yo_shogi_move move = record->nodes[record->nodes[n].child].move;
        if (move) err = yo_shogi_game_add(game, move);
    }
    if (err)
        yo_shogi_game_delete(game);
    else
        *out = game;
    return err;
}
