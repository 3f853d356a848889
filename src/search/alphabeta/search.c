/* One node of the search, in numbered steps. */
#include "game/shogi/movegen.h"
#include "game/shogi/see.h"
#include "search/alphabeta/node.h"

enum { PLY = YO_AB_PLY };

/* ---- The table ---- */

static bool table_cuts(const struct ab_node *n, int score) {
    const struct ab_entry *e = &n->entry;
    if (e->depth < n->depth / (PLY / 4) * (PLY / 4)) return false;
    return e->bound == AB_EXACT || (e->bound == AB_LOWER && score >= n->beta) ||
           (e->bound == AB_UPPER && score <= n->alpha);
}

static void store(const struct ab_node *n, int score, yo_shogi_move move, int depth,
                  enum ab_bound bound) {
    yo_ab_table_store(&n->w->shared->table, n->key,
                      &(struct ab_entry){.score = ab_to_table(score, n->ply),
                                         .eval = n->f->eval,
                                         .move = move,
                                         .depth = depth,
                                         .bound = bound});
}

/* What the search found against the static value, unless a capture explains it or the bound leaves
 * open on which side of the value it is. */
static void learn_error(const struct ab_node *n, int score, enum ab_bound bound) {
    const struct ab_frame *f = n->f;
    bool quiet = !n->best_move || ab_is_quiet(n->pos, n->best_move);
    if (!n->selective || f->eval == AB_NO_EVAL || !quiet || ab_is_mate_score(score) ||
        (bound == AB_LOWER && score <= f->corrected) ||
        (bound == AB_UPPER && score >= f->corrected))
        return;
    struct ab_correction c =
        ab_correction_of(&n->w->corrections, n->pos, n->ply > 0 ? f[-1].slot : 0);
    ab_correction_learn(&c, n->plies, score - f->eval);
}

/* ---- Moves ---- */

/* One move, at the depth that its place in the order deserves, and again where that was too
 * little. */
static int search_move(struct ab_node *n, int cost, int reduction, int number) {
    struct ab_worker *w = n->w;
    int full = n->depth - cost, ply = n->ply + 1;
    if (number == 1)
        return -yo_ab_search(w, ply, full, -n->beta, -n->alpha, !n->pv && !n->cut_node);
    int reduced = full - reduction;
    if (reduction > 0 && reduced < PLY && full >= PLY) reduced = PLY;
    int score = -yo_ab_search(w, ply, reduced, -n->alpha - 1, -n->alpha, true);
    if (score > n->alpha && reduced < full)
        score = -yo_ab_search(w, ply, full, -n->alpha - 1, -n->alpha, !n->cut_node);
    /* A rule that charged more than a ply took the move for a bad one, and was wrong. */
    if (score > n->alpha && cost > PLY && n->prune) {
        full = n->depth - PLY;
        score = -yo_ab_search(w, ply, full, -n->alpha - 1, -n->alpha, !n->cut_node);
    }
    if (score > n->alpha && score < n->beta)
        score = -yo_ab_search(w, ply, full, -n->beta, -n->alpha, false);
    return score;
}

static void learn_from_cut(struct ab_node *n, yo_shogi_move move) {
    struct ab_frame *f = n->f;
    const struct yo_ab_margins *m = &n->w->shared->options.margins;
    int bonus = n->plies * m->bonus_margin;
    if (bonus > m->bonus_max) bonus = m->bonus_max;
    if (ab_is_quiet(n->pos, move)) {
        if (f->killers[0] != move) {
            f->killers[1] = f->killers[0];
            f->killers[0] = move;
        }
        n->w->histories.counter[n->pos->side][n->context.last_slot] = move;
    }
    ab_history_reward(&n->context, move, bonus);
    bool quiet = ab_is_quiet(n->pos, move);
    for (int i = 0; i < n->tried_count; i++)
        if (quiet || !ab_is_quiet(n->pos, n->tried[i]))
            ab_history_reward(&n->context, n->tried[i], -bonus);
}

/* ---- Where the moves come from: the root keeps its own list. ---- */

struct moves {
    struct ab_picker picker;
    size_t next_root;
};

