/* On a GPU: the backend cuda plays the same games as the CPU. A plain program, so that it runs on a
 * machine that has a GPU and nothing else. Exit status 77: there is no GPU here.
 *   conformance          some million games, over all board sizes and many positions
 *   conformance short    a few, for compute-sanitizer */
#include <stdio.h>
#include <string.h>

#include "cuda_games.h"
#include "eval/playout/cuda/cuda.h"
#include "eval/playout/cuda/gpu.h"
#include "eval/playout/scalar.h"

static int failures;
static bool lost;

static void check(bool good, const char *what, int size) {
    if (good) return;
    printf("%dx%d: %s differ\n", size, size, what);
    failures++;
}

/* How many games fill the first GPU half: such a piece is summed up there. */
static uint32_t half_fill(int size) {
    struct yo_playout_cut cut = yo_playout_backend_cut(&yo_playout_cuda, size);
    return (uint32_t)cut.share_min;
}

/* Single games and small sums by the scalar reference; large sums by the fastest the CPU has, which
 * its own tests compare with the reference move for move. */
static void check_size(int size, int single, int several, uint32_t mean, uint32_t sums) {
    const struct yo_playout_backend *fast = yo_playout_backend_here(YO_PLAYOUT_LIGHT, size);
    unsigned seed = (unsigned)size;
    check(cuda_games_agree(&yo_playout_cuda, &yo_playout_scalar, size, single, 1, seed), "games",
          size);
    check(cuda_games_agree(&yo_playout_cuda, fast, size, several, mean, seed + 100),
          "sums of many positions", size);
    if (sums > 0)
        check(cuda_sums_agree(&yo_playout_cuda, fast, size, sums, seed), "sums of one position",
              size);
    lost = lost || !yo_playout_cuda.available();
}

int main(int argc, char **argv) {
    bool brief = argc > 1 && strcmp(argv[1], "short") == 0;
    if (!yo_playout_cuda.available()) {
        char why[300];
        int version;
        yo_cuda_state(why, sizeof why, &version);
        printf("no GPU: device conformance not run (%s)\n", why);
        return 77;
    }
    for (int size = YO_GO_SIZE_MIN; size <= YO_GO_SIZE_MAX; size++) {
        bool usual = size == 9 || size == 13 || size == 19;
        if (brief && usual) check_size(size, 20, 10, 20, 0);
        if (brief && size == 9) check_size(size, 20, 20, 20, half_fill(size));
        if (!brief)
            check_size(size, size < 10 ? 1000 : 200, size < 10 ? 200 : 60, 200, half_fill(size));
    }
    if (lost) printf("the GPU failed on the way: the CPU has played instead\n");
    if (failures || lost) return 1;
    printf("the GPU plays the same games%s\n", brief ? " (short run)" : "");
    return 0;
}
