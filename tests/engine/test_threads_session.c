/* Sessions: thinking in a thread of its own, pondering, stopping; and two of them in one process.
 */
#include "support/test.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/time.h"
#include "engine/session.h"

/* What a listener heard. */
struct heard {
    pthread_mutex_t lock;
    /* Under the lock: */
    int reports, answers;
    struct yo_session_answer answer;
    uint64_t nodes;
    char trouble[128];
};

static void on_report(void *user, const struct yo_search_result *r) {
    struct heard *h = user;
    (void)r;
    pthread_mutex_lock(&h->lock);
    h->reports++;
    pthread_mutex_unlock(&h->lock);
}

static void on_answer(void *user, const struct yo_session_answer *a) {
    struct heard *h = user;
    pthread_mutex_lock(&h->lock);
    h->answers++;
    h->answer = *a;
    h->nodes = a->result.nodes;
    if (a->err) snprintf(h->trouble, sizeof h->trouble, "%s", a->diag->what);
    pthread_mutex_unlock(&h->lock);
}

static int answers_of(struct heard *h) {
    pthread_mutex_lock(&h->lock);
    int answers = h->answers;
    pthread_mutex_unlock(&h->lock);
    return answers;
}

static struct yo_session *new_session(const char *eval) {
    struct yo_session *s;
    struct yo_session_config config = {.game = YO_SESSION_SHOGI, .strict = true};
    assert_int_equal(yo_session_new(&config, &s, NULL), YO_OK);
    assert_int_equal(yo_session_set(s, YO_ON_USI, "USI_Hash", "1", NULL), YO_OK);
    assert_int_equal(yo_session_set(s, YO_ON_CLI, "eval", eval, NULL), YO_OK);
    return s;
}

static void start(struct yo_session *s, struct yo_session_request request, struct heard *h) {
    struct yo_session_listener listener = {on_report, on_answer, h};
    memset(h, 0, sizeof *h);
    pthread_mutex_init(&h->lock, NULL);
    assert_int_equal(yo_session_start(s, &request, &listener, NULL), YO_OK);
}

/* ---- two at once ---- */

struct player {
    const char *eval;
    uint64_t nodes[3];
};

static void *play(void *arg) {
    struct player *p = arg;
    struct yo_session *s = new_session(p->eval);
    for (int i = 0; i < 3; i++) {
        struct heard h;
        start(s, (struct yo_session_request){.limits = {.depth = 6}}, &h);
        yo_session_wait(s);
        assert_int_equal(h.answers, 1);
        assert_int_equal(h.answer.kind, YO_ANSWER_MOVE);
        p->nodes[i] = h.nodes;
        yo_shogi_move move = (yo_shogi_move)h.answer.move;
        assert_int_equal(yo_shogi_game_play(yo_session_shogi(s), move, NULL), YO_OK);
    }
    yo_session_delete(s);
    return NULL;
}

/* What one does, the other does not notice: each searches as if it were alone. */
static void sessions_share_nothing(void **unused) {
    (void)unused;
    static const char *const evals[] = {"material", "builtin"};
    struct player alone[2] = {{.eval = evals[0]}, {.eval = evals[1]}}, both[2];
    pthread_t threads[2];
    memcpy(both, alone, sizeof both);
    for (int i = 0; i < 2; i++)
        play(&alone[i]);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, play, &both[i]), 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 2; i++)
        assert_memory_equal(alone[i].nodes, both[i].nodes, sizeof both[i].nodes);
    assert_int_not_equal(alone[0].nodes[2], alone[1].nodes[2]);
}

struct go_player {
    const char *search;
    yo_go_point moves[6];
    uint64_t visits[6];
};

static void *play_go(void *arg) {
    struct go_player *p = arg;
    struct yo_session *s;
    struct yo_session_config config = {.game = YO_SESSION_GO};
    static const char *const options[][2] = {
        {"playouts", "300"}, {"threads", "1"}, {"memory", "8"}, {"visits", "200"}};
    assert_int_equal(yo_session_new(&config, &s, NULL), YO_OK);
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        assert_int_equal(yo_session_set(s, YO_ON_GTP, options[i][0], options[i][1], NULL), YO_OK);
    assert_int_equal(yo_session_set(s, YO_ON_CLI, "search", p->search, NULL), YO_OK);
    assert_int_equal(yo_go_game_clear(yo_session_go(s), 9), YO_OK);
    for (int i = 0; i < 6; i++) {
        struct yo_search_limits limits = {0};
        struct yo_search_result result;
        enum yo_go_color color = i % 2 ? YO_GO_WHITE : YO_GO_BLACK;
        assert_int_equal(yo_session_think(s, color, &limits, NULL, NULL, NULL, &result, NULL),
                         YO_OK);
        assert_in_range(result.playouts, 1, 200);
        p->visits[i] = result.moves[0].visits;
        assert_int_equal(yo_session_play_best(s, color, true, &result, &p->moves[i], NULL), YO_OK);
    }
    assert_int_equal(yo_go_game_move_count(yo_session_go(s)), 6);
    yo_session_delete(s);
    return NULL;
}

