/* Pruning, reductions and extensions. Each can change the value of a node, so the plain search does
 * without them. Their numbers are in margins.h. */
#include "game/shogi/see.h"
#include "search/alphabeta/node.h"

enum { PLY = YO_AB_PLY };

static const struct yo_ab_margins *margins_of(const struct ab_node *n) {
    return &n->w->shared->options.margins;
}

/* ---- Before any move: reverse futility, razoring, null move ---- */

void yo_ab_node_evaluate(struct ab_node *n) {
    n->f->eval = n->f->corrected = AB_NO_EVAL;
    n->improving = false;
    if (n->check || !n->prune) return;
    bool known = n->found && n->entry.eval != AB_NO_EVAL;
    n->f->eval = known ? n->entry.eval : yo_ab_eval(n->w, n->ply);
    n->f->corrected = yo_ab_corrected(n->w, n->ply, n->f->eval);
    int before = n->ply >= 2 ? n->f[-2].corrected : AB_NO_EVAL;
    n->improving = before == AB_NO_EVAL || n->f->corrected > before;
}

/* The static value, or what the table says where it knows better. */
static int estimate(const struct ab_node *n) {
    int eval = n->f->corrected, score = ab_from_table(n->entry.score, n->ply);
    if (!n->found || ab_is_mate_score(score)) return eval;
    bool better = n->entry.bound == AB_EXACT || (n->entry.bound == AB_LOWER && score > eval) ||
                  (n->entry.bound == AB_UPPER && score < eval);
    return better ? score : eval;
}

/* Null move: the side to move passes and is still above beta after a reduced search. At large
 * depths a search without null moves has to confirm the cut. */
static bool null_move_cuts(struct ab_node *n, int eval, int *score) {
    struct ab_worker *w = n->w;
    const struct yo_ab_margins *m = margins_of(n);
    if (n->plies < m->null_depth || eval < n->beta || n->ply < w->null_from || n->ply == 0 ||
        n->f[-1].move == YO_SHOGI_NO_MOVE || n->f->excluded)
        return false;
    int ahead = (eval - n->beta) / m->null_eval_divisor;
    if (ahead > m->null_eval_max) ahead = m->null_eval_max;
    int depth = n->depth - PLY * (m->null_base + n->plies / m->null_divisor + ahead);
    yo_ab_play(w, n->ply, YO_SHOGI_NO_MOVE);
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

bool yo_ab_node_cuts_early(struct ab_node *n, int *score) {
    if (!n->prune || n->pv || n->check || n->f->excluded || ab_is_mate_score(n->beta)) return false;
    const struct yo_ab_margins *m = margins_of(n);
    int eval = estimate(n), plies = n->plies;
    /* Reverse futility: far above beta. */
    if (plies <= m->reverse_futility_depth && eval < YO_AB_MATE_FROM &&
        eval - m->reverse_futility_margin * (plies - n->improving) >= n->beta) {
        *score = eval;
        return true;
    }
    /* Razoring: far below alpha, so that only captures can help. */
    if (n->selective && plies <= m->razor_depth &&
        eval + m->razor_base + m->razor_margin * plies * plies <= n->alpha) {
        *score = yo_ab_quiesce(n->w, n->ply, YO_AB_QUIET_PLIES, n->alpha, n->alpha + 1);
        if (*score <= n->alpha || n->w->stopped) return true;
    }
    return null_move_cuts(n, eval, score);
}

/* ---- Moves ---- */

bool yo_ab_node_skips(const struct ab_node *n, struct ab_picker *p, yo_shogi_move move, int number,
                      bool quiet, bool gives_check) {
    if (!n->selective || n->root || n->best <= -YO_AB_MATE_FROM) return false;
    const struct yo_ab_margins *m = margins_of(n);
    int plies = n->plies;
    if (quiet && !gives_check && !n->check) {
        /* Late move pruning, futility, history pruning. */
        int many = m->late_base + m->late_margin * plies * plies;
        if (plies <= m->late_depth && number > (n->improving ? many : many / 2)) {
            ab_picker_skip_quiets(p);
            return true;
        }
        if (plies <= m->futility_depth &&
            n->f->corrected + m->futility_base + m->futility_margin * plies <= n->alpha)
            return true;
        if (plies <= m->history_depth &&
            ab_history_quiet(&n->context, move) < m->history_margin * plies)
            return true;
    }
    /* Static exchange: the move loses material. */
    if (plies <= m->exchange_depth && number > 1) {
        int margin = quiet ? -m->exchange_quiet * plies * plies : -m->exchange_capture * plies;
        return yo_shogi_see(n->pos, move) < margin;
    }
    return false;
}

int yo_ab_node_singular(struct ab_node *n, yo_shogi_move move) {
    const struct yo_ab_margins *m = margins_of(n);
    int score = ab_from_table(n->entry.score, n->ply);
    if (!n->selective || n->root || move != n->entry.move || n->f->excluded ||
        n->plies < m->singular_depth || !(n->entry.bound & AB_LOWER) ||
        n->entry.depth < n->depth - m->singular_table_depth * PLY || ab_is_mate_score(score) ||
        n->ply >= 2 * n->w->depth)
        return 0;
    int beta = score - m->singular_margin * n->plies;
    n->f->excluded = move;
    int other = yo_ab_search(n->w, n->ply, (n->depth - PLY) / 2, beta - 1, beta, n->cut_node);
    n->f->excluded = YO_SHOGI_NO_MOVE;
    n->f->length = 0;
    if (other < beta) return PLY;
    return beta >= n->beta ? -1 : 0;
}

int yo_ab_node_reduction(const struct ab_node *n, yo_shogi_move move, int number, bool quiet,
                         bool gives_check) {
    const struct yo_ab_margins *m = margins_of(n);
    int plies = n->plies < AB_REDUCTIONS ? n->plies : AB_REDUCTIONS - 1;
    int late = number < AB_REDUCTIONS ? number : AB_REDUCTIONS - 1;
    int r = n->w->shared->reductions[plies][late];
    if (n->cut_node) r += m->reduction_cut_node;
    if (!n->improving) r += m->reduction_not_improving;
    if (n->pv) r -= m->reduction_pv;
    if (gives_check) r -= m->reduction_gives_check;
    if (n->check) r -= m->reduction_in_check;
    if (quiet)
        r -= ab_history_quiet(&n->context, move) * PLY / m->reduction_history;
    else
        r -= m->reduction_capture;
    return r > 0 ? r : 0;
}
