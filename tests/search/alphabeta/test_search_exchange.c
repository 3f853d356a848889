/* What one alpha-beta search learns, in the table of another; and what must stay out of a table. */
#include "support/test.h"

#include <stdio.h>

#include "base/random.h"
#include "eval/shogi/unit.h"
#include "game/shogi/text.h"

#include "search/alphabeta/exchange.h"
#include "support/ab_think.h"

static struct yo_shogi_position position_after(const char *moves) {
    struct yo_shogi_position pos;
    char word[8];
    int used;
    yo_shogi_position_start(&pos);
    for (; sscanf(moves, " %7s%n", word, &used) == 1; moves += used) {
        yo_shogi_move move;
        assert_int_equal(yo_shogi_move_parse(word, &move, NULL), YO_OK);
        yo_shogi_play(&pos, move);
    }
    return pos;
}

static struct yo_ab *new_search(void) {
    struct yo_ab *search;
    assert_int_equal(yo_ab_new(16, &search), YO_OK);
    struct yo_ab_options options = yo_ab_options_default;
    options.mate_search = false;
    assert_int_equal(yo_ab_set_options(search, &options), YO_OK);
    return search;
}

enum { MOST = 4096 };

static size_t take(struct yo_ab *from, struct yo_search_entry *entries, size_t most) {
    struct yo_search search = yo_ab_as_search(from);
    return search.ops->take_entries(search.ctx, entries, most);
}

static void give(struct yo_ab *to, const struct yo_search_entry *entries, size_t count) {
    struct yo_search search = yo_ab_as_search(to);
    search.ops->give_entries(search.ctx, entries, count);
}

static size_t count_root_entries(struct yo_ab *search, const struct yo_shogi_position *pos,
                                 const struct yo_search_limits *limits, int *score) {
    static struct yo_search_entry entries[MOST];
    take(search, entries, MOST); /* from now on they are kept */
    *score = ab_think(search, pos, limits, NULL).score;
    size_t count = take(search, entries, MOST), of_root = 0;
    for (size_t i = 0; i < count; i++)
        of_root += entries[i].key == shogi_hash(pos);
    return of_root;
}

/* After the exchange of bishops has begun White has to take back. The value of another move is not
 * that of the position, and no later search may find it in the table. */
static void some_moves_are_not_the_position(void **unused) {
    (void)unused;
    struct yo_ab *search = new_search();
    struct yo_shogi_position pos = position_after("7g7f 3c3d 8h2b+");
    yo_shogi_move quiet;
    int score;
    assert_int_equal(yo_shogi_move_parse("9c9d", &quiet, NULL), YO_OK);
    yo_move only = quiet;
    struct yo_search_limits limits = {.depth = 6, .only = &only, .only_count = 1};
    assert_int_equal(count_root_entries(search, &pos, &limits, &score), 0);
    assert_true(score < -300);
    limits = (struct yo_search_limits){.depth = 6, .avoid = &only, .avoid_count = 1};
    assert_int_equal(count_root_entries(search, &pos, &limits, &score), 0);
    limits = (struct yo_search_limits){.depth = 6};
    assert_true(count_root_entries(search, &pos, &limits, &score) > 0);
    assert_true(score > -300);
    yo_ab_delete(search);
}

/* The table of another search has them then; what it knows better stays. */
static void entries_arrive(void **unused) {
    (void)unused;
    enum { COUNT = 100 };
    struct yo_search_entry entries[COUNT];
    struct ab_table table;
    struct ab_entry found;
    assert_int_equal(yo_ab_table_init(&table, 1), YO_OK);
    for (uint64_t i = 0; i < COUNT; i++) {
        struct ab_entry e = {.score = (int)i - 50,
                             .eval = AB_NO_EVAL,
                             .depth = 6 * YO_AB_PLY,
                             .bound = i % 2 ? AB_LOWER : AB_UPPER};
        entries[i] = (struct yo_search_entry){yo_mix64(i + 1), yo_ab_table_pack(&e)};
    }
    struct ab_entry deeper = {.score = 7, .depth = 8 * YO_AB_PLY, .bound = AB_EXACT};
    struct ab_entry shallow = {.score = 8, .depth = 2 * YO_AB_PLY, .bound = AB_EXACT};
    yo_ab_table_store(&table, entries[0].key, &deeper);
    yo_ab_table_store(&table, entries[1].key, &shallow);
    yo_ab_exchange_give(&table, entries, COUNT);
    for (int i = 0; i < COUNT; i++) {
        assert_true(yo_ab_table_find(&table, entries[i].key, &found));
        assert_int_equal(found.score, i == 0 ? 7 : i - 50);
        assert_int_equal(found.depth, (i == 0 ? 8 : 6) * YO_AB_PLY);
    }
    yo_ab_table_free(&table);
}

