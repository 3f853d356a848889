/* cluster/nats at a broker of the test's own, which does what no real one does when it is asked. */
#include "support/test.h"

#include <arpa/inet.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/time.h"
#include "cluster/transport.h"

enum { HEARD_MAX = 1 << 16, BUSY_MS = 1000 }; /* by how much a busy machine may be late */

struct broker {
    int listen_fd, port;
    pthread_t thread;
    atomic_bool hangs; /* ends the connection, and says nothing to later ones */
    atomic_bool heard_message;
    char heard[HEARD_MAX];
    size_t len;
};

static void answer(int fd, const char *text) {
    assert_int_equal(send(fd, text, strlen(text), MSG_NOSIGNAL), (ssize_t)strlen(text));
}

/* One client, until that ends or the broker hangs. A ping is a line of its own, which no message of
 * these tests has. */
static void *serve(void *user) {
    struct broker *b = user;
    int fd = accept(b->listen_fd, NULL, NULL);
    size_t answered = 0;
    assert_true(fd >= 0);
    answer(fd, "INFO {\"server_id\":\"test\",\"version\":\"2.9.0\",\"max_payload\":1048576,"
               "\"headers\":false,\"proto\":1}\r\n");
    while (!atomic_load(&b->hangs)) {
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        if (poll(&ready, 1, 10) <= 0) continue;
        ssize_t got = read(fd, b->heard + b->len, HEARD_MAX - 1 - b->len);
        if (got <= 0) break;
        b->len += (size_t)got;
        b->heard[b->len] = '\0';
        if (strstr(b->heard, "PUB ")) atomic_store(&b->heard_message, true);
        for (char *ping; (ping = strstr(b->heard + answered, "PING\r\n"));) {
            answered = (size_t)(ping - b->heard) + 6;
            answer(fd, "PONG\r\n");
        }
    }
    close(fd);
    return NULL;
}

/* It listens, and does not serve yet: then it hangs for who connects. */
static void open_broker(struct broker *b, char url[64]) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    *b = (struct broker){.listen_fd = socket(AF_INET, SOCK_STREAM, 0)};
    assert_int_equal(bind(b->listen_fd, (struct sockaddr *)&at, size), 0);
    assert_int_equal(listen(b->listen_fd, 8), 0);
    assert_int_equal(getsockname(b->listen_fd, (struct sockaddr *)&at, &size), 0);
    snprintf(url, 64, "nats://127.0.0.1:%d", ntohs(at.sin_port));
}

static void begin_serving(struct broker *b) {
    assert_int_equal(pthread_create(&b->thread, NULL, serve, b), 0);
}

static struct yo_transport open_transport(struct broker *b, const char *worker) {
    char url[64];
    struct yo_nats_config config = {
        .url = url, .cluster = "yomi", .worker = worker, .master = worker ? NULL : "m"};
    struct yo_transport transport;
    open_broker(b, url);
    begin_serving(b);
    assert_int_equal(yo_transport_nats(&config, &transport, NULL), YO_OK);
    return transport;
}

/* A library that connects again waits long for a broker that says nothing. The master does not: it
 * has a clock to keep. */
static void a_broker_that_hangs_holds_nobody_up(void **state) {
    (void)state;
    struct broker broker;
    if (!yo_transport_nats_version()) skip();
    struct yo_transport t = open_transport(&broker, NULL);
    int64_t until = yo_time_ms() + 2500, slowest = 0;
    atomic_store(&broker.hangs, true);
    pthread_join(broker.thread, NULL);
    while (yo_time_ms() < until) {
        int64_t began = yo_time_ms();
        t.ops->send(t.ctx, "w", "{}", 2);
        assert_false(t.ops->is_over(t.ctx));
        int64_t took = yo_time_ms() - began;
        if (took > slowest) slowest = took;
        usleep(10000);
    }
    assert_in_range(slowest, 0, BUSY_MS);
    int64_t began = yo_time_ms();
    yo_transport_close(&t);
    assert_in_range(yo_time_ms() - began, 0, 1000 + BUSY_MS); /* the last words have their time */
    close(broker.listen_fd);
}