static yo_shogi_move next_move(const struct ab_node *n, struct moves *m) {
    if (!n->root) return ab_picker_next(&m->picker);
    return m->next_root < n->w->root_count ? n->w->root_moves[m->next_root++].move
                                           : YO_SHOGI_NO_MOVE;
}

static void keep_root_move(struct ab_node *n, const struct moves *m, int number, int score) {
    struct ab_root_move *r = &n->w->root_moves[m->next_root - 1];
    if (number > 1 && score <= n->alpha) {
        r->score = -AB_INFINITE;
        return;
    }
    const struct ab_frame *below = n->f + 1;
    r->score = score;
    r->seldepth = n->w->seldepth;
    r->line[0] = r->move;
    r->length = 1;
    for (int i = 0; i < below->length && r->length <= YO_AB_PLY_MAX; i++)
        r->line[r->length++] = below->line[i];
}

/* The child with the best value one ply ahead; of several the one with the smallest code, so that
 * the order of generation does not matter. */
static yo_shogi_move best_looking(struct ab_node *n) {
    if (n->prune && n->entry.move) return n->entry.move;
    if (n->depth < PLY * 3 / 2) return YO_SHOGI_NO_MOVE; /* the half ply would be dropped */
    yo_shogi_move moves[YO_SHOGI_LIST], best_move = YO_SHOGI_NO_MOVE;
    size_t count = yo_shogi_legal_moves(n->pos, moves);
    int best = -AB_INFINITE, over;
    for (size_t i = 0; i < count && !n->w->stopped; i++) {
        yo_ab_play(n->w, n->ply, moves[i]);
        int score =
            yo_ab_is_over(n->w, n->ply + 1, &over)
                ? -over
                : -yo_ab_quiesce(n->w, n->ply + 1, YO_AB_QUIET_PLIES, -AB_INFINITE, AB_INFINITE);
        ab_take_back(n->w);
        if (score > best || (score == best && moves[i] < best_move)) {
            best = score;
            best_move = moves[i];
        }
    }
    return best_move;
}

static int search_moves(struct ab_node *n) {
    struct ab_worker *w = n->w;
    const struct yo_ab_rule *rule = w->shared->options.rule;
    struct moves m;
    m.next_root = w->pv_index;
    yo_shogi_move best_child = rule->wants_best ? best_looking(n) : YO_SHOGI_NO_MOVE;
    ab_picker_init(&m.picker, &n->context, n->entry.move, n->f->killers,
                   n->plies * w->shared->options.margins.sort_margin, !n->prune);
    yo_shogi_move last = n->root ? YO_SHOGI_NO_MOVE : n->f[-1].move;
    int number = 0;
    n->f[2].killers[0] = n->f[2].killers[1] = YO_SHOGI_NO_MOVE;
    for (yo_shogi_move move; (move = next_move(n, &m));) {
        if (move == n->f->excluded) continue;
        bool quiet = ab_is_quiet(n->pos, move);
        bool gives_check = n->prune && yo_shogi_gives_check(n->pos, move);
        number++;
        if (n->root) yo_ab_report_trying(w, move);
        if (yo_ab_node_skips(n, &m.picker, move, number, quiet, gives_check)) continue;
        int cost = rule->cost(
            rule, &(struct yo_ab_choice){
                      .pos = n->pos, .move = move, .last = last, .best = move == best_child});
        int extension = yo_ab_node_singular(n, move);
        if (w->stopped) return 0;
        if (extension < 0) return n->beta; /* several moves cut */
        if (n->prune && !rule->selects && gives_check && extension == 0 && n->ply < 2 * w->depth &&
            yo_shogi_see(n->pos, move) >= 0)
            extension = PLY;
        int reduction = 0;
        if (n->selective && !rule->selects && n->plies >= 2 && number > 1 + n->root + n->pv)
            reduction = yo_ab_node_reduction(n, move, number, quiet, gives_check);
        yo_ab_play(w, n->ply, move);
        int score = search_move(n, cost > extension ? cost - extension : 0, reduction, number);
        ab_take_back(w);
        if (w->stopped) return 0;
        if (n->root) keep_root_move(n, &m, number, score);
        if (score > n->best) {
            n->best = score;
            if (score > n->alpha) {
                n->best_move = move;
                n->alpha = score;
                yo_ab_keep_line(w, n->ply, move);
            }
        }
        if (n->alpha >= n->beta) {
            learn_from_cut(n, move);
            break;
        }
        if (n->tried_count < AB_TRIED_MAX) n->tried[n->tried_count++] = move;
    }
    if (number == 0) return n->f->excluded ? n->alpha : n->ply - YO_AB_MATE;
    return n->best;
}

