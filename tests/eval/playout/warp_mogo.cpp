// MoGo's policy on the GPU, run on the host lane by lane: the same games as the scalar reference,
// move for move; and the whole backend plays them, on every board size, from empty and from played
// positions.
#include "eval/playout/cuda/warp_mogo.cuh"

#include <cstdlib>
#include <memory>

#include "eval/playout/warp_check.h"

extern "C" {
#include "support/playout_positions.h"
}

// ---- move for move ----

template <int N, int R> struct follower {
    using kernel = warp_mogo<N, R, false>;
    std::unique_ptr<kernel> warp = std::make_unique<kernel>();
    std::vector<uint32_t> memory = std::vector<uint32_t>(kernel::MEMORY);

    static std::vector<yo_go_point> reference(const yo_playout_position &position, uint64_t seed,
                                              uint64_t number) {
        static yo_playout playout;
        std::vector<yo_go_point> moves(YO_PLAYOUT_MOVES_MAX);
        yo_playout_start(&playout, &position, seed, number);
        yo_playout_finish(&playout, YO_PLAYOUT_MOGO, yo_go_patterns(), moves.data());
        moves.resize(playout.moves);
        return moves;
    }

    // The move that bit `bit` of slice `slice` made in the last step.
    yo_go_point last_move(int slice, int bit) const {
        for (int row = 0; row < N; row++)
            for (int col = 0; col < N; col++) {
                int lane = slice * kernel::LANES + row / R;
                if (warp->last_row[row % R].v[lane] & warp->last_col[col].v[lane] & 1u << bit)
                    return static_cast<yo_go_point>(row * N + col);
            }
        return YO_GO_PASS;
    }

    void fail(uint64_t game, size_t move, int made, int expected) {
        printf("%dx%d, %d rows a lane, game %llu: move %zu is %d, should be %d\n", N, N, R,
               static_cast<unsigned long long>(game), move, made, expected);
        failures++;
    }

    // So many games, not more than there are places.
    void follow(const yo_playout_position &position, uint64_t seed, uint64_t first,
                uint32_t games) {
        uint8_t stones[N * N];
        yo_cuda_mark_start(&position, stones);
        unsigned long long taken = 0;
        yo_cuda_item item = {seed, first, position.ko, position.to_move, position.last, 0};
        yo_cuda_job job = {};
        job.item = item;
        job.stones = stones;
        job.games = games;
        job.taken = &taken;
        std::vector<std::vector<yo_go_point>> expected;
        for (uint32_t g = 0; g < games; g++)
            expected.push_back(reference(position, seed, first + g));
        std::vector<size_t> made(games);
        warp->init(memory.data());
        warp->refill(job);
        while (ww_any(warp->live)) {
            warp->step();
            for (uint32_t g = 0; g < games; g++) {
                int slice = static_cast<int>(g / 32), bit = static_cast<int>(g % 32);
                if (!(warp->moved.v[slice * kernel::LANES] >> bit & 1)) continue;
                yo_go_point move = last_move(slice, bit);
                size_t i = made[g]++;
                if (i >= expected[g].size()) return fail(first + g, i, move, -1);
                if (move != expected[g][i]) return fail(first + g, i, move, expected[g][i]);
            }
        }
        for (uint32_t g = 0; g < games; g++)
            if (made[g] < expected[g].size())
                return fail(first + g, made[g], -1, expected[g][made[g]]);
    }
};

// Positions from empty to crowded; game numbers run over the end of 32 bits.
template <int N, int R> static void follow(int rounds, uint32_t games) {
    follower<N, R> f;
    uint32_t places = f.warp->PLACES;
    srand(16);
    for (int round = 0; round < rounds; round++) {
        yo_playout_position position;
        random_position(&position, N, round * N * N / 3);
        uint64_t seed = static_cast<uint64_t>(rand()) << 33 ^ static_cast<uint64_t>(rand());
        uint64_t first = round & 1 ? 0xfffffff0u : static_cast<uint64_t>(rand());
        f.follow(position, seed, first, games < places ? games : places);
    }
}

template <int N> static void follow_usual(int rounds, uint32_t games) {
    follow<N, YO_CUDA_ROWS(N)>(rounds, games);
}

// ---- the backend ----

template <int N> static void play(const yo_cuda_job *job) {
    static_assert(mogo_warp<N, true>::MEMORY == YO_CUDA_WARP_WORDS(YO_PLAYOUT_MOGO, N, true),
                  "job.h");
    if constexpr (checked(N))
        play_many<mogo_warp<N, true>>(job);
    else
        abort();
}

static void play_lane_by_lane(yo_playout_policy policy, int size, const yo_cuda_job *job) {
    typedef void (*player)(const yo_cuda_job *);
    static const player many[] = {
        play<2>,  play<3>,  play<4>,  play<5>,  play<6>,  play<7>,  play<8>,  play<9>,  play<10>,
        play<11>, play<12>, play<13>, play<14>, play<15>, play<16>, play<17>, play<18>, play<19>,
    };
    if (policy != YO_PLAYOUT_MOGO || (!job->item_of && size != 3 && size != 9)) abort();
    if (job->item_of)
        many[size - 2](job);
    else if (size == 3)
        play_one<mogo_warp<3, false>, 3>(job);
    else
        play_one<mogo_warp<9, false>, 9>(job);
}

int main() {
    follow_usual<3>(8, 100);
    follow_usual<9>(8, 100);
    follow<9, 1>(4, 50);
    follow_usual<13>(4, 40);
    follow_usual<19>(4, 30);
    start_lane_by_lane(play_lane_by_lane);
    int sizes = 0;
    for (int size = 2; size <= 19; size++)
        if (checked(size)) {
            check_games(YO_PLAYOUT_MOGO, size, size < 10 ? 60 : 20, size < 10 ? 40 : 8);
            sizes++;
        }
    check_sums(YO_PLAYOUT_MOGO, 3, 3); // every kernel more takes seconds to compile
    check_sums(YO_PLAYOUT_MOGO, 9, 9);
    return end_lane_by_lane(sizes * 2 + 2);
}