static void go_sessions_share_nothing(void **unused) {
    (void)unused;
    struct go_player alone[2] = {{.search = "uct"}, {.search = "flat"}}, both[2];
    pthread_t threads[2];
    memcpy(both, alone, sizeof both);
    for (int i = 0; i < 2; i++)
        play_go(&alone[i]);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, play_go, &both[i]), 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert_memory_equal(alone, both, sizeof both);
}

/* A tree with values of the static evaluation plays legal moves, sees a mate in one, and keeps its
 * tree from move to move. */
static void uct_plays_shogi(void **unused) {
    (void)unused;
    struct yo_session *s = new_session("material");
    struct yo_shogi_game *game;
    struct heard h;
    assert_int_equal(yo_session_set(s, YO_ON_USI, "search", "uct", NULL), YO_OK);
    for (int i = 0; i < 8; i++) {
        start(s, (struct yo_session_request){.limits = {.nodes = 150}}, &h);
        yo_session_wait(s);
        assert_int_equal(h.answer.kind, YO_ANSWER_MOVE);
        assert_true(h.reports > 0);
        yo_shogi_move move = (yo_shogi_move)h.answer.move;
        assert_int_equal(yo_shogi_game_play(yo_session_shogi(s), move, NULL), YO_OK);
    }
    assert_string_equal(yo_session_search_name(s), "uct");
    assert_int_equal(yo_shogi_game_new("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", &game, NULL), YO_OK);
    yo_session_take_shogi(s, game);
    start(s, (struct yo_session_request){.limits = {.nodes = 2000}}, &h);
    yo_session_wait(s);
    yo_shogi_move mate = (yo_shogi_move)h.answer.move;
    assert_int_equal(yo_shogi_game_play(game, mate, NULL), YO_OK);
    assert_int_equal(yo_shogi_game_outcome(game), YO_SHOGI_BLACK_WINS);
    yo_session_delete(s);
}

/* ---- waiting for a word ---- */

static void ponder_with(const char *search) {
    struct yo_session *s = new_session("material");
    struct yo_shogi_clock clocks[2] = {{-1, -1, 100}, {-1, -1, 100}};
    struct heard h;
    assert_int_equal(yo_session_set(s, YO_ON_USI, "search", search, NULL), YO_OK);
    yo_session_set(s, YO_ON_USI, "MinimumThinkingTime", "0", NULL);
    yo_session_set(s, YO_ON_USI, "NetworkDelay2", "0", NULL);
    yo_session_set_clocks(s, clocks);
    start(s, (struct yo_session_request){.ponder = true}, &h);
    usleep(150000); /* more than the clock has */
    assert_int_equal(answers_of(&h), 0);
    assert_true(yo_session_is_thinking(s) && yo_session_is_pondering(s));
    yo_session_ponderhit(s, yo_time_ms());
    assert_false(yo_session_is_pondering(s));
    yo_session_wait(s);
    assert_int_equal(answers_of(&h), 1);
    assert_int_equal(h.answer.kind, YO_ANSWER_MOVE);
    assert_false(yo_session_is_thinking(s));
    yo_session_ponderhit(s, yo_time_ms()); /* nobody asked */
    yo_session_delete(s);
}

static void pondering_ends_by_the_clock(void **unused) {
    (void)unused;
    ponder_with("alphabeta");
    ponder_with("uct");
}

static void infinite_answers_when_it_is_stopped(void **unused) {
    (void)unused;
    struct yo_session *s = new_session("material");
    struct heard h;
    start(s, (struct yo_session_request){.infinite = true, .limits = {.depth = 1}}, &h);
    usleep(50000);
    assert_int_equal(answers_of(&h), 0); /* though nothing is left to search */
    yo_session_stop(s);
    assert_int_equal(answers_of(&h), 1);
    assert_true(h.reports > 0);
    start(s, (struct yo_session_request){.infinite = true}, &h);
    yo_session_delete(s); /* answered as well */
    assert_int_equal(answers_of(&h), 1);
}

/* ---- what it refuses, and what it says ---- */

static void limits_of_another_search_are_refused(void **unused) {
    (void)unused;
    struct yo_session *s = new_session("material");
    struct heard h;
    start(s, (struct yo_session_request){.limits = {.playouts = 100}}, &h);
    yo_session_wait(s);
    assert_int_equal(h.answer.err, YO_ERR_ARGUMENT);
    assert_string_equal(h.trouble, "the search alphabeta cannot be limited by playouts");
    yo_session_delete(s);
}

