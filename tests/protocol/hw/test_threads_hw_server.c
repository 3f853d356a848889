/* The hardware server against clients of every kind: good ones get the right games, bad ones an
 * error, and neither notices the other. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "eval/playout/hw/wire.h"
#include "support/hw_server.h"
#include "support/playout_positions.h"

static uint8_t frame[YO_HW_WIRE_FRAME_MAX + 64], reply[YO_HW_WIRE_FRAME_MAX];

static struct yo_hw_play some_play(int size, uint32_t games) {
    struct yo_hw_play play = {.seed = 9, .first_game = 1000, .games = games, .komi2 = 15};
    random_position(&play.position, size, size * size / 2);
    return play;
}

static size_t play_frame(const struct yo_hw_play *play, uint32_t sequence) {
    uint8_t payload[YO_HW_WIRE_PAYLOAD_MAX];
    size_t length = yo_hw_wire_put_play(payload, play);
    return yo_hw_wire_frame(frame, YO_HW_PLAY, sequence, payload, length);
}

static enum yo_hw_fault fault_of(size_t n) {
    struct yo_hw_header header;
    if (n == 0) return YO_HW_FAULT_NONE;
    assert_int_equal(yo_hw_wire_header(reply, &header), YO_HW_FAULT_NONE);
    if (header.type != YO_HW_ERROR) return YO_HW_FAULT_NONE;
    return (enum yo_hw_fault)(reply[YO_HW_WIRE_HEADER] | reply[YO_HW_WIRE_HEADER + 1] << 8);
}

static enum yo_hw_fault exchange(int fd, size_t n) {
    hw_client_send(fd, frame, n);
    size_t got = hw_client_receive(fd, reply);
    assert_true(got > 0);
    return fault_of(got);
}

/* A client that behaves is served, and gets what the reference plays. */
static void expect_service(const struct hw_test_server *server) {
    struct yo_hw_play play = some_play(9, 20);
    int fd = hw_client_open(server);
    assert_int_equal(exchange(fd, yo_hw_wire_frame(frame, YO_HW_HELLO, 0, NULL, 0)),
                     YO_HW_FAULT_NONE);
    assert_int_equal(reply[5], YO_HW_WELCOME);
    assert_int_equal(exchange(fd, play_frame(&play, 1)), YO_HW_FAULT_NONE);
    assert_int_equal(reply[5], YO_HW_RESULT);
    uint32_t histogram[2][2 * 81 + 1] = {{0}};
    int32_t ownership[2][81] = {{0}};
    struct yo_playout_result is = {.histogram = histogram[0], .ownership = ownership[0]};
    struct yo_playout_result should = {.histogram = histogram[1], .ownership = ownership[1]};
    uint32_t length;
    memcpy(&length, reply + 12, 4); /* the tests run on little-endian machines */
    assert_int_equal(yo_hw_wire_get_result(reply + YO_HW_WIRE_HEADER, length, 9, 20, &is),
                     YO_HW_FAULT_NONE);
    struct yo_playouts *playouts;
    assert_int_equal(yo_playouts_new("scalar", 1, &playouts, NULL), YO_OK);
    yo_playouts_run(playouts, YO_PLAYOUT_LIGHT, &play.position, 9, 1000, 20, &should, NULL);
    yo_playouts_delete(playouts);
    assert_int_equal(is.moves, should.moves);
    assert_int_equal(is.score_sum, should.score_sum);
    assert_memory_equal(histogram[0], histogram[1], sizeof histogram[0]);
    assert_memory_equal(ownership[0], ownership[1], sizeof ownership[0]);
    close(fd);
}

static void serves(void **state) {
    (void)state;
    struct hw_test_server server;
    srand(31);
    hw_server_start(&server, 64, 5000); /* on a busy machine closed connections linger */
    for (int i = 0; i < 5; i++)
        expect_service(&server);
    hw_server_stop(&server);
}

