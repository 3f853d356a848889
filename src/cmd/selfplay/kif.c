/* A game of shogi from a file of self-play as KIF, with what the searches found as comments. */
#include <stdio.h>

#include "base/diag.h"
#include "cmd/selfplay/selfplay.h"
#include "game/shogi/kifu/game.h"
#include "learn/netplay/shogi.h"

static enum yo_err replay(const struct yo_netplay_record *record, struct yo_shogi_game *game,
                          struct yo_diag *diag) {
    enum yo_err err = YO_OK;
    for (size_t i = 0; i < record->step_count && !err; i++)
        err = yo_netplay_shogi.play(game, record->steps[i].move, diag);
    return err;
}

static void describe(const struct yo_netplay_record *record, const struct yo_netplay_step *step,
                     struct yo_buf *out) {
    char move[16];
    if (step->kind == YO_NETPLAY_OPENING) {
        yo_buf_str(out, "drawn by the policy");
        return;
    }
    yo_buf_printf(out, "%s search: %.1f%%", step->kind == YO_NETPLAY_FULL ? "full" : "fast",
                  100.0 * step->win / 65535);
    for (unsigned i = 0; i < step->target_count && i < 10; i++) {
        const struct yo_netplay_target *t = &record->targets[step->target_at + i];
        yo_buf_printf(out, "%s%s %u", i ? ", " : "\n", yo_shogi_move_format(t->move, move),
                      t->weight);
    }
}

static enum yo_err comment(const struct yo_netplay_record *record, struct yo_shogi_record *kif) {
    enum yo_err err = YO_OK;
    for (size_t i = 0; i < record->step_count && i + 1 < kif->node_count && !err; i++) {
        struct yo_buf text = {0};
        describe(record, &record->steps[i], &text);
        if (record->end == YO_NETPLAY_SETTLED && i + 1 == record->step_count)
            yo_buf_str(&text, "\nThe side to move can mate and has won.");
        err = yo_buf_status(&text);
        if (!err)
            err = yo_shogi_record_set_text(kif, &kif->nodes[i + 1].comment, yo_buf_text(&text));
        yo_buf_free(&text);
    }
    return err;
}

static enum yo_shogi_end end_of(const struct yo_netplay_record *record,
                                const struct yo_shogi_game *game) {
    yo_shogi_move moves[YO_SHOGI_LIST];
    if (record->end == YO_NETPLAY_RESIGNED) return YO_SHOGI_END_RESIGN;
    if (record->end == YO_NETPLAY_CUT) return YO_SHOGI_END_MAX_MOVES;
    if (record->end == YO_NETPLAY_UNFINISHED || record->end == YO_NETPLAY_SETTLED)
        return YO_SHOGI_END_BREAK;
    if (yo_shogi_game_legal_moves(game, moves) == 0) return YO_SHOGI_END_MATE;
    if (record->outcome == YO_OUTCOME_DRAW) return YO_SHOGI_END_REPETITION;
    if (yo_shogi_game_outcome(game) == YO_SHOGI_OPEN) return YO_SHOGI_END_DECLARATION;
    /* Perpetual check: by Black's hand or White's. */
    return record->outcome == YO_OUTCOME_FIRST ? YO_SHOGI_END_FOUL_BY_WHITE
                                               : YO_SHOGI_END_FOUL_BY_BLACK;
}

enum yo_err yo_selfplay_kif(const struct yo_netplay_record *record, struct yo_buf *out,
                            struct yo_diag *diag) {
    struct yo_shogi_record *kif = NULL;
    void *game;
    int last;
    enum yo_err err = yo_netplay_shogi.create(record->setup, record->setup_size, &game, diag);
    if (err) return err;
    err = replay(record, game, diag);
    if (!err) {
        err = yo_shogi_game_record(game, &kif);
        if (!err) err = comment(record, kif);
        if (!err)
            err = yo_shogi_record_add(kif, (int)kif->node_count - 1, YO_SHOGI_NO_MOVE,
                                      end_of(record, game), &last);
        if (!err) err = yo_shogi_record_write(kif, YO_SHOGI_KIF, out);
        if (err) yo_diag_set(diag, err, "not enough memory for the record");
    }
    yo_shogi_record_delete(kif);
    yo_netplay_shogi.destroy(game);
    return err;
}
