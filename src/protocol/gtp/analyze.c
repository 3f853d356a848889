/* Reports during a search, in the forms of Leela Zero and KataGo, which Sabaki, Lizzie and others
 * read. Intervals are in hundredths of a second; winrates are those of the side to move. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/time.h"
#include "protocol/gtp/internal.h"

enum form { LZ, KATA, NO_REPORTS };

/* What a command reports, what ends its search, and whether the move is played. */
struct kind {
    enum form form;
    enum yo_gtp_end end;
    bool plays;
};

/* The index of a pass in a list of points. */
enum { PASS = YO_GO_POINTS_MAX };

struct analysis {
    struct yo_gtp *gtp;
    struct yo_buf *out;
    enum form form;
    enum yo_go_color color;
    int interval_cs, max_moves;
    bool ownership, ownership_stdev, moves_ownership, moves_ownership_stdev;
    bool root_info, pv_visits, pv_edge_visits, no_result;
    int allows, avoids;     /* how often each was given */
    bool avoided[PASS + 1]; /* root moves to leave out */
    bool allowed[PASS + 1]; /* if `restricted`: all others are left out */
    bool restricted;
    bool begun; /* the first line is out */
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
    if (!err && (allow ? a->avoids : a->allows) > 0)
        err = yo_diag_set(diag, YO_ERR_PARSE, "syntax error: allow and avoid exclude each other");
    if (err) return err;
    a->allows += allow;
    a->avoids += !allow;
    if (color != a->color) return YO_OK;
    a->restricted = a->restricted || allow;
    for (int p = 0; p <= PASS; p++) {
        bool *list = allow ? a->allowed : a->avoided;
        list[p] = list[p] || named[p];
    }
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
                 {"ownershipStdev", &a->ownership_stdev},
                 {"movesOwnership", &a->moves_ownership},
                 {"movesOwnershipStdev", &a->moves_ownership_stdev},
                 {"rootInfo", &a->root_info},
                 {"pvVisits", &a->pv_visits},
                 {"pvEdgeVisits", &a->pv_edge_visits},
                 {"noResultValue", &a->no_result}};
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
    yo_diag_hint(diag, "keys are interval, minmoves, maxmoves, ownership, ownershipStdev, "
                       "movesOwnership, movesOwnershipStdev, rootInfo, pvVisits, pvEdgeVisits, "
                       "noResultValue, avoid, allow");
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

static size_t list(const bool named[PASS + 1], yo_move moves[PASS + 1]) {
    size_t count = 0;
    for (int p = 0; p < PASS; p++)
        if (named[p]) moves[count++] = (yo_move)p;
    if (named[PASS]) moves[count++] = YO_GO_PASS;
    return count;
}

/* Without a legal move that is left, a pass is analysed; the client's log says why. */
static void warn_of_no_move(const struct analysis *a, const struct yo_search_limits *limits) {
    const struct yo_gtp_config *config = &a->gtp->config;
    int size = yo_go_game_size(a->gtp->game);
    if (yo_search_allows(limits, YO_GO_PASS)) return;
    for (int p = 0; p < size * size; p++)
        if (yo_search_allows(limits, (yo_move)p) &&
            yo_go_game_legal(a->gtp->game, a->color, (yo_go_point)p))
            return;
    if (config->notice)
        config->notice(config->user, "no move that is left is legal: a pass is analysed");
}

/* ---- The reports ---- */

static void put_pv(const struct analysis *a, const struct yo_search_move *move) {
    yo_buf_str(a->out, " pv");
    for (size_t i = 0; i < move->pv_count; i++) {
        yo_buf_char(a->out, ' ');
        yo_gtp_put_point(a->gtp, a->out, (yo_go_point)move->pv[i]);
    }
    /* The two are the same: positions are not joined. */
    const char *names[] = {a->pv_visits ? " pvVisits" : NULL,
                           a->pv_edge_visits ? " pvEdgeVisits" : NULL};
    for (size_t k = 0; k < 2; k++) {
        if (!names[k]) continue;
        yo_buf_str(a->out, names[k]);
        for (size_t i = 0; i < move->pv_count; i++)
            yo_buf_printf(a->out, " %" PRIu64, move->pv_visits[i]);
    }
}

