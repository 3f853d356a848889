/* Learns the weights of 3x3 patterns that src/eval/playout/rich_weights.c holds, from records of
 * games on 19x19, and prints the rows of its table.
 *
 *   pattern_weights GAMES FILE.sgf...
 *
 * The model is a softmax over the candidates of every position: the weight of the pattern at the
 * point, and one for each of a few facts about the move (near the last move, self-atari, ...) so
 * that those are not taken for the pattern's merit. Stochastic gradient descent with AdaGrad, one
 * pass. */
#include <math.h>

#include "bench.h"
#include "game/go/state.h"
#include "yomi/sgf.h"

#define RATE      0.3
#define SEEN_MIN  50 /* positions; classes that are rarer are left out */
#define NEUTRAL   96 /* the weight of a point with nothing round it */
#define LOWEST    16
#define SHARPNESS 0.5

enum fact { NEXT_TO_LAST, DIAGONAL, TWO_AWAY, CAPTURES, SELF_ATARI, SAVES, GIVES_ATARI, FACTS };

struct parameter {
    double value, squares;
    long seen;
};

static struct parameter pattern[65536], fact[FACTS];
static uint16_t class_of[65536];

struct candidate {
    unsigned class, facts;
    double chance;
};

/* ---- classes: the smallest code among the turned and mirrored ones, Black to move ---- */

static unsigned moved(unsigned code, const int *to) {
    unsigned out = 0;
    for (int d = 0; d < 8; d++)
        out |= (code >> 2 * d & 3) << 2 * to[d];
    return out;
}

static void make_classes(void) {
    static const int turn[8] = {1, 2, 3, 0, 5, 6, 7, 4}, mirror[8] = {0, 3, 2, 1, 7, 6, 5, 4};
    for (unsigned code = 0; code < 65536; code++) {
        unsigned least = code, c = code;
        for (int i = 0; i < 8; i++) {
            c = moved(c, i == 4 ? mirror : turn);
            if (i == 4) c = moved(c, turn);
            if (c < least) least = c;
        }
        class_of[code] = (uint16_t)least;
    }
}

static unsigned class_at(const struct yo_go_board *board, enum yo_go_color color, unsigned p) {
    unsigned code = board->pattern[p];
    if (color == YO_GO_WHITE) code = (code & 0x5555) << 1 | (code >> 1 & 0x5555);
    return class_of[code];
}

/* ---- facts ---- */

static unsigned facts_of(const struct yo_go_board *board, enum yo_go_color color, unsigned p,
                         unsigned last) {
    int size = board->geometry->size;
    int rows = abs((int)(p / (unsigned)size) - (int)(last / (unsigned)size));
    int cols = abs((int)(p % (unsigned)size) - (int)(last % (unsigned)size));
    unsigned facts = 0;
    bool self_atari = yo_go_board_is_self_atari(board, color, (yo_go_point)p);
    if (rows + cols == 1)
        facts |= 1u << NEXT_TO_LAST;
    else if (rows <= 1 && cols <= 1)
        facts |= 1u << DIAGONAL;
    else if (rows <= 2 && cols <= 2)
        facts |= 1u << TWO_AWAY;
    if (self_atari) facts |= 1u << SELF_ATARI;
    for (int d = 0; d < 4; d++) {
        unsigned q = board->geometry->nbr[p][d], c = board->color[q];
        if (c != YO_GO_BLACK && c != YO_GO_WHITE) continue;
        bool atari = yo_go_string_in_atari(&board->string[board->head[q]]);
        if (c == color && atari && !self_atari) facts |= 1u << SAVES;
        if (c != color && atari) facts |= 1u << CAPTURES;
        if (c != color && !atari && yo_go_board_liberties(board, (yo_go_point)q, 3) == 2)
            facts |= 1u << GIVES_ATARI;
    }
    return facts;
}

/* ---- learning ---- */

static void step(struct parameter *parameter, double gradient) {
    parameter->squares += gradient * gradient;
    parameter->value += RATE * gradient / sqrt(1 + parameter->squares);
}

static double sum_of(const struct candidate *c) {
    double sum = pattern[c->class].value;
    for (int f = 0; f < FACTS; f++)
        if (c->facts >> f & 1) sum += fact[f].value;
    return sum;
}

static void learn_move(const struct yo_go_board *board, enum yo_go_color color, yo_go_point move,
                       yo_go_point last) {
    struct candidate candidates[YO_GO_POINTS_MAX];
    int count = 0, played = -1;
    double total = 0;
    for (unsigned p = 0; p < (unsigned)board->geometry->points; p++) {
        if (!yo_go_board_is_legal(board, color, (yo_go_point)p)) continue;
        if (yo_go_bit(board->eye[color], p)) continue;
        struct candidate *c = &candidates[count];
        c->class = class_at(board, color, p);
        c->facts = facts_of(board, color, p, last);
        c->chance = exp(sum_of(c));
        pattern[c->class].seen++;
        total += c->chance;
        if (p == move) played = count;
        count++;
    }
    for (int i = 0; i < count && played >= 0; i++) {
        double gradient = (i == played) - candidates[i].chance / total;
        step(&pattern[candidates[i].class], gradient);
        for (int f = 0; f < FACTS; f++)
            if (candidates[i].facts >> f & 1) step(&fact[f], gradient);
    }
}

static void learn_game(const struct yo_go_game *game) {
    struct yo_go_board board;
    yo_go_board_init(&board, yo_go_game_size(game));
    for (size_t i = 0; i < game->count; i++) {
        enum yo_go_color color = game->moves[i].color;
        yo_go_point move = game->moves[i].move;
        if (move >= board.geometry->points) return; /* who passes has left the patterns behind */
        if (!yo_go_board_is_legal(&board, color, move)) return;
        if (i > 0 && game->moves[i - 1].color != color)
            learn_move(&board, color, move, game->moves[i - 1].move);
        yo_go_board_play(&board, color, move);
    }
}

/* Returns how many games were learned from. */
static int learn_file(const char *path, int games) {
    struct yo_sgf *sgf;
    struct yo_diag diag;
    int learned = 0;
    if (yo_sgf_load(path, &sgf, &diag)) bench_fail(&diag);
    for (size_t i = 0; i < yo_sgf_game_count(sgf) && learned < games; i++) {
        struct yo_go_game *game;
        if (yo_sgf_to_game(sgf, i, 0, &game, &diag)) continue;
        if (yo_go_game_size(game) == 19 && game->count > 0) {
            learn_game(game);
            learned++;
        }
        yo_go_game_delete(game);
    }
    yo_sgf_delete(sgf);
    return learned;
}

static void print_table(void) {
    double neutral = pattern[0].value;
    for (int code = 0, column = 0; code < 65536; code++) {
        if (pattern[code].seen < SEEN_MIN) continue;
        double weight = NEUTRAL * exp(SHARPNESS * (pattern[code].value - neutral));
        int rounded = weight < LOWEST ? LOWEST : weight > 255 ? 255 : (int)(weight + 0.5);
        printf("%s{0x%04x, %d},", column == 0 ? "    " : " ", (unsigned)code, rounded);
        column = (column + 1) % 6;
        if (column == 0) printf("\n");
    }
    printf("\n");
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: pattern_weights GAMES FILE.sgf...\n");
        return 2;
    }
    make_classes();
    int left = atoi(argv[1]);
    for (int i = 2; i < argc && left > 0; i++)
        left -= learn_file(argv[i], left);
    fprintf(stderr, "%d games\n", atoi(argv[1]) - left);
    print_table();
    return 0;
}
