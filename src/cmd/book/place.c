#include "cmd/book/place.h"

#include <stdio.h>

#include "base/diag.h"
#include "game/go/sgf/book.h"
#include "game/shogi/movegen.h"

/* A move of a tree search counts if it got this share of the best one's visits. */
#define TRUSTED_SHARE 0.02

static enum yo_err set_go(struct yo_go_game *game, const yo_move *moves, size_t count,
                          uint64_t *key, bool *over, struct yo_diag *diag) {
    enum yo_err err = yo_go_game_clear(game, yo_go_game_size(game));
    for (size_t i = 0; i < count && !err; i++)
        err = yo_go_game_play(game, yo_go_game_to_move(game), (yo_go_point)moves[i], diag);
    *key = yo_go_book_key(game, yo_go_game_to_move(game));
    *over = yo_go_game_passes(game) > 0;
    return err;
}

static enum yo_err set_shogi(struct yo_shogi_game *game, const yo_move *moves, size_t count,
                             uint64_t *key, bool *over, struct yo_diag *diag) {
    enum yo_err err = YO_OK;
    yo_shogi_move legal[YO_SHOGI_LIST];
    while (game->count > 1 && !err)
        err = yo_shogi_game_undo(game, diag);
    for (size_t i = 0; i < count && !err; i++)
        err = yo_shogi_game_play(game, (yo_shogi_move)moves[i], diag);
    *key = shogi_hash(shogi_game_now(game));
    *over = yo_shogi_legal_moves(shogi_game_now(game), legal) == 0;
    return err;
}

enum yo_err yo_book_place_set(struct yo_book_place *place, const yo_move *moves, size_t count,
                              uint64_t *key, bool *over, struct yo_diag *diag) {
    if (place->game == YO_SESSION_GO)
        return set_go(yo_session_go(place->session), moves, count, key, over, diag);
    return set_shogi(yo_session_shogi(place->session), moves, count, key, over, diag);
}

enum yo_err yo_book_place_parse(const struct yo_book_place *place, const char *text, yo_move *moves,
                                size_t max, size_t *count, struct yo_diag *diag) {
    char word[8];
    int used;
    enum yo_err err = YO_OK;
    for (*count = 0; !err && sscanf(text, " %7[^ ,]%n", word, &used) == 1; text += used) {
        yo_go_point point = YO_GO_NONE;
        yo_shogi_move move = 0;
        if (*count == max) return yo_diag_set(diag, YO_ERR_ARGUMENT, "more than %zu moves", max);
        if (place->game == YO_SESSION_GO)
            err = yo_go_point_parse(word, yo_go_game_size(yo_session_go(place->session)), &point,
                                    diag);
        else
            err = yo_shogi_move_parse(word, &move, diag);
        moves[(*count)++] = place->game == YO_SESSION_GO ? (yo_move)point : (yo_move)move;
        used += text[used] == ',';
    }
    return err;
}

enum yo_err yo_book_place_search(struct yo_book_place *place, size_t lines,
                                 struct yo_search_result *result, struct yo_diag *diag) {
    struct yo_search_limits limits = place->limits;
    if (place->game == YO_SESSION_SHOGI) limits.lines = lines;
    limits.whole = true;
    yo_session_clear(
        place->session); /* so that a book does not depend on the order of its making */
    return yo_session_analyse(place->session, NULL, &limits, NULL, NULL, NULL, result, diag);
}

bool yo_book_place_trusts(const struct yo_book_place *place, const struct yo_search_result *result,
                          const struct yo_search_move *move) {
    if (place->game == YO_SESSION_GO)
        return move->move != YO_GO_PASS &&
               (double)move->visits >= TRUSTED_SHARE * (double)result->moves[0].visits;
    return move->bound != YO_BOUND_UNKNOWN && move->mate >= 0;
}
