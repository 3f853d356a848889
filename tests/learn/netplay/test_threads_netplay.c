/* Self-play from end to end, with the reference backend and a small random network: every record
 * can be replayed by the rules, its end is the one it says, and its targets are legal moves; games
 * do not depend on threads; stopped games go on. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "eval/net/reference.h"
#include "game/go/game_ops.h"
#include "game/go/score.h"
#include "game/shogi/game_ops.h"
#include "learn/netplay/go.h"
#include "learn/netplay/run.h"
#include "learn/netplay/sgf.h"
#include "learn/netplay/shogi.h"
#include "search/mate/dfpn.h"
#include "support/katago_net.h"
#include "support/onnx_net.h"
#include "support/picking_net.h"
#include "yomi/shogi.h"

static char folder[] = "/tmp/yomi-netplay-XXXXXX";
static char path[64], pending[72];
static struct yo_net *net;

static int set_up(void **unused) {
    (void)unused;
    struct katago_net kind = {.version = 8,
                              .blocks = "og",
                              .trunk = 4,
                              .mid = 4,
                              .pool = 2,
                              .head = 2,
                              .ky = 3,
                              .kx = 3,
                              .seed = 3};
    struct yo_buf file = {0};
    struct yo_diag diag;
    katago_net_make(&kind);
    katago_net_write(&kind, true, &file);
    enum yo_err err = yo_net_read(file.data, file.len, &net, &diag);
    katago_net_free(&kind);
    yo_buf_free(&file);
    if (err || !mkdtemp(folder)) return -1;
    snprintf(path, sizeof path, "%s/games", folder);
    snprintf(pending, sizeof pending, "%s.pending", path);
    return 0;
}

static int tear_down(void **unused) {
    (void)unused;
    yo_net_delete(net);
    unlink(path);
    unlink(pending);
    return rmdir(folder);
}

static struct yo_netplay_run a_run(const int *sizes, int count, int threads) {
    struct yo_netplay_run run = {.settings = yo_netplay_defaults,
                                 .net = net,
                                 .net_id = 42,
                                 .backend = &yo_net_reference,
                                 .sizes = sizes,
                                 .size_count = count,
                                 .groups = 2 * count,
                                 .at_once = 6,
                                 .threads = threads,
                                 .eval_threads = threads,
                                 .games = 8,
                                 .path = path};
    run.settings.rules = &yo_netplay_go;
    run.settings.rules_settings = &yo_netplay_go_defaults;
    run.settings.visits = 12;
    run.settings.fast_visits = 4;
    run.settings.cheap_visits = 2;
    run.settings.full_share = 0.5;
    run.settings.decided = 0.5f; /* a random network hardly leaves the middle */
    run.settings.resign_share = 0.3;
    return run;
}

static void play(const struct yo_netplay_run *run, struct yo_netplay_counts *counts) {
    struct yo_diag diag = {0};
    if (yo_netplay_run(run, counts, &diag) != YO_OK) fail_msg("%s", diag.what);
}

/* ---- what a record must be ---- */

static bool is_legal(const struct yo_go_position *pos, uint16_t move) {
    yo_move moves[YO_GO_POINTS_MAX + 1];
    size_t count = yo_go_ops.moves(pos, moves);
    for (size_t i = 0; i < count; i++)
        if (moves[i] == move) return true;
    return false;
}

static void check_owners(const struct yo_netplay_record *r, const struct yo_go_position *pos) {
    int lead2 = -yo_go_score_komi2(&pos->rules, 0), size = pos->board.geometry->size;
    if (r->cells == 0) {
        assert_int_equal(r->outcome, YO_OUTCOME_DRAW); /* a long cycle */
        return;
    }
    assert_int_equal(r->cells, (size_t)(size * size));
    for (size_t p = 0; p < r->cells; p++)
        lead2 += r->owner[p] == YO_GO_BLACK ? 2 : r->owner[p] == YO_GO_WHITE ? -2 : 0;
    assert_int_equal(lead2, r->lead2);
    enum yo_outcome outcome = lead2 > 0   ? YO_OUTCOME_FIRST
                              : lead2 < 0 ? YO_OUTCOME_SECOND
                                          : YO_OUTCOME_DRAW;
    assert_int_equal(r->outcome, outcome);
}

