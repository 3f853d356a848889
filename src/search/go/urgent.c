#include "search/go/urgent.h"

#include <string.h>

#include "base/diag.h"
#include "game/go/state.h"
#include "search/go/opinion.h"
#include "search/go/settle.h"

/* Playouts that tell which strings are safe. */
#define GAMES 256
/* Nodes for the fates, and for the moves of each side: some hundredths of a second at most. */
#define NODES 10000
/* Where more moves than this do, there is no hurry. */
#define MOVES_MAX 8

static void add(yo_go_point move, unsigned stones, struct yo_urgent *found) {
    size_t i = 0;
    while (i < found->count && found->moves[i] != move)
        i++;
    if (i == found->count) {
        found->moves[found->count++] = move;
        found->stones[i] = 0;
    }
    if (found->stones[i] < stones) found->stones[i] = stones;
}

static void find_for(struct yo_settle *settle, const struct yo_go_board *board, enum yo_go_color me,
                     const float *ownership, unsigned nodes, struct yo_urgent *found) {
    yo_go_point moves[YO_SETTLE_MOVES_MAX];
    settle->nodes += nodes;
    for (unsigned p = 0; p < (unsigned)board->geometry->points; p++) {
        if (settle->fate[p] != YO_SETTLE_CRITICAL || board->head[p] != p) continue;
        size_t count = yo_settle_moves(settle, board, ownership, p, me, moves);
        if (count > MOVES_MAX) continue;
        for (size_t i = 0; i < count; i++)
            add(moves[i], board->string[p].stones, found);
    }
}

enum yo_err yo_urgent_find(struct yo_eval eval, const struct yo_go_game *game,
                           const struct yo_urgent_limits *limits, struct yo_urgent found[2],
                           struct yo_diag *diag) {
    struct yo_judge_limits judging = {.seed = limits->seed,
                                      .games = GAMES,
                                      .deadline_ms = limits->deadline_ms,
                                      .stop = limits->stop};
    unsigned nodes = limits->nodes && limits->nodes < NODES ? limits->nodes : NODES;
    struct yo_settle settle = {
        .nodes = nodes, .deadline_ms = limits->deadline_ms, .stop = limits->stop, .near = true};
    struct yo_opinion opinion;
    uint8_t none[YO_GO_POINTS_MAX] = {0}, alive[YO_GO_POINTS_MAX] = {0};
    enum yo_go_color me = yo_go_game_to_move(game);
    found[0].count = found[1].count = 0;
    enum yo_err err = yo_opinion_of_playouts(eval, game, none, &judging, &opinion, diag);
    if (err || opinion.cut) return err;
    err = yo_go_reader_new(&settle.reader);
    if (err) return yo_diag_set(diag, err, "no memory to read life and death");
    yo_go_game_benson(game, alive);
    yo_settle_read(&settle, &game->board, alive, opinion.ownership);
    find_for(&settle, &game->board, me, opinion.ownership, nodes, &found[0]);
    struct yo_go_board later = game->board;
    later.ko = YO_GO_NONE; /* after a move elsewhere the ko may be taken back */
    if (limits->answers)
        find_for(&settle, &later, yo_go_other(me), opinion.ownership, nodes, &found[1]);
    yo_go_reader_delete(settle.reader);
    return YO_OK;
}
