#include "search/go/guided.h"

#include <limits.h>

#include "base/random.h"
#include "base/time.h"
#include "game/go/benson.h"
#include "game/go/game_ops.h"
#include "game/go/legal.h"
#include "game/go/score.h"
#include "game/go/state.h"
#include "search/go/judge.h"
#include "search/go/urgent.h"

/* Reading may take 1/READ_SHARE of the time, if there are at least READ_MS_MIN, and READ_NODES for
 * each visit; for a search of fewer visits than READ_VISITS_MIN it is not worth its time. */
#define READ_SHARE      10
#define READ_MS_MIN     100
#define READ_VISITS_MIN 100
#define READ_NODES      20
/* A network sees the captures of fewer stones than this by itself, and knows what they are worth.
 */
#define STONES_MIN 3

static size_t cells(const void *position) {
    return (size_t)((const struct yo_go_position *)position)->board.geometry->points;
}

/* Where players agree on dead stones after the game, counting all stones as alive gives a wrong
 * score: the value of the network is better. */
static bool finish(void *ctx, const void *of, bool clean_up, struct yo_eval_value *value) {
    (void)ctx;
    const struct yo_go_position *pos = of;
    *value = (struct yo_eval_value){.draw = 1};
    if (pos->repeated) return true;
    bool agreed = pos->rules.scoring != YO_GO_AREA || pos->rules.friendly_pass_ok;
    if (agreed && !clean_up) return false;
    struct yo_go_score score;
    yo_go_score_board(&pos->board, &pos->rules, pos->handicap, NULL, &score);
    int lead2 = pos->to_move == YO_GO_BLACK ? score.lead2 : -score.lead2;
    *value = (struct yo_eval_value){.win = lead2 > 0,
                                    .draw = lead2 == 0,
                                    .score_mean = (float)lead2 / 2,
                                    .score_lead = (float)lead2 / 2};
    return true;
}

/* A move into an unconditionally alive area changes nothing, unless dead stones have to be captured
 * by moves: then the owner's moves stay. The order is that of the game's table. */
static enum yo_err root_moves(void *ctx, const void *of, bool clean_up, yo_move *moves,
                              size_t *count) {
    (void)ctx;
    const struct yo_go_game *game = of;
    struct yo_go_position position;
    yo_go_position_from_game(game, &position);
    uint8_t alive[YO_GO_POINTS_MAX] = {0};
    yo_go_benson(&position.board, position.rules.suicide, alive);
    size_t all = yo_go_ops.moves(&position, moves), kept = 0;
    bool must_capture = clean_up || !position.rules.friendly_pass_ok;
    for (size_t i = 0; i < all; i++) {
        bool pass = moves[i] == YO_GO_PASS;
        bool own = !pass && must_capture && alive[moves[i]] == position.to_move;
        if (pass || own || alive[moves[i]] == YO_GO_EMPTY) moves[kept++] = moves[i];
    }
    *count = kept;
    return YO_OK;
}

/* The last two moves, the stones within two points of the last and which of them have few
 * liberties, and the ko. */
static uint64_t surroundings(void *ctx, const void *of, yo_move move) {
    (void)ctx;
    enum { NEAR = 2 };
    const struct yo_go_position *pos = of;
    const struct yo_go_board *board = &pos->board;
    int size = board->geometry->size, x = (int)move % size, y = (int)move / size;
    if (move == YO_GO_PASS) return 0;
    uint64_t key = yo_mix64((uint64_t)pos->to_move << 48 | (uint64_t)board->ko << 32 |
                            (uint64_t)pos->last << 16 | move);
    for (int v = y - NEAR; v <= y + NEAR; v++)
        for (int u = x - NEAR; u <= x + NEAR; u++) {
            if (u < 0 || v < 0 || u >= size || v >= size) continue; /* the move tells where */
            unsigned p = (unsigned)(v * size + u), color = board->color[p];
            int liberties =
                color == YO_GO_EMPTY ? 0 : yo_go_board_liberties(board, (yo_go_point)p, 3);
            key = yo_mix64(key + color * 4 + (unsigned)liberties);
        }
    return key ? key : 1;
}

