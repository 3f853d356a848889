/* base/bits.h against loops that do the same one bit at a time. */
#include "support/test.h"

#include "base/bits.h"

static uint64_t state = 88172645463325252u;

static uint64_t next(void) {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static void selects_every_bit(void **unused) {
    (void)unused;
    for (int i = 0; i < 20000; i++) {
        uint64_t word = next();
        for (int thin = i % 5; thin > 0; thin--)
            word &= next();
        if (i == 0) word = ~(uint64_t)0;
        unsigned k = 0;
        for (unsigned place = 0; place < 64; place++)
            if (word >> place & 1) assert_int_equal(yo_bits_select64(word, k++), place);
    }
}

static void transposes(void **unused) {
    (void)unused;
    uint64_t rows[64], turned[64];
    for (int i = 0; i < 64; i++)
        rows[i] = turned[i] = next();
    yo_bits_transpose64(turned);
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < 64; j++)
            assert_int_equal(turned[j] >> i & 1, rows[i] >> j & 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(selects_every_bit),
        cmocka_unit_test(transposes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
