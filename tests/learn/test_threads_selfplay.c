/* Games against itself: the same bytes on any number of threads and after any break, and samples
 * that say what happened. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "game/shogi/movegen.h"
#include "game/shogi/see.h"
#include "game/shogi/text.h"
#include "learn/selfplay_run.h"
#include "learn/selfplay_store.h"
#include "search/alphabeta/alphabeta.h"
#include "search/mate/dfpn.h"

#define TEXT "settings of a test"
enum { GAMES = 12 };

static char folder[] = "/tmp/yomi-selfplay-XXXXXX";

static int set_up(void **unused) {
    (void)unused;
    return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **unused) {
    (void)unused;
    return rmdir(folder);
}

static const char *path_of(const char *name) {
    static char paths[4][64];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void forget(const char *name) {
    char state[80];
    snprintf(state, sizeof state, "%s.state", path_of(name));
    unlink(path_of(name));
    unlink(state);
}

static struct yo_selfplay_run a_run(const char *path, uint64_t games, int threads) {
    struct yo_selfplay_run run = {.settings = yo_selfplay_defaults,
                                  .settings_text = TEXT,
                                  .path = path,
                                  .games = games,
                                  .threads = threads};
    run.settings.nodes = 60;
    run.settings.asides = 1;
    run.settings.max_moves = 120;
    return run;
}

static struct yo_selfplay_tally finish(const struct yo_selfplay_run *run) {
    struct yo_selfplay_tally tally;
    struct yo_diag diag = {0};
    if (yo_selfplay_run(run, &tally, &diag)) fail_msg("%s", diag.what);
    assert_int_equal(tally.games, run->games);
    assert_int_equal(tally.first + tally.second + tally.draws, tally.games);
    return tally;
}

static uint8_t *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    uint8_t *bytes = malloc(1 << 20);
    *size = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    return bytes;
}

static void assert_same_files(const char *a, const char *b) {
    size_t sizes[2];
    uint8_t *bytes[2] = {read_file(path_of(a), &sizes[0]), read_file(path_of(b), &sizes[1])};
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(bytes[0], bytes[1], sizes[0]);
    free(bytes[0]);
    free(bytes[1]);
}

static void threads_do_not_matter(void **unused) {
    (void)unused;
    struct yo_selfplay_run one = a_run(path_of("one"), GAMES, 1);
    struct yo_selfplay_run three = a_run(path_of("three"), GAMES, 3);
    struct yo_selfplay_tally tallies[2] = {finish(&one), finish(&three)};
    assert_memory_equal(&tallies[0], &tallies[1], sizeof tallies[0]);
    assert_same_files("one", "three");
    forget("three");

    /* In two parts, with half a game's bytes at the end of the first. */
    struct yo_selfplay_run part = a_run(path_of("parts"), GAMES / 3, 2);
    finish(&part);
    FILE *file = fopen(part.path, "ab");
    fputs("an interrupted game", file);
    fclose(file);
    part.games = GAMES;
    finish(&part);
    assert_same_files("one", "parts");
    finish(&part); /* nothing is left to do */
    assert_same_files("one", "parts");
    forget("parts");
    forget("one");
}

struct canceller {
    atomic_bool stop;
    uint64_t after;
};

static void cancel(void *user, const struct yo_selfplay_tally *tally) {
    struct canceller *c = user;
    if (tally->games >= c->after) atomic_store(&c->stop, true);
}

static void a_stop_loses_nothing(void **unused) {
    (void)unused;
    struct yo_selfplay_run whole = a_run(path_of("whole"), GAMES, 2);
    finish(&whole);
    struct yo_selfplay_run broken = a_run(path_of("broken"), GAMES, 2);
    struct canceller c = {.after = 4};
    struct yo_selfplay_tally tally;
    broken.stop = &c.stop;
    broken.progress = cancel;
    broken.user = &c;
    assert_int_equal(yo_selfplay_run(&broken, &tally, NULL), YO_OK);
    assert_true(tally.games >= 4 && tally.games <= GAMES);
    broken.stop = NULL;
    broken.progress = NULL;
    finish(&broken);
    assert_same_files("whole", "broken");
    forget("whole");
    forget("broken");
}

