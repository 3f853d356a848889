/* The GTP engine in-process: lines of any shape, answers that depend on more than one of them, and
 * the documentation of its commands. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/split.h"
#include "protocol/gtp/line.h"
#include "support/gtp_talk.h"

static void parses_lines(void **state) {
    (void)state;
    struct yo_gtp_line line = {0};
    const char text[] = "  12\tplay  b\tD4 # a comment";
    assert_int_equal(yo_gtp_line_parse(&line, text, strlen(text)), YO_OK);
    assert_string_equal(line.id, "12");
    assert_string_equal(line.command, "play");
    assert_int_equal(line.arg_count, 2);
    assert_string_equal(line.args[0], "b");
    assert_string_equal(line.args[1], "D4");
    assert_string_equal(line.rest, "b D4");
    assert_int_equal(yo_gtp_line_parse(&line, "a\0b\rc d", 7), YO_OK);
    assert_string_equal(line.id, "");
    assert_string_equal(line.command, "abc");
    assert_string_equal(line.rest, "d");
    assert_int_equal(yo_gtp_line_parse(&line, " # x", 4), YO_OK);
    assert_null(line.command);
    assert_int_equal(yo_gtp_line_parse(&line, NULL, 0), YO_OK);
    assert_null(line.command);
    yo_gtp_line_free(&line);
    assert_true(yo_gtp_line_is_interrupt("# interrupt\r", 12));
    assert_false(yo_gtp_line_is_interrupt("# interrupted", 13));
}

static void hears_no_memory(void **state) {
    (void)state;
    struct yo_gtp *gtp = gtp_engine(100);
    struct yo_buf reply = {0};
    yo_buf_str(&reply, "room for an answer is there already, so that only the engine's fails");
    yo_buf_clear(&reply);
    yo_alloc_fail_after(0);
    yo_gtp_feed(gtp, "name", 4, &reply);
    yo_alloc_fail_after(-1);
    assert_string_equal(yo_buf_text(&reply), "? out of memory\n\n");
    yo_buf_free(&reply);
    assert_string_equal(gtp_ask(gtp, "name"), "= Yomi\n\n");
    yo_gtp_delete(gtp);
}

struct lines {
    int count, too_long;
    size_t last;
};

static void count_line(void *user, const char *line, size_t len) {
    struct lines *lines = user;
    (void)line;
    lines->count++;
    lines->too_long += len > YO_LINE_MAX;
    lines->last = len;
}

/* A line of just a megabyte is taken; a longer one is refused, and the next is heard. */
static void limits_lines(void **state) {
    (void)state;
    struct lines lines = {0};
    struct yo_split split = {.emit = count_line, .user = &lines};
    static char block[1 << 16];
    memset(block, 'x', sizeof block);
    for (size_t i = 0; i < YO_LINE_MAX / sizeof block; i++)
        yo_split_add(&split, block, sizeof block);
    yo_split_add(&split, "\nname\n", 6);
    assert_int_equal(lines.count, 2);
    assert_int_equal(lines.too_long, 0);
    for (size_t i = 0; i < 5 * YO_LINE_MAX / sizeof block; i++)
        yo_split_add(&split, block, sizeof block);
    yo_split_add(&split, "\nversion", 8);
    yo_split_end(&split);
    assert_int_equal(lines.count, 4);
    assert_int_equal(lines.too_long, 1);
    assert_int_equal(lines.last, 7);
}

static void refuses_long_lines(void **state) {
    (void)state;
    struct yo_gtp *gtp = gtp_engine(100);
    struct yo_buf line = {0}, reply = {0};
    while (line.len < YO_LINE_MAX)
        yo_buf_str(&line, "b D4 ");
    yo_gtp_feed(gtp, line.data, YO_LINE_MAX + 1, &reply);
    assert_string_equal(yo_buf_text(&reply), "? line too long: at most 1048576 bytes\n\n");
    yo_buf_clear(&reply);
    yo_gtp_feed(gtp, line.data, YO_LINE_MAX, &reply);
    assert_string_equal(yo_buf_text(&reply),
                        "? unknown command 'b'; list_commands shows them all\n\n");
    yo_buf_free(&line);
    yo_buf_free(&reply);
    yo_gtp_delete(gtp);
}

/* On every size the board shows stars just where the first fixed handicap stones go. */
static void stars_are_handicap_places(void **state) {
    (void)state;
    struct yo_gtp *gtp = gtp_engine(100);
    for (int size = 2; size <= 19; size++) {
        char line[32], board[2048];
        int expected = size < 7 ? 0 : size < 9 || size % 2 == 0 ? 4 : size < 15 ? 5 : 9;
        snprintf(line, sizeof line, "boardsize %d", size);
        gtp_ask(gtp, line);
        gtp_keep(board, sizeof board, gtp_ask(gtp, "showboard"));
        int stars = 0;
        for (const char *p = board; *p; p++)
            stars += *p == '+';
        assert_int_equal(stars, expected);
        snprintf(line, sizeof line, "fixed_handicap %d", expected);
        if (expected == 0) continue;
        gtp_ask(gtp, line);
        gtp_keep(board, sizeof board, gtp_ask(gtp, "showboard"));
        assert_null(strchr(board, '+')); /* each has a stone on it */
    }
    yo_gtp_delete(gtp);
}

