/* read.c against a solver that has all positions of the reading in memory and marks, until nothing
 * changes, those from which the hunter can force the capture. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "search/go/read.h"
#include "support/go_diagram.h"
#include "support/naive_go.h"

enum { SIZE = 5, POINTS = SIZE * SIZE, STATES_MAX = 3000, NAKADE_MAX = 6 };

struct state {
    char color[POINTS];
    short to_move, ko, prey, punishing;
};

struct solver {
    struct state state[STATES_MAX];
    int slot[4 * STATES_MAX]; /* index + 1, by hash */
    char won[STATES_MAX];     /* the hunter forces the capture */
    int count;
    int attacker;
    bool defender_has_threats;
    const uint8_t *zone;
};

static int find_state(struct solver *s, const struct state *wanted) {
    unsigned long h = 5381;
    for (size_t i = 0; i < sizeof *wanted; i++)
        h = h * 33 + ((const unsigned char *)wanted)[i];
    int at = (int)(h % (4 * STATES_MAX));
    for (; s->slot[at]; at = (at + 1) % (4 * STATES_MAX))
        if (memcmp(&s->state[s->slot[at] - 1], wanted, sizeof *wanted) == 0) return s->slot[at] - 1;
    if (s->count == STATES_MAX) return -1;
    s->state[s->count] = *wanted;
    s->slot[at] = ++s->count;
    return s->count - 1;
}

static void to_board(const struct state *state, struct naive_board *board) {
    naive_init(board, SIZE);
    for (int p = 0; p < POINTS; p++)
        board->color[p / SIZE][p % SIZE] = state->color[p];
    if (state->ko >= 0) {
        board->ko_row = state->ko / SIZE;
        board->ko_col = state->ko % SIZE;
    }
}

static bool is_hunter(const struct solver *s, const struct state *state) {
    return (state->to_move == s->attacker) != state->punishing;
}

static bool minds_ko(const struct solver *s, int color) {
    return (color == s->attacker) == s->defender_has_threats;
}

static bool touches_safe(const struct solver *s, const struct state *state) {
    bool in[POINTS] = {false}, changed = true;
    int color = state->color[state->prey];
    in[state->prey] = true;
    while (changed) {
        changed = false;
        for (int p = 0; p < POINTS; p++)
            for (int d = 0; d < 4 && in[p]; d++) {
                int row = p / SIZE + (d == 0) - (d == 1), col = p % SIZE + (d == 2) - (d == 3);
                if (row < 0 || col < 0 || row >= SIZE || col >= SIZE) continue;
                int q = row * SIZE + col;
                if (state->color[q] == 3 - color && !s->zone[q]) return true;
                if (state->color[q] == color && !in[q]) in[q] = changed = true;
            }
    }
    return false;
}

enum { GOES_ON, HUNTER_WINS, HUNTER_LOSES, ILLEGAL };

/* move -1: pass. GOES_ON: *after is the position, in which another hunt may have begun. */
static int try_move(const struct solver *s, const struct state *from, int move,
                    struct state *after) {
    struct naive_board board;
    bool hunter = is_hunter(s, from);
    int captured = 0;
    to_board(from, &board);
    *after = *from;
    after->to_move = (short)(3 - from->to_move);
    after->ko = -1;
    if (move < 0) return hunter ? ILLEGAL : GOES_ON;
    if (!s->zone[move] || from->color[move]) return ILLEGAL;
    if (!minds_ko(s, from->to_move)) board.ko_row = board.ko_col = -1;
    int row = move / SIZE, col = move % SIZE;
    if (!naive_legal(&board, from->to_move, row, col)) return ILLEGAL;
    if (naive_is_eye(&board, from->to_move, row, col)) return ILLEGAL;
    captured = naive_play(&board, from->to_move, row, col);
    for (int p = 0; p < POINTS; p++)
        after->color[p] = (char)board.color[p / SIZE][p % SIZE];
    if (minds_ko(s, after->to_move) && board.ko_row >= 0)
        after->ko = (short)(board.ko_row * SIZE + board.ko_col);
    if (!hunter && captured > NAKADE_MAX) return HUNTER_LOSES;
    if (!hunter || after->color[from->prey]) return GOES_ON;
    if (from->punishing || touches_safe(s, from) || captured > NAKADE_MAX) return HUNTER_WINS;
    after->punishing = 1;
    after->prey = (short)move;
    return GOES_ON;
}

