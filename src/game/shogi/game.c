#include "game/shogi/game.h"

#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "game/shogi/movegen.h"
#include "game/shogi/text.h"

/* ---- Creation ---- */

/* Makes room for one more position. */
static enum yo_err grow(struct yo_shogi_game *game) {
    if (game->count < game->cap) return YO_OK;
    size_t cap = game->cap ? 2 * game->cap : 64;
    void *positions = yo_realloc(game->positions, cap, sizeof *game->positions);
    if (positions) game->positions = positions;
    void *past = positions ? yo_realloc(game->past, cap, sizeof *game->past) : NULL;
    if (past) game->past = past;
    void *moves = past ? yo_realloc(game->moves, cap, sizeof *game->moves) : NULL;
    if (!moves) return YO_ERR_NOMEM;
    game->moves = moves;
    game->cap = cap;
    return YO_OK;
}

enum yo_err yo_shogi_game_begin(const struct yo_shogi_position *start, struct yo_shogi_game **out) {
    struct yo_shogi_game *game = yo_alloc(1, sizeof *game);
    if (!game) return YO_ERR_NOMEM;
    if (grow(game)) {
        yo_shogi_game_delete(game);
        return YO_ERR_NOMEM;
    }
    game->positions[0] = *start;
    game->past[0] = yo_shogi_past_first(start);
    game->count = 1;
    game->rules = yo_shogi_rules_default;
    *out = game;
    return YO_OK;
}

enum yo_err yo_shogi_game_new(const char *sfen, struct yo_shogi_game **game, struct yo_diag *diag) {
    struct yo_shogi_position start;
    yo_shogi_position_start(&start);
    enum yo_err err = sfen ? yo_shogi_sfen_parse(sfen, &start, diag) : YO_OK;
    if (err) return err;
    err = yo_shogi_game_begin(&start, game);
    return err ? yo_diag_set(diag, err, "no memory for a game") : YO_OK;
}

void yo_shogi_game_delete(struct yo_shogi_game *game) {
    if (!game) return;
    yo_free(game->positions);
    yo_free(game->past);
    yo_free(game->moves);
    yo_free(game);
}

enum yo_err yo_shogi_game_add(struct yo_shogi_game *game, yo_shogi_move move) {
    enum yo_err err = grow(game);
    if (err) return err;
    size_t last = game->count - 1;
    game->moves[last] = move;
    game->positions[last + 1] = game->positions[last];
    yo_shogi_play(&game->positions[last + 1], move);
    game->past[last + 1] = yo_shogi_past_next(&game->past[last], &game->positions[last + 1]);
    game->count++;
    return YO_OK;
}

enum yo_err yo_shogi_game_copy(const struct yo_shogi_game *game, struct yo_shogi_game **out) {
    struct yo_shogi_game *copy;
    enum yo_err err = yo_shogi_game_begin(&game->positions[0], &copy);
    if (err) return err;
    copy->rules = game->rules;
    for (size_t i = 0; i + 1 < game->count && !err; i++)
        err = yo_shogi_game_add(copy, game->moves[i]);
    if (err)
        yo_shogi_game_delete(copy);
    else
        *out = copy;
    return err;
}

/* ---- Queries ---- */

char *yo_shogi_game_sfen(const struct yo_shogi_game *game, char out[YO_SHOGI_SFEN_MAX]) {
    return yo_shogi_sfen_format(shogi_game_now(game), out);
}

enum yo_shogi_side yo_shogi_game_to_move(const struct yo_shogi_game *game) {
    return (enum yo_shogi_side)shogi_game_now(game)->side;
}

bool yo_shogi_game_in_check(const struct yo_shogi_game *game) {
    return shogi_in_check(shogi_game_now(game));
}

enum yo_shogi_kind yo_shogi_game_at(const struct yo_shogi_game *game, int file, int rank,
                                    enum yo_shogi_side *side) {
    if (file < 1 || file > 9 || rank < 1 || rank > 9) return YO_SHOGI_NO_KIND;
    yo_shogi_piece piece = shogi_game_now(game)->board[shogi_square(file - 1, rank - 1)];
    if (side) *side = (enum yo_shogi_side)shogi_side(piece);
    return (enum yo_shogi_kind)shogi_kind(piece);
}

int yo_shogi_game_in_hand(const struct yo_shogi_game *game, enum yo_shogi_side side,
                          enum yo_shogi_kind kind) {
    if (kind < YO_SHOGI_PAWN || kind > YO_SHOGI_ROOK) return 0;
    return shogi_hand_count(shogi_game_now(game)->hands[side == YO_SHOGI_WHITE], kind);
}

size_t yo_shogi_game_move_count(const struct yo_shogi_game *game) { return game->count - 1; }

yo_shogi_move yo_shogi_game_move(const struct yo_shogi_game *game, size_t i) {
    return i + 1 < game->count ? game->moves[i] : YO_SHOGI_NO_MOVE;
}

/* ---- Moves ---- */

size_t yo_shogi_game_legal_moves(const struct yo_shogi_game *game, yo_shogi_move *moves) {
    return yo_shogi_legal_moves(shogi_game_now(game), moves);
}

bool yo_shogi_game_legal(const struct yo_shogi_game *game, yo_shogi_move move) {
    return yo_shogi_move_is_sound(shogi_game_now(game), move);
}

enum yo_err yo_shogi_game_play(struct yo_shogi_game *game, yo_shogi_move move,
                               struct yo_diag *diag) {
    char text[YO_SHOGI_MOVE_TEXT];
    if (!yo_shogi_game_legal(game, move))
        return yo_diag_set(diag, YO_ERR_ILLEGAL, "illegal move: %s",
                           yo_shogi_move_format(move, text));
    enum yo_err err = yo_shogi_game_add(game, move);
    return err ? yo_diag_set(diag, err, "no memory for the move") : YO_OK;
}

enum yo_err yo_shogi_game_undo(struct yo_shogi_game *game, struct yo_diag *diag) {
    if (game->count == 1) return yo_diag_set(diag, YO_ERR_STATE, "there is no move to take back");
    game->count--;
    return YO_OK;
}

enum yo_shogi_outcome yo_shogi_game_outcome(const struct yo_shogi_game *game) {
    const struct yo_shogi_position *pos = shogi_game_now(game);
    if (!yo_shogi_can_move(pos))
        return pos->side == YO_SHOGI_WHITE ? YO_SHOGI_BLACK_WINS : YO_SHOGI_WHITE_WINS;
    struct yo_shogi_history history = {.game = game->past, .game_count = game->count};
    switch (yo_shogi_repetition(&history, 3)) {
    case YO_OUTCOME_FIRST:
        return YO_SHOGI_BLACK_WINS;
    case YO_OUTCOME_SECOND:
        return YO_SHOGI_WHITE_WINS;
    case YO_OUTCOME_DRAW:
        return YO_SHOGI_DRAWN;
    default:
        return YO_SHOGI_OPEN;
    }
}

bool yo_shogi_game_can_declare(const struct yo_shogi_game *game) {
    return yo_shogi_can_declare(shogi_game_now(game), &yo_shogi_rules_default);
}
