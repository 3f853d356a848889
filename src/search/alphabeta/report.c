/* Reports and results in the form of search.h. */
#include "base/alloc.h"
#include "base/time.h"
#include "search/alphabeta/internal.h"

/* TRYING_EVERY_MS limits the reports of the current root move. */
enum { TRYING_EVERY_MS = 500, LINE_MAX = YO_AB_PLY_MAX + 1 };

enum yo_err yo_ab_lines_reserve(struct ab_shared *s) {
    size_t count = s->limits.lines > 1 ? s->limits.lines : 1;
    if (count > YO_SHOGI_LIST) count = YO_SHOGI_LIST;
    if (count <= s->line_room) return YO_OK;
    void *lines = yo_realloc(s->lines, count, sizeof *s->lines);
    if (lines) s->lines = lines;
    void *moves = yo_realloc(s->line_moves, count * LINE_MAX, sizeof *s->line_moves);
    if (moves) s->line_moves = moves;
    if (!lines || !moves) return YO_ERR_NOMEM;
    s->line_room = count;
    return YO_OK;
}

void yo_ab_lines_free(struct ab_shared *s) {
    yo_free(s->lines);
    yo_free(s->line_moves);
}

size_t yo_ab_line_count(const struct ab_worker *w) {
    size_t wanted = w->shared->limits.lines;
    if (wanted < 1) wanted = 1;
    return wanted < w->root_count ? wanted : w->root_count;
}

/* ---- Scores ---- */

/* -AB_INFINITE: the move has no score yet. */
static void put_score(struct yo_search_move *m, int score) {
    if (score >= YO_AB_MATE_FROM)
        m->mate = YO_AB_MATE - score;
    else if (score <= -YO_AB_MATE_FROM && score > -AB_INFINITE)
        m->mate = -(YO_AB_MATE + score);
    else if (score > -AB_INFINITE)
        m->centipawns = score;
    else
        m->bound = YO_BOUND_UNKNOWN;
    m->proven = m->mate != 0;
    m->winrate_to_move = m->proven ? m->mate > 0 : yo_search_winrate_of(m->centipawns);
}

int yo_ab_score(const struct yo_search_result *result) {
    if (result->move_count == 0) return -YO_AB_MATE;
    const struct yo_search_move *m = &result->moves[0];
    return !m->mate ? m->centipawns : m->mate > 0 ? YO_AB_MATE - m->mate : -YO_AB_MATE - m->mate;
}

/* ---- Results ---- */

static void fill_line(struct ab_shared *s, size_t i, const yo_shogi_move *line, size_t length,
                      int score) {
    yo_move *pv = s->line_moves + i * LINE_MAX;
    for (size_t k = 0; k < length; k++)
        pv[k] = line[k];
    s->lines[i] = (struct yo_search_move){.move = line[0], .pv = pv, .pv_count = length};
    put_score(&s->lines[i], score);
}

static void begin_result(const struct ab_shared *s, struct yo_search_result *r) {
    *r = (struct yo_search_result){.moves = s->lines,
                                   .nodes = yo_ab_nodes(s),
                                   .elapsed_ms = yo_time_ms() - s->started_ms,
                                   .hashfull = yo_ab_table_full(&s->table)};
}

void yo_ab_fill_result(struct ab_shared *s, const struct ab_worker *w, size_t first, size_t count,
                       struct yo_search_result *r) {
    begin_result(s, r);
    r->first = first;
    r->depth = w->done_depth;
    r->move_count = count;
    for (size_t i = 0; i < count; i++) {
        const struct ab_root_move *move = &w->root_moves[first + i];
        int score = move->score != -AB_INFINITE ? move->score : move->last_score;
        fill_line(s, i, move->line, (size_t)move->length, score);
        s->lines[i].depth = w->done_depth;
        s->lines[i].seldepth = move->seldepth;
    }
}

void yo_ab_fill_line(struct ab_shared *s, int depth, int score, const yo_shogi_move *line,
                     size_t length, struct yo_search_result *r) {
    begin_result(s, r);
    r->hashfull = 0;
    r->depth = depth;
    r->move_count = 1;
    fill_line(s, 0, line, length, score);
    s->lines[0].depth = s->lines[0].seldepth = depth;
}

/* ---- Reports: only by the first thread ---- */

void yo_ab_report_depth(struct ab_worker *w) {
    struct ab_shared *s = w->shared;
    struct yo_search_result r;
    if (w->id != 0 || !s->report) return;
    yo_ab_fill_result(s, w, 0, yo_ab_line_count(w), &r);
    s->report(s->user, &r);
}

static bool gives_details(const struct ab_worker *w) {
    const struct ab_shared *s = w->shared;
    return w->id == 0 && s->report && s->options.details_ms &&
           yo_time_ms() - s->started_ms >= s->options.details_ms;
}

static bool is_prompt(const struct ab_worker *w) {
    return w->id == 0 && w->shared->report && w->shared->limits.prompt;
}

void yo_ab_report_bound(struct ab_worker *w, int score, int bound) {
    struct ab_shared *s = w->shared;
    struct yo_search_result r;
    if (!gives_details(w)) return;
    yo_ab_fill_result(s, w, w->pv_index, 1, &r);
    s->lines[0].centipawns = s->lines[0].mate = 0;
    put_score(&s->lines[0], score);
    s->lines[0].depth = w->depth;
    s->lines[0].bound = (enum yo_search_bound)bound;
    s->report(s->user, &r);
}

void yo_ab_report_better(struct ab_worker *w, size_t root_move) {
    struct ab_shared *s = w->shared;
    struct yo_search_result r;
    if (!gives_details(w) && !is_prompt(w)) return;
    yo_ab_fill_result(s, w, root_move, 1, &r);
    r.first = w->pv_index;
    s->lines[0].depth = w->depth;
    s->report(s->user, &r);
}

void yo_ab_report_trying(struct ab_worker *w, yo_shogi_move move) {
    struct ab_shared *s = w->shared;
    struct yo_search_result r;
    yo_move trying = move;
    if (!gives_details(w) || yo_time_ms() - w->told_ms < TRYING_EVERY_MS) return;
    w->told_ms = yo_time_ms();
    begin_result(s, &r);
    r.depth = w->depth;
    r.trying = &trying;
    s->report(s->user, &r);
}
