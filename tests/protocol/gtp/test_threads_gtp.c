/* GTP over pipes: the reading thread, interrupts, ends of every kind. */
#include "support/test.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/time.h"
#include "protocol/gtp/gtp.h"
#include "support/gtp_talk.h"

struct session {
    struct yo_gtp *gtp;
    int to[2], from[2]; /* pipes: what it reads, what it writes */
    pthread_t thread;
    enum yo_err err;
};

static void *serve(void *arg) {
    struct session *s = arg;
    struct yo_diag diag;
    s->err = yo_gtp_serve(s->gtp, s->to[0], s->from[1], &diag);
    close(s->from[1]);
    return NULL;
}

/* time_ms for each move; 0 playouts: the time alone ends a search. */
static void begin_as(struct session *s, int64_t time_ms, bool ponder) {
    struct yo_gtp_config config;
    struct yo_diag diag;
    yo_gtp_config_init(&config);
    config.size = 9;
    assert_int_equal(yo_gtp_new(&config, &s->gtp, &diag), YO_OK);
    char seconds[32];
    snprintf(seconds, sizeof seconds, "%.3f", (double)time_ms / 1000);
    gtp_set(s->gtp, "time", seconds);
    gtp_set(s->gtp, "threads", "2");
    gtp_set(s->gtp, "ponder", ponder ? "true" : "false");
    gtp_set(s->gtp, "resign", "0");
    gtp_set(s->gtp, "book", "off"); /* every move is thought about */
    assert_int_equal(pipe(s->to), 0);
    assert_int_equal(pipe(s->from), 0);
    assert_int_equal(pthread_create(&s->thread, NULL, serve, s), 0);
}

static void begin(struct session *s, int64_t time_ms) { begin_as(s, time_ms, false); }

static void send_bytes(struct session *s, const char *bytes, size_t len) {
    while (len > 0) {
        ssize_t n = write(s->to[1], bytes, len);
        assert_true(n > 0);
        bytes += n;
        len -= (size_t)n;
    }
}

static void send_text(struct session *s, const char *text) { send_bytes(s, text, strlen(text)); }

/* Everything it writes from now on until it ends. */
static const char *read_all(struct session *s) {
    static char text[1 << 16];
    size_t len = 0;
    ssize_t n;
    while ((n = read(s->from[0], text + len, sizeof text - 1 - len)) > 0)
        len += (size_t)n;
    text[len] = '\0';
    return text;
}

static void end(struct session *s) {
    pthread_join(s->thread, NULL);
    close(s->to[0]);
    close(s->from[0]);
    assert_int_equal(s->err, YO_OK);
    yo_gtp_delete(s->gtp);
}

static void ends_with_the_input(void **state) {
    (void)state;
    struct session s;
    begin(&s, 10);
    send_text(&s, "1 name\n\n# x\n2 protocol_version\r\n3 quit_not\n4 name");
    close(s.to[1]); /* in the middle of a line */
    const char *text = read_all(&s);
    assert_non_null(strstr(text, "=1 Yomi\n\n=2 2\n\n?3 unknown command 'quit_not'"));
    assert_non_null(strstr(text, "=4 Yomi\n\n"));
    end(&s);
}

/* What follows quit is not read, and the open pipe does not keep it. */
static void ends_with_quit(void **state) {
    (void)state;
    struct session s;
    begin(&s, 10);
    send_text(&s, "quit\nname\n");
    assert_string_equal(read_all(&s), "= \n\n");
    end(&s);
    close(s.to[1]);
}

static void ends_when_nobody_listens(void **state) {
    (void)state;
    struct session s;
    begin(&s, 10);
    close(s.from[0]);
    s.from[0] = dup(STDERR_FILENO); /* something for end() to close */
    send_text(&s, "name\n");
    end(&s);
    close(s.to[1]);
}

/* A client leaves while a search of an hour runs and another one waits: the session ends soon. */
static void leave_while_it_thinks(bool input_stays) {
    struct session s;
    int64_t start = yo_time_ms();
    begin(&s, 3600 * 1000);
    send_text(&s, "genmove b\ngenmove w\n");
    struct pollfd quiet = {.fd = s.from[0], .events = POLLIN};
    assert_int_equal(poll(&quiet, 1, 100), 0); /* it thinks */
    if (!input_stays) close(s.to[1]);
    close(s.from[0]);
    s.from[0] = dup(STDERR_FILENO); /* something for end() to close */
    end(&s);
    assert_true(yo_time_ms() - start < 60 * 1000);
    if (input_stays) close(s.to[1]);
}

static void stops_thinking_for_nobody(void **state) {
    (void)state;
    leave_while_it_thinks(false);
}

static void stops_thinking_when_only_its_output_is_closed(void **state) {
    (void)state;
    leave_while_it_thinks(true);
}

