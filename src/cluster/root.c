#include "cluster/root.h"

#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "game/go/game_ops.h"
#include "game/go/state.h"
#include "game/shogi/game.h"
#include "game/shogi/game_ops.h"
#include "game/shogi/text.h"

const char *const yo_root_games[] = {[YO_SESSION_GO] = "go", [YO_SESSION_SHOGI] = "shogi", NULL};

const struct yo_game_ops *yo_root_ops(enum yo_session_game kind) {
    return kind == YO_SESSION_GO ? &yo_go_ops : &yo_shogi_ops;
}

const void *yo_root_game(const struct yo_root *root) {
    return root->kind == YO_SESSION_GO ? (const void *)root->go : (const void *)root->shogi;
}

void yo_root_free(struct yo_root *root) {
    yo_go_game_delete(root->go);
    yo_shogi_game_delete(root->shogi);
    *root = (struct yo_root){0};
}

bool yo_root_word(const char **rest, char out[16]) {
    *rest += strspn(*rest, " ");
    size_t len = strcspn(*rest, " ");
    if (len == 0 || len > 15) return false;
    memcpy(out, *rest, len);
    out[len] = '\0';
    *rest += len;
    return true;
}

/* Takes the text of a buffer over, or frees it. */
static enum yo_err keep(struct yo_buf *buf, char **text) {
    enum yo_err err = yo_buf_status(buf);
    if (!err && !(*text = yo_message_copy_text(yo_buf_text(buf)))) err = YO_ERR_NOMEM;
    yo_buf_free(buf);
    return err;
}

/* ---- Go ---- */

static const char letters[] = ".bw";

static enum yo_err write_go(const struct yo_go_game *game, struct yo_message_game *m) {
    struct yo_buf start = {0}, moves = {0};
    int size = yo_go_game_size(game);
    char text[8];
    m->size = size;
    m->komi2 = game->rules.komi2;
    m->handicap = game->handicap;
    m->white = game->start_to_move == YO_GO_WHITE;
    m->white_now = game->to_move == YO_GO_WHITE;
    yo_go_rules_format(&game->rules, m->rules, sizeof m->rules);
    for (int p = 0; p < size * size; p++)
        yo_buf_char(&start, letters[game->start.color[p]]);
    for (size_t i = 0; i < game->count; i++)
        yo_buf_printf(&moves, "%s%c%s", i ? " " : "", letters[game->moves[i].color],
                      yo_go_point_format(game->moves[i].move, size, text));
    enum yo_err err = keep(&start, &m->start), also = keep(&moves, &m->moves);
    return err ? err : also;
}

static enum yo_err set_up_go(const struct yo_message_game *m, struct yo_go_game *game,
                             struct yo_diag *diag) {
    uint8_t colors[YO_GO_POINTS_MAX] = {0};
    yo_go_point black[YO_GO_POINTS_MAX];
    size_t points = (size_t)(m->size * m->size), stones = 0, white = 0;
    enum yo_go_color first = m->white ? YO_GO_WHITE : YO_GO_BLACK;
    if (strlen(m->start) != points)
        return yo_diag_set(diag, YO_ERR_PARSE, "the start of a game has not one letter a point");
    for (size_t p = 0; p < points; p++) {
        const char *letter = strchr(letters, m->start[p]);
        if (!letter) return yo_diag_set(diag, YO_ERR_PARSE, "the start of a game has odd letters");
        colors[p] = (uint8_t)(letter - letters);
        if (colors[p] == YO_GO_BLACK) black[stones++] = (yo_go_point)p;
        if (colors[p] == YO_GO_WHITE) white++;
    }
    enum yo_err err = YO_OK;
    if (m->handicap > 1 && white == 0 && stones == (size_t)m->handicap)
        err = yo_go_game_handicap_set(game, black, (int)stones, diag);
    else if (stones + white > 0 || m->white)
        err = yo_go_game_setup(game, colors, first, diag);
    if (!err) yo_go_game_set_to_move(game, first);
    return err;
}

static enum yo_err play_go(const char *moves, struct yo_go_game *game, struct yo_diag *diag) {
    char word[16];
    while (yo_root_word(&moves, word)) {
        const char *letter = strchr(letters + 1, word[0]);
        yo_go_point move;
        if (!letter) return yo_diag_set(diag, YO_ERR_PARSE, "a move of Go has no colour: %s", word);
        enum yo_err err = yo_go_point_parse(word + 1, yo_go_game_size(game), &move, diag);
        /* The rules may have changed during the game, and records have what happened. */
        if (!err)
            err = yo_go_game_play_recorded(game, (enum yo_go_color)(letter - letters), move, diag);
        if (err) return err;
    }
    return *moves ? yo_diag_set(diag, YO_ERR_PARSE, "a move of Go is too long") : YO_OK;
}

