/* yomi net eval: prints a network's outputs for a position. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "cmd/net/net.h"
#include "cmd/text.h"
#include "engine/go_net.h"
#include "eval/net/go_raw.h"
#include "yomi/sgf.h"

enum { BEST = 8, MOVES_MAX = 1000 };

/* ---- the position ---- */

static enum yo_err load_record(const struct yo_options *options, const char *path,
                               struct yo_go_game **game, struct yo_diag *diag) {
    static const char *const of_moves[] = {"size", "rules", "komi", NULL};
    enum yo_err err = yo_options_refuse(options, of_moves, "a position from a record", diag);
    struct yo_sgf *sgf = NULL;
    if (!err) err = yo_sgf_load(path, &sgf, diag);
    if (!err) err = yo_sgf_to_game(sgf, 0, (size_t)yo_options_int(options, "move"), game, diag);
    if (!err && diag->err) { /* a move before that one cannot be played */
        err = diag->err;
        yo_go_game_delete(*game);
        *game = NULL;
    }
    yo_sgf_delete(sgf);
    return err;
}

static enum yo_err play_moves(struct yo_go_game *game, const char *moves, struct yo_diag *diag) {
    enum yo_go_color color = YO_GO_BLACK;
    while (*(moves += strspn(moves, " ,\t\n"))) {
        char word[16];
        size_t len = strcspn(moves, " ,\t\n");
        snprintf(word, sizeof word, "%.*s", (int)(len < sizeof word ? len : sizeof word - 1),
                 moves);
        yo_go_point point;
        enum yo_err err = yo_go_point_parse(word, yo_go_game_size(game), &point, diag);
        if (!err) err = yo_go_game_play(game, color, point, diag);
        if (err) {
            if (!diag->where[0]) yo_diag_where(diag, word, 0, 0);
            return err;
        }
        color = yo_go_other(color);
        moves += len;
    }
    return YO_OK;
}

static enum yo_err make_game(const struct yo_options *options, struct yo_go_game **game,
                             struct yo_diag *diag) {
    const char *position = yo_options_argument(options, 2);
    if (position && access(position, F_OK) == 0) return load_record(options, position, game, diag);
    struct yo_go_rules rules = yo_go_rules_default;
    if (yo_go_rules_parse(yo_options_text(options, "rules"), &rules, diag) ||
        yo_go_komi_parse(yo_options_text(options, "komi"), &rules.komi2, diag))
        return YO_ERR_ARGUMENT;
    enum yo_err err = YO_OK;
    if (yo_go_game_new((int)yo_options_int(options, "size"), &rules, game))
        err = yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory");
    if (!err && position) err = play_moves(*game, position, diag);
    if (err && position && diag->err == YO_ERR_PARSE)
        yo_diag_hint(diag, "the position is an SGF file that exists, or moves such as \"D4 Q16\"");
    return err;
}

/* ---- the answer ---- */

static void add_column_names(struct yo_buf *out, int size) {
    yo_buf_str(out, "   ");
    for (int x = 0; x < size; x++)
        yo_buf_printf(out, "  %c", "ABCDEFGHJKLMNOPQRST"[x]);
    yo_buf_char(out, '\n');
}

/* Stones are X and O; other points show the policy in percent or ownership in tenths. */
static void add_board(struct yo_buf *out, const struct yo_go_game *game,
                      const struct yo_net_go_raw *raw, bool policy) {
    add_column_names(out, raw->size);
    for (int y = 0; y < raw->size; y++) {
        yo_buf_printf(out, "%2d ", raw->size - y);
        for (int x = 0; x < raw->size; x++) {
            int p = y * raw->size + x;
            enum yo_go_color stone = yo_go_game_at(game, (yo_go_point)p);
            double black = -(double)raw->white_ownership[p];
            int percent = (int)((double)raw->policy[p] * 100 + 0.5);
            if (policy && stone != YO_GO_EMPTY)
                yo_buf_str(out, stone == YO_GO_BLACK ? "  X" : "  O");
            else if (policy && percent < 1)
                yo_buf_str(out, "  .");
            else if (policy)
                yo_buf_printf(out, "%3d", percent);
            else
                yo_buf_printf(out, "%3d", (int)(black * 10 + (black < 0 ? -0.5 : 0.5)));
        }
        yo_buf_char(out, '\n');
    }
}

