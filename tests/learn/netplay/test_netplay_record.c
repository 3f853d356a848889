/* Records of self-play: written and read back, cut at every byte, damaged at every byte. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "learn/netplay/store.h"

static void make(struct yo_netplay_record *r, unsigned number) {
    *r = (struct yo_netplay_record){.game = 1, .number = number, .net = 0xdeadbeef + number};
    r->setup_size = 8;
    for (unsigned i = 0; i < 8; i++)
        r->setup[i] = (uint8_t)(17 * i + number);
    for (unsigned i = 0; i < 30; i++) {
        struct yo_netplay_step step = {.move = (uint16_t)(i * 12 % 362), .kind = (uint8_t)(i % 3)};
        if (step.kind != YO_NETPLAY_OPENING) {
            step.win = (uint16_t)(i * 2000);
            step.score2 = (int16_t)(i % 2 ? -(int)i * 20 : (int)i * 20);
        }
        step.target_at = (uint32_t)r->target_count;
        if (step.kind == YO_NETPLAY_FULL) {
            step.target_count = (uint16_t)(1 + i % 5);
            for (unsigned k = 0; k < step.target_count; k++)
                assert_int_equal(
                    yo_netplay_record_target(r, (uint16_t)(k * 90), (uint16_t)(1 + k * 13000)),
                    YO_OK);
        }
        assert_int_equal(yo_netplay_record_step(r, &step), YO_OK);
    }
    r->end = YO_NETPLAY_OVER;
    r->outcome = YO_OUTCOME_SECOND;
    r->lead2 = -(int)number - 1;
    r->cells = 81;
    for (size_t i = 0; i < r->cells; i++)
        r->owner[i] = (uint8_t)((i + number) % 3);
}

static void assert_same(const struct yo_netplay_record *a, const struct yo_netplay_record *b) {
    assert_int_equal(a->game, b->game);
    assert_int_equal(a->number, b->number);
    assert_int_equal(a->net, b->net);
    assert_int_equal(a->setup_size, b->setup_size);
    assert_memory_equal(a->setup, b->setup, a->setup_size);
    assert_int_equal(a->end, b->end);
    assert_int_equal(a->outcome, b->outcome);
    assert_int_equal(a->lead2, b->lead2);
    assert_int_equal(a->cells, b->cells);
    assert_memory_equal(a->owner, b->owner, a->cells);
    assert_int_equal(a->step_count, b->step_count);
    for (size_t i = 0; i < a->step_count; i++) {
        const struct yo_netplay_step *x = &a->steps[i], *y = &b->steps[i];
        assert_int_equal(x->move, y->move);
        assert_int_equal(x->kind, y->kind);
        assert_int_equal(x->win, y->win);
        assert_int_equal(x->score2, y->score2);
        assert_int_equal(x->target_count, y->target_count);
        for (size_t k = 0; k < x->target_count; k++)
            assert_memory_equal(&a->targets[x->target_at + k], &b->targets[y->target_at + k],
                                sizeof a->targets[0]);
    }
}

static void round_trip(void **state) {
    (void)state;
    struct yo_netplay_record wrote[3], found = {0};
    struct yo_buf bytes = {0};
    for (unsigned i = 0; i < 3; i++) {
        make(&wrote[i], i * 1000);
        assert_int_equal(yo_netplay_record_write(&wrote[i], &bytes), YO_OK);
    }
    size_t at = 0;
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(yo_netplay_record_next(bytes.data, bytes.len, &at, &found),
                         YO_NETPLAY_RECORD);
        assert_same(&wrote[i], &found);
        yo_netplay_record_free(&wrote[i]);
    }
    assert_int_equal(yo_netplay_record_next(bytes.data, bytes.len, &at, &found),
                     YO_NETPLAY_NO_MORE);
    yo_netplay_record_free(&found);
    yo_buf_free(&bytes);
}

/* Whole records of the bytes; *damaged and *cut tell of the rest. */
static int count(const char *bytes, size_t len, int *damaged, bool *cut) {
    struct yo_netplay_record found = {0};
    size_t at = 0;
    int records = 0;
    *damaged = 0;
    *cut = false;
    for (;;) {
        size_t before = at;
        enum yo_netplay_found what = yo_netplay_record_next(bytes, len, &at, &found);
        if (what == YO_NETPLAY_NO_MORE) break;
        assert_true(at > before && at <= len);
        records += what == YO_NETPLAY_RECORD;
        *damaged += what == YO_NETPLAY_DAMAGED;
        *cut = what == YO_NETPLAY_CUT_OFF;
        if (*cut) break;
    }
    yo_netplay_record_free(&found);
    return records;
}

