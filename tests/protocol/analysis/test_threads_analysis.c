/* The analysis engine's threads: many positions at once, priorities, ending what waits and what
 * runs, reports on the way, and both ends of a pipe. */
#include "support/test.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/time.h"
#include "protocol/analysis/analysis.h"

#define FAST_MAX 60000 /* on a busy machine too; what is asked for would take for ever */
#define POSITION "\"moves\":[],\"rules\":\"chinese\",\"boardXSize\":5,\"boardYSize\":5"

struct session {
    struct yo_analysis *analysis;
    pthread_mutex_t lock;
    struct yo_buf sent;
};

static bool collect(void *user, const char *bytes, size_t len) {
    struct session *s = user;
    pthread_mutex_lock(&s->lock);
    yo_buf_add(&s->sent, bytes, len);
    pthread_mutex_unlock(&s->lock);
    return true;
}

static void start(struct session *s, int positions, int threads) {
    struct yo_analysis_config config;
    struct yo_diag diag = {0};
    *s = (struct session){.lock = PTHREAD_MUTEX_INITIALIZER};
    yo_analysis_config_init(&config);
    config.playouts = 30;
    config.positions = positions;
    config.threads = threads;
    config.send = collect;
    config.user = s;
    assert_int_equal(yo_analysis_new(&config, &s->analysis, &diag), YO_OK);
}

static void end(struct session *s) {
    yo_analysis_delete(s->analysis);
    yo_buf_free(&s->sent);
}

static void say(struct session *s, const char *line) {
    yo_analysis_feed(s->analysis, line, strlen(line));
}

static size_t count(struct session *s, const char *text) {
    size_t found = 0;
    pthread_mutex_lock(&s->lock);
    for (const char *p = yo_buf_text(&s->sent); (p = strstr(p, text)); p++)
        found++;
    pthread_mutex_unlock(&s->lock);
    return found;
}

/* Waits until the text was sent. */
static void await(struct session *s, const char *text) {
    for (int64_t end_ms = yo_time_ms() + FAST_MAX; count(s, text) == 0; usleep(1000))
        if (yo_time_ms() > end_ms) fail_msg("no %s in\n%s", text, yo_buf_text(&s->sent));
}

static void every_position_is_answered_once(void **state) {
    (void)state;
    struct session s;
    start(&s, 3, 6);
    char line[256];
    for (int i = 0; i < 12; i++) {
        snprintf(line, sizeof line,
                 "{\"id\":\"q%02d\",\"moves\":[[\"B\",\"C3\"],[\"W\",\"C4\"]],\"rules\":\"aga\","
                 "\"boardXSize\":7,\"boardYSize\":7,\"analyzeTurns\":[0,1,2],\"maxVisits\":%d}",
                 i, 10 + 20 * i);
        say(&s, line);
    }
    yo_analysis_finish(s.analysis);
    assert_int_equal(count(&s, "\"isDuringSearch\":false"), 36);
    for (int i = 0; i < 12; i++) {
        snprintf(line, sizeof line, "\"id\":\"q%02d\"", i);
        assert_int_equal(count(&s, line), 3);
    }
    end(&s);
}

/* Starts a search without end, which keeps the only worker busy, and waits until it runs. */
static void start_long(struct session *s) {
    say(s, "{\"id\":\"long\"," POSITION ",\"maxVisits\":1000000000000,"
           "\"reportDuringSearchEvery\":0.001}");
    await(s, "\"isDuringSearch\":true");
}

static void the_highest_priority_is_next(void **state) {
    (void)state;
    struct session s;
    start(&s, 1, 1);
    start_long(&s);
    say(&s, "{\"id\":\"low\"," POSITION ",\"priority\":-5}");
    say(&s, "{\"id\":\"first\"," POSITION "}");
    say(&s, "{\"id\":\"second\"," POSITION "}");
    say(&s, "{\"id\":\"high\"," POSITION ",\"priority\":9}");
    say(&s, "{\"id\":\"x\",\"action\":\"terminate\",\"terminateId\":\"long\"}");
    yo_analysis_finish(s.analysis);
    const char *text = yo_buf_text(&s.sent);
    const char *order[] = {"\"id\":\"long\",\"isDuringSearch\":false,\"moveInfos\"",
                           "\"id\":\"high\"", "\"id\":\"first\"", "\"id\":\"second\"",
                           "\"id\":\"low\""};
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        text = strstr(text, order[i]);
        if (!text) fail_msg("%s is not in its place", order[i]);
    }
    end(&s);
}

