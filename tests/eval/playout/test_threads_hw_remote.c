/* The engine attached to a hardware server: the same results as without it, whatever the server
 * does, and a word when it was of no use. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "eval/playout/hw/socket.h"
#include "eval/playout/hw/wire.h"
#include "eval/playout/playouts.h"
#include "eval/playout/position.h"
#include "support/backend_env.h"
#include "support/hw_server.h"
#include "support/playout_positions.h"

#define GAMES 600

struct outcome {
    struct yo_eval_result result;
    uint32_t histogram[2 * YO_GO_POINTS_MAX + 1];
    int32_t ownership[YO_GO_POINTS_MAX];
};

static int lost, back;

static void hear(void *user, const char *text) {
    (void)user;
    lost += strstr(text, "is lost") != NULL;
    back += strstr(text, "is back") != NULL;
}

static int listen_to_notices(void **state) {
    (void)state;
    lost = back = 0;
    backend_env.notices.notify = hear;
    return 0;
}

static enum yo_err play_on(struct yo_eval eval, const struct yo_playout_position *plain,
                           struct outcome *outcome) {
    struct yo_go_position position;
    memset(outcome, 0, sizeof *outcome);
    outcome->result.playouts.histogram = outcome->histogram;
    outcome->result.playouts.owner = outcome->ownership;
    yo_playout_position_to_go(plain, &position);
    struct yo_eval_item item = {.position = &position,
                                .want = YO_EVAL_PLAYOUTS,
                                .results = &outcome->result,
                                .playouts = GAMES,
                                .seed = 3,
                                .first_game = 50};
    return yo_eval_run(eval, &item, 1, NULL);
}

static enum yo_err play(const char *backend, const struct yo_playout_position *position,
                        struct outcome *outcome) {
    struct yo_eval eval;
    enum yo_err err = yo_playouts_eval_open_with(backend, &backend_env, 2, &eval, NULL);
    if (err) return err;
    err = play_on(eval, position, outcome);
    eval.ops->destroy(eval.ctx);
    return err;
}

/* So often, on one evaluator. */
static void expect_right_games(const char *path, int times) {
    static struct outcome should, is;
    struct yo_playout_position position;
    struct yo_eval eval;
    char name[96];
    snprintf(name, sizeof name, "hw:%s", path);
    assert_int_equal(yo_playouts_eval_open_with(name, &backend_env, 2, &eval, NULL), YO_OK);
    for (int i = 0; i < times; i++) {
        random_position(&position, 9, 40);
        assert_int_equal(play("scalar", &position, &should), YO_OK);
        assert_int_equal(play_on(eval, &position, &is), YO_OK);
        const struct yo_eval_playouts *a = &is.result.playouts, *b = &should.result.playouts;
        assert_int_equal(a->games, GAMES);
        assert_int_equal(a->moves, b->moves);
        assert_int_equal(a->half_wins_first, b->half_wins_first);
        assert_int_equal(a->score2_first, b->score2_first);
        assert_memory_equal(is.histogram, should.histogram, sizeof is.histogram);
        assert_memory_equal(is.ownership, should.ownership, sizeof is.ownership);
    }
    eval.ops->destroy(eval.ctx);
}

static void plays_on_a_server(void **state) {
    (void)state;
    struct hw_test_server server;
    srand(41);
    hw_server_start(&server, 8, 5000);
    expect_right_games(server.path, 1);
    char name[96];
    struct outcome outcome;
    struct yo_playout_position position;
    snprintf(name, sizeof name, "check:hw:%s", server.path);
    random_position(&position, 9, 20);
    assert_int_equal(play(name, &position, &outcome), YO_OK);
    random_position(&position, 13, 20); /* which this server does not play */
    assert_int_equal(play(name + strlen("check:"), &position, &outcome), YO_ERR_UNSUPPORTED);
    hw_server_stop(&server);
    assert_int_equal(lost, 0);
}

/* ---- servers that are of no use ---- */

enum vice { DIES_AT_ONCE, DIES_HALFWAY, LIES, ANSWERS_OTHERS };

struct bad_server {
    enum vice vice;
    char path[64];
    int listening;
    atomic_bool stop;
    pthread_t thread;
};

static void misbehave(const struct bad_server *server, int fd, const uint8_t *frame) {
    static uint32_t histogram[2 * 81 + 1];
    static int32_t ownership[81];
    uint8_t payload[YO_HW_WIRE_PAYLOAD_MAX], out[YO_HW_WIRE_FRAME_MAX];
    struct yo_playout_result result = {
        .games = 1, .moves = 5, .score_sum = 1, .histogram = histogram, .ownership = ownership};
    size_t length = yo_hw_wire_put_result(payload, &result, 9, 15);
    uint32_t sequence = frame[8] + (server->vice == ANSWERS_OTHERS);
    size_t n = yo_hw_wire_frame(out, YO_HW_RESULT, sequence, payload, length);
    if (server->vice == DIES_HALFWAY) n /= 2;
    if (server->vice != DIES_AT_ONCE) hw_client_send(fd, out, n);
}

static void *bad_main(void *arg) {
    struct bad_server *server = arg;
    uint8_t frame[YO_HW_WIRE_FRAME_MAX], payload[64];
    while (!atomic_load(&server->stop)) {
        int fd = accept(server->listening, NULL, NULL);
        if (fd < 0) continue;
        size_t length = yo_hw_wire_put_welcome(payload, 1u << 9, "a bad one");
        if (hw_client_receive(fd, frame)) {
            hw_client_send(fd, frame,
                           yo_hw_wire_frame(frame, YO_HW_WELCOME, frame[8], payload, length));
            if (hw_client_receive(fd, frame)) misbehave(server, fd, frame);
        }
        close(fd);
    }
    return NULL;
}

static void does_without_a_bad_server(void **state) {
    (void)state;
    srand(42);
    for (int vice = DIES_AT_ONCE; vice <= ANSWERS_OTHERS; vice++) {
        struct bad_server server = {.vice = (enum vice)vice};
        snprintf(server.path, sizeof server.path, "/tmp/yomi-hw-bad-%d-%d", (int)getpid(), vice);
        lost = 0;
        assert_int_equal(yo_hw_listen(server.path, &server.listening, NULL), YO_OK);
        assert_int_equal(pthread_create(&server.thread, NULL, bad_main, &server), 0);
        expect_right_games(server.path, 2); /* then it is left alone: there is no second word */
        assert_int_equal(lost, 1);
        atomic_store(&server.stop, true);
        int fd;
        if (yo_hw_connect(server.path, &fd, NULL) == YO_OK) close(fd);
        pthread_join(server.thread, NULL);
        close(server.listening);
        unlink(server.path);
    }
}

static void says_that_there_is_no_server(void **state) {
    (void)state;
    struct outcome outcome;
    struct yo_playout_position position;
    random_position(&position, 9, 0);
    assert_int_equal(play("hw:/tmp/there-is-no-such-socket", &position, &outcome),
                     YO_ERR_UNSUPPORTED);
    assert_int_equal(play("hw:no address", &position, &outcome), YO_ERR_UNSUPPORTED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(plays_on_a_server, listen_to_notices),
        cmocka_unit_test_setup(does_without_a_bad_server, listen_to_notices),
        cmocka_unit_test(says_that_there_is_no_server),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
