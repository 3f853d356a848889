/* Pruning of nodes before any move, and of single moves. All of it can change values; the plain
 * search does not use it. */
#include "game/shogi/see.h"
#include "search/alphabeta/node.h"

enum { PLY = YO_AB_PLY };

/* ---- Before any move ---- */

void yo_ab_node_evaluate(struct ab_node *n) {
    struct ab_frame *f = n->f;
    n->improving = false;
    if (n->check || !n->prune) {
        f->eval = f->corrected = AB_NO_EVAL;
        return;
    }
    if (!f->excluded) { /* else the value of the same node is kept */
        bool known = n->found && n->entry.eval != AB_NO_EVAL;
        f->eval = known ? n->entry.eval : yo_ab_eval(n->w, n->ply);
        f->corrected = yo_ab_corrected(n->w, n->ply, f->eval);
        yo_ab_learn_swing(n);
    }
    int before = n->ply >= 2 ? f[-2].corrected : AB_NO_EVAL;
    if (before == AB_NO_EVAL && n->ply >= 4) before = f[-4].corrected;
    n->improving = before == AB_NO_EVAL || f->corrected > before;
}

/* The static value, or the table's score where its bound improves on it. */
static int estimate(const struct ab_node *n) {
    int eval = n->f->corrected, score = ab_from_table(n->entry.score, n->ply);
    if (!n->found || ab_is_mate_score(score)) return eval;
    bool better = n->entry.bound == AB_EXACT || (n->entry.bound == AB_LOWER && score > eval) ||
                  (n->entry.bound == AB_UPPER && score < eval);
    return better ? score : eval;
}

/* Null move: cuts if a reduced search after it reaches beta; verified at null_verify_depth and
 * above. */
static bool null_move_cuts(struct ab_node *n, int eval, int *score) {
    struct ab_worker *w = n->w;
    const struct yo_ab_margins *m = n->m;
    if (n->plies < m->null_depth || eval < n->beta || n->ply < w->null_from || n->ply == 0 ||
        n->f[-1].move == YO_SHOGI_NO_MOVE ||
        n->f->corrected < n->beta + m->null_slack - m->null_slack_ply * n->plies)
        return false;
    int ahead = (eval - n->beta) / m->null_eval_divisor;
    if (ahead > m->null_eval_max) ahead = m->null_eval_max;
    int depth = n->depth - PLY * (m->null_base + n->plies / m->null_divisor + ahead);
    yo_ab_play(w, n->ply, YO_SHOGI_NO_MOVE);
    n->f->number = 0;
    *score = -yo_ab_search(w, n->ply + 1, depth, -n->beta, -n->beta + 1, !n->cut_node);
    ab_take_back(w);
    if (w->stopped || *score < n->beta) return false;
    if (*score >= YO_AB_MATE_FROM) *score = n->beta;
    if (n->plies < m->null_verify_depth || w->null_from) return true;
    w->null_from = n->ply + 3 * depth / (4 * PLY);
    int verified = yo_ab_search(w, n->ply, depth, n->beta - 1, n->beta, false);
    w->null_from = 0;
    n->f->length = 0;
    return verified >= n->beta;
}

/* A capture that beats beta by a margin in a shallow search would beat beta in this one. */
static bool probcut_cuts(struct ab_node *n, int *score) {
    struct ab_worker *w = n->w;
    int beta = n->beta + n->m->probcut_margin - (n->improving ? n->m->probcut_improving : 0);
    int depth = n->depth - 4 * PLY;
    if (n->plies < n->m->probcut_depth) return false;
    if (n->found && n->entry.depth >= n->depth - 3 * PLY &&
        ab_from_table(n->entry.score, n->ply) < beta)
        return false;
    struct ab_context context = yo_ab_context_at(w, n->ply);
    struct ab_picker p;
    ab_picker_init_quiesce(&p, &context, n->entry.move, false);
    for (yo_shogi_move move; (move = ab_picker_next(&p));) {
        if (yo_shogi_see(n->pos, move) < beta - n->f->corrected) continue;
        yo_ab_play(w, n->ply, move);
        n->f->number = 1;
        int value = -yo_ab_quiesce(w, n->ply + 1, YO_AB_QUIET_PLIES, -beta, -beta + 1);
        if (value >= beta && !w->stopped && depth >= PLY)
            value = -yo_ab_search(w, n->ply + 1, depth, -beta, -beta + 1, !n->cut_node);
        ab_take_back(w);
        if (w->stopped) return true;
        if (value < beta) continue;
        n->best_move = move;
        yo_ab_table_store(&w->shared->table, n->key,
                          &(struct ab_entry){.score = ab_to_table(value, n->ply),
                                             .eval = n->f->eval,
                                             .move = move,
                                             .depth = depth + PLY,
                                             .bound = AB_LOWER,
                                             .pv = n->was_pv});
        *score = value;
        return true;
    }
    return false;
}

