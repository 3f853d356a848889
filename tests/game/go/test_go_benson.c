/* benson.c: known shapes, and a proof by exhaustion on small boards. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "game/go/benson.h"
#include "support/go_diagram.h"
#include "support/naive_life.h"

static void check(const char *diagram, bool suicide, const char *expected) {
    struct yo_go_rules rules = yo_go_rules_default;
    rules.suicide = suicide;
    struct yo_go_game *game = diagram_game(diagram, &rules, YO_GO_BLACK);
    uint8_t alive[YO_GO_POINTS_MAX];
    char drawn[YO_GO_POINTS_MAX + 1] = "", wanted[YO_GO_POINTS_MAX + 1] = "";
    yo_go_game_benson(game, alive);
    int points = yo_go_game_size(game) * yo_go_game_size(game), n = 0;
    for (int p = 0; p < points; p++)
        drawn[p] = ".XO"[alive[p]];
    for (const char *p = expected; *p; p++)
        if (*p != ' ') wanted[n++] = *p;
    assert_string_equal(drawn, wanted);
    yo_go_game_delete(game);
}

static void two_eyes_live(void **state) {
    (void)state;
    check(". X . X ."
          "X X X X ."
          ". . . . ."
          ". . . . ."
          ". . . . .",
          false,
          "X X X X ."
          "X X X X ."
          ". . . . ."
          ". . . . ."
          ". . . . .");
}

static void one_eye_or_a_false_one_does_not(void **state) {
    (void)state;
    check(". . . . ."
          ". . . . ."
          ". . . . ."
          "X X . . ."
          ". X . . .",
          false, ". . . . . . . . . . . . . . . . . . . . . . . . .");
    check(". X . X ."
          "X O X X ."
          ". . . . ."
          ". . . . ."
          ". . . . .",
          false, ". . . . . . . . . . . . . . . . . . . . . . . . .");
}

/* Two strings, each needing the eyes they share. */
static void strings_live_together(void **state) {
    (void)state;
    check(". X O . ."
          "X . X O ."
          "X X . X O"
          ". O X X O"
          ". . O O O",
          false, ". . . . . . . . . . . . . . . . . . . . . . . . .");
    check(". X . X O"
          "X . X X O"
          "X X O O O"
          "O O O . O"
          "O . O O .",
          false,
          "X X X X O"
          "X X X X O"
          "X X O O O"
          "O O O O O"
          "O O O O O");
}

/* White stones inside an eye: dead in a vital region, alive nowhere. */
static void stones_inside_are_owned(void **state) {
    (void)state;
    check("O . X . X"
          ". X X X X"
          "X X . . ."
          ". . . . ."
          ". . . . .",
          false,
          "X X X X X"
          "X X X X X"
          "X X . . ."
          ". . . . ."
          ". . . . .");
}

/* A wall around everything holds nothing: the opponent has room to live outside. */
static void a_large_region_is_not_owned(void **state) {
    (void)state;
    check(". . . . . . ."
          ". . . . . . ."
          ". . . . . . ."
          ". . . . . . ."
          ". . . . . . ."
          "X X X X X X X"
          ". X . X . X .",
          false,
          ". . . . . . ."
          ". . . . . . ."
          ". . . . . . ."
          ". . . . . . ."
          ". . . . . . ."
          "X X X X X X X"
          "X X X X X X X");
}

static void suicide_weakens_a_region_full_of_stones(void **state) {
    (void)state;
    /* White can fill the left, die there, and come back to a point Black does not touch. */
    static const char shape[] = "O O . X ."
                                "O O O X X"
                                "O O O X ."
                                "O O O X X"
                                "O O O X .";
    check(shape, false, "XXXXXXXXXXXXXXXXXXXXXXXXX");
    check(shape, true, "...XX...XX...XX...XX...XX");
}

/* ---- Exhaustion: the owner passes for ever, the opponent plays anything ---- */

static uint32_t encode(const struct yo_go_board *board) {
    uint32_t code = 0;
    for (int p = 0; p < board->geometry->points; p++)
        code = 3 * code + board->color[p];
    return code;
}

struct siege {
    enum yo_go_color owner;
    bool suicide;
    const uint8_t *alive; /* Benson's word on the first position */
    uint8_t *seen;        /* a bit for each of 3^16 positions */
    uint32_t *visited;
    size_t count, capacity;
};

