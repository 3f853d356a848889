/* search/uct/pace.c, with evaluators that are nothing but a time for each size of a batch. */
#include "support/test.h"

#include "search/uct/pace.h"

#define MS INT64_C(1000000)

/* A batch of so many takes so long. */
struct device {
    int64_t fixed_ns, leaf_ns;
};

static int64_t time_of(const struct device *device, size_t count) {
    return device->fixed_ns + device->leaf_ns * (int64_t)count;
}

/* Batches one after another; the most leaves that one had. */
static size_t play(struct uct_pace *pace, const struct device *device, size_t most, int batches,
                   int64_t short_ns) {
    size_t largest = 0;
    for (int i = 0; i < batches; i++) {
        size_t count = yo_uct_pace_count(pace, most);
        largest = count > largest ? count : largest;
        yo_uct_pace_note(pace, most, pace->level, time_of(device, count), short_ns);
    }
    return largest;
}

static void what_is_short(void **state) {
    (void)state;
    assert_int_equal(yo_uct_pace_short_ns(0), 10 * MS);
    assert_int_equal(yo_uct_pace_short_ns(10), 10 * MS);
    assert_int_equal(yo_uct_pace_short_ns(160), 20 * MS);
    assert_int_equal(yo_uct_pace_short_ns(3600000), 40 * MS);
}

/* Where twice the leaves take twice as long, no batch is ever longer than twice what is short, but
 * for single leaves and one try of two. */
static void on_a_cpu(void **state) {
    (void)state;
    for (int64_t leaf_ns = MS / 1000; leaf_ns < 100 * MS; leaf_ns += leaf_ns / 3) {
        struct device cpu = {.leaf_ns = leaf_ns};
        struct uct_pace pace = {0};
        size_t largest = play(&pace, &cpu, 65536, 100, 10 * MS);
        if (time_of(&cpu, largest) > 20 * MS) assert_int_equal(largest, 2);
        size_t count = yo_uct_pace_count(&pace, 65536);
        assert_true(count == 1 || time_of(&cpu, count) <= 20 * MS);
        assert_true(count == 65536 || time_of(&cpu, count) >= 10 * MS);
    }
}

/* Where they take no longer, batches are full after as many doublings as that takes, however long
 * one is. */
static void on_a_gpu(void **state) {
    (void)state;
    const size_t sizes[] = {1, 2, 100, 128, 65536};
    const int doublings[] = {0, 1, 7, 7, 16};
    for (int64_t ms = 1; ms <= 1000; ms *= 10)
        for (int i = 0; i < 5; i++) {
            struct device gpu = {.fixed_ns = ms * MS, .leaf_ns = 100};
            struct uct_pace pace = {0};
            play(&pace, &gpu, sizes[i], doublings[i], 10 * MS);
            assert_int_equal(yo_uct_pace_count(&pace, sizes[i]), sizes[i]);
            /* And they stay so. */
            play(&pace, &gpu, sizes[i], 10, 10 * MS);
            assert_int_equal(yo_uct_pace_count(&pace, sizes[i]), sizes[i]);
        }
}

/* The next search, where playouts take longer, or less time, makes its own pace of it. */
static void follows_a_change(void **state) {
    (void)state;
    struct device fast = {.leaf_ns = MS / 10}, slow = {.leaf_ns = 2 * MS};
    struct uct_pace pace = {0};
    play(&pace, &fast, 1024, 20, 10 * MS);
    assert_int_equal(yo_uct_pace_count(&pace, 1024), 128);
    yo_uct_pace_begin(&pace);
    play(&pace, &slow, 1024, 20, 10 * MS);
    assert_int_equal(yo_uct_pace_count(&pace, 1024), 8);
    yo_uct_pace_begin(&pace);
    play(&pace, &fast, 1024, 20, 10 * MS);
    assert_int_equal(yo_uct_pace_count(&pace, 1024), 128);
}

/* One large batch that others kept waiting is no reason for small ones ever after. */
static void forgets_chance(void **state) {
    (void)state;
    struct device gpu = {.fixed_ns = 15 * MS};
    struct uct_pace pace = {0};
    play(&pace, &gpu, 128, 4, 10 * MS);
    yo_uct_pace_note(&pace, 128, 4, 90 * MS, 10 * MS);
    assert_int_equal(yo_uct_pace_count(&pace, 128), 8);
    yo_uct_pace_begin(&pace);
    play(&pace, &gpu, 128, 4, 10 * MS);
    assert_int_equal(yo_uct_pace_count(&pace, 128), 128);
}

/* A batch of another size than the next will have is known then, and changes nothing. */
static void of_another_size(void **state) {
    (void)state;
    struct uct_pace pace = {.level = 3};
    yo_uct_pace_note(&pace, 64, 2, MS, 10 * MS);
    yo_uct_pace_note(&pace, 64, 5, 900 * MS, 10 * MS);
    assert_int_equal(yo_uct_pace_count(&pace, 64), 8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_short),  cmocka_unit_test(on_a_cpu),
        cmocka_unit_test(on_a_gpu),       cmocka_unit_test(follows_a_change),
        cmocka_unit_test(forgets_chance), cmocka_unit_test(of_another_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
