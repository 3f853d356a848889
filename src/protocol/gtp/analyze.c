/* Reports during a search, in the forms of Leela Zero and KataGo, which Sabaki, Lizzie and others
 * read. Intervals are in hundredths of a second; winrates are those of the side to move. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/time.h"
#include "protocol/gtp/internal.h"

enum form { LZ, KATA };

/* The index of a pass in a list of points. */
enum { PASS = YO_GO_POINTS_MAX };

struct analysis {
    struct yo_gtp *gtp;
    struct yo_buf *out;
    enum form form;
    enum yo_go_color color;
    int interval_cs, max_moves;
    bool ownership, moves_ownership, root_info, pv_visits;
    int allows, avoids;     /* how often each was given */
    bool avoided[PASS + 1]; /* root moves to leave out */
    int64_t reported_ms;
};

/* ---- The arguments: a colour, an interval, and keys with values, all of which may be missing ----
 */

static enum yo_err read_flag(const struct yo_gtp_line *line, size_t i, bool *flag,
                             struct yo_diag *diag) {
    char quoted[48];
    *flag = strcasecmp(line->args[i], "true") == 0;
    if (*flag || strcasecmp(line->args[i], "false") == 0) return YO_OK;
    return yo_diag_set(diag, YO_ERR_PARSE, "syntax error: '%s' is neither true nor false",
                       yo_gtp_quote(line->args[i], quoted));
}

/* "D4,e5,pass" */
static enum yo_err read_points(struct analysis *a, const char *text, bool *named,
                               struct yo_diag *diag) {
    int size = yo_go_game_size(a->gtp->game);
    for (;;) {
        char word[8], quoted[48];
        size_t len = strcspn(text, ",");
        yo_go_point point;
        snprintf(word, sizeof word, "%.*s", (int)len, text);
        if (len >= sizeof word || yo_go_point_parse(word, size, &point, NULL) ||
            point == YO_GO_RESIGN)
            return yo_diag_set(diag, YO_ERR_PARSE, "syntax error: no points of this board: '%s'",
                               yo_gtp_quote(text, quoted));
        named[point == YO_GO_PASS ? PASS : point] = true;
        if (text[len] == '\0') return YO_OK;
        text += len + 1;
    }
}

/* "avoid COLOR POINTS DEPTH". Only root moves of the side to move are restricted. */
static enum yo_err read_scope(struct analysis *a, const struct yo_gtp_line *line, size_t i,
                              struct yo_diag *diag) {
    bool named[PASS + 1] = {false}, allow = line->args[i][1] == 'l';
    enum yo_go_color color;
    int depth;
    if (i + 3 >= line->arg_count)
        return yo_diag_set(diag, YO_ERR_PARSE,
                           "syntax error: %s wants a colour, points with commas, and a depth",
                           line->args[i]);
    enum yo_err err = yo_gtp_arg_color(line, i + 1, &color, diag);
    if (!err) err = read_points(a, line->args[i + 2], named, diag);
    if (!err) err = yo_gtp_arg_int(line, i + 3, 1, 1000000, &depth, diag);
    if (!err && ((allow && a->allows + a->avoids > 0) || (!allow && a->allows > 0)))
        err = yo_diag_set(diag, YO_ERR_PARSE,
                          "syntax error: allow can be there once, and not beside avoid");
    if (err) return err;
    a->allows += allow;
    a->avoids += !allow;
    for (int p = 0; p <= PASS && color == a->color; p++)
        a->avoided[p] = a->avoided[p] || named[p] != allow;
    return YO_OK;
}

