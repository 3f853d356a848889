/* What the hardware unit's counters say of a batch from the empty board.
 *
 *   hw_cycles SIZE GAMES [SEED] */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "eval/playout/hw/hw.h"

int main(int argc, char **argv) {
    struct yo_hw_counts counts;
    if (argc < 3) {
        fprintf(stderr, "usage: hw_cycles SIZE GAMES [SEED]\n");
        return 2;
    }
    struct yo_playout_position position = {.size = (uint8_t)atoi(argv[1]),
                                           .to_move = YO_GO_BLACK,
                                           .ko = YO_GO_NONE,
                                           .last = YO_GO_NONE};
    uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    if (!yo_hw_measure(&position, seed, (uint32_t)atoi(argv[2]), &counts)) {
        fprintf(stderr, "hw_cycles: there is no unit for this size in this build\n");
        return 1;
    }
    printf("size=%d games=%" PRIu64 " moves=%" PRIu64 " cycles=%" PRIu64 " attempts=%" PRIu64
           " repeats=%" PRIu64 "\n",
           position.size, counts.games, counts.moves, counts.cycles, counts.attempts,
           counts.repeats);
    return 0;
}
