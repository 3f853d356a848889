#include "game/go/board.h"

#include <pthread.h>
#include <string.h>

#include "base/random.h"

uint64_t yo_go_zobrist[4][YO_GO_POINTS_MAX];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_zobrist(void) {
    uint64_t state = 0x796f6d69; /* any constant; fixed, so that every run has the same hashes */
    for (int p = 0; p < YO_GO_POINTS_MAX; p++) {
        yo_go_zobrist[YO_GO_BLACK][p] = yo_splitmix64(&state);
        yo_go_zobrist[YO_GO_WHITE][p] = yo_splitmix64(&state);
    }
}

static void set_bit(uint64_t *words, unsigned p, bool on) {
    uint64_t bit = (uint64_t)1 << (p & 63);
    words[p >> 6] = on ? words[p >> 6] | bit : words[p >> 6] & ~bit;
}

void yo_go_board_init(struct yo_go_board *board, int size) {
    pthread_once(&once, make_zobrist);
    memset(board, 0, sizeof *board);
    const struct yo_go_geometry *g = yo_go_geometry(size);
    board->geometry = g;
    board->ko = YO_GO_NONE;
    board->color[YO_GO_OFF_POINT] = YO_GO_OFF;
    for (unsigned p = 0; p <= YO_GO_OFF_POINT; p++)
        board->head[p] = YO_GO_OFF_POINT;
    for (unsigned p = 0; p < (unsigned)g->points; p++)
        set_bit(board->empty, p, true);
    memcpy(board->pattern, g->off_pattern, sizeof board->pattern);
}

/* A neighbour's code holds the colour at the opposite direction; EMPTY is 0, so XOR both sets and
 * clears it. */
static void toggle_patterns(struct yo_go_board *board, const uint16_t *nbr, unsigned color) {
    for (unsigned d = 0; d < 8; d++)
        board->pattern[nbr[d]] = (uint16_t)(board->pattern[nbr[d]] ^ color << 2 * (d ^ 2));
}

/* A new stone can close an eye of its colour beside it, or spoil an opponent's eye diagonally. */
static void eyes_after_placing(struct yo_go_board *board, const uint16_t *nbr,
                               enum yo_go_color color) {
    for (int d = 0; d < 4; d++)
        if (nbr[d] != YO_GO_OFF_POINT && yo_go_pattern_is_eye(board->pattern[nbr[d]], color))
            set_bit(board->eye[color], nbr[d], true);
    enum yo_go_color other = yo_go_other(color);
    for (int d = 4; d < 8; d++)
        if (nbr[d] != YO_GO_OFF_POINT && yo_go_bit(board->eye[other], nbr[d]))
            set_bit(board->eye[other], nbr[d], yo_go_pattern_is_eye(board->pattern[nbr[d]], other));
}

static void add_liberty(struct yo_go_string *s, unsigned p) {
    s->libs++;
    s->sum += p;
    s->sum2 += p * p;
}

static void drop_liberty(struct yo_go_string *s, unsigned p) {
    s->libs--;
    s->sum -= p;
    s->sum2 -= p * p;
}

static void merge(struct yo_go_board *board, unsigned a, unsigned b) {
    struct yo_go_string *big = &board->string[a], *small = &board->string[b];
    if (big->stones < small->stones) {
        struct yo_go_string *s = big;
        big = small;
        small = s;
        unsigned t = a;
        a = b;
        b = t;
    }
    big->stones = (uint16_t)(big->stones + small->stones);
    big->libs = (uint16_t)(big->libs + small->libs);
    big->sum += small->sum;
    big->sum2 += small->sum2;
    unsigned p = b; /* a string's index is always one of its stones */
    do {
        board->head[p] = (uint16_t)a;
        p = board->next[p];
    } while (p != b);
    uint16_t t = board->next[a];
    board->next[a] = board->next[b];
    board->next[b] = t;
}

/* The point of a captured stone of `color` can now only be an eye of the other side. Adjacent
 * points are an eye of neither side, and diagonal points may have become eyes of the other side. */
static void eyes_after_removing(struct yo_go_board *board, unsigned p, enum yo_go_color color) {
    const uint16_t *nbr = board->geometry->nbr[p];
    enum yo_go_color other = yo_go_other(color);
    for (int d = 0; d < 4; d++)
        if (nbr[d] != YO_GO_OFF_POINT) set_bit(board->eye[color], nbr[d], false);
    for (int d = 4; d < 8; d++)
        if (nbr[d] != YO_GO_OFF_POINT && yo_go_pattern_is_eye(board->pattern[nbr[d]], other))
            set_bit(board->eye[other], nbr[d], true);
    set_bit(board->eye[color], p, false);
    set_bit(board->eye[other], p, yo_go_pattern_is_eye(board->pattern[p], other));
}

static int remove_string(struct yo_go_board *board, unsigned head) {
    const struct yo_go_geometry *g = board->geometry;
    unsigned color = board->color[head];
    int count = board->string[head].stones;
    unsigned p = head;
    do {
        board->color[p] = YO_GO_EMPTY;
        board->head[p] = YO_GO_OFF_POINT;
        board->hash ^= yo_go_zobrist[color][p];
        set_bit(board->empty, p, true);
        toggle_patterns(board, g->nbr[p], color);
        for (int d = 0; d < 4; d++)
            add_liberty(&board->string[board->head[g->nbr[p][d]]], p);
        p = board->next[p];
    } while (p != head);
    do {
        eyes_after_removing(board, p, (enum yo_go_color)color);
        p = board->next[p];
    } while (p != head);
    return count;
}