/* Reads a key and its values; *count is the number of words used. */
static enum yo_err read_key(struct analysis *a, const struct yo_gtp_line *line, size_t i,
                            size_t *count, struct yo_diag *diag) {
    char quoted[48];
    int unused;
    const char *key = line->args[i];
    const struct {
        const char *key;
        bool *flag;
    } flags[] = {{"ownership", &a->ownership},
                 {"movesOwnership", &a->moves_ownership},
                 {"rootInfo", &a->root_info},
                 {"pvVisits", &a->pv_visits}};
    *count = 4;
    if (strcmp(key, "avoid") == 0 || strcmp(key, "allow") == 0) return read_scope(a, line, i, diag);
    *count = 2;
    if (i + 1 == line->arg_count)
        return yo_diag_set(diag, YO_ERR_PARSE, "syntax error: '%s' wants a value",
                           yo_gtp_quote(key, quoted));
    if (strcmp(key, "interval") == 0)
        return yo_gtp_arg_int(line, i + 1, 0, 100000000, &a->interval_cs, diag);
    if (strcmp(key, "maxmoves") == 0)
        return yo_gtp_arg_int(line, i + 1, 1, 100000, &a->max_moves, diag);
    if (strcmp(key, "minmoves") == 0) /* every searched move is reported anyway */
        return yo_gtp_arg_int(line, i + 1, 0, 100000, &unused, diag);
    for (size_t k = 0; k < sizeof flags / sizeof flags[0]; k++)
        if (strcmp(key, flags[k].key) == 0) return read_flag(line, i + 1, flags[k].flag, diag);
    yo_diag_set(diag, YO_ERR_UNKNOWN, "syntax error: '%s' is not supported",
                yo_gtp_quote(key, quoted));
    yo_diag_hint(diag, "keys are interval, minmoves, maxmoves, ownership, movesOwnership, "
                       "rootInfo, pvVisits, avoid, allow");
    return YO_ERR_UNKNOWN;
}

static enum yo_err read_arguments(struct analysis *a, const struct yo_gtp_line *line,
                                  struct yo_diag *diag) {
    size_t i = 0, count;
    a->color = yo_go_game_to_move(a->gtp->game);
    a->interval_cs = 50;
    a->max_moves = 100000;
    if (i < line->arg_count && yo_go_color_parse(line->args[i], &a->color, NULL) == YO_OK) i++;
    if (i < line->arg_count && strchr("+-.0123456789", line->args[i][0])) {
        enum yo_err err = yo_gtp_arg_int(line, i, 0, 100000000, &a->interval_cs, diag);
        if (err) return err;
        i++;
    }
    for (; i < line->arg_count; i += count) {
        enum yo_err err = read_key(a, line, i, &count, diag);
        if (err) return err;
    }
    return YO_OK;
}

static size_t list_avoided(const struct analysis *a, yo_move moves[PASS + 1]) {
    size_t count = 0;
    for (int p = 0; p < PASS; p++)
        if (a->avoided[p]) moves[count++] = (yo_move)p;
    if (a->avoided[PASS]) moves[count++] = YO_GO_PASS;
    return count;
}

/* ---- The reports ---- */

static void put_pv(const struct analysis *a, const struct yo_search_move *move) {
    yo_buf_str(a->out, " pv");
    for (size_t i = 0; i < move->pv_count; i++) {
        yo_buf_char(a->out, ' ');
        yo_gtp_put_point(a->gtp, a->out, (yo_go_point)move->pv[i]);
    }
    if (!a->pv_visits) return;
    yo_buf_str(a->out, " pvVisits");
    for (size_t i = 0; i < move->pv_count; i++)
        yo_buf_printf(a->out, " %" PRIu64, move->pv_visits[i]);
}

/* From the perspective of the side to move. */
static void put_ownership(const struct analysis *a, const char *name, const float *ownership) {
    int points = yo_go_game_size(a->gtp->game) * yo_go_game_size(a->gtp->game);
    double sign = a->color == YO_GO_BLACK ? 1 : -1;
    yo_buf_printf(a->out, " %s", name);
    for (int p = 0; p < points; p++)
        yo_buf_printf(a->out, " %.3f", sign * (double)ownership[p]);
}

/* Utility is from the win rate alone: a win is 1, a loss -1. */
static void put_kata_values(const struct analysis *a, const struct yo_search_move *move) {
    yo_buf_printf(a->out,
                  " utility %.6f winrate %.6f scoreMean %.3f scoreStdev %.3f scoreLead %.3f "
                  "scoreSelfplay %.3f prior %.6f lcb %.6f utilityLcb %.6f",
                  2 * move->winrate_to_move - 1, move->winrate_to_move, move->score_to_move,
                  move->score_stdev, move->score_to_move, move->score_to_move, move->prior,
                  move->lcb_to_move, 2 * move->lcb_to_move - 1);
}

