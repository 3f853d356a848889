/* Golden transcripts: tests/data/usi/NAME.usi said line by line to an engine must give
 * NAME.expected, where "> " is before what was said. What the search thinks is masked: numbers,
 * lines and moves are '~', unless they follow from the rules or a book alone (mates, win, resign),
 * and lines that look alike then are there once for each go. With YOMI_BLESS set in the environment
 * the files are written anew. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "support/golden.h"
#include "support/usi_talk.h"

/* ---- What can be compared ---- */

/* "info depth 3 score cp 20 pv 7g7f": a word and its value, and the line at the end. */
static void mask_info(struct yo_buf *out, char *line) {
    char *word = strtok(line, " ");
    yo_buf_str(out, word);
    while ((word = strtok(NULL, " "))) {
        yo_buf_printf(out, " %s", word);
        if (strcmp(word, "pv") == 0) {
            yo_buf_str(out, " ~");
            return;
        }
        bool shown = strcmp(word, "multipv") == 0;
        char *value = strtok(NULL, " ");
        if (strcmp(word, "score") == 0) { /* cp or mate, and the value of that */
            yo_buf_printf(out, " %s", value);
            shown = strcmp(value, "mate") == 0;
            value = strtok(NULL, " ");
        }
        yo_buf_printf(out, " %s", shown ? value : "~");
    }
}

/* Whether an answer is foreseen depends on when the search ended, but for what is certain. */
static void mask_best(struct yo_buf *out, const char *line, bool certain) {
    bool shown = certain || strstr(line, "resign") || strstr(line, "win");
    yo_buf_str(out, shown ? line : "bestmove ~");
}

/* Details come after a second, so whether they do is up to the machine; so is how deep a search
 * without an end comes. */
static bool is_left_out(const char *line, bool endless) {
    return strstr(line, " currmove ") || strstr(line, " lowerbound ") ||
           strstr(line, " upperbound ") || (endless && strncmp(line, "info depth ", 11) == 0);
}

static void mask_line(struct yo_buf *out, char *line, bool certain) {
    static const char eval[] = "option name EvalFile type string default ";
    if (strncmp(line, "id name ", 8) == 0)
        yo_buf_str(out, "id name Yomi ~");
    else if (strncmp(line, eval, strlen(eval)) == 0)
        yo_buf_printf(out, "%s~", eval);
    else if (strncmp(line, "info depth ", 11) == 0)
        mask_info(out, line);
    else if (strncmp(line, "bestmove ", 9) == 0)
        mask_best(out, line, certain);
    else
        yo_buf_str(out, line);
}

/* What was said to one command, into the transcript. */
static void keep(struct yo_buf *transcript, const char *said, bool certain, bool endless) {
    struct yo_buf part = {0};
    yo_buf_str(&part, "\n");
    while (*said) {
        char line[8192], whole[8300];
        struct yo_buf masked = {0};
        size_t len = strcspn(said, "\n");
        assert_true(len < sizeof line);
        snprintf(line, sizeof line, "%.*s", (int)len, said);
        said += len + 1;
        if (is_left_out(line, endless)) continue;
        mask_line(&masked, line, certain);
        snprintf(whole, sizeof whole, "\n%s\n", yo_buf_text(&masked));
        bool again = strncmp(whole, "\ninfo depth ", 12) == 0 && strstr(yo_buf_text(&part), whole);
        if (!again) yo_buf_str(&part, whole + 1);
        yo_buf_free(&masked);
    }
    yo_buf_str(transcript, yo_buf_text(&part) + 1);
    yo_buf_free(&part);
}

/* ---- Sessions ---- */

static bool is_endless(const char *line) {
    return strncmp(line, "go ", 3) == 0 && !strstr(line, "mate") &&
           (strstr(line, "infinite") || strstr(line, "ponder"));
}

static void talk(const char *input, struct yo_buf *transcript) {
    bool endless = false, certain = false, open = true;
    while (*input && open) {
        char line[4096];
        size_t len = strcspn(input, "\n");
        assert_true(len < sizeof line);
        snprintf(line, sizeof line, "%.*s", (int)len, input);
        input += len + (input[len] != '\0');
        yo_buf_printf(transcript, "> %s\n", line);
        if (strncmp(line, "go", 2) == 0) certain = false;
        if (is_endless(line)) endless = true;
        usi_forget();
        open = yo_usi_line(usi_engine(), line);
        if (is_endless(line)) usi_await("info depth");
        if (strncmp(line, "go mate", 7) == 0 && !usi_count("info string")) usi_await("checkmate");
        yo_usi_wait(usi_engine());
        if (usi_count(" score mate ") || usi_count("of the book")) certain = true;
        struct yo_buf said = {0};
        usi_copy(&said);
        keep(transcript, yo_buf_text(&said), certain, endless);
        if (strstr(yo_buf_text(&said), "bestmove ")) endless = false;
        yo_buf_free(&said);
    }
}

static void transcript(void **state) {
    const char *name = *state;
    char path[128];
    struct yo_buf input = {0}, got = {0};
    assert_int_equal(usi_set_up(NULL), 0);
    snprintf(path, sizeof path, "tests/data/usi/%s.usi", name);
    golden_read(path, &input);
    talk(yo_buf_text(&input), &got);
    usi_tear_down(NULL);
    snprintf(path, sizeof path, "tests/data/usi/%s.expected", name);
    golden_compare(path, &got);
    yo_buf_free(&input);
    yo_buf_free(&got);
}

/* The mask hides numbers and moves, and nothing else. */
static void mask_shows_the_rest(void **state) {
    (void)state;
    struct yo_buf out = {0};
    keep(&out,
         "info depth 3 seldepth 4 multipv 2 score cp -5 nodes 9 time 1 pv 7g7f 3c3d\n"
         "info depth 4 seldepth 5 multipv 2 score cp 12 nodes 99 time 2 pv 2g2f\n"
         "info depth 4 score mate -8 pv 2g2f\n"
         "info depth 4 nodes 5 currmove 2g2f\n"
         "info string 3 words\n"
         "bestmove 7g7f ponder 3c3d\n",
         false, false);
    assert_string_equal(yo_buf_text(&out),
                        "info depth ~ seldepth ~ multipv 2 score cp ~ nodes ~ time ~ pv ~\n"
                        "info depth ~ score mate -8 pv ~\n"
                        "info string 3 words\n"
                        "bestmove ~\n");
    yo_buf_clear(&out);
    keep(&out, "info depth 1 pv 7g7f\nreadyok\nbestmove 7g7f ponder 3c3d\n", false, true);
    assert_string_equal(yo_buf_text(&out), "readyok\nbestmove ~\n");
    yo_buf_clear(&out);
    keep(&out, "bestmove G*5b ponder 5a6a\nbestmove resign\n", true, true);
    assert_string_equal(yo_buf_text(&out), "bestmove G*5b ponder 5a6a\nbestmove resign\n");
    yo_buf_free(&out);
}

#define TRANSCRIPT(name) GOLDEN(name, transcript)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mask_shows_the_rest),
        TRANSCRIPT("game"),
        TRANSCRIPT("ponder"),
        TRANSCRIPT("research"),
        TRANSCRIPT("mate"),
        TRANSCRIPT("book"),
        TRANSCRIPT("errors"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
