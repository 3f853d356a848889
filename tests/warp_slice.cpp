// The GPU kernel's source run on the host, lane by lane (src/eval/playout/cuda/warp_word.cuh): the
// same sums as the scalar reference, for every board size, from empty and from played positions.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "eval/playout/cuda/warp_slice.cuh"

extern "C" {
#include "eval/playout/scalar.h"
}

static int failures;

struct sums {
    std::vector<uint32_t> histogram;
    std::vector<int32_t> ownership;
    unsigned long long moves = 0;
    explicit sums(int size) : histogram(2 * size * size + 1), ownership(size * size) {}
};

struct one_piece {
    yo_playout_piece piece;
    bool given;
};

static bool next_piece(void *ctx, yo_playout_piece *piece) {
    one_piece *source = static_cast<one_piece *>(ctx);
    if (source->given) return false;
    source->given = true;
    *piece = source->piece;
    return true;
}

static sums by_reference(const yo_playout_position &position, uint64_t seed, uint64_t first,
                         uint32_t games) {
    sums out(position.size);
    yo_playout_result result = {};
    result.histogram = out.histogram.data();
    result.ownership = out.ownership.data();
    one_piece source = {{&position, seed, first, games, &result, nullptr}, false};
    yo_playout_source pieces = {next_piece, &source};
    void *scratch = calloc(1, yo_playout_scalar.scratch_size(position.size));
    yo_playout_scalar.run(YO_PLAYOUT_LIGHT, position.size, &pieces, scratch);
    free(scratch);
    out.moves = result.moves;
    return out;
}

template <int N, int R>
static sums by_warp(const yo_playout_position &position, uint64_t seed, uint64_t first,
                    uint32_t games) {
    sums out(N);
    uint8_t own[N * N], opp[N * N];
    for (int p = 0; p < N * N; p++) {
        own[p] = position.stones[p] == position.to_move;
        opp[p] = position.stones[p] != 0 && !own[p];
    }
    unsigned long long counter = 0;
    ws_job job = {own,  opp,   position.ko, position.to_move == YO_GO_WHITE,
                  seed, first, games,       &counter};
    ws_result result = {out.histogram.data(), out.ownership.data(), &out.moves};
    std::vector<uint32_t> memory(warp_slice<N, R>::MEMORY);
    static warp_slice<N, R> warp;
    warp.run(job, result, memory.data());
    return out;
}

// Random legal moves from the empty board.
static yo_playout_position random_position(int size, int moves) {
    yo_go_board board;
    yo_go_board_init(&board, size);
    yo_go_color color = YO_GO_BLACK;
    for (int i = 0; i < moves; i++) {
        yo_go_point p = static_cast<yo_go_point>(rand() % (size * size));
        if (!yo_go_board_is_legal(&board, color, p)) continue;
        yo_go_board_play(&board, color, p);
        color = yo_go_other(color);
    }
    yo_playout_position position;
    memset(&position, 0, sizeof position);
    memcpy(position.stones, board.color, static_cast<size_t>(size * size));
    position.size = static_cast<uint8_t>(size);
    position.to_move = static_cast<uint8_t>(color);
    position.ko = board.ko;
    position.last = YO_GO_NONE;
    return position;
}

template <int N, int R> static void check(uint32_t games) {
    for (int round = 0; round < 4; round++) {
        yo_playout_position position = random_position(N, round * N * N / 2);
        uint64_t seed = static_cast<uint64_t>(rand()) << 33;
        uint64_t first = round == 3 ? 0xfffffff0u : static_cast<uint64_t>(rand());
        sums a = by_reference(position, seed, first, games);
        sums b = by_warp<N, R>(position, seed, first, games);
        bool same = a.histogram == b.histogram && a.ownership == b.ownership && a.moves == b.moves;
        if (!same) printf("%dx%d, %d rows a lane, round %d: results differ\n", N, N, R, round);
        failures += !same;
    }
}

int main() {
    srand(15);
    check<2, 2>(200);
    check<3, 3>(200);
    check<4, 3>(200);
    check<5, 3>(200);
    check<6, 3>(200);
    check<7, 3>(200);
    check<8, 3>(200);
    check<9, 3>(400);
    check<9, 2>(200);
    check<9, 1>(100);
    check<10, 2>(100);
    check<11, 2>(100);
    check<12, 2>(100);
    check<13, 2>(100);
    check<14, 2>(60);
    check<15, 2>(60);
    check<16, 2>(60);
    check<17, 2>(60);
    check<18, 2>(60);
    check<19, 2>(60);
    check<19, 1>(40);
    return failures != 0;
}
