/* Making moves, ends of the game inside the tree, static evaluation. */
#include <string.h>

#include "base/time.h"
#include "game/shogi/movegen.h"
#include "search/alphabeta/internal.h"

/* Interval of checks of the clock and the stop flags, in nodes: well under a millisecond. The first
 * nodes of a large table wait for its pages, so the clock is read more often. */
enum { LOOK_EVERY = 512, LOOK_EVERY_FIRST = 16, FIRST_NODES = 8192 };

static void *state_at(struct ab_worker *w, int ply) {
    return (char *)w->states + (size_t)ply * w->shared->options.eval->state_size;
}

void yo_ab_play(struct ab_worker *w, int ply, yo_shogi_move move) {
    struct ab_frame *f = &w->frames[ply], *below = f + 1;
    const struct yo_shogi_eval *eval = w->shared->options.eval;
    f->move = move;
    f->slot = ab_slot_of(&f->pos, move);
    below->pos = f->pos;
    if (move == YO_SHOGI_NO_MOVE)
        yo_shogi_play_null(&below->pos);
    else
        yo_shogi_play(&below->pos, move);
    uint64_t key = shogi_hash(&below->pos);
    ab_table_prefetch(&w->shared->table, key);
    __builtin_prefetch(&w->values[key % AB_VALUES]);
    w->past[w->past_count] = yo_shogi_past_next(&w->past[w->past_count - 1], &below->pos);
    w->past_count++;
    if (eval->step)
        eval->step(eval->net, &f->pos, &below->pos, move, state_at(w, ply), state_at(w, ply + 1));
}

int yo_ab_eval(struct ab_worker *w, int ply) {
    const struct yo_shogi_eval *eval = w->shared->options.eval;
    const struct yo_shogi_position *pos = &w->frames[ply].pos;
    uint64_t key = shogi_hash(pos), *known = &w->values[key % AB_VALUES];
    if ((*known ^ key) >> 16 == 0) return (int16_t)*known;
    int value = eval->value(eval->net, pos, state_at(w, ply));
    *known = (key & ~(uint64_t)UINT16_MAX) | (uint16_t)value;
    return value;
}

int yo_ab_corrected(struct ab_worker *w, int ply, int eval) {
    const struct ab_frame *f = &w->frames[ply];
    if (w->shared->options.pruning != YO_AB_FULL) return eval;
    struct ab_correction c = ab_correction_of(&w->corrections, &f->pos, ply > 0 ? f[-1].slot : 0);
    int value = eval + ab_correction_value(&c);
    return value > YO_SHOGI_EVAL_MAX    ? YO_SHOGI_EVAL_MAX
           : value < -YO_SHOGI_EVAL_MAX ? -YO_SHOGI_EVAL_MAX
                                        : value;
}

static int score_for(enum yo_outcome outcome, int side, int ply) {
    if (outcome == YO_OUTCOME_DRAW) return AB_DRAW;
    bool won = (outcome == YO_OUTCOME_FIRST) == (side == YO_SHOGI_BLACK);
    return won ? YO_AB_MATE - ply : ply - YO_AB_MATE;
}

bool yo_ab_is_over(const struct ab_worker *w, int ply, int *score) {
    const struct yo_shogi_position *pos = &w->frames[ply].pos;
    const struct yo_shogi_rules *rules = &w->shared->rules;
    struct yo_shogi_history history = {.game = w->past, .game_count = w->past_count};
    enum yo_outcome outcome = yo_shogi_repetition(&history, 1);
    if (outcome == YO_OUTCOME_NONE && yo_shogi_was_tried(pos, rules)) {
        *score = ply - YO_AB_MATE;
        return true;
    }
    /* Mate comes first: a game may end by mate on its last move. */
    if (outcome == YO_OUTCOME_NONE && rules->max_moves && pos->ply >= rules->max_moves &&
        yo_shogi_can_move(pos))
        outcome = YO_OUTCOME_DRAW;
    if (outcome != YO_OUTCOME_NONE) {
        *score = score_for(outcome, pos->side, ply);
        return true;
    }
    *score = YO_AB_MATE - ply;
    return yo_shogi_can_declare(pos, rules);
}

uint64_t yo_ab_nodes(const struct ab_shared *s) {
    uint64_t nodes = 0;
    for (int i = 0; i < s->worker_count; i++)
        nodes += atomic_load_explicit(&s->workers[i]->nodes, memory_order_relaxed);
    return nodes;
}

static bool is_time_up(const struct ab_worker *w, uint64_t nodes) {
    const struct ab_shared *s = w->shared;
    /* The first line of the first iteration is short, and without it there is neither a score nor a
     * good move. */
    uint64_t limit = w->id == 0 && w->done_depth == 0 && w->pv_index == 0 ? 0 : s->limits.nodes;
    if (limit && s->worker_count == 1 && nodes >= limit) return true;
    if (nodes % (nodes < FIRST_NODES ? LOOK_EVERY_FIRST : LOOK_EVERY)) return false;
    if (atomic_load_explicit(&s->halt, memory_order_relaxed)) return true;
    if (w->id == 0 && s->options.pace) s->options.pace(s->options.pace_user, yo_ab_nodes(s));
    /* Every thread counts: a busy machine may keep the first one waiting. */
    if (limit && yo_ab_nodes(s) >= limit) return true;
    if (w->id != 0 || w->done_depth == 0) return false;
    if (s->stop && atomic_load_explicit(s->stop, memory_order_relaxed)) return true;
    int64_t hard = yo_search_clock_read(&s->clock->hard);
    return hard && yo_time_ms() >= hard;
}

bool yo_ab_enter(struct ab_worker *w, int ply) {
    if (ply > w->seldepth) w->seldepth = ply;
    /* Only this thread writes the counter: no atomic addition is needed. */
    uint64_t nodes = atomic_load_explicit(&w->nodes, memory_order_relaxed) + 1;
    atomic_store_explicit(&w->nodes, nodes, memory_order_relaxed);
    if (!w->stopped && is_time_up(w, nodes)) w->stopped = true;
    return w->stopped;
}

void yo_ab_keep_line(struct ab_worker *w, int ply, yo_shogi_move move) {
    struct ab_frame *f = &w->frames[ply], *below = f + 1;
    f->line[0] = move;
    f->length = below->length < YO_AB_PLY_MAX ? below->length + 1 : YO_AB_PLY_MAX;
    memcpy(f->line + 1, below->line, (size_t)(f->length - 1) * sizeof *f->line);
}
