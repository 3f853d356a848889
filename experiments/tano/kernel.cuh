/* The playout kernel of Tano's thesis ("Speeding Up Game Search with Graphic Engines", Tokyo 2010),
 * chapter 4, and its own improvement (Fig. 6.1). Numbers in brackets are its equations. An exhibit:
 * it shows the method as it was; src/eval/playout/cuda/ has the fast kernel.
 *
 * K boards lie side by side in three sets of 11 row integers, with a sentinel column between them:
 * K = 1 is the kernel that the thesis measured, K = 3 (31 of 32 bits used) its improvement. */
#pragma once

#include "group.cuh"

/* What a game has beside its board. Its own thread, that of row k + 1, looks after it. */
struct tano_game {
    uint32_t random;
    uint8_t row, column; /* the stone of this turn; row 0: none */
    uint8_t tries, steps;
    uint8_t passes;
    bool over, spreading, changed;
    uint16_t moves;
};

template <int K> struct tano_set {
    enum { BOARDS = K };
    /* A bit a point: empty e, black b, alive l.  Empty point: e=1 b=0.  Black stone: e=0 b=1.
     * White stone: e=0 b=0.  Sentinel: e=1 b=1. */
    uint32_t e[TANO_ROWS], b[TANO_ROWS], l[TANO_ROWS];
    tano_game game[K];
};

/* The nine columns of board k. */
TANO_DEVICE uint32_t tano_columns(int k) { return 0x1ffu << (10 * k + 1); }

template <int K> TANO_DEVICE void tano_clear(tano_set<K> &s, int row) {
    uint32_t inside = 0;
    for (int k = 0; k < K; k++)
        inside |= tano_columns(k);
    s.e[row] = ~0u;
    s.b[row] = ~inside;
    /* The sentinel rows, by their neighbours. */
    if (row == 1) s.e[0] = s.b[0] = ~0u, s.l[0] = 0;
    if (row == TANO_SIDE) s.e[TANO_ROWS - 1] = s.b[TANO_ROWS - 1] = ~0u, s.l[TANO_ROWS - 1] = 0;
}

/* (4.2)-(4.5) ask of a point's neighbours whether they are empty. */
template <int K> TANO_DEVICE uint32_t tano_empty(const tano_set<K> &s, int row) {
    return s.e[row] & ~s.b[row];
}

/* (4.1): the stones that may be taken, those of colour c2 (all ones: black). Only on boards where a
 * stone was played: with several boards in one integer the others must not change. */
template <int K> TANO_DEVICE uint32_t tano_opponent(const tano_set<K> &s, int row, uint32_t c2) {
    uint32_t played = 0;
    for (int k = 0; k < K; k++)
        played |= s.game[k].row ? tano_columns(k) : 0;
    return ~(c2 ^ s.b[row]) & ~s.e[row] & played;
}

/* Section 4.5: draw a cell; if it is not legal draw again, at most `tries` times. An empty point is
 * legal: there is no test for suicide. Says whether it must draw once more. */
template <int K> TANO_DEVICE bool tano_seek(tano_set<K> &s, int k, int tries) {
    tano_game &game = s.game[k];
    if (game.over || game.row || game.tries == tries) return false;
    const uint32_t cell = tano_draw(&game.random), row = cell / TANO_ROWS;
    const uint32_t column = cell % TANO_ROWS + 10 * k;
    game.tries++;
    if (tano_empty(s, row) >> column & 1) {
        game.row = (uint8_t)row;
        game.column = (uint8_t)column;
        return false;
    }
    return game.tries < tries;
}

template <int K> TANO_DEVICE void tano_put(tano_set<K> &s, int row, uint32_t c1) {
    for (int k = 0; k < K; k++) {
        if (s.game[k].row != row) continue;
        const uint32_t stone = 1u << s.game[k].column;
        s.e[row] &= ~stone;
        s.b[row] = (s.b[row] & ~stone) | (c1 & stone);
    }
}

/* (4.6): alive is a stone beside an empty point. */
template <int K> TANO_DEVICE void tano_first(tano_set<K> &s, int row, uint32_t c2) {
    const uint32_t here = tano_empty(s, row);
    s.l[row] = tano_opponent(s, row, c2) &
               (here >> 1 | tano_empty(s, row + 1) | here << 1 | tano_empty(s, row - 1));
}

/* (4.7): and a stone beside one that is alive. */
template <int K> TANO_DEVICE uint32_t tano_spread(const tano_set<K> &s, int row, uint32_t c2) {
    return tano_opponent(s, row, c2) &
           (s.l[row] | s.l[row] >> 1 | s.l[row + 1] | s.l[row] << 1 | s.l[row - 1]);
}

/* (4.8)-(4.10): the others become empty. */
template <int K> TANO_DEVICE void tano_remove(tano_set<K> &s, int row, uint32_t c2) {
    const uint32_t e1 = (~s.l[row] & tano_opponent(s, row, c2)) | (s.e[row] & ~s.b[row]);
    s.e[row] = e1 | s.e[row];
    s.b[row] = ~e1 & s.b[row];
}

