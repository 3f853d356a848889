/* The GPU kernels run on the host, lane by lane (src/eval/playout/cuda/warp_word.cuh), behind a
 * driver that is not one (fake_cuda.h): what the C++ programs share that compare the backend's
 * games with the scalar reference's. */
#pragma once

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "eval/playout/cuda/job.h"

#ifndef __clang__ /* words of C in the headers below, which GCC's C++ does not know */
#include <atomic>
#define _Alignas alignas
using std::atomic_bool;
#endif

extern "C" {
#include "eval/playout/cuda/cuda.h"
#include "eval/playout/scalar.h"
#include "support/cuda_games.h"
#include "support/fake_cuda.h"
}

static int failures;

/* The sizes that are compiled and checked: a kernel takes seconds to compile, so the quick tests
 * have one size of each layout (a lane or several for a board, the last lane full or not), and
 * warp_every_size.sh has them all. */
static constexpr bool checked(int size) {
#ifdef EVERY_SIZE
    return size >= 2;
#else
    return size == 2 || size == 3 || size == 5 || size == 9 || size == 10 || size == 13 ||
           size == 19;
#endif
}

/* Launches of many items and of one, each by one warp of type W. */
template <class W> static void play_many(const yo_cuda_job *job) {
    static W warp; // too large for a stack
    static std::vector<uint32_t> memory(W::MEMORY);
    warp.run(*job, nullptr, memory.data());
}

template <class W, int N> static void play_one(const yo_cuda_job *job) {
    static W warp;
    static std::vector<uint32_t> memory(W::MEMORY);
    uint32_t sums[YO_CUDA_SUM_WORDS(N)] = {};
    warp.run(*job, sums, memory.data());
    for (int i = 0; i < YO_CUDA_SUM_WORDS(N); i++)
        job->sums[i] += sums[i];
}

static void check(bool good, const char *what, int size) {
    if (good) return;
    printf("%dx%d: %s\n", size, size, what);
    failures++;
}

static void check_games(yo_playout_policy policy, int size, int pieces, unsigned mean) {
    const unsigned seed = static_cast<unsigned>(size);
    check(cuda_games_agree(policy, &yo_playout_cuda, &yo_playout_scalar, size, pieces, 1, seed),
          "games differ", size);
    check(cuda_games_agree(policy, &yo_playout_cuda, &yo_playout_scalar, size, 7, mean, seed + 1),
          "sums of several positions differ", size);
}

/* More games of one position than a thread's half of the GPU plays at a time. */
static void check_sums(yo_playout_policy policy, int size, unsigned seed) {
    const unsigned n = static_cast<unsigned>(size);
    const unsigned games = YO_CUDA_WARPS_MAX / 2 * YO_CUDA_GAMES_OF_WARP(n) + 50;
    check(cuda_sums_agree(policy, &yo_playout_cuda, &yo_playout_scalar, size, games, seed),
          "sums of one position differ", size);
}

static void start_lane_by_lane(void (*play)(yo_playout_policy, int, const yo_cuda_job *)) {
    fake_cuda_start(1);
    fake_cuda.processors = 1; // some hundred games fill it, and are then summed by the kernel
    fake_cuda.play = play;
    fake_cuda_again();
}

/* The program's exit status; so many launches there must have been at least. */
static int end_lane_by_lane(int launches) {
    if (fake_cuda_launches() < launches) {
        printf("only %d launches: the CPU has played instead\n", fake_cuda_launches());
        failures++;
    }
    fake_cuda_start(0);
    return failures != 0;
}
