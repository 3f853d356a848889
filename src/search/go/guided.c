#include "search/go/guided.h"

#include "game/go/benson.h"
#include "game/go/game_ops.h"
#include "game/go/legal.h"
#include "game/go/score.h"
#include "game/go/state.h"

static size_t cells(const void *position) {
    return (size_t)((const struct yo_go_position *)position)->board.geometry->points;
}

/* Stones in the opponent's unconditionally alive area are dead, without agreement of the
 * players. */
static void find_dead(const struct yo_go_board *board, bool suicide, uint8_t *dead) {
    uint8_t alive[YO_GO_POINTS_MAX] = {0};
    yo_go_benson(board, suicide, alive);
    for (int p = 0; p < board->geometry->points; p++)
        dead[p] = alive[p] != YO_GO_EMPTY && board->color[p] != YO_GO_EMPTY &&
                  alive[p] != board->color[p];
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
    uint8_t dead[YO_GO_POINTS_MAX] = {0};
    struct yo_go_score score;
    find_dead(&pos->board, pos->rules.suicide, dead);
    yo_go_score_board(&pos->board, &pos->rules, pos->handicap, dead, &score);
    int lead2 = pos->to_move == YO_GO_BLACK ? score.lead2 : -score.lead2;
    *value = (struct yo_eval_value){.win = lead2 > 0,
                                    .draw = lead2 == 0,
                                    .score_mean = (float)lead2 / 2,
                                    .score_lead = (float)lead2 / 2};
    return true;
}

/* A move into an unconditionally alive area changes nothing, so it is left out. The order is that
 * of the game's table. */
static enum yo_err root_moves(void *ctx, const void *of, yo_move *moves, size_t *count) {
    (void)ctx;
    const struct yo_go_game *game = of;
    struct yo_go_position position;
    yo_go_position_from_game(game, &position);
    uint8_t alive[YO_GO_POINTS_MAX] = {0};
    yo_go_benson(&position.board, position.rules.suicide, alive);
    size_t all = yo_go_ops.moves(&position, moves), kept = 0;
    for (size_t i = 0; i < all; i++)
        if (moves[i] == YO_GO_PASS || alive[moves[i]] == YO_GO_EMPTY) moves[kept++] = moves[i];
    *count = kept;
    return YO_OK;
}

struct yo_guided_hooks yo_go_guided_hooks(void) {
    return (struct yo_guided_hooks){
        .finish = finish, .root_moves = root_moves, .cells = cells, .unproven = true};
}
