/* The end of a game: the score and the dead stones. */
#include <string.h>

#include "game/go/region.h"
#include "protocol/gtp/internal.h"

YO_GTP_HANDLER(final_score) {
    (void)line;
    struct yo_judgement judgement;
    char text[16];
    enum yo_err err = yo_session_judge(gtp->session, &gtp->stop, &judgement, diag);
    if (!err) yo_buf_str(out, yo_go_score_format(&judgement.score, text));
    return err;
}

static const struct {
    const char *name;
    enum yo_judge_status status;
} statuses[] = {
    {"alive", YO_JUDGE_ALIVE},
    {"dead", YO_JUDGE_DEAD},
    {"seki", YO_JUDGE_SEKI},
};
#define STATUS_COUNT (sizeof statuses / sizeof statuses[0])

/* One string per line, as the standard suggests. */
static void put_strings(const struct yo_gtp *gtp, const struct yo_judgement *judgement,
                        enum yo_judge_status status, struct yo_buf *out) {
    uint8_t seen[YO_GO_POINTS_MAX] = {0}, colors[YO_GO_POINTS_MAX];
    int size = yo_go_game_size(gtp->game);
    yo_go_region_colors(gtp->game, NULL, colors);
    for (int p = 0; p < size * size; p++) {
        struct yo_go_region string;
        if (judgement->status[p] != status || seen[p]) continue;
        yo_go_region_find(size, colors, (yo_go_point)p, seen, &string);
        for (int i = 0; i < string.count; i++) {
            yo_buf_str(out, i ? " " : out->len ? "\n" : "");
            yo_gtp_put_point(gtp, out, string.points[i]);
        }
    }
}

/* The owner of an empty point, from the living stones around it. */
static const char *territory(const struct yo_gtp *gtp, const struct yo_judgement *judgement,
                             yo_go_point p) {
    uint8_t seen[YO_GO_POINTS_MAX] = {0}, colors[YO_GO_POINTS_MAX];
    struct yo_go_region region;
    yo_go_region_colors(gtp->game, judgement->dead, colors);
    yo_go_region_find(yo_go_game_size(gtp->game), colors, p, seen, &region);
    if (region.touches[YO_GO_BLACK] == region.touches[YO_GO_WHITE]) return "dame";
    return region.touches[YO_GO_BLACK] ? "black_territory" : "white_territory";
}

static const char *const territories[] = {"black_territory", "white_territory", "dame"};
#define TERRITORY_COUNT (sizeof territories / sizeof territories[0])

/* The empty points of a kind, all in one line; dead stones' points are their own status. */
static void put_territory(const struct yo_gtp *gtp, const struct yo_judgement *judgement,
                          const char *kind, struct yo_buf *out) {
    int size = yo_go_game_size(gtp->game);
    for (int p = 0; p < size * size; p++) {
        if (judgement->status[p] != YO_JUDGE_EMPTY) continue;
        if (strcmp(territory(gtp, judgement, (yo_go_point)p), kind) != 0) continue;
        if (out->len) yo_buf_char(out, ' ');
        yo_gtp_put_point(gtp, out, (yo_go_point)p);
    }
}

YO_GTP_HANDLER(final_status_list) {
    char quoted[48];
    const char *name = line->args[0];
    size_t status = 0, kind = 0;
    while (status < STATUS_COUNT && strcmp(statuses[status].name, name) != 0)
        status++;
    while (kind < TERRITORY_COUNT && strcmp(territories[kind], name) != 0)
        kind++;
    if (status == STATUS_COUNT && kind == TERRITORY_COUNT) {
        yo_diag_set(diag, YO_ERR_UNKNOWN, "syntax error: '%s' is no status",
                    yo_gtp_quote(name, quoted));
        yo_diag_hint(diag, "ask for alive, dead, seki, black_territory, white_territory or dame");
        return YO_ERR_UNKNOWN;
    }
    struct yo_judgement judgement;
    enum yo_err err = yo_session_judge(gtp->session, &gtp->stop, &judgement, diag);
    if (err) return err;
    if (status < STATUS_COUNT)
        put_strings(gtp, &judgement, statuses[status].status, out);
    else
        put_territory(gtp, &judgement, name, out);
    return YO_OK;
}

YO_GTP_HANDLER(final_status) {
    yo_go_point p;
    struct yo_judgement judgement;
    enum yo_err err = yo_gtp_arg_point(gtp, line, 0, &p, diag);
    if (!err) err = yo_session_judge(gtp->session, &gtp->stop, &judgement, diag);
    if (err) return err;
    for (size_t i = 0; i < STATUS_COUNT; i++)
        if (judgement.status[p] == statuses[i].status) yo_buf_str(out, statuses[i].name);
    if (judgement.status[p] == YO_JUDGE_EMPTY) yo_buf_str(out, territory(gtp, &judgement, p));
    return YO_OK;
}
