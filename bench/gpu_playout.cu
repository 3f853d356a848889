/* How fast the warp kernels (src/eval/playout/cuda/) are on a GPU, and that they play the same
 * games as the CPU: sums of the first games are printed for comparison with bench_playout_means
 * light SIZE 20000    (or mogo) which plays the same ones. Needs a GPU; built by nvcc -O3
 * -std=c++17 -gencode arch=compute_90,code=sm_90 -Iinclude -Isrc bench/gpu_playout.cu and called
 * with a policy and a size, or without for all of them. A third argument is the number of games a
 * launch, for profilers, which then see a single launch of so many. Timing: CUDA events round the
 * kernel and the copy of its results, median of seven launches. */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "eval/playout/cuda/warp_mogo.cuh"

static void must(cudaError_t err, const char *what) {
    if (err == cudaSuccess) return;
    fprintf(stderr, "gpu_playout: %s: %s\n", what, cudaGetErrorString(err));
    exit(1);
}

struct totals {
    unsigned long long moves;
    uint32_t histogram[2 * YO_GO_POINTS_MAX + 1];
    int ownership[YO_GO_POINTS_MAX];
};

struct light {
    static constexpr const char *name = "light";
    template <int N, int R> using kernel = warp_slice<N, R>;
    template <int N, int R>
    __device__ static void run(kernel<N, R> &warp, const ws_job &job, const ws_result &result,
                               uint32_t *memory) {
        warp.run(job, result, memory);
    }
};

struct mogo {
    static constexpr const char *name = "mogo";
    template <int N, int R> using kernel = warp_mogo<N, R>;
    template <int N, int R>
    __device__ static void run(kernel<N, R> &warp, const ws_job &job, const ws_result &result,
                               uint32_t *memory) {
        wm_start start = {job.own, YO_GO_NONE}; /* an empty board: no point has a mark */
        warp.run(job, start, result, memory);
    }
};

/* Each block adds up in shared memory and hands its sums over at the end. */
template <class P, int N, int R, int WARPS>
__global__ void __launch_bounds__(32 * WARPS) play(ws_job job, totals *out) {
    using kernel = typename P::template kernel<N, R>;
    extern __shared__ uint32_t shared[];
    __shared__ unsigned long long moves;
    uint32_t *histogram = shared, *memory = shared + 3 * N * N + 1;
    int *ownership = (int *)(shared + 2 * N * N + 1);
    for (int i = threadIdx.x; i < 3 * N * N + 1; i += blockDim.x)
        shared[i] = 0;
    if (threadIdx.x == 0) moves = 0;
    __syncthreads();
    kernel warp;
    ws_result result = {histogram, ownership, &moves};
    P::template run<N, R>(warp, job, result, memory + threadIdx.x / 32 * kernel::MEMORY);
    __syncthreads();
    for (int i = threadIdx.x; i < 2 * N * N + 1; i += blockDim.x)
        if (histogram[i]) atomicAdd(&out->histogram[i], histogram[i]);
    for (int i = threadIdx.x; i < N * N; i += blockDim.x)
        atomicAdd(&out->ownership[i], ownership[i]);
    if (threadIdx.x == 0) atomicAdd(&out->moves, moves);
}

struct wanted {
    const char *policy; /* or NULL for all */
    int size;           /* or 0 for all */
    double games;       /* of the only launch, or 0 */
};

template <class P, int N, int R, int WARPS = 8>
static void measure(const wanted &want, double games_a_launch) {
    if (want.policy && strcmp(want.policy, P::name) != 0) return;
    if (want.size && want.size != N) return;
    auto kernel = play<P, N, R, WARPS>;
    const size_t bytes = 4 * (3 * N * N + 1 + WARPS * P::template kernel<N, R>::MEMORY);
    must(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes),
         "shared memory");
    int blocks = 0, processors = 0;
    must(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 32 * WARPS, bytes),
         "occupancy");
    must(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0), "device");
    cudaFuncAttributes attributes;
    must(cudaFuncGetAttributes(&attributes, kernel), "attributes");

    uint8_t *stones;
    unsigned long long *counter;
    totals *sums;
    static totals host;
    must(cudaMalloc(&stones, 2 * N * N), "memory");
    must(cudaMalloc(&counter, sizeof *counter), "memory");
    must(cudaMalloc(&sums, sizeof *sums), "memory");
    must(cudaMemset(stones, 0, 2 * N * N), "memory");
    cudaEvent_t start, stop;
    must(cudaEventCreate(&start), "event");
    must(cudaEventCreate(&stop), "event");
    std::vector<double> rates;
    for (int launch = 0; launch < (want.games > 0 ? 1 : 8); launch++) {
        const bool first = launch == 0; /* warm-up, and the games that are compared */
        double number = !first ? games_a_launch : want.games > 0 ? want.games : 20000;
        unsigned long long games = (unsigned long long)number;
        ws_job job = {stones, stones + N * N, YO_GO_NONE, 0, 1, 0, games, counter};
        must(cudaEventRecord(start), "event");
        must(cudaMemsetAsync(counter, 0, sizeof *counter), "memory");
        must(cudaMemsetAsync(sums, 0, sizeof *sums), "memory");
        kernel<<<blocks * processors, 32 * WARPS, bytes>>>(job, sums);
        must(cudaGetLastError(), "launch");
        must(cudaMemcpyAsync(&host, sums, sizeof host, cudaMemcpyDeviceToHost), "copy");
        must(cudaEventRecord(stop), "event");
        must(cudaDeviceSynchronize(), "kernel");
        float ms;
        must(cudaEventElapsedTime(&ms, start, stop), "event");
        if (!first) rates.push_back(1e3 * (double)games / ms);
        if (!first) continue;
        long long score = 0, count = 0;
        for (int i = 0; i < 2 * N * N + 1; i++) {
            count += host.histogram[i];
            score += (long long)host.histogram[i] * (i - N * N);
        }
        printf("%s %2dx%-2d  %lld games, %llu moves, score sum %lld;", P::name, N, N, count,
               host.moves, score);
    }
    if (rates.empty()) rates.push_back(0);
    std::sort(rates.begin(), rates.end());
    printf("  %.1f M/s (%.1f to %.1f), %d registers, %zu bytes spilt, %d warps a processor\n",
           1e-6 * rates[rates.size() / 2], 1e-6 * rates.front(), 1e-6 * rates.back(),
           attributes.numRegs, attributes.localSizeBytes, blocks * WARPS);
    cudaFree(stones);
    cudaFree(counter);
    cudaFree(sums);
}

int main(int argc, char **argv) {
    wanted want = {argc > 1 ? argv[1] : NULL, argc > 2 ? atoi(argv[2]) : 0,
                   argc > 3 ? atof(argv[3]) : 0};
    measure<light, 9, 3>(want, 6e7);
    measure<light, 13, 2>(want, 1.2e7);
    measure<light, 19, 2>(want, 2.4e6);
    measure<mogo, 9, 3>(want, 1.2e7);
    measure<mogo, 13, 2>(want, 3e6);
    measure<mogo, 19, 2>(want, 6e5);
    return 0;
}
