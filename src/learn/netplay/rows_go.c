#include "learn/netplay/rows_go.h"

#include <assert.h>
#include <string.h>

#include "game/go/state.h"
#include "learn/netplay/go.h"

static_assert(sizeof(struct yo_netplay_go_row) == 1344, "train/go/play_data.py knows the size");

/* ---- targets ---- */

static void put_policy(const struct yo_netplay_record *record, const struct yo_netplay_step *step,
                       int size, struct yo_netplay_go_row *row) {
    const struct yo_netplay_target *targets = record->targets + step->target_at;
    uint64_t sum = 0;
    for (size_t i = 0; i < step->target_count; i++)
        sum += targets[i].weight;
    for (size_t i = 0; i < step->target_count; i++)
        row->policy[yo_go_row_point(size, targets[i].move)] =
            (uint16_t)((65535 * (uint64_t)targets[i].weight + sum / 2) / sum);
}

static void put_owners(const struct yo_netplay_record *record, int size, enum yo_go_color own,
                       struct yo_netplay_go_row *row) {
    row->has_owner = record->cells == (size_t)(size * size);
    for (size_t p = 0; row->has_owner && p < record->cells; p++) {
        if (record->owner[p] == YO_GO_EMPTY) continue;
        unsigned at = yo_go_row_point(size, (yo_go_point)p);
        uint8_t *plane = row->owner[record->owner[p] != own];
        plane[at / 8] = (uint8_t)(plane[at / 8] | 1u << at % 8);
    }
}

static void put_outcome(const struct yo_netplay_record *record, enum yo_go_color own,
                        struct yo_go_row *row) {
    bool first = own == YO_GO_BLACK;
    row->result = yo_netplay_rows_result(record, first);
    row->lead2 =
        record->cells ? (int16_t)(first ? record->lead2 : -record->lead2) : YO_GO_ROW_NO_SCORE;
}

/* ---- a game ---- */

static bool targets_fit(const struct yo_netplay_record *record, const struct yo_netplay_step *step,
                        int size) {
    for (size_t i = 0; i < step->target_count; i++) {
        uint16_t move = record->targets[step->target_at + i].move;
        if (move != YO_GO_PASS && move >= size * size) return false;
    }
    return true;
}

static void make_row(const struct yo_netplay_record *record, const struct yo_netplay_step *step,
                     const struct yo_go_game *game, uint32_t number,
                     struct yo_netplay_go_row *row) {
    struct yo_go_position pos;
    struct yo_go_net_input in;
    int size = yo_go_game_size(game);
    memset(row, 0, sizeof *row);
    yo_go_position_from_game(game, &pos);
    yo_go_features_v7(&pos, YO_GO_ROW_INPUTS | 3u << YO_GO_PLANE_LADDER_1, &in);
    yo_go_row_inputs(&pos, &in, &row->row);
    for (int ago = 1; ago <= 2; ago++)
        yo_go_row_plane(size, in.plane[YO_GO_PLANE_LADDER + ago],
                        row->row.plane[YO_GO_ROW_LADDER + ago]);
    row->row.move = yo_go_row_point(size, step->move);
    row->row.game = number;
    row->win = step->win;
    put_outcome(record, game->to_move, &row->row);
    put_policy(record, step, size, row);
    put_owners(record, size, game->to_move, row);
}

static size_t make(const struct yo_netplay_record *record, uint32_t number, void *to) {
    struct yo_netplay_go_row *rows = to;
    struct yo_diag diag;
    void *made;
    size_t count = 0;
    if (yo_netplay_rows_count(record) == 0 ||
        yo_netplay_go.create(record->setup, record->setup_size, &made, &diag) != YO_OK)
        return 0;
    struct yo_go_game *game = made;
    for (size_t i = 0; i < record->step_count; i++) {
        const struct yo_netplay_step *step = &record->steps[i];
        if (!yo_go_game_legal(game, game->to_move, step->move)) break;
        if (step->kind == YO_NETPLAY_FULL && targets_fit(record, step, yo_go_game_size(game)))
            make_row(record, step, game, number, &rows[count++]);
        if (yo_netplay_go.play(game, step->move, &diag) != YO_OK) break;
    }
    yo_go_game_delete(game);
    return count;
}

const struct yo_netplay_rows yo_netplay_go_rows = {
    .magic = "YOMIROW2", .row_size = sizeof(struct yo_netplay_go_row), .make = make};
