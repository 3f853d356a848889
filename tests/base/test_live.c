/* live.c: a text is seen while its program runs, and by the same user alone. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/live.h"

static char folder[] = "/tmp/yomi-live-XXXXXX", yomi[64];

static int set_up(void **state) {
    (void)state;
    if (!mkdtemp(folder)) return -1;
    snprintf(yomi, sizeof yomi, "%s/yomi", folder);
    return setenv("XDG_RUNTIME_DIR", folder, 1);
}

static int tear_down(void **state) {
    (void)state;
    rmdir(yomi);
    return rmdir(folder);
}

struct seen {
    int count;
    char kind[16], text[64];
};

static void take(void *user, const char *kind, const char *text, size_t len) {
    struct seen *seen = user;
    seen->count++;
    snprintf(seen->kind, sizeof seen->kind, "%s", kind);
    snprintf(seen->text, sizeof seen->text, "%.*s", (int)len, text);
}

static struct seen look(void) {
    struct seen seen = {0};
    yo_live_read(take, &seen);
    return seen;
}

static void put_file(const char *name, const char *text) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", yomi, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void seen_while_it_runs(void **state) {
    (void)state;
    struct yo_live live = {0};
    assert_int_equal(look().count, 0);
    yo_live_open(&live, "match");
    assert_true(yo_live_is_due(&live));
    yo_live_write(&live, "one", 3);
    yo_live_write(&live, "two!", 4);
    struct seen seen = look();
    assert_int_equal(seen.count, 1);
    assert_string_equal(seen.kind, "match");
    assert_string_equal(seen.text, "two!");
    yo_live_close(&live);
    assert_int_equal(look().count, 0);
    yo_live_write(&live, "three", 5); /* closed: nothing happens */
    yo_live_close(&live);
    assert_int_equal(look().count, 0);
}

static void the_dead_are_removed(void **state) {
    (void)state;
    pid_t pid = fork();
    if (pid == 0) {
        struct yo_live live = {0};
        yo_live_open(&live, "cluster");
        yo_live_write(&live, "left", 4);
        _exit(0);
    }
    assert_true(pid > 0);
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(look().count, 0);
    char path[96];
    snprintf(path, sizeof path, "%s/cluster-%d.json", yomi, (int)pid);
    assert_int_not_equal(access(path, F_OK), 0);
}

/* Nothing but such texts is read: no other names, no links, no folder that others can write to. */
static void nothing_else_is_read(void **state) {
    (void)state;
    static const char *const names[] = {"notes.json", "match-12x.json", "match-.json", "match-1"};
    char path[128], name[64];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        put_file(names[i], "no");
    snprintf(name, sizeof name, "%s/link-%d.json", yomi, (int)getpid());
    assert_int_equal(symlink("/etc/hostname", name), 0);
    assert_int_equal(look().count, 0);
    snprintf(path, sizeof path, "match-%d.json", (int)getpid());
    put_file(path, "yes");
    assert_int_equal(look().count, 1);
    assert_int_equal(chmod(yomi, 0777), 0);
    assert_int_equal(look().count, 0);
    assert_int_equal(chmod(yomi, 0700), 0);
    unlink(name);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", yomi, names[i]);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/match-%d.json", yomi, (int)getpid());
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seen_while_it_runs),
        cmocka_unit_test(the_dead_are_removed),
        cmocka_unit_test(nothing_else_is_read),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
