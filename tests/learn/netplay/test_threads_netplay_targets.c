/* Targets of self-play, checked from outside. A network that knows one thing, and turns with its
 * board, plays on many threads: every target must show what it knows in the board's own
 * orientation, from the view of the side to move. Answers that are turned back wrongly, or that
 * belong to another game, do not. */
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "game/go/game_ops.h"
#include "learn/netplay/go.h"
#include "learn/netplay/run.h"
#include "support/katago_net.h"

enum { SIZE = 7, POINTS = SIZE * SIZE, OWN = 1, OTHER = 2, GAMES = 24, VISITS = 90 };

/* ---- what the network knows: play beside own stones, rather than beside the opponent's ---- */

static float liking(int own, int other) { return 1.5f * (float)own - 0.75f * (float)other; }

static bool at(const uint64_t *plane, int row, int col) {
    if (row < 0 || row >= SIZE || col < 0 || col >= SIZE) return false;
    return plane[0] >> (row * SIZE + col) & 1;
}

static int beside(const uint64_t *plane, int p) {
    int row = p / SIZE, col = p % SIZE;
    return at(plane, row - 1, col) + at(plane, row + 1, col) + at(plane, row, col - 1) +
           at(plane, row, col + 1);
}

static bool available(void) { return true; }
static enum yo_err compile(const struct yo_net_graph *graph, void **program, struct yo_diag *diag) {
    (void)diag;
    *program = (void *)(uintptr_t)graph;
    return YO_OK;
}
static void program_delete(void *program) { (void)program; }
static enum yo_err worker_new(void *program, int size, int max_batch, void **worker,
                              struct yo_diag *diag) {
    (void)size, (void)max_batch, (void)diag;
    *worker = program;
    return YO_OK;
}
static void worker_delete(void *worker) { (void)worker; }

static enum yo_err run(void *worker, const struct yo_net_batch *batch, struct yo_diag *diag) {
    const struct yo_net_graph *graph = worker;
    (void)diag;
    for (int i = 0; i < batch->count; i++) {
        const uint64_t *planes = batch->planes + (size_t)(i * graph->planes);
        for (int role = 0; role < YO_NET_ROLES; role++) {
            if (!batch->out[role]) continue;
            size_t each = yo_net_tensor_floats(graph, graph->outputs[role], SIZE);
            for (size_t k = 0; k < each; k++)
                batch->out[role][(size_t)i * each + k] = role == YO_NET_OUT_PASS ? -6.0f : 0;
        }
        size_t each = yo_net_tensor_floats(graph, graph->outputs[YO_NET_OUT_POLICY], SIZE);
        for (int p = 0; p < POINTS; p++)
            batch->out[YO_NET_OUT_POLICY][(size_t)i * each + (size_t)p] =
                liking(beside(planes + OWN, p), beside(planes + OTHER, p));
    }
    return YO_OK;
}

static const struct yo_net_backend knows_neighbours = {.name = "neighbours",
                                                       .available = available,
                                                       .compile = compile,
                                                       .program_delete = program_delete,
                                                       .worker_new = worker_new,
                                                       .worker_delete = worker_delete,
                                                       .run = run};

/* ---- the judge ---- */

static float liking_of(const struct yo_go_position *pos, int p) {
    int own = 0, other = 0;
    for (int d = 0; d < 4; d++) {
        uint8_t color = pos->board.color[pos->board.geometry->nbr[p][d]];
        own += color == pos->to_move;
        other += color == yo_go_other((enum yo_go_color)pos->to_move);
    }
    return liking(own, other);
}

/* Values are even, so visits follow the policy: a move that is liked clearly more than another has
 * no fewer of them. Captures change nothing, since the network does not know of them. */