static void searches_of_another_game_are_refused(void **unused) {
    (void)unused;
    struct yo_diag diag = {0};
    assert_string_equal(yo_search_kind_find(yo_search_kinds, YO_SESSION_GO, NULL, NULL)->name,
                        "uct");
    assert_string_equal(yo_search_kind_find(yo_search_kinds, YO_SESSION_SHOGI, "auto", NULL)->name,
                        "alphabeta");
    assert_null(yo_search_kind_find(yo_search_kinds, YO_SESSION_GO, "alphabeta", &diag));
    assert_string_equal(diag.what, "there is no search alphabeta for Go");
    assert_string_equal(diag.hint, "it takes uct, flat, puct, mcss");
}

static void notice(void *user, const char *text) { snprintf(user, 128, "%s", text); }

static void strict_sessions_fail_and_others_go_on(void **unused) {
    (void)unused;
    struct yo_session *s = new_session("/no/such/file");
    struct yo_diag diag;
    assert_int_equal(yo_session_prepare(s, &diag), YO_ERR_IO);
    yo_session_delete(s);
    char said[128] = "";
    struct yo_session_config config = {.game = YO_SESSION_SHOGI, .notice = notice, .user = said};
    assert_int_equal(yo_session_new(&config, &s, NULL), YO_OK);
    yo_session_set(s, YO_ON_USI, "EvalFile", "/no/such/file", NULL);
    assert_int_equal(yo_session_prepare(s, &diag), YO_OK);
    assert_int_equal(strncmp(said, "evaluating by ", 14), 0);
    yo_session_delete(s);
}

/* Whichever allocation fails: an error or an answer, and nothing is lost or read after it is freed.
 */
static void memory_may_run_out(void **unused) {
    (void)unused;
    static const enum yo_session_game games[] = {YO_SESSION_GO, YO_SESSION_SHOGI};
    for (size_t g = 0; g < 2; g++) {
        enum yo_err err = YO_ERR_NOMEM;
        for (int n = 0; err && n < 500; n++) {
            struct yo_session_config config = {.game = games[g], .strict = true};
            struct yo_session *s = NULL;
            struct yo_search_limits limits = {0};
            struct yo_search_result result;
            *(games[g] == YO_SESSION_GO ? &limits.playouts : &limits.nodes) = 5;
            yo_alloc_fail_after(n);
            err = yo_session_new(&config, &s, NULL);
            if (!err) err = yo_session_set(s, YO_ON_CLI, "memory", "1", NULL);
            if (!err) err = yo_session_set(s, YO_ON_CLI, "threads", "1", NULL);
            /* Networks have such tests of their own, and the built-in one takes long to read. */
            if (!err) err = yo_session_set(s, YO_ON_CLI, "net", g == 0 ? "none" : "", NULL);
            if (!err) err = yo_session_analyse(s, NULL, &limits, NULL, NULL, NULL, &result, NULL);
            yo_alloc_fail_after(-1);
            if (err) assert_int_equal(err, YO_ERR_NOMEM);
            if (s) yo_session_delete(s);
        }
        assert_int_equal(err, YO_OK);
    }
}

static void names_are_one_table(void **unused) {
    (void)unused;
    struct yo_session *s = new_session("material");
    struct yo_diag diag = {0};
    assert_int_equal(yo_options_int(yo_session_options(s), "memory"), 1);
    assert_int_equal(yo_session_set(s, YO_ON_CLI, "memory", "2", &diag), YO_OK);
    assert_int_equal(yo_options_int(yo_session_options(s), "USI_Hash"), 2);
    assert_int_equal(yo_session_set(s, YO_ON_USI, "nosuch", "2", &diag), YO_ERR_UNKNOWN);
    assert_int_equal(yo_session_set(s, YO_ON_USI, "futility_margin", "50", &diag), YO_ERR_UNKNOWN);
    assert_int_equal(yo_session_set(s, YO_ON_TUNE, "futility_margin", "50", &diag), YO_OK);
    yo_session_delete(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sessions_share_nothing),
        cmocka_unit_test(go_sessions_share_nothing),
        cmocka_unit_test(uct_plays_shogi),
        cmocka_unit_test(pondering_ends_by_the_clock),
        cmocka_unit_test(infinite_answers_when_it_is_stopped),
        cmocka_unit_test(limits_of_another_search_are_refused),
        cmocka_unit_test(searches_of_another_game_are_refused),
        cmocka_unit_test(strict_sessions_fail_and_others_go_on),
        cmocka_unit_test(names_are_one_table),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