/* Whoever has something else to do says for how long it waits. */
static void a_broker_that_hangs_is_given_up(void **state) {
    (void)state;
    struct broker broker;
    struct yo_transport t;
    atomic_bool quit = true;
    char url[64];
    struct yo_nats_config config = {.url = url, .cluster = "yomi", .master = "m", .wait_ms = 200};
    if (!yo_transport_nats_version()) skip();
    open_broker(&broker, url);
    int64_t began = yo_time_ms();
    assert_int_equal(yo_transport_nats(&config, &t, NULL), YO_ERR_CANCELLED);
    assert_in_range(yo_time_ms() - began, 200, 200 + BUSY_MS);
    config.wait_ms = 0;
    config.quit = &quit;
    began = yo_time_ms();
    assert_int_equal(yo_transport_nats(&config, &t, NULL), YO_ERR_CANCELLED);
    assert_in_range(yo_time_ms() - began, 0, BUSY_MS);
    close(broker.listen_fd);
}

/* Who connects later is connected when a broker that has hung goes on, and says then what it had to
 * say. */
static void a_broker_that_hung_is_joined_later(void **state) {
    (void)state;
    struct broker broker;
    struct yo_transport t;
    char url[64];
    struct yo_nats_config config = {.url = url, .cluster = "yomi", .master = "m", .later = true};
    if (!yo_transport_nats_version()) skip();
    open_broker(&broker, url);
    int64_t began = yo_time_ms();
    assert_int_equal(yo_transport_nats(&config, &t, NULL), YO_OK);
    assert_int_equal(t.ops->send(t.ctx, NULL, "{}", 2), YO_OK);
    assert_in_range(yo_time_ms() - began, 0, BUSY_MS);
    usleep(500000);
    assert_false(t.ops->is_over(t.ctx));
    begin_serving(&broker);
    while (!atomic_load(&broker.heard_message))
        usleep(10000);
    yo_transport_close(&t);
    pthread_join(broker.thread, NULL);
    close(broker.listen_fd);
    assert_non_null(strstr(broker.heard, "PUB yomi.workers yomi.gone.m.nobody 2\r\n{}\r\n"));
}

static void ports_are_numbers(void **state) {
    static const char *const right[] = {"nats://127.0.0.1:4222", "nats://host",
                                        "tls://u:p@host:1,nats://b:2/", "nats://[::1]:4222",
                                        "nats://u:a@b:c@host:65535"};
    static const char *const wrong[] = {"nats://127.0.0.1:abc", "nats://host:", "nats://host:0",
                                        "nats://host:65536", "nats://a:1,nats://b:4222x"};
    struct yo_diag diag;
    (void)state;
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        assert_int_equal(yo_transport_check_port(right[i], NULL), YO_OK);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(yo_transport_check_port(wrong[i], &diag), YO_ERR_ARGUMENT);
        assert_non_null(strstr(diag.what, "is no number"));
    }
}

/* The last words of a worker are said before it is gone. */
static void what_was_sent_at_the_end_arrives(void **state) {
    (void)state;
    struct broker broker;
    if (!yo_transport_nats_version()) skip();
    struct yo_transport t = open_transport(&broker, "w");
    for (int i = 0; i < 100; i++)
        assert_int_equal(t.ops->send(t.ctx, "m", "{\"n\":1}", 7), YO_OK);
    assert_int_equal(t.ops->send(t.ctx, NULL, "{\"last\":1}", 10), YO_OK);
    yo_transport_close(&t);
    pthread_join(broker.thread, NULL);
    close(broker.listen_fd);
    assert_non_null(strstr(broker.heard, "PUB yomi.master.m 7\r\n{\"n\":1}\r\n"));
    assert_non_null(strstr(broker.heard, "PUB yomi.hello 10\r\n{\"last\":1}\r\n"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_broker_that_hangs_holds_nobody_up),
        cmocka_unit_test(a_broker_that_hangs_is_given_up),
        cmocka_unit_test(a_broker_that_hung_is_joined_later),
        cmocka_unit_test(ports_are_numbers),
        cmocka_unit_test(what_was_sent_at_the_end_arrives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