static bool mark_seen(struct siege *s, const struct yo_go_board *board) {
    uint32_t code = encode(board);
    if (s->seen[code >> 3] >> (code & 7) & 1) return false;
    s->seen[code >> 3] |= (uint8_t)(1 << (code & 7));
    if (s->count == s->capacity) {
        s->capacity = s->capacity ? 2 * s->capacity : 1024;
        s->visited = realloc(s->visited, s->capacity * sizeof *s->visited);
        assert_non_null(s->visited);
    }
    s->visited[s->count++] = code;
    return true;
}

/* No stone said to be alive may be gone, and the opponent may never live on a point said to be
 * owned. */
static void check_claims(const struct siege *s, const struct yo_go_board *first,
                         const struct yo_go_board *now) {
    uint8_t alive[YO_GO_POINTS_MAX];
    yo_go_benson(now, s->suicide, alive);
    for (int p = 0; p < now->geometry->points; p++) {
        if (s->alive[p] != s->owner) continue;
        if (first->color[p] == s->owner) assert_int_equal(now->color[p], s->owner);
        if (now->color[p] == yo_go_other(s->owner))
            assert_int_not_equal(alive[p], yo_go_other(s->owner));
    }
}

static void besiege(struct siege *s, const struct yo_go_board *first,
                    const struct yo_go_board *now) {
    if (!mark_seen(s, now)) return;
    check_claims(s, first, now);
    enum yo_go_color attacker = yo_go_other(s->owner);
    for (int p = 0; p < now->geometry->points; p++) {
        if (now->color[p] != YO_GO_EMPTY) continue;
        bool suicide = yo_go_board_is_suicide(now, attacker, (yo_go_point)p);
        if (suicide && !s->suicide) continue;
        struct yo_go_board next = *now;
        yo_go_board_play(&next, attacker, (yo_go_point)p);
        besiege(s, first, &next);
    }
}

/* Many stones, so that life happens; false where the colours do not make a position. */
static bool random_board(int size, struct yo_go_board *board) {
    int black = 30 + rand() % 50, white = rand() % 30;
    yo_go_board_init(board, size);
    for (int p = 0; p < size * size; p++) {
        int roll = rand() % 100;
        int color = roll < black ? YO_GO_BLACK : roll < black + white ? YO_GO_WHITE : YO_GO_EMPTY;
        if (color && yo_go_board_play(board, (enum yo_go_color)color, (yo_go_point)p) != 0)
            return false;
    }
    return true;
}

static void alive_means_nothing_can_capture(void **state) {
    (void)state;
    srand(1976);
    struct siege s = {.seen = calloc(43046721 / 8 + 1, 1)}; /* 3^16 */
    assert_non_null(s.seen);
    int sieges = 0;
    for (int i = 0; i < 200000; i++) {
        struct yo_go_board board;
        uint8_t alive[YO_GO_POINTS_MAX];
        if (!random_board(2 + i % 3, &board)) continue;
        s.suicide = i & 8;
        yo_go_benson(&board, s.suicide, alive);
        s.alive = alive;
        s.owner = YO_GO_BLACK;
        if (!memchr(alive, YO_GO_BLACK, (size_t)board.geometry->points)) continue;
        besiege(&s, &board, &board);
        sieges++;
        while (s.count > 0) {
            uint32_t code = s.visited[--s.count];
            s.seen[code >> 3] = 0;
        }
    }
    assert_true(sieges > 1000);
    free(s.seen);
    free(s.visited);
}

static void as_point_by_point(void **state) {
    (void)state;
    struct yo_go_board board;
    uint8_t alive[YO_GO_POINTS_MAX], wanted[YO_GO_POINTS_MAX];
    unsigned seed = 5, lives = 0;
    for (int i = 0; i < 6000; i++) {
        int size = YO_GO_SIZE_MIN + i % (YO_GO_SIZE_MAX - YO_GO_SIZE_MIN + 1);
        naive_life_board(&board, size, &seed);
        yo_go_benson(&board, i % 2, alive);
        naive_benson(&board, i % 2, wanted);
        assert_memory_equal(alive, wanted, (size_t)board.geometry->points);
        lives += memchr(alive, YO_GO_BLACK, (size_t)board.geometry->points) != NULL;
    }
    assert_in_range(lives, 1000, 5000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_eyes_live),
        cmocka_unit_test(one_eye_or_a_false_one_does_not),
        cmocka_unit_test(strings_live_together),
        cmocka_unit_test(stones_inside_are_owned),
        cmocka_unit_test(a_large_region_is_not_owned),
        cmocka_unit_test(suicide_weakens_a_region_full_of_stones),
        cmocka_unit_test(alive_means_nothing_can_capture),
        cmocka_unit_test(as_point_by_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
