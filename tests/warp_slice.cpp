// The GPU kernel's source run on the host, lane by lane (src/eval/playout/cuda/warp_word.cuh),
// behind a driver that is not one (fake_cuda.h): the whole backend then plays the same games as the
// scalar reference, on every board size, from empty and from played positions.
#include <cstdio>
#include <cstring>
#include <vector>

#include "cuda_games.h"
#include "eval/playout/cuda/warp_slice.cuh"
#include "fake_cuda.h"

extern "C" {
#include "eval/playout/cuda/cuda.h"
#include "eval/playout/scalar.h"
}

static int failures;
static int most_rows; // rows a lane has, where not as many as on a GPU

template <int N, int R> static void play_rows(const yo_cuda_job *job) {
    static warp_slice<N, R, false> one; // too large for a stack
    static warp_slice<N, R, true> many;
    static std::vector<uint32_t> memory(many.MEMORY);
    uint32_t sums[YO_CUDA_SUM_WORDS(N)] = {};
    if (job->item_of) {
        many.run(*job, nullptr, memory.data());
        return;
    }
    one.run(*job, sums, memory.data());
    for (int i = 0; i < YO_CUDA_SUM_WORDS(N); i++)
        job->sums[i] += sums[i];
}

template <int N> static void play(const yo_cuda_job *job) {
    static_assert(warp_slice<N, YO_CUDA_ROWS(N), true>::MEMORY == YO_CUDA_WARP_WORDS(N, true), "");
    play_rows<N, YO_CUDA_ROWS(N)>(job);
}

static void play_lane_by_lane(int size, const yo_cuda_job *job) {
    typedef void (*player)(const yo_cuda_job *);
    static const player players[] = {
        play<2>,  play<3>,  play<4>,  play<5>,  play<6>,  play<7>,  play<8>,  play<9>,  play<10>,
        play<11>, play<12>, play<13>, play<14>, play<15>, play<16>, play<17>, play<18>, play<19>,
    };
    if (most_rows == 1 && size == 9)
        play_rows<9, 1>(job);
    else
        players[size - 2](job);
}

static void check(bool good, const char *what, int size) {
    if (good) return;
    printf("%dx%d: %s\n", size, size, what);
    failures++;
}

static void check_size(int size, int pieces, unsigned mean) {
    const unsigned seed = static_cast<unsigned>(size);
    const unsigned games = YO_CUDA_WARPS_MAX / 2 * YO_CUDA_GAMES_OF_WARP(seed) + 50; // half of that
    check(cuda_games_agree(&yo_playout_cuda, &yo_playout_scalar, size, pieces, 1, seed),
          "games differ", size);
    check(cuda_games_agree(&yo_playout_cuda, &yo_playout_scalar, size, 7, mean, seed + 1),
          "sums of several positions differ", size);
    for (unsigned round = 0; round < 2; round++)
        check(cuda_sums_agree(&yo_playout_cuda, &yo_playout_scalar, size, games, seed + round),
              "sums of one position differ", size);
}

int main() {
    fake_cuda_start(1);
    fake_cuda.processors = 1; // some hundred games fill it, and are then summed by the kernel
    fake_cuda.play = play_lane_by_lane;
    for (int size = 2; size <= 19; size++)
        check_size(size, size < 10 ? 400 : 100, size < 10 ? 60 : 12);
    most_rows = 1; // a lane with one row: another way through the shuffles
    check_size(9, 100, 20);
    if (fake_cuda_launches() < 19 * 4) {
        printf("only %d launches: the CPU has played instead\n", fake_cuda_launches());
        failures++;
    }
    fake_cuda_start(0);
    return failures != 0;
}
