/* How fast the kernels alone are on a GPU, without the program around it (`yomi bench playout
 * --backend cuda` measures both): launches of one position, timed by CUDA events round the kernel
 * and the copy of its results, after one launch to warm up; the median of seven, and the spread.
 * Sums of the first 20,000 games are printed for comparison with
 *   bench_playout_means light SIZE 20000    (or mogo)
 * which plays the same ones. Arguments, if any: a policy, a size, and for profilers the number of
 * games of the one launch that they see. Needs a GPU; built by
 *   nvcc -O3 -std=c++17 -arch=native -Iinclude -Isrc bench/gpu_playout.cu */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "eval/playout/cuda/warp_kernel.cuh"
#include "eval/playout/cuda/warp_light.cuh"
#include "eval/playout/cuda/warp_mogo.cuh"

constexpr int WARPS = YO_CUDA_WARPS_MAX;

static void must(cudaError_t err, const char *what) {
    if (err == cudaSuccess) return;
    fprintf(stderr, "gpu_playout: %s: %s\n", what, cudaGetErrorString(err));
    exit(1);
}

struct light {
    static constexpr yo_playout_policy policy = YO_PLAYOUT_LIGHT;
    static constexpr const char *name = "light";
    template <int N> using warp = light_warp<N, false>;
};

struct mogo {
    static constexpr yo_playout_policy policy = YO_PLAYOUT_MOGO;
    static constexpr const char *name = "mogo";
    template <int N> using warp = mogo_warp<N, false>;
};

template <class P, int N>
__global__ void __launch_bounds__(32 * WARPS) play(const __grid_constant__ yo_cuda_job job) {
    warp_block_one<N, typename P::template warp<N>>(job);
}

struct wanted {
    const char *policy; /* or NULL for all */
    int size;           /* or 0 for all */
    double games;       /* of the only launch, or 0 */
};

template <int N> static void print_sums(const std::vector<uint32_t> &sums) {
    long long score = 0, count = 0;
    for (int i = 0; i < 2 * N * N + 1; i++) {
        count += sums[YO_CUDA_HISTOGRAM + i];
        score += (long long)sums[YO_CUDA_HISTOGRAM + i] * (i - N * N);
    }
    printf(" %2dx%-2d  %lld games, %llu moves, score sum %lld;", N, N, count,
           *(const unsigned long long *)sums.data(), score);
}

/* On the device: the counter, stones, sums. */
template <int N> struct layout {
    unsigned long long taken;
    uint8_t stones[(N * N + 7) / 8 * 8];
    uint32_t sums[YO_CUDA_SUM_WORDS(N)];
};

template <class P, int N> static void measure(const wanted &want, double games_a_launch) {
    if (want.policy && strcmp(want.policy, P::name) != 0) return;
    if (want.size && want.size != N) return;
    auto kernel = play<P, N>;
    const size_t bytes = YO_CUDA_SHARED_BYTES(P::policy, N, false, WARPS);
    must(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes),
         "shared memory");
    int blocks = 0, processors = 0;
    must(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 32 * WARPS, bytes),
         "occupancy");
    must(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0), "device");
    cudaFuncAttributes attributes;
    must(cudaFuncGetAttributes(&attributes, kernel), "attributes");

    layout<N> empty = {}, *gpu;
    std::vector<uint32_t> sums(YO_CUDA_SUM_WORDS(N));
    must(cudaMalloc(&gpu, sizeof *gpu), "memory");
    cudaEvent_t start, stop;
    must(cudaEventCreate(&start), "event");
    must(cudaEventCreate(&stop), "event");
    std::vector<double> rates;
    for (int launch = 0; launch < (want.games > 0 ? 1 : 8); launch++) {
        const bool first = launch == 0; /* warm-up, and the games that are compared */
        yo_cuda_job job = {};
        job.item = {1, 0, YO_GO_NONE, YO_GO_BLACK, YO_GO_NONE, 0};
        job.stones = gpu->stones;
        double games = !first ? games_a_launch : want.games > 0 ? want.games : 20000;
        job.games = (unsigned long long)games;
        job.taken = &gpu->taken;
        job.sums = gpu->sums;
        must(cudaEventRecord(start), "event");
        must(cudaMemcpyAsync(gpu, &empty, sizeof empty, cudaMemcpyHostToDevice), "copy");
        kernel<<<blocks * processors, 32 * WARPS, bytes>>>(job);
        must(cudaGetLastError(), "launch");
        must(cudaMemcpyAsync(sums.data(), gpu->sums, sizeof gpu->sums, cudaMemcpyDeviceToHost),
             "copy");
        must(cudaEventRecord(stop), "event");
        must(cudaDeviceSynchronize(), "kernel");
        float ms;
        must(cudaEventElapsedTime(&ms, start, stop), "event");
        if (first) printf("%-5s", P::name), print_sums<N>(sums);
        if (!first || want.games > 0) rates.push_back(1e3 * (double)job.games / ms);
    }
    std::sort(rates.begin(), rates.end());
    printf("  %.1f M/s (%.1f to %.1f), %d registers, %zu bytes spilt, %d warps a processor\n",
           1e-6 * rates[rates.size() / 2], 1e-6 * rates.front(), 1e-6 * rates.back(),
           attributes.numRegs, attributes.localSizeBytes, blocks * WARPS);
    must(cudaFree(gpu), "memory");
}

int main(int argc, char **argv) {
    wanted want = {argc > 1 ? argv[1] : NULL, argc > 2 ? atoi(argv[2]) : 0,
                   argc > 3 ? atof(argv[3]) : 0};
    measure<light, 9>(want, 6e7);
    measure<light, 13>(want, 1.2e7);
    measure<light, 19>(want, 2.4e6);
    measure<mogo, 9>(want, 1.5e7);
    measure<mogo, 13>(want, 3e6);
    measure<mogo, 19>(want, 6e5);
    return 0;
}
