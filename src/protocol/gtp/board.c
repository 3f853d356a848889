/* Commands about the board that need no search. */
#include "game/go/geometry.h"
#include "game/go/handicap.h"
#include "game/go/region.h"
#include "protocol/gtp/internal.h"

static int points_of(const struct yo_gtp *gtp) {
    return yo_go_game_size(gtp->game) * yo_go_game_size(gtp->game);
}

/* ---- showboard ---- */

static void put_columns(struct yo_buf *out, int size) {
    yo_buf_str(out, "\n   ");
    for (int col = 0; col < size; col++)
        yo_buf_printf(out, " %c", "ABCDEFGHJKLMNOPQRST"[col]);
}

/* A blank before each point, or a bracket on either side of the last move. */
static void put_row(const struct yo_gtp *gtp, struct yo_buf *out, int row, yo_go_point last) {
    int size = yo_go_game_size(gtp->game);
    yo_buf_printf(out, "\n%3d", size - row);
    for (int col = 0; col < size; col++) {
        yo_go_point p = (yo_go_point)(row * size + col);
        enum yo_go_color color = yo_go_game_at(gtp->game, p);
        char stone = color == YO_GO_BLACK ? 'X' : color == YO_GO_WHITE ? 'O' : '.';
        if (color == YO_GO_EMPTY && yo_go_is_star(size, p)) stone = '+';
        yo_buf_char(out, p == last ? '(' : col > 0 && p == last + 1 ? ')' : ' ');
        yo_buf_char(out, stone);
    }
    bool last_in_row = last < points_of(gtp) && last == row * size + size - 1;
    yo_buf_printf(out, "%c%d", last_in_row ? ')' : ' ', size - row);
}

static yo_go_point last_move(const struct yo_go_game *game) {
    size_t count = yo_go_game_move_count(game);
    return count ? yo_go_game_move(game, count - 1).move : YO_GO_NONE;
}

YO_GTP_HANDLER(showboard) {
    (void)line, (void)diag;
    const struct yo_go_game *game = gtp->game;
    int size = yo_go_game_size(game);
    put_columns(out, size);
    for (int row = 0; row < size; row++)
        put_row(gtp, out, row, last_move(game));
    put_columns(out, size);
    const char *rules = yo_go_rules_name(yo_go_game_rules(game));
    yo_buf_printf(out, "\n%s to move, %zu played; captured by Black (X) %d, by White (O) %d",
                  yo_go_game_to_move(game) == YO_GO_BLACK ? "Black" : "White",
                  yo_go_game_move_count(game), yo_go_game_captures(game, YO_GO_BLACK),
                  yo_go_game_captures(game, YO_GO_WHITE));
    yo_buf_printf(out, "\nRules %s, komi %.1f", rules ? rules : "of its own",
                  yo_go_game_rules(game)->komi2 / 2.0);
    return YO_OK;
}

/* ---- stones and moves ---- */

YO_GTP_HANDLER(list_stones) {
    enum yo_go_color color;
    enum yo_err err = yo_gtp_arg_color(line, 0, &color, diag);
    for (int p = 0; !err && p < points_of(gtp); p++)
        if (yo_go_game_at(gtp->game, (yo_go_point)p) == color)
            yo_gtp_put_listed(gtp, out, (yo_go_point)p);
    return err;
}

/* In the syntax of gogui-setup, so that the answer can be sent back. */
YO_GTP_HANDLER(get_position) {
    (void)line, (void)diag;
    for (int p = 0; p < points_of(gtp); p++) {
        enum yo_go_color color = yo_go_game_at(gtp->game, (yo_go_point)p);
        if (color == YO_GO_EMPTY) continue;
        yo_buf_printf(out, "%s%c ", out->len ? " " : "", color == YO_GO_BLACK ? 'b' : 'w');
        yo_gtp_put_point(gtp, out, (yo_go_point)p);
    }
    return YO_OK;
}

YO_GTP_HANDLER(color) {
    yo_go_point p;
    enum yo_err err = yo_gtp_arg_point(gtp, line, 0, &p, diag);
    if (!err) yo_buf_str(out, yo_gtp_color_name(yo_go_game_at(gtp->game, p)));
    return err;
}