static void read_sample(const uint8_t *bytes, struct yo_shogi_sample *sample,
                        struct yo_shogi_position *pos) {
    assert_int_equal(yo_shogi_sample_read(bytes, sample, NULL), YO_OK);
    assert_int_equal(yo_shogi_unpack(sample->position, pos, NULL), YO_OK);
}

/* Every sample can be read, its move can be played, no position comes twice, and the signs of the
 * results change with the side to move. What stands beside the game has no result. */
static void samples_are_sound(void **unused) {
    (void)unused;
    struct yo_selfplay_run run = a_run(path_of("samples"), GAMES, 2);
    struct yo_selfplay_tally tally = finish(&run);
    size_t size, quiet = 0, asides = 0, games = 0;
    uint8_t *bytes = read_file(run.path, &size);
    assert_int_equal(size, tally.positions * YO_SHOGI_SAMPLE);
    assert_true(tally.positions > GAMES);
    int black = 0, ply = 1000;
    for (size_t i = 0; i < tally.positions; i++) {
        const uint8_t *at = bytes + i * YO_SHOGI_SAMPLE;
        struct yo_shogi_sample sample;
        struct yo_shogi_position pos;
        read_sample(at, &sample, &pos);
        assert_true(yo_shogi_move_is_sound(&pos, sample.move));
        assert_int_equal(pos.side, sample.ply % 2);
        assert_true(abs(sample.score) < run.settings.decided);
        bool is_quiet = !shogi_in_check(&pos) && !pos.board[shogi_to(sample.move)] &&
                        !shogi_promotes(sample.move);
        for (size_t j = 0; j < i; j++)
            assert_memory_not_equal(at, bytes + j * YO_SHOGI_SAMPLE, YO_SHOGI_PACKED);
        if (sample.flags & YO_SHOGI_SAMPLE_ASIDE) {
            assert_true(is_quiet);
            assert_int_equal(sample.flags, YO_SHOGI_SAMPLE_ASIDE | YO_SHOGI_SAMPLE_QUIET);
            assert_int_equal(sample.result, 0);
            asides++;
            continue;
        }
        /* Plies grow within a game, and all its samples have one winner. */
        int winner = pos.side ? -sample.result : sample.result;
        games += sample.ply <= ply || winner != black;
        black = winner;
        ply = sample.ply;
        assert_int_equal(sample.flags, is_quiet ? YO_SHOGI_SAMPLE_QUIET : 0);
        quiet += is_quiet;
    }
    assert_true(games <= GAMES);
    assert_true(quiet > 0 && quiet + asides < tally.positions && asides > tally.positions / 4);
    free(bytes);
    forget("samples");
}

static bool gains_at_once(const struct yo_shogi_position *pos) {
    yo_shogi_move moves[YO_SHOGI_LIST];
    size_t count = yo_shogi_legal_moves(pos, moves);
    for (size_t i = 0; i < count; i++)
        if ((pos->board[shogi_to(moves[i])] || shogi_promotes(moves[i])) &&
            yo_shogi_see(pos, moves[i]) > 0)
            return true;
    return false;
}

/* Leaves are quiet, have neither a move nor a result, and change no game. */
static void leaves_are_quiet(void **unused) {
    (void)unused;
    struct yo_selfplay_run run = a_run(path_of("plain"), 6, 2);
    struct yo_selfplay_tally plain = finish(&run);
    forget("plain");
    run.path = path_of("leaves");
    run.settings.leaves = 5;
    struct yo_selfplay_tally tally = finish(&run);
    assert_int_equal(tally.first, plain.first);
    assert_int_equal(tally.second, plain.second);
    assert_true(tally.positions > plain.positions);
    size_t size, leaves = 0, moves = 0;
    uint8_t *bytes = read_file(run.path, &size);
    for (size_t i = 0; i < tally.positions; i++) {
        struct yo_shogi_sample sample;
        struct yo_shogi_position pos;
        read_sample(bytes + i * YO_SHOGI_SAMPLE, &sample, &pos);
        if (sample.move != YO_SHOGI_NO_MOVE) {
            moves++;
            continue;
        }
        leaves++;
        assert_int_equal(sample.flags, YO_SHOGI_SAMPLE_ASIDE | YO_SHOGI_SAMPLE_QUIET);
        assert_int_equal(sample.result, 0);
        assert_int_equal(pos.side, sample.ply % 2);
        assert_true(abs(sample.score) < run.settings.decided);
        assert_false(shogi_in_check(&pos));
        assert_false(gains_at_once(&pos));
    }
    assert_true(leaves > plain.positions / 4);
    assert_true(moves <= plain.positions && moves > plain.positions / 2);
    free(bytes);
    forget("leaves");
}

