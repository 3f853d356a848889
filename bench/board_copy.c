/* Copy or undo? Compares two ways to look at a move and be back where one was: copying the board
 * and playing on the copy, against playing and taking the move back from a log of what it changed.
 *
 *   cmake --build BUILD --target bench_board_copy && BUILD/bench_board_copy
 *
 * The undo here is the plain one: before a move it notes the strings the move can touch, the next
 * links it can cut and the bit sets; afterwards it puts them back and relabels what was merged. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "game/go/board.h"

struct log {
    uint64_t hash;
    uint32_t captures[4];
    yo_go_point ko, move;
    enum yo_go_color color;
    uint64_t empty[YO_GO_WORDS_MAX];
    uint64_t eye[4][YO_GO_WORDS_MAX];
    int own, taken, strings;
    uint16_t move_head, move_next;
    uint16_t own_head[4], own_next[4], taken_head[4];
    uint16_t index[YO_GO_POINTS_MAX];
    struct yo_go_string string[YO_GO_POINTS_MAX];
};

static bool noted(const struct log *log, unsigned head) {
    for (int i = 0; i < log->strings; i++)
        if (log->index[i] == head) return true;
    return false;
}

static void note(struct log *log, const struct yo_go_board *board, unsigned head) {
    if (noted(log, head)) return;
    log->index[log->strings] = (uint16_t)head;
    log->string[log->strings++] = board->string[head];
}

/* Strings beside a string that is about to be taken gain liberties. */
static void note_taken(struct log *log, const struct yo_go_board *board, unsigned head) {
    log->taken_head[log->taken++] = (uint16_t)head;
    unsigned p = head;
    do {
        const uint16_t *nbr = board->geometry->nbr[p];
        for (int d = 0; d < 4; d++)
            if (board->color[nbr[d]] == log->color) note(log, board, board->head[nbr[d]]);
        p = board->next[p];
    } while (p != head);
}

static void play(struct yo_go_board *board, enum yo_go_color color, yo_go_point p,
                 struct log *log) {
    log->hash = board->hash;
    log->ko = board->ko;
    log->move = p;
    log->color = color;
    memcpy(log->captures, board->captures, sizeof log->captures);
    size_t bytes = (size_t)board->geometry->words * sizeof(uint64_t);
    memcpy(log->empty, board->empty, bytes);
    memcpy(log->eye[YO_GO_BLACK], board->eye[YO_GO_BLACK], bytes);
    memcpy(log->eye[YO_GO_WHITE], board->eye[YO_GO_WHITE], bytes);
    log->own = log->taken = log->strings = 0;
    /* The point may hold the links of a string that an earlier move of the line took. */
    log->move_head = board->head[p];
    log->move_next = board->next[p];
    note(log, board, p);
    for (int d = 0; d < 4; d++) {
        unsigned q = board->geometry->nbr[p][d], c = board->color[q];
        if (c == YO_GO_EMPTY || c == YO_GO_OFF || noted(log, board->head[q])) continue;
        unsigned head = board->head[q];
        note(log, board, head);
        if (c == color) {
            log->own_head[log->own] = (uint16_t)head;
            log->own_next[log->own++] = board->next[head];
        }
    }
    for (int d = 0; d < 4; d++) {
        unsigned q = board->geometry->nbr[p][d];
        if (board->color[q] != yo_go_other(color)) continue;
        unsigned head = board->head[q];
        bool again = false;
        for (int i = 0; i < log->taken; i++)
            again = again || log->taken_head[i] == head;
        if (!again && yo_go_string_in_atari(&board->string[head])) note_taken(log, board, head);
    }
    yo_go_board_play(board, color, p);
}

static void toggle(struct yo_go_board *board, unsigned p, unsigned color) {
    const uint16_t *nbr = board->geometry->nbr[p];
    for (unsigned d = 0; d < 8; d++)
        board->pattern[nbr[d]] = (uint16_t)(board->pattern[nbr[d]] ^ color << 2 * (d ^ 2));
}

static void put_back(struct yo_go_board *board, unsigned head, unsigned color) {
    unsigned p = head;
    do {
        board->color[p] = (uint8_t)color;
        board->head[p] = (uint16_t)head;
        toggle(board, p, color);
        p = board->next[p];
    } while (p != head);
}

static void relabel(struct yo_go_board *board, unsigned head) {
    if (board->head[board->next[head]] == head && board->head[head] == head) return;
    unsigned p = head;
    do {
        board->head[p] = (uint16_t)head;
        p = board->next[p];
    } while (p != head);
}

static void undo(struct yo_go_board *board, const struct log *log) {
    size_t bytes = (size_t)board->geometry->words * sizeof(uint64_t);
    board->hash = log->hash;
    board->ko = log->ko;
    memcpy(board->captures, log->captures, sizeof log->captures);
    memcpy(board->empty, log->empty, bytes);
    memcpy(board->eye[YO_GO_BLACK], log->eye[YO_GO_BLACK], bytes);
    memcpy(board->eye[YO_GO_WHITE], log->eye[YO_GO_WHITE], bytes);
    board->color[log->move] = YO_GO_EMPTY;
    toggle(board, log->move, log->color);
    for (int i = 0; i < log->taken; i++)
        put_back(board, log->taken_head[i], yo_go_other(log->color));
    board->head[log->move] = log->move_head;
    board->next[log->move] = log->move_next;
    for (int i = 0; i < log->own; i++)
        board->next[log->own_head[i]] = log->own_next[i];
    for (int i = 0; i < log->own; i++)
        relabel(board, log->own_head[i]);
    for (int i = 0; i < log->strings; i++)
        board->string[log->index[i]] = log->string[i];
}

