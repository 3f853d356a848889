#include "game/go/state.h"

#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "game/go/legal.h"

/* Makes room for one more move. On failure the game does not change. */
static enum yo_err reserve(struct yo_go_game *game) {
    if (game->count < game->capacity) return YO_OK;
    size_t capacity = game->capacity ? 2 * game->capacity : 64;
    struct yo_go_played *moves = yo_realloc(game->moves, capacity, sizeof *moves);
    if (!moves) return YO_ERR_NOMEM;
    game->moves = moves;
    uint64_t *situations = yo_realloc(game->situations, capacity + 1, sizeof *situations);
    if (!situations) return YO_ERR_NOMEM;
    game->situations = situations;
    game->capacity = capacity;
    return YO_OK;
}

static void begin(struct yo_go_game *game, const struct yo_go_board *start,
                  enum yo_go_color to_move) {
    game->start = game->board = *start;
    game->start_to_move = game->to_move = to_move;
    game->situations[0] = yo_go_situation(start->hash, to_move);
    game->count = 0;
    game->handicap = 0;
}

static bool size_is_good(int size) { return size >= YO_GO_SIZE_MIN && size <= YO_GO_SIZE_MAX; }

enum yo_err yo_go_game_new(int size, const struct yo_go_rules *rules, struct yo_go_game **game) {
    if (!size_is_good(size)) return YO_ERR_RANGE;
    struct yo_go_game *g = yo_alloc(1, sizeof *g);
    if (!g) return YO_ERR_NOMEM;
    g->rules = rules ? *rules : yo_go_rules_default;
    if (reserve(g) != YO_OK) {
        yo_go_game_delete(g);
        return YO_ERR_NOMEM;
    }
    yo_go_game_clear(g, size);
    *game = g;
    return YO_OK;
}

void yo_go_game_delete(struct yo_go_game *game) {
    if (!game) return;
    yo_free(game->moves);
    yo_free(game->situations);
    yo_free(game);
}

enum yo_err yo_go_game_copy(const struct yo_go_game *game, struct yo_go_game **copy) {
    struct yo_go_game *g = yo_alloc(1, sizeof *g);
    if (!g) return YO_ERR_NOMEM;
    *g = *game;
    g->moves = yo_alloc(game->capacity, sizeof *g->moves);
    g->situations = yo_alloc(game->capacity + 1, sizeof *g->situations);
    if (!g->moves || !g->situations) {
        yo_go_game_delete(g);
        return YO_ERR_NOMEM;
    }
    memcpy(g->moves, game->moves, game->count * sizeof *g->moves);
    memcpy(g->situations, game->situations, (game->count + 1) * sizeof *g->situations);
    *copy = g;
    return YO_OK;
}

enum yo_err yo_go_game_clear(struct yo_go_game *game, int size) {
    if (!size_is_good(size)) return YO_ERR_RANGE;
    struct yo_go_board empty;
    yo_go_board_init(&empty, size);
    begin(game, &empty, YO_GO_BLACK);
    return YO_OK;
}

int yo_go_game_size(const struct yo_go_game *game) { return game->board.geometry->size; }

const struct yo_go_rules *yo_go_game_rules(const struct yo_go_game *game) { return &game->rules; }

void yo_go_game_set_rules(struct yo_go_game *game, const struct yo_go_rules *rules) {
    game->rules = *rules;
}

enum yo_go_color yo_go_game_at(const struct yo_go_game *game, yo_go_point point) {
    if (point >= game->board.geometry->points) return YO_GO_OFF;
    return (enum yo_go_color)game->board.color[point];
}

enum yo_go_color yo_go_game_to_move(const struct yo_go_game *game) { return game->to_move; }

void yo_go_game_set_to_move(struct yo_go_game *game, enum yo_go_color color) {
    game->to_move = color;
    if (game->count > 0) return;
    game->start_to_move = color;
    game->situations[0] = yo_go_situation(game->start.hash, color);
}

/* The ko rule binds only the opponent of the player who moved last. */
static bool ko_binds(const struct yo_go_game *game, enum yo_go_color color) {
    return game->count > 0 && game->moves[game->count - 1].color != color;
}

yo_go_point yo_go_game_ko(const struct yo_go_game *game) {
    return ko_binds(game, game->to_move) ? game->board.ko : YO_GO_NONE;
}

int yo_go_game_captures(const struct yo_go_game *game, enum yo_go_color by) {
    return (int)game->board.captures[by];
}

int yo_go_game_passes(const struct yo_go_game *game) {
    int passes = 0;
    for (size_t i = game->count; i-- > 0 && game->moves[i].move == YO_GO_PASS;)
        passes++;
    return passes;
}

int yo_go_game_handicap(const struct yo_go_game *game) { return game->handicap; }

size_t yo_go_game_move_count(const struct yo_go_game *game) { return game->count; }

struct yo_go_played yo_go_game_move(const struct yo_go_game *game, size_t i) {
    return game->moves[i];
}

static enum yo_go_verdict legality(const struct yo_go_game *game, enum yo_go_color color,
                                   yo_go_point p) {
    enum yo_go_verdict verdict =
        yo_go_legality(&game->board, &game->rules, ko_binds(game, color), color, p);
    if (verdict != YO_GO_LEGAL || !yo_go_can_repeat(&game->board, &game->rules, color, p))
        return verdict;
    uint64_t stones = yo_go_hash_after(&game->board, color, p);
    uint64_t situation = yo_go_situation(stones, yo_go_other(color));
    bool repeats = yo_go_repeats(game->rules.ko, situation, game->situations, game->count + 1);
    return repeats ? YO_GO_REPEATS : YO_GO_LEGAL;
}

static bool is_player(enum yo_go_color color) {
    return color == YO_GO_BLACK || color == YO_GO_WHITE;
}