/* get_position can be fed to gogui-setup. */
static void position_round_trip(void **state) {
    (void)state;
    struct yo_gtp *gtp = gtp_engine(100);
    char position[256], line[300];
    gtp_ask(gtp, "gogui-play_sequence b E5 w C3 b A1");
    gtp_keep(position, sizeof position, gtp_ask(gtp, "get_position"));
    assert_string_equal(position, "= b E5 w C3 b A1\n\n");
    gtp_ask(gtp, "clear_board");
    snprintf(line, sizeof line, "gogui-setup %.*s", (int)strlen(position) - 4, position + 2);
    assert_string_equal(gtp_ask(gtp, line), "= \n\n");
    assert_string_equal(gtp_ask(gtp, "get_position"), position);
    assert_string_equal(gtp_ask(gtp, "gogui-setup e C3"), "= \n\n");
    assert_string_equal(gtp_ask(gtp, "get_position"), "= b E5 b A1\n\n");
    yo_gtp_delete(gtp);
}

/* A sequence that fails leaves no trace, and taking it back costs no more than playing it: a line
 * may hold a hundred thousand moves. */
static void long_sequences_are_taken_back(void **state) {
    (void)state;
    struct yo_gtp *gtp = gtp_engine(10);
    struct yo_buf line = {0}, reply = {0};
    yo_buf_str(&line, "gogui-play_sequence b E5");
    for (int i = 0; i < 60000; i++)
        yo_buf_str(&line, " w pass b pass");
    assert_string_equal(gtp_ask(gtp, "gogui-setup_player w"), "= \n\n");
    size_t good = line.len;
    yo_buf_str(&line, " w E5");
    yo_gtp_feed(gtp, line.data, line.len, &reply);
    assert_int_equal(yo_buf_text(&reply)[0], '?');
    assert_string_equal(gtp_ask(gtp, "list_stones b"), "= \n\n");
    assert_non_null(strstr(gtp_ask(gtp, "showboard"), "White to move, 0 played"));
    yo_buf_clear(&reply);
    yo_gtp_feed(gtp, line.data, good, &reply);
    assert_string_equal(yo_buf_text(&reply), "= \n\n");
    assert_string_equal(gtp_ask(gtp, "gg-undo 120000"), "= \n\n");
    assert_string_equal(gtp_ask(gtp, "move_history"), "= black E5\n\n");
    assert_int_equal(gtp_ask(gtp, "gg-undo 2")[0], '?');
    yo_buf_free(&line);
    yo_buf_free(&reply);
    yo_gtp_delete(gtp);
}

/* Every command, fed junk of every length up to four words, answers once and lives. */
static void survives_junk_arguments(void **state) {
    (void)state;
    static const char *const junk[] = {"",
                                       " b",
                                       " -1",
                                       " 99999999999999999999",
                                       " \xff\xfe \x80",
                                       " b A1",
                                       " D4 D4 D4",
                                       " {\"ko\":",
                                       " b b b b",
                                       " a 1 a 1"};
    struct yo_gtp_config config;
    struct yo_gtp *gtp;
    struct yo_diag diag;
    yo_gtp_config_init(&config);
    config.size = 9;
    config.no_files = true;
    assert_int_equal(yo_gtp_new(&config, &gtp, &diag), YO_OK);
    gtp_set(gtp, "playouts", "50");
    gtp_set(gtp, "judge", "20");
    gtp_set(gtp, "resign", "0");
    struct yo_gtp_command_info info;
    for (size_t i = 0; yo_gtp_command_info(i, &info); i++)
        for (size_t j = 0; j < sizeof junk / sizeof junk[0]; j++) {
            char line[128];
            snprintf(line, sizeof line, "%s%s", info.name, junk[j]);
            const char *reply = gtp_ask(gtp, line);
            size_t len = strlen(reply);
            assert_true(reply[0] == '=' || reply[0] == '?');
            assert_ptr_equal(strstr(reply, "\n\n"), reply + len - 2);
        }
    yo_gtp_delete(gtp);
}

/* ---- docs/gtp.md ---- */

static void make_table(struct yo_buf *out) {
    struct yo_gtp_command_info info;
    const char *topic = "";
    for (size_t i = 0; yo_gtp_command_info(i, &info); i++) {
        if (strcmp(topic, info.topic) != 0)
            yo_buf_printf(out, "\n### %s\n\n| command | arguments | |\n|---|---|---|\n",
                          info.topic);
        topic = info.topic;
        yo_buf_printf(out, "| `%s` | ", info.name);
        if (*info.usage) yo_buf_char(out, '`');
        for (const char *p = info.usage; *p; p++)
            yo_buf_printf(out, *p == '|' ? "\\%c" : "%c", *p);
        yo_buf_printf(out, "%s | %s |\n", *info.usage ? "`" : "", info.help);
    }
}

/* The table of commands in the document is the one in the program. YOMI_BLESS writes it anew. */
static void documentation_is_true(void **state) {
    (void)state;
    static const char begin[] = "<!-- commands: begin -->\n", end[] = "\n<!-- commands: end -->";
    struct yo_buf table = {0};
    make_table(&table);
    static char text[1 << 17];
    FILE *file = fopen("docs/gtp.md", "rb");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    char *from = strstr(text, begin), *to = strstr(text, end);
    assert_non_null(from);
    assert_non_null(to);
    from += strlen(begin);
    if (getenv("YOMI_BLESS")) {
        file = fopen("docs/gtp.md", "wb");
        assert_non_null(file);
        fprintf(file, "%.*s%s%s", (int)(from - text), text, yo_buf_text(&table), to);
        fclose(file);
    } else {
        *to = '\0';
        assert_string_equal(from, yo_buf_text(&table));
    }
    yo_buf_free(&table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parses_lines),
        cmocka_unit_test(hears_no_memory),
        cmocka_unit_test(limits_lines),
        cmocka_unit_test(refuses_long_lines),
        cmocka_unit_test(stars_are_handicap_places),
        cmocka_unit_test(position_round_trip),
        cmocka_unit_test(long_sequences_are_taken_back),
        cmocka_unit_test(survives_junk_arguments),
        cmocka_unit_test(documentation_is_true),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
