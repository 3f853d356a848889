/* The end of a game: who has won, and what is dead. */
#include <string.h>

#include "game/go/geometry.h"
#include "protocol/gtp_internal.h"

YO_GTP_HANDLER(final_score) {
    (void)line;
    struct yo_judgement judgement;
    char text[16];
    enum yo_err err = yo_gtp_judge(gtp, &judgement, diag);
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

/* Adds the string at p to a line of its own and marks it seen. */
static void put_string(const struct yo_gtp *gtp, struct yo_buf *out, yo_go_point p, uint8_t *seen) {
    const struct yo_go_geometry *g = yo_go_geometry(yo_go_game_size(gtp->game));
    yo_go_point queue[YO_GO_POINTS_MAX];
    int count = 0;
    queue[count++] = p;
    seen[p] = 1;
    for (int i = 0; i < count; i++) {
        yo_buf_str(out, i ? " " : out->len ? "\n" : "");
        yo_gtp_put_point(gtp, out, queue[i]);
        for (int d = 0; d < 4; d++) {
            unsigned q = g->nbr[queue[i]][d];
            if (q == YO_GO_OFF_POINT || seen[q]) continue;
            if (yo_go_game_at(gtp->game, (yo_go_point)q) != yo_go_game_at(gtp->game, p)) continue;
            seen[q] = 1;
            queue[count++] = (yo_go_point)q;
        }
    }
}

/* One string a line, as the standard suggests. */
YO_GTP_HANDLER(final_status_list) {
    char quoted[48];
    size_t wanted = 0;
    while (wanted < STATUS_COUNT && strcmp(statuses[wanted].name, line->args[0]) != 0)
        wanted++;
    if (wanted == STATUS_COUNT) {
        yo_diag_set(diag, YO_ERR_UNKNOWN, "syntax error: '%s' is no status",
                    yo_gtp_quote(line->args[0], quoted));
        yo_diag_hint(diag, "ask for alive, dead or seki");
        return YO_ERR_UNKNOWN;
    }
    struct yo_judgement judgement;
    enum yo_err err = yo_gtp_judge(gtp, &judgement, diag);
    if (err) return err;
    uint8_t seen[YO_GO_POINTS_MAX] = {0};
    int points = yo_go_game_size(gtp->game) * yo_go_game_size(gtp->game);
    for (int p = 0; p < points; p++)
        if (judgement.status[p] == statuses[wanted].status && !seen[p])
            put_string(gtp, out, (yo_go_point)p, seen);
    return YO_OK;
}

/* Of an empty point: whose territory, judged by the stones around it that are not dead. */
static const char *territory(const struct yo_gtp *gtp, const struct yo_judgement *judgement,
                             yo_go_point p) {
    const struct yo_go_geometry *g = yo_go_geometry(yo_go_game_size(gtp->game));
    yo_go_point queue[YO_GO_POINTS_MAX];
    uint8_t seen[YO_GO_POINTS_MAX] = {0};
    bool touches[4] = {false};
    int count = 0;
    queue[count++] = p;
    seen[p] = 1;
    for (int i = 0; i < count; i++)
        for (int d = 0; d < 4; d++) {
            unsigned q = g->nbr[queue[i]][d];
            if (q == YO_GO_OFF_POINT || seen[q]) continue;
            enum yo_go_color color = yo_go_game_at(gtp->game, (yo_go_point)q);
            if (judgement->dead[q]) color = YO_GO_EMPTY;
            touches[color] = true;
            if (color != YO_GO_EMPTY) continue;
            seen[q] = 1;
            queue[count++] = (yo_go_point)q;
        }
    if (touches[YO_GO_BLACK] == touches[YO_GO_WHITE]) return "dame";
    return touches[YO_GO_BLACK] ? "black_territory" : "white_territory";
}

YO_GTP_HANDLER(final_status) {
    yo_go_point p;
    struct yo_judgement judgement;
    enum yo_err err = yo_gtp_arg_point(gtp, line, 0, &p, diag);
    if (!err) err = yo_gtp_judge(gtp, &judgement, diag);
    if (err) return err;
    for (size_t i = 0; i < STATUS_COUNT; i++)
        if (judgement.status[p] == statuses[i].status) yo_buf_str(out, statuses[i].name);
    if (judgement.status[p] == YO_JUDGE_EMPTY) yo_buf_str(out, territory(gtp, &judgement, p));
    return YO_OK;
}