/* For the figures: how often (4.7) was applied until this board no longer changed, whatever the
 * others of the group still did. */
template <int K>
TANO_DEVICE void tano_note_change(tano_set<K> &s, uint32_t before, uint32_t after) {
    for (int k = 0; k < K; k++)
        if ((before ^ after) & tano_columns(k)) s.game[k].changed = true;
}
TANO_DEVICE void tano_count_step(tano_game &game) {
    game.steps += game.spreading;
    game.spreading &= game.changed;
    game.changed = false;
}

/* Two passes end a game. Says whether it goes on. */
TANO_DEVICE bool tano_end_turn(tano_game &game, int k, tano_move *moves) {
    if (game.over) return false;
    const uint32_t cell = game.row ? game.row * TANO_ROWS + game.column - 10 * k : TANO_PASS;
    if (moves) moves[game.moves] = {(uint8_t)cell, game.tries, game.steps};
    game.passes = game.row ? 0 : game.passes + 1;
    game.moves++;
    game.over = game.passes == 2 || game.moves == TANO_MOVES_MAX;
    game.row = game.tries = game.steps = 0;
    return !game.over;
}

TANO_DEVICE int tano_popcount(uint32_t x) {
#ifdef __CUDACC__
    return __popc(x);
#else
    return __builtin_popcount(x);
#endif
}

template <int K> TANO_DEVICE int tano_score(const tano_set<K> &s, int k) {
    int score = 0;
    for (int row = 1; row <= TANO_SIDE; row++) {
        uint32_t near[2] = {0, 0}, stones[2] = {0, 0};
        for (int r = row - 1; r <= row + 1; r++) {
            stones[0] = s.b[r] & ~s.e[r];
            stones[1] = ~s.b[r] & ~s.e[r];
            for (int i = 0; i < 2; i++)
                near[i] |= r == row ? stones[i] << 1 | stones[i] >> 1 : stones[i];
        }
        const uint32_t empty = tano_empty(s, row), here = ~s.e[row];
        const uint32_t black = (here & s.b[row]) | (empty & near[0]);
        const uint32_t white = (here & ~s.b[row]) | (empty & near[1]);
        score += tano_popcount(black & tano_columns(k)) - tano_popcount(white & tano_columns(k));
    }
    return score;
}

/* One playout on each board of a group, all in step (Fig. 4.2). Board k of set i plays game number
 * first + i K + k; `results`, and `moves` if every move is to be kept, begin with game `first`. */
template <bool KEEP, class Group>
TANO_DEVICE void tano_playouts(const Group &group, uint32_t first, int tries, tano_result *results,
                               tano_move *moves) {
    auto *sets = group.sets;
    constexpr int K = sizeof sets->game / sizeof sets->game[0];
    auto moves_of = [&](int i, int k) {
        return KEEP ? moves + (size_t)(i * K + k) * TANO_MOVES_MAX : nullptr;
    };
    group.each([&](int i, int row) {
        tano_clear(sets[i], row);
        if (row > K) return;
        sets[i].game[row - 1] = tano_game();
        sets[i].game[row - 1].random = tano_seed(first + i * K + row - 1);
    });
    uint32_t c1 = ~0u; /* black begins; all boards of all sets have the same side to move */
    bool playing;
    do {
        const uint32_t c2 = ~c1;
        while (group.any(
            [&](int i, int row) { return row <= K && tano_seek(sets[i], row - 1, tries); }))
            continue;
        group.each([&](int i, int row) {
            tano_put(sets[i], row, c1);
            if (KEEP && row <= K) sets[i].game[row - 1].spreading = sets[i].game[row - 1].row != 0;
        });
        group.each([&](int i, int row) { tano_first(sets[i], row, c2); });
        bool changing;
        do {
            changing = group.update([&](int i, int row) { return tano_spread(sets[i], row, c2); },
                                    [&](int i, int row, uint32_t next) {
                                        const uint32_t before = sets[i].l[row];
                                        sets[i].l[row] = next;
                                        if (KEEP) tano_note_change(sets[i], before, next);
                                        return before != next;
                                    });
            if (KEEP)
                group.each([&](int i, int row) {
                    if (row <= K) tano_count_step(sets[i].game[row - 1]);
                });
        } while (changing);
        group.each([&](int i, int row) { tano_remove(sets[i], row, c2); });
        playing = group.any([&](int i, int row) {
            return row <= K && tano_end_turn(sets[i].game[row - 1], row - 1, moves_of(i, row - 1));
        });
        c1 = c2;
    } while (playing);
    group.each([&](int i, int row) {
        if (row > K) return;
        results[i * K + row - 1] = {(int16_t)tano_score(sets[i], row - 1),
                                    sets[i].game[row - 1].moves};
    });
}
