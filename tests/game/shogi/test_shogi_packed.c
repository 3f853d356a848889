/* Training positions as bytes: what is packed comes back, and nothing else is accepted. */
#include "support/test.h"

#include <string.h>

#include "base/diag.h"
#include "game/shogi/movegen.h"
#include "game/shogi/packed.h"
#include "game/shogi/text.h"
#include "support/shogi_random.h"

static void assert_same(const struct yo_shogi_position *a, const struct yo_shogi_position *b) {
    char texts[2][YO_SHOGI_SFEN_MAX];
    struct yo_shogi_position copy = *a;
    copy.ply = b->ply;
    assert_string_equal(yo_shogi_sfen_format(&copy, texts[0]), yo_shogi_sfen_format(b, texts[1]));
    assert_true(shogi_hash(a) == shogi_hash(b));
    assert_true(a->checkers == b->checkers);
}

static void positions_come_back(void **unused) {
    (void)unused;
    uint64_t state = 11;
    for (int i = 0; i < 2000; i++) {
        struct yo_shogi_position pos, back;
        uint8_t bytes[YO_SHOGI_PACKED];
        shogi_random_game(&state, (int)shogi_random(&state, 300), &pos);
        assert_int_equal(yo_shogi_pack(&pos, bytes), YO_OK);
        assert_int_equal(yo_shogi_unpack(bytes, &back, NULL), YO_OK);
        assert_same(&pos, &back);
    }
}

/* Worked out by hand from the page on the format: Black to move, kings on 5i and 5a, and then file
 * 1 from the top: lance, empty, pawn of White, three empty squares, pawn of Black, ... */
static void the_start_position(void **unused) {
    (void)unused;
    struct yo_shogi_position pos;
    uint8_t bytes[YO_SHOGI_PACKED];
    yo_shogi_position_start(&pos);
    assert_int_equal(yo_shogi_pack(&pos, bytes), YO_OK);
    /* side 0, king 44 = 0101100, king 36 = 0100100; lowest bit first */
    static const char bits[] = "0"
                               "0011010"
                               "0010010"
                               "110001"  /* White's lance */
                               "0"       /* 1b */
                               "1001"    /* White's pawn */
                               "000"     /* 1d, 1e, 1f */
                               "1000"    /* Black's pawn */
                               "0"       /* 1h */
                               "110000"; /* Black's lance */
    for (size_t i = 0; bits[i]; i++)
        assert_int_equal(bytes[i / 8] >> i % 8 & 1, bits[i] - '0');
}

static void only_whole_sets_fit(void **unused) {
    (void)unused;
    static const char *const sfens[] = {
        "4k4/9/9/9/9/9/9/9/4K4 b - 1",                                     /* too few pieces */
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSG1GSNL b - 1", /* no king */
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B7/LNSGKGSNL b - 1"};  /* a handicap */
    for (size_t i = 0; i < sizeof sfens / sizeof sfens[0]; i++) {
        struct yo_shogi_position pos;
        uint8_t bytes[YO_SHOGI_PACKED];
        assert_int_equal(yo_shogi_sfen_parse(sfens[i], &pos, NULL), YO_OK);
        assert_int_equal(yo_shogi_pack(&pos, bytes), YO_ERR_UNSUPPORTED);
    }
}

/* Bytes by chance are refused with a reason or are a position that packs to the same bytes. */
static void damage_is_found(void **unused) {
    (void)unused;
    uint64_t state = 23;
    int accepted = 0, refused = 0;
    for (int i = 0; i < 20000; i++) {
        struct yo_shogi_position pos, back;
        uint8_t bytes[YO_SHOGI_PACKED], again[YO_SHOGI_PACKED];
        struct yo_diag diag = {0};
        shogi_random_game(&state, (int)shogi_random(&state, 60), &pos);
        assert_int_equal(yo_shogi_pack(&pos, bytes), YO_OK);
        for (uint32_t n = 1 + shogi_random(&state, 4); n > 0; n--)
            bytes[shogi_random(&state, 32)] ^= (uint8_t)(1 << shogi_random(&state, 8));
        if (yo_shogi_unpack(bytes, &back, &diag)) {
            assert_true(diag.what[0] != '\0');
            refused++;
        } else if (yo_shogi_pack(&back, again) == YO_OK) {
            accepted++;
        }
    }
    assert_true(accepted > 0 && refused > 0);
}

static void samples_come_back(void **unused) {
    (void)unused;
    uint64_t state = 29;
    for (int i = 0; i < 500; i++) {
        struct yo_shogi_position pos;
        yo_shogi_move moves[YO_SHOGI_LIST];
        shogi_random_game(&state, (int)shogi_random(&state, 200), &pos);
        size_t count = yo_shogi_legal_moves(&pos, moves);
        if (!count) continue;
        struct yo_shogi_sample sample = {.score = (int16_t)(shogi_random(&state, 60000) - 30000),
                                         .move = moves[shogi_random(&state, (uint32_t)count)],
                                         .ply = (uint16_t)shogi_random(&state, 65536),
                                         .result = (int8_t)(shogi_random(&state, 3) - 1),
                                         .flags = (uint8_t)shogi_random(&state, 2)};
        struct yo_shogi_sample back;
        uint8_t bytes[YO_SHOGI_SAMPLE];
        assert_int_equal(yo_shogi_pack(&pos, sample.position), YO_OK);
        yo_shogi_sample_write(&sample, bytes);
        assert_int_equal(yo_shogi_sample_read(bytes, &back, NULL), YO_OK);
        assert_memory_equal(back.position, sample.position, sizeof sample.position);
        assert_int_equal(back.score, sample.score);
        assert_int_equal(back.move, sample.move);
        assert_int_equal(back.ply, sample.ply);
        assert_int_equal(back.result, sample.result);
        assert_int_equal(back.flags, sample.flags);
    }
}

/* The bytes of moves as the format has them: 7g7f, 8h2b+, and a gold dropped on 5e. */
static void moves_as_written(void **unused) {
    (void)unused;
    static const struct {
        const char *text;
        unsigned bits;
    } moves[] = {{"7g7f", 60u << 7 | 59},
                 {"8h2b+", 70u << 7 | 10 | 1u << 15},
                 {"G*5e", 7u << 7 | 40 | 1u << 14},
                 {"B*5e", 5u << 7 | 40 | 1u << 14}};
    for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++) {
        struct yo_shogi_sample sample = {0};
        uint8_t bytes[YO_SHOGI_SAMPLE];
        assert_int_equal(yo_shogi_move_parse(moves[i].text, &sample.move, NULL), YO_OK);
        yo_shogi_sample_write(&sample, bytes);
        assert_int_equal(bytes[34] | bytes[35] << 8, moves[i].bits);
    }
}

