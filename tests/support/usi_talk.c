#include "support/usi_talk.h"

#include "support/test.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct yo_usi *engine;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Under the lock: */
static struct yo_buf said;

static void hear(void *user, const char *line) {
    (void)user;
    assert_null(strpbrk(line, "\r\n"));
    pthread_mutex_lock(&lock);
    yo_buf_printf(&said, "%s\n", line);
    pthread_mutex_unlock(&lock);
}

static int set_up(bool tune) {
    usi_forget();
    if (yo_usi_new(&(struct yo_usi_config){.write = hear, .tune = tune}, &engine, NULL) != YO_OK)
        return -1;
    return yo_usi_line(engine, "setoption name USI_Hash value 1") ? 0 : -1;
}

int usi_set_up(void **unused) {
    (void)unused;
    return set_up(false);
}

int usi_set_up_tuned(void **unused) {
    (void)unused;
    return set_up(true);
}

int usi_tear_down(void **unused) {
    (void)unused;
    yo_usi_delete(engine);
    yo_buf_free(&said);
    return 0;
}

struct yo_usi *usi_engine(void) {
    return engine;
}

const char *usi_said(void) { return yo_buf_text(&said); }

void usi_forget(void) {
    pthread_mutex_lock(&lock);
    yo_buf_clear(&said);
    pthread_mutex_unlock(&lock);
}

void usi_copy(struct yo_buf *out) {
    pthread_mutex_lock(&lock);
    yo_buf_add(out, yo_buf_text(&said), said.len);
    pthread_mutex_unlock(&lock);
}

int usi_count(const char *what) {
    int n = 0;
    pthread_mutex_lock(&lock);
    for (const char *p = yo_buf_text(&said); (p = strstr(p, what)); p += strlen(what))
        n++;
    pthread_mutex_unlock(&lock);
    return n;
}

void usi_say(const char *line) { assert_true(yo_usi_line(engine, line)); }

void usi_go(const char *line) {
    usi_forget();
    usi_say(line);
    yo_usi_wait(engine);
}

void usi_assert_said(const char *what) {
    if (!usi_count(what)) fail_msg("not said: %s; but:\n%s", what, usi_said());
}

const char *usi_best(void) {
    static char word[16];
    const char *last = NULL;
    for (const char *p = usi_said(); (p = strstr(p, "bestmove ")); p++)
        last = p;
    assert_non_null(last);
    assert_int_equal(sscanf(last, "bestmove %15s", word), 1);
    return word;
}

int usi_nodes(void) {
    int nodes = -1;
    for (const char *p = usi_said(); (p = strstr(p, " nodes ")); p++)
        assert_int_equal(sscanf(p, " nodes %d", &nodes), 1);
    return nodes;
}

void usi_await(const char *what) {
    for (int ms = 0; !usi_count(what); ms++) {
        if (ms > 60000) fail_msg("waited in vain for: %s", what);
        usleep(1000);
    }
}