/* The inner loop of all playouts. Whether a neighbour is empty, own or the opponent's cannot be
 * predicted, so liberties are counted without branches. Empty points and those off the board belong
 * to a dummy string. */
static void place(struct yo_go_board *board, enum yo_go_color color, unsigned p) {
    const uint16_t *nbr = board->geometry->nbr[p];
    board->color[p] = (uint8_t)color;
    board->hash ^= yo_go_zobrist[color][p];
    set_bit(board->empty, p, false);
    toggle_patterns(board, nbr, color);
    eyes_after_placing(board, nbr, color);
    struct yo_go_string s = {.stones = 1};
    for (int d = 0; d < 4; d++) {
        unsigned q = nbr[d], empty = board->color[q] == YO_GO_EMPTY;
        drop_liberty(&board->string[board->head[q]], p);
        s.libs = (uint16_t)(s.libs + empty);
        s.sum += empty * q;
        s.sum2 += empty * q * q;
    }
    board->head[p] = (uint16_t)p;
    board->next[p] = (uint16_t)p;
    board->string[p] = s;
}

int yo_go_board_play(struct yo_go_board *board, enum yo_go_color color, yo_go_point p) {
    board->ko = YO_GO_NONE;
    if (p == YO_GO_PASS) return 0;
    const uint16_t *nbr = board->geometry->nbr[p];
    place(board, color, p);
    int taken = 0;
    unsigned last_taken = YO_GO_NONE;
    for (int d = 0; d < 4; d++) {
        unsigned q = nbr[d], c = board->color[q], head = board->head[q];
        if (c == color) {
            if (head != board->head[p]) merge(board, board->head[p], head);
        } else if (board->string[head].libs == 0 && c == (unsigned)yo_go_other(color)) {
            taken += remove_string(board, head);
            last_taken = q;
        }
    }
    const struct yo_go_string *own = &board->string[board->head[p]];
    board->captures[color] += (unsigned)taken;
    if (taken == 1 && own->stones == 1 && own->libs == 1) board->ko = (yo_go_point)last_taken;
    if (own->libs > 0) return taken;
    int lost = remove_string(board, board->head[p]);
    enum yo_go_color other = yo_go_other(color);
    board->captures[other] += (unsigned)lost;
    return -lost;
}

bool yo_go_board_is_suicide(const struct yo_go_board *board, enum yo_go_color color,
                            yo_go_point p) {
    unsigned sides = board->pattern[p] & 0xff;
    if (((sides | sides >> 1) & 0x55) != 0x55) return false; /* a neighbour is empty */
    const uint16_t *nbr = board->geometry->nbr[p];
    for (int d = 0; d < 4; d++) {
        unsigned c = board->color[nbr[d]];
        if (c == YO_GO_OFF) continue;
        bool atari = yo_go_string_in_atari(&board->string[board->head[nbr[d]]]);
        if (atari != (c == color)) return false;
    }
    return true;
}

/* Is the stone in direction d the first of its string among the neighbours of p? */
static bool is_new_string(const struct yo_go_board *board, const uint16_t *nbr, int d) {
    for (int i = 0; i < d; i++)
        if (board->color[nbr[i]] == board->color[nbr[d]] &&
            board->head[nbr[i]] == board->head[nbr[d]])
            return false;
    return true;
}

bool yo_go_board_is_self_atari(const struct yo_go_board *board, enum yo_go_color color,
                               yo_go_point p) {
    const uint16_t *nbr = board->geometry->nbr[p];
    struct yo_go_string after = {.stones = 1}; /* its liberties after merging */
    for (int d = 0; d < 4; d++) {
        unsigned c = board->color[nbr[d]];
        if (c == YO_GO_OFF) continue;
        if (c == YO_GO_EMPTY) {
            add_liberty(&after, nbr[d]);
            continue;
        }
        const struct yo_go_string *s = &board->string[board->head[nbr[d]]];
        if (c != color) {
            if (yo_go_string_in_atari(s)) return false;
            continue;
        }
        if (is_new_string(board, nbr, d)) {
            after.libs = (uint16_t)(after.libs + s->libs);
            after.sum += s->sum;
            after.sum2 += s->sum2;
        }
        drop_liberty(&after, p);
    }
    return yo_go_string_in_atari(&after); /* true without liberties as well */
}

bool yo_go_board_is_legal(const struct yo_go_board *board, enum yo_go_color color, yo_go_point p) {
    return board->color[p] == YO_GO_EMPTY && p != board->ko &&
           !yo_go_board_is_suicide(board, color, p);
}

int yo_go_board_liberties(const struct yo_go_board *board, yo_go_point p, int limit) {
    uint64_t seen[YO_GO_WORDS_MAX] = {0};
    int count = 0;
    unsigned q = p;
    do {
        const uint16_t *nbr = board->geometry->nbr[q];
        for (int d = 0; d < 4; d++) {
            unsigned l = nbr[d];
            if (board->color[l] != YO_GO_EMPTY || yo_go_bit(seen, l)) continue;
            set_bit(seen, l, true);
            if (++count >= limit) return count;
        }
        q = board->next[q];
    } while (q != p);
    return count;
}
