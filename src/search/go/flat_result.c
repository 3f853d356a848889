/* The result of a flat search: the root moves, best first. */
#include <stdlib.h>
#include <string.h>

#include "base/time.h"
#include "eval/playout/rollout.h"
#include "search/go/flat_internal.h"

/* How much the margin weighs against winning; it decides among moves that all win or all lose. */
#define MARGIN_WEIGHT 0.1

/* ---- statistics ---- */

void yo_flat_update(const struct flat *f, struct flat_arm *arm) {
    uint64_t black, white, draws, games = arm->sum.games;
    if (games == 0) return;
    yo_playout_count_wins(arm->sum.histogram, f->size, f->komi2, &black, &white, &draws);
    uint64_t wins = f->me == YO_GO_BLACK ? black : white;
    int counted2 = yo_playout_white_bonus2(&f->position); /* included in the sum */
    double lead = 0.5 * ((double)arm->sum.score2_first / (double)games + counted2 - f->komi2);
    arm->winrate = ((double)wins + 0.5 * (double)draws) / (double)games;
    arm->score = f->me == YO_GO_BLACK ? lead : -lead;
    double margin = 0.5 + 0.5 * arm->score / f->points;
    arm->value = (1 - MARGIN_WEIGHT) * arm->winrate + MARGIN_WEIGHT * margin;
}

int yo_flat_by_value(const void *a, const void *b) {
    const struct flat_arm *x = *(struct flat_arm *const *)a, *y = *(struct flat_arm *const *)b;
    if (x->value != y->value) return x->value < y->value ? 1 : -1;
    return x->move < y->move ? -1 : 1;
}

static int by_games(const void *a, const void *b) {
    const struct flat_arm *x = *(struct flat_arm *const *)a, *y = *(struct flat_arm *const *)b;
    if (x->sum.games != y->sum.games) return x->sum.games < y->sum.games ? 1 : -1;
    return yo_flat_by_value(a, b);
}

/* ---- the result ---- */

static void sum_ownership(struct flat *f) {
    for (int p = 0; p < f->points; p++) {
        int64_t sum = 0;
        for (size_t i = 0; i < f->arm_count; i++)
            sum += f->arms[i].sum.owner[p];
        f->ownership[p] = f->total ? (float)sum / (float)f->total : 0;
    }
}

static struct yo_search_move move_of(yo_move move, uint64_t visits, double winrate, double score) {
    return (struct yo_search_move){.move = move,
                                   .visits = visits,
                                   .winrate_to_move = winrate,
                                   .score_to_move = score,
                                   .lcb_to_move = yo_search_lower_bound(winrate, visits)};
}

/* The PV of a move is the move alone; it points into the array of moves. */
static void link_pv(struct flat *f, size_t count) {
    for (size_t i = 0; i < count; i++) {
        f->moves[i].pv = &f->moves[i].move;
        f->moves[i].pv_visits = &f->moves[i].visits;
        f->moves[i].pv_count = 1;
    }
}

void yo_flat_fill_result(struct flat *f, struct yo_search_result *result) {
    struct flat_arm *sorted[FLAT_ARMS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < f->arm_count; i++)
        if (f->arms[i].sum.games) sorted[count++] = &f->arms[i];
    qsort(sorted, count, sizeof sorted[0], by_games);
    for (size_t i = 0; i < count; i++)
        f->moves[i] =
            move_of(sorted[i]->move, sorted[i]->sum.games, sorted[i]->winrate, sorted[i]->score);
    link_pv(f, count);
    sum_ownership(f);
    *result = (struct yo_search_result){.moves = f->moves,
                                        .move_count = count,
                                        .playouts = f->total,
                                        .elapsed_ms = yo_time_ms() - f->start_ms,
                                        .ownership = f->ownership};
}

double yo_flat_judged_winrate(const struct flat *f) {
    double black = f->judgement.winrate_black;
    return f->me == YO_GO_BLACK ? black : 1 - black;
}

void yo_flat_put_pass_first(struct flat *f, struct yo_search_result *result) {
    memmove(f->moves + 1, f->moves, result->move_count * sizeof f->moves[0]);
    f->moves[0] = move_of(YO_GO_PASS, FLAT_JUDGE_GAMES, yo_flat_judged_winrate(f),
                          yo_judge_lead(&f->judgement, f->game));
    link_pv(f, ++result->move_count);
    if (f->total == 0) memcpy(f->ownership, f->judgement.ownership, sizeof f->ownership);
}
