// The light policy on the GPU, run on the host lane by lane: the whole backend plays the same games
// as the scalar reference, on every checked board size, from empty and from played positions.
#include "eval/playout/cuda/warp_light.cuh"
#include "eval/playout/warp_check.h"

static int most_rows; // rows a lane has, where not as many as on a GPU

template <int N, int R> static void play_rows(const yo_cuda_job *job) {
    if (job->item_of)
        play_many<warp_light<N, R, true>>(job);
    else
        play_one<warp_light<N, R, false>, N>(job);
}

template <int N> static void play(const yo_cuda_job *job) {
    static_assert(light_warp<N, true>::MEMORY == YO_CUDA_WARP_WORDS(YO_PLAYOUT_LIGHT, N, true),
                  "job.h");
    if constexpr (checked(N))
        play_rows<N, YO_CUDA_ROWS(N)>(job);
    else
        abort();
}

static void play_lane_by_lane(yo_playout_policy, int size, const yo_cuda_job *job) {
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

static void check_size(int size, int pieces, unsigned mean) {
    check_games(YO_PLAYOUT_LIGHT, size, pieces, mean);
    for (unsigned round = 0; round < 2; round++)
        check_sums(YO_PLAYOUT_LIGHT, size, static_cast<unsigned>(size) + round);
}

int main() {
    start_lane_by_lane(play_lane_by_lane);
    int kernels = 1;
    for (int size = 2; size <= 19; size++)
        if (checked(size)) {
            check_size(size, size < 10 ? 120 : 40, size < 10 ? 60 : 12);
            kernels++;
        }
    most_rows = 1; // a lane with one row: another way through the shuffles
    check_size(9, 40, 20);
    return end_lane_by_lane(kernels * 4);
}
