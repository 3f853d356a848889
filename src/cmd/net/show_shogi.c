/* yomi net eval for shogi: prints the win rate and the likeliest moves of a position. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/json.h"
#include "cmd/net/net.h"
#include "cmd/text.h"
#include "game/shogi/game_ops.h"
#include "game/shogi/text.h"
#include "match/shogi.h"

enum { BEST = 12 };

struct answer {
    struct yo_shogi_state state;
    struct yo_shogi_past first;
    struct yo_eval_value value;
    yo_move moves[YO_SHOGI_MOVES_MAX];
    float policy[YO_SHOGI_MOVES_MAX];
    size_t count;
};

static enum yo_err set_position(const char *text, struct answer *a, struct yo_diag *diag) {
    struct yo_usi_opening opening;
    enum yo_err err = yo_usi_opening_parse(text ? text : "startpos", &opening, diag);
    if (err) {
        yo_diag_hint(diag, "the position is \"startpos moves 7g7f\", or a SFEN");
        return err;
    }
    struct yo_shogi_position pos = opening.start;
    for (size_t i = 0; i < opening.count; i++)
        yo_shogi_play(&pos, opening.moves[i]);
    yo_free(opening.moves);
    yo_shogi_state_init(&a->state, &pos, &yo_shogi_rules_default, &a->first);
    a->count = yo_shogi_ops.moves(&a->state, a->moves);
    return YO_OK;
}

static enum yo_err ask(struct yo_net_loaded *loaded, struct answer *a, struct yo_diag *diag) {
    const struct yo_net_game *game = loaded->program.game;
    float *logits = yo_alloc(game->policy_size(9), sizeof *logits);
    if (!logits) return yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory");
    enum yo_err err = yo_net_runner_start(loaded->runner, 9, diag);
    if (!err) {
        int row = yo_net_runner_add(loaded->runner, &a->state, 0);
        err = yo_net_runner_run(loaded->runner, YO_EVAL_VALUE | YO_EVAL_POLICY, diag);
        struct yo_net_raw raw = yo_net_runner_raw(loaded->runner, row);
        if (!err) {
            game->value(loaded->net, &a->state, &raw, &a->value);
            game->policy(loaded->net, 9, &raw, logits);
            for (size_t i = 0; i < a->count; i++)
                a->policy[i] = logits[game->policy_index(&a->state, a->moves[i])];
            yo_net_softmax(a->policy, a->count);
        }
    }
    yo_free(logits);
    return err;
}

static void add_text(struct yo_buf *out, const struct answer *a) {
    char sfen[YO_SHOGI_SFEN_MAX], text[16];
    bool taken[YO_SHOGI_MOVES_MAX] = {false};
    yo_buf_printf(
        out, "%s\n%s to move: wins %.1f%%\n", yo_shogi_sfen_format(&a->state.position, sfen),
        a->state.position.side == YO_SHOGI_BLACK ? "Black" : "White", 100 * (double)a->value.win);
    for (size_t k = 0; k < BEST && k < a->count; k++) {
        size_t best = a->count;
        for (size_t i = 0; i < a->count; i++)
            if (!taken[i] && (best == a->count || a->policy[i] > a->policy[best])) best = i;
        taken[best] = true;
        yo_buf_printf(out, "%-6s %5.1f%%\n", yo_shogi_ops.format(&a->state, a->moves[best], text),
                      100 * (double)a->policy[best]);
    }
}

static enum yo_err add_json(struct yo_buf *out, const struct answer *a) {
    bool failed = false;
    char sfen[YO_SHOGI_SFEN_MAX], text[16];
    json_t *object = yo_json_object(), *policy = yo_json_object();
    yo_shogi_sfen_format(&a->state.position, sfen);
    yo_json_set(object, "sfen", yo_json_text(sfen, strlen(sfen)), &failed);
    yo_json_set(object, "win", yo_json_real((double)a->value.win), &failed);
    for (size_t i = 0; i < a->count; i++)
        yo_json_set(policy, yo_shogi_ops.format(&a->state, a->moves[i], text),
                    yo_json_real((double)a->policy[i]), &failed);
    yo_json_set(object, "policy", policy, &failed);
    if (!failed) yo_json_write(out, object);
    yo_buf_char(out, '\n');
    json_decref(object);
    return failed ? YO_ERR_NOMEM : YO_OK;
}

enum yo_err yo_net_show_shogi(const struct yo_options *options, struct yo_net_loaded *loaded,
                              struct yo_diag *diag) {
    static const char *const of_go[] = {"size", "rules", "komi", "move", "symmetry", "raw", NULL};
    struct answer a = {0};
    struct yo_buf out = {0};
    enum yo_err err = yo_options_refuse(options, of_go, "a shogi network", diag);
    if (!err) err = set_position(yo_options_argument(options, 2), &a, diag);
    if (!err) err = ask(loaded, &a, diag);
    if (!err && yo_options_bool(options, "json")) {
        err = add_json(&out, &a);
        if (err) yo_diag_set(diag, err, "not enough memory");
    } else if (!err) {
        add_text(&out, &a);
    }
    if (!err) err = yo_text_print(&out, diag);
    yo_buf_free(&out);
    return err;
}
