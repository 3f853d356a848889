/* The state of MoGo's policy from move to move, in addition to the light policy's: which strings
 * are in atari, where threatened ones can be saved, what is put aside, the last move. */
#pragma once

#include "eval/playout/cuda/start.h"
#include "eval/playout/cuda/warp_games.cuh"

template <int N, int R, bool MANY> struct warp_marks : warp_games<N, R, MANY> {
    using base = warp_games<N, R, MANY>;
    using base::live, base::part, base::real, base::LANES, base::EXCL_WORDS;

    /* Planes in memory, behind all that the light policy has there. */
    enum {
        ATARI, /* stones of strings in atari */
        SAVE,  /* the first set: where threatened strings can be saved */
        ASIDE, /* points removed from the sets for this turn */
        PLANES
    };
    static constexpr int MEMORY = base::MEMORY + PLANES * EXCL_WORDS;

    word last_row[R], last_col[N]; /* the last move; all lanes of the slice have the columns */
    word moved;                    /* the games whose turn ended in the last step */
    uint32_t *planes;

    WW_METHOD word get(int what, int j, int c) const {
        return ww_load(planes + what * EXCL_WORDS, ww_lane() + word((uint32_t)(32 * (j * N + c))));
    }
    WW_METHOD void put(int what, int j, int c, word value) {
        ww_store(planes + what * EXCL_WORDS, ww_lane() + word((uint32_t)(32 * (j * N + c))), value,
                 word(~0u));
    }

    /* ---- reductions over the lanes of a slice ---- */

    /* ORs each of the words over the lanes of the slice. */
    template <int COUNT> WW_METHOD void join(word *x) const {
        UNROLL for (int by = 1; by < LANES; by *= 2) {
            word ok = ~ww_below(part, word((uint32_t)by));
            UNROLL for (int i = 0; i < COUNT; i++) x[i] |= ww_up(x[i], by) & ok;
        }
        UNROLL for (int i = 0; i < COUNT; i++) x[i] = ww_from(x[i], base::last_of_slice());
    }
    /* Adds up numbers that count to two: x[0] is "one or more", x[1] "two or more". */
    WW_METHOD void join_counts(word *x) const {
        UNROLL for (int by = 1; by < LANES; by *= 2) {
            word ok = ~ww_below(part, word((uint32_t)by));
            word one = ww_up(x[0], by) & ok, two = ww_up(x[1], by) & ok;
            x[1] |= two | (x[0] & one);
            x[0] |= one;
        }
        UNROLL for (int i = 0; i < 2; i++) x[i] = ww_from(x[i], base::last_of_slice());
    }

    /* ---- beginnings ---- */
    WW_METHOD void init(uint32_t *memory) {
        base::init(memory);
        planes = memory + base::MEMORY;
        moved = word(0);
        UNROLL for (int j = 0; j < R; j++) last_row[j] = word(0);
        UNROLL for (int c = 0; c < N; c++) last_col[c] = word(0);
        UNROLL for (int j = 0; j < R; j++) UNROLL for (int c = 0; c < N; c++)
            UNROLL for (int what = 0; what < PLANES; what++) put(what, j, c, word(0));
    }

    /* Loads MoGo's part of the start position, in the games of `now`. */
    WW_METHOD void load_marks(const yo_cuda_job &job, word now, word item) {
        word last = base::of_item(job, item, base::LAST_MOVE), col[N];
        UNROLL for (int c = 0; c < N; c++) col[c] = word(0);
        UNROLL for (int j = 0; j < R; j++) {
            word here = word(0);
            UNROLL for (int c = 0; c < N; c++) {
                word point = base::point(j, c);
                word where = now & real[j], it = ww_equal(point, last) & real[j];
                word stone = ww_load(job.stones, item * word(N * N) + (point & real[j]));
                word atari = ww_equal(stone & word(YO_CUDA_ATARI), word(YO_CUDA_ATARI));
                word points = ww_equal(stone & word(YO_CUDA_SAVE), word(YO_CUDA_SAVE));
                put(ATARI, j, c, ww_select(where, atari, get(ATARI, j, c)));
                put(SAVE, j, c, ww_select(where, points, get(SAVE, j, c)));
                put(ASIDE, j, c, get(ASIDE, j, c) & ~now);
                here |= it;
                col[c] |= it;
            }
            last_row[j] = ww_select(now, here, last_row[j]);
        }
        join<N>(col);
        UNROLL for (int c = 0; c < N; c++) last_col[c] = ww_select(now, col[c], last_col[c]);
    }

    WW_METHOD void refill(const yo_cuda_job &job) {
        word before = live, item;
        base::refill(job);
        word todo = live & ~before;
        do {
            word now = base::same_item(job, todo, &item);
            load_marks(job, now, item);
            todo &= ~now;
        } while (MANY && ww_any(todo));
    }
};