static void add_best_moves(struct yo_buf *out, const struct yo_net_go_raw *raw) {
    bool taken[YO_GO_POINTS_MAX + 1] = {false};
    yo_buf_str(out, "best moves");
    for (int i = 0; i < BEST; i++) {
        int best = -1;
        for (int p = 0; p <= YO_GO_PASS; p++)
            if (!taken[p] && raw->policy[p] > 0 && (best < 0 || raw->policy[p] > raw->policy[best]))
                best = p;
        if (best < 0) break;
        taken[best] = true;
        char text[8];
        yo_buf_printf(out, "%s %s %.1f%%", i ? "," : "",
                      yo_go_point_format((yo_go_point)best, raw->size, text),
                      100 * (double)raw->policy[best]);
    }
    yo_buf_char(out, '\n');
}

static void add_picture(struct yo_buf *out, const struct yo_go_game *game,
                        const struct yo_net_go_raw *raw) {
    const struct yo_net_go_value *v = &raw->value;
    yo_buf_printf(out, "%s to move: wins %.1f%%, loses %.1f%%",
                  raw->to_move == YO_GO_BLACK ? "Black" : "White", 100 * v->win, 100 * v->loss);
    if (v->no_result > 0) yo_buf_printf(out, ", no result %.1f%%", 100 * v->no_result);
    yo_buf_printf(out, "\nlead %+.2f points; final score %+.2f, spread %.2f\n", v->lead,
                  v->score_mean, v->score_stdev);
    add_best_moves(out, raw);
    yo_buf_str(out, "\npolicy, percent; X is Black, O is White\n");
    add_board(out, game, raw, true);
    yo_buf_str(out, "\nownership: 10 is Black's, -10 is White's\n");
    add_board(out, game, raw, false);
}

static enum yo_err print_json(const struct yo_net_go_raw *raw, struct yo_buf *out) {
    json_t *object = yo_net_go_raw_json(raw);
    if (!object) return YO_ERR_NOMEM;
    yo_json_write(out, object);
    yo_buf_char(out, '\n');
    json_decref(object);
    return YO_OK;
}

static enum yo_err show_go(const struct yo_options *options, const struct yo_go_game *game,
                           struct yo_net_loaded *loaded, struct yo_diag *diag) {
    struct yo_go_position position = {0};
    struct yo_net_go_raw raw = {0};
    struct yo_buf out = {0};
    yo_go_position_from_game(game, &position);
    enum yo_err err = yo_net_go_raw(loaded->runner, &position,
                                    (int)yo_options_choice(options, "symmetry"), &raw, diag);
    if (!err && yo_options_bool(options, "raw")) {
        yo_net_go_raw_text(&raw, &out);
    } else if (!err && yo_options_bool(options, "json")) {
        err = print_json(&raw, &out);
        if (err) yo_diag_set(diag, err, "not enough memory");
    } else if (!err) {
        add_picture(&out, game, &raw);
    }
    if (!err) err = yo_text_print(&out, diag);
    yo_buf_free(&out);
    return err;
}

enum yo_err yo_net_show(const struct yo_options *options, struct yo_diag *diag) {
    struct yo_net_loaded loaded = {0};
    struct yo_go_game *game = NULL;
    enum yo_err err = YO_OK;
    /* The position's size chooses among the built-in networks, all for Go; a file tells the game.
     */
    if (yo_go_net_names_builtin(yo_options_argument(options, 1)))
        err = make_game(options, &game, diag);
    if (!err) err = yo_net_load(options, game ? yo_go_game_size(game) : 0, &loaded, diag);
    if (!err && loaded.net->format != YO_NET_KATAGO) {
        err = yo_net_show_shogi(options, &loaded, diag);
    } else if (!err) {
        if (!game) err = make_game(options, &game, diag);
        if (!err) err = show_go(options, game, &loaded, diag);
    }
    yo_go_game_delete(game);
    yo_net_unload(&loaded);
    return err;
}
