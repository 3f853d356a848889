/* GoGui: its analyze commands, position setup, and heat maps of search results. */
#include <string.h>

#include "protocol/gtp/internal.h"

YO_GTP_HANDLER(gogui_analyze_commands) {
    (void)gtp, (void)line, (void)diag;
    yo_buf_str(out, "gfx/Best Moves/yomi-best_moves\n"
                    "dboard/Ownership/yomi-ownership\n"
                    "dboard/Win Rates/yomi-winrates\n"
                    "sboard/Visits/yomi-visits\n"
                    "dboard/RAVE/yomi-rave\n"
                    "dboard/Prior/yomi-prior\n"
                    "hstring/Playout Histogram/yomi-histogram\n"
                    "string/Final Score/final_score\n"
                    "plist/Final Status Alive/final_status_list alive\n"
                    "plist/Final Status Dead/final_status_list dead\n"
                    "plist/Final Status Seki/final_status_list seki\n"
                    "plist/All Legal/all_legal %c\n"
                    "plist/Liberties/findlib %p\n"
                    "string/Captures/captures %c\n"
                    "hstring/Show Board/showboard\n"
                    "hstring/Move History/move_history\n"
                    "string/Rules/kata-get-rules\n"
                    "none/Clear Cache/clear_cache\n"
                    "param/Parameters/yomi-param");
    return YO_OK;
}

/* GoGui takes this command as a sign that the engine supports the comment "# interrupt". */
YO_GTP_HANDLER(gogui_interrupt) {
    (void)gtp, (void)line, (void)out, (void)diag;
    return YO_OK;
}

YO_GTP_HANDLER(gogui_setup) {
    (void)out;
    int size = yo_go_game_size(gtp->game);
    uint8_t colors[YO_GO_POINTS_MAX];
    for (int p = 0; p < size * size; p++)
        colors[p] = (uint8_t)yo_go_game_at(gtp->game, (yo_go_point)p);
    if (line->arg_count % 2)
        return yo_diag_set(diag, YO_ERR_PARSE, "syntax error: colours and points come in pairs");
    for (size_t i = 0; i < line->arg_count; i += 2) {
        enum yo_go_color color = YO_GO_EMPTY;
        yo_go_point p;
        bool takes_away = strcmp(line->args[i], "e") == 0 || strcmp(line->args[i], "empty") == 0;
        enum yo_err err = takes_away ? YO_OK : yo_gtp_arg_color(line, i, &color, diag);
        if (!err) err = yo_gtp_arg_point(gtp, line, i + 1, &p, diag);
        if (err) return err;
        colors[p] = (uint8_t)color;
    }
    enum yo_err err = yo_go_game_setup(gtp->game, colors, yo_go_game_to_move(gtp->game), diag);
    if (!err) yo_gtp_record_drop(gtp);
    return err;
}

YO_GTP_HANDLER(gogui_setup_player) {
    (void)out;
    enum yo_go_color color;
    enum yo_err err = yo_gtp_arg_color(line, 0, &color, diag);
    if (!err) yo_go_game_set_to_move(gtp->game, color);
    return err;
}

/* ---- Heat maps: a search for the side to move, or for the colour that is named ---- */

typedef void (*paint_fn)(const struct yo_gtp *gtp, enum yo_go_color color,
                         const struct yo_search_result *result, struct yo_buf *out);

static enum yo_err paint(struct yo_gtp *gtp, const struct yo_gtp_line *line, paint_fn put,
                         struct yo_buf *out, struct yo_diag *diag) {
    struct yo_search_result result;
    enum yo_go_color color = yo_go_game_to_move(gtp->game);
    enum yo_err err = YO_OK;
    if (line->arg_count > 0) err = yo_gtp_arg_color(line, 0, &color, diag);
    struct yo_search_limits limits = {.ownership = true};
    if (!err)
        err = yo_session_think(gtp->session, color, &limits, &gtp->stop, NULL, NULL, &result, diag);
    if (!err) put(gtp, color, &result, out);
    return err;
}

static void put_cell_end(const struct yo_gtp *gtp, struct yo_buf *out, int p) {
    yo_buf_char(out, (p + 1) % yo_go_game_size(gtp->game) ? ' ' : '\n');
}

static void put_map(const struct yo_gtp *gtp, struct yo_buf *out, const float *values) {
    int points = yo_go_game_size(gtp->game) * yo_go_game_size(gtp->game);
    yo_buf_char(out, '\n');
    for (int p = 0; p < points; p++) {
        yo_buf_printf(out, "%.3f", (double)values[p]);
        put_cell_end(gtp, out, p);
    }
}

static void put_ownership(const struct yo_gtp *gtp, enum yo_go_color color,
                          const struct yo_search_result *result, struct yo_buf *out) {
    (void)color;
    static const float none[YO_GO_POINTS_MAX];
    put_map(gtp, out, result->ownership ? result->ownership : none);
}

