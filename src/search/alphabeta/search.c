/* One node of the search, in numbered steps. */
#include "game/shogi/movegen.h"
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
    struct ab_entry entry = {.score = ab_to_table(score, n->ply),
                             .eval = n->f->eval,
                             .move = move,
                             .depth = depth,
                             .bound = bound,
                             .pv = n->was_pv};
    yo_ab_table_store(&n->w->shared->table, n->key, &entry);
    yo_ab_exchange_put(&n->w->shared->exchange, n->key, &entry);
}

/* ---- Moves ---- */

/* Re-search after a reduced search failed high: a ply deeper if it was far above the best value, a
 * ply shallower if hardly. */
static int search_again(struct ab_node *n, struct ab_try *t, int reduced, int score) {
    struct ab_worker *w = n->w;
    if (n->selective) {
        int plies = t->depth / PLY, surprise = score - n->best;
        if (surprise > n->m->reduction_deeper + n->m->reduction_deeper_ply * plies / 100)
            t->depth += PLY;
        if (surprise * 100 < n->m->reduction_shallower * plies) t->depth -= PLY;
    }
    if (t->depth > reduced)
        score = -yo_ab_search(w, n->ply + 1, t->depth, -n->alpha - 1, -n->alpha, !n->cut_node);
    return score;
}

/* Searches one move: late move reduction, null window, then a full window where needed. */
static int search_move(struct ab_node *n, struct ab_try *t, int cost) {
    struct ab_worker *w = n->w;
    int ply = n->ply + 1;
    if (t->number == 1 && n->pv) return -yo_ab_search(w, ply, t->depth, -n->beta, -n->alpha, false);
    int reduced = t->depth, score;
    if (n->selective && t->reduction > 0) {
        reduced = t->depth - t->reduction / PLY * PLY;
        if (reduced < PLY) reduced = t->depth < PLY ? t->depth : PLY;
    }
    score = -yo_ab_search(w, ply, reduced, -n->alpha - 1, -n->alpha,
                          reduced < t->depth ? true : !n->cut_node);
    if (score > n->alpha && reduced < t->depth && !w->stopped)
        score = search_again(n, t, reduced, score);
    /* The rule charged more than a ply, but the move failed high: re-search at full depth. */
    if (score > n->alpha && cost > PLY && n->prune) {
        t->depth = n->depth - PLY;
        score = -yo_ab_search(w, ply, t->depth, -n->alpha - 1, -n->alpha, !n->cut_node);
    }
    if (n->pv && score > n->alpha && (score < n->beta || n->root))
        score = -yo_ab_search(w, ply, t->depth, -n->beta, -n->alpha, false);
    return score;
}

/* ---- Source of moves: the root keeps its own list. ---- */

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

/* Collects the properties of a move that decide its depth. */
static struct ab_try look_at(const struct ab_node *n, yo_shogi_move move, int number, int cost) {
    struct ab_try t = {.move = move, .number = number, .depth = n->depth - cost};
    t.quiet = ab_is_quiet(n->pos, move);
    t.gives_check = n->prune && yo_shogi_gives_check(n->pos, move);
    if (!n->selective) return t;
    t.history =
        t.quiet ? ab_history_quiet(&n->context, move) : ab_history_capture(&n->context, move);
    if (!n->w->shared->options.rule->selects && number > (n->pv ? n->m->reduction_pv_from : 1))
        t.reduction = yo_ab_node_reduction(n, &t);
    return t;
}

static int search_moves(struct ab_node *n) {
    struct ab_worker *w = n->w;
    const struct yo_ab_rule *rule = w->shared->options.rule;
    struct moves m;
    m.next_root = w->pv_index;
    yo_shogi_move best_child = rule->wants_best ? best_looking(n) : YO_SHOGI_NO_MOVE;
    ab_picker_init(&m.picker, &n->context, n->entry.move, n->f->killers, !n->prune);
    yo_shogi_move last = n->root ? YO_SHOGI_NO_MOVE : n->f[-1].move;
    int number = 0, score;
    n->f[2].killers[0] = n->f[2].killers[1] = YO_SHOGI_NO_MOVE;
    for (yo_shogi_move move; (move = next_move(n, &m));) {
        if (move == n->f->excluded) continue;
        number++;
        if (n->root) yo_ab_report_trying(w, move);
        int cost = rule->cost(
            rule, &(struct yo_ab_choice){
                      .pos = n->pos, .move = move, .last = last, .best = move == best_child});
        struct ab_try t = look_at(n, move, number, cost);
        if (yo_ab_node_skips(n, &m.picker, &t)) continue;
        bool cuts = false;
        int extension = rule->selects ? 0 : yo_ab_node_extension(n, &t, &cuts, &score);
        if (w->stopped) return 0;
        if (cuts) return score;
        t.depth += extension;
        if (t.depth > n->depth + PLY) t.depth = n->depth + PLY;
        n->f->number = number;
        n->f[1].doubles = n->f->doubles + (extension > PLY);
        yo_ab_play(w, n->ply, move);
        score = search_move(n, &t, cost);
        ab_take_back(w);
        if (w->stopped) return 0;
        if (n->root) keep_root_move(n, &m, number, score);
        if (n->root && number > 1 && score > n->alpha && score < n->beta)
            yo_ab_report_better(w, m.next_root - 1);
        if (score > n->best) {
            n->best = score;
            if (score > n->alpha) {
                n->best_move = move;
                n->alpha = score;
                yo_ab_keep_line(w, n->ply, move);
            }
        }
        if (n->alpha >= n->beta) break;
        if (n->tried_count < AB_TRIED_MAX) n->tried[n->tried_count++] = move;
    }
    /* The deeper the search, the more its value counts against the bound. */
    if (n->selective && n->best >= n->beta && !ab_is_mate_score(n->best) &&
        !ab_is_mate_score(n->beta))
        n->best = (n->best * n->plies + n->beta) / (n->plies + 1);
    if (number == 0) return n->f->excluded ? n->alpha : n->ply - YO_AB_MATE;
    if (n->best >= n->beta && n->best_move)
        yo_ab_learn_best(n, n->best_move);
    else if (n->selective && !n->best_move)
        yo_ab_learn_refuted(n);
    return n->best;
}

