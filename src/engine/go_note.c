#include "engine/go_note.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "game/go/sgf/line.h"

#define MARK     "Yomi: "
#define PV_MAX   10
#define PV_LEAST 2 /* least visits of a move in a variation */

static bool is_ours(const char *line) { return strncmp(line, MARK, strlen(MARK)) == 0; }

struct yo_sgf_node *yo_go_note_variation(const struct yo_sgf_node *node) {
    for (struct yo_sgf_node *child = yo_sgf_child(node); child; child = yo_sgf_sibling(child)) {
        const char *comment = yo_sgf_get(child, "C", 0);
        if (child != yo_sgf_child(node) && comment && is_ours(comment)) return child;
    }
    return NULL;
}

static bool has_own_comment(const struct yo_sgf_node *node) {
    const char *comment = yo_sgf_get(node, "C", 0);
    for (; comment; comment = strchr(comment, '\n')) {
        comment += *comment == '\n';
        if (is_ours(comment)) return true;
    }
    return false;
}

bool yo_go_note_read(const struct yo_sgf_node *node, double *rate) {
    const char *value = has_own_comment(node) ? yo_sgf_get(node, "SBKV", 0) : NULL;
    char *end;
    double percent = value ? strtod(value, &end) : 0;
    if (!value || end == value || !(percent >= 0 && percent <= 100)) return false;
    *rate = percent / 100;
    return true;
}

/* Copies the lines of a comment that are not ours. */
static void keep_others_lines(const char *comment, struct yo_buf *out) {
    while (comment && *comment) {
        size_t len = strcspn(comment, "\n");
        size_t with_end = len + (comment[len] == '\n');
        if (!is_ours(comment)) yo_buf_add(out, comment, with_end);
        comment += with_end;
    }
}

enum yo_err yo_go_note_forget(struct yo_sgf *sgf, struct yo_sgf_node *node) {
    if (!has_own_comment(node)) return YO_OK;
    struct yo_buf comment = {0};
    keep_others_lines(yo_sgf_get(node, "C", 0), &comment);
    enum yo_err err = yo_buf_status(&comment);
    if (!err) err = yo_sgf_set(sgf, node, "C", yo_buf_text(&comment));
    yo_buf_free(&comment);
    return err;
}

static void put_line(struct yo_buf *out, const struct yo_search_move *m, int size) {
    char point[8];
    for (size_t i = 0; i < m->pv_count && i < PV_MAX; i++) {
        if (i > 0 && m->pv_visits[i] < PV_LEAST) break; /* the first is what to play in any case */
        yo_buf_printf(out, " %s", yo_go_point_format((yo_go_point)m->pv[i], size, point));
    }
}

enum yo_err yo_go_note_write(struct yo_sgf *sgf, struct yo_sgf_node *node, int size,
                             enum yo_go_color to_move, const struct yo_search_result *result,
                             uint64_t visits) {
    const struct yo_search_move *best = &result->moves[0];
    double rate = yo_search_root_winrate(result), lead = yo_search_root_score(result);
    if (to_move == YO_GO_WHITE) {
        rate = 1 - rate;
        lead = -lead;
    }
    struct yo_buf comment = {0};
    char percent[16];
    keep_others_lines(yo_sgf_get(node, "C", 0), &comment);
    if (comment.len && comment.data[comment.len - 1] != '\n') yo_buf_char(&comment, '\n');
    yo_buf_printf(&comment,
                  MARK "Black wins %.1f%%, White %.1f%%; %s is ahead by %.1f points (%llu "
                       "visit%s)\n",
                  100 * rate, 100 - 100 * rate, lead >= 0 ? "Black" : "White",
                  lead >= 0 ? lead : -lead, (unsigned long long)visits, visits == 1 ? "" : "s");
    yo_buf_printf(&comment, MARK "%s should play", to_move == YO_GO_BLACK ? "Black" : "White");
    put_line(&comment, best, size);
    snprintf(percent, sizeof percent, "%.2f", 100 * rate);
    enum yo_err err = yo_buf_status(&comment);
    if (!err) err = yo_sgf_set(sgf, node, "C", yo_buf_text(&comment));
    if (!err) err = yo_sgf_set(sgf, node, "SBKV", percent);
    yo_buf_free(&comment);
    return err;
}

enum yo_err yo_go_note_add_line(struct yo_sgf *sgf, struct yo_sgf_node *node, int size,
                                enum yo_go_color to_move, const struct yo_search_move *best) {
    enum yo_go_color color = to_move;
    enum yo_err err = YO_OK;
    for (size_t i = 0; i < best->pv_count && i < PV_MAX && !err; i++) {
        char text[3], comment[48];
        if (i > 0 && best->pv_visits[i] < PV_LEAST) break;
        err = yo_sgf_node_new(sgf, node, &node);
        if (!err)
            err = yo_sgf_set(sgf, node, color == YO_GO_BLACK ? "B" : "W",
                             yo_sgf_point_text((yo_go_point)best->pv[i], size, text));
        if (!err && i == 0) {
            snprintf(comment, sizeof comment, MARK "%s wins %.1f%%",
                     color == YO_GO_BLACK ? "Black" : "White", 100 * best->winrate_to_move);
            err = yo_sgf_set(sgf, node, "C", comment);
        }
        color = yo_go_other(color);
    }
    return err;
}
