#include "search/alphabeta.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/time.h"
#include "eval/shogi/material.h"
#include "game/shogi/movegen.h"
#include "game/shogi/see.h"
#include "search/ab_table.h"

enum { INFINITE = 32500, DRAW = 0, HISTORY_MAX = 1 << 14 };

struct frame {
    struct yo_shogi_position pos;
    yo_shogi_move killers[2], move; /* move: the one being tried */
    yo_shogi_move line[YO_AB_PLY_MAX + 1];
    int length;
};

struct yo_ab {
    struct ab_table table;
    bool plain;
    struct yo_ab_limits limits;
    struct yo_shogi_rules rules;
    const atomic_bool *stop;
    int64_t started_ms;
    uint64_t nodes;
    int seldepth, depth;
    bool stopped;
    struct yo_shogi_past *past; /* the game, then the line being searched */
    size_t past_count, past_cap;
    struct frame frames[YO_AB_PLY_MAX + 2];
    int16_t history[2][YO_SHOGI_KINDS][YO_SHOGI_SQUARES];
    uint8_t reductions[64][64];
    yo_shogi_move line[YO_AB_PLY_MAX + 1]; /* of the last finished depth */
};

struct picks {
    yo_shogi_move moves[YO_SHOGI_LIST];
    int scores[YO_SHOGI_LIST];
    size_t count, next;
};

enum yo_err yo_ab_new(size_t table_mb, struct yo_ab **out) {
    struct yo_ab *s = yo_alloc_aligned(sizeof *s);
    if (!s) return YO_ERR_NOMEM;
    memset(s, 0, sizeof *s);
    if (yo_ab_table_init(&s->table, table_mb)) {
        yo_free_aligned(s);
        return YO_ERR_NOMEM;
    }
    for (int depth = 1; depth < 64; depth++)
        for (int move = 1; move < 64; move++)
            s->reductions[depth][move] = (uint8_t)(0.5 + log(depth) * log(move) / 2.2);
    *out = s;
    return YO_OK;
}

void yo_ab_delete(struct yo_ab *s) {
    if (!s) return;
    yo_ab_table_free(&s->table);
    yo_free(s->past);
    yo_free_aligned(s);
}

void yo_ab_clear(struct yo_ab *s) {
    yo_ab_table_clear(&s->table);
    memset(s->history, 0, sizeof s->history);
}

void yo_ab_set_plain(struct yo_ab *s, bool plain) { s->plain = plain; }

static bool must_stop(struct yo_ab *s) {
    if (s->stopped) return true;
    if (s->limits.nodes && s->nodes >= s->limits.nodes) s->stopped = true;
    if (s->nodes % 1024 == 0) {
        if (s->stop && atomic_load_explicit(s->stop, memory_order_relaxed)) s->stopped = true;
        if (s->limits.hard_ms && yo_time_ms() - s->started_ms >= s->limits.hard_ms)
            s->stopped = true;
    }
    return s->stopped;
}

/* ---- Playing ---- */

static void play(struct yo_ab *s, int ply, yo_shogi_move move) {
    s->frames[ply].move = move;
    s->frames[ply + 1].pos = s->frames[ply].pos;
    if (move == YO_SHOGI_NO_MOVE)
        yo_shogi_play_null(&s->frames[ply + 1].pos);
    else
        yo_shogi_play(&s->frames[ply + 1].pos, move);
    s->past[s->past_count] =
        yo_shogi_past_next(&s->past[s->past_count - 1], &s->frames[ply + 1].pos);
    s->past_count++;
}

static void take_back(struct yo_ab *s) { s->past_count--; }

static int score_for(enum yo_outcome outcome, int side, int ply) {
    if (outcome == YO_OUTCOME_DRAW) return DRAW;
    bool won = (outcome == YO_OUTCOME_FIRST) == (side == YO_SHOGI_BLACK);
    return won ? YO_AB_MATE - ply : ply - YO_AB_MATE;
}

/* The game is over here for a reason other than mate. In the tree one repetition decides: what was
 * done once can be done again. */