/* Superko, and the draw by repetition under simple ko, depend on the moves before. Within
 * REPEAT_MAX moves they cannot matter if the last move cannot be undone in so many. */
static uint64_t position_key(void *ctx, const void *of, yo_move last) {
    (void)ctx;
    enum { REPEAT_MAX = 11 };
    const struct yo_go_position *pos = of;
    if (last == YO_GO_PASS || pos->repeated) return 0;
    if (yo_go_cycle_bound(&pos->board, (yo_go_point)last, REPEAT_MAX) <= REPEAT_MAX) return 0;
    uint64_t key = yo_mix64(yo_go_ops.hash(pos) + (uint64_t)(int64_t)pos->stones_ahead);
    return key ? key : 1;
}

/* What go_features.c shows of the moves before: the last of them, and ladders of the boards one and
 * two moves ago. */
static uint64_t history_key(void *ctx, const void *of) {
    (void)ctx;
    const struct yo_go_position *pos = of;
    int turns = pos->turns;
    const yo_go_point moves[YO_GO_TURNS] = {pos->last, pos->before, pos->earlier[0],
                                            pos->earlier[1], pos->earlier[2]};
    uint64_t key = yo_mix64((uint64_t)turns);
    for (int i = 0; i < turns; i++)
        key = yo_mix64(key + moves[i]);
    for (int ago = 0; ago < turns && ago < 2; ago++) {
        key = yo_mix64(key + pos->ko_was[ago]);
        for (int i = 0; i < pos->board.geometry->words; i++)
            key = yo_mix64(key + pos->empty_was[ago][i]);
    }
    return key;
}

static uint64_t visits_of(const struct yo_search_limits *limits) {
    uint64_t visits = limits->visits, playouts = limits->playouts;
    return !visits || (playouts && playouts < visits) ? playouts : visits;
}

/* An analysis shows what the network thinks: only a player reads, and a review. Near the
 * end of a game counted by territory a move that need not be made costs a point, and the judgement
 * has read what there is. */
static bool is_to_read(const struct yo_go_game *game, const struct yo_search_limits *limits) {
    uint64_t visits = visits_of(limits);
    int64_t time_ms = yo_search_time_ms(limits);
    bool costs = yo_go_game_rules(game)->scoring == YO_GO_TERRITORY && yo_judge_may_be_over(game);
    return !costs && (!limits->whole || limits->reads) && !limits->only &&
           (!visits || visits >= READ_VISITS_MIN) && (!time_ms || time_ms >= READ_MS_MIN);
}

static void take(const struct yo_urgent found[2], struct yo_guided_advice *advice) {
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < found[side].count; i++)
            if (found[side].stones[i] >= STONES_MIN && advice->count[side] < YO_GUIDED_ADVICE_MAX)
                advice->moves[side][advice->count[side]++] = found[side].moves[i];
}

/* The policy has no idea of many a vital point. */
static enum yo_err advise(void *ctx, struct yo_eval playouts, const void *game,
                          const struct yo_search_limits *limits, const atomic_bool *stop,
                          struct yo_guided_advice *advice, struct yo_diag *diag) {
    (void)ctx;
    struct yo_urgent_limits urgent = {.seed = 1, .stop = stop, .answers = true};
    struct yo_urgent found[2];
    int64_t time_ms = yo_search_time_ms(limits);
    uint64_t nodes = READ_NODES * visits_of(limits);
    if (!playouts.ops || !is_to_read(game, limits)) return YO_OK;
    urgent.nodes = nodes < UINT_MAX ? (unsigned)nodes : 0;
    if (time_ms) urgent.deadline_ms = yo_time_ms() + time_ms / READ_SHARE;
    enum yo_err err = yo_urgent_find(playouts, game, &urgent, found, diag);
    if (!err) take(found, advice);
    return err;
}

struct yo_guided_hooks yo_go_guided_hooks(struct yo_eval playouts, bool reading) {
    return (struct yo_guided_hooks){.finish = finish,
                                    .root_moves = root_moves,
                                    .advise = reading ? advise : NULL,
                                    .surroundings = surroundings,
                                    .position_key = position_key,
                                    .history_key = history_key,
                                    .cells = cells,
                                    .playouts = playouts,
                                    .unproven = true};
}
