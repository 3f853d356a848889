/* Files: read whole and written as a whole, and what is no file stays what it is. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/file.h"

static char folder[] = "/tmp/yomi-file-XXXXXX";

static const char *in_folder(const char *name) {
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void is_read_back(void **state) {
    (void)state;
    struct yo_diag diag = {0};
    struct yo_buf text = {0};
    assert_int_equal(yo_file_replace(in_folder("a"), "one\0two", 7, &diag), YO_OK);
    assert_int_equal(yo_file_replace(in_folder("a"),
                                     "1\0"
                                     "2",
                                     3, &diag),
                     YO_OK);
    assert_int_equal(yo_file_read(in_folder("a"), &text, &diag), YO_OK);
    assert_int_equal(text.len, 3);
    assert_memory_equal(text.data,
                        "1\0"
                        "2",
                        3);
    yo_buf_free(&text);
    unlink(in_folder("a"));
    assert_int_equal(yo_file_read(in_folder("a"), &text, &diag), YO_ERR_IO);
    assert_non_null(strstr(diag.what, "No such file"));
    assert_int_equal(yo_file_read(folder, &text, &diag), YO_ERR_IO);
    assert_non_null(strstr(diag.what, "directory"));
    yo_buf_free(&text);
}

/* A pipe, like a device, has a name that others use: what is written goes through it, and no file
 * takes its place. */
static void pipes_stay_pipes(void **state) {
    (void)state;
    struct yo_diag diag = {0};
    struct stat now;
    char got[8] = "";
    assert_int_equal(mkfifo(in_folder("pipe"), 0600), 0);
    FILE *other = fopen(in_folder("pipe"), "r+");
    assert_non_null(other);
    assert_int_equal(yo_file_replace(in_folder("pipe"), "hello", 5, &diag), YO_OK);
    assert_int_equal(fread(got, 1, 5, other), 5);
    assert_string_equal(got, "hello");
    assert_int_equal(stat(in_folder("pipe"), &now), 0);
    assert_true(S_ISFIFO(now.st_mode));
    fclose(other);
    unlink(in_folder("pipe"));
}

/* Whatever goes wrong, the old file is whole and nothing is left beside it. */
static void failing_leaves_the_old_file(void **state) {
    (void)state;
    struct yo_diag diag = {0};
    assert_int_equal(yo_file_replace(folder, "x", 1, &diag), YO_ERR_IO);
    assert_non_null(strstr(diag.what, folder));
    assert_int_equal(yo_file_replace(in_folder("no/such"), "x", 1, &diag), YO_ERR_IO);
    assert_int_equal(rmdir(folder), 0); /* empty */
    assert_non_null(mkdtemp(strcpy(folder, "/tmp/yomi-file-XXXXXX")));
}

static void writing_can_be_asked_for(void **state) {
    (void)state;
    struct yo_diag diag = {0};
    char place[] = "/tmp/yomi-file-XXXXXX", path[64];
    assert_non_null(mkdtemp(place));
    snprintf(path, sizeof path, "%s/new", place);
    assert_int_equal(yo_file_can_replace(path, &diag), YO_OK);
    assert_int_equal(yo_file_can_replace("/dev/null", &diag), YO_OK);
    assert_int_equal(yo_file_can_replace(place, &diag), YO_ERR_IO);
    assert_int_equal(rmdir(place), 0); /* nothing was left */
    assert_int_equal(yo_file_can_replace(path, &diag), YO_ERR_IO);
}

static void endless_text_ends(void **state) {
    (void)state;
    struct yo_diag diag = {0};
    struct yo_buf text = {0};
    if (access("/dev/zero", R_OK) != 0) skip();
    assert_int_equal(yo_file_read_text("/dev/zero", &text, &diag), YO_ERR_IO);
    assert_non_null(strstr(diag.what, "/dev/zero is too large"));
    yo_buf_free(&text);
}

int main(void) {
    if (!mkdtemp(folder)) return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_read_back),
        cmocka_unit_test(pipes_stay_pipes),
        cmocka_unit_test(failing_leaves_the_old_file),
        cmocka_unit_test(writing_can_be_asked_for),
        cmocka_unit_test(endless_text_ends),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
