/* On a GPU: the backend cuda plays the same games as the CPU. A plain program, so that it runs on a
 * machine that has a GPU and nothing else. Exit status 77: there is no GPU here.
 *   conformance          some million games, over all board sizes and many positions
 *   conformance short    a few, for compute-sanitizer: every kernel of the usual sizes
 *   conformance tiny     still fewer, for its slower tools: launches of many positions on 9x9 */
#include <stdio.h>
#include <string.h>

#include "eval/playout/cuda/cuda.h"
#include "eval/playout/cuda/gpu.h"
#include "eval/playout/scalar.h"
#include "support/cuda_games.h"

static int failures;
static bool lost;

static void check(bool good, const char *what, int size) {
    if (good) return;
    printf("%dx%d: %s differ\n", size, size, what);
    failures++;
}

static const char *name_of(enum yo_playout_policy policy, const char *what) {
    static char text[80];
    snprintf(text, sizeof text, "%s, %s", yo_playout_policy_name(policy), what);
    return text;
}

/* How many games fill the first GPU half: such a piece is summed up there. */
static uint32_t half_fill(int size) {
    struct yo_playout_cut cut = yo_playout_backend_cut(&yo_playout_cuda, size);
    return (uint32_t)cut.share_min;
}

/* Single games and small sums by the scalar reference; large sums by the fastest the CPU has, which
 * its own tests compare with the reference move for move. */
static void check_size(enum yo_playout_policy policy, int size, int single, int several,
                       uint32_t mean, uint32_t sums) {
    const struct yo_playout_backend *fast =
        yo_playout_backend_here(&yo_playout_env_default, policy, size);
    unsigned seed = (unsigned)size;
    check(cuda_games_agree(policy, &yo_playout_cuda, &yo_playout_scalar, size, single, 1, seed),
          name_of(policy, "games"), size);
    check(cuda_games_agree(policy, &yo_playout_cuda, fast, size, several, mean, seed + 100),
          name_of(policy, "sums of many positions"), size);
    if (sums > 0)
        check(cuda_sums_agree(policy, &yo_playout_cuda, fast, size, sums, seed),
              name_of(policy, "sums of one position"), size);
    lost = lost || !yo_playout_available(&yo_playout_cuda);
}

/* Both policies, and with `sums` both of their kernels. */
static void check_some(int size, int games, bool sums) {
    const enum yo_playout_policy policies[] = {YO_PLAYOUT_LIGHT, YO_PLAYOUT_MOGO};
    for (int i = 0; i < 2; i++)
        check_size(policies[i], size, games, games, (uint32_t)games, sums ? half_fill(size) : 0);
}

static void check_all(int size) {
    check_size(YO_PLAYOUT_LIGHT, size, size < 10 ? 1000 : 200, size < 10 ? 200 : 60, 200,
               half_fill(size));
    /* The CPU has no fast way to play these: fewer of them. */
    check_size(YO_PLAYOUT_MOGO, size, size < 10 ? 1000 : 100, size < 10 ? 100 : 20, 50,
               size == 9 ? half_fill(size) : 0);
}

int main(int argc, char **argv) {
    const char *how = argc > 1 ? argv[1] : "";
    bool tiny = strcmp(how, "tiny") == 0, brief = tiny || strcmp(how, "short") == 0;
    if (argc > 2 || (*how && !brief)) {
        fprintf(stderr, "usage: %s [short|tiny]\n", argv[0]);
        return 2;
    }
    if (!yo_playout_available(&yo_playout_cuda)) {
        char why[300];
        int version;
        yo_cuda_state(why, sizeof why, &version);
        printf("no GPU: device conformance not run (%s)\n", why);
        return 77;
    }
    for (int size = YO_GO_SIZE_MIN; size <= YO_GO_SIZE_MAX; size++) {
        bool usual = size == 9 || size == 13 || size == 19;
        if (!brief)
            check_all(size);
        else if (size == 9 || (usual && !tiny))
            check_some(size, tiny ? 5 : 20, size == 9 && !tiny);
    }
    if (lost) printf("the GPU failed on the way: the CPU has played instead\n");
    if (failures || lost) return 1;
    printf("the GPU plays the same games%s%s%s\n", *how ? " (" : "", how, *how ? " run)" : "");
    return 0;
}
