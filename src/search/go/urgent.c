#include "search/go/urgent.h"

#include <string.h>

#include "base/diag.h"
#include "game/go/state.h"
#include "search/go/opinion.h"
#include "search/go/settle.h"

/* Playouts that tell which strings are safe. */
#define GAMES 256
/* Nodes of all readings: a few hundredths of a second at most. */
#define NODES 10000
/* The visits, all won, that a move is worth before it is searched: for the move, and for each stone
 * that it decides. */
#define VISITS     30
#define PER_STONE  5
#define STONES_MAX 14
/* Where more moves than this do, there is no hurry. */
#define MOVES_MAX 8
/* Its probability is at least this. */
#define CHANCE 0.3f

static void add(yo_go_point move, unsigned stones, struct yo_uct_advice *advice, size_t *count) {
    unsigned most = stones < STONES_MAX ? stones : STONES_MAX;
    float visits = (float)(VISITS + PER_STONE * most);
    size_t i = 0;
    while (i < *count && advice[i].move != move)
        i++;
    if (i == *count) advice[(*count)++] = (struct yo_uct_advice){.move = move, .chance = CHANCE};
    if (advice[i].visits < visits) advice[i].visits = visits;
}

static void advise(struct yo_settle *settle, const struct yo_go_board *board, enum yo_go_color me,
                   const float *ownership, struct yo_uct_advice *advice, size_t *count) {
    yo_go_point moves[YO_SETTLE_MOVES_MAX];
    for (unsigned p = 0; p < (unsigned)board->geometry->points; p++) {
        if (settle->fate[p] != YO_SETTLE_CRITICAL || board->head[p] != p) continue;
        size_t found = yo_settle_moves(settle, board, ownership, p, me, moves);
        if (found > MOVES_MAX) continue;
        for (size_t i = 0; i < found; i++)
            add(moves[i], board->string[p].stones, advice, count);
    }
}

enum yo_err yo_urgent_find(struct yo_eval eval, const struct yo_go_game *game,
                           const struct yo_urgent_limits *limits, struct yo_uct_advice *advice,
                           size_t *count, struct yo_diag *diag) {
    struct yo_judge_limits judging = {.seed = limits->seed,
                                      .games = GAMES,
                                      .deadline_ms = limits->deadline_ms,
                                      .stop = limits->stop};
    struct yo_settle settle = {
        .nodes = NODES, .deadline_ms = limits->deadline_ms, .stop = limits->stop, .near = true};
    struct yo_opinion opinion;
    uint8_t none[YO_GO_POINTS_MAX] = {0}, alive[YO_GO_POINTS_MAX] = {0};
    *count = 0;
    enum yo_err err = yo_opinion_of_playouts(eval, game, none, &judging, &opinion, diag);
    if (err || opinion.cut) return err;
    err = yo_go_reader_new(&settle.reader);
    if (err) return yo_diag_set(diag, err, "no memory to read life and death");
    yo_go_game_benson(game, alive);
    yo_settle_read(&settle, &game->board, alive, opinion.ownership);
    settle.nodes += NODES;
    advise(&settle, &game->board, yo_go_game_to_move(game), opinion.ownership, advice, count);
    yo_go_reader_delete(settle.reader);
    return YO_OK;
}
