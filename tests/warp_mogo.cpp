// MoGo's policy on the GPU, run on the host lane by lane (src/eval/playout/cuda/warp_word.cuh): the
// same games as the scalar reference, move for move, for every board size, from empty and from
// played positions; and the same sums when places are given new games.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "eval/playout/cuda/warp_mogo.cuh"

extern "C" {
#include "eval/playout/mogo.h"
}

static int failures;

// Random moves from the empty board, passes among them.
static yo_playout_position random_position(int size, int moves) {
    yo_go_board board;
    yo_playout_position position;
    memset(&position, 0, sizeof position);
    yo_go_board_init(&board, size);
    yo_go_color color = YO_GO_BLACK;
    position.last = YO_GO_NONE;
    for (int i = 0; i < moves; i++) {
        yo_go_point p = static_cast<yo_go_point>(rand() % (size * size));
        if (rand() % 16 == 0) p = YO_GO_PASS;
        if (p != YO_GO_PASS && !yo_go_board_is_legal(&board, color, p)) continue;
        yo_go_board_play(&board, color, p);
        position.last = p;
        color = yo_go_other(color);
    }
    memcpy(position.stones, board.color, static_cast<size_t>(size * size));
    position.size = static_cast<uint8_t>(size);
    position.to_move = static_cast<uint8_t>(color);
    position.ko = board.ko;
    return position;
}

// A position as the kernel wants it, with games of it.
struct start {
    std::vector<uint8_t> own, opp, marks;
    unsigned long long counter = 0;
    ws_job job;
    wm_start mogo;

    start(const yo_playout_position &position, uint64_t seed, uint64_t first, uint32_t games) {
        size_t points = static_cast<size_t>(position.size * position.size);
        auto playout = std::make_unique<yo_playout>();
        yo_playout_start(playout.get(), &position, seed, first);
        marks.resize(points);
        yo_playout_mark_mogo(playout.get(), marks.data());
        for (size_t p = 0; p < points; p++) {
            own.push_back(position.stones[p] == position.to_move);
            opp.push_back(position.stones[p] != 0 && !own[p]);
        }
        job = {own.data(), opp.data(), position.ko, position.to_move == YO_GO_WHITE,
               seed,       first,      games,       &counter};
        mogo = {marks.data(), position.last};
    }
};

template <int N, int R> struct tester {
    using kernel = warp_mogo<N, R>;
    std::unique_ptr<kernel> warp = std::make_unique<kernel>();
    std::vector<uint32_t> memory = std::vector<uint32_t>(kernel::MEMORY);

    static std::vector<yo_go_point> reference(const yo_playout_position &position, uint64_t seed,
                                              uint64_t number, yo_playout *playout) {
        std::vector<yo_go_point> moves(YO_PLAYOUT_MOVES_MAX);
        yo_playout_start(playout, &position, seed, number);
        yo_playout_finish(playout, YO_PLAYOUT_MOGO, moves.data());
        moves.resize(playout->moves);
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

    // As many games as there are places, each followed move by move.
    void follow(const yo_playout_position &position, uint64_t seed, uint64_t first,
                uint32_t games) {
        start s(position, seed, first, games);
        auto playout = std::make_unique<yo_playout>();
        std::vector<std::vector<yo_go_point>> expected;
        for (uint32_t g = 0; g < games; g++)
            expected.push_back(reference(position, seed, first + g, playout.get()));
        std::vector<size_t> made(games);
        warp->init(memory.data());
        warp->refill(s.job, s.mogo);
        while (ww_any(warp->live)) {
            warp->step();
            for (uint32_t g = 0; g < games; g++) {
                int slice = static_cast<int>(g / 32), bit = static_cast<int>(g % 32);
                if (!(warp->moved.v[slice * kernel::LANES] >> bit & 1)) continue;
                yo_go_point move = last_move(slice, bit);
                size_t i = made[g]++;
                if (i < expected[g].size() && expected[g][i] == move) continue;
                printf("%dx%d, %d rows a lane, seed %llu, game %llu: move %zu is %u, not %d\n", N,
                       N, R, static_cast<unsigned long long>(seed),
                       static_cast<unsigned long long>(first + g), i, move,
                       i < expected[g].size() ? expected[g][i] : -1);
                failures++;
                return;
            }
        }
        for (uint32_t g = 0; g < games; g++)
            if (made[g] != expected[g].size()) {
                printf("%dx%d, %d rows a lane, game %u: %zu moves, not %zu\n", N, N, R, g, made[g],
                       expected[g].size());
                failures++;
                return;
            }
    }

    // More games than places: sums.
    void add_up(const yo_playout_position &position, uint64_t seed, uint64_t first,
                uint32_t games) {
        start s(position, seed, first, games);
        std::vector<uint32_t> histogram(2 * N * N + 1), by_warp(2 * N * N + 1);
        std::vector<int> ownership(N * N), owned_by_warp(N * N);
        unsigned long long moves = 0;
        yo_playout_result result = {};
        result.histogram = histogram.data();
        result.ownership = ownership.data();
        auto playout = std::make_unique<yo_playout>();
        for (uint32_t g = 0; g < games; g++) {
            uint8_t owner[N * N];
            reference(position, seed, first + g, playout.get());
            yo_playout_owner(&playout->board, owner);
            yo_playout_result_add(&result, N, owner, playout->moves);
        }
        ws_result sums = {by_warp.data(), owned_by_warp.data(), &moves};
        warp->run(s.job, s.mogo, sums, memory.data());
        bool same = histogram == by_warp && ownership == owned_by_warp && moves == result.moves;
        if (!same) printf("%dx%d, %d rows a lane: sums differ\n", N, N, R);
        failures += !same;
    }

    // Positions from empty to crowded; game numbers run over the end of 32 bits.
    void check(int rounds, uint32_t games) {
        constexpr uint32_t places = 32 * kernel::SLICES;
        for (int round = 0; round < rounds; round++) {
            yo_playout_position position = random_position(N, round * N * N / 3);
            uint64_t seed = static_cast<uint64_t>(rand()) << 33 ^ static_cast<uint64_t>(rand());
            uint64_t first = round & 1 ? 0xfffffff0u : static_cast<uint64_t>(rand());
            follow(position, seed, first, games < places ? games : places);
        }
        add_up(random_position(N, N * N / 2), 5, 77, places + games);
    }
};

template <int N, int R> static void check(int rounds, uint32_t games) {
    tester<N, R>().check(rounds, games);
}

int main() {
    srand(16);
    check<2, 2>(8, 100);
    check<3, 3>(8, 100);
    check<4, 3>(8, 100);
    check<5, 3>(6, 100);
    check<6, 3>(6, 50);
    check<7, 3>(6, 50);
    check<8, 3>(6, 50);
    check<9, 3>(8, 100);
    check<9, 2>(4, 50);
    check<10, 2>(4, 20);
    check<11, 2>(4, 20);
    check<12, 2>(4, 20);
    check<13, 2>(4, 40);
    check<14, 2>(4, 20);
    check<15, 2>(4, 20);
    check<16, 2>(4, 20);
    check<17, 2>(4, 20);
    check<18, 2>(4, 20);
    check<19, 2>(4, 40);
    return failures != 0;
}