static void put_info(const struct analysis *a, const struct yo_search_result *result,
                     size_t order) {
    struct yo_buf *out = a->out;
    const struct yo_search_move *move = &result->moves[order];
    yo_buf_str(out, order ? " info move " : "info move ");
    yo_gtp_put_point(a->gtp, out, (yo_go_point)move->move);
    yo_buf_printf(out, " visits %" PRIu64, move->visits);
    if (a->form == LZ)
        yo_buf_printf(out, " winrate %.0f prior %.0f lcb %.0f", 1e4 * move->winrate_to_move,
                      1e4 * move->prior, 1e4 * move->lcb_to_move);
    else
        put_kata_values(a, move);
    yo_buf_printf(out, " order %zu", order);
    put_pv(a, move);
    const float *ownership = move->ownership ? move->ownership : result->ownership;
    if (a->form == KATA && a->moves_ownership && ownership)
        put_ownership(a, "movesOwnership", ownership);
}

/* The mean over all moves, as in KataGo; bound and spread are the best move's. */
static void put_root_info(const struct analysis *a, const struct yo_search_result *result) {
    double winrate = yo_search_root_winrate(result), score = yo_search_root_score(result);
    uint64_t visits = 0;
    for (size_t i = 0; i < result->move_count; i++)
        visits += result->moves[i].visits;
    yo_buf_printf(a->out,
                  " rootInfo visits %" PRIu64 " utility %.6f winrate %.6f scoreMean %.3f "
                  "scoreStdev %.3f scoreLead %.3f scoreSelfplay %.3f",
                  visits, 2 * winrate - 1, winrate, score, result->moves[0].score_stdev, score,
                  score);
}

static void put_report(const struct analysis *a, const struct yo_search_result *result) {
    yo_buf_char(a->out, '\n');
    for (size_t i = 0; i < result->move_count && i < (size_t)a->max_moves; i++)
        put_info(a, result, i);
    if (a->form == KATA && a->root_info && result->move_count > 0) put_root_info(a, result);
    if (a->form == KATA && a->ownership && result->ownership)
        put_ownership(a, "ownership", result->ownership);
}

static void report(void *user, const struct yo_search_result *so_far) {
    struct analysis *a = user;
    int64_t now = yo_time_ms();
    if (a->interval_cs == 0 || now - a->reported_ms < 10 * (int64_t)a->interval_cs) return;
    a->reported_ms = now;
    put_report(a, so_far);
    yo_gtp_flush(a->gtp);
}

static enum yo_err analyze(struct yo_gtp *gtp, const struct yo_gtp_line *line, enum form form,
                           bool plays, struct yo_buf *out, struct yo_diag *diag) {
    struct analysis a = {.gtp = gtp, .out = out, .form = form, .reported_ms = yo_time_ms()};
    struct yo_search_result result;
    yo_move avoided[PASS + 1];
    enum yo_err err = read_arguments(&a, line, diag);
    struct yo_search_limits only = {.avoid = avoided,
                                    .avoid_count = list_avoided(&a, avoided),
                                    .ownership = a.ownership || a.moves_ownership,
                                    .moves_ownership = a.moves_ownership};
    if (!err) err = yo_gtp_analyze(gtp, a.color, &only, !plays, report, &a, &result, diag);
    if (err) return err;
    put_report(&a, &result);
    if (!plays) return YO_OK;
    yo_go_point move;
    err = yo_session_play_best(gtp->session, a.color, true, &result, &move, diag);
    if (err) return err;
    yo_buf_str(out, "\nplay ");
    yo_gtp_put_point(gtp, out, move);
    return YO_OK;
}

YO_GTP_HANDLER(lz_analyze) { return analyze(gtp, line, LZ, false, out, diag); }

YO_GTP_HANDLER(lz_genmove_analyze) { return analyze(gtp, line, LZ, true, out, diag); }

YO_GTP_HANDLER(kata_analyze) { return analyze(gtp, line, KATA, false, out, diag); }

YO_GTP_HANDLER(kata_genmove_analyze) { return analyze(gtp, line, KATA, true, out, diag); }
