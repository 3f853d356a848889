#include "learn/netplay/samples.h"

#include <inttypes.h>
#include <math.h>

#include "base/diag.h"
#include "eval/eval.h"
#include "game/shogi/game_ops.h"
#include "game/shogi/movegen.h"
#include "game/shogi/packed.h"
#include "learn/netplay/rows.h"
#include "learn/netplay/shogi.h"
#include "yomi/shogi.h"

enum { RESULT_UNKNOWN = 2 };

/* The search's own choice: the heaviest target where there are some; the move that was played may
 * have been drawn. */
static yo_shogi_move best_of(const struct yo_netplay_record *record,
                             const struct yo_netplay_step *step,
                             const struct yo_shogi_position *pos) {
    const struct yo_netplay_target *targets = record->targets + step->target_at;
    struct yo_netplay_target best = {.move = step->move};
    for (size_t i = 0; i < step->target_count; i++)
        if (targets[i].weight > best.weight && yo_shogi_move_is_sound(pos, targets[i].move))
            best = targets[i];
    return best.move;
}

static void add(const struct yo_netplay_record *record, const struct yo_netplay_step *step,
                const struct yo_shogi_position *pos, double scale, struct yo_buf *out) {
    uint8_t bytes[YO_SHOGI_SAMPLE];
    struct yo_shogi_sample sample = {
        .score = (int16_t)lround(yo_eval_score_of(step->win / 65535.0, scale)),
        .move = best_of(record, step, pos),
        .ply = (uint16_t)pos->ply};
    int8_t result = yo_netplay_rows_result(record, pos->side == YO_SHOGI_BLACK);
    if (yo_shogi_pack(pos, sample.position)) return;
    if (result == RESULT_UNKNOWN)
        sample.flags |= YO_SHOGI_SAMPLE_ASIDE;
    else
        sample.result = result;
    if (yo_shogi_sample_is_quiet(pos, sample.move)) sample.flags |= YO_SHOGI_SAMPLE_QUIET;
    yo_shogi_sample_write(&sample, bytes);
    yo_buf_add(out, (const char *)bytes, sizeof bytes);
}

enum yo_err yo_netplay_samples(const struct yo_netplay_record *record, double scale,
                               struct yo_buf *out, struct yo_diag *diag) {
    struct yo_shogi_state state;
    void *game;
    if (record->game != YO_NETPLAY_SHOGI)
        return yo_diag_set(diag, YO_ERR_UNSUPPORTED, "the record is not of a game of shogi");
    if (record->end == YO_NETPLAY_UNFINISHED) return YO_OK;
    enum yo_err err = yo_netplay_shogi.create(record->setup, record->setup_size, &game, diag);
    if (err) return err;
    for (size_t i = 0; !err && i < record->step_count; i++) {
        const struct yo_netplay_step *step = &record->steps[i];
        if (!yo_shogi_game_legal(game, step->move)) {
            err = yo_diag_set(diag, YO_ERR_ILLEGAL, "move %zu of game %" PRIu64 " is not legal",
                              i + 1, record->number);
            break;
        }
        yo_shogi_state_from_game(game, &state);
        if (step->kind != YO_NETPLAY_OPENING) add(record, step, &state.position, scale, out);
        err = yo_netplay_shogi.play(game, step->move, diag);
    }
    yo_netplay_shogi.destroy(game);
    if (!err && yo_buf_status(out)) err = yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    return err;
}
