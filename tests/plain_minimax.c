#include "plain_minimax.h"

#include "eval/shogi/material.h"
#include "game/shogi/movegen.h"
#include "search/alphabeta.h"

enum { WORST = -100000 };

void plain_init(struct plain_search *s, const struct yo_shogi_position *root,
                const struct yo_shogi_rules *rules) {
    s->rules = *rules;
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

int plain_minimax(struct plain_search *s, const struct yo_shogi_position *pos, int depth, int ply) {
    int score;
    if (is_over(s, pos, ply, &score)) return score;
    if (depth == 0) return follow_captures(s, pos, YO_AB_QUIET_PLIES, ply, WORST, -WORST);
    yo_shogi_move moves[YO_SHOGI_LIST];
    size_t count = yo_shogi_legal_moves(pos, moves);
    int best = count ? WORST : ply - YO_AB_MATE;
    for (size_t i = 0; i < count; i++) {
        struct yo_shogi_position next = after(s, pos, moves[i]);
        score = -plain_minimax(s, &next, depth - 1, ply + 1);
        s->past_count--;
        if (score > best) best = score;
    }
    return best;
}

int plain_alphabeta(struct plain_search *s, const struct yo_shogi_position *pos, int depth, int ply,
                    int alpha, int beta) {
    int score;
    if (is_over(s, pos, ply, &score)) return score;
    if (depth == 0) return follow_captures(s, pos, YO_AB_QUIET_PLIES, ply, alpha, beta);
    yo_shogi_move moves[YO_SHOGI_LIST];
    size_t count = yo_shogi_legal_moves(pos, moves);
    int best = count ? WORST : ply - YO_AB_MATE;
    for (size_t i = 0; i < count && best < beta; i++) {
        struct yo_shogi_position next = after(s, pos, moves[i]);
        int floor = best > alpha ? best : alpha;
        score = -plain_alphabeta(s, &next, depth - 1, ply + 1, -beta, -floor);
        s->past_count--;
        if (score > best) best = score;
    }
    return best;
}
