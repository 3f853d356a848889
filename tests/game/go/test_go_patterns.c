/* The compiled patterns against the naive matcher for every neighbourhood there can be. */
#include "support/test.h"

#include <string.h>

#include "game/go/board.h"
#include "game/go/patterns.h"
#include "support/naive_mogo.h"

/* Row and column of each direction of a code: N E S W, NE SE SW NW. */
static const int place[8][2] = {{0, 1}, {1, 2}, {2, 1}, {1, 0}, {0, 2}, {2, 2}, {2, 0}, {0, 0}};

static void unpack(unsigned code, int around[3][3]) {
    around[1][1] = 0;
    for (int d = 0; d < 8; d++)
        around[place[d][0]][place[d][1]] = (int)(code >> 2 * d & 3);
}

static unsigned pack(const char *shape) {
    static const char symbols[] = ".XO#";
    unsigned code = 0;
    for (int d = 0; d < 8; d++) {
        char symbol = shape[3 * place[d][0] + place[d][1]];
        code |= (unsigned)(strchr(symbols, symbol) - symbols) << 2 * d;
    }
    return code;
}

/* Boards of 2x2 and more: at most one side is off in each direction, and then all of it. */
static bool can_occur(unsigned code) {
    int around[3][3];
    unpack(code, around);
    int north = around[0][1] == 3, south = around[2][1] == 3;
    int west = around[1][0] == 3, east = around[1][2] == 3;
    if ((north && south) || (west && east)) return false;
    for (int i = 0; i < 9; i += 2) {
        if (i == 4) continue;
        int off = (i < 3 ? north : south) || (i % 3 ? east : west);
        if ((around[i / 3][i % 3] == 3) != off) return false;
    }
    return true;
}

static bool matches(enum yo_go_color to_move, unsigned code) {
    return yo_go_patterns_match(yo_go_patterns(), to_move, code);
}

static void table_equals_naive_matcher(void **state) {
    (void)state;
    int possible = 0, matching = 0;
    for (unsigned code = 0; code < 65536; code++) {
        if (!can_occur(code)) continue;
        int around[3][3];
        unpack(code, around);
        for (int color = YO_GO_BLACK; color <= YO_GO_WHITE; color++) {
            bool expected = naive_pattern(around, color);
            if (matches((enum yo_go_color)color, code) != expected)
                fail_msg("code %04x, colour %d: should be %d", code, color, expected);
            matching += expected;
        }
        possible++;
    }
    /* 3^8 in the middle, 3^5 on each of four edges, 3^3 in each corner. */
    assert_int_equal(possible, 6561 + 4 * 243 + 4 * 27);
    assert_in_range(matching, 1, 2 * possible - 1);
}

static void colors_swap(void **state) {
    (void)state;
    for (unsigned code = 0; code < 65536; code++) {
        unsigned low = code & 0x5555, high = code >> 1 & 0x5555;
        unsigned swapped = low << 1 | high;
        if (can_occur(code))
            assert_int_equal(matches(YO_GO_BLACK, code), matches(YO_GO_WHITE, swapped));
    }
}

static void expect(const char *shape, bool black, bool white) {
    if (matches(YO_GO_BLACK, pack(shape)) != black || matches(YO_GO_WHITE, pack(shape)) != white)
        fail_msg("%.3s/%.3s/%.3s should be %d for Black, %d for White", shape, shape + 3, shape + 6,
                 black, white);
}

static void known_shapes(void **state) {
    (void)state;
    expect(".........", false, false);
    expect("XOX......", true, true);   /* enclosing hane */
    expect("OXO...###", true, true);   /* the same, swapped, on an edge */
    expect("XO.......", true, true);   /* hane */
    expect("..O..X...", true, true);   /* turned */
    expect(".X..O....", false, false); /* nothing at the corner */
    expect("XO.X.....", true, true);   /* magari */
    expect("XOO......", true, false);  /* thin hane: only Black's */
    expect("OXX......", false, true);
    expect("XO.O.....", true, true);   /* a cut */
    expect("XO.O.O...", false, false); /* it would be caught at once */
    expect("XO.O...O.", false, false);
    expect("XO.O.OXO.", true, true); /* two cutting stones: the point is a false eye */
    expect(".X.O.O...", true, true); /* cut2 */
    expect(".X.O.O.O.", false, false);
    expect(".X.O.O###", true, true);
    expect("X..O.O###", true, true);   /* chase */
    expect("X..O.O...", false, false); /* but not away from the edge */
    expect(".XO...###", true, false);  /* descend: only Black's */
    expect(".OX...###", false, true);
    expect("X..X.O###", false, false);
    expect("#####O#X.", true, true); /* block a connection, in a corner */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_equals_naive_matcher),
        cmocka_unit_test(colors_swap),
        cmocka_unit_test(known_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
