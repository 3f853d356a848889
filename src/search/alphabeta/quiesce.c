/* Quiescence: captures, evasions, and in the first plies quiet checks. */
#include "game/shogi/movegen.h"
#include "game/shogi/see.h"
#include "search/alphabeta/node.h"

/* Quiescence without pruning, for the plain search. */
static int quiesce_plain(struct ab_worker *w, int ply, int left, int alpha, int beta) {
    struct ab_frame *f = &w->frames[ply];
    bool check = shogi_in_check(&f->pos);
    f->length = 0;
    if (yo_ab_enter(w, ply)) return 0;
    int best = -AB_INFINITE;
    bool end = left == 0 || ply >= YO_AB_PLY_MAX;
    if (!check || end) {
        if (check && !yo_shogi_can_move(&f->pos)) return ply - YO_AB_MATE;
        best = yo_ab_eval(w, ply);
        if (best >= beta || end) return best;
        if (best > alpha) alpha = best;
    }
    struct ab_context context = yo_ab_context_at(w, ply);
    struct ab_picker p;
    ab_picker_init_quiesce(&p, &context, YO_SHOGI_NO_MOVE, true);
    for (yo_shogi_move move; (move = ab_picker_next(&p));) {
        yo_ab_play(w, ply, move);
        int score = -quiesce_plain(w, ply + 1, left - 1, -beta, -alpha);
        ab_take_back(w);
        if (w->stopped) return 0;
        if (score > best) best = score;
        if (score > alpha) alpha = score;
        if (alpha >= beta) break;
    }
    return best == -AB_INFINITE ? ply - YO_AB_MATE : best;
}

/* Futility: the most that the move can gain does not raise the value above alpha. */
static bool is_hopeless(const struct yo_shogi_position *pos, yo_shogi_move move, int floor,
                        int alpha) {
    int gain = shogi_exchange_value(shogi_kind(pos->board[shogi_to(move)]));
    if (shogi_promotes(move)) {
        int kind = shogi_kind(pos->board[shogi_from(move)]);
        gain += yo_shogi_values[kind + YO_SHOGI_PROMOTED] - yo_shogi_values[kind];
    }
    return floor + gain <= alpha;
}

struct best {
    int score;
    yo_shogi_move move;
};

/* Tries one move; true if it cuts. */
static bool try_move(struct ab_worker *w, int ply, int left, yo_shogi_move move, int *alpha,
                     int beta, struct best *best) {
    yo_ab_play(w, ply, move);
    int score = -yo_ab_quiesce(w, ply + 1, left - 1, -beta, -*alpha);
    ab_take_back(w);
    if (w->stopped) return true;
    if (score > best->score) {
        best->score = score;
        if (score > *alpha) {
            best->move = move;
            *alpha = score;
            if (score < beta) yo_ab_keep_line(w, ply, move);
        }
    }
    return *alpha >= beta;
}

/* Quiet checks that lose nothing; true if one cuts. */
static bool try_checks(struct ab_worker *w, int ply, int left, int *alpha, int beta,
                       struct best *best) {
    const struct yo_shogi_position *pos = &w->frames[ply].pos;
    yo_shogi_move moves[YO_SHOGI_LIST];
    size_t count = yo_shogi_checks(pos, moves);
    for (size_t i = 0; i < count; i++) {
        if (!ab_is_quiet(pos, moves[i]) || yo_shogi_see_loses(pos, moves[i], 0)) continue;
        if (try_move(w, ply, left, moves[i], alpha, beta, best)) return true;
    }
    return false;
}

static bool try_captures(struct ab_worker *w, int ply, int left, yo_shogi_move first, int *alpha,
                         int beta, int floor, struct best *best) {
    const struct yo_shogi_position *pos = &w->frames[ply].pos;
    struct ab_context context = yo_ab_context_at(w, ply);
    struct ab_picker p;
    bool check = shogi_in_check(pos);
    ab_picker_init_quiesce(&p, &context, first, false);
    int number = 0, last = ply > 0 ? shogi_to(w->frames[ply - 1].move) : -1;
    for (yo_shogi_move move; (move = ab_picker_next(&p));) {
        if (best->score > -YO_AB_MATE_FROM) {
            bool back = ply > 0 && w->frames[ply - 1].move && shogi_to(move) == last;
            if (++number > w->shared->margins.quiescence_moves && !check && !back) continue;
            if (!check && is_hopeless(pos, move, floor, *alpha)) continue;
            if (yo_shogi_see_loses(pos, move, 0)) continue;
        }
        if (try_move(w, ply, left, move, alpha, beta, best)) return true;
    }
    return false;
}

