/* The depth of a move: singular extensions and late move reductions. */
#include "game/shogi/see.h"
#include "search/alphabeta/node.h"

enum { PLY = YO_AB_PLY };

/* Whether to test the table's move for singularity: the others are searched without it, to half the
 * depth. */
static bool asks_singular(const struct ab_node *n, const struct ab_try *t) {
    int score = ab_from_table(n->entry.score, n->ply);
    return n->selective && !n->root && t->move == n->entry.move && !n->f->excluded &&
           n->plies >= n->m->singular_depth + (n->pv && n->entry.pv) &&
           (n->entry.bound & AB_LOWER) &&
           n->entry.depth >= n->depth - n->m->singular_table_depth * PLY &&
           !ab_is_mate_score(score) && n->ply < 2 * n->w->depth;
}

static int singular(struct ab_node *n, const struct ab_try *t, bool *cuts, int *result) {
    int score = ab_from_table(n->entry.score, n->ply);
    int beta = score - n->m->singular_margin * n->plies / 64;
    n->f->excluded = t->move;
    int other =
        yo_ab_search(n->w, n->ply, (n->depth - PLY) / 2 / PLY * PLY, beta - 1, beta, n->cut_node);
    n->f->excluded = YO_SHOGI_NO_MOVE;
    n->f->length = 0;
    if (n->w->stopped) return 0;
    if (other < beta) {
        bool far = !n->pv && other < beta - n->m->singular_double &&
                   n->f->doubles < n->m->singular_doubles;
        return far ? 2 * PLY : PLY;
    }
    if (beta >= n->beta) {
        *cuts = true;
        *result = beta;
        return 0;
    }
    if (score >= n->beta) return -n->m->negative_extension * 2;
    if (n->cut_node || score <= other) return -n->m->negative_extension;
    return 0;
}

int yo_ab_node_extension(struct ab_node *n, const struct ab_try *t, bool *cuts, int *score) {
    *cuts = false;
    if (asks_singular(n, t)) return singular(n, t, cuts, score);
    if (n->prune && t->gives_check && n->plies >= n->m->check_extension_depth &&
        n->ply < 2 * n->w->depth && !yo_shogi_see_loses(n->pos, t->move, 0))
        return PLY;
    return 0;
}

int yo_ab_node_reduction(const struct ab_node *n, const struct ab_try *t) {
    const struct yo_ab_margins *m = n->m;
    int plies = n->plies < AB_REDUCTIONS ? n->plies : AB_REDUCTIONS - 1;
    int late = t->number < AB_REDUCTIONS ? t->number : AB_REDUCTIONS - 1;
    int r = n->w->shared->reductions[plies][late];
    if (n->cut_node) r += m->reduction_cut_node;
    if (!n->improving) r += m->reduction_not_improving;
    if (n->pv) r -= m->reduction_pv;
    if (n->was_pv) r -= m->reduction_was_pv;
    if (t->gives_check) r -= m->reduction_gives_check;
    if (n->check) r -= m->reduction_in_check;
    if (n->table_capture) r += m->reduction_table_capture;
    if (n->ply > 0 && n->f[-1].number > 7) r -= m->reduction_answer;
    if (!t->quiet) r -= m->reduction_capture;
    return r - t->history * PLY / m->reduction_history;
}