static void cut_and_damaged(void **state) {
    (void)state;
    struct yo_netplay_record record;
    struct yo_buf bytes = {0};
    size_t ends[3];
    int damaged;
    bool cut;
    for (unsigned i = 0; i < 3; i++) {
        make(&record, i);
        assert_int_equal(yo_netplay_record_write(&record, &bytes), YO_OK);
        yo_netplay_record_free(&record);
        ends[i] = bytes.len;
    }
    for (size_t len = 0; len <= bytes.len; len++) {
        int whole = (len >= ends[0]) + (len >= ends[1]) + (len >= ends[2]);
        bool between = len == 0 || len == ends[0] || len == ends[1] || len == ends[2];
        assert_int_equal(count(bytes.data, len, &damaged, &cut), whole);
        assert_int_equal(damaged, 0);
        assert_true(cut == !between);
    }
    for (size_t i = 0; i < bytes.len; i++) {
        bytes.data[i] = (char)(bytes.data[i] ^ 0x40);
        int found = count(bytes.data, bytes.len, &damaged, &cut);
        assert_int_equal(found, 2);
        assert_true(damaged > 0 || cut);
        bytes.data[i] = (char)(bytes.data[i] ^ 0x40);
    }
    yo_buf_free(&bytes);
}

static void without_memory(void **state) {
    (void)state;
    struct yo_netplay_record record, found = {0};
    struct yo_buf bytes = {0};
    make(&record, 5);
    assert_int_equal(yo_netplay_record_write(&record, &bytes), YO_OK);
    for (int n = 0;; n++) {
        size_t at = 0;
        yo_netplay_record_free(&found);
        yo_alloc_fail_after(n);
        enum yo_netplay_found what = yo_netplay_record_next(bytes.data, bytes.len, &at, &found);
        yo_alloc_fail_after(-1);
        if (what == YO_NETPLAY_RECORD) break;
        assert_int_equal(what, YO_NETPLAY_NO_MEMORY);
        assert_true(n < 10);
    }
    assert_same(&record, &found);
    yo_netplay_record_free(&record);
    yo_netplay_record_free(&found);
    yo_buf_free(&bytes);
}

static size_t size_of(const char *path) {
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    return (size_t)status.st_size;
}

/* Opening cuts off an unfinished end, and nothing else: not what there is no memory to read. */
static void without_memory_the_file_stays(void **state) {
    (void)state;
    char path[] = "/tmp/yomi-records-XXXXXX";
    struct yo_netplay_record record;
    struct yo_netplay_store store;
    struct yo_buf bytes = {0};
    for (unsigned i = 0; i < 3; i++) {
        make(&record, i);
        assert_int_equal(yo_netplay_record_write(&record, &bytes), YO_OK);
        yo_netplay_record_free(&record);
    }
    int fd = mkstemp(path);
    assert_int_equal(write(fd, bytes.data, bytes.len), bytes.len);
    assert_int_equal(write(fd, bytes.data, 20), 20);
    close(fd);
    enum yo_err err = YO_ERR_NOMEM;
    for (long n = 0; err == YO_ERR_NOMEM; n++) {
        yo_alloc_fail_after(n);
        err = yo_netplay_store_open(&store, path, NULL);
        yo_alloc_fail_after(-1);
        assert_true(size_of(path) >= bytes.len);
        if (!err) yo_netplay_store_close(&store);
    }
    assert_int_equal(err, YO_OK);
    assert_int_equal(size_of(path), bytes.len);
    unlink(path);
    yo_buf_free(&bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip),
        cmocka_unit_test(cut_and_damaged),
        cmocka_unit_test(without_memory),
        cmocka_unit_test(without_memory_the_file_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
