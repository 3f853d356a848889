#include "support/net_ladder.h"

#include <stdlib.h>
#include <string.h>

#define STEPS_MAX 20000
static int steps; /* positions looked at; past STEPS_MAX the answer is not used */

static bool prey_caught(const struct yo_go_board *board, yo_go_point prey, bool first);

static int find_liberties(const struct yo_go_board *board, yo_go_point of, yo_go_point *out) {
    int count = 0;
    for (int p = 0; p < board->geometry->points; p++) {
        bool is = false;
        for (int d = 0; d < 4; d++) {
            unsigned q = board->geometry->nbr[p][d];
            is |= board->color[q] == board->color[of] && board->head[q] == board->head[of];
        }
        if (board->color[p] == YO_GO_EMPTY && is && count < 3) out[count++] = (yo_go_point)p;
    }
    return count;
}

static bool is_beside(const struct yo_go_board *board, yo_go_point p, yo_go_point string) {
    for (int d = 0; d < 4; d++) {
        unsigned q = board->geometry->nbr[p][d];
        if (board->color[q] == board->color[string] && board->head[q] == board->head[string])
            return true;
    }
    return false;
}

/* A string of the other colour in atari beside the prey? Returns its liberty. */
static yo_go_point taken_at(const struct yo_go_board *board, yo_go_point stone, yo_go_point prey) {
    yo_go_point libs[3];
    if (board->color[stone] == YO_GO_EMPTY || board->color[stone] == board->color[prey])
        return YO_GO_NONE;
    if (!is_beside(board, stone, prey)) return YO_GO_NONE;
    return find_liberties(board, stone, libs) == 1 ? libs[0] : YO_GO_NONE;
}

static bool takes_ko(const struct yo_go_board *board, enum yo_go_color color, yo_go_point p) {
    struct yo_go_board after = *board;
    if (!yo_go_board_is_legal(board, color, p)) return false;
    yo_go_board_play(&after, color, p);
    return after.ko != YO_GO_NONE;
}

static bool dead_by_two_kos(const struct yo_go_board *board, yo_go_point prey,
                            const yo_go_point *libs) {
    enum yo_go_color own = (enum yo_go_color)board->color[prey];
    struct yo_go_board free = *board;
    free.ko = YO_GO_NONE;
    for (int i = 0; i < 2; i++) {
        yo_go_point found[3];
        struct yo_go_board after = free;
        if (!takes_ko(&free, yo_go_other(own), libs[i])) return false;
        yo_go_board_play(&after, own, libs[i]);
        if (find_liberties(&after, libs[i], found) > 2) return false;
    }
    for (int p = 0; p < board->geometry->points; p++)
        if (taken_at(board, (yo_go_point)p, prey) != YO_GO_NONE) return false;
    return true;
}

static bool attacker_wins(const struct yo_go_board *board, yo_go_point prey) {
    yo_go_point libs[3];
    int count = find_liberties(board, prey, libs);
    if (count != 2) return count < 2;
    if (dead_by_two_kos(board, prey, libs)) return true;
    for (int i = 0; i < 2; i++) {
        struct yo_go_board after = *board;
        enum yo_go_color color = yo_go_other((enum yo_go_color)board->color[prey]);
        if (!yo_go_board_is_legal(board, color, libs[i])) continue;
        yo_go_board_play(&after, color, libs[i]);
        if (prey_caught(&after, prey, false)) return true;
    }
    return false;
}

/* The prey is to move. */
static bool prey_caught(const struct yo_go_board *board, yo_go_point prey, bool first) {
    yo_go_point libs[3];
    struct yo_go_board here = *board;
    if (++steps > STEPS_MAX) return true;
    if (find_liberties(board, prey, libs) > 1) return false;
    if (here.ko != YO_GO_NONE && !first) return false;
    here.ko = YO_GO_NONE;
    for (int p = 0; p <= here.geometry->points; p++) {
        bool last = p == here.geometry->points;
        yo_go_point move = last ? libs[0] : taken_at(&here, (yo_go_point)p, prey);
        if (move == YO_GO_NONE) continue;
        enum yo_go_color color = (enum yo_go_color)here.color[prey];
        struct yo_go_board after = here;
        if (!yo_go_board_is_legal(&here, color, move)) continue;
        yo_go_board_play(&after, color, move);
        if (!attacker_wins(&after, prey)) return false;
    }
    return true;
}