static bool is_over(struct yo_ab *s, int ply, int *score) {
    const struct yo_shogi_position *pos = &s->frames[ply].pos;
    struct yo_shogi_history history = {.game = s->past, .game_count = s->past_count};
    enum yo_outcome outcome = yo_shogi_repetition(&history, 1);
    if (outcome == YO_OUTCOME_NONE && s->rules.max_moves && pos->ply >= s->rules.max_moves)
        outcome = YO_OUTCOME_DRAW;
    if (outcome != YO_OUTCOME_NONE) {
        *score = score_for(outcome, pos->side, ply);
        return true;
    }
    *score = YO_AB_MATE - ply;
    return yo_shogi_can_declare(pos, &s->rules);
}

/* ---- Ordering ---- */

static int16_t *history_of(struct yo_ab *s, const struct yo_shogi_position *pos,
                           yo_shogi_move move) {
    int kind = shogi_is_drop(move) ? shogi_dropped(move) : shogi_kind(pos->board[shogi_from(move)]);
    return &s->history[pos->side][kind][shogi_to(move)];
}

static int order(struct yo_ab *s, int ply, yo_shogi_move move, yo_shogi_move first) {
    const struct frame *f = &s->frames[ply];
    if (move == first) return 1 << 30;
    int taken = shogi_kind(f->pos.board[shogi_to(move)]);
    if (taken || shogi_promotes(move)) {
        int see = yo_shogi_see(&f->pos, move);
        return see >= 0 ? (1 << 20) + see : see - (1 << 15);
    }
    if (move == f->killers[0]) return (1 << 19) + 1;
    if (move == f->killers[1]) return 1 << 19;
    return *history_of(s, &f->pos, move);
}

static void pick_init(struct yo_ab *s, struct picks *p, int ply, yo_shogi_move first) {
    p->next = 0;
    for (size_t i = 0; i < p->count; i++)
        p->scores[i] = order(s, ply, p->moves[i], first);
}

/* The best of those left: few are asked for where a cut comes early. */
static yo_shogi_move pick(struct picks *p) {
    if (p->next == p->count) return YO_SHOGI_NO_MOVE;
    size_t best = p->next;
    for (size_t i = p->next + 1; i < p->count; i++)
        if (p->scores[i] > p->scores[best]) best = i;
    yo_shogi_move move = p->moves[best];
    int score = p->scores[best];
    p->moves[best] = p->moves[p->next];
    p->scores[best] = p->scores[p->next];
    p->moves[p->next] = move;
    p->scores[p->next++] = score;
    return move;
}

static void reward(int16_t *entry, int bonus) {
    int size = bonus < 0 ? -bonus : bonus;
    *entry = (int16_t)(*entry + bonus - *entry * size / HISTORY_MAX);
}

/* A quiet move cut: it comes earlier next time, and those tried before it later. */
static void learn_from_cut(struct yo_ab *s, int ply, const struct picks *p, yo_shogi_move move,
                           int depth) {
    struct frame *f = &s->frames[ply];
    if (f->pos.board[shogi_to(move)] || shogi_promotes(move)) return;
    if (f->killers[0] != move) {
        f->killers[1] = f->killers[0];
        f->killers[0] = move;
    }
    int bonus = depth * depth < 400 ? 16 * depth * depth : 6400;
    reward(history_of(s, &f->pos, move), bonus);
    for (size_t i = 0; i + 1 < p->next; i++)
        if (!f->pos.board[shogi_to(p->moves[i])] && !shogi_promotes(p->moves[i]))
            reward(history_of(s, &f->pos, p->moves[i]), -bonus);
}

static void keep_line(struct yo_ab *s, int ply, yo_shogi_move move) {
    struct frame *f = &s->frames[ply], *below = &s->frames[ply + 1];
    f->line[0] = move;
    f->length = below->length + 1;
    memcpy(f->line + 1, below->line, (size_t)below->length * sizeof *f->line);
}

/* ---- Beyond the depth ---- */