/* Is this the value of a part of the root's moves? */
static bool leaves_out_moves(const struct ab_worker *w) {
    const struct yo_search_limits *l = &w->shared->limits;
    return w->pv_index > 0 || l->only || l->avoid_count > 0;
}

int yo_ab_search(struct ab_worker *w, int ply, int depth, int alpha, int beta, bool cut_node) {
    struct ab_frame *f = &w->frames[ply];
    enum yo_ab_pruning pruning = w->shared->options.pruning;
    struct ab_node n = {.w = w,
                        .f = f,
                        .pos = &f->pos,
                        .m = &w->shared->margins,
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

    /* 1. End of the game, of the depth, of the search. */
    if (!n.root && yo_ab_is_over(w, ply, &score)) return score;
    if (depth < PLY || ply >= YO_AB_PLY_MAX)
        return yo_ab_quiesce(w, ply, YO_AB_QUIET_PLIES, alpha, beta);
    if (yo_ab_enter(w, ply)) return 0;

    /* 2. Mate distance pruning. */
    if (n.prune && !n.root) {
        if (n.alpha < ply - YO_AB_MATE) n.alpha = ply - YO_AB_MATE;
        if (n.beta > YO_AB_MATE - ply - 1) n.beta = YO_AB_MATE - ply - 1;
        if (n.alpha >= n.beta) return n.alpha;
    }

    /* 3. Transposition table. */
    n.key = shogi_hash(n.pos);
    n.entry = (struct ab_entry){.eval = AB_NO_EVAL};
    if (!f->excluded) n.found = yo_ab_table_find(&w->shared->table, n.key, &n.entry);
    if (n.root) n.entry.move = w->root_moves[w->pv_index].move;
    n.was_pv = n.pv || n.entry.pv;
    n.table_capture = n.entry.move && !ab_is_quiet(n.pos, n.entry.move);
    if (n.found && n.prune && !n.pv) {
        score = ab_from_table(n.entry.score, ply);
        if (table_cuts(&n, score)) {
            if (score >= n.beta) yo_ab_learn_table(&n);
            return score;
        }
    }

    /* 4. Reverse futility, then a mate in one, which costs more. */
    yo_ab_node_evaluate(&n);
    if (yo_ab_node_is_futile(&n, &score)) return score;
    if (n.prune && !n.root && !n.found && !n.check && !f->excluded) {
        yo_shogi_move mate = yo_shogi_mate_in_one(n.pos);
        if (mate) {
            store(&n, YO_AB_MATE - ply - 1, mate, depth, AB_EXACT);
            if (n.pv) {
                f->line[0] = mate;
                f->length = 1;
            }
            return YO_AB_MATE - ply - 1;
        }
    }

    /* 5. Razoring, null move, ProbCut. */
    if (yo_ab_node_cuts_early(&n, &score)) return w->stopped ? 0 : score;
    if (w->stopped) return 0;

    /* 6. Internal iterative reduction: without a move from the table, a ply less deep. */
    if (n.selective && !n.root && !n.entry.move && !f->excluded &&
        ((n.pv && n.plies >= n.m->iir_depth) || (cut_node && n.plies >= n.m->iir_cut_depth))) {
        n.depth -= PLY;
        n.plies--;
    }

    /* 7. The moves in the picker's order. */
    n.context = yo_ab_context_at(w, ply);
    int start_alpha = n.alpha;
    score = search_moves(&n);
    if (w->stopped) return 0;

    /* 8. Store the result and learn from it, unless it is that of some of the moves only. */
    if (!f->excluded && !(n.root && leaves_out_moves(w))) {
        enum ab_bound bound = score >= n.beta       ? AB_LOWER
                              : score > start_alpha ? AB_EXACT
                                                    : AB_UPPER;
        store(&n, score, n.best_move, n.depth, bound);
        yo_ab_learn_error(&n, score, bound);
    }
    return score;
}