/* ---- The two ways side by side ---- */

static void require_same(const struct yo_go_board *a, const struct yo_go_board *b) {
    bool same = a->hash == b->hash && a->ko == b->ko &&
                memcmp(a->captures, b->captures, sizeof a->captures) == 0 &&
                memcmp(a->empty, b->empty, sizeof a->empty) == 0 &&
                memcmp(a->color, b->color, sizeof a->color) == 0;
    for (int p = 0; same && p < a->geometry->points; p++) {
        same = a->pattern[p] == b->pattern[p];
        if (a->color[p] == YO_GO_EMPTY) {
            same = same && yo_go_bit(a->eye[1], (unsigned)p) == yo_go_bit(b->eye[1], (unsigned)p) &&
                   yo_go_bit(a->eye[2], (unsigned)p) == yo_go_bit(b->eye[2], (unsigned)p);
            continue;
        }
        const struct yo_go_string *s = &a->string[a->head[p]], *t = &b->string[b->head[p]];
        same = same && a->head[p] == b->head[p] && a->next[p] == b->next[p] &&
               s->stones == t->stones && s->libs == t->libs && s->sum == t->sum &&
               s->sum2 == t->sum2;
    }
    if (same) return;
    fprintf(stderr, "undo does not restore the board\n");
    exit(1);
}

static double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

enum { BOARDS = 64, LINE = 16, ROUNDS = 40 };

struct sample {
    struct yo_go_board board;
    enum yo_go_color to_move;
    yo_go_point line[LINE]; /* legal one after another, colours in turn */
};

static yo_go_point random_move(const struct yo_go_board *board, enum yo_go_color color) {
    for (int tries = 0; tries < 10000; tries++) {
        yo_go_point p = (yo_go_point)(rand() % board->geometry->points);
        if (yo_go_board_is_legal(board, color, p) && !yo_go_bit(board->eye[color], p)) return p;
    }
    return YO_GO_PASS;
}

/* Positions from all stages of random games, each with a line of moves to follow. */
static void make_samples(struct sample *samples, int size) {
    for (int i = 0; i < BOARDS;) {
        struct sample *s = &samples[i];
        yo_go_board_init(&s->board, size);
        int moves = size * size * i / BOARDS, color = YO_GO_BLACK;
        for (int m = 0; m < moves; m++, color = 3 - color)
            yo_go_board_play(&s->board, (enum yo_go_color)color,
                             random_move(&s->board, (enum yo_go_color)color));
        s->to_move = (enum yo_go_color)color;
        struct yo_go_board copy = s->board;
        int m = 0;
        for (; m < LINE; m++, color = 3 - color) {
            s->line[m] = random_move(&copy, (enum yo_go_color)color);
            if (s->line[m] == YO_GO_PASS) break;
            yo_go_board_play(&copy, (enum yo_go_color)color, s->line[m]);
        }
        i += m == LINE;
    }
}

static uint64_t sink;

static void by_copy(struct sample *s, int length) {
    struct yo_go_board board = s->board;
    int color = s->to_move;
    for (int m = 0; m < length; m++, color = 3 - color)
        yo_go_board_play(&board, (enum yo_go_color)color, s->line[m]);
    sink += board.hash;
}

static void by_undo(struct sample *s, int length) {
    static struct log logs[LINE];
    int color = s->to_move;
    for (int m = 0; m < length; m++, color = 3 - color)
        play(&s->board, (enum yo_go_color)color, s->line[m], &logs[m]);
    sink += s->board.hash;
    for (int m = length; m-- > 0;)
        undo(&s->board, &logs[m]);
}

static double best_ns(void (*way)(struct sample *, int), struct sample *samples, int length) {
    double best = 1e18;
    for (int round = 0; round < ROUNDS; round++) {
        double start = now_ns();
        for (int repeat = 0; repeat < 100; repeat++)
            for (int i = 0; i < BOARDS; i++)
                way(&samples[i], length);
        double ns = (now_ns() - start) / (100.0 * BOARDS);
        if (ns < best) best = ns;
    }
    return best;
}

int main(void) {
    static struct sample samples[BOARDS];
    static const int sizes[] = {9, 13, 19}, lengths[] = {1, 4, LINE};
    srand(1);
    printf("board: %zu bytes; best of %d rounds, ns for a line of moves and back\n",
           sizeof(struct yo_go_board), ROUNDS);
    printf("size  moves     copy     undo   undo/copy\n");
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        make_samples(samples, sizes[i]);
        for (int b = 0; b < BOARDS; b++) {
            struct yo_go_board before = samples[b].board;
            by_undo(&samples[b], LINE);
            require_same(&before, &samples[b].board);
        }
        for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
            double copy = best_ns(by_copy, samples, lengths[k]);
            double undone = best_ns(by_undo, samples, lengths[k]);
            printf("%4d  %5d  %7.1f  %7.1f  %10.2f\n", sizes[i], lengths[k], copy, undone,
                   undone / copy);
        }
    }
    return sink == 0; /* uses the results, so that none is optimised away */
}