static int at_rest(struct ab_worker *w, int ply, int score) {
    const struct yo_ab_options *options = &w->shared->options;
    if (options->leaf) options->leaf(options->leaf_user, &w->frames[ply].pos, score);
    return score;
}

static int quiesce_fast(struct ab_worker *w, int ply, int left, int alpha, int beta) {
    struct ab_frame *f = &w->frames[ply];
    bool check = shogi_in_check(&f->pos), first_ply = left == YO_AB_QUIET_PLIES;
    int over, start_alpha = alpha;
    f->length = 0;
    if (yo_ab_enter(w, ply)) return 0;
    /* Captures end by themselves; checks and evasions may repeat, and any may pass the limit of
     * moves. */
    int limit = w->shared->rules.max_moves;
    bool late = limit && f->pos.ply >= limit;
    if ((check || late) && !first_ply && yo_ab_is_over(w, ply, &over)) return over;
    if (ply >= YO_AB_PLY_MAX) return check ? AB_DRAW : yo_ab_eval(w, ply);

    uint64_t key = shogi_hash(&f->pos);
    struct ab_entry entry;
    bool found = yo_ab_table_find(&w->shared->table, key, &entry);
    if (found && beta - alpha == 1) {
        int score = ab_from_table(entry.score, ply);
        if (entry.bound == AB_EXACT || (entry.bound == AB_LOWER && score >= beta) ||
            (entry.bound == AB_UPPER && score <= alpha))
            return score;
    }

    struct best best = {.score = -AB_INFINITE};
    int floor = 0, eval = AB_NO_EVAL, rest = -AB_INFINITE,
        margin = w->shared->margins.quiescence_margin;
    if (!check) {
        eval = entry.eval != AB_NO_EVAL ? entry.eval : yo_ab_eval(w, ply);
        best.score = rest = yo_ab_corrected(w, ply, eval);
        if (best.score >= beta || left <= -YO_AB_QUIET_PLIES) return at_rest(w, ply, best.score);
        yo_shogi_move mate = YO_SHOGI_NO_MOVE;
        if (!found && w->shared->margins.quiescence_mate) mate = yo_shogi_mate_in_one(&f->pos);
        if (mate) {
            f->line[0] = mate;
            f->length = 1;
            return YO_AB_MATE - ply - 1;
        }
        if (best.score > alpha) alpha = best.score;
        floor = best.score + margin;
    } else if (left <= -YO_AB_QUIET_PLIES) {
        return yo_shogi_can_move(&f->pos) ? yo_ab_eval(w, ply) : ply - YO_AB_MATE;
    }
    bool cut = try_captures(w, ply, left, entry.move, &alpha, beta, floor, &best);
    if (!cut && left > YO_AB_QUIET_PLIES - w->shared->margins.quiescence_checks && !check &&
        floor + margin > alpha)
        try_checks(w, ply, left, &alpha, beta, &best);
    if (w->stopped) return 0;
    if (check && best.score == -AB_INFINITE) return ply - YO_AB_MATE;
    if (!check && best.score == rest) at_rest(w, ply, rest);

    enum ab_bound bound = best.score >= beta         ? AB_LOWER
                          : best.score > start_alpha ? AB_EXACT
                                                     : AB_UPPER;
    yo_ab_table_store(&w->shared->table, key,
                      &(struct ab_entry){.score = ab_to_table(best.score, ply),
                                         .eval = eval,
                                         .move = best.move,
                                         .bound = bound,
                                         .pv = entry.pv});
    return best.score;
}

int yo_ab_quiesce(struct ab_worker *w, int ply, int left, int alpha, int beta) {
    if (w->shared->options.pruning == YO_AB_PLAIN) return quiesce_plain(w, ply, left, alpha, beta);
    return quiesce_fast(w, ply, left, alpha, beta);
}