/* Some searches have more nodes, and draw as many more leaves. The same seed gives the same games.
 */
static void deep_searches_draw_more_leaves(void **unused) {
    (void)unused;
    struct yo_selfplay_run run = a_run(path_of("shallow"), 4, 2);
    run.settings.leaves = 4;
    struct yo_selfplay_tally shallow = finish(&run), deep[2];
    forget("shallow");
    run.settings.deep_nodes = 8 * run.settings.nodes;
    run.settings.deep_share = 0.5;
    for (int i = 0; i < 2; i++) {
        run.path = path_of("deep");
        deep[i] = finish(&run);
        forget("deep");
    }
    assert_int_equal(deep[0].positions, deep[1].positions);
    assert_int_equal(deep[0].nodes, deep[1].nodes);
    double moves = (double)deep[0].moves / (double)shallow.moves;
    assert_true((double)deep[0].positions > 2 * moves * (double)shallow.positions);
    assert_true((double)deep[0].nodes > 2 * moves * (double)shallow.nodes);
}

/* Where the solver finds a mate, the score says so. */
static void mates_are_seen(void **unused) {
    (void)unused;
    struct yo_selfplay_run run = a_run(path_of("mates"), GAMES, 2);
    run.settings.decided = YO_AB_MATE; /* so that such positions are kept */
    run.settings.mate_nodes = 100;
    struct yo_selfplay_tally tally = finish(&run);
    size_t size, mates = 0;
    uint8_t *bytes = read_file(run.path, &size);
    struct yo_dfpn *solver;
    struct yo_dfpn_limits limits = {.nodes = run.settings.mate_nodes};
    static struct yo_dfpn_answer answer;
    assert_int_equal(yo_dfpn_new(0, &solver), YO_OK);
    for (size_t i = 0; i < tally.positions; i++) {
        struct yo_shogi_sample sample;
        struct yo_shogi_position pos;
        read_sample(bytes + i * YO_SHOGI_SAMPLE, &sample, &pos);
        if (sample.flags & YO_SHOGI_SAMPLE_ASIDE) continue; /* moves away from what was searched */
        yo_dfpn_solve(solver, &pos, &limits, NULL, &answer);
        if (answer.result != YO_DFPN_MATE) continue;
        assert_int_equal(sample.score, YO_AB_MATE - (int)answer.length);
        mates++;
    }
    assert_true(mates > 0);
    yo_dfpn_delete(solver);
    free(bytes);
    forget("mates");
}

/* Equal players: what one side wins with an opening the other wins with it too. */
static void a_match_with_oneself_is_even(void **unused) {
    (void)unused;
    struct yo_selfplay_run run = a_run(NULL, GAMES, 3);
    run.settings.match = true;
    struct yo_selfplay_tally tally = finish(&run);
    assert_int_equal(tally.first, tally.second);
    assert_int_equal(tally.positions, 0);
}

static void other_settings_are_refused(void **unused) {
    (void)unused;
    struct yo_selfplay_run run = a_run(path_of("first"), 2, 1);
    struct yo_selfplay_tally tally;
    struct yo_diag diag = {0};
    finish(&run);
    run.settings_text = "other settings";
    assert_int_equal(yo_selfplay_run(&run, &tally, &diag), YO_ERR_ARGUMENT);
    assert_non_null(strstr(diag.what, TEXT));
    assert_non_null(strstr(diag.hint, "another file"));
    run.settings_text = TEXT;

    assert_int_equal(truncate(run.path, 100), 0); /* less than the .state file says */
    run.games = 3;
    assert_int_equal(yo_selfplay_run(&run, &tally, &diag), YO_ERR_PARSE);
    char state[80];
    snprintf(state, sizeof state, "%s.state", run.path);
    unlink(state);
    assert_int_equal(yo_selfplay_run(&run, &tally, &diag), YO_ERR_IO); /* not ours */
    assert_non_null(strstr(diag.hint, "another name"));
    unlink(run.path);
    run.path = "/nonexistent/file";
    assert_int_equal(yo_selfplay_run(&run, &tally, &diag), YO_ERR_IO);
}