static int quiesce(struct yo_ab *s, int ply, int left, int alpha, int beta) {
    struct frame *f = &s->frames[ply];
    bool check = shogi_in_check(&f->pos);
    s->nodes++;
    f->length = 0;
    if (ply > s->seldepth) s->seldepth = ply;
    int best = -INFINITE;
    if (!check || left == 0 || ply >= YO_AB_PLY_MAX) {
        if (check && !yo_shogi_can_move(&f->pos)) return ply - YO_AB_MATE;
        best = yo_shogi_material(&f->pos);
        if (best >= beta || left == 0 || ply >= YO_AB_PLY_MAX || must_stop(s)) return best;
        if (best > alpha) alpha = best;
    }
    struct picks p;
    p.count = check ? yo_shogi_evasions(&f->pos, p.moves) : yo_shogi_captures(&f->pos, p.moves);
    if (check && p.count == 0) return ply - YO_AB_MATE;
    pick_init(s, &p, ply, YO_SHOGI_NO_MOVE);
    for (yo_shogi_move move; (move = pick(&p));) {
        if (!s->plain && !check && p.scores[p.next - 1] < 0) break; /* loses by exchange */
        play(s, ply, move);
        int score = -quiesce(s, ply + 1, left - 1, -beta, -alpha);
        take_back(s);
        if (score > best) best = score;
        if (score > alpha) alpha = score;
        if (alpha >= beta) break;
    }
    return best;
}

/* ---- The search ---- */

static int to_table(int score, int ply) {
    return score >= YO_AB_MATE_FROM ? score + ply : score <= -YO_AB_MATE_FROM ? score - ply : score;
}
static int from_table(int score, int ply) {
    return score >= YO_AB_MATE_FROM ? score - ply : score <= -YO_AB_MATE_FROM ? score + ply : score;
}

static bool table_cuts(const struct ab_entry *e, int depth, int alpha, int beta, int score) {
    if (e->depth < depth) return false;
    return e->bound == AB_EXACT || (e->bound == AB_LOWER && score >= beta) ||
           (e->bound == AB_UPPER && score <= alpha);
}

static bool is_wanted(const struct yo_ab *s, int ply, yo_shogi_move move) {
    if (ply > 0 || !s->limits.only) return true;
    for (size_t i = 0; i < s->limits.only_count; i++)
        if (s->limits.only[i] == move) return true;
    return false;
}

static int search(struct yo_ab *s, int ply, int depth, int alpha, int beta, bool null_allowed);

/* One move, at a depth the ordering deserves, and again where that was too little. */
static int try_move(struct yo_ab *s, int ply, int depth, int alpha, int beta, size_t number,
                    int reduction) {
    if (number == 1) return -search(s, ply + 1, depth - 1, -beta, -alpha, true);
    int score = -search(s, ply + 1, depth - 1 - reduction, -alpha - 1, -alpha, true);
    if (score > alpha && reduction > 0)
        score = -search(s, ply + 1, depth - 1, -alpha - 1, -alpha, true);
    if (score > alpha && score < beta) score = -search(s, ply + 1, depth - 1, -beta, -alpha, true);
    return score;
}

