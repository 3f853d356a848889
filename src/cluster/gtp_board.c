#include "cluster/gtp_board.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"

enum { UNDO_MAX = 40 /* more is set up afresh */ };

void yo_peer_board_clear(struct yo_peer_board *b) {
    yo_buf_clear(&b->set_up);
    b->play_count = 0;
}

void yo_peer_board_free(struct yo_peer_board *b) {
    yo_buf_free(&b->set_up);
    yo_free(b->plays);
}

static enum yo_err ask(struct yo_peer_board *b, const char *command, struct yo_diag *diag) {
    return yo_peer_gtp_ask(b->peer, command, YO_PEER_GTP_READY_MS, NULL, diag);
}

const char *yo_peer_color(enum yo_go_color color) {
    return color == YO_GO_WHITE ? "white" : "black";
}

/* The commands before the first move, a line each. Stones of the start are played: GTP has no other
 * way that every program knows. */
static void write_set_up(const struct yo_go_game *game, struct yo_buf *out) {
    int size = yo_go_game_size(game);
    char text[8];
    yo_buf_printf(out, "boardsize %d\nclear_board\nkomi %.1f\n", size,
                  (double)game->rules.komi2 / 2);
    for (int p = 0; p < size * size; p++)
        if (game->start.color[p] != YO_GO_EMPTY)
            yo_buf_printf(out, "play %s %s\n", yo_peer_color(game->start.color[p]),
                          yo_go_point_format((yo_go_point)p, size, text));
}

static enum yo_err begin_board(struct yo_peer_board *b, const struct yo_buf *set_up,
                               struct yo_diag *diag) {
    enum yo_err err = YO_OK;
    char line[64];
    b->play_count = 0;
    yo_buf_clear(&b->set_up);
    for (const char *at = yo_buf_text(set_up); !err && *at;) {
        size_t len = strcspn(at, "\n");
        snprintf(line, sizeof line, "%.*s", (int)len, at);
        err = ask(b, line, diag);
        at += len + 1;
    }
    if (!err) yo_buf_add(&b->set_up, set_up->data, set_up->len);
    return err ? err : yo_buf_status(&b->set_up);
}

enum yo_err yo_peer_board_play(struct yo_peer_board *b, const char *command, struct yo_diag *diag) {
    if (b->play_count == b->play_room) {
        size_t room = b->play_room ? 2 * b->play_room : 256;
        void *grown = yo_realloc(b->plays, room, sizeof *b->plays);
        if (!grown) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for a game");
        b->plays = grown;
        b->play_room = room;
    }
    enum yo_err err = ask(b, command, diag);
    if (!err) snprintf(b->plays[b->play_count++], YO_PEER_GTP_PLAY, "%s", command);
    return err;
}

static enum yo_err take_back(struct yo_peer_board *b, struct yo_diag *diag) {
    enum yo_err err = ask(b, "undo", diag);
    if (!err) b->play_count--;
    return err;
}

static void write_play(const struct yo_go_game *game, size_t i, char out[YO_PEER_GTP_PLAY]) {
    char text[8];
    snprintf(out, YO_PEER_GTP_PLAY, "play %s %s", yo_peer_color(game->moves[i].color),
             yo_go_point_format(game->moves[i].move, yo_go_game_size(game), text));
}

enum yo_err yo_peer_board_set(struct yo_peer_board *b, const struct yo_go_game *game,
                              struct yo_diag *diag) {
    struct yo_buf set_up = {0};
    char command[YO_PEER_GTP_PLAY];
    size_t same = 0;
    write_set_up(game, &set_up);
    enum yo_err err = yo_buf_status(&set_up);
    bool here = !err && strcmp(yo_buf_text(&set_up), yo_buf_text(&b->set_up)) == 0;
    for (; here && same < b->play_count && same < game->count; same++) {
        write_play(game, same, command);
        if (strcmp(command, b->plays[same]) != 0) break;
    }
    bool near = here && (same == b->play_count || (b->undoes && b->play_count - same <= UNDO_MAX));
    if (!err && !near) {
        err = begin_board(b, &set_up, diag);
        same = 0;
    }
    while (!err && b->play_count > same)
        err = take_back(b, diag);
    for (size_t i = same; i < game->count && !err; i++) {
        write_play(game, i, command);
        err = yo_peer_board_play(b, command, diag);
    }
    yo_buf_free(&set_up);
    return err;
}