static int check_target(const struct yo_netplay_record *r, const struct yo_netplay_step *step,
                        const struct yo_go_position *pos) {
    int compared = 0;
    float visits[POINTS] = {0}, sum = 0, best = -INFINITY;
    for (size_t i = 0; i < step->target_count; i++) {
        const struct yo_netplay_target *t = &r->targets[step->target_at + i];
        sum += t->weight;
        if (t->move != YO_GO_PASS) visits[t->move] = t->weight;
    }
    assert_in_range((int)sum, VISITS / 2, VISITS + 1); /* single visits are taken off */
    yo_move moves[YO_GO_POINTS_MAX + 1];
    size_t count = yo_netplay_go.root_moves(pos, moves);
    for (size_t i = 0; i + 1 < count; i++)
        best = fmaxf(best, liking_of(pos, (int)moves[i]));
    for (size_t i = 0; i + 1 < count; i++)
        for (size_t k = 0; k + 1 < count; k++) {
            float more = liking_of(pos, (int)moves[i]), less = liking_of(pos, (int)moves[k]);
            if (more < less + 1.4f || more < best) continue;
            assert_true(visits[moves[i]] >= visits[moves[k]]);
            compared++;
        }
    return compared;
}

static int check_record(const struct yo_netplay_record *r) {
    void *game;
    struct yo_diag diag;
    struct yo_go_position pos;
    int compared = 0;
    assert_int_equal(yo_netplay_go.create(r->setup, r->setup_size, &game, &diag), YO_OK);
    for (size_t i = 0; i < r->step_count; i++) {
        yo_go_position_from_game(game, &pos);
        /* A move that ends the game is known for what it is. */
        bool near_end = pos.passes > 0 || i + 12 > r->step_count;
        if (r->steps[i].kind == YO_NETPLAY_FULL && !near_end)
            compared += check_target(r, &r->steps[i], &pos);
        assert_int_equal(yo_netplay_go.play(game, r->steps[i].move, &diag), YO_OK);
    }
    yo_netplay_go.destroy(game);
    return compared;
}

static struct yo_net *make_net(void) {
    struct katago_net kind = {.version = 8,
                              .blocks = "o",
                              .trunk = 4,
                              .mid = 4,
                              .pool = 2,
                              .head = 2,
                              .ky = 3,
                              .kx = 3,
                              .seed = 3};
    struct yo_buf file = {0};
    struct yo_net *net;
    struct yo_diag diag;
    katago_net_make(&kind);
    katago_net_write(&kind, true, &file);
    assert_int_equal(yo_net_read(file.data, file.len, &net, &diag), YO_OK);
    katago_net_free(&kind);
    yo_buf_free(&file);
    return net;
}

static void targets_show_what_the_network_knows(void **state) {
    (void)state;
    char path[] = "/tmp/yomi-targets-XXXXXX";
    int size = SIZE, fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    struct yo_netplay_run wanted = {.settings = yo_netplay_defaults,
                                    .net = make_net(),
                                    .backend = &knows_neighbours,
                                    .sizes = &size,
                                    .size_count = 1,
                                    .groups = 2,
                                    .at_once = 24,
                                    .threads = 4,
                                    .eval_threads = 2,
                                    .games = GAMES,
                                    .path = path};
    wanted.settings.rules = &yo_netplay_go;
    wanted.settings.rules_settings = &yo_netplay_go_defaults;
    wanted.settings.visits = VISITS;
    wanted.settings.fast_visits = 8;
    wanted.settings.noise = 0;
    wanted.settings.puct.forced = 0;
    struct yo_netplay_counts counts;
    struct yo_diag diag = {0};
    if (yo_netplay_run(&wanted, &counts, &diag) != YO_OK) fail_msg("%s", diag.what);
    yo_net_delete(wanted.net);

    struct yo_buf bytes = {0};
    struct yo_netplay_record record = {0};
    size_t at_byte = 0;
    int games = 0, compared = 0;
    assert_int_equal(yo_file_read(path, &bytes, &diag), YO_OK);
    unlink(path);
    while (yo_netplay_record_next(bytes.data, bytes.len, &at_byte, &record) == YO_NETPLAY_RECORD) {
        compared += check_record(&record);
        games++;
    }
    yo_netplay_record_free(&record);
    yo_buf_free(&bytes);
    assert_int_equal(games, GAMES);
    assert_true(compared > 3000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(targets_show_what_the_network_knows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
