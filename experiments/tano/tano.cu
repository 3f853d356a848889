/* The measurements on the GPU, as CSV on stdout; experiments/tano/run builds and calls it.
 *   tano check [N]  the kernels play the same games as plain.c: about N in each of 12 ways
 *   tano table51    playouts/s of the kernels as the thesis ran its own
 *   tano table52    playouts/s by boards a block
 *   tano table53    playouts/s by number of blocks
 *   tano figures    mean and variance by move number of draws and of spread steps
 * A figure is the median of RUNS launches after one that is not counted, each timed by CUDA events
 * round the kernel and the copy of its results. */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "kernel.cuh"
#include "plain.h"

static const int RUNS = 7;

static void must(cudaError_t err, const char *what) {
    if (err == cudaSuccess) return;
    fprintf(stderr, "tano: %s: %s\n", what, cudaGetErrorString(err));
    exit(1);
}

template <class T> struct device_array {
    T *data = nullptr;
    explicit device_array(size_t count) {
        must(cudaMalloc(&data, count * sizeof(T)), "memory of the GPU");
        must(cudaMemset(data, 0xff, count * sizeof(T)), "memory of the GPU");
    }
    ~device_array() { cudaFree(data); }
};

template <template <class> class Group, int K, bool KEEP>
__global__ void play(int boards, int tries, tano_result *results, tano_move *moves) {
    extern __shared__ uint32_t shared[];
    const uint32_t first = blockIdx.x * boards;
    tano_playouts<KEEP>(Group<tano_set<K>>((tano_set<K> *)shared), first, tries, results + first,
                        KEEP ? moves + (size_t)first * TANO_MOVES_MAX : nullptr);
}

/* How a launch is laid out. */
struct layout {
    const char *name; /* who waits for its slowest board: "block" or "warp" */
    int packed;       /* boards in the 11 integers: 1 or 3 */
};
static const layout layouts[] = {{"block", 1}, {"block", 3}, {"warp", 1}, {"warp", 3}};

template <template <class> class Group, int K, bool KEEP>
static void launch_as(int boards, int blocks, int tries, tano_result *results, tano_move *moves) {
    const int sets = boards / K;
    play<Group, K, KEEP><<<blocks, Group<tano_set<K>>::threads(sets), sets * sizeof(tano_set<K>)>>>(
        boards, tries, results, moves);
    must(cudaGetLastError(), "launch");
}

static void launch(const layout &how, int boards, int blocks, int tries, tano_result *results,
                   tano_move *moves) {
    const bool warp = how.name[0] == 'w', three = how.packed == 3, keep = moves != nullptr;
    auto f = warp ? (three ? (keep ? launch_as<tano_warp_group, 3, true>
                                   : launch_as<tano_warp_group, 3, false>)
                           : (keep ? launch_as<tano_warp_group, 1, true>
                                   : launch_as<tano_warp_group, 1, false>))
                  : (three ? (keep ? launch_as<tano_block_group, 3, true>
                                   : launch_as<tano_block_group, 3, false>)
                           : (keep ? launch_as<tano_block_group, 1, true>
                                   : launch_as<tano_block_group, 1, false>));
    f(boards, blocks, tries, results, moves);
}

/* One line of CSV: a layout's playouts/s. */
static void measure(const layout &how, int boards, int blocks) {
    const size_t games = (size_t)boards * blocks;
    device_array<tano_result> results(games);
    tano_result *host;
    must(cudaMallocHost(&host, games * sizeof *host), "memory of the host");
    cudaEvent_t start, stop;
    must(cudaEventCreate(&start), "event");
    must(cudaEventCreate(&stop), "event");
    std::vector<double> rates;
    for (int run = 0; run <= RUNS; run++) {
        must(cudaEventRecord(start), "event");
        launch(how, boards, blocks, TANO_TRIES, results.data, nullptr);
        must(cudaMemcpyAsync(host, results.data, games * sizeof *host, cudaMemcpyDeviceToHost),
             "copy");
        must(cudaEventRecord(stop), "event");
        must(cudaDeviceSynchronize(), "kernel");
        float ms;
        must(cudaEventElapsedTime(&ms, start, stop), "event");
        if (run > 0) rates.push_back(1e3 * (double)games / ms);
    }
    std::sort(rates.begin(), rates.end());
    printf("%s,%d,%d,%d,%.0f,%.0f,%.0f\n", how.name, how.packed, boards, blocks,
           rates[rates.size() / 2], rates.front(), rates.back());
    fflush(stdout);
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    cudaFreeHost(host);
}

static void print_header() { printf("waits,packed,boards,blocks,median,lowest,highest\n"); }

static void table51() {
    print_header();
    for (const layout &how : layouts)
        measure(how, 9 * how.packed, 40000); /* the thesis' best */
}

static void table52() {
    print_header();
    for (const layout &how : layouts)
        for (int boards = 3; boards <= 24; boards += 3)
            measure(how, boards * how.packed, 10000);
}

