/* Writes the playouts' random numbers to stdout without end, as raw 32-bit words, for programs that
 * test generators (docs/playout.md, "How good are the random numbers").
 *
 *   rng_stream game  [SEED]   all words of one game
 *   rng_stream games [SEED]   the first word of game 0, 1, 2 ...
 *   rng_stream seeds          the first word of game 0 for seed 0, 1, 2 ... */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eval/playout/spec.h"

enum { WORDS = 1 << 14 };

static uint32_t first_word(uint64_t seed, uint64_t game) {
    uint64_t state = yo_playout_seed(seed, game);
    return yo_playout_next(&state);
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    bool game = strcmp(what, "game") == 0, seeds = strcmp(what, "seeds") == 0;
    if (!game && !seeds && strcmp(what, "games") != 0) {
        fprintf(stderr, "usage: rng_stream game|games|seeds [SEED]\n");
        return 2;
    }
    static uint32_t words[WORDS];
    uint64_t state = yo_playout_seed(seed, 0), count = 0;
    do {
        for (int i = 0; i < WORDS; i++, count++)
            words[i] = game    ? yo_playout_next(&state)
                       : seeds ? first_word(count, 0)
                               : first_word(seed, count);
    } while (fwrite(words, sizeof words, 1, stdout) == 1);
    return 0; /* the reader has had enough */
}
