/* Start and end of a warp's games: adds up the results of ended games and starts the next games of
 * the launch in their places. A policy (warp_light.cuh, warp_mogo.cuh) makes the moves. */
#pragma once

#include "eval/playout/cuda/warp_draw.cuh"

template <int N, int R, bool MANY> struct warp_games : warp_draw<N, R, MANY> {
    using base = warp_draw<N, R, MANY>;
    using base::first_lane, base::bottom, base::real, base::slice, base::part;
    using base::game_at, base::same_at;
    using base::LANES, base::SLICES, base::ROW_BITS, base::SUM_BITS, base::COUNT_BITS, base::LAST;
    using base::own, base::opp, base::white, base::passed, base::live, base::ended, base::count;
    /* Ended games wait until a warp has so many of them. */
    static constexpr int REFILL = base::PLACES / 8 + 1;
    /* Words of struct yo_cuda_item. */
    enum { SEED_LOW, SEED_HIGH, FIRST_LOW, FIRST_HIGH, KO, TO_MOVE, LAST_MOVE };

    /* The turn ends in the games of `moved`. */
    WW_METHOD void end_turn(word moved, word pass) {
        word carry = moved, limit = moved;
        UNROLL for (int b = 0; b < COUNT_BITS; b++) {
            word bit = count[b] ^ carry;
            carry &= count[b];
            count[b] = bit;
            limit &= base::LIMIT >> b & 1 ? bit : ~bit;
        }
        word over = limit | (pass & passed);
        passed = ww_select(moved, pass, passed);
        white ^= moved;
        live &= ~over;
        ended |= over;
    }

    /* Work that depends on the item is done for all games of one item at once. Returns the places
     * of a slice in `todo` that have the same item as the first one, and that item. Slices work in
     * parallel. */
    WW_METHOD word same_item(const yo_cuda_job &job, word todo, word *item) const {
        *item = word(0);
        if (!MANY) return todo;
        word some = ~ww_equal(todo, word(0));
        word place = (slice * word(32) + ww_first(todo)) & some;
        *item = ww_load(job.item_of, ww_load(game_at, place) & some);
        return ww_load(same_at, place) & todo;
    }

    /* The i-th word of the lanes' items. */
    WW_METHOD static word of_item(const yo_cuda_job &job, word item, int i) {
        if (!MANY) return word(((const uint32_t *)&job.item)[i]);
        return ww_load((const uint32_t *)job.items + i, item * word(YO_CUDA_ITEM_WORDS));
    }

    /* Prepares same_item for those places of slice q that are in `here`: a lane is a place. */
    WW_METHOD void note_items(int q, word item, word here) {
        ww_store(same_at + 32 * q, ww_lane(), ww_match(item, here), here);
    }

    WW_METHOD void note_ended(const yo_cuda_job &job) {
        for (int q = 0; q < SLICES; q++) {
            word here = ww_bit(ww_read(ended, q * LANES));
            note_items(q, ww_load(job.item_of, ww_load(game_at + 32 * q, ww_lane()) & here), here);
        }
        ww_sync();
    }

    /* Area of the games in `now`: adds it to the owners' sums, and counts both sides. */
    WW_METHOD void count_owners(word now, int32_t *ownership, word first_point, word *black_sum,
                                word *white_sum) const {
        word own_up[N], own_down[N], opp_up[N], opp_down[N];
        base::look_at_stones(own_up, own_down, opp_up, opp_down);
        UNROLL for (int j = 0; j < R; j++) {
            word top = j == 0 ? first_lane : word(0), b_row[N], w_row[N];
            UNROLL for (int c = 0; c < N; c++) {
                word mine = (j == 0 ? own_up[c] : own[j - 1][c]) | top;
                word theirs = (j == 0 ? opp_up[c] : opp[j - 1][c]) | top;
                mine &= (j == R - 1 ? own_down[c] : own[j + 1][c]) | (j == LAST ? bottom : word(0));
                theirs &=
                    (j == R - 1 ? opp_down[c] : opp[j + 1][c]) | (j == LAST ? bottom : word(0));
                if (c > 0) mine &= own[j][c - 1], theirs &= opp[j][c - 1];
                if (c < N - 1) mine &= own[j][c + 1], theirs &= opp[j][c + 1];
                mine |= own[j][c];
                theirs |= opp[j][c];
                word where = now & real[j];
                b_row[c] = ww_select(white, theirs, mine) & where;
                w_row[c] = ww_select(white, mine, theirs) & where;
                word point = base::point(j, c);
                if (ownership)
                    ww_add(ownership, first_point + (point & real[j]),
                           ww_popcount(b_row[c]) - ww_popcount(w_row[c]), where);
            }
            word sum[ROW_BITS];
            wn_count_ones<N, ROW_BITS>(b_row, sum);
            wn_add<SUM_BITS, ROW_BITS>(black_sum, sum);
            wn_count_ones<N, ROW_BITS>(w_row, sum);
            wn_add<SUM_BITS, ROW_BITS>(white_sum, sum);
        }
    }

    /* Adds the ended games up; sums are the block's, for launches of one item. */
    WW_METHOD void take_results(const yo_cuda_job &job, uint32_t *sums) {
        word black_sum[SUM_BITS], white_sum[SUM_BITS], item, todo = ended;
        UNROLL for (int b = 0; b < SUM_BITS; b++) black_sum[b] = white_sum[b] = word(0);
        int32_t *ownership = MANY ? job.ownership : (int32_t *)sums + YO_CUDA_OWNERSHIP(N);
        const bool rounds = MANY && ownership;
        if (rounds) note_ended(job);
        do {
            word now = rounds ? same_item(job, todo, &item) : todo;
            if (!rounds) item = word(0);
            count_owners(now, ownership, item * word(N * N), black_sum, white_sum);
            todo &= ~now;
        } while (rounds && ww_any(todo));
        base::template scan<SUM_BITS>(black_sum);
        base::template scan<SUM_BITS>(white_sum);
        for (int q = 0; q < SLICES; q++) {
            const int from = q * LANES + LANES - 1; /* has the whole sums */
            uint32_t games = ww_read(ended, from);
            if (!games) continue;
            word lane = ww_lane(), black = word(0), whites = word(0), moves = word(0);
            UNROLL for (int b = 0; b < SUM_BITS; b++) {
                black |= (word(ww_read(black_sum[b], from)) >> lane & word(1)) << b;
                whites |= (word(ww_read(white_sum[b], from)) >> lane & word(1)) << b;
            }
            UNROLL for (int b = 0; b < COUNT_BITS; b++) moves |=
                (word(ww_read(count[b], from)) >> lane & word(1)) << b;
            word where = ww_bit(games), score = black + word(N * N) - whites;
            if (MANY) {
                word game = ww_load(game_at + 32 * q, lane) & where;
                ww_store(job.scores, game, score | moves << 16, where);
            } else {
                ww_add(sums + YO_CUDA_HISTOGRAM, score & where, word(1), where);
                ww_add((unsigned long long *)sums, word(0), moves, where);
            }
        }
    }

    /* Gives ended games' places new games. */
    WW_METHOD void refill(const yo_cuda_job &job) {
        word given = word(0);
        for (int q = 0; q < SLICES; q++) {
            uint32_t places = ww_read(ended, q * LANES);
            if (!places) continue;
            word lane = ww_lane();
            uint32_t wanted = ww_count(places);
            unsigned long long first = ww_take(job.taken, wanted);
            word rank = ww_popcount(word(places) & ww_lower(lane));
            uint32_t left = first >= job.games           ? 0
                            : job.games - first < wanted ? (uint32_t)(job.games - first)
                                                         : wanted;
            if (!left) continue;
            word here = ww_bit(places) & ww_below(rank, word(left));
            word game = (word((uint32_t)first) + rank) & here, item = word(0);
            if (MANY) {
                item = ww_load(job.item_of, game);
                ww_store(game_at + 32 * q, lane, game, here);
                note_items(q, item, here);
            }
            word first_low = of_item(job, item, FIRST_LOW), number = first_low + game, high, low;
            word number_high = of_item(job, item, FIRST_HIGH) - ww_below(number, first_low);
            base::seed_lanes(of_item(job, item, SEED_HIGH), of_item(job, item, SEED_LOW),
                             number_high, number, &high, &low);
            uint32_t fresh = ww_ballot(here);
            base::store_generators(q, fresh, high, low);
            given |= ww_equal(slice, word((uint32_t)q)) & ~ww_equal(part, word(base::SPARE)) &
                     word(fresh);
        }
        load(job, given);
        ended = word(0);
    }

    WW_METHOD void load(const yo_cuda_job &job, word given) {
        word todo = given, item;
        do {
            word now = same_item(job, todo, &item);
            word ko = of_item(job, item, KO), color = of_item(job, item, TO_MOVE);
            UNROLL for (int j = 0; j < R; j++) UNROLL for (int c = 0; c < N; c++) {
                word point = base::point(j, c), where = now & real[j];
                word stone = ww_load(job.stones, item * word(N * N) + (point & real[j]));
                stone = stone & word(3); /* without marks */
                word mine = ww_equal(stone, color);
                word theirs = ~(mine | ww_equal(stone, word(YO_GO_EMPTY)));
                own[j][c] = ww_select(where, mine, own[j][c]);
                opp[j][c] = ww_select(where, theirs, opp[j][c]);
                base::exclude(j, c, ww_select(where, ww_equal(point, ko), base::excluded(j, c)));
            }
            white = ww_select(now, ww_equal(color, word(YO_GO_WHITE)), white);
            todo &= ~now;
        } while (MANY && ww_any(todo));
        passed &= ~given;
        live |= given;
        UNROLL for (int b = 0; b < COUNT_BITS; b++) count[b] &= ~given;
    }

    /* True if enough games have ended to take their results and refill their places. */
    WW_METHOD bool has_waited() const {
        if (!ww_any(ended)) return false;
        /* Lanes of a slice hold the same; count one of each. */
        uint32_t waiting = 0;
        UNROLL for (int q = 0; q < SLICES; q++) waiting += ww_count(ww_read(ended, q * LANES));
        return waiting >= REFILL || !ww_any(live);
    }
};