/* What cannot be read or written is an error, unlike a client that left. */
static void says_what_it_cannot_read_or_write(void **state) {
    (void)state;
    struct yo_gtp_config config;
    struct yo_gtp *gtp;
    struct yo_diag diag;
    int pipe_fds[2], folder = open("/", O_RDONLY), full = open("/dev/full", O_WRONLY);
    yo_gtp_config_init(&config);
    assert_int_equal(yo_gtp_new(&config, &gtp, &diag), YO_OK);
    assert_int_equal(yo_gtp_serve(gtp, folder, STDERR_FILENO, &diag), YO_ERR_IO);
    assert_non_null(strstr(diag.what, "cannot read commands"));
    assert_int_equal(pipe(pipe_fds), 0);
    assert_int_equal(write(pipe_fds[1], "name\n", 5), 5);
    if (full >= 0) {
        assert_int_equal(yo_gtp_serve(gtp, pipe_fds[0], full, &diag), YO_ERR_IO);
        assert_non_null(strstr(diag.what, "cannot write answers"));
        close(full);
    }
    close(pipe_fds[0]);
    close(pipe_fds[1]);
    close(folder);
    yo_gtp_delete(gtp);
}

static void survives_junk(void **state) {
    (void)state;
    struct session s;
    begin(&s, 10);
    static char junk[1 << 16];
    unsigned x = 12345;
    for (size_t i = 0; i < sizeof junk; i++) {
        x = x * 1103515245 + 12345;
        junk[i] = (char)(x >> 16);
        if (junk[i] == '\n') junk[i] = ' ';
    }
    send_bytes(&s, junk, sizeof junk);
    send_text(&s, "\n1 name\n");
    for (int i = 0; i < 32; i++) /* two megabytes in a line */
        send_bytes(&s, memset(junk, 'a', sizeof junk), sizeof junk);
    send_text(&s, "\n2 name\n");
    close(s.to[1]);
    const char *text = read_all(&s);
    assert_non_null(strstr(text, "=1 Yomi\n\n? line too long"));
    assert_non_null(strstr(text, "\n\n=2 Yomi\n\n"));
    end(&s);
}

/* A search of an hour is cut short; one that waits behind it is not. */
static void hears_interrupts(void **state) {
    (void)state;
    struct session s;
    int64_t start = yo_time_ms();
    begin(&s, 3600 * 1000);
    send_text(&s, "genmove b\n");
    struct pollfd quiet = {.fd = s.from[0], .events = POLLIN};
    assert_int_equal(poll(&quiet, 1, 200), 0); /* it thinks */
    send_text(&s, "# interrupt\nyomi-param time 0.05\ngenmove w\nquit\n");
    const char *text = read_all(&s);
    end(&s);
    close(s.to[1]);
    assert_int_equal(strncmp(text, "= ", 2), 0);
    assert_null(strchr(text, '?'));
    assert_true(yo_time_ms() - start < 60 * 1000);
}

/* An interrupt that comes before its command has begun counts as well. */
static void hears_early_interrupts(void **state) {
    (void)state;
    struct session s;
    begin(&s, 3600 * 1000);
    send_text(&s, "name\ngenmove b\n# interrupt\nquit\n");
    assert_int_equal(strncmp(read_all(&s), "= Yomi\n\n= ", 10), 0);
    end(&s);
    close(s.to[1]);
}

/* With nothing running an interrupt is a comment. */
static void ignores_idle_interrupts(void **state) {
    (void)state;
    struct session s;
    begin(&s, 100);
    send_text(&s, "name\n");
    char answer[9] = {0};
    assert_int_equal(read(s.from[0], answer, 8), 8);
    assert_string_equal(answer, "= Yomi\n\n");
    usleep(20000);
    send_text(&s, "# interrupt\n");
    usleep(20000);
    int64_t start = yo_time_ms();
    send_text(&s, "genmove b\nquit\n");
    read_all(&s);
    /* A search may stop once no other move can catch up, which takes half of its time at least. */
    assert_true(yo_time_ms() - start >= 40);
    end(&s);
    close(s.to[1]);
}

static const char *read_some(struct session *s, char *text, size_t size, const char *until) {
    size_t len = 0;
    text[0] = '\0';
    while (!strstr(text, until) && len < size - 1) {
        ssize_t n = read(s->from[0], text + len, size - 1 - len);
        assert_true(n > 0);
        len += (size_t)n;
        text[len] = '\0';
    }
    return text;
}