static void memory_may_run_out(void **unused) {
    (void)unused;
    struct yo_selfplay_run run = a_run(path_of("memory"), 1, 1);
    run.settings.leaves = 1;
    struct yo_selfplay_tally tally;
    enum yo_err err = YO_ERR_NOMEM;
    for (long n = 0; err; n++) {
        yo_alloc_fail_after(n);
        err = yo_selfplay_run(&run, &tally, NULL);
        yo_alloc_fail_after(-1);
        if (err) assert_int_equal(err, YO_ERR_NOMEM);
        forget("memory");
    }
}

/* However few nodes a search has, its first depth gives a value, which is worth a sample. */
static void searches_of_one_node_have_values(void **unused) {
    (void)unused;
    struct yo_selfplay_settings settings = yo_selfplay_defaults;
    struct yo_selfplayer *player;
    struct yo_selfplay_game game = {0};
    settings.nodes = 1;
    settings.mate_nodes = 0;
    settings.max_moves = 100;
    assert_int_equal(yo_selfplayer_new(&settings, &player), YO_OK);
    assert_int_equal(yo_selfplayer_play(player, 0, NULL, &game), YO_OK);
    assert_true(game.moves > settings.random_moves + 1); /* beyond the first search */
    assert_true(game.count > 0);
    yo_free(game.samples);
    yo_selfplayer_delete(player);
}

/* A game of which only a part was written is played again by the run that goes on. */
static void a_game_is_stored_whole_or_not_at_all(void **unused) {
    (void)unused;
    enum { SAMPLES = 3000 };
    static struct yo_shogi_sample samples[SAMPLES];
    const char *path = path_of("whole");
    struct yo_selfplay_game first = {.samples = samples, .count = 1, .outcome = YO_OUTCOME_DRAW},
                            second = {.samples = samples, .count = SAMPLES, .moves = 7};
    struct selfplay_store store;
    second.outcome = YO_OUTCOME_FIRST;
    for (int i = 0; i < SAMPLES; i++)
        memcpy(samples[i].position, &i, sizeof i);
    assert_int_equal(yo_selfplay_store_open(&store, path, TEXT, NULL), YO_OK);
    assert_int_equal(yo_selfplay_store_add(&store, &first, false, NULL), YO_OK);
    yo_alloc_fail_after(0);
    assert_int_equal(yo_selfplay_store_add(&store, &second, false, NULL), YO_ERR_NOMEM);
    yo_alloc_fail_after(-1);
    assert_int_equal(store.tally.games, 1);
    assert_int_equal(yo_selfplay_store_save(&store, NULL), YO_OK);
    yo_selfplay_store_close(&store);
    assert_int_equal(yo_selfplay_store_open(&store, path, TEXT, NULL), YO_OK);
    assert_int_equal(yo_selfplay_store_add(&store, &second, false, NULL), YO_OK);
    assert_int_equal(store.tally.games, 2);
    assert_int_equal(store.tally.moves, 7);
    assert_int_equal(store.tally.positions, SAMPLES);
    assert_int_equal(store.tally.repeated, 1);
    yo_selfplay_store_close(&store);
    forget("whole");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(a_stop_loses_nothing),
        cmocka_unit_test(samples_are_sound),
        cmocka_unit_test(leaves_are_quiet),
        cmocka_unit_test(deep_searches_draw_more_leaves),
        cmocka_unit_test(mates_are_seen),
        cmocka_unit_test(searches_of_one_node_have_values),
        cmocka_unit_test(a_match_with_oneself_is_even),
        cmocka_unit_test(other_settings_are_refused),
        cmocka_unit_test(memory_may_run_out),
        cmocka_unit_test(a_game_is_stored_whole_or_not_at_all),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