int yo_ab_search(struct ab_worker *w, int ply, int depth, int alpha, int beta, bool cut_node) {
    struct ab_frame *f = &w->frames[ply];
    enum yo_ab_pruning pruning = w->shared->options.pruning;
    struct ab_node n = {.w = w,
                        .f = f,
                        .pos = &f->pos,
                        .ply = ply,
                        .depth = depth,
                        .plies = depth / PLY,
                        .alpha = alpha,
                        .beta = beta,
                        .root = ply == 0,
                        .pv = beta - alpha > 1,
                        .check = shogi_in_check(&f->pos),
                        .cut_node = cut_node,
                        .prune = pruning != YO_AB_PLAIN,
                        .selective = pruning == YO_AB_FULL,
                        .best = -AB_INFINITE};
    int score;
    f->length = 0;

    /* 1. Ends: the game's, the depth's, ours. */
    if (!n.root && yo_ab_is_over(w, ply, &score)) return score;
    if (depth < PLY || ply >= YO_AB_PLY_MAX)
        return yo_ab_quiesce(w, ply, YO_AB_QUIET_PLIES, alpha, beta);
    if (yo_ab_enter(w, ply)) return 0;

    /* 2. No mate found here can be better than one found nearer to the root. */
    if (n.prune && !n.root) {
        if (n.alpha < ply - YO_AB_MATE) n.alpha = ply - YO_AB_MATE;
        if (n.beta > YO_AB_MATE - ply - 1) n.beta = YO_AB_MATE - ply - 1;
        if (n.alpha >= n.beta) return n.alpha;
    }

    /* 3. What the table knows. */
    n.key = shogi_hash(n.pos) ^ (f->excluded * UINT64_C(0x9e3779b97f4a7c15));
    n.found = yo_ab_table_find(&w->shared->table, n.key, &n.entry);
    if (n.root) n.entry.move = w->root_moves[w->pv_index].move;
    if (n.found && n.prune && !n.pv && !f->excluded) {
        score = ab_from_table(n.entry.score, ply);
        if (table_cuts(&n, score)) return score;
    }

    /* 4. Mate in one needs no search. */
    if (n.prune && !n.root && !n.found && !n.check && !f->excluded) {
        yo_shogi_move mate = yo_shogi_mate_in_one(n.pos);
        if (mate) {
            f->eval = AB_NO_EVAL;
            store(&n, YO_AB_MATE - ply - 1, mate, depth, AB_EXACT);
            if (n.pv) {
                f->line[0] = mate;
                f->length = 1;
            }
            return YO_AB_MATE - ply - 1;
        }
    }

    /* 5. Reverse futility, razoring, null move. */
    yo_ab_node_evaluate(&n);
    if (yo_ab_node_cuts_early(&n, &score)) return w->stopped ? 0 : score;
    if (w->stopped) return 0;

    /* 6. Internal iterative reduction: no table move, so a ply less; the next visit has one. */
    if (n.selective && !n.root && !n.entry.move &&
        n.plies >= w->shared->options.margins.iir_depth && (n.pv || cut_node)) {
        n.depth -= PLY;
        n.plies--;
    }

    /* 7. Every move, best guesses first. */
    n.context =
        ab_context_of(&w->histories, n.pos, ply > 0 ? f[-1].slot : 0, ply > 1 ? f[-2].slot : 0);
    int start_alpha = n.alpha;
    score = search_moves(&n);
    if (w->stopped) return 0;

    /* 8. What was found out. */
    if (!f->excluded && !(n.root && w->pv_index > 0)) {
        enum ab_bound bound = score >= n.beta       ? AB_LOWER
                              : score > start_alpha ? AB_EXACT
                                                    : AB_UPPER;
        store(&n, score, n.best_move, n.depth, bound);
        learn_error(&n, score, bound);
    }
    return score;
}