/* From the perspective of the side to move. */
static void put_ownership(const struct analysis *a, const char *name, const float *ownership) {
    int points = yo_go_game_size(a->gtp->game) * yo_go_game_size(a->gtp->game);
    double sign = a->color == YO_GO_BLACK ? 1 : -1;
    yo_buf_printf(a->out, " %s", name);
    for (int p = 0; p < points; p++)
        yo_buf_printf(a->out, " %.3f", sign * (double)ownership[p]);
}

/* Where the search does not know the spread over the tree: that of a point which is one side's or
 * the other's with the chances that its ownership stands for. */
static void put_stdev(const struct analysis *a, const char *name, const float *ownership,
                      const float *stdev) {
    int points = yo_go_game_size(a->gtp->game) * yo_go_game_size(a->gtp->game);
    yo_buf_printf(a->out, " %s", name);
    for (int p = 0; p < points; p++)
        yo_buf_printf(a->out, " %.3f",
                      stdev ? (double)stdev[p]
                            : (double)sqrtf(fmaxf(0, 1 - ownership[p] * ownership[p])));
}

static void put_kata_values(const struct analysis *a, const struct yo_search_move *move) {
    yo_buf_printf(a->out,
                  " edgeVisits %" PRIu64 " utility %.6f winrate %.6f scoreMean %.3f "
                  "scoreStdev %.3f scoreLead %.3f scoreSelfplay %.3f prior %.6f lcb %.6f "
                  "utilityLcb %.6f weight %.3f",
                  move->visits, yo_search_utility(move), move->winrate_to_move, move->score_to_move,
                  move->score_stdev, move->score_to_move, move->score_to_move, move->prior,
                  move->lcb_to_move, yo_search_utility_lcb(move), yo_search_weight(move));
}

/* The chance of a game without result, as the network gives it for the root; only repetition that
 * the rules allow leads to one. */
static double no_result(const struct analysis *a, const struct yo_search_result *result) {
    bool possible = yo_go_game_rules(a->gtp->game)->ko == YO_GO_KO_SIMPLE;
    return possible && result->raw ? (double)result->raw->draw : 0;
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
    if (a->form == KATA && a->no_result)
        yo_buf_printf(out, " noResultValue %.6f", no_result(a, result));
    yo_buf_printf(out, " order %zu", order);
    put_pv(a, move);
    const float *ownership = move->ownership ? move->ownership : result->ownership;
    const float *stdev = move->ownership ? move->ownership_stdev : result->ownership_stdev;
    if (a->form != KATA || !ownership) return;
    if (a->moves_ownership) put_ownership(a, "movesOwnership", ownership);
    if (a->moves_ownership_stdev) put_stdev(a, "movesOwnershipStdev", ownership, stdev);
}

/* The mean over all moves, as in KataGo; bound and spread are the best move's. */
static void put_root_info(const struct analysis *a, const struct yo_search_result *result) {
    double winrate = yo_search_root_winrate(result), score = yo_search_root_score(result);
    yo_buf_printf(a->out,
                  " rootInfo visits %" PRIu64 " utility %.6f winrate %.6f scoreMean %.3f "
                  "scoreStdev %.3f scoreLead %.3f scoreSelfplay %.3f weight %.3f",
                  yo_search_root_visits(result), yo_search_root_utility(result), winrate, score,
                  result->moves[0].score_stdev, score, score, yo_search_root_weight(result));
    const struct yo_eval_value *raw = result->raw;
    if (a->no_result) yo_buf_printf(a->out, " noResultValue %.6f", no_result(a, result));
    if (!raw) return;
    yo_buf_printf(a->out,
                  " rawWinrate %.6f rawLead %.3f rawScoreSelfplay %.3f rawScoreSelfplayStdev %.3f "
                  "rawNoResultProb %.6f rawStWrError %.6f rawStScoreError %.3f rawVarTimeLeft %.3f",
                  (double)raw->win + 0.5 * (double)raw->draw, (double)raw->score_lead,
                  (double)raw->score_mean, (double)raw->score_stdev, (double)raw->draw,
                  raw->win_error < 0 ? -1 : (double)raw->win_error, (double)raw->score_error,
                  (double)raw->time_left);
}

/* The line of the mark and the id: GUIs that read lines know then that the command was understood.
 */
