/* Commands that play, take back and generate moves. */
#include "game/go/state.h"
#include "protocol/gtp/internal.h"

YO_GTP_HANDLER(play) {
    (void)out;
    enum yo_go_color color;
    yo_go_point move;
    enum yo_err err = yo_gtp_arg_color(line, 0, &color, diag);
    if (!err) err = yo_gtp_arg_move(gtp, line, 1, &move, diag);
    return err ? err : yo_go_game_play(gtp->game, color, move, diag);
}

/* Plays all of the sequence or none of it. */
YO_GTP_HANDLER(play_sequence) {
    (void)out;
    if (line->arg_count % 2)
        return yo_diag_set(diag, YO_ERR_PARSE, "syntax error: colours and moves come in pairs");
    size_t played = yo_go_game_move_count(gtp->game);
    enum yo_go_color to_move = yo_go_game_to_move(gtp->game);
    for (size_t i = 0; i < line->arg_count; i += 2) {
        enum yo_go_color color;
        yo_go_point move;
        enum yo_err err = yo_gtp_arg_color(line, i, &color, diag);
        if (!err) err = yo_gtp_arg_move(gtp, line, i + 1, &move, diag);
        if (!err) err = yo_go_game_play(gtp->game, color, move, diag);
        if (err) {
            yo_go_game_rewind(gtp->game, played);
            yo_go_game_set_to_move(gtp->game, to_move);
            return err;
        }
    }
    return YO_OK;
}

static enum yo_err generate(struct yo_gtp *gtp, const struct yo_gtp_line *line, bool clean_up,
                            struct yo_buf *out, struct yo_diag *diag) {
    enum yo_go_color color;
    yo_go_point move;
    struct yo_search_result result;
    enum yo_err err = yo_gtp_arg_color(line, 0, &color, diag);
    struct yo_search_limits limits = {.clean_up = clean_up};
    if (!err)
        err = yo_session_find_move(gtp->session, color, &limits, &gtp->stop, NULL, NULL, &result,
                                   diag);
    if (!err) err = yo_session_play_best(gtp->session, color, !clean_up, &result, &move, diag);
    if (!err) yo_gtp_put_point(gtp, out, move);
    return err;
}

YO_GTP_HANDLER(genmove) { return generate(gtp, line, false, out, diag); }

YO_GTP_HANDLER(genmove_cleanup) { return generate(gtp, line, true, out, diag); }

YO_GTP_HANDLER(reg_genmove) {
    enum yo_go_color color;
    struct yo_search_result result;
    enum yo_err err = yo_gtp_arg_color(line, 0, &color, diag);
    /* For regression tests: the answer must not depend on earlier searches. */
    struct yo_search_limits limits = {0};
    yo_session_clear(gtp->session);
    if (!err)
        err = yo_session_think(gtp->session, color, &limits, &gtp->stop, NULL, NULL, &result, diag);
    if (!err) yo_gtp_put_point(gtp, out, (yo_go_point)result.moves[0].move);
    return err;
}

YO_GTP_HANDLER(undo) {
    (void)line, (void)out;
    enum yo_err err = yo_go_game_undo(gtp->game, diag);
    if (!err && gtp->tries > 0) gtp->tries--;
    return err;
}

YO_GTP_HANDLER(gg_undo) {
    (void)out;
    int moves = 1;
    enum yo_err err = YO_OK;
    if (line->arg_count > 0) err = yo_gtp_arg_int(line, 0, 0, 1000000, &moves, diag);
    if (err) return err;
    size_t played = yo_go_game_move_count(gtp->game);
    if ((size_t)moves > played)
        return yo_diag_set(diag, YO_ERR_STATE, "cannot undo: only %zu moves were played", played);
    yo_go_game_rewind(gtp->game, played - (size_t)moves);
    gtp->tries = gtp->tries > moves ? gtp->tries - moves : 0;
    return YO_OK;
}

/* GNU Go's scripts try a move, ask about the position, and take it back. */
YO_GTP_HANDLER(trymove) {
    enum yo_err err = yo_gtp_cmd_play(gtp, line, out, diag);
    if (!err) gtp->tries++;
    return err;
}

YO_GTP_HANDLER(popgo) {
    (void)line, (void)out;
    if (gtp->tries == 0) return yo_diag_set(diag, YO_ERR_STATE, "no move was tried");
    gtp->tries--;
    return yo_go_game_undo(gtp->game, diag);
}