static bool catches(const struct yo_go_board *board, yo_go_point prey, yo_go_point move) {
    enum yo_go_color color = yo_go_other((enum yo_go_color)board->color[prey]);
    struct yo_go_board after = *board;
    if (!yo_go_board_is_legal(board, color, move)) return false;
    yo_go_board_play(&after, color, move);
    return prey_caught(&after, prey, true);
}

static void set(uint64_t *words, unsigned p) { words[p >> 6] |= (uint64_t)1 << (p & 63); }

/* Returns false if it takes too long. */
static bool judge_string(const struct yo_go_board *board, yo_go_point prey, bool moves,
                         struct net_ladders *out, bool *caught) {
    yo_go_point libs[3];
    int count = find_liberties(board, prey, libs);
    bool by[2] = {false, false};
    *caught = false;
    if (count > 2) return true;
    out->strings++;
    for (int i = 0; i < count; i++) {
        steps = 0;
        by[i] = count == 1 ? prey_caught(board, prey, true) : catches(board, prey, libs[i]);
        if (steps > out->longest) out->longest = steps;
        if (steps > STEPS_MAX) return false;
    }
    for (int i = 0; i < 2; i++)
        if (by[i] && count == 2 && moves) set(out->moves, libs[i]);
    *caught = by[0] || by[1];
    return true;
}

void net_ladders_judge(const struct yo_go_board *board, enum yo_go_color prey,
                       struct net_ladders *out) {
    int points = board->geometry->points;
    memset(out, 0, sizeof *out);
    for (int head = 0; head < points; head++) {
        bool caught;
        if (board->color[head] == YO_GO_EMPTY || board->head[head] != head) continue;
        bool read =
            judge_string(board, (yo_go_point)head, board->color[head] == prey, out, &caught);
        for (int p = 0; p < points; p++) {
            if (board->color[p] == YO_GO_EMPTY || board->head[p] != head) continue;
            if (caught) set(out->caught, (unsigned)p);
            if (!read) set(out->unread, (unsigned)p);
        }
    }
}

void net_ladders_mark(const struct yo_go_geometry *geometry, const uint8_t *color, yo_go_point ko,
                      struct yo_go_ladder_memory *memory, enum yo_go_color prey, uint64_t *caught,
                      uint64_t *moves) {
    struct yo_go_set stones[2] = {{{0}}};
    uint64_t all[YO_GO_WORDS_MAX] = {0};
    struct yo_go_ladder_place place = {geometry, color, stones, ko, memory};
    for (int p = 0; p < geometry->points; p++) {
        if (color[p] == YO_GO_EMPTY) continue;
        yo_go_set_add(&stones[color[p] == YO_GO_WHITE], (unsigned)p);
        set(all, (unsigned)p);
    }
    memset(caught, 0, sizeof all);
    if (moves) memset(moves, 0, sizeof all);
    yo_go_ladder_mark(&place, all, prey, caught, moves);
}

/* ---- random boards ---- */

static void play_if_legal(struct yo_go_board *board, enum yo_go_color color, int row, int col) {
    int size = board->geometry->size;
    if (row < 0 || row >= size || col < 0 || col >= size) return;
    yo_go_point p = (yo_go_point)(row * size + col);
    if (yo_go_board_is_legal(board, color, p)) yo_go_board_play(board, color, p);
}

/* A stone with two attackers beside it and two more at the corners, so that it can run one way. */
static void plant_prey(struct yo_go_board *board) {
    static const int net[4][2] = {{-1, 0}, {0, -1}, {1, -1}, {-1, 1}};
    int size = board->geometry->size, row = rand() % size, col = rand() % size;
    int down = rand() % 2 ? 1 : -1, right = rand() % 2 ? 1 : -1, stones = 2 + rand() % 3;
    enum yo_go_color color = rand() % 2 ? YO_GO_BLACK : YO_GO_WHITE;
    play_if_legal(board, color, row, col);
    for (int i = 0; i < stones; i++)
        play_if_legal(board, yo_go_other(color), row + down * net[i][0], col + right * net[i][1]);
}

void net_ladders_random(struct yo_go_board *board, int size, int moves, int preys) {
    enum yo_go_color color = YO_GO_BLACK;
    yo_go_board_init(board, size);
    for (int i = 0; i < preys; i++)
        plant_prey(board);
    for (int i = 0; i < moves; i++) {
        yo_go_point p = (yo_go_point)(rand() % (size * size));
        if (!yo_go_board_is_legal(board, color, p)) continue;
        yo_go_board_play(board, color, p);
        color = yo_go_other(color);
    }
    if (preys) board->ko = YO_GO_NONE;
}