static void put_first_line(struct analysis *a) {
    if (!a->begun) yo_buf_char(a->out, '\n');
    a->begun = true;
}

static void put_report(struct analysis *a, const struct yo_search_result *result) {
    put_first_line(a);
    for (size_t i = 0; i < result->move_count && i < (size_t)a->max_moves; i++)
        put_info(a, result, i);
    if (a->form == KATA && a->root_info && result->move_count > 0) put_root_info(a, result);
    if (a->form == KATA && a->ownership && result->ownership)
        put_ownership(a, "ownership", result->ownership);
    if (a->form == KATA && a->ownership_stdev && result->ownership)
        put_stdev(a, "ownershipStdev", result->ownership, result->ownership_stdev);
    yo_buf_char(a->out, '\n');
}

static void report(void *user, const struct yo_search_result *so_far) {
    struct analysis *a = user;
    int64_t now = yo_time_ms();
    bool due = a->interval_cs > 0 && now - a->reported_ms >= 10 * (int64_t)a->interval_cs;
    if (a->begun && !due) return;
    put_first_line(a);
    if (due) {
        a->reported_ms = now;
        put_report(a, so_far);
    }
    yo_gtp_flush(a->gtp);
}

/* The move that genmove would play; `plays`: and plays it. */
static enum yo_err put_move(struct yo_gtp *gtp, enum yo_go_color color, bool plays,
                            const struct yo_search_result *result, struct yo_buf *out,
                            struct yo_diag *diag) {
    yo_go_point move;
    enum yo_err err = plays ? yo_session_play_best(gtp->session, color, true, result, &move, diag)
                            : yo_session_choose_best(gtp->session, color, result, &move, diag);
    if (!err) yo_gtp_put_point(gtp, out, move);
    return err;
}

static enum yo_err analyze(struct yo_gtp *gtp, const struct yo_gtp_line *line,
                           const struct kind *kind, struct yo_buf *out, struct yo_diag *diag) {
    struct analysis a = {.gtp = gtp, .out = out, .form = kind->form, .reported_ms = yo_time_ms()};
    struct yo_search_result result;
    yo_move avoided[PASS + 1], allowed[PASS + 1];
    enum yo_err err = read_arguments(&a, line, diag);
    bool by_move = a.moves_ownership || a.moves_ownership_stdev, reports = a.form != NO_REPORTS;
    struct yo_search_limits only = {.only = a.restricted ? allowed : NULL,
                                    .only_count = list(a.allowed, allowed),
                                    .avoid = avoided,
                                    .avoid_count = list(a.avoided, avoided),
                                    .ownership = a.ownership || a.ownership_stdev || by_move,
                                    .moves_ownership = by_move,
                                    .whole = kind->end == YO_GTP_BY_INPUT};
    if (!err) warn_of_no_move(&a, &only);
    if (!err)
        err = yo_gtp_analyze(gtp, a.color, &only, kind->end, reports ? report : NULL, &a, &result,
                             diag);
    if (err) return err;
    if (reports) put_report(&a, &result);
    if (kind->end == YO_GTP_BY_INPUT) return YO_OK;
    if (reports) yo_buf_str(out, "play ");
    if (kind->end == YO_GTP_BY_LIMITS || !yo_gtp_gave_way(gtp))
        return put_move(gtp, a.color, kind->plays, &result, out, diag);
    yo_buf_str(out, "cancelled");
    return YO_OK;
}

#define COMMAND(name, form_, end_, plays_)                                                         \
    YO_GTP_HANDLER(name) {                                                                         \
        static const struct kind kind = {form_, YO_GTP_BY_##end_, plays_};                         \
        return analyze(gtp, line, &kind, out, diag);                                               \
    }

COMMAND(lz_analyze, LZ, INPUT, false)
COMMAND(lz_genmove_analyze, LZ, LIMITS, true)
COMMAND(kata_analyze, KATA, INPUT, false)
COMMAND(kata_genmove_analyze, KATA, LIMITS, true)
COMMAND(kata_search, NO_REPORTS, LIMITS, false)
COMMAND(kata_search_cancellable, NO_REPORTS, EITHER, false)
COMMAND(kata_search_analyze, KATA, LIMITS, false)
COMMAND(kata_search_analyze_cancellable, KATA, EITHER, false)