static void check_record(const struct yo_netplay_record *r) {
    void *game;
    struct yo_diag diag;
    struct yo_go_position pos;
    assert_int_equal(r->game, YO_NETPLAY_GO);
    assert_int_equal(r->net, 42);
    assert_int_equal(yo_netplay_go.create(r->setup, r->setup_size, &game, &diag), YO_OK);
    for (size_t i = 0; i < r->step_count; i++) {
        const struct yo_netplay_step *step = &r->steps[i];
        unsigned sum = 0;
        yo_go_position_from_game(game, &pos);
        assert_int_equal(yo_netplay_go.ended(&pos), YO_NETPLAY_UNFINISHED);
        assert_true(is_legal(&pos, step->move));
        for (size_t k = 0; k < step->target_count; k++) {
            const struct yo_netplay_target *t = &r->targets[step->target_at + k];
            assert_true(is_legal(&pos, t->move) && t->weight > 0);
            sum += t->weight;
        }
        if (step->kind == YO_NETPLAY_FULL)
            assert_in_range(sum, 1, 60030); /* the most that a target holds */
        assert_int_equal(yo_netplay_go.play(game, step->move, &diag), YO_OK);
    }
    yo_go_position_from_game(game, &pos);
    enum yo_netplay_end end = yo_netplay_go.ended(&pos);
    if (r->end == YO_NETPLAY_OVER || r->end == YO_NETPLAY_SETTLED) {
        assert_int_equal(end, r->end);
        check_owners(r, &pos);
    } else {
        assert_int_equal(end, YO_NETPLAY_UNFINISHED);
        assert_int_equal(r->cells, 0);
    }
    yo_netplay_go.destroy(game);
}

/* Reads the file; the records, sorted by their numbers, go to `out` as bytes. */
static size_t read_records(const char *from, size_t room, struct yo_buf *out) {
    struct yo_buf bytes = {0};
    struct yo_diag diag;
    struct yo_netplay_record record = {0};
    size_t at = 0, count = 0;
    assert_int_equal(yo_file_read(from, &bytes, &diag), YO_OK);
    for (;;) {
        enum yo_netplay_found found =
            yo_netplay_record_next(yo_buf_text(&bytes), bytes.len, &at, &record);
        if (found == YO_NETPLAY_NO_MORE) break;
        assert_int_equal(found, YO_NETPLAY_RECORD);
        check_record(&record);
        assert_true(record.number < room);
        count++;
        if (out) assert_int_equal(yo_netplay_record_write(&record, &out[record.number]), YO_OK);
    }
    yo_netplay_record_free(&record);
    yo_buf_free(&bytes);
    return count;
}

static void whole_games(void **state) {
    (void)state;
    static const int sizes[] = {5, 4, 7};
    struct yo_netplay_counts counts;
    struct yo_buf first[8] = {0}, second[8] = {0};
    /* One group for each thread count, so that a number always meets the same board. */
    struct yo_netplay_run run = a_run(sizes, 1, 1);
    play(&run, &counts);
    assert_int_equal(counts.games, 8);
    assert_int_equal(counts.first + counts.second + counts.draws + counts.cut, 8);
    assert_int_equal(read_records(path, 8, first), 8);
    assert_int_not_equal(access(pending, F_OK), 0);
    unlink(path);
    run.threads = 3;
    run.eval_threads = 2;
    run.groups = 3;
    play(&run, &counts);
    assert_int_equal(read_records(path, 8, second), 8);
    for (int i = 0; i < 8; i++) {
        assert_int_equal(first[i].len, second[i].len);
        assert_memory_equal(first[i].data, second[i].data, first[i].len);
        yo_buf_free(&first[i]);
        yo_buf_free(&second[i]);
    }
    unlink(path);
    run = a_run(sizes, 3, 2);
    run.games = 12;
    play(&run, &counts);
    assert_int_equal(read_records(path, 12, NULL), 12);
    unlink(path);
}

/* Full searches by sequential halving; and a match, in which a network against itself wins each
 * opening once, unless it is drawn. */