/* Reports come while it thinks, the next line ends it, and each command has one answer. */
static void analyzes_until_input(void **state) {
    (void)state;
    static char text[1 << 16];
    struct session s;
    begin(&s, 50);
    send_text(&s, "1 lz-analyze b 1 maxmoves 2\n");
    read_some(&s, text, sizeof text, "\ninfo move ");
    assert_int_equal(strncmp(text, "=1 \ninfo move ", 14), 0);
    assert_null(strstr(text, "\n\n"));
    assert_int_equal(text[strlen(text) - 1],
                     '\n'); /* clients read lines: none waits for the next */
    send_text(&s, "2 name\n");
    read_some(&s, text, sizeof text, "=2 Yomi\n\n");
    assert_non_null(strstr(text, "\n\n=2 Yomi"));
    send_text(&s, "3 kata-genmove_analyze b ownership true\n4 last_move\nkata-analyze w 1\n");
    close(s.to[1]); /* the end of input ends it as well */
    const char *rest = read_all(&s);
    assert_non_null(strstr(rest, " ownership "));
    assert_non_null(strstr(rest, "\nplay "));
    assert_non_null(strstr(rest, "=4 black "));
    end(&s);
}

/* A search that plays nothing gives its move, or gives way to the next line. */
static void searches_without_playing(void **state) {
    (void)state;
    static char text[1 << 16];
    struct session s;
    begin(&s, 50);
    send_text(&s, "1 kata-search_analyze_cancellable b 1 maxmoves 1\n");
    read_some(&s, text, sizeof text, "\n\n");
    assert_non_null(strstr(text, "\nplay "));
    assert_null(strstr(text, "cancelled"));
    send_text(&s, "yomi-param time 1000\n");
    read_some(&s, text, sizeof text, "\n\n");
    send_text(&s, "2 kata-search_analyze_cancellable b 1 maxmoves 1\n");
    read_some(&s, text, sizeof text, "\ninfo move ");
    send_text(&s, "3 kata-search_cancellable w\n4 list_stones b\n5 quit\n");
    const char *rest = read_all(&s);
    assert_non_null(strstr(rest, "\nplay cancelled\n\n=3 cancelled\n\n=4 \n\n"));
    end(&s);
    close(s.to[1]);
}

/* So does one that has nothing to search: White has two eyes, and nothing else is left. */
static void analyzes_what_is_over(void **state) {
    (void)state;
    static char text[1 << 12];
    struct session s;
    begin(&s, 50);
    send_text(&s, "boardsize 2\nplay w a1\nplay w b2\n1 lz-analyze w 1\n");
    read_some(&s, text, sizeof text, "=1 \ninfo move pass");
    read_some(&s, text, sizeof text, "\ninfo move pass");
    assert_null(strstr(text, "\n\n"));
    send_text(&s, "2 name\nquit\n");
    const char *rest = read_all(&s);
    assert_non_null(strstr(rest, "\n\n=2 Yomi\n\n"));
    end(&s);
    close(s.to[1]);
}

static double clock_seconds(clockid_t clock) {
    struct timespec used;
    clock_gettime(clock, &used);
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

/* Of all threads but this one. */
static double cpu_seconds(void) {
    return clock_seconds(CLOCK_PROCESS_CPUTIME_ID) - clock_seconds(CLOCK_THREAD_CPUTIME_ID);
}

/* After its own move it thinks on; any line ends that at once, and one that changes nothing, for as
 * long as its answer takes only. After the opponent's move, or the end of the game, it does not. */
static void ponders(void **state) {
    (void)state;
    static char text[1 << 12];
    struct session s;
    begin_as(&s, 20, true);
    send_text(&s, "1 genmove b\n");
    read_some(&s, text, sizeof text, "=1 ");
    for (int i = 0; i < 2; i++) {
        double before = cpu_seconds();
        int64_t start = yo_time_ms();
        while (cpu_seconds() - before < 0.03) {
            usleep(1000);
            assert_true(yo_time_ms() - start < 60 * 1000);
        }
        send_text(&s, "2 name\n");
        read_some(&s, text, sizeof text, "=2 Yomi\n\n");
    }
    send_text(&s, "3 play w pass\n");
    read_some(&s, text, sizeof text, "=3 \n\n");
    double before = cpu_seconds();
    usleep(100 * 1000);
    assert_true(cpu_seconds() - before < 0.05);
    send_text(&s, "4 genmove b\n");
    read_some(&s, text, sizeof text, "=4 ");
    close(s.to[1]); /* the end of input ends it as well */
    end(&s);
}

int main(void) {
    signal(SIGPIPE, SIG_IGN);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_with_the_input),
        cmocka_unit_test(ends_with_quit),
        cmocka_unit_test(ends_when_nobody_listens),
        cmocka_unit_test(survives_junk),
        cmocka_unit_test(hears_interrupts),
        cmocka_unit_test(hears_early_interrupts),
        cmocka_unit_test(ignores_idle_interrupts),
        cmocka_unit_test(analyzes_until_input),
        cmocka_unit_test(searches_without_playing),
        cmocka_unit_test(analyzes_what_is_over),
        cmocka_unit_test(ponders),
        cmocka_unit_test(stops_thinking_for_nobody),
        cmocka_unit_test(stops_thinking_when_only_its_output_is_closed),
        cmocka_unit_test(says_what_it_cannot_read_or_write),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
