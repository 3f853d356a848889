/* log.c: pieces become lines, and lines of many threads stay whole. */
#include "support/test.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/log.h"

enum { THREADS = 4, LINES = 200 };

static struct yo_log *log_;

static void *say(void *arg) {
    const char *word = arg;
    for (int i = 0; i < LINES; i++)
        yo_log_line(log_, YO_LOG_OUT, word);
    return NULL;
}

static size_t count(const char *text, const char *what) {
    size_t found = 0;
    for (; (text = strstr(text, what)); text++)
        found++;
    return found;
}

static void lines_stay_whole(void **state) {
    (void)state;
    char path[] = "/tmp/yomi-log-XXXXXX";
    static char words[THREADS][32] = {"aaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb", "ccccc", "dddddddddd"};
    pthread_t threads[THREADS];
    struct yo_buf text = {0};
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(yo_log_open(path, "test", &log_, NULL), YO_OK);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, say, words[i]), 0);
    yo_log_bytes(log_, YO_LOG_IN, "one\ntw", 6);
    yo_log_line(log_, YO_LOG_NOTE, "between");
    yo_log_bytes(log_, YO_LOG_IN, "o\nthree", 7);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(yo_log_close(log_, NULL), YO_OK);
    assert_int_equal(yo_file_read(path, &text, NULL), YO_OK);
    const char *all = yo_buf_text(&text);
    for (int i = 0; i < THREADS; i++) {
        char line[40];
        snprintf(line, sizeof line, " < %s\n", words[i]);
        assert_int_equal(count(all, line), LINES);
    }
    assert_int_equal(count(all, " > one\n") + count(all, " > two\n") + count(all, " > three\n"), 3);
    assert_int_equal(count(all, " # between\n") + count(all, " # test\n"), 2);
    assert_int_equal(count(all, "\n"), THREADS * LINES + 5);
    yo_buf_free(&text);
    unlink(path);
}

static void no_log_is_no_error(void **state) {
    (void)state;
    struct yo_log *none;
    struct yo_diag diag = {0};
    assert_int_equal(yo_log_open(NULL, "test", &none, &diag), YO_OK);
    assert_null(none);
    yo_log_bytes(none, YO_LOG_IN, "x\n", 2);
    yo_log_line(none, YO_LOG_NOTE, "x");
    assert_int_equal(yo_log_close(none, &diag), YO_OK);
    assert_int_equal(yo_log_open("/nowhere/at/all", "test", &none, &diag), YO_ERR_IO);
    assert_non_null(strstr(diag.what, "/nowhere/at/all"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_stay_whole),
        cmocka_unit_test(no_log_is_no_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