bool yo_go_game_legal(const struct yo_go_game *game, enum yo_go_color color, yo_go_point move) {
    if (!is_player(color)) return false;
    if (move == YO_GO_PASS) return true;
    return move < game->board.geometry->points && legality(game, color, move) == YO_GO_LEGAL;
}

static enum yo_err explain(enum yo_go_verdict verdict, const struct yo_go_game *game,
                           yo_go_point move, struct yo_diag *diag) {
    static const char *const why[] = {
        [YO_GO_OCCUPIED] = "is occupied",
        [YO_GO_RETAKES_KO] = "retakes the ko at once",
        [YO_GO_IS_SUICIDE] = "is suicide",
        [YO_GO_REPEATS] = "repeats an earlier position",
    };
    char point[8];
    yo_go_point_format(move, yo_go_game_size(game), point);
    yo_diag_set(diag, YO_ERR_ILLEGAL, "illegal move: %s %s", point, why[verdict]);
    if (verdict == YO_GO_RETAKES_KO) yo_diag_hint(diag, "play elsewhere first");
    if (verdict == YO_GO_REPEATS)
        yo_diag_hint(diag, "%s superko forbids it",
                     game->rules.ko == YO_GO_KO_POSITIONAL ? "positional" : "situational");
    return YO_ERR_ILLEGAL;
}

static enum yo_err check(const struct yo_go_game *game, enum yo_go_color color, yo_go_point move,
                         struct yo_diag *diag) {
    if (!is_player(color))
        return yo_diag_set(diag, YO_ERR_ARGUMENT, "only Black and White can move");
    if (move == YO_GO_PASS) return YO_OK;
    if (move >= game->board.geometry->points)
        return yo_diag_set(diag, YO_ERR_ARGUMENT, "no such point on a %dx%d board",
                           yo_go_game_size(game), yo_go_game_size(game));
    enum yo_go_verdict verdict = legality(game, color, move);
    return verdict == YO_GO_LEGAL ? YO_OK : explain(verdict, game, move, diag);
}

enum yo_err yo_go_game_play(struct yo_go_game *game, enum yo_go_color color, yo_go_point move,
                            struct yo_diag *diag) {
    enum yo_err err = check(game, color, move, diag);
    if (err) return err;
    if (reserve(game) != YO_OK)
        return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory after %zu moves", game->count);
    yo_go_board_play(&game->board, color, move);
    game->to_move = yo_go_other(color);
    game->moves[game->count++] = (struct yo_go_played){color, move};
    game->situations[game->count] = yo_go_situation(game->board.hash, game->to_move);
    return YO_OK;
}

enum yo_err yo_go_game_play_recorded(struct yo_go_game *game, enum yo_go_color color,
                                     yo_go_point move, struct yo_diag *diag) {
    struct yo_go_rules rules = game->rules;
    yo_go_point ko = game->board.ko;
    game->rules.ko = YO_GO_KO_SIMPLE;
    game->rules.suicide = true;
    game->board.ko = YO_GO_NONE;
    enum yo_err err = yo_go_game_play(game, color, move, diag);
    game->rules = rules;
    if (err) game->board.ko = ko;
    return err;
}

/* Replays the game from its start: a few microseconds, and no undo data for each move. */
void yo_go_game_rewind(struct yo_go_game *game, size_t count) {
    if (count >= game->count) return;
    game->count = count;
    game->to_move = game->moves[count].color;
    game->board = game->start;
    for (size_t i = 0; i < count; i++)
        yo_go_board_play(&game->board, game->moves[i].color, game->moves[i].move);
}

enum yo_err yo_go_game_undo(struct yo_go_game *game, struct yo_diag *diag) {
    if (game->count == 0) return yo_diag_set(diag, YO_ERR_STATE, "cannot undo: no move was played");
    yo_go_game_rewind(game, game->count - 1);
    return YO_OK;
}

/* Plays the stones one by one on an empty board. In a legal position every string keeps a liberty
 * with fewer stones on the board, so no stone on the way can capture or be captured. In an illegal
 * one, the last stone around a string without liberties captures it or is captured. */
static enum yo_err place_all(int size, const uint8_t *colors, struct yo_go_board *board,
                             struct yo_diag *diag) {
    yo_go_board_init(board, size);
    for (int p = 0; p < size * size; p++) {
        if (colors[p] == YO_GO_EMPTY) continue;
        char point[8];
        yo_go_point_format((yo_go_point)p, size, point);
        if (!is_player((enum yo_go_color)colors[p]))
            return yo_diag_set(diag, YO_ERR_ARGUMENT, "no such colour at %s", point);
        if (yo_go_board_play(board, (enum yo_go_color)colors[p], (yo_go_point)p) == 0) continue;
        yo_diag_set(diag, YO_ERR_ILLEGAL, "a string at or beside %s has no liberty", point);
        yo_diag_hint(diag, "every string of a position needs one");
        return YO_ERR_ILLEGAL;
    }
    return YO_OK;
}

enum yo_err yo_go_game_setup(struct yo_go_game *game, const uint8_t *colors,
                             enum yo_go_color to_move, struct yo_diag *diag) {
    struct yo_go_board board;
    if (!is_player(to_move))
        return yo_diag_set(diag, YO_ERR_ARGUMENT, "Black or White must be to move");
    enum yo_err err = place_all(yo_go_game_size(game), colors, &board, diag);
    if (!err) begin(game, &board, to_move);
    return err;
}

int yo_go_game_stones(const struct yo_go_game *game) {
    int stones = 0, points = game->board.geometry->points;
    for (int p = 0; p < points; p++)
        stones += yo_go_game_at(game, (yo_go_point)p) != YO_GO_EMPTY;
    return stones;
}