static void bad_samples_are_refused(void **unused) {
    (void)unused;
    struct yo_shogi_sample sample = {0};
    struct yo_diag diag;
    uint8_t bytes[YO_SHOGI_SAMPLE] = {0};
    static const unsigned moves[] = {81, 81u << 7, 8u << 7 | 1u << 14, 3u << 14 | 1u << 7,
                                     5u << 7 | 5};
    bytes[38] = 2;
    assert_int_equal(yo_shogi_sample_read(bytes, &sample, &diag), YO_ERR_PARSE);
    bytes[38] = 0;
    for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++) {
        bytes[34] = (uint8_t)moves[i];
        bytes[35] = (uint8_t)(moves[i] >> 8);
        assert_int_equal(yo_shogi_sample_read(bytes, &sample, &diag), YO_ERR_PARSE);
    }
}

/* A wrong bit gives another position or a damaged one, never a wrong argument. */
static void wrong_bits_are_damage(void **unused) {
    (void)unused;
    uint64_t state = 31;
    int refused = 0;
    for (int i = 0; i < 40; i++) {
        struct yo_shogi_position pos, back;
        uint8_t bytes[YO_SHOGI_PACKED];
        shogi_random_game(&state, (int)shogi_random(&state, 100), &pos);
        assert_int_equal(yo_shogi_pack(&pos, bytes), YO_OK);
        for (int bit = 0; bit < 8 * YO_SHOGI_PACKED; bit++) {
            struct yo_diag diag = {0};
            bytes[bit / 8] = (uint8_t)(bytes[bit / 8] ^ 1 << bit % 8);
            enum yo_err err = yo_shogi_unpack(bytes, &back, &diag);
            bytes[bit / 8] = (uint8_t)(bytes[bit / 8] ^ 1 << bit % 8);
            if (err == YO_OK) continue;
            assert_int_equal(err, YO_ERR_PARSE);
            assert_int_equal(diag.err, YO_ERR_PARSE);
            refused++;
        }
    }
    assert_true(refused > 0);
}

/* A sample has a number, not a line; of a long name the end is kept. */
static void samples_have_a_place(void **unused) {
    (void)unused;
    char name[5000], text[256];
    struct yo_diag diag = {.err = YO_ERR_PARSE, .what = "it is wrong"};
    yo_shogi_sample_where(&diag, "games.psv", 4999999999);
    yo_diag_format(&diag, text, sizeof text);
    assert_string_equal(text, "games.psv: position 5000000000: it is wrong");
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    yo_shogi_sample_where(&diag, name, 0);
    assert_int_equal(strncmp(diag.where, "...x", 4), 0);
    assert_non_null(strstr(diag.where, "x: position 1"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_come_back),   cmocka_unit_test(the_start_position),
        cmocka_unit_test(only_whole_sets_fit),   cmocka_unit_test(damage_is_found),
        cmocka_unit_test(samples_come_back),     cmocka_unit_test(moves_as_written),
        cmocka_unit_test(wrong_bits_are_damage), cmocka_unit_test(bad_samples_are_refused),
        cmocka_unit_test(samples_have_a_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
