// The thesis' kernels (experiments/tano/kernel.cuh) run on the host, row by row: the same games as
// the plain version, move for move, with the same draws and spread steps; one board in the row
// integers and three, groups of all the sizes that the experiment uses.
#include <cstdio>
#include <cstring>
#include <vector>

#include "experiments/tano/kernel.cuh"
#include "experiments/tano/plain.h"

static int failures;

static void fail(const char *what, int boards, uint32_t game, int move) {
    if (failures++ < 10)
        printf("FAILED: %s: %d boards in a set, game %u, move %d\n", what, boards, game, move);
}

static void compare(int boards, uint32_t game, int tries, const tano_result &found,
                    const tano_move *moves) {
    static tano_move right[TANO_MOVES_MAX];
    const tano_result result = tano_plain_play(game, tries, right);
    for (int i = 0; i < result.moves && i < found.moves; i++) {
        if (memcmp(&right[i], &moves[i], sizeof *moves) == 0) continue;
        fail("another move", boards, game, i);
        return;
    }
    if (found.moves != result.moves) fail("another length", boards, game, found.moves);
    if (found.score != result.score) fail("another score", boards, game, found.moves);
}

// Returns how many moves were played.
template <int K> static long check(int set_count, uint32_t first, int tries) {
    std::vector<tano_set<K>> sets(set_count);
    memset(sets.data(), 0x5a, set_count * sizeof sets[0]); // shared memory begins with anything
    std::vector<tano_result> results(set_count * K), unkept(set_count * K);
    std::vector<tano_move> moves((size_t)set_count * K * TANO_MOVES_MAX);
    const tano_host_group<tano_set<K>> group = {sets.data(), set_count};
    tano_playouts<true>(group, first, tries, results.data(), moves.data());
    tano_playouts<false>(group, first, tries, unkept.data(), nullptr);
    long count = 0;
    for (int i = 0; i < set_count * K; i++) {
        compare(K, first + i, tries, results[i], &moves[(size_t)i * TANO_MOVES_MAX]);
        if (memcmp(&results[i], &unkept[i], sizeof unkept[i])) fail("not as kept", K, first + i, 0);
        count += results[i].moves;
    }
    return count;
}

int main() {
    const int groups[] = {1, 2, 3, 9, 24};
    long moves = 0;
    uint32_t first = 0;
    for (int tries : {1, 10, 20}) {
        for (int round = 0; round < 10; round++) {
            for (int group : groups) {
                moves += check<1>(group, first, tries);
                moves += check<3>(group, first, tries);
                first += 3 * group;
            }
        }
    }
    printf("%u games or more, %ld moves, %d failures\n", first, moves, failures);
    // A comparison of nothing would pass too.
    return failures != 0 || moves < 100000;
}
