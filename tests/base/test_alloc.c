/* Large blocks: zeros at first, and again after they are cleared. */
#include "support/test.h"

#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"

static void large_blocks_are_cleared(void **unused) {
    (void)unused;
    static const size_t sizes[] = {1 << 20, 300u << 20}; /* written, and given back */
    for (int i = 0; i < 2; i++) {
        char *block = yo_alloc_large(sizes[i]);
        assert_non_null(block);
        for (int round = 0; round < 2; round++) {
            for (size_t at = 0; at < sizes[i]; at += 100003) {
                assert_int_equal(block[at], 0);
                block[at] = 1;
            }
            assert_int_equal(block[sizes[i] - 1], 0);
            block[sizes[i] - 1] = 1;
            yo_clear_large(block, sizes[i]);
        }
        yo_free_large(block, sizes[i]);
    }
}

#ifdef __linux__
/* At least the first pages: how many more depends on the time. */
static void cleared_blocks_have_their_pages(void **unused) {
    (void)unused;
    size_t size = 300u << 20;
    unsigned char there = 0;
    char *block = yo_alloc_large(size);
    assert_non_null(block);
    yo_clear_large(block, size);
    assert_int_equal(mincore(block, (size_t)sysconf(_SC_PAGESIZE), &there), 0);
    assert_int_equal(there & 1, 1);
    yo_free_large(block, size);
}
#endif

static void memory_is_known(void **unused) {
    (void)unused;
    assert_true(yo_memory_mb() > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_blocks_are_cleared),
#ifdef __linux__
        cmocka_unit_test(cleared_blocks_have_their_pages),
#endif
        cmocka_unit_test(memory_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