static void table53() {
    print_header();
    for (const layout &how : layouts)
        for (int blocks = 1000; blocks <= 50000; blocks += 1000)
            measure(how, 9 * how.packed, blocks);
}

/* Games with all their moves, on the host. */
struct kept_games {
    std::vector<tano_result> results;
    std::vector<tano_move> moves;

    kept_games(const layout &how, int boards, int blocks, int tries) {
        const size_t games = (size_t)boards * blocks, count = games * TANO_MOVES_MAX;
        device_array<tano_result> device_results(games);
        device_array<tano_move> device_moves(count);
        results.resize(games);
        moves.resize(count);
        launch(how, boards, blocks, tries, device_results.data, device_moves.data);
        must(cudaDeviceSynchronize(), "kernel");
        must(cudaMemcpy(results.data(), device_results.data, games * sizeof results[0],
                        cudaMemcpyDeviceToHost),
             "copy");
        must(cudaMemcpy(moves.data(), device_moves.data, count * sizeof moves[0],
                        cudaMemcpyDeviceToHost),
             "copy");
    }
    const tano_move *of(size_t game) const { return &moves[game * TANO_MOVES_MAX]; }
};

/* Returns how many games differ from the plain version's. The kernel that is timed keeps no moves:
 * its results are compared with the other's. */
static int differences(const layout &how, int boards, int blocks, int tries) {
    static tano_move right[TANO_MOVES_MAX];
    const kept_games found(how, boards, blocks, tries);
    const size_t games = found.results.size();
    device_array<tano_result> device(games);
    std::vector<tano_result> timed(games);
    launch(how, boards, blocks, tries, device.data, nullptr);
    must(cudaMemcpy(timed.data(), device.data, games * sizeof timed[0], cudaMemcpyDeviceToHost),
         "copy");
    int wrong = 0;
    for (size_t game = 0; game < games; game++) {
        const tano_result result = tano_plain_play((uint32_t)game, tries, right);
        const bool same = memcmp(&result, &found.results[game], sizeof result) == 0 &&
                          memcmp(&result, &timed[game], sizeof result) == 0 &&
                          memcmp(right, found.of(game), result.moves * sizeof *right) == 0;
        if (!same && wrong++ < 3)
            fprintf(stderr, "tano: %s, %d in a set, %d a block: game %zu differs\n", how.name,
                    how.packed, boards, game);
    }
    return wrong;
}

static int check(int about) {
    int wrong = 0, games = 0;
    for (const layout &how : layouts) {
        for (int sets : {3, 9, 24}) {
            const int boards = sets * how.packed, blocks = std::max(1, about / boards);
            wrong += differences(how, boards, blocks, TANO_TRIES);
            games += boards * blocks;
        }
    }
    printf("check: %d games on the GPU, %d differ from the plain version's\n", games, wrong);
    return wrong != 0;
}

struct sums {
    double n, squares;
    void add(int x) { n += x, squares += (double)x * x; }
    double mean(double games) const { return n / games; }
    double variance(double games) const { return squares / games - mean(games) * mean(games); }
};

/* Games that are over count with zero, as in the thesis. */
static void figures() {
    printf("tries,games,move,draws_mean,draws_variance,steps_mean,steps_variance\n");
    for (int tries : {(int)TANO_TRIES, 2 * TANO_TRIES}) {
        const kept_games kept(layouts[0], 9, 5556, tries);
        for (size_t games : {(size_t)1000, kept.results.size()}) {
            std::vector<sums> draws(TANO_MOVES_MAX), steps(TANO_MOVES_MAX);
            int longest = 0;
            for (size_t game = 0; game < games; game++) {
                longest = std::max(longest, (int)kept.results[game].moves);
                for (int i = 0; i < kept.results[game].moves; i++) {
                    draws[i].add(kept.of(game)[i].tries);
                    steps[i].add(kept.of(game)[i].steps);
                }
            }
            const double n = (double)games;
            for (int i = 0; i < longest; i++)
                printf("%d,%zu,%d,%.4f,%.4f,%.4f,%.4f\n", tries, games, i + 1, draws[i].mean(n),
                       draws[i].variance(n), steps[i].mean(n), steps[i].variance(n));
        }
    }
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    int device_count = 0;
    cudaError_t err = cudaGetDeviceCount(&device_count);
    if (err != cudaSuccess || device_count == 0) {
        fprintf(stderr, "tano: no GPU can be used: %s\n",
                err ? cudaGetErrorString(err) : "there is none");
        return 1;
    }
    if (strcmp(what, "check") == 0) return check(argc > 2 ? atoi(argv[2]) : 1200);
    if (strcmp(what, "table51") == 0) return table51(), 0;
    if (strcmp(what, "table52") == 0) return table52(), 0;
    if (strcmp(what, "table53") == 0) return table53(), 0;
    if (strcmp(what, "figures") == 0) return figures(), 0;
    fprintf(stderr, "usage: tano check [N]|table51|table52|table53|figures\n");
    return 2;
}