static int search(struct yo_ab *s, int ply, int depth, int alpha, int beta, bool null_allowed) {
    struct frame *f = &s->frames[ply];
    const struct yo_shogi_position *pos = &f->pos;
    bool check = shogi_in_check(pos), prune = !s->plain, pv = beta - alpha > 1;
    int over, start_alpha = alpha;
    f->length = 0;

    /* 1. Ends: the game's, the depth's, ours. */
    if (ply > 0 && is_over(s, ply, &over)) return over;
    if (prune && check && depth < YO_AB_PLY_MAX / 2 && ply < 2 * s->depth) depth++;
    if (depth <= 0 || ply >= YO_AB_PLY_MAX) return quiesce(s, ply, YO_AB_QUIET_PLIES, alpha, beta);
    s->nodes++;
    if (must_stop(s)) return 0;

    /* 2. No mate found here can be better than one found nearer to the root. */
    if (prune && ply > 0) {
        if (alpha < ply - YO_AB_MATE) alpha = ply - YO_AB_MATE;
        if (beta > YO_AB_MATE - ply - 1) beta = YO_AB_MATE - ply - 1;
        if (alpha >= beta) return alpha;
    }

    /* 3. What the table knows. */
    uint64_t key = shogi_hash(pos);
    const struct ab_entry *entry = yo_ab_table_find(&s->table, key);
    yo_shogi_move first = entry ? entry->move : YO_SHOGI_NO_MOVE;
    if (entry && prune && !pv && ply > 0) {
        int score = from_table(entry->score, ply);
        if (table_cuts(entry, depth, alpha, beta, score)) return score;
    }

    /* 4. So far ahead that less will do: by the bare evaluation, or after passing. */
    int eval = check || !prune ? 0 : yo_shogi_material(pos);
    if (prune && !pv && !check && beta < YO_AB_MATE_FROM && beta > -YO_AB_MATE_FROM) {
        if (depth <= 6 && eval - 150 * depth >= beta) return eval;
        if (null_allowed && depth >= 3 && eval >= beta) {
            play(s, ply, YO_SHOGI_NO_MOVE);
            int score = -search(s, ply + 1, depth - 3 - depth / 4, -beta, -beta + 1, false);
            take_back(s);
            if (s->stopped) return 0;
            if (score >= beta) return score >= YO_AB_MATE_FROM ? beta : score;
        }
    }

    /* 5. Every move, best guesses first. */
    struct picks p;
    p.count = yo_shogi_legal_moves(pos, p.moves);
    if (p.count == 0) return ply - YO_AB_MATE;
    pick_init(s, &p, ply, first);
    int best = -INFINITE;
    size_t number = 0;
    yo_shogi_move best_move = YO_SHOGI_NO_MOVE;
    s->frames[ply + 1].killers[0] = s->frames[ply + 1].killers[1] = YO_SHOGI_NO_MOVE;
    for (yo_shogi_move move; (move = pick(&p));) {
        if (!is_wanted(s, ply, move)) continue;
        number++;
        bool quiet = !pos->board[shogi_to(move)] && !shogi_promotes(move);
        play(s, ply, move);
        bool gives_check = shogi_in_check(&s->frames[ply + 1].pos);
        bool hopeless =
            prune && quiet && !check && !gives_check && best > -YO_AB_MATE_FROM && ply > 0;
        if (hopeless && depth <= 4 &&
            (eval + 150 + 150 * depth <= alpha || number > 12u + 8u * (unsigned)(depth * depth))) {
            take_back(s);
            continue;
        }
        int reduction = 0;
        if (hopeless && depth >= 3 && number > 3)
            reduction = s->reductions[depth < 63 ? depth : 63][number < 63 ? number : 63] - pv;
        if (reduction > depth - 2) reduction = depth - 2;
        int score = try_move(s, ply, depth, alpha, beta, number, reduction > 0 ? reduction : 0);
        take_back(s);
        if (s->stopped) return 0;
        if (score > best) {
            best = score;
            best_move = move;
        }
        if (score > alpha) {
            alpha = score;
            keep_line(s, ply, move);
        }
        if (alpha >= beta) {
            learn_from_cut(s, ply, &p, move, depth);
            break;
        }
    }

    /* 6. What was found out. */
    enum ab_bound bound = best >= beta ? AB_LOWER : best > start_alpha ? AB_EXACT : AB_UPPER;
    yo_ab_table_store(&s->table, key, to_table(best, ply), best_move, depth, bound);
    return best;
}

/* ---- Deeper and deeper ---- */

/* Around the last depth's value first; wider where that fails. */
static int search_root(struct yo_ab *s, int depth, int last) {
    int width = 50, alpha = -INFINITE, beta = INFINITE;
    if (depth >= 4 && !s->plain) {
        alpha = last - width;
        beta = last + width;
    }
    for (;;) {
        int score = search(s, 0, depth, alpha, beta, false);
        if (s->stopped || (score > alpha && score < beta)) return score;
        width *= 4;
        if (score <= alpha) alpha = width > 3000 ? -INFINITE : score - width;
        if (score >= beta) beta = width > 3000 ? INFINITE : score + width;
    }
}

