#include "learn/netplay/rows_shogi.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "game/shogi/game_ops.h"
#include "game/shogi/movegen.h"
#include "learn/netplay/shogi.h"
#include "yomi/shogi.h"

static_assert(sizeof(struct yo_netplay_shogi_row) == 1504 &&
                  offsetof(struct yo_netplay_shogi_row, label) == 1312,
              "train/shogi/policy/play_data.py knows the places");

static int heavier(const void *a, const void *b) {
    const struct yo_netplay_target *x = a, *y = b;
    return x->weight != y->weight ? (x->weight > y->weight ? -1 : 1)
                                  : (x->move > y->move) - (x->move < y->move);
}

/* Moves that get less than half of 1/65535 are left out, as are illegal ones. */
static void put_policy(const struct yo_shogi_position *pos, const struct yo_netplay_target *targets,
                       size_t count, struct yo_netplay_shogi_row *row) {
    struct yo_netplay_target best[YO_SHOGI_LIST];
    size_t kept = 0;
    uint64_t sum = 0;
    for (size_t i = 0; i < count && kept < YO_SHOGI_LIST; i++)
        if (yo_shogi_move_is_sound(pos, targets[i].move)) best[kept++] = targets[i];
    qsort(best, kept, sizeof *best, heavier);
    if (kept > YO_NETPLAY_SHOGI_TARGETS) kept = YO_NETPLAY_SHOGI_TARGETS;
    for (size_t i = 0; i < kept; i++)
        sum += best[i].weight;
    for (size_t i = 0; i < kept; i++) {
        row->label[i] = (uint16_t)yo_shogi_policy_index(pos, best[i].move);
        row->weight[i] = (uint16_t)((65535 * (uint64_t)best[i].weight + sum / 2) / sum);
    }
}

static size_t make(const struct yo_netplay_record *record, uint32_t number, void *to) {
    struct yo_netplay_shogi_row *rows = to;
    struct yo_shogi_state state;
    struct yo_diag diag;
    void *game;
    size_t count = 0;
    (void)number;
    if (yo_netplay_rows_count(record) == 0 ||
        yo_netplay_shogi.create(record->setup, record->setup_size, &game, &diag) != YO_OK)
        return 0;
    for (size_t i = 0; i < record->step_count; i++) {
        const struct yo_netplay_step *step = &record->steps[i];
        if (!yo_shogi_game_legal(game, step->move)) break;
        if (step->kind != YO_NETPLAY_OPENING) {
            struct yo_netplay_shogi_row *row = &rows[count++];
            memset(row, 0, sizeof *row);
            yo_shogi_state_from_game(game, &state);
            yo_shogi_row_planes(&state.position, YO_SHOGI_NET_DLSHOGI, row->planes);
            row->result =
                yo_netplay_rows_result(record, yo_shogi_game_to_move(game) == YO_SHOGI_BLACK);
            row->win = step->win;
            put_policy(&state.position, record->targets + step->target_at, step->target_count, row);
        }
        if (yo_netplay_shogi.play(game, step->move, &diag) != YO_OK) break;
    }
    yo_netplay_shogi.destroy(game);
    return count;
}

const struct yo_netplay_rows yo_netplay_shogi_rows = {.magic = "YOMIROW3",
                                                      .row_size =
                                                          sizeof(struct yo_netplay_shogi_row),
                                                      .fast = true,
                                                      .make = make};
