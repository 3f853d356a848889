/* What can be asked of an analysis over GTP: the arguments, and the moves that are looked at. */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "protocol/gtp/gtp.h"
#include "support/gtp_talk.h"

static struct yo_gtp *engine(void) {
    struct yo_gtp_config config;
    struct yo_gtp *gtp;
    struct yo_diag diag;
    yo_gtp_config_init(&config);
    config.size = 9;
    assert_int_equal(yo_gtp_new(&config, &gtp, &diag), YO_OK);
    gtp_set(gtp, "playouts", "300");
    gtp_set(gtp, "threads", "1");
    gtp_set(gtp, "resign", "0");
    return gtp;
}

/* The answer to one line, in storage that the next call uses again. */
static const char *ask(struct yo_gtp *gtp, const char *line) {
    static char text[1 << 18];
    struct yo_buf reply = {0};
    yo_gtp_feed(gtp, line, strlen(line), &reply);
    assert_int_equal(yo_buf_status(&reply), YO_OK);
    assert_true(reply.len < sizeof text);
    snprintf(text, sizeof text, "%s", yo_buf_text(&reply));
    yo_buf_free(&reply);
    return text;
}

/* How many moves the answer has; all of them stand in `among`, as " A1 B2 ", unless that is NULL.
 */
static int moves_of(const char *answer, const char *among) {
    int count = 0;
    for (const char *p = answer; (p = strstr(p, "info move ")); count++) {
        char move[8] = " ";
        p += strlen("info move ");
        snprintf(move + 1, sizeof move - 1, "%.*s ", (int)strcspn(p, " "), p);
        if (among && !strstr(among, move)) fail_msg("it looks at%s", move);
    }
    return count;
}

static void refuses(struct yo_gtp *gtp, const char *arguments, const char *why) {
    char line[120];
    snprintf(line, sizeof line, "kata-analyze %s", arguments);
    const char *answer = ask(gtp, line);
    if (answer[0] != '?' || !strstr(answer, why)) fail_msg("%s: %s", line, answer);
}

static void bad_arguments_are_told(void **state) {
    (void)state;
    struct yo_gtp *gtp = engine();
    refuses(gtp, "b ownership maybe", "'maybe' is neither true nor false");
    refuses(gtp, "b ownership", "'ownership' wants a value");
    refuses(gtp, "b -1", "-1 is out of range");
    refuses(gtp, "0.5", "'0.5' is not a whole number");
    refuses(gtp, "b minmoves x", "not a whole number");
    refuses(gtp, "b colour 1", "keys are interval, minmoves");
    refuses(gtp, "b avoid b a1", "wants a colour, points with commas, and a depth");
    refuses(gtp, "b avoid x a1 1", "not a colour");
    refuses(gtp, "b avoid b a1,k9 1", "no points of this board");
    refuses(gtp, "b avoid b a1, 1", "no points of this board");
    refuses(gtp, "b avoid b resign 1", "no points of this board");
    refuses(gtp, "b avoid b a1 0", "out of range");
    refuses(gtp, "b allow b a1 1 allow b b1 1", "allow can be there once");
    refuses(gtp, "b allow b a1 1 avoid b b1 1", "allow can be there once");
    yo_gtp_delete(gtp);
}

static void looks_at_some_moves_only(void **state) {
    (void)state;
    struct yo_gtp *gtp = engine();
    assert_int_equal(moves_of(ask(gtp, "kata-analyze b 0 allow b c3,G7 5"), " C3 G7 "), 2);
    assert_int_equal(moves_of(ask(gtp, "lz-analyze w allow w c3 1 interval 0"), " C3 "), 1);
    /* What is said of the other colour does not hold for this one. */
    assert_true(moves_of(ask(gtp, "kata-analyze b 0 allow w c3 1"), NULL) > 10);
    const char *best = ask(gtp, "kata-analyze b 10 maxmoves 1");
    char first[64], line[80];
    assert_int_equal(sscanf(strstr(best, "info move "), "info move %7s", first), 1);
    snprintf(line, sizeof line, "kata-analyze b 0 avoid b %s,a1 1 avoid b pass 1", first);
    const char *others = ask(gtp, line);
    strcat(strcpy(line, "info move "), first);
    strcat(line, " ");
    assert_true(moves_of(others, NULL) > 10);
    assert_null(strstr(others, line));
    assert_null(strstr(others, "info move A1 "));
    yo_gtp_delete(gtp);
}

/* What was searched with moves left out is no ground for the next move. */
static void is_forgotten_for_the_game(void **state) {
    (void)state;
    struct yo_gtp *gtp = engine();
    unsigned long visits = 0;
    assert_int_equal(moves_of(ask(gtp, "kata-analyze b 0 allow b a1 1"), " A1 "), 1);
    const char *root = strstr(ask(gtp, "kata-analyze b 0 rootInfo true"), "rootInfo visits ");
    assert_non_null(root);
    assert_int_equal(sscanf(root, "rootInfo visits %lu", &visits), 1);
    assert_in_range(visits, 200, 300); /* and not those of before as well */
    yo_gtp_delete(gtp);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_arguments_are_told),
        cmocka_unit_test(looks_at_some_moves_only),
        cmocka_unit_test(is_forgotten_for_the_game),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
