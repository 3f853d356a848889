#include "support/hw_server.h"

#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "eval/playout/hw/socket.h"
#include "eval/playout/hw/wire.h"
#include "eval/playout/playouts.h"

static void *serve(void *arg) {
    struct hw_test_server *server = arg;
    assert_int_equal(yo_hw_serve(server->listening, &server->config, &server->stop, NULL), YO_OK);
    return NULL;
}

void hw_server_start(struct hw_test_server *server, int connections_max, int message_ms) {
    memset(server, 0, sizeof *server);
    snprintf(server->path, sizeof server->path, "/tmp/yomi-hw-XXXXXX");
    int fd = mkstemp(server->path); /* for the name */
    assert_true(fd >= 0);
    close(fd);
    unlink(server->path);
    server->config = (struct yo_hw_server){.name = "a test",
                                           .sizes = 1u << 5 | 1u << 9,
                                           .connections_max = connections_max,
                                           .message_ms = message_ms};
    assert_int_equal(yo_playouts_eval_open("scalar", 2, &server->config.eval, NULL), YO_OK);
    assert_int_equal(yo_hw_listen(server->path, &server->listening, NULL), YO_OK);
    assert_int_equal(pthread_create(&server->thread, NULL, serve, server), 0);
}

void hw_server_stop(struct hw_test_server *server) {
    atomic_store(&server->stop, true);
    pthread_join(server->thread, NULL);
    close(server->listening);
    unlink(server->path);
    server->config.eval.ops->destroy(server->config.eval.ctx);
}

int hw_client_open(const struct hw_test_server *server) {
    int fd;
    assert_int_equal(yo_hw_connect(server->path, &fd, NULL), YO_OK);
    return fd;
}

void hw_client_send(int fd, const void *bytes, size_t n) {
    yo_hw_write(fd, bytes, n, 1000); /* the server may have hung up; receiving will show it */
}

size_t hw_client_receive(int fd, uint8_t *frame) {
    struct yo_hw_header header;
    if (yo_hw_read(fd, frame, YO_HW_WIRE_HEADER, 10000, NULL)) return 0;
    assert_int_equal(yo_hw_wire_header(frame, &header), YO_HW_FAULT_NONE);
    size_t rest = header.length + YO_HW_WIRE_CHECKSUM;
    assert_int_equal(yo_hw_read(fd, frame + YO_HW_WIRE_HEADER, rest, 10000, NULL), YO_HW_IO_OK);
    assert_true(yo_hw_wire_intact(frame, YO_HW_WIRE_HEADER + rest));
    return YO_HW_WIRE_HEADER + rest;
}

/* Bit by bit, and so not the way the engine does it. */
void hw_sum_up(uint8_t *frame, size_t n) {
    uint32_t crc = 0xffffffff;
    for (size_t i = 0; i < n - 4; i++)
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (((crc ^ frame[i] >> bit) & 1) ? 0xedb88320 : 0);
    for (int i = 0; i < 4; i++)
        frame[n - 4 + (size_t)i] = (uint8_t)(~crc >> 8 * i);
}