static bool may_cut_early(const struct ab_node *n) {
    return n->prune && !n->pv && !n->check && !n->f->excluded && !ab_is_mate_score(n->beta);
}

bool yo_ab_node_is_futile(const struct ab_node *n, int *score) {
    const struct yo_ab_margins *m = n->m;
    if (!may_cut_early(n) || n->plies > m->reverse_futility_depth) return false;
    int eval = estimate(n);
    if (eval - m->reverse_futility_margin * (n->plies - n->improving) < n->beta ||
        eval >= YO_AB_MATE_FROM)
        return false;
    *score = n->beta + (eval - n->beta) * m->reverse_futility_blend / 100;
    return true;
}

bool yo_ab_node_cuts_early(struct ab_node *n, int *score) {
    const struct yo_ab_margins *m = n->m;
    if (!may_cut_early(n)) return false;
    int eval = estimate(n);
    /* Razoring. */
    if (n->selective && n->plies <= m->razor_depth &&
        eval + m->razor_base + m->razor_margin * n->plies * n->plies <= n->alpha) {
        *score = yo_ab_quiesce(n->w, n->ply, YO_AB_QUIET_PLIES, n->alpha, n->alpha + 1);
        if (*score <= n->alpha || n->w->stopped) return true;
    }
    if (null_move_cuts(n, eval, score)) return true;
    if (n->w->stopped) return false;
    return n->selective && probcut_cuts(n, score);
}

/* ---- Moves ---- */

/* The remaining depth after the reduction. */
static int reduced_plies(const struct ab_node *n, const struct ab_try *t) {
    int percent = n->m->prune_reduced;
    int plies = t->depth / PLY - t->reduction * percent / 100 / PLY;
    return plies > 0 ? plies : 0;
}

static bool skips_quiet(const struct ab_node *n, const struct ab_try *t) {
    const struct yo_ab_margins *m = n->m;
    int plies = reduced_plies(n, t);
    if (t->history < m->history_margin * (plies + 1)) return true;
    if (!n->check && plies <= m->futility_depth &&
        n->f->corrected + m->futility_base + m->futility_margin * plies +
                t->history / m->futility_history <=
            n->alpha)
        return true;
    return yo_shogi_see_loses(n->pos, t->move, m->exchange_quiet * plies * plies);
}

/* Futility pruning of captures, and static exchange for captures and checks. */
static bool skips_loud(const struct ab_node *n, const struct ab_try *t) {
    const struct yo_ab_margins *m = n->m;
    int plies = reduced_plies(n, t);
    int taken = shogi_exchange_value(shogi_kind(n->pos->board[shogi_to(t->move)]));
    if (!n->check && !t->gives_check && plies <= m->capture_futility_depth &&
        n->f->corrected + m->capture_futility_base + m->capture_futility_margin * plies + taken <=
            n->alpha)
        return true;
    return yo_shogi_see_loses(n->pos, t->move, m->exchange_capture * n->plies);
}

bool yo_ab_node_skips(const struct ab_node *n, struct ab_picker *p, const struct ab_try *t) {
    if (!n->selective || n->root || n->best <= -YO_AB_MATE_FROM) return false;
    int many = n->m->late_base + n->m->late_margin * n->plies * n->plies / 100;
    bool late = t->number > (n->improving ? many : many / 2) && !n->check;
    if (late) ab_picker_skip_quiets(p);
    if (t->number <= 1) return false;
    if (!t->quiet || t->gives_check) return skips_loud(n, t);
    return late || skips_quiet(n, t);
}