/* The bytes of a greeting, worked out by other means (zlib's crc32), so that the protocol cannot
 * drift together on both sides. */
static void greets_in_known_bytes(void **state) {
    (void)state;
    static const uint8_t hello[] = {'Y', 'M', 'H', 'W', 1, 1, 0,    0,    7,    0,
                                    0,   0,   0,   0,   0, 0, 0xc6, 0xc6, 0x9b, 0x99};
    assert_int_equal(yo_hw_wire_frame(frame, YO_HW_HELLO, 7, NULL, 0), sizeof hello);
    assert_memory_equal(frame, hello, sizeof hello);
}

/* ---- what is refused ---- */

struct wrong {
    size_t at; /* this byte of a good frame becomes ... */
    uint8_t value;
    bool sum_up;            /* and the checksum is made to fit */
    enum yo_hw_fault fault; /* what must come back */
};

static void refuses_what_is_wrong(void **state) {
    (void)state;
    static const struct wrong wrongs[] = {
        {0, 'X', true, YO_HW_FAULT_MAGIC},      {4, 2, true, YO_HW_FAULT_VERSION},
        {6, 1, true, YO_HW_FAULT_LENGTH},       {14, 1, true, YO_HW_FAULT_LENGTH},
        {15, 0xff, true, YO_HW_FAULT_LENGTH},   {8, 5, true, YO_HW_FAULT_SEQUENCE},
        {20, 1, false, YO_HW_FAULT_CHECKSUM},   {5, YO_HW_RESULT, true, YO_HW_FAULT_TYPE},
        {5, 77, true, YO_HW_FAULT_TYPE},        {16, 1, true, YO_HW_FAULT_CONTENT}, /* size */
        {16, 200, true, YO_HW_FAULT_CONTENT}, /* size, not that of the stones */
        {22, 9, true, YO_HW_FAULT_CONTENT},   /* policy */
        {22, 1, true, YO_HW_FAULT_UNSUPPORTED}, {43, 0xff, true, YO_HW_FAULT_CONTENT}, /* games */
        {17, 3, true, YO_HW_FAULT_POSITION},                                           /* side */
        {46, 3, true, YO_HW_FAULT_POSITION}, /* a stone of no colour */
    };
    struct hw_test_server server;
    srand(32);
    hw_server_start(&server, 64, 5000);
    for (size_t i = 0; i < sizeof wrongs / sizeof wrongs[0]; i++) {
        struct yo_hw_play play = some_play(5, 10);
        size_t n = play_frame(&play, 0);
        const struct wrong *wrong = &wrongs[i];
        frame[wrong->at] = wrong->value;
        if (wrong->sum_up) hw_sum_up(frame, n);
        int fd = hw_client_open(&server);
        assert_int_equal(exchange(fd, n), wrong->fault);
        /* What is only wrong in itself does not end the connection; the rest does. */
        n = play_frame(&play, 1);
        hw_client_send(fd, frame, n);
        size_t got = hw_client_receive(fd, reply);
        assert_int_equal(got > 0, wrong->fault > YO_HW_FAULT_TIMEOUT);
        assert_int_equal(fault_of(got), YO_HW_FAULT_NONE);
        close(fd);
        expect_service(&server);
    }
    hw_server_stop(&server);
}

static void refuses_a_size_it_does_not_play(void **state) {
    (void)state;
    struct hw_test_server server;
    hw_server_start(&server, 4, 5000);
    struct yo_hw_play play = some_play(13, 1);
    int fd = hw_client_open(&server);
    assert_int_equal(exchange(fd, play_frame(&play, 0)), YO_HW_FAULT_UNSUPPORTED);
    close(fd);
    hw_server_stop(&server);
}