YO_GTP_HANDLER(is_legal) {
    enum yo_go_color color;
    yo_go_point move;
    enum yo_err err = yo_gtp_arg_color(line, 0, &color, diag);
    if (!err) err = yo_gtp_arg_move(gtp, line, 1, &move, diag);
    if (!err) yo_buf_str(out, yo_go_game_legal(gtp->game, color, move) ? "1" : "0");
    return err;
}

YO_GTP_HANDLER(all_legal) {
    enum yo_go_color color;
    enum yo_err err = yo_gtp_arg_color(line, 0, &color, diag);
    for (int p = 0; !err && p < points_of(gtp); p++)
        if (yo_go_game_legal(gtp->game, color, (yo_go_point)p))
            yo_gtp_put_listed(gtp, out, (yo_go_point)p);
    return err;
}

YO_GTP_HANDLER(captures) {
    enum yo_go_color color;
    enum yo_err err = yo_gtp_arg_color(line, 0, &color, diag);
    if (!err) yo_buf_printf(out, "%d", yo_go_game_captures(gtp->game, color));
    return err;
}

static void put_move(const struct yo_gtp *gtp, struct yo_buf *out, size_t i) {
    struct yo_go_played played = yo_go_game_move(gtp->game, i);
    yo_buf_printf(out, "%s%s ", out->len ? "\n" : "", yo_gtp_color_name(played.color));
    yo_gtp_put_point(gtp, out, played.move);
}

YO_GTP_HANDLER(last_move) {
    (void)line;
    size_t count = yo_go_game_move_count(gtp->game);
    if (count == 0) return yo_diag_set(diag, YO_ERR_STATE, "no move has been played");
    put_move(gtp, out, count - 1);
    return YO_OK;
}

/* The last move first, as in GNU Go. */
YO_GTP_HANDLER(move_history) {
    (void)line, (void)diag;
    for (size_t i = yo_go_game_move_count(gtp->game); i > 0; i--)
        put_move(gtp, out, i - 1);
    return YO_OK;
}

/* ---- liberties ---- */

/* Marks the liberties of the string at p in `libs` and returns how many there are. */
static int liberties(const struct yo_gtp *gtp, yo_go_point p, uint8_t *libs) {
    int size = yo_go_game_size(gtp->game), found = 0;
    uint8_t seen[YO_GO_POINTS_MAX] = {0}, colors[YO_GO_POINTS_MAX];
    struct yo_go_region string;
    yo_go_region_colors(gtp->game, NULL, colors);
    yo_go_region_find(size, colors, p, seen, &string);
    for (int i = 0; i < string.count; i++)
        for (int d = 0; d < 4; d++) {
            unsigned q = yo_go_geometry(size)->nbr[string.points[i]][d];
            if (q == YO_GO_OFF_POINT || colors[q] != YO_GO_EMPTY || libs[q]) continue;
            libs[q] = 1;
            found++;
        }
    return found;
}

static enum yo_err arg_stone(const struct yo_gtp *gtp, const struct yo_gtp_line *line,
                             yo_go_point *p, struct yo_diag *diag) {
    enum yo_err err = yo_gtp_arg_point(gtp, line, 0, p, diag);
    if (!err && yo_go_game_at(gtp->game, *p) == YO_GO_EMPTY)
        err = yo_diag_set(diag, YO_ERR_ARGUMENT, "vertex must not be empty");
    return err;
}

YO_GTP_HANDLER(countlib) {
    yo_go_point p;
    uint8_t libs[YO_GO_POINTS_MAX] = {0};
    enum yo_err err = arg_stone(gtp, line, &p, diag);
    if (!err) yo_buf_printf(out, "%d", liberties(gtp, p, libs));
    return err;
}

YO_GTP_HANDLER(findlib) {
    yo_go_point p;
    uint8_t libs[YO_GO_POINTS_MAX] = {0};
    enum yo_err err = arg_stone(gtp, line, &p, diag);
    if (err) return err;
    liberties(gtp, p, libs);
    for (int q = 0; q < points_of(gtp); q++)
        if (libs[q]) yo_gtp_put_listed(gtp, out, (yo_go_point)q);
    return YO_OK;
}
