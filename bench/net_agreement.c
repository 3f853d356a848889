/* How far two backends agree on positions of games: first moves, win rates, policies.
 *
 *   cmake --build BUILD --target bench_net_agreement
 *   BUILD/bench_net_agreement NET BACKEND JUDGE POSITIONS GAMES.sgf
 *
 * NET is a file of a Go network, or `builtin`. GAMES.sgf is a collection of games on boards of one
 * size. Position i is one of game i (of game i - N if there are N, and so on), before a random
 * move, and the same in each run. Prints means over the positions:
 *
 *   first move  both give the same legal move the highest probability
 *   win rate    absolute difference, and the largest
 *   lead        absolute difference in points
 *   policy      half the sum of the absolute differences
 *   preferred   where first moves differ, how much likelier the judge's own is by the judge: the
 *               largest of all */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
#include "bench.h"
#include "engine/go_net.h"
#include "eval/net/go_raw.h"
#include "yomi/sgf.h"

struct side {
    struct yo_net_program program;
    struct yo_net_runner *runner;
    struct yo_net_go_raw raw;
};

struct totals {
    int positions, first_moves;
    double chance, most_chance; /* of a win for the side to move */
    double lead, policy, most_preferred;
};

static void open_side(struct side *s, const struct yo_net *net, const char *name) {
    struct yo_diag diag = {0};
    const struct yo_net_backend *backend = yo_net_backend_find(name, &diag);
    if (!backend || yo_net_program_init(&s->program, net, backend, &diag) ||
        yo_net_runner_new(&s->program, 1, &s->runner, &diag))
        bench_fail(&diag);
}

static void close_side(struct side *s) {
    yo_net_runner_delete(s->runner);
    yo_net_program_free(&s->program);
}

static void evaluate(struct side *s, const struct yo_go_position *position) {
    struct yo_diag diag = {0};
    if (yo_net_go_raw(s->runner, position, 0, &s->raw, &diag)) bench_fail(&diag);
}

static int first_move(const struct yo_net_go_raw *raw) {
    int best = YO_GO_PASS;
    for (int p = 0; p < raw->size * raw->size; p++)
        if (raw->policy[p] > raw->policy[best]) best = p;
    return best;
}

static double winrate(const struct yo_net_go_raw *raw) {
    return raw->value.win + 0.5 * raw->value.no_result;
}

static void compare(const struct yo_net_go_raw *a, const struct yo_net_go_raw *judge,
                    struct totals *t) {
    int first = first_move(a), right = first_move(judge);
    double chance = fabs(winrate(a) - winrate(judge)), policy = 0;
    for (int p = 0; p < judge->size * judge->size; p++)
        if (judge->policy[p] >= 0) policy += fabs((double)(a->policy[p] - judge->policy[p]));
    policy += fabs((double)(a->policy[YO_GO_PASS] - judge->policy[YO_GO_PASS]));
    t->positions++;
    t->first_moves += first == right;
    t->chance += chance;
    t->most_chance = fmax(t->most_chance, chance);
    t->lead += fabs(a->value.lead - judge->value.lead);
    t->policy += policy / 2;
    t->most_preferred =
        fmax(t->most_preferred, (double)(judge->policy[right] - judge->policy[first]));
}

static int board_size(const struct yo_sgf *sgf) {
    struct yo_go_game *game;
    struct yo_diag diag = {0};
    if (yo_sgf_to_game(sgf, 0, 0, &game, &diag)) bench_fail(&diag);
    int size = yo_go_game_size(game);
    yo_go_game_delete(game);
    return size;
}

/* Before a random move of the record. */
static bool read_position(const struct yo_sgf *sgf, size_t game_index, uint64_t *random,
                          struct yo_go_position *position) {
    struct yo_go_game *game;
    struct yo_diag diag = {0};
    if (yo_sgf_to_game(sgf, game_index, 0, &game, &diag)) bench_fail(&diag);
    size_t moves = yo_go_game_move_count(game);
    for (size_t back = moves ? 1 + yo_splitmix64(random) % moves : 0; back > 0; back--)
        if (yo_go_game_undo(game, &diag)) bench_fail(&diag);
    yo_go_position_from_game(game, position);
    yo_go_game_delete(game);
    return moves > 0;
}

static void tell(const struct totals *t, const char *name, const char *judge) {
    printf("%s against %s, %d positions: first move %.2f%%, win rate %.5f at most %.4f, lead %.4f, "
           "policy %.4f, preferred by %.4f at most\n",
           name, judge, t->positions, 100.0 * t->first_moves / t->positions,
           t->chance / t->positions, t->most_chance, t->lead / t->positions,
           t->policy / t->positions, t->most_preferred);
}

int main(int argc, char **argv) {
    struct yo_diag diag = {0};
    struct yo_net *net;
    struct yo_sgf *sgf;
    struct side a = {0}, judge = {0};
    struct totals totals = {0};
    if (argc != 6) {
        fprintf(stderr, "usage: net_agreement NET BACKEND JUDGE POSITIONS GAMES.sgf\n");
        return 2;
    }
    if (yo_sgf_load(argv[5], &sgf, &diag) || yo_go_net_load(argv[1], board_size(sgf), &net, &diag))
        bench_fail(&diag);
    open_side(&a, net, argv[2]);
    open_side(&judge, net, argv[3]);
    size_t games = yo_sgf_game_count(sgf);
    uint64_t random = 1;
    for (size_t i = 0; i < (size_t)atoi(argv[4]); i++) {
        struct yo_go_position position = {0};
        if (!read_position(sgf, i % games, &random, &position)) continue;
        evaluate(&a, &position);
        evaluate(&judge, &position);
        compare(&a.raw, &judge.raw, &totals);
    }
    if (totals.positions) tell(&totals, argv[2], argv[3]);
    close_side(&a);
    close_side(&judge);
    yo_sgf_delete(sgf);
    yo_net_delete(net);
    return 0;
}
