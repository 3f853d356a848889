#include "game/shogi/game_ops.h"

#include <string.h>

#include "base/diag.h"
#include "game/shogi/game.h"
#include "game/shogi/movegen.h"
#include "game/shogi/text.h"

void yo_shogi_state_init(struct yo_shogi_state *state, const struct yo_shogi_position *pos,
                         const struct yo_shogi_rules *rules, struct yo_shogi_past *first) {
    *first = yo_shogi_past_first(pos);
    state->position = *pos;
    state->rules = *rules;
    state->game = first;
    state->game_count = 1;
    state->played = 0;
}

void yo_shogi_state_from_game(const struct yo_shogi_game *game, struct yo_shogi_state *state) {
    state->position = *shogi_game_now(game);
    state->rules = game->rules;
    state->game = game->past;
    state->game_count = game->count;
    state->played = 0;
}

static const struct yo_shogi_past *latest(const struct yo_shogi_state *state) {
    return state->played ? &state->recent[(state->played - 1) % YO_SHOGI_RECENT]
                         : &state->game[state->game_count - 1];
}

void yo_shogi_state_play(struct yo_shogi_state *state, yo_shogi_move move) {
    yo_shogi_play(&state->position, move);
    struct yo_shogi_past next = yo_shogi_past_next(latest(state), &state->position);
    state->recent[state->played++ % YO_SHOGI_RECENT] = next;
}

enum yo_outcome yo_shogi_state_repetition(const struct yo_shogi_state *state, int times) {
    struct yo_shogi_history history = {.game = state->game,
                                       .game_count = state->game_count,
                                       .ring = state->recent,
                                       .ring_size = YO_SHOGI_RECENT,
                                       .ring_count = state->played};
    return yo_shogi_repetition(&history, times);
}

static enum yo_outcome wins(int side) { return side ? YO_OUTCOME_SECOND : YO_OUTCOME_FIRST; }

/* Mate comes first: a game may end by mate on its last move. */
enum yo_outcome yo_shogi_state_outcome(const struct yo_shogi_state *state) {
    const struct yo_shogi_position *pos = &state->position;
    if (!yo_shogi_can_move(pos)) return wins(pos->side ^ 1);
    enum yo_outcome repetition = yo_shogi_state_repetition(state, 3);
    if (repetition != YO_OUTCOME_NONE) return repetition;
    if (yo_shogi_can_declare(pos, &state->rules)) return wins(pos->side);
    if (yo_shogi_was_tried(pos, &state->rules)) return wins(pos->side ^ 1);
    bool over = state->rules.max_moves > 0 && pos->ply >= state->rules.max_moves;
    return over ? YO_OUTCOME_DRAW : YO_OUTCOME_NONE;
}

static void from_game(const void *game, void *position) {
    yo_shogi_state_from_game(game, position);
}

/* ---- marks ---- */

static uint64_t key_of(const struct yo_shogi_game *game, size_t moves_) {
    uint64_t h = shogi_hash(&game->positions[0]) ^ (uint64_t)game->positions[0].ply;
    for (size_t i = 0; i < moves_; i++)
        h = (h ^ game->moves[i]) * UINT64_C(0x9e3779b97f4a7c15);
    return h ? h : 1;
}

static struct yo_game_mark mark(const void *of) {
    const struct yo_shogi_game *game = of;
    return (struct yo_game_mark){key_of(game, game->count - 1), game->count - 1};
}

static bool since(const void *of, const struct yo_game_mark *mark_, yo_move *out, size_t room,
                  size_t *count) {
    const struct yo_shogi_game *game = of;
    size_t length = game->count - 1;
    if (mark_->key == 0 || length < mark_->length || length - mark_->length > room) return false;
    if (key_of(game, mark_->length) != mark_->key) return false;
    *count = 0;
    for (size_t i = mark_->length; i < length; i++)
        out[(*count)++] = game->moves[i];
    return true;
}

/* ---- the table ---- */

static int side_to_move(const void *position) {
    return ((const struct yo_shogi_state *)position)->position.side;
}

static size_t moves(const void *position, yo_move *out) {
    const struct yo_shogi_state *state = position;
    yo_shogi_move list[YO_SHOGI_LIST];
    if (yo_shogi_state_outcome(state) != YO_OUTCOME_NONE) return 0;
    size_t count = yo_shogi_legal_moves(&state->position, list);
    for (size_t i = 0; i < count; i++)
        out[i] = list[i];
    return count;
}

static void play(void *position, yo_move move) {
    yo_shogi_state_play(position, (yo_shogi_move)move);
}

static enum yo_outcome outcome(const void *position) { return yo_shogi_state_outcome(position); }

static uint64_t hash(const void *position) {
    return shogi_hash(&((const struct yo_shogi_state *)position)->position);
}

static char *format(const void *position, yo_move move, char *out) {
    (void)position;
    return yo_shogi_move_format((yo_shogi_move)move, out);
}

static enum yo_err parse(const void *position, const char *text, yo_move *move,
                         struct yo_diag *diag) {
    const struct yo_shogi_state *state = position;
    yo_shogi_move read;
    enum yo_err err = yo_shogi_move_parse(text, &read, diag);
    if (err) return err;
    if (!yo_shogi_move_is_sound(&state->position, read))
        return yo_diag_set(diag, YO_ERR_ILLEGAL, "illegal move: %.20s", text);
    *move = read;
    return YO_OK;
}

const struct yo_game_ops yo_shogi_ops = {
    .name = "shogi",
    .position_size = sizeof(struct yo_shogi_state),
    .max_moves = YO_SHOGI_MOVES_MAX,
    .move_bound = 2 * YO_SHOGI_PROMOTE, /* the highest bit of a move */
    .move_null = YO_MOVE_NONE,
    .from_game = from_game,
    .mark = mark,
    .since = since,
    .side_to_move = side_to_move,
    .moves = moves,
    .play = play,
    .outcome = outcome,
    .hash = hash,
    .format = format,
    .parse = parse,
};