/* +1 is a certain win for Black, as GoGui draws it. */
static float for_black(enum yo_go_color color, double winrate_to_move) {
    float balance = (float)(2 * winrate_to_move - 1);
    return color == YO_GO_BLACK ? balance : -balance;
}

/* Points that were not searched stay 0. */
static void put_winrates(const struct yo_gtp *gtp, enum yo_go_color color,
                         const struct yo_search_result *result, struct yo_buf *out) {
    float values[YO_GO_POINTS_MAX] = {0};
    for (size_t i = 0; i < result->move_count; i++) {
        const struct yo_search_move *m = &result->moves[i];
        if (m->move < YO_GO_POINTS_MAX) values[m->move] = for_black(color, m->winrate_to_move);
    }
    put_map(gtp, out, values);
}

/* The same over all playouts in which the side to move played the point at any time. */
static void put_rave(const struct yo_gtp *gtp, enum yo_go_color color,
                     const struct yo_search_result *result, struct yo_buf *out) {
    float values[YO_GO_POINTS_MAX] = {0};
    for (size_t i = 0; i < result->move_count; i++) {
        const struct yo_search_move *m = &result->moves[i];
        if (m->move < YO_GO_POINTS_MAX && m->rave_visits > 0)
            values[m->move] = for_black(color, m->rave_to_move);
    }
    put_map(gtp, out, values);
}

/* Scaled so that the largest prior is 1: on a large board all priors are small. */
static void put_prior(const struct yo_gtp *gtp, enum yo_go_color color,
                      const struct yo_search_result *result, struct yo_buf *out) {
    (void)color;
    float values[YO_GO_POINTS_MAX] = {0};
    double most = 0;
    for (size_t i = 0; i < result->prior_count; i++)
        if (result->priors[i].share > most) most = result->priors[i].share;
    for (size_t i = 0; i < result->prior_count; i++)
        if (result->priors[i].move < YO_GO_POINTS_MAX)
            values[result->priors[i].move] = (float)(result->priors[i].share / most);
    put_map(gtp, out, values);
}

static void put_visits(const struct yo_gtp *gtp, enum yo_go_color color,
                       const struct yo_search_result *result, struct yo_buf *out) {
    (void)color;
    uint64_t visits[YO_GO_POINTS_MAX] = {0};
    for (size_t i = 0; i < result->move_count; i++)
        if (result->moves[i].move < YO_GO_POINTS_MAX)
            visits[result->moves[i].move] = result->moves[i].visits;
    int points = yo_go_game_size(gtp->game) * yo_go_game_size(gtp->game);
    yo_buf_char(out, '\n');
    for (int p = 0; p < points; p++) {
        if (visits[p])
            yo_buf_printf(out, "%llu", (unsigned long long)visits[p]);
        else
            yo_buf_str(out, "\"\"");
        put_cell_end(gtp, out, p);
    }
}

/* The ten best moves with their win rates in percent; the best one is marked. */
static void put_best_moves(const struct yo_gtp *gtp, enum yo_go_color color,
                           const struct yo_search_result *result, struct yo_buf *out) {
    for (size_t i = 0; i < result->move_count && i < 10; i++) {
        const struct yo_search_move *m = &result->moves[i];
        if (m->move >= YO_GO_POINTS_MAX) continue;
        yo_buf_str(out, "LABEL ");
        yo_gtp_put_point(gtp, out, (yo_go_point)m->move);
        yo_buf_printf(out, " %.0f\n", 100 * m->winrate_to_move);
    }
    const struct yo_search_move *best = &result->moves[0];
    if (best->move < YO_GO_POINTS_MAX) {
        yo_buf_str(out, "CIRCLE ");
        yo_gtp_put_point(gtp, out, (yo_go_point)best->move);
        yo_buf_char(out, '\n');
    }
    yo_buf_printf(out, "TEXT %s ", yo_gtp_color_name(color));
    yo_gtp_put_point(gtp, out, (yo_go_point)best->move);
    unsigned long long visits = yo_search_root_visits(result); /* those of a kept tree too */
    yo_buf_printf(out, " wins %.1f%%, %llu visit%s", 100 * best->winrate_to_move, visits,
                  visits == 1 ? "" : "s");
}

YO_GTP_HANDLER(yomi_ownership) { return paint(gtp, line, put_ownership, out, diag); }
YO_GTP_HANDLER(yomi_winrates) { return paint(gtp, line, put_winrates, out, diag); }
YO_GTP_HANDLER(yomi_rave) { return paint(gtp, line, put_rave, out, diag); }
YO_GTP_HANDLER(yomi_prior) { return paint(gtp, line, put_prior, out, diag); }
YO_GTP_HANDLER(yomi_visits) { return paint(gtp, line, put_visits, out, diag); }
YO_GTP_HANDLER(yomi_best_moves) { return paint(gtp, line, put_best_moves, out, diag); }