static void other_ways(void **state) {
    (void)state;
    static const int size = 5;
    struct yo_netplay_counts counts;
    struct yo_netplay_run run = a_run(&size, 1, 2);
    run.settings.gumbel = 4;
    play(&run, &counts);
    assert_int_equal(counts.games, 8);
    assert_int_equal(read_records(path, 8, NULL), 8);
    unlink(path);
    run = a_run(&size, 1, 2);
    run.settings.match = true;
    run.settings.reuse = false;
    run.settings.resign_share = 0;
    run.other = net;
    run.path = NULL;
    play(&run, &counts);
    assert_int_equal(counts.games, 8);
    assert_int_equal(counts.won, counts.lost);
    assert_int_equal(counts.won + counts.lost + counts.draws + counts.cut, 8);
}

/* The side that won is to move, and can mate. */
static void check_mate(const struct yo_shogi_position *pos, int outcome) {
    struct yo_dfpn *solver;
    struct yo_dfpn_limits limits = {.nodes = 1000000};
    struct yo_dfpn_answer answer;
    assert_int_equal(outcome, pos->side == YO_SHOGI_BLACK ? YO_OUTCOME_FIRST : YO_OUTCOME_SECOND);
    assert_int_equal(yo_dfpn_new(1, &solver), YO_OK);
    yo_dfpn_solve(solver, pos, &limits, NULL, &answer);
    assert_int_equal(answer.result, YO_DFPN_MATE);
    yo_dfpn_delete(solver);
}

/* Shogi, with a network of its own kind: moves are legal, and the end is that of the rules. */
static void check_shogi(const struct yo_netplay_record *r) {
    struct yo_shogi_state state;
    struct yo_diag diag;
    void *game;
    assert_int_equal(r->game, YO_NETPLAY_SHOGI);
    assert_int_equal(yo_netplay_shogi.create(r->setup, r->setup_size, &game, &diag), YO_OK);
    for (size_t i = 0; i < r->step_count; i++) {
        const struct yo_netplay_step *step = &r->steps[i];
        for (size_t k = 0; k < step->target_count; k++)
            assert_true(yo_shogi_game_legal(game, r->targets[step->target_at + k].move));
        assert_int_equal(yo_netplay_shogi.play(game, step->move, &diag), YO_OK);
    }
    yo_shogi_state_from_game(game, &state);
    if (r->end == YO_NETPLAY_OVER)
        assert_int_equal(yo_shogi_state_outcome(&state), r->outcome);
    else if (r->end == YO_NETPLAY_SETTLED)
        check_mate(&state.position, r->outcome);
    else
        assert_true(r->end == YO_NETPLAY_CUT || r->end == YO_NETPLAY_RESIGNED);
    yo_netplay_shogi.destroy(game);
}

/* Plays four games, and checks them; returns how many the mate solver ended. `games`: the records
 * by their numbers, or NULL. */
static size_t play_shogi(struct yo_netplay_run *run, struct yo_netplay_record *record,
                         struct yo_buf *games) {
    struct yo_buf bytes = {0};
    struct yo_diag diag;
    struct yo_netplay_counts counts;
    size_t at = 0, found = 0, settled = 0;
    run->games = 4;
    play(run, &counts);
    assert_int_equal(yo_file_read(path, &bytes, &diag), YO_OK);
    for (; yo_netplay_record_next(bytes.data, bytes.len, &at, record) == YO_NETPLAY_RECORD;
         found++) {
        check_shogi(record);
        settled += record->end == YO_NETPLAY_SETTLED;
        if (games) assert_int_equal(yo_netplay_record_write(record, &games[record->number]), YO_OK);
    }
    assert_int_equal(found, 4);
    yo_buf_free(&bytes);
    unlink(path);
    return settled;
}

/* A backend that gives the policies of the legal moves alone: the same games. */
static void play_picked(struct yo_netplay_run *run, struct yo_netplay_record *record) {
    struct yo_buf whole[4] = {0}, picked[4] = {0};
    play_shogi(run, record, whole);
    assert_int_equal(picking_net_picked(), 0);
    run->backend = &picking_net;
    play_shogi(run, record, picked);
    assert_true(picking_net_picked() > 100);
    run->backend = &yo_net_reference;
    for (int i = 0; i < 4; i++) {
        assert_true(whole[i].len > 0 && whole[i].len == picked[i].len);
        assert_memory_equal(whole[i].data, picked[i].data, whole[i].len);
        yo_buf_free(&whole[i]);
        yo_buf_free(&picked[i]);
    }
}

