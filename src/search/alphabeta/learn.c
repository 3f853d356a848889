/* Updates of histories and corrections after a node was searched. */
#include "search/alphabeta/node.h"

static uint16_t slot_before(const struct ab_worker *w, int ply, int back) {
    return ply >= back ? w->frames[ply - back].slot : 0;
}

struct ab_context yo_ab_context_at(struct ab_worker *w, int ply) {
    const uint16_t before[AB_BEFORE] = {slot_before(w, ply, 1), slot_before(w, ply, 2),
                                        slot_before(w, ply, 4)};
    struct ab_context c = ab_context_of(&w->histories, &w->frames[ply].pos, before);
    c.weights = w->shared->history_weights;
    return c;
}

static int bonus_of(const struct ab_node *n, int plies) {
    int bonus = n->m->bonus_margin * plies;
    return bonus < n->m->bonus_max ? bonus : n->m->bonus_max;
}

void yo_ab_learn_best(struct ab_node *n, yo_shogi_move move) {
    struct ab_frame *f = n->f;
    int bonus = bonus_of(n, n->plies), malus = bonus * n->m->malus / 100;
    bool quiet = ab_is_quiet(n->pos, move);
    if (quiet) {
        if (f->killers[0] != move) {
            f->killers[1] = f->killers[0];
            f->killers[0] = move;
        }
        n->w->histories.counter[n->pos->side][n->context.last_slot] = move;
    }
    ab_history_reward(&n->context, move, bonus);
    for (int i = 0; i < n->tried_count; i++)
        if (n->tried[i] != move && (quiet || !ab_is_quiet(n->pos, n->tried[i])))
            ab_history_reward(&n->context, n->tried[i], -malus);
}

void yo_ab_learn_table(struct ab_node *n) {
    if (!n->selective || !n->entry.move || n->table_capture) return;
    struct ab_context c = yo_ab_context_at(n->w, n->ply);
    ab_history_reward(&c, n->entry.move, bonus_of(n, n->plies) * n->m->bonus_table / 100);
}

void yo_ab_learn_swing(const struct ab_node *n) {
    const struct ab_frame *before = n->f - 1;
    if (!n->selective || n->ply == 0 || before->corrected == AB_NO_EVAL || !before->move ||
        !ab_is_quiet(&before->pos, before->move))
        return;
    int most = n->m->bonus_swing;
    int bonus = -(n->f->corrected + before->corrected) * 100 / n->m->swing_value;
    struct ab_context c = yo_ab_context_at(n->w, n->ply - 1);
    ab_history_reward_butterfly(&c, before->move,
                                bonus > most    ? most
                                : bonus < -most ? -most
                                                : bonus);
}

void yo_ab_learn_refuted(struct ab_node *n) {
    if (n->ply == 0 || n->f[-1].move == YO_SHOGI_NO_MOVE) return;
    if (!ab_is_quiet(&n->f[-1].pos, n->f[-1].move)) return;
    struct ab_context c = yo_ab_context_at(n->w, n->ply - 1);
    ab_history_reward(&c, n->f[-1].move, bonus_of(n, n->plies) * n->m->bonus_before / 100);
}

/* Learns the search's value minus the static value, unless the best move is a capture or the bound
 * does not show the sign of the error. */
void yo_ab_learn_error(const struct ab_node *n, int score, enum ab_bound bound) {
    const struct ab_frame *f = n->f;
    bool quiet = !n->best_move || ab_is_quiet(n->pos, n->best_move);
    if (!n->selective || f->eval == AB_NO_EVAL || !quiet || ab_is_mate_score(score) ||
        (bound == AB_LOWER && score <= f->corrected) ||
        (bound == AB_UPPER && score >= f->corrected))
        return;
    struct ab_correction c =
        ab_correction_of(&n->w->corrections, n->pos, n->ply > 0 ? f[-1].slot : 0);
    int error = score - f->eval, most = n->m->correction_max;
    ab_correction_learn(&c, n->plies, error > most ? most : error < -most ? -most : error);
}
