/* How little of a node has to be searched: cuts before any move, moves left out, moves read less or
 * more deep. All of it can change values, and the plain search does without. */
#include "game/shogi/see.h"
#include "search/alphabeta/node.h"

enum { PLY = YO_AB_PLY };

/* ---- Before any move: so far ahead, or behind, that less will do ---- */

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

/* Even after passing the opponent does not come back: a cut, verified where it is dear. */
static bool null_move_cuts(struct ab_node *n, int eval, int *score) {
    struct ab_worker *w = n->w;
    if (n->plies < 3 || eval < n->beta || n->ply < w->null_from || n->ply == 0 ||
        n->f[-1].move == YO_SHOGI_NO_MOVE || n->f->excluded)
        return false;
    int ahead = (eval - n->beta) / 200;
    int depth = n->depth - PLY * (3 + n->plies / 4 + (ahead < 3 ? ahead : 3));
    yo_ab_play(w, n->ply, YO_SHOGI_NO_MOVE);
    *score = -yo_ab_search(w, n->ply + 1, depth, -n->beta, -n->beta + 1, !n->cut_node);
    ab_take_back(w);
    if (w->stopped || *score < n->beta) return false;
    if (*score >= YO_AB_MATE_FROM) *score = n->beta;
    if (n->plies < 12 || w->null_from) return true;
    w->null_from = n->ply + 3 * depth / (4 * PLY);
    int verified = yo_ab_search(w, n->ply, depth, n->beta - 1, n->beta, false);
    w->null_from = 0;
    n->f->length = 0;
    return verified >= n->beta;
}

bool yo_ab_node_cuts_early(struct ab_node *n, int *score) {
    if (!n->prune || n->pv || n->check || n->f->excluded || ab_is_mate_score(n->beta)) return false;
    int eval = estimate(n);
    if (n->plies <= 7 && eval - 120 * (n->plies - n->improving) >= n->beta &&
        eval < YO_AB_MATE_FROM) {
        *score = eval;
        return true;
    }
    /* Far behind near the end: only captures could help. */
    if (n->selective && n->plies <= 3 && eval + 250 + 250 * n->plies * n->plies <= n->alpha) {
        *score = yo_ab_quiesce(n->w, n->ply, YO_AB_QUIET_PLIES, n->alpha, n->alpha + 1);
        if (*score <= n->alpha || n->w->stopped) return true;
    }
    return null_move_cuts(n, eval, score);
}

/* ---- Moves ---- */

bool yo_ab_node_skips(const struct ab_node *n, struct ab_picker *p, yo_shogi_move move, int number,
                      bool quiet, bool gives_check) {
    if (!n->selective || n->root || n->best <= -YO_AB_MATE_FROM) return false;
    int plies = n->plies;
    if (quiet && !gives_check && !n->check) {
        int many = 8 + 3 * plies * plies;
        if (plies <= 7 && number > (n->improving ? many : many / 2)) {
            ab_picker_skip_quiets(p);
            return true;
        }
        if (plies <= 6 && n->f->corrected + 120 + 130 * plies <= n->alpha) return true;
        if (plies <= 4 && ab_history_quiet(&n->context, move) < -4500 * plies) return true;
    }
    if (plies <= 8 && number > 1) {
        int margin = quiet ? -30 * plies * plies : -120 * plies;
        return yo_shogi_see(n->pos, move) < margin;
    }
    return false;
}

int yo_ab_node_singular(struct ab_node *n, yo_shogi_move move) {
    int score = ab_from_table(n->entry.score, n->ply);
    if (!n->selective || n->root || move != n->entry.move || n->f->excluded || n->plies < 7 ||
        !(n->entry.bound & AB_LOWER) || n->entry.depth < n->depth - 3 * PLY ||
        ab_is_mate_score(score) || n->ply >= 2 * n->w->depth)
        return 0;
    int beta = score - 3 * n->plies;
    n->f->excluded = move;
    int other = yo_ab_search(n->w, n->ply, (n->depth - PLY) / 2, beta - 1, beta, n->cut_node);
    n->f->excluded = YO_SHOGI_NO_MOVE;
    n->f->length = 0;
    if (other < beta) return PLY;
    return beta >= n->beta ? -1 : 0;
}

int yo_ab_node_reduction(const struct ab_node *n, yo_shogi_move move, int number, bool quiet,
                         bool gives_check) {
    int plies = n->plies < AB_REDUCTIONS ? n->plies : AB_REDUCTIONS - 1;
    int late = number < AB_REDUCTIONS ? number : AB_REDUCTIONS - 1;
    int r = n->w->shared->reductions[plies][late];
    if (n->cut_node) r += PLY;
    if (!n->improving) r += PLY / 2;
    if (n->pv) r -= PLY;
    if (gives_check) r -= PLY;
    if (n->check) r -= PLY / 2;
    if (quiet)
        r -= ab_history_quiet(&n->context, move) * PLY / 12000;
    else
        r -= PLY;
    return r > 0 ? r : 0;
}