static void shogi(void **state) {
    (void)state;
    static const int size = 9;
    struct onnx_net kind = {
        .planes1 = 62, .planes2 = 57, .channels = 3, .blocks = 1, .value_channels = 2, .hidden = 4};
    struct yo_buf file = {0}, usi = {0};
    struct yo_diag diag;
    struct yo_netplay_run run = a_run(&size, 1, 2);
    struct yo_netplay_record record = {0};
    onnx_net_make(&kind);
    onnx_net_write(&kind, &file);
    assert_int_equal(yo_net_read(file.data, file.len, &run.net, &diag), YO_OK);
    run.settings.rules = &yo_netplay_shogi;
    run.settings.visits = 6;
    assert_int_equal(play_shogi(&run, &record, NULL), 0);
    run.settings.leaf_proof = 20;
    run.settings.root_proof = 100;
    assert_true(play_shogi(&run, &record, NULL) > 0);
    play_picked(&run, &record);
    assert_int_equal(yo_netplay_usi(&record, &usi, &diag), YO_OK);
    assert_memory_equal(usi.data, "startpos moves ", 15);
    yo_netplay_record_free(&record);
    yo_net_delete(run.net);
    onnx_net_free(&kind);
    yo_buf_free(&file);
    yo_buf_free(&usi);
}

/* ---- stopping and going on ---- */

static atomic_bool stop;

static void stop_soon(void *user, const struct yo_netplay_counts *counts) {
    (void)user, (void)counts;
    atomic_store(&stop, true);
}

/* A run that is stopped after a second saves its games; the next one ends them. */
static void goes_on(void **state) {
    (void)state;
    static const int sizes[] = {6, 9};
    struct yo_netplay_counts counts;
    struct yo_netplay_run run = a_run(sizes, 2, 2);
    run.settings.visits = 2000;
    run.settings.fast_visits = 1000;
    run.games = 6;
    run.stop = &stop;
    run.progress = stop_soon;
    play(&run, &counts);
    size_t unfinished = read_records(pending, 6, NULL);
    assert_int_equal(unfinished + counts.games, 6);
    atomic_store(&stop, false);
    run = a_run(sizes, 2, 2);
    run.games = 1; /* the six of before, and no new one but the one beside them */
    play(&run, &counts);
    assert_in_range(counts.games, unfinished, unfinished + 1);
    assert_int_not_equal(access(pending, F_OK), 0);
    unlink(path);
}

/* What a killed run leaves of its last record is cut off by the next. */
static void mends(void **state) {
    (void)state;
    static const int size = 4;
    struct yo_netplay_counts counts;
    struct yo_netplay_run run = a_run(&size, 1, 1);
    struct yo_buf bytes = {0};
    struct yo_diag diag;
    run.games = 3;
    play(&run, &counts);
    assert_int_equal(yo_file_read(path, &bytes, &diag), YO_OK);
    assert_int_equal(truncate(path, (off_t)bytes.len - 5), 0);
    run.games = 2;
    run.at_once = 2;
    play(&run, &counts);
    assert_int_equal(read_records(path, 8, NULL), 4);
    yo_buf_free(&bytes);
    unlink(path);
}

/* Called again for the same file, a run plays other games: their numbers, by which openings are
 * drawn, go on. */
static void numbers_go_on(void **state) {
    (void)state;
    static const int size = 5;
    struct yo_netplay_counts counts;
    struct yo_netplay_run run = a_run(&size, 1, 1);
    struct yo_buf bytes = {0};
    struct yo_netplay_record record = {0};
    struct yo_diag diag;
    size_t at = 0;
    bool seen[8] = {false};
    run.games = run.at_once = 4;
    play(&run, &counts);
    play(&run, &counts);
    assert_int_equal(yo_file_read(path, &bytes, &diag), YO_OK);
    while (yo_netplay_record_next(bytes.data, bytes.len, &at, &record) == YO_NETPLAY_RECORD) {
        assert_in_range(record.number, 0, 7);
        assert_false(seen[record.number]);
        seen[record.number] = true;
    }
    for (int i = 0; i < 8; i++)
        assert_true(seen[i]);
    yo_netplay_record_free(&record);
    yo_buf_free(&bytes);
    unlink(path);
}