static void gives_half_a_message_up(void **state) {
    (void)state;
    struct hw_test_server server;
    hw_server_start(&server, 4, 50);
    struct yo_hw_play play = some_play(9, 1);
    size_t n = play_frame(&play, 0);
    static const size_t halves[] = {1, 15, 16, 17, 60};
    for (size_t i = 0; i < sizeof halves / sizeof halves[0]; i++) {
        int fd = hw_client_open(&server);
        assert_int_equal(exchange(fd, halves[i]), YO_HW_FAULT_TIMEOUT);
        assert_int_equal(hw_client_receive(fd, reply), 0);
        close(fd);
    }
    for (size_t i = 0; i < n; i += 7) { /* and one that leaves in the middle harms no one */
        int fd = hw_client_open(&server);
        hw_client_send(fd, frame, i);
        close(fd);
    }
    hw_server_stop(&server);
}

static void takes_a_message_in_pieces(void **state) {
    (void)state;
    struct hw_test_server server;
    hw_server_start(&server, 4, 5000);
    struct yo_hw_play play = some_play(5, 3);
    size_t n = play_frame(&play, 0);
    int fd = hw_client_open(&server);
    for (size_t i = 0; i < n; i++)
        hw_client_send(fd, frame + i, 1);
    assert_int_equal(fault_of(hw_client_receive(fd, reply)), YO_HW_FAULT_NONE);
    assert_int_equal(reply[5], YO_HW_RESULT);
    close(fd);
    hw_server_stop(&server);
}

static void sends_away_whom_it_has_no_room_for(void **state) {
    (void)state;
    struct hw_test_server server;
    hw_server_start(&server, 2, 5000);
    int held[2];
    for (int i = 0; i < 2; i++) { /* greeted, so that they are known to have their places */
        held[i] = hw_client_open(&server);
        assert_int_equal(exchange(held[i], yo_hw_wire_frame(frame, YO_HW_HELLO, 0, NULL, 0)),
                         YO_HW_FAULT_NONE);
    }
    int third = hw_client_open(&server);
    assert_int_equal(fault_of(hw_client_receive(third, reply)), YO_HW_FAULT_BUSY);
    close(third);
    for (int i = 0; i < 2; i++)
        close(held[i]);
    hw_server_stop(&server);
}

/* Clients that have closed count until the server has noticed, or given up half a message. */
static void await_room(const struct hw_test_server *server) {
    bool room = false;
    for (int i = 0; i < 6000 && !room; i++) {
        int fd = hw_client_open(server);
        hw_client_send(fd, frame, yo_hw_wire_frame(frame, YO_HW_HELLO, 0, NULL, 0));
        size_t got = hw_client_receive(fd, reply);
        room = got > 0 && fault_of(got) == YO_HW_FAULT_NONE;
        close(fd);
        if (!room) usleep(10000);
    }
    assert_true(room);
}

static void survives_noise(void **state) {
    (void)state;
    struct hw_test_server server;
    srand(33);
    hw_server_start(&server, 8, 100);
    for (int i = 0; i < 200; i++) {
        struct yo_hw_play play = some_play(5, 2);
        size_t n = play_frame(&play, 0);
        for (int k = rand() % 8; k >= 0; k--)
            frame[(size_t)rand() % n] = (uint8_t)rand();
        if (rand() % 2) hw_sum_up(frame, n);
        int fd = hw_client_open(&server);
        hw_client_send(fd, frame, (size_t)rand() % (n + 1));
        if (rand() % 4 == 0) hw_client_receive(fd, reply);
        close(fd);
    }
    await_room(&server);
    expect_service(&server);
    hw_server_stop(&server);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(greets_in_known_bytes),
        cmocka_unit_test(serves),
        cmocka_unit_test(refuses_what_is_wrong),
        cmocka_unit_test(refuses_a_size_it_does_not_play),
        cmocka_unit_test(gives_half_a_message_up),
        cmocka_unit_test(takes_a_message_in_pieces),
        cmocka_unit_test(sends_away_whom_it_has_no_room_for),
        cmocka_unit_test(survives_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