static enum yo_err read_go(const struct yo_message_game *m, struct yo_root *root,
                           struct yo_diag *diag) {
    struct yo_go_rules rules = yo_go_rules_default;
    enum yo_err err = yo_go_rules_parse(m->rules, &rules, diag);
    if (err) return err;
    rules.komi2 = (int)m->komi2;
    err = yo_go_game_new((int)m->size, &rules, &root->go);
    if (err) return yo_diag_set(diag, err, "no game of Go on %d lines", (int)m->size);
    err = set_up_go(m, root->go, diag);
    if (!err) err = play_go(m->moves, root->go, diag);
    if (!err) yo_go_game_set_to_move(root->go, m->white_now ? YO_GO_WHITE : YO_GO_BLACK);
    return err;
}

/* ---- Shogi ---- */

static const char *const entering_names[] = {
    [YO_SHOGI_ENTER_NONE] = "NoEnteringKing",
    [YO_SHOGI_ENTER_24] = "CSARule24",
    [YO_SHOGI_ENTER_27] = "CSARule27",
    [YO_SHOGI_ENTER_TRY] = "TryRule",
};

static enum yo_err write_shogi(const struct yo_shogi_game *game, struct yo_message_game *m) {
    struct yo_buf moves = {0};
    char sfen[YO_SHOGI_SFEN_MAX], text[YO_SHOGI_MOVE_TEXT];
    m->max_moves = game->rules.max_moves;
    snprintf(m->rules, sizeof m->rules, "%s%s", entering_names[game->rules.entering],
             game->rules.handicap_points ? "H" : "");
    m->start = yo_message_copy_text(yo_shogi_sfen_format(&game->positions[0], sfen));
    for (size_t i = 0; i + 1 < game->count; i++)
        yo_buf_printf(&moves, "%s%s", i ? " " : "", yo_shogi_move_format(game->moves[i], text));
    enum yo_err err = keep(&moves, &m->moves);
    return err || m->start ? err : YO_ERR_NOMEM;
}

static enum yo_err play_shogi(const char *moves, struct yo_shogi_game *game, struct yo_diag *diag) {
    char word[16];
    while (yo_root_word(&moves, word)) {
        yo_shogi_move move;
        enum yo_err err = yo_shogi_move_parse(word, &move, diag);
        if (!err) err = yo_shogi_game_play(game, move, diag);
        if (err) return err;
    }
    return *moves ? yo_diag_set(diag, YO_ERR_PARSE, "a move of shogi is too long") : YO_OK;
}

static enum yo_err read_shogi(const struct yo_message_game *m, struct yo_root *root,
                              struct yo_diag *diag) {
    struct yo_shogi_rules rules = yo_shogi_rules_default;
    enum yo_err err = yo_shogi_entering_parse(m->rules, &rules, diag);
    rules.max_moves = (int)m->max_moves;
    if (!err) err = yo_shogi_game_new(m->start, &root->shogi, diag);
    if (err) return err;
    root->shogi->rules = rules;
    return play_shogi(m->moves, root->shogi, diag);
}

/* ---- Both ---- */

enum yo_err yo_root_write(enum yo_session_game kind, const void *game, struct yo_message_game *m) {
    *m = (struct yo_message_game){0};
    strcpy(m->game, yo_root_games[kind]);
    enum yo_err err = kind == YO_SESSION_GO ? write_go(game, m) : write_shogi(game, m);
    if (err) yo_message_game_free(m);
    return err;
}

enum yo_err yo_root_read(const struct yo_message_game *message, struct yo_root *root,
                         struct yo_diag *diag) {
    struct yo_message_game m = *message;
    char none[] = "";
    *root = (struct yo_root){0};
    if (!m.start) m.start = none;
    if (!m.moves) m.moves = none;
    enum yo_err err = YO_ERR_UNKNOWN;
    if (strcmp(m.game, yo_root_games[YO_SESSION_GO]) == 0) {
        root->kind = YO_SESSION_GO;
        err = read_go(&m, root, diag);
    } else if (strcmp(m.game, yo_root_games[YO_SESSION_SHOGI]) == 0) {
        root->kind = YO_SESSION_SHOGI;
        err = read_shogi(&m, root, diag);
    } else {
        yo_diag_set(diag, err, "there is no game %.8s", m.game);
    }
    if (err) yo_root_free(root);
    return err;
}

enum yo_err yo_root_play(struct yo_root *root, const char *moves, struct yo_diag *diag) {
    char word[16];
    if (!moves) return YO_OK;
    if (root->kind == YO_SESSION_SHOGI) return play_shogi(moves, root->shogi, diag);
    while (yo_root_word(&moves, word)) {
        yo_go_point move;
        enum yo_err err = yo_go_point_parse(word, yo_go_game_size(root->go), &move, diag);
        if (!err) err = yo_go_game_play(root->go, yo_go_game_to_move(root->go), move, diag);
        if (err) return err;
    }
    return *moves ? yo_diag_set(diag, YO_ERR_PARSE, "a move of Go is too long") : YO_OK;
}
