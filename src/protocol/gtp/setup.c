/* Board size, komi, handicap: how a game begins. */
#include <stdio.h>
#include <stdlib.h>

#include "protocol/gtp/internal.h"

YO_GTP_HANDLER(boardsize) {
    (void)out;
    int size;
    enum yo_err err = yo_gtp_arg_int(line, 0, YO_GO_SIZE_MIN, YO_GO_SIZE_MAX, &size, diag);
    if (err == YO_ERR_RANGE) {
        yo_diag_set(diag, err, "unacceptable size");
        yo_diag_hint(diag, "boards are %d to %d points wide", YO_GO_SIZE_MIN, YO_GO_SIZE_MAX);
    }
    if (err) return err;
    err = yo_go_game_clear(gtp->game, size);
    if (err) return err;
    yo_gtp_record_drop(gtp);
    yo_gtp_new_game(gtp);
    return YO_OK;
}

YO_GTP_HANDLER(query_boardsize) {
    (void)line, (void)diag;
    yo_buf_printf(out, "%d", yo_go_game_size(gtp->game));
    return YO_OK;
}

YO_GTP_HANDLER(clear_board) {
    (void)line, (void)out, (void)diag;
    enum yo_err err = yo_go_game_clear(gtp->game, yo_go_game_size(gtp->game));
    if (err) return err;
    yo_gtp_record_drop(gtp);
    yo_gtp_new_game(gtp);
    return YO_OK;
}

YO_GTP_HANDLER(komi) {
    (void)out;
    struct yo_go_rules rules = *yo_go_game_rules(gtp->game);
    char quoted[48];
    enum yo_err err = yo_go_komi_parse(yo_gtp_quote(line->args[0], quoted), &rules.komi2, diag);
    if (!err) yo_go_game_set_rules(gtp->game, &rules);
    return err;
}

YO_GTP_HANDLER(get_komi) {
    (void)line, (void)diag;
    yo_buf_printf(out, "%.1f", yo_go_game_rules(gtp->game)->komi2 / 2.0);
    return YO_OK;
}

/* Puts the GTP standard's error text first. */
static enum yo_err handicap_failed(struct yo_diag *diag) {
    if (diag->err == YO_ERR_STATE) return yo_gtp_prefix(diag, "board not empty");
    if (diag->err == YO_ERR_RANGE) return yo_gtp_prefix(diag, "invalid number of stones");
    return yo_gtp_prefix(diag, "bad vertex list");
}

static enum yo_err put_handicap(struct yo_gtp *gtp, const yo_go_point *points, int count,
                                struct yo_buf *out, struct yo_diag *diag) {
    if (yo_go_game_handicap_set(gtp->game, points, count, diag)) return handicap_failed(diag);
    yo_gtp_record_drop(gtp);
    for (int i = 0; i < count; i++)
        yo_gtp_put_listed(gtp, out, points[i]);
    return YO_OK;
}

YO_GTP_HANDLER(fixed_handicap) {
    int size = yo_go_game_size(gtp->game), stones;
    yo_go_point points[9];
    enum yo_err err = yo_gtp_arg_int(line, 0, 2, 9, &stones, diag);
    if (!err) err = yo_go_handicap_points(size, stones, points, diag);
    if (!err) return put_handicap(gtp, points, stones, out, diag);
    if (yo_go_handicap_points(size, 2, points, NULL))
        yo_diag_hint(diag, "place_free_handicap works on boards of any size");
    return handicap_failed(diag);
}

static int distance(int size, int a, int b) {
    return abs(a / size - b / size) + abs(a % size - b % size);
}

/* The next free handicap stone: the point furthest from the others, off the first two lines if the
 * board is large enough. */
static yo_go_point furthest(int size, const yo_go_point *points, int count) {
    int margin = size > 6 ? 2 : size > 3 ? 1 : 0, best = 0, best_distance = -1;
    for (int p = 0; p < size * size; p++) {
        int row = p / size, col = p % size, nearest = 2 * size;
        bool inside = row >= margin && col >= margin && row < size - margin && col < size - margin;
        for (int i = 0; i < count; i++)
            if (distance(size, p, points[i]) < nearest) nearest = distance(size, p, points[i]);
        if (!inside && nearest > 0)
            nearest = 0; /* only if the inside is full */
        else if (nearest == 0)
            nearest = -1;
        if (nearest > best_distance) {
            best_distance = nearest;
            best = p;
        }
    }
    return (yo_go_point)best;
}

YO_GTP_HANDLER(place_free_handicap) {
    int size = yo_go_game_size(gtp->game), stones, count;
    yo_go_point points[YO_GO_POINTS_MAX];
    enum yo_err err = yo_gtp_arg_int(line, 0, 2, size * size - 1, &stones, diag);
    if (err) return handicap_failed(diag);
    for (count = stones < 9 ? stones : 9; count > 0; count--)
        if (yo_go_handicap_points(size, count, points, NULL) == YO_OK) break;
    for (; count < stones; count++)
        points[count] = furthest(size, points, count);
    return put_handicap(gtp, points, stones, out, diag);
}

YO_GTP_HANDLER(set_free_handicap) {
    (void)out;
    yo_go_point points[YO_GO_POINTS_MAX];
    if (line->arg_count > YO_GO_POINTS_MAX)
        return yo_diag_set(diag, YO_ERR_RANGE, "bad vertex list: too many stones");
    for (size_t i = 0; i < line->arg_count; i++)
        if (yo_gtp_arg_point(gtp, line, i, &points[i], diag)) return handicap_failed(diag);
    if (yo_go_game_handicap_set(gtp->game, points, (int)line->arg_count, diag))
        return handicap_failed(diag);
    yo_gtp_record_drop(gtp);
    return YO_OK;
}

YO_GTP_HANDLER(get_handicap) {
    (void)line, (void)diag;
    yo_buf_printf(out, "%d", yo_go_game_handicap(gtp->game));
    return YO_OK;
}
