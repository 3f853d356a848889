#include "protocol/hw/serve.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "eval/playout/hw/socket.h"
#include "eval/playout/hw/wire.h"
#include "eval/playout/position.h"

#define STOP_CHECK_MS 100
#define REPLY_MS      5000 /* a client that reads nothing for this long is dropped */

struct serving {
    const struct yo_hw_server *server;
    const atomic_bool *stop;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    int connections; /* under the lock */
};

struct connection {
    struct serving *serving;
    int fd;
    uint32_t sequence; /* of the next message */
    uint8_t frame[YO_HW_WIRE_FRAME_MAX];
    uint8_t payload[YO_HW_WIRE_PAYLOAD_MAX];
    uint32_t histogram[2 * YO_GO_POINTS_MAX + 1];
    int32_t ownership[YO_GO_POINTS_MAX];
};

/* ---- replies ---- */

/* False when the client is gone. */
static bool reply(struct connection *c, enum yo_hw_message type, size_t length) {
    size_t n = yo_hw_wire_frame(c->frame, type, c->sequence, c->payload, length);
    return yo_hw_write(c->fd, c->frame, n, REPLY_MS) == YO_HW_IO_OK;
}

static bool refuse(struct connection *c, enum yo_hw_fault fault, const char *text) {
    size_t length = yo_hw_wire_put_error(c->payload, fault, text ? text : yo_hw_fault_text(fault));
    return reply(c, YO_HW_ERROR, length) && fault > YO_HW_FAULT_TIMEOUT;
}

/* ---- requests ---- */

static enum yo_err play(struct connection *c, const struct yo_hw_play *play,
                        struct yo_eval_result *result, struct yo_diag *diag) {
    struct yo_go_position position;
    yo_playout_position_to_go(&play->position, &position);
    memset(c->histogram, 0, sizeof c->histogram);
    memset(c->ownership, 0, sizeof c->ownership);
    *result =
        (struct yo_eval_result){.playouts = {.histogram = c->histogram, .owner = c->ownership}};
    struct yo_eval_item item = {
        .position = &position,
        .want = YO_EVAL_PLAYOUTS,
        .results = result,
        .playout_policy = (int)play->policy,
        .playouts = play->games,
        .seed = play->seed,
        .first_game = play->first_game,
    };
    return yo_eval_run(c->serving->server->eval, &item, 1, diag);
}

static bool answer_play(struct connection *c, size_t length) {
    struct yo_hw_play asked;
    struct yo_eval_result result;
    struct yo_diag diag = {0};
    enum yo_hw_fault fault = yo_hw_wire_get_play(c->frame + YO_HW_WIRE_HEADER, length, &asked);
    if (fault) return refuse(c, fault, NULL);
    int size = asked.position.size;
    if (!(c->serving->server->sizes >> size & 1) || asked.policy != YO_PLAYOUT_LIGHT)
        return refuse(c, YO_HW_FAULT_UNSUPPORTED, NULL);
    if (yo_playout_position_check(&asked.position, &diag))
        return refuse(c, YO_HW_FAULT_POSITION, diag.what);
    if (play(c, &asked, &result, &diag)) return refuse(c, YO_HW_FAULT_INTERNAL, diag.what);
    struct yo_playout_result sums = {.games = result.playouts.games,
                                     .moves = result.playouts.moves,
                                     .score_sum = result.playouts.score2_first / 2,
                                     .histogram = c->histogram,
                                     .ownership = c->ownership};
    return reply(c, YO_HW_RESULT, yo_hw_wire_put_result(c->payload, &sums, size, asked.komi2));
}

static bool answer(struct connection *c, const struct yo_hw_header *header) {
    const struct yo_hw_server *server = c->serving->server;
    switch (header->type) {
    case YO_HW_HELLO:
        if (header->length) return refuse(c, YO_HW_FAULT_CONTENT, NULL);
        return reply(c, YO_HW_WELCOME,
                     yo_hw_wire_put_welcome(c->payload, server->sizes, server->name));
    case YO_HW_PLAY:
        return answer_play(c, header->length);
    default:
        return refuse(c, YO_HW_FAULT_TYPE, NULL);
    }
}

/* ---- a connection ---- */

/* Reads the rest of a frame whose first `have` bytes are read; false if the client is gone or was
 * refused. */
