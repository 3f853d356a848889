#include "cluster/lines.h"

#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"

/* ---- Writing ---- */

/* The text of a PV; NULL without memory. */
static char *write_pv(const struct yo_root *root, const struct yo_search_move *m, void *position) {
    const struct yo_game_ops *ops = yo_root_ops(root->kind);
    struct yo_buf text = {0};
    char word[16];
    size_t count = m->pv_count ? m->pv_count : 1;
    const yo_move *pv = m->pv_count ? m->pv : &m->move;
    ops->from_game(yo_root_game(root), position);
    for (size_t i = 0; i < count && i < YO_LINES_PV; i++) {
        yo_buf_printf(&text, "%s%s", i ? " " : "", ops->format(position, pv[i], word));
        if (i + 1 < count) ops->play(position, pv[i]);
    }
    char *copy = yo_buf_status(&text) ? NULL : yo_message_copy_text(yo_buf_text(&text));
    yo_buf_free(&text);
    return copy;
}

size_t yo_lines_write(const struct yo_root *root, const struct yo_search_result *result,
                      struct yo_message_line *lines, size_t room) {
    void *position = yo_alloc_aligned(yo_root_ops(root->kind)->position_size);
    size_t count = 0;
    if (!position) return 0;
    for (size_t i = 0; i < result->move_count && count < room; i++) {
        const struct yo_search_move *m = &result->moves[i];
        char *pv = write_pv(root, m, position);
        if (!pv) break;
        lines[count++] = (struct yo_message_line){.pv = pv,
                                                  .winrate = m->winrate_to_move,
                                                  .proven = m->proven,
                                                  .centipawns = m->centipawns,
                                                  .mate = m->mate,
                                                  .depth = m->depth,
                                                  .seldepth = m->seldepth,
                                                  .visits = (int64_t)m->visits,
                                                  .bound = m->bound,
                                                  .score = m->score_to_move,
                                                  .prior = m->prior};
    }
    yo_free_aligned(position);
    return count;
}

void yo_lines_free(struct yo_message_line *lines, size_t count) {
    for (size_t i = 0; i < count; i++) {
        yo_free(lines[i].pv);
        lines[i].pv = NULL;
    }
}

/* ---- Reading ---- */

static enum yo_err read_pv(const struct yo_game_ops *ops, const void *position, void *scratch,
                           const char *text, yo_move *pv, size_t *count, struct yo_diag *diag) {
    char word[16];
    *count = 0;
    memcpy(scratch, position, ops->position_size);
    while (*count < YO_LINES_PV && yo_root_word(&text, word)) {
        yo_move move;
        enum yo_err err = ops->parse(scratch, word, &move, diag);
        if (err && *count == 0) return err;
        if (err) break;
        pv[(*count)++] = move;
        ops->play(scratch, move);
        if (ops->outcome(scratch) != YO_OUTCOME_NONE) break;
    }
    return *count ? YO_OK : yo_diag_set(diag, YO_ERR_PARSE, "a line of a report has no move");
}

enum yo_err yo_lines_read(const struct yo_game_ops *ops, const void *position, void *scratch,
                          const struct yo_message *report, struct yo_lines *lines,
                          struct yo_diag *diag) {
    lines->result = (struct yo_search_result){
        .moves = lines->moves, .nodes = (uint64_t)report->nodes, .elapsed_ms = report->busy_ms};
    for (size_t i = 0; i < report->found_count; i++) {
        const struct yo_message_line *line = &report->found[i];
        struct yo_search_move *m = &lines->moves[i];
        *m = (struct yo_search_move){.winrate_to_move = line->winrate,
                                     .proven = line->proven,
                                     .centipawns = (int)line->centipawns,
                                     .mate = (int)line->mate,
                                     .depth = (int)line->depth,
                                     .seldepth = (int)line->seldepth,
                                     .visits = (uint64_t)line->visits,
                                     .bound = (enum yo_search_bound)line->bound,
                                     .score_to_move = line->score,
                                     .prior = line->prior,
                                     .pv = lines->pv[i]};
        if (line->winrate < 0 || line->prior < 0 || line->bound < YO_BOUND_UPPER)
            return yo_diag_set(diag, YO_ERR_RANGE, "a line of a report has values out of range");
        enum yo_err err = read_pv(ops, position, scratch, line->pv ? line->pv : "", lines->pv[i],
                                  &m->pv_count, diag);
        if (err) return err;
        m->move = m->pv[0];
        if (m->depth > lines->result.depth) lines->result.depth = m->depth;
    }
    lines->result.move_count = report->found_count;
    return YO_OK;
}

enum yo_err yo_lines_read_moves(const struct yo_game_ops *ops, const void *position,
                                const char *text, yo_move *out, size_t room, size_t *count,
                                struct yo_diag *diag) {
    char word[16];
    *count = 0;
    while (text && yo_root_word(&text, word)) {
        if (*count == room) return yo_diag_set(diag, YO_ERR_RANGE, "a list of moves is too long");
        enum yo_err err = ops->parse(position, word, &out[*count], diag);
        if (err) return err;
        ++*count;
    }
    return text && *text ? yo_diag_set(diag, YO_ERR_PARSE, "a word is too long for a move") : YO_OK;
}