/* Is the hunter of this position now known to win? */
static bool is_won(struct solver *s, int index, int punishing) {
    struct state from = s->state[index], after;
    bool hunter = is_hunter(s, &from);
    for (int move = -1; move < POINTS; move++) {
        int what = try_move(s, &from, move, &after);
        if (what == ILLEGAL) continue;
        bool won = what == HUNTER_WINS;
        if (what == GOES_ON) {
            won = s->won[find_state(s, &after)];
            /* The other side's hunt, solved before this one. */
            if (after.punishing != punishing) won = !won;
        }
        if (won == hunter) return hunter;
    }
    return !hunter;
}

/* False if there are too many positions. */
static bool solve(struct solver *s, const struct state *root, bool *captured) {
    s->count = 0;
    memset(s->slot, 0, sizeof s->slot);
    memset(s->won, 0, sizeof s->won);
    find_state(s, root);
    for (int i = 0; i < s->count; i++)
        for (int move = -1; move < POINTS; move++) {
            struct state from = s->state[i], after;
            if (try_move(s, &from, move, &after) == GOES_ON && find_state(s, &after) < 0)
                return false;
        }
    for (int punishing = 1; punishing >= 0; punishing--)
        for (bool changed = true; changed;) {
            changed = false;
            for (int i = 0; i < s->count; i++)
                if (s->state[i].punishing == punishing && !s->won[i] && is_won(s, i, punishing))
                    s->won[i] = changed = true;
        }
    *captured = s->won[0];
    return true;
}

/* A board filled at random by legal moves, with a few empty points left. */
static void fill(struct yo_go_board *board, int empty_wanted) {
    for (;;) {
        yo_go_board_init(board, SIZE);
        for (int tries = 0; tries < 400; tries++) {
            int p = rand() % POINTS, empty = 0;
            enum yo_go_color color = rand() % 2 ? YO_GO_BLACK : YO_GO_WHITE;
            if (yo_go_board_is_legal(board, color, (yo_go_point)p))
                yo_go_board_play(board, color, (yo_go_point)p);
            for (int q = 0; q < POINTS; q++)
                empty += board->color[q] == YO_GO_EMPTY;
            if (empty == empty_wanted) return;
        }
    }
}

static void compare(struct solver *s, struct yo_go_reader *reader, const struct yo_go_board *board,
                    int *count) {
    uint8_t zone[POINTS + 1] = {0};
    int prey = rand() % POINTS;
    while (board->color[prey] == YO_GO_EMPTY)
        prey = rand() % POINTS;
    for (int p = 0; p < POINTS; p++) /* some strings are safe */
        zone[p] = board->color[p] == YO_GO_EMPTY || board->head[p] == board->head[prey] ||
                  board->head[p] % 4 != 0;
    struct state root = {.ko = -1, .prey = (short)prey};
    for (int p = 0; p < POINTS; p++)
        root.color[p] = (char)board->color[p];
    s->attacker = 3 - board->color[prey];
    s->zone = zone;
    s->defender_has_threats = rand() % 2;
    yo_go_reader_clear(reader);
    for (int first = 0; first < 2; first++) {
        struct yo_go_read_problem problem = {.board = board,
                                             .zone = zone,
                                             .prey = (yo_go_point)prey,
                                             .attacker_first = first,
                                             .defender_has_threats = s->defender_has_threats,
                                             .nodes = 100000};
        bool captured;
        root.to_move = (short)(first ? s->attacker : 3 - s->attacker);
        if (!solve(s, &root, &captured)) continue;
        enum yo_go_read_answer answer = yo_go_read(reader, &problem, NULL);
        if (answer == YO_GO_READ_UNKNOWN) continue;
        if (captured != (answer == YO_GO_READ_CAPTURED)) {
            print_message("prey %d, %s first, solver %d\n", prey, first ? "attacker" : "defender",
                          captured);
            for (int p = 0; p < POINTS; p++)
                print_message("%c%s%s", ".XO"[board->color[p]], zone[p] ? " " : "!",
                              p % SIZE == SIZE - 1 ? "\n" : "");
        }
        assert_int_equal(captured, answer == YO_GO_READ_CAPTURED);
        ++*count;
    }
}

static void agrees_with_all_positions(void **state) {
    (void)state;
    struct solver *s = calloc(1, sizeof *s);
    struct yo_go_reader *reader;
    struct yo_go_board board;
    int count = 0;
    assert_non_null(s);
    assert_int_equal(yo_go_reader_new(&reader), YO_OK);
    srand(1);
    for (int i = 0; i < 600; i++) {
        fill(&board, 2 + i % 4);
        compare(s, reader, &board, &count);
    }
    print_message("%d readings\n", count);
    assert_true(count > 400);
    yo_go_reader_delete(reader);
    free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_all_positions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
