#include "learn/netplay/shogi.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "game/shogi/game_ops.h"
#include "game/shogi/packed.h"
#include "game/shogi/text.h"
#include "search/mate/dfpn.h"
#include "yomi/shogi.h"

enum { SIZE = 9, LENGTH_MAX = 512 };

/* The setup's first byte: the initial position, or a packed one that follows. */
enum { INITIAL, PACKED };

static size_t draw(const void *settings, int size, uint64_t *random, uint8_t *setup) {
    (void)settings, (void)size, (void)random;
    setup[0] = INITIAL;
    return 1;
}

size_t yo_netplay_shogi_setup(const uint8_t packed[YO_SHOGI_PACKED],
                              uint8_t setup[YO_NETPLAY_SETUP_MAX]) {
    setup[0] = PACKED;
    memcpy(setup + 1, packed, YO_SHOGI_PACKED);
    return 1 + YO_SHOGI_PACKED;
}

static int size_of(const uint8_t *setup, size_t len) {
    bool initial = len == 1 && setup[0] == INITIAL;
    bool packed = len == 1 + YO_SHOGI_PACKED && setup[0] == PACKED;
    return initial || packed ? SIZE : 0;
}

static size_t moves_max(int size) {
    (void)size;
    return yo_shogi_ops.max_moves;
}

static enum yo_err create(const uint8_t *setup, size_t len, void **game, struct yo_diag *diag) {
    struct yo_shogi_game *made;
    struct yo_shogi_position pos;
    char sfen[YO_SHOGI_SFEN_MAX];
    if (!size_of(setup, len))
        return yo_diag_set(diag, YO_ERR_PARSE, "the setup of a shogi game is damaged");
    bool packed = setup[0] == PACKED;
    enum yo_err err = packed ? yo_shogi_unpack(setup + 1, &pos, diag) : YO_OK;
    if (!err)
        err = yo_shogi_game_new(packed ? yo_shogi_sfen_format(&pos, sfen) : NULL, &made, diag);
    if (!err) *game = made;
    return err;
}

static void destroy(void *game) { yo_shogi_game_delete(game); }

static enum yo_err play(void *game, yo_move move, struct yo_diag *diag) {
    return yo_shogi_game_play(game, (yo_shogi_move)move, diag);
}

static enum yo_netplay_end ended(const void *position) {
    return yo_shogi_state_outcome(position) == YO_OUTCOME_NONE ? YO_NETPLAY_UNFINISHED
                                                               : YO_NETPLAY_OVER;
}

static void result(const void *position, struct yo_netplay_result *out) {
    *out = (struct yo_netplay_result){.outcome = yo_shogi_state_outcome(position)};
}

static int by_number(const void *a, const void *b) {
    yo_move x = *(const yo_move *)a, y = *(const yo_move *)b;
    return x < y ? -1 : x > y;
}

static size_t root_moves(const void *position, yo_move *moves) {
    size_t count = yo_shogi_ops.moves(position, moves);
    qsort(moves, count, sizeof *moves, by_number);
    return count;
}

static void finish(const void *position, struct yo_eval_value *value) {
    enum yo_outcome outcome = yo_shogi_state_outcome(position);
    enum yo_outcome won =
        yo_shogi_ops.side_to_move(position) ? YO_OUTCOME_SECOND : YO_OUTCOME_FIRST;
    *value = (struct yo_eval_value){.win = outcome == won, .draw = outcome == YO_OUTCOME_DRAW};
}

static size_t cells(const void *position) {
    (void)position;
    return (size_t)SIZE * SIZE;
}

static int length_max(const void *position) {
    (void)position;
    return LENGTH_MAX;
}

/* ---- mates ---- */

static void *solver_new(void) {
    struct yo_dfpn *solver;
    return yo_dfpn_new(0, &solver) ? NULL : solver; /* the smallest table: it stays in the cache */
}

static void solver_delete(void *solver) { yo_dfpn_delete(solver); }

static bool wins(void *solver, const void *position, unsigned nodes) {
    const struct yo_shogi_state *state = position;
    struct yo_dfpn_answer answer;
    return yo_dfpn_mates(solver, &state->position, nodes, NULL, &answer);
}

const struct yo_netplay_rules yo_netplay_shogi = {
    .id = YO_NETPLAY_SHOGI,
    .game = &yo_shogi_ops,
    .draw = draw,
    .create = create,
    .destroy = destroy,
    .size = size_of,
    .moves_max = moves_max,
    .play = play,
    .ended = ended,
    .result = result,
    .root_moves = root_moves,
    .finish = finish,
    .cells = cells,
    .length_max = length_max,
    .opening = 0.06,
    .solver_new = solver_new,
    .solver_delete = solver_delete,
    .wins = wins,
};

enum yo_err yo_netplay_usi(const struct yo_netplay_record *record, struct yo_buf *out,
                           struct yo_diag *diag) {
    void *game;
    char text[16], sfen[YO_SHOGI_SFEN_MAX];
    if (record->game != YO_NETPLAY_SHOGI)
        return yo_diag_set(diag, YO_ERR_UNSUPPORTED, "the record is not of a game of shogi");
    enum yo_err err = create(record->setup, record->setup_size, &game, diag);
    if (err) return err;
    if (record->setup[0] == INITIAL)
        yo_buf_str(out, "startpos moves");
    else
        yo_buf_printf(out, "sfen %s moves", yo_shogi_game_sfen(game, sfen));
    for (size_t i = 0; i < record->step_count && !err; i++) {
        yo_buf_printf(out, " %s", yo_shogi_move_format(record->steps[i].move, text));
        err = play(game, record->steps[i].move, diag);
    }
    yo_buf_char(out, '\n');
    destroy(game);
    return err ? err : yo_buf_status(out);
}
