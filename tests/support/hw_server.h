/* A hardware server in a thread, and a client of bytes for the tests of the protocol. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/hw/serve.h"

struct hw_test_server {
    char path[64];
    int listening;
    atomic_bool stop;
    struct yo_hw_server config;
    pthread_t thread;
};

/* On a fresh Unix socket, with the scalar reference behind it. */
void hw_server_start(struct hw_test_server *server, int connections_max, int message_ms);
void hw_server_stop(struct hw_test_server *server);

int hw_client_open(const struct hw_test_server *server);
void hw_client_send(int fd, const void *bytes, size_t n);
/* A whole reply into `frame`; its length, or 0 when the server has closed the connection. */
size_t hw_client_receive(int fd, uint8_t *frame);
/* Makes the checksum at the end of a frame fit what stands before it. */
void hw_sum_up(uint8_t *frame, size_t n);
