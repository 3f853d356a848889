#include "support/naive_ladder.h"

#include <stdlib.h>

int naive_ladder_nodes;

int naive_liberties(const struct naive_board *b, int prey) {
    int stones, libs;
    naive_string(b, prey / b->size, prey % b->size, &stones, &libs);
    return libs;
}

static bool plays(const struct naive_board *b, int color, int p, struct naive_board *after) {
    if (!naive_legal(b, color, p / b->size, p % b->size)) return false;
    *after = *b;
    naive_play(after, color, p / b->size, p % b->size);
    return true;
}

/* Is p a liberty of the string at `of`? A stone is put there to see whether one disappears. */
bool naive_is_liberty(const struct naive_board *b, int p, int of) {
    struct naive_board copy = *b;
    if (b->color[p / b->size][p % b->size] != 0) return false;
    copy.color[p / b->size][p % b->size] = 3 - b->color[of / b->size][of % b->size];
    return naive_liberties(&copy, of) < naive_liberties(b, of);
}

static bool touch(const struct naive_board *b, int stone, int prey) {
    struct naive_board copy = *b; /* with the stone's string gone the prey breathes more easily */
    int color = b->color[stone / b->size][stone % b->size];
    int todo[362], count = 1;
    todo[0] = stone;
    for (int i = 0; i < count; i++)
        for (int p = 0; p < b->size * b->size; p++) {
            int rows = abs(p / b->size - todo[i] / b->size),
                cols = abs(p % b->size - todo[i] % b->size);
            if (rows + cols > 1 || copy.color[p / b->size][p % b->size] != color) continue;
            copy.color[p / b->size][p % b->size] = 0;
            todo[count++] = p;
        }
    return naive_liberties(&copy, prey) > naive_liberties(b, prey);
}

bool naive_takes_chaser(const struct naive_board *b, int p, int prey) {
    int color = b->color[prey / b->size][prey % b->size];
    for (int q = 0; q < b->size * b->size; q++)
        if (b->color[q / b->size][q % b->size] == 3 - color && naive_liberties(b, q) == 1 &&
            naive_is_liberty(b, p, q) && touch(b, q, prey))
            return true;
    return false;
}

bool naive_frees(const struct naive_board *b, int prey, int p) {
    struct naive_board after;
    if (!plays(b, b->color[prey / b->size][prey % b->size], p, &after)) return false;
    int libs = naive_liberties(&after, prey);
    if (libs != 2) return libs > 2;
    for (int q = 0; q < b->size * b->size; q++)
        if (naive_catches_by(&after, prey, q)) return false;
    return true;
}

bool naive_escapes_by(const struct naive_board *b, int prey, int p) {
    if (++naive_ladder_nodes > NAIVE_LADDER_MAX) return true;
    if (!naive_is_liberty(b, p, prey) && !naive_takes_chaser(b, p, prey)) return false;
    return naive_frees(b, prey, p);
}

bool naive_catches_by(const struct naive_board *b, int prey, int p) {
    struct naive_board after;
    int color = b->color[prey / b->size][prey % b->size];
    if (++naive_ladder_nodes > NAIVE_LADDER_MAX) return false;
    if (!naive_is_liberty(b, p, prey) || !plays(b, 3 - color, p, &after)) return false;
    for (int q = 0; q < b->size * b->size; q++)
        if (after.color[q / b->size][q % b->size] == 0 && naive_escapes_by(&after, prey, q))
            return false;
    return true;
}