static void what_waits_can_be_taken_back(void **state) {
    (void)state;
    struct session s;
    start(&s, 1, 1);
    start_long(&s);
    say(&s, "{\"id\":\"w\",\"moves\":[[\"B\",\"C3\"]],\"rules\":\"aga\",\"boardXSize\":5,"
            "\"boardYSize\":5,\"analyzeTurns\":[0,1]}");
    say(&s, "{\"id\":\"x\",\"action\":\"terminate\",\"terminateId\":\"w\",\"turnNumbers\":[1]}");
    assert_int_equal(count(&s, "{\"id\":\"w\",\"isDuringSearch\":false,\"noResults\":true,"
                               "\"turnNumber\":1}\n"),
                     1);
    assert_int_equal(count(&s, "{\"action\":\"terminate\",\"id\":\"x\",\"terminateId\":\"w\","
                               "\"turnNumbers\":[1]}\n"),
                     1);
    say(&s, "{\"id\":\"y\",\"action\":\"terminate_all\"}");
    yo_analysis_finish(s.analysis);
    assert_int_equal(count(&s, "\"noResults\":true"), 2);
    assert_int_equal(count(&s, "\"isDuringSearch\":false"), 3);
    end(&s);
}

static void deleting_ends_what_runs(void **state) {
    (void)state;
    struct session s;
    start(&s, 2, 2);
    start_long(&s);
    say(&s, "{\"id\":\"w\"," POSITION ",\"maxVisits\":1000000000}");
    say(&s, "{\"id\":\"w\"," POSITION ",\"maxVisits\":1000000000}");
    int64_t begin_ms = yo_time_ms();
    end(&s);
    assert_true(yo_time_ms() - begin_ms < FAST_MAX);
}

/* ---- over pipes ---- */

struct served {
    int in[2], out[2];
    bool wait;
    enum yo_err err;
    pthread_t thread;
};

static void *serve(void *arg) {
    struct served *s = arg;
    struct yo_analysis_config config;
    struct yo_analysis *analysis;
    struct yo_diag diag = {0};
    yo_analysis_config_init(&config);
    config.threads = 1;
    s->err = yo_analysis_new(&config, &analysis, &diag);
    if (!s->err) s->err = yo_analysis_serve(analysis, s->in[0], s->out[1], s->wait, &diag);
    if (!s->err) yo_analysis_delete(analysis);
    close(s->out[1]);
    return NULL;
}

static void start_serving(struct served *s, bool wait) {
    signal(SIGPIPE, SIG_IGN);
    *s = (struct served){.wait = wait};
    assert_int_equal(pipe(s->in), 0);
    assert_int_equal(pipe(s->out), 0);
    assert_int_equal(pthread_create(&s->thread, NULL, serve, s), 0);
}

static void put(const struct served *s, const char *text) {
    assert_int_equal(write(s->in[1], text, strlen(text)), strlen(text));
}

static void the_end_of_input_waits_for_answers(void **state) {
    (void)state;
    struct served s;
    char bytes[1 << 16];
    struct yo_buf got = {0};
    start_serving(&s, true);
    put(&s, "{\"id\":\"a\"," POSITION ",\"maxVisits\":200}\n{\"id\":\"b\"," POSITION "}");
    close(s.in[1]);
    for (ssize_t n; (n = read(s.out[0], bytes, sizeof bytes)) > 0;)
        yo_buf_add(&got, bytes, (size_t)n);
    pthread_join(s.thread, NULL);
    assert_int_equal(s.err, YO_OK);
    assert_non_null(strstr(yo_buf_text(&got), "{\"id\":\"a\""));
    assert_non_null(strstr(yo_buf_text(&got), "{\"id\":\"b\""));
    yo_buf_free(&got);
    close(s.in[0]);
    close(s.out[0]);
}

static void leaves_at_once(bool wait, bool reader_dies) {
    struct served s;
    start_serving(&s, wait);
    put(&s, "{\"id\":\"a\"," POSITION ",\"maxVisits\":1000000000000}\n");
    usleep(50000);
    if (reader_dies) close(s.out[0]);
    int64_t begin_ms = yo_time_ms();
    close(s.in[1]);
    pthread_join(s.thread, NULL);
    assert_int_equal(s.err, YO_OK);
    assert_true(yo_time_ms() - begin_ms < FAST_MAX);
    if (!reader_dies) close(s.out[0]);
    close(s.in[0]);
}

static void without_waiting_the_end_is_the_end(void **state) {
    (void)state;
    leaves_at_once(false, false);
}

static void a_client_that_died_is_not_waited_for(void **state) {
    (void)state;
    leaves_at_once(true, true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_position_is_answered_once),
        cmocka_unit_test(the_highest_priority_is_next),
        cmocka_unit_test(what_waits_can_be_taken_back),
        cmocka_unit_test(deleting_ends_what_runs),
        cmocka_unit_test(the_end_of_input_waits_for_answers),
        cmocka_unit_test(without_waiting_the_end_is_the_end),
        cmocka_unit_test(a_client_that_died_is_not_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
