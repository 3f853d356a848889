/* The choice of a backend for a network: measured once, kept in a file, and the file may hold
 * anything. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "eval/net/choice.h"
#include "support/shaped_net.h"
#include "support/test.h"

static const struct net_shape small = {"small", 4, 3, 3,           8,     "o",
                                       8,       0, 4, YO_NET_RELU, false, false};
static const struct net_shape other = {"other", 4, 3, 3,           9,     "o",
                                       8,       0, 4, YO_NET_RELU, false, false};

static char folder[] = "/tmp/yomi-test-choice-XXXXXX", file[128];

static int make_folder(void **state) {
    (void)state;
    if (!mkdtemp(folder)) return 1;
    char cache[100];
    snprintf(cache, sizeof cache, "%s/deep/cache", folder);
    snprintf(file, sizeof file, "%s/net-backends", cache);
    return setenv("YOMI_CACHE", cache, 1);
}

static int remove_folder(void **state) {
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static void read_file(struct yo_buf *text) {
    yo_buf_clear(text);
    assert_int_equal(yo_file_read_text(file, text, NULL), YO_OK);
}

static void write_file(const char *text) {
    assert_int_equal(yo_file_replace(file, text, strlen(text), NULL), YO_OK);
}

static int count_lines(const char *text) {
    int lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

/* A backend that may be chosen, and is not this one; NULL if there is none. */
static const struct yo_net_backend *find_other(const struct yo_net_backend *one) {
    int count;
    const struct yo_net_backend *const *all = yo_net_backends(&count);
    for (int i = 0; i < count; i++)
        if (all[i]->family != YO_NET_ON_REQUEST && all[i]->family != one->family &&
            all[i]->available())
            return all[i];
    return NULL;
}

static void measures_once_and_keeps_it(void **state) {
    (void)state;
    struct yo_net_graph graph, second;
    struct yo_net_choice choice;
    struct yo_buf text = {0}, changed = {0};
    shaped_net_make(&graph, &small, 1);
    shaped_net_make(&second, &other, 1);
    yo_net_choose(&graph, &choice);
    assert_false(choice.kept);
    assert_true(choice.per_second > 0);
    assert_true(choice.backend->available());
    assert_int_not_equal(choice.backend->family, YO_NET_ON_REQUEST);
    read_file(&text);
    assert_int_equal(count_lines(yo_buf_text(&text)), 2); /* a heading, and ours */
    assert_non_null(strstr(yo_buf_text(&text), choice.backend->name));

    /* What the file says holds, also if it was not measured. */
    const struct yo_net_backend *slower = find_other(choice.backend);
    assert_non_null(slower);
    const char *line = strchr(yo_buf_text(&text), '\n') + 1;
    yo_buf_printf(&changed, "%.16s %s 5 by hand\n", line, slower->name);
    write_file(yo_buf_text(&changed));
    yo_net_choose(&graph, &choice);
    assert_true(choice.kept);
    assert_ptr_equal(choice.backend, slower);
    assert_true(choice.per_second == 5);
    assert_ptr_equal(yo_net_choose_named(&graph, "auto", NULL), slower);
    assert_ptr_equal(yo_net_choose_named(&graph, NULL, NULL), slower);
    assert_string_equal(yo_net_choose_named(&graph, "reference", NULL)->name, "reference");

    /* Another shape is another question. */
    yo_net_choose(&second, &choice);
    assert_false(choice.kept);
    read_file(&text);
    assert_int_equal(count_lines(yo_buf_text(&text)), 3);
    assert_non_null(strstr(yo_buf_text(&text), " 5 by hand"));

    /* Asked to measure again, it does. */
    yo_net_choose_again(&graph, &choice);
    assert_false(choice.kept);
    read_file(&text);
    assert_int_equal(count_lines(yo_buf_text(&text)), 3);
    assert_null(strstr(yo_buf_text(&text), "by hand"));
    yo_buf_clear(&changed);
    yo_net_choices_describe(&changed);
    assert_int_equal(count_lines(yo_buf_text(&changed)), 2);
    assert_non_null(strstr(yo_buf_text(&changed), "4 planes"));
    yo_buf_free(&text);
    yo_buf_free(&changed);
    yo_net_graph_free(&graph);
    yo_net_graph_free(&second);
}

static void takes_any_file(void **state) {
    (void)state;
    static const char *const texts[] = {
        "", "\n\n\n", "garbage", "0123456789abcdef", "0123456789abcdef cuda 1", "x y z\n\n# a\n",
    };
    struct yo_net_graph graph;
    struct yo_net_choice choice;
    struct yo_buf text = {0}, bad = {0};
    shaped_net_make(&graph, &small, 1);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        write_file(texts[i]);
        yo_net_choose(&graph, &choice);
        assert_false(choice.kept);
        yo_net_choose(&graph, &choice);
        assert_true(choice.kept);
    }
    /* A backend that there is not, or that is only for those who ask for it. */
    static const char *const names[] = {"abacus", "reference", "plain-int8"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        read_file(&text);
        yo_buf_clear(&bad);
        yo_buf_printf(&bad, "%.16s %s 7\n", strchr(yo_buf_text(&text), '\n') + 1, names[i]);
        write_file(yo_buf_text(&bad));
        yo_net_choose(&graph, &choice);
        assert_false(choice.kept);
    }
    yo_buf_free(&text);
    yo_buf_free(&bad);
    yo_net_graph_free(&graph);
}

/* No more than a hundred are kept. */
static void forgets_the_oldest(void **state) {
    (void)state;
    struct yo_net_graph graph;
    struct yo_net_choice choice;
    struct yo_buf text = {0};
    shaped_net_make(&graph, &small, 1);
    for (int i = 0; i < 150; i++)
        yo_buf_printf(&text, "%016x plain-float 1 number %d.\n", i, i);
    write_file(yo_buf_text(&text));
    yo_net_choose(&graph, &choice);
    read_file(&text);
    assert_int_equal(count_lines(yo_buf_text(&text)), 101);
    assert_non_null(strstr(yo_buf_text(&text), "number 98."));
    assert_null(strstr(yo_buf_text(&text), "number 99."));
    yo_buf_free(&text);
    yo_net_graph_free(&graph);
}

/* Where nothing can be kept nothing is measured; where a file cannot be written it is measured. */
static void works_without_a_file(void **state) {
    (void)state;
    struct yo_net_graph graph;
    struct yo_net_choice choice;
    char cache[128];
    shaped_net_make(&graph, &small, 1);
    setenv("YOMI_CACHE", "", 1);
    yo_net_choose(&graph, &choice);
    assert_true(choice.per_second == 0);
    assert_ptr_equal(choice.backend, yo_net_backend_find("auto", NULL));
    snprintf(cache, sizeof cache, "%s/net-backends", folder); /* a file where a folder should be */
    assert_int_equal(yo_file_replace(cache, "x", 1, NULL), YO_OK);
    setenv("YOMI_CACHE", cache, 1);
    yo_net_choose(&graph, &choice);
    assert_false(choice.kept);
    assert_true(choice.per_second > 0);
    yo_net_graph_free(&graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measures_once_and_keeps_it),
        cmocka_unit_test(takes_any_file),
        cmocka_unit_test(forgets_the_oldest),
        cmocka_unit_test(works_without_a_file),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
