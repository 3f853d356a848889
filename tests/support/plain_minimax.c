#include "support/plain_minimax.h"

#include "eval/shogi/material.h"
#include "game/shogi/movegen.h"
#include "search/alphabeta/alphabeta.h"

enum { WORST = -100000 };

void plain_init(struct plain_search *s, const struct yo_shogi_position *root,
                const struct yo_shogi_rules *rules) {
    s->rules = *rules;
    s->rule = &yo_ab_rule_plain;
    s->past[0] = yo_shogi_past_first(root);
    s->past_count = 1;
    s->nodes = 0;
}

static struct yo_shogi_position after(struct plain_search *s, const struct yo_shogi_position *pos,
                                      yo_shogi_move move) {
    struct yo_shogi_position next = *pos;
    yo_shogi_play(&next, move);
    s->past[s->past_count] = yo_shogi_past_next(&s->past[s->past_count - 1], &next);
    s->past_count++;
    return next;
}

static bool is_over(struct plain_search *s, const struct yo_shogi_position *pos, int ply,
                    int *score) {
    struct yo_shogi_history history = {.game = s->past, .game_count = s->past_count};
    enum yo_outcome outcome = yo_shogi_repetition(&history, 1);
    if (ply == 0) return false;
    *score = YO_AB_MATE - ply;
    if (outcome == YO_OUTCOME_NONE) return yo_shogi_can_declare(pos, &s->rules);
    if (outcome == YO_OUTCOME_DRAW) *score = 0;
    if (outcome == (pos->side ? YO_OUTCOME_FIRST : YO_OUTCOME_SECOND)) *score = -*score;
    return true;
}

static int follow_captures(struct plain_search *s, const struct yo_shogi_position *pos, int left,
                           int ply, int alpha, int beta) {
    yo_shogi_move moves[YO_SHOGI_LIST];
    bool check = shogi_in_check(pos);
    size_t count = check ? yo_shogi_legal_moves(pos, moves) : yo_shogi_captures(pos, moves);
    s->nodes++;
    if (check && count == 0) return ply - YO_AB_MATE;
    int best = check && left > 0 ? WORST : yo_shogi_material(pos);
    for (size_t i = 0; i < count && left > 0 && best < beta; i++) {
        struct yo_shogi_position next = after(s, pos, moves[i]);
        int floor = best > alpha ? best : alpha;
        int score = -follow_captures(s, &next, left - 1, ply + 1, -beta, -floor);
        s->past_count--;
        if (score > best) best = score;
    }
    return best;
}

/* The child whose value one ply ahead is best; of several the one with the smallest code. */
static yo_shogi_move best_looking(struct plain_search *s, const struct yo_shogi_position *pos,
                                  int ply) {
    yo_shogi_move moves[YO_SHOGI_LIST], best_move = YO_SHOGI_NO_MOVE;
    size_t count = yo_shogi_legal_moves(pos, moves);
    int best = WORST;
    for (size_t i = 0; i < count; i++) {
        struct yo_shogi_position next = after(s, pos, moves[i]);
        int score;
        if (!is_over(s, &next, ply + 1, &score))
            score = follow_captures(s, &next, YO_AB_QUIET_PLIES, ply + 1, WORST, -WORST);
        s->past_count--;
        if (-score > best || (-score == best && moves[i] < best_move)) {
            best = -score;
            best_move = moves[i];
        }
    }
    return best_move;
}

static int plain_cost(const struct plain_search *s, const struct yo_shogi_position *pos,
                      yo_shogi_move move, yo_shogi_move last, yo_shogi_move best) {
    struct yo_ab_choice choice = {.pos = pos, .move = move, .last = last, .best = move == best};
    return s->rule->cost(s->rule, &choice);
}

static int minimax(struct plain_search *s, const struct yo_shogi_position *pos, int depth, int ply,
                   yo_shogi_move last) {
    int score;
    if (is_over(s, pos, ply, &score)) return score;
    if (depth < YO_AB_PLY) return follow_captures(s, pos, YO_AB_QUIET_PLIES, ply, WORST, -WORST);
    yo_shogi_move moves[YO_SHOGI_LIST];
    size_t count = yo_shogi_legal_moves(pos, moves);
    yo_shogi_move looks_best = s->rule->wants_best ? best_looking(s, pos, ply) : YO_SHOGI_NO_MOVE;
    int best = count ? WORST : ply - YO_AB_MATE;
    for (size_t i = 0; i < count; i++) {
        int cost = plain_cost(s, pos, moves[i], last, looks_best);
        struct yo_shogi_position next = after(s, pos, moves[i]);
        score = -minimax(s, &next, depth - cost, ply + 1, moves[i]);
        s->past_count--;
        if (score > best) best = score;
    }
    return best;
}

static int alphabeta(struct plain_search *s, const struct yo_shogi_position *pos, int depth,
                     int ply, int alpha, int beta, yo_shogi_move last) {
    int score;
    if (is_over(s, pos, ply, &score)) return score;
    if (depth < YO_AB_PLY) return follow_captures(s, pos, YO_AB_QUIET_PLIES, ply, alpha, beta);
    yo_shogi_move moves[YO_SHOGI_LIST];
    size_t count = yo_shogi_legal_moves(pos, moves);
    yo_shogi_move looks_best = s->rule->wants_best ? best_looking(s, pos, ply) : YO_SHOGI_NO_MOVE;
    int best = count ? WORST : ply - YO_AB_MATE;
    for (size_t i = 0; i < count && best < beta; i++) {
        int cost = plain_cost(s, pos, moves[i], last, looks_best);
        struct yo_shogi_position next = after(s, pos, moves[i]);
        int floor = best > alpha ? best : alpha;
        score = -alphabeta(s, &next, depth - cost, ply + 1, -beta, -floor, moves[i]);
        s->past_count--;
        if (score > best) best = score;
    }
    return best;
}

int plain_minimax(struct plain_search *s, const struct yo_shogi_position *pos, int depth) {
    return minimax(s, pos, depth, 0, YO_SHOGI_NO_MOVE);
}

int plain_alphabeta(struct plain_search *s, const struct yo_shogi_position *pos, int depth) {
    return alphabeta(s, pos, depth, 0, WORST, -WORST, YO_SHOGI_NO_MOVE);
}
