/* Prints reports during the search, and its answer. */
#include "protocol/usi/internal.h"

static void add_line(struct yo_buf *out, const yo_move *line, size_t length) {
    for (size_t i = 0; i < length; i++) {
        char text[YO_SHOGI_MOVE_TEXT];
        yo_buf_printf(out, " %s", yo_shogi_move_format((yo_shogi_move)line[i], text));
    }
}

static void add_score(struct yo_buf *out, const struct yo_search_move *m) {
    if (m->mate)
        yo_buf_printf(out, " score mate %d", m->mate);
    else
        yo_buf_printf(out, " score cp %d", yo_search_centipawns(m));
    if (m->bound) yo_buf_str(out, m->bound > 0 ? " lowerbound" : " upperbound");
}

static void add_counts(struct yo_buf *out, const struct yo_search_result *r) {
    uint64_t ms = r->elapsed_ms > 0 ? (uint64_t)r->elapsed_ms : 1;
    uint64_t nodes = r->nodes ? r->nodes : r->playouts; /* a playout adds a node to a tree */
    yo_buf_printf(out, " nodes %llu nps %llu hashfull %d time %lld", (unsigned long long)nodes,
                  (unsigned long long)(nodes * 1000 / ms), r->hashfull, (long long)r->elapsed_ms);
}

static void say_buf(struct yo_usi *usi, struct yo_buf *out) {
    if (!yo_buf_status(out)) yo_usi_say(usi, "%s", yo_buf_text(out));
    yo_buf_free(out);
}

static void report_line(struct yo_usi *usi, const struct yo_search_result *r, size_t i) {
    struct yo_buf out = {0};
    const struct yo_search_move *m = &r->moves[i];
    int depth = m->depth ? m->depth : (int)m->pv_count; /* tree search: PV length */
    yo_buf_printf(&out, "info depth %d seldepth %d", depth,
                  m->seldepth > depth ? m->seldepth : depth);
    if (usi->lines > 1) yo_buf_printf(&out, " multipv %zu", r->first + i + 1);
    add_score(&out, m);
    add_counts(&out, r);
    yo_buf_str(&out, " pv");
    add_line(&out, m->pv, m->pv_count);
    say_buf(usi, &out);
}

void yo_usi_report(void *user, const struct yo_search_result *r) {
    struct yo_usi *usi = user;
    if (r->move_count > 0 && r->first == 0) usi->reported = r->moves[0].move;
    for (size_t i = 0; i < r->move_count && i < usi->lines; i++)
        report_line(usi, r, i);
    if (!r->trying) return;
    struct yo_buf out = {0};
    yo_buf_printf(&out, "info depth %d", r->depth);
    add_counts(&out, r);
    yo_buf_str(&out, " currmove");
    add_line(&out, r->trying, 1);
    say_buf(usi, &out);
}

/* ---- Answers ---- */

static void answer_mate(struct yo_usi *usi, const struct yo_search_result *result) {
    struct yo_buf out = {0};
    yo_buf_str(&out, "checkmate");
    if (result->move_count > 0)
        add_line(&out, result->moves[0].pv, result->moves[0].pv_count);
    else
        yo_buf_str(&out, result->no_mate ? " nomate" : " timeout");
    yo_usi_say(usi, "%s", yo_buf_status(&out) ? "checkmate timeout" : yo_buf_text(&out));
    yo_buf_free(&out);
}

static void answer_move(struct yo_usi *usi, const struct yo_session_answer *answer) {
    char best[YO_SHOGI_MOVE_TEXT], next[YO_SHOGI_MOVE_TEXT];
    yo_shogi_move_format((yo_shogi_move)answer->move, best);
    if (answer->ponder == YO_MOVE_NONE)
        yo_usi_say(usi, "bestmove %s", best);
    else
        yo_usi_say(usi, "bestmove %s ponder %s", best,
                   yo_shogi_move_format((yo_shogi_move)answer->ponder, next));
}

/* A search may change its mind after its last report, and clients show that one beside the move. */
static bool is_unreported(const struct yo_usi *usi, const struct yo_session_answer *answer) {
    const struct yo_search_result *r = &answer->result;
    return r->move_count > 0 && r->moves[0].move == answer->move && usi->reported != YO_MOVE_NONE &&
           usi->reported != answer->move;
}

void yo_usi_answer(void *user, const struct yo_session_answer *answer) {
    struct yo_usi *usi = user;
    if (answer->err) yo_usi_complain(usi, "", answer->diag);
    if (usi->mate) {
        answer_mate(usi, &answer->result);
        return;
    }
    if (answer->from_book) yo_usi_say(usi, "info string a move of the book");
    if (answer->from_book || is_unreported(usi, answer)) yo_usi_report(usi, &answer->result);
    if (answer->kind == YO_ANSWER_WIN)
        yo_usi_say(usi, "bestmove win");
    else if (answer->kind == YO_ANSWER_RESIGN)
        yo_usi_say(usi, "bestmove resign");
    else
        answer_move(usi, answer);
}