static enum yo_err prepare(struct yo_ab *s, const struct yo_shogi_past *past, size_t count) {
    size_t need = count + YO_AB_PLY_MAX + YO_AB_QUIET_PLIES + 4;
    if (need > s->past_cap) {
        void *grown = yo_realloc(s->past, need, sizeof *s->past);
        if (!grown) return YO_ERR_NOMEM;
        s->past = grown;
        s->past_cap = need;
    }
    memcpy(s->past, past, count * sizeof *past);
    s->past_count = count;
    s->nodes = 0;
    s->stopped = false;
    s->seldepth = 0;
    s->table.age++;
    s->started_ms = yo_time_ms();
    for (int i = 0; i < YO_AB_PLY_MAX + 2; i++)
        s->frames[i].killers[0] = s->frames[i].killers[1] = YO_SHOGI_NO_MOVE;
    return YO_OK;
}

static void fill_report(struct yo_ab *s, int depth, int score, struct yo_ab_report *r) {
    *r = (struct yo_ab_report){.depth = depth,
                               .seldepth = s->seldepth,
                               .score = score,
                               .nodes = s->nodes,
                               .elapsed_ms = yo_time_ms() - s->started_ms,
                               .hashfull = yo_ab_table_full(&s->table),
                               .line = s->line,
                               .length = r->length};
}

static bool keep_root_line(struct yo_ab *s, struct yo_ab_report *result) {
    const struct frame *root = &s->frames[0];
    if (root->length == 0) return false;
    memcpy(s->line, root->line, (size_t)root->length * sizeof *s->line);
    result->length = (size_t)root->length;
    return true;
}

static yo_shogi_move any_move(const struct yo_ab *s) {
    yo_shogi_move moves[YO_SHOGI_LIST];
    size_t count = yo_shogi_legal_moves(&s->frames[0].pos, moves);
    for (size_t i = 0; i < count; i++)
        if (is_wanted(s, 0, moves[i])) return moves[i];
    return YO_SHOGI_NO_MOVE;
}

static bool is_enough(const struct yo_ab *s, int depth, int score) {
    int64_t spent = yo_time_ms() - s->started_ms;
    if (s->stopped || (s->limits.soft_ms && spent >= s->limits.soft_ms)) return true;
    if (s->limits.depth && depth >= s->limits.depth) return true;
    int mate = score < 0 ? -score : score;
    bool timed = s->limits.soft_ms || s->limits.hard_ms;
    return timed && mate >= YO_AB_MATE_FROM && YO_AB_MATE - mate <= depth;
}

enum yo_err yo_ab_run(struct yo_ab *s, const struct yo_shogi_position *pos,
                      const struct yo_shogi_rules *rules, const struct yo_shogi_past *past,
                      size_t past_count, const struct yo_ab_limits *limits, const atomic_bool *stop,
                      yo_ab_report_fn report, void *user, struct yo_ab_report *result) {
    s->limits = *limits;
    s->rules = *rules;
    s->stop = stop;
    enum yo_err err = prepare(s, past, past_count);
    if (err) return err;
    s->frames[0].pos = *pos;
    *result = (struct yo_ab_report){.line = s->line};
    s->line[0] = any_move(s);
    if (s->line[0] == YO_SHOGI_NO_MOVE) {
        result->score = -YO_AB_MATE;
        return YO_OK;
    }
    result->length = 1;
    int score = 0;
    for (s->depth = 1; s->depth < YO_AB_PLY_MAX; s->depth++) {
        int found = search_root(s, s->depth, score);
        /* Of a depth that was cut short, a line that beat the old one is still worth having. */
        if (!keep_root_line(s, result) || s->stopped) break;
        score = found;
        fill_report(s, s->depth, score, result);
        if (report) report(user, result);
        if (is_enough(s, s->depth, score)) break;
    }
    fill_report(s, s->depth, score, result);
    return YO_OK;
}
