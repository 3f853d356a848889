#include "learn/netplay/sgf.h"

#include <stdio.h>

#include "base/diag.h"
#include "learn/netplay/go.h"
#include "yomi/sgf.h"

static void describe(const struct yo_netplay_record *record, const struct yo_netplay_step *step,
                     int size, char *out, size_t room) {
    if (step->kind == YO_NETPLAY_OPENING) {
        snprintf(out, room, "drawn by the policy");
        return;
    }
    int n = snprintf(out, room, "%s search: %.1f%%, %+.1f points",
                     step->kind == YO_NETPLAY_FULL ? "full" : "fast", 100.0 * step->win / 65535,
                     step->score2 / 2.0);
    for (unsigned i = 0; i < step->target_count && i < 10; i++) {
        const struct yo_netplay_target *t = &record->targets[step->target_at + i];
        char point[8];
        yo_go_point_format(t->move, size, point);
        n += snprintf(out + n, room - (size_t)n, "%s%s %u", i ? ", " : "\n", point, t->weight);
    }
}

static void result_text(const struct yo_netplay_record *record, char *out, size_t room) {
    const char *winner = record->outcome == YO_OUTCOME_FIRST ? "B" : "W";
    out[0] = '\0';
    if (record->outcome == YO_OUTCOME_DRAW)
        snprintf(out, room, "0");
    else if (record->end == YO_NETPLAY_RESIGNED)
        snprintf(out, room, "%s+R", winner);
    else if (record->outcome != YO_OUTCOME_NONE)
        snprintf(out, room, "%s+%.1f", winner,
                 (record->lead2 < 0 ? -record->lead2 : record->lead2) / 2.0);
}

static enum yo_err replay(const struct yo_netplay_record *record, struct yo_go_game *game,
                          struct yo_diag *diag) {
    enum yo_err err = YO_OK;
    for (size_t i = 0; i < record->step_count && !err; i++)
        err = yo_netplay_go.play(game, record->steps[i].move, diag);
    return err;
}

static enum yo_err comment(const struct yo_netplay_record *record, int size, struct yo_sgf *sgf) {
    struct yo_sgf_node *node = yo_sgf_root(sgf, 0);
    enum yo_err err = YO_OK;
    for (size_t i = 0; i < record->step_count && !err; i++) {
        char text[512];
        node = yo_sgf_child(node);
        if (!node) break;
        describe(record, &record->steps[i], size, text, sizeof text);
        err = yo_sgf_set(sgf, node, "C", text);
    }
    return err;
}

enum yo_err yo_netplay_sgf(const struct yo_netplay_record *record, struct yo_buf *out,
                           struct yo_diag *diag) {
    struct yo_go_game *game = NULL;
    struct yo_sgf *sgf = NULL;
    char result[24], *text = NULL;
    size_t len;
    void *made = NULL;
    if (record->game != YO_NETPLAY_GO)
        return yo_diag_set(diag, YO_ERR_UNSUPPORTED, "the record is not of a game of Go");
    enum yo_err err = yo_netplay_go.create(record->setup, record->setup_size, &made, diag);
    if (err) return err;
    game = made;
    result_text(record, result, sizeof result);
    err = replay(record, game, diag);
    if (!err) {
        err = yo_sgf_from_game(game, result[0] ? result : NULL, &sgf);
        if (!err) err = comment(record, yo_go_game_size(game), sgf);
        if (!err) err = yo_sgf_write(sgf, &text, &len);
        if (!err) yo_buf_add(out, text, len);
        if (!err) err = yo_buf_status(out);
        if (err) yo_diag_set(diag, err, "not enough memory");
        if (text) yo_sgf_free_text(text);
        if (sgf) yo_sgf_delete(sgf);
    }
    yo_go_game_delete(game);
    return err;
}