static bool read_part(struct connection *c, size_t have, size_t want) {
    enum yo_hw_io io = yo_hw_read(c->fd, c->frame + have, want - have,
                                  c->serving->server->message_ms, c->serving->stop);
    if (io == YO_HW_IO_OK) return true;
    return refuse(c, YO_HW_FAULT_TIMEOUT, NULL);
}

/* Reads and answers one message; false when the connection ends. */
static bool exchange(struct connection *c) {
    struct yo_hw_header header;
    if (yo_hw_read(c->fd, c->frame, 1, -1, c->serving->stop)) return false;
    if (!read_part(c, 1, YO_HW_WIRE_HEADER)) return false;
    enum yo_hw_fault fault = yo_hw_wire_header(c->frame, &header);
    if (fault) return refuse(c, fault, NULL);
    size_t whole = YO_HW_WIRE_HEADER + header.length + YO_HW_WIRE_CHECKSUM;
    if (!read_part(c, YO_HW_WIRE_HEADER, whole)) return false;
    if (!yo_hw_wire_intact(c->frame, whole)) return refuse(c, YO_HW_FAULT_CHECKSUM, NULL);
    if (header.sequence != c->sequence) return refuse(c, YO_HW_FAULT_SEQUENCE, NULL);
    if (!answer(c, &header)) return false;
    c->sequence++;
    return true;
}

static void end_connection(struct connection *c) {
    struct serving *serving = c->serving;
    /* Closing with unread input would reset the connection and lose our last reply. */
    shutdown(c->fd, SHUT_WR);
    for (int i = 0; i < 64; i++)
        if (yo_hw_read(c->fd, c->frame, 1024, 50, NULL)) break;
    close(c->fd);
    yo_free(c);
    pthread_mutex_lock(&serving->lock);
    serving->connections--;
    pthread_cond_signal(&serving->ended);
    pthread_mutex_unlock(&serving->lock);
}

static void *connection_main(void *arg) {
    struct connection *c = arg;
    while (exchange(c)) {
    }
    end_connection(c);
    return NULL;
}

/* ---- the server ---- */

static bool take_place(struct serving *serving) {
    pthread_mutex_lock(&serving->lock);
    bool free_place = serving->connections < serving->server->connections_max;
    if (free_place) serving->connections++;
    pthread_mutex_unlock(&serving->lock);
    return free_place;
}

static void send_away(int fd) {
    uint8_t payload[256], frame[512];
    size_t length =
        yo_hw_wire_put_error(payload, YO_HW_FAULT_BUSY, yo_hw_fault_text(YO_HW_FAULT_BUSY));
    size_t n = yo_hw_wire_frame(frame, YO_HW_ERROR, 0, payload, length);
    yo_hw_write(fd, frame, n, 0);
    close(fd);
}

static void welcome(struct serving *serving, int fd) {
    if (!take_place(serving)) {
        send_away(fd);
        return;
    }
    struct connection *c = yo_alloc(1, sizeof *c);
    pthread_t thread;
    if (c) {
        c->serving = serving;
        c->fd = fd;
        if (pthread_create(&thread, NULL, connection_main, c) == 0) {
            pthread_detach(thread);
            return;
        }
    }
    yo_free(c);
    send_away(fd);
    pthread_mutex_lock(&serving->lock);
    serving->connections--;
    pthread_mutex_unlock(&serving->lock);
}

enum yo_err yo_hw_serve(int listening, const struct yo_hw_server *server, const atomic_bool *stop,
                        struct yo_diag *diag) {
    struct serving serving = {.server = server, .stop = stop};
    enum yo_err err = YO_OK;
    pthread_mutex_init(&serving.lock, NULL);
    pthread_cond_init(&serving.ended, NULL);
    while (!err && !atomic_load(stop)) {
        struct pollfd poll_fd = {.fd = listening, .events = POLLIN};
        int n = poll(&poll_fd, 1, STOP_CHECK_MS);
        if (n < 0 && errno != EINTR)
            err = yo_diag_set(diag, YO_ERR_IO, "cannot wait for clients: %s", strerror(errno));
        if (n <= 0) continue;
        int fd = accept(listening, NULL, NULL);
        if (fd >= 0) welcome(&serving, fd);
    }
    pthread_mutex_lock(&serving.lock);
    while (serving.connections > 0)
        pthread_cond_wait(&serving.ended, &serving.lock);
    pthread_mutex_unlock(&serving.lock);
    pthread_cond_destroy(&serving.ended);
    pthread_mutex_destroy(&serving.lock);
    return err;
}