/* A file with something else is refused, and stays as it is. */
static void refuses_others(void **state) {
    (void)state;
    static const int size = 5;
    static const char text[] = "(;GM[1]SZ[5];B[aa])\n";
    struct yo_netplay_counts counts;
    struct yo_netplay_run run = a_run(&size, 1, 1);
    struct yo_buf bytes = {0};
    struct yo_diag diag;
    run.games = run.at_once = 1;
    assert_int_equal(yo_file_replace(path, text, strlen(text), &diag), YO_OK);
    assert_int_equal(yo_netplay_run(&run, &counts, &diag), YO_ERR_PARSE);
    assert_non_null(strstr(diag.what, "no file of self-play games"));
    assert_int_equal(yo_file_read(path, &bytes, &diag), YO_OK);
    assert_string_equal(yo_buf_text(&bytes), text);
    yo_buf_free(&bytes);
    unlink(path);
}

static void as_sgf(void **state) {
    (void)state;
    static const int size = 5;
    struct yo_netplay_counts counts;
    struct yo_netplay_run run = a_run(&size, 1, 1);
    struct yo_buf bytes = {0}, text = {0};
    struct yo_netplay_record record = {0};
    struct yo_diag diag;
    size_t at = 0;
    run.games = run.at_once = 1;
    play(&run, &counts);
    assert_int_equal(yo_file_read(path, &bytes, &diag), YO_OK);
    assert_int_equal(yo_netplay_record_next(bytes.data, bytes.len, &at, &record),
                     YO_NETPLAY_RECORD);
    assert_int_equal(yo_netplay_sgf(&record, &text, &diag), YO_OK);
    assert_non_null(strstr(text.data, "SZ[5]"));
    assert_non_null(strstr(text.data, "search: "));
    record.steps[0].move = record.steps[1].move = 3;
    assert_int_not_equal(yo_netplay_sgf(&record, &text, &diag), YO_OK);
    yo_netplay_record_free(&record);
    yo_buf_free(&bytes);
    yo_buf_free(&text);
    unlink(path);
}

static void without_memory(void **state) {
    (void)state;
    static const int size = 4;
    struct yo_netplay_counts counts;
    struct yo_netplay_run run = a_run(&size, 1, 1);
    run.games = run.at_once = 1;
    run.groups = 1;
    for (int n = 0; n < 60; n++) {
        struct yo_diag diag = {0};
        yo_alloc_fail_after(n);
        enum yo_err err = yo_netplay_run(&run, &counts, &diag);
        yo_alloc_fail_after(-1);
        unlink(path);
        unlink(pending);
        if (err == YO_OK) return;
        assert_int_equal(err, YO_ERR_NOMEM);
        assert_true(diag.what[0] != '\0');
    }
}

/* Threads that share a group put questions into rows whose answers other games still have to read.
 */
static void many_in_a_group(void **state) {
    (void)state;
    enum { GAMES = 96 };
    static const int sizes[] = {5};
    static struct yo_buf alone[GAMES], together[GAMES];
    struct yo_netplay_counts counts;
    struct yo_netplay_run run = a_run(sizes, 1, 1);
    run.games = run.at_once = GAMES;
    run.settings.visits = 6;
    run.settings.fast_visits = 3;
    play(&run, &counts);
    assert_int_equal(read_records(path, GAMES, alone), GAMES);
    unlink(path);
    run.threads = 4;
    run.eval_threads = 2;
    play(&run, &counts);
    assert_int_equal(read_records(path, GAMES, together), GAMES);
    unlink(path);
    for (int i = 0; i < GAMES; i++) {
        assert_int_equal(alone[i].len, together[i].len);
        assert_memory_equal(alone[i].data, together[i].data, alone[i].len);
        yo_buf_free(&alone[i]);
        yo_buf_free(&together[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_games),   cmocka_unit_test(many_in_a_group),
        cmocka_unit_test(goes_on),       cmocka_unit_test(mends),
        cmocka_unit_test(numbers_go_on), cmocka_unit_test(refuses_others),
        cmocka_unit_test(as_sgf),        cmocka_unit_test(other_ways),
        cmocka_unit_test(shogi),         cmocka_unit_test(without_memory),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