/* A search takes what another has found, and plays on with it. */
static void a_search_uses_them(void **unused) {
    (void)unused;
    static struct yo_search_entry entries[MOST];
    struct yo_shogi_position pos = position_after("7g7f 3c3d 2g2f 4c4d 3i4h 3a4b");
    struct yo_search_limits limits = {.depth = 8};
    struct yo_ab *first = new_search(), *second = new_search();
    assert_int_equal(take(first, entries, MOST), 0); /* from now on they are kept */
    struct ab_found alone = ab_think(first, &pos, &limits, NULL);
    size_t count = take(first, entries, MOST);
    assert_true(count > 10);
    give(second, entries, count);
    assert_int_equal(take(first, entries, MOST), 0);
    struct ab_found helped = ab_think(second, &pos, &limits, NULL);
    assert_true(helped.nodes != alone.nodes); /* it would be the same search without them */
    ab_assert_line(&pos, &helped);
    yo_ab_delete(first);
    yo_ab_delete(second);
}

static void the_deepest_are_taken(void **unused) {
    (void)unused;
    struct ab_exchange exchange = {0};
    struct yo_search_entry entries[8];
    assert_int_equal(yo_ab_exchange_init(&exchange), YO_OK);
    yo_ab_exchange_take(&exchange, entries, 8);
    for (int depth = 0; depth < 20; depth++) {
        struct ab_entry e = {.depth = depth * YO_AB_PLY, .bound = AB_EXACT, .score = depth};
        yo_ab_exchange_put(&exchange, (uint64_t)depth, &e);
    }
    assert_int_equal(yo_ab_exchange_take(&exchange, entries, 8), 8);
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(entries[i].key, 12 + i);
    for (int i = 0; i < 20000; i++) { /* more than there is room for */
        struct ab_entry e = {.depth = 5 * YO_AB_PLY, .bound = AB_EXACT};
        yo_ab_exchange_put(&exchange, (uint64_t)i, &e);
    }
    assert_true(yo_ab_exchange_take(&exchange, entries, 8) <= 8);
    yo_ab_exchange_free(&exchange);
}

/* Whatever comes from elsewhere: the search plays legal moves. */
static void garbage_does_no_harm(void **unused) {
    (void)unused;
    static struct yo_search_entry entries[MOST];
    struct yo_shogi_position pos = position_after("7g7f 3c3d 8h2b+");
    struct yo_ab *search = new_search();
    uint64_t state = 5;
    take(search, entries, MOST);
    ab_think(search, &pos, &(struct yo_search_limits){.depth = 8}, NULL);
    size_t count = take(search, entries, MOST);
    for (int round = 0; round < 20; round++) {
        for (size_t i = 0; i < count; i++)
            entries[i].data = yo_splitmix64(&state);
        give(search, entries, count);
        struct ab_found found =
            ab_think(search, &pos, &(struct yo_search_limits){.nodes = 5000}, NULL);
        ab_assert_line(&pos, &found);
    }
    yo_ab_delete(search);
}

static void other_evaluations_are_told_apart(void **unused) {
    (void)unused;
    struct yo_shogi_eval other = yo_shogi_eval_material;
    assert_int_equal(yo_shogi_eval_mark(&other), yo_shogi_eval_mark(&yo_shogi_eval_material));
    struct yo_ab *search = new_search();
    struct yo_search s = yo_ab_as_search(search);
    uint64_t plain = s.ops->entry_kind(s.ctx);
    assert_true(plain != 0);
    struct yo_ab_options options = yo_ab_options_default;
    options.rule = &yo_ab_rule_half;
    assert_int_equal(yo_ab_set_options(search, &options), YO_OK);
    assert_true(s.ops->entry_kind(s.ctx) != plain);
    yo_ab_delete(search);
}

/* A search that stores more than the ring holds keeps to the deep ones; a slow one sends shallow
 * ones too. */
static void shallow_entries_do_not_push_deep_ones_out(void **unused) {
    (void)unused;
    static struct yo_search_entry entries[MOST];
    struct ab_exchange x;
    assert_int_equal(yo_ab_exchange_init(&x), YO_OK);
    yo_ab_exchange_take(&x, entries, MOST);
    struct ab_entry deep = {.depth = 9 * YO_AB_PLY, .bound = AB_EXACT}, shallow = deep;
    shallow.depth = YO_AB_PLY;
    yo_ab_exchange_put(&x, 1, &shallow);
    assert_int_equal(yo_ab_exchange_take(&x, entries, MOST), 1);
    for (int round = 0; round < 2; round++) {
        yo_ab_exchange_put(&x, 2, &deep);
        for (uint64_t i = 0; i < 2 * MOST; i++)
            yo_ab_exchange_put(&x, 3 + i, &shallow);
        size_t count = yo_ab_exchange_take(&x, entries, MOST);
        if (round == 1) assert_int_equal(count, 1);
        if (round == 1) assert_int_equal(entries[0].key, 2);
    }
    yo_ab_exchange_put(&x, 1, &shallow);
    assert_int_equal(yo_ab_exchange_take(&x, entries, MOST), 1); /* it is slow again */
    yo_ab_exchange_free(&x);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(some_moves_are_not_the_position),
        cmocka_unit_test(entries_arrive),
        cmocka_unit_test(a_search_uses_them),
        cmocka_unit_test(the_deepest_are_taken),
        cmocka_unit_test(garbage_does_no_harm),
        cmocka_unit_test(shallow_entries_do_not_push_deep_ones_out),
        cmocka_unit_test(other_evaluations_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
