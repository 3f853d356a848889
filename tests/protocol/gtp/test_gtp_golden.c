/* Golden transcripts: tests/data/gtp/NAME.gtp fed to an engine must give NAME.expected. There a
 * '*' at the end of a line stands for any text, and a line "..." for any lines of one answer.
 * With YOMI_BLESS set in the environment, files that have neither are written anew. */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "base/split.h"
#include "protocol/gtp/gtp.h"
#include "support/golden.h"
#include "support/gtp_talk.h"

struct session {
    struct yo_gtp *gtp;
    struct yo_buf reply;
};

static void feed(void *user, const char *line, size_t len) {
    struct session *s = user;
    if (!yo_gtp_done(s->gtp)) yo_gtp_feed(s->gtp, line, len, &s->reply);
}

static void run_transcript(const char *path, struct yo_buf *reply) {
    struct yo_gtp_config config;
    struct yo_diag diag;
    struct session session = {0};
    yo_gtp_config_init(&config);
    assert_int_equal(yo_gtp_new(&config, &session.gtp, &diag), YO_OK);
    gtp_set(session.gtp, "playouts", "200");
    gtp_set(session.gtp, "judge", "500");
    gtp_set(session.gtp, "threads", "1");
    gtp_set(session.gtp, "resign", "0");
    struct yo_buf input = {0};
    golden_read(path, &input);
    struct yo_split split = {.emit = feed, .user = &session};
    yo_split_add(&split, yo_buf_text(&input), input.len);
    yo_split_end(&split);
    yo_gtp_delete(session.gtp);
    yo_buf_free(&input);
    *reply = session.reply;
}

static const char *line_end(const char *p) { return p + strcspn(p, "\n"); }

static bool line_matches(const char *want, size_t want_len, const char *got, size_t got_len) {
    if (want_len > 0 && want[want_len - 1] == '*')
        return got_len >= want_len - 1 && memcmp(want, got, want_len - 1) == 0;
    return want_len == got_len && memcmp(want, got, got_len) == 0;
}

static void compare(const char *name, const char *want, const char *got) {
    for (int number = 1; *want || *got; number++) {
        const char *want_end = line_end(want), *got_end = line_end(got);
        if (want_end - want == 3 && memcmp(want, "...", 3) == 0) {
            while (got_end != got) { /* up to the empty line that ends the answer */
                got = *got_end ? got_end + 1 : got_end;
                got_end = line_end(got);
            }
            want = want_end + 1;
            continue;
        }
        if (!line_matches(want, (size_t)(want_end - want), got, (size_t)(got_end - got)))
            fail_msg("%s.expected:%d: wanted \"%.*s\", got \"%.*s\"", name, number,
                     (int)(want_end - want), want, (int)(got_end - got), got);
        want = *want_end ? want_end + 1 : want_end;
        got = *got_end ? got_end + 1 : got_end;
    }
}

static void transcript(void **state) {
    const char *name = *state;
    char path[128];
    struct yo_buf reply, want = {0};
    snprintf(path, sizeof path, "tests/data/gtp/%s.gtp", name);
    run_transcript(path, &reply);
    snprintf(path, sizeof path, "tests/data/gtp/%s.expected", name);
    golden_read(path, &want);
    bool has_patterns = strstr(yo_buf_text(&want), "*\n") || strstr(yo_buf_text(&want), "\n...\n");
    if (golden_is_blessed() && !has_patterns)
        golden_write(path, &reply);
    else
        compare(name, yo_buf_text(&want), yo_buf_text(&reply));
    yo_buf_free(&want);
    yo_buf_free(&reply);
}

/* The matcher itself must be able to refuse. */
static void matcher_refuses(void **state) {
    (void)state;
    assert_true(line_matches("= *", 3, "= D4", 4));
    assert_false(line_matches("= *", 3, "? no", 4));
    assert_false(line_matches("= D4", 4, "= D5", 4));
    assert_false(line_matches("= D4", 4, "= D", 3));
}

#define TRANSCRIPT(name) GOLDEN(name, transcript)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matcher_refuses),
        TRANSCRIPT("standard"),
        TRANSCRIPT("errors"),
        TRANSCRIPT("sabaki"),
        TRANSCRIPT("gogui"),
        TRANSCRIPT("twogtp"),
        TRANSCRIPT("kgs"),
        TRANSCRIPT("cgos"),
        TRANSCRIPT("gnugo_regression"),
        TRANSCRIPT("kata"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
