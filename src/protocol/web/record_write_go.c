/* record.write for Go: SGF. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "engine/go_note.h"
#include "game/go/sgf/info.h"
#include "game/go/sgf/line.h"
#include "protocol/web/record_write.h"

static enum yo_err set_go(struct web_writer *w, struct yo_sgf_node *node, const char *id,
                          const char *value) {
    enum yo_err err = yo_sgf_set(w->sgf, node, id, value);
    return err ? yo_diag_set(w->diag, err, "no memory for the record, or a text is not UTF-8")
               : YO_OK;
}

static enum yo_err put_points(struct web_writer *w, struct yo_sgf_node *node, const json_t *setup,
                              const char *key, const char *id) {
    json_t *list, *value;
    size_t i;
    int size = yo_go_game_size(w->start.go);
    enum yo_err err = yo_web_take_array(setup, key, YO_GO_POINTS_MAX, &list, w->diag);
    if (err) return err;
    json_array_foreach(list, i, value) {
        char text[3];
        yo_move point;
        err = yo_web_read_move(&w->start, yo_json_string(value), &point, w->diag);
        if (!err && point >= (yo_move)(size * size))
            err = yo_diag_set(w->diag, YO_ERR_PARSE, "%s: a pass is no point", key);
        if (!err && yo_sgf_add(w->sgf, node, id, yo_sgf_point_text((yo_go_point)point, size, text)))
            err = yo_web_record_no_memory(w);
        if (err) return err;
    }
    return YO_OK;
}

static enum yo_err put_setup(struct web_writer *w, size_t i) {
    json_t *setup;
    const char *turn = NULL;
    struct yo_sgf_node *node = w->go[i];
    enum yo_err err = yo_web_take_object(yo_web_record_node(w, i), "setup", &setup, w->diag);
    if (err || !setup) return err;
    err = yo_web_check_members(setup, "setup", "black white empty turn", w->diag);
    if (!err) err = put_points(w, node, setup, "black", "AB");
    if (!err) err = put_points(w, node, setup, "white", "AW");
    if (!err) err = put_points(w, node, setup, "empty", "AE");
    if (!err) err = yo_web_take_text(setup, "turn", &turn, w->diag);
    if (err || !turn) return err;
    w->to_move[i] = *turn == 'w' ? YO_GO_WHITE : YO_GO_BLACK;
    return set_go(w, node, "PL", *turn == 'w' ? "W" : "B");
}

static enum yo_err put_go_move(struct web_writer *w, size_t i) {
    const char *text = yo_json_string(json_object_get(yo_web_record_node(w, i), "move"));
    char point[3];
    yo_move move;
    if (!json_object_get(yo_web_record_node(w, i), "move")) return YO_OK;
    int color = w->to_move[i];
    if (text && (text[0] == 'b' || text[0] == 'w') && text[1] == ' ') {
        color = text[0] == 'b' ? YO_GO_BLACK : YO_GO_WHITE;
        text += 2;
    }
    enum yo_err err = yo_web_read_move(&w->start, text, &move, w->diag);
    if (err) return err;
    w->to_move[i] = (uint8_t)yo_go_other((enum yo_go_color)color);
    return set_go(w, w->go[i], color == YO_GO_BLACK ? "B" : "W",
                  yo_sgf_point_text((yo_go_point)move, yo_go_game_size(w->start.go), point));
}

static enum yo_err put_go_node(struct web_writer *w, size_t i) {
    int64_t parent;
    enum yo_err err = yo_web_record_parent(w, i, &parent);
    if (err) return err;
    if (i > 0) {
        if (yo_sgf_node_new(w->sgf, w->go[parent], &w->go[i])) return yo_web_record_no_memory(w);
        w->to_move[i] = w->to_move[parent];
        err = put_go_move(w, i);
        if (!err) err = put_setup(w, i);
    }
    const char *comment = yo_web_record_comment(yo_web_record_node(w, i));
    return err || !comment ? err : set_go(w, w->go[i], "C", comment);
}

static bool has_child_with(const struct yo_sgf_node *node, int size, yo_move move) {
    for (const struct yo_sgf_node *c = yo_sgf_child(node); c; c = yo_sgf_sibling(c)) {
        struct yo_go_played played;
        if (yo_sgf_next_move(c->first, size, &played) && played.move == move) return true;
    }
    return false;
}

/* The note that yomi analyze writes, and the better line where the game went another way. */
static enum yo_err put_go_found(struct web_writer *w, size_t i) {
    struct web_found f;
    enum yo_err err = yo_web_record_found(w, yo_web_record_node(w, i), &f);
    if (err || !f.known || f.length == 0) return err;
    enum yo_go_color to_move = (enum yo_go_color)w->to_move[i];
    bool black = to_move == YO_GO_BLACK;
    uint64_t visits[WEB_LINE];
    for (size_t k = 0; k < WEB_LINE; k++)
        visits[k] = (uint64_t)f.visits + 2; /* all of the line is shown */
    struct yo_search_move best = {.move = f.pv[0],
                                  .winrate_to_move = black ? f.winrate : 1 - f.winrate,
                                  .score_to_move = black ? f.score : -f.score,
                                  .visits = (uint64_t)f.visits + 1,
                                  .pv = f.pv,
                                  .pv_visits = visits,
                                  .pv_count = f.length};
    struct yo_search_result result = {.moves = &best, .move_count = 1};
    int size = yo_go_game_size(w->start.go);
    struct yo_sgf_node *node = w->go[i];
    bool differs = yo_sgf_child(node) && !has_child_with(node, size, f.pv[0]);
    err = yo_go_note_write(w->sgf, node, size, to_move, &result, (uint64_t)f.visits);
    if (!err && differs) err = yo_go_note_add_line(w->sgf, node, size, to_move, &best);
    return err ? yo_web_record_no_memory(w) : YO_OK;
}

static enum yo_err put_go_headers(struct web_writer *w, const json_t *headers) {
    struct yo_sgf_node *root = yo_sgf_root(w->sgf, 0);
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)headers, key, value) {
        const char *text = yo_json_string(value);
        for (const struct web_header *h = yo_web_headers; h->name; h++) {
            if (!h->sgf || strcmp(h->name, key) != 0 || !text || !*text) continue;
            enum yo_err err = set_go(w, root, h->sgf, text);
            if (err) return err;
        }
    }
    return YO_OK;
}

enum yo_err yo_web_write_go(struct web_writer *w, const json_t *headers, struct yo_buf *text) {
    char *sgf_text;
    size_t len;
    w->go = yo_alloc(w->count, sizeof *w->go);
    w->to_move = yo_alloc(w->count, sizeof *w->to_move);
    /* A record of the first position: size, rules, komi, handicap, setup. */
    if (!w->go || !w->to_move || yo_sgf_from_game(w->start.go, NULL, &w->sgf))
        return yo_web_record_no_memory(w);
    w->go[0] = yo_sgf_root(w->sgf, 0);
    w->to_move[0] = (uint8_t)yo_go_game_to_move(w->start.go);
    enum yo_err err = put_go_headers(w, headers);
    for (size_t i = 0; i < w->count && !err; i++)
        err = put_go_node(w, i);
    for (size_t i = 0; i < w->count && !err; i++)
        err = put_go_found(w, i);
    if (err) return err;
    if (yo_sgf_write(w->sgf, &sgf_text, &len)) return yo_web_record_no_memory(w);
    yo_buf_add(text, sgf_text, len);
    yo_sgf_free_text(sgf_text);
    return yo_buf_status(text) ? yo_web_record_no_memory(w) : YO_OK;
}
