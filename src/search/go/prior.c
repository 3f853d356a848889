#include "search/go/prior.h"

#include <math.h>
#include <stdlib.h>

#include "game/go/game_ops.h"
#include "game/go/patterns.h"
#include "search/go/model.h"

/* Equivalent experience: each feature counts as this many visits, all of them wins for a good
 * feature and losses for a bad one. */
#define EVEN         8  /* for every move, half of them wins: damps the first playouts */
#define PASS         16 /* lost; won where a stone that need not be answered costs a point */
#define SELF_ATARI   10 /* lost */
#define CAPTURE      10 /* won; and more for each stone */
#define RESCUE       10 /* won; and more for each stone */
#define PER_STONE    2
#define STONES_MAX   10
#define ATARI        3  /* won: puts a string in atari */
#define PATTERN      6  /* won */
#define PATTERN_NEAR 16 /* won: a pattern that touches the last move */
#define EDGE_1       24 /* lost: first line, nothing near */
#define EDGE_2       14 /* lost: second line, nothing near */
#define INSIDE       5  /* won: third line or higher, nothing near */

struct view {
    const struct yo_go_board *board;
    const struct yo_go_geometry *geometry;
    const struct yo_go_patterns *patterns;
    enum yo_go_color me, other;
    yo_go_point last;
    bool stones_cost; /* counted by territory, with no point left to take */
};

static void win(struct yo_prior *prior, float visits) {
    prior->visits += visits;
    prior->wins += visits;
}

static void lose(struct yo_prior *prior, float visits) { prior->visits += visits; }

static float stones_bonus(const struct yo_go_string *s) {
    return (float)(PER_STONE * (s->stones < STONES_MAX ? s->stones : STONES_MAX));
}

/* ---- strings ---- */

static void weigh_strings(const struct view *v, yo_go_point p, struct yo_prior *prior) {
    const struct yo_go_board *board = v->board;
    bool captures = false, rescues = false, self_atari = yo_go_board_is_self_atari(board, v->me, p);
    for (int d = 0; d < 4; d++) {
        unsigned q = v->geometry->nbr[p][d];
        if (q == YO_GO_OFF_POINT || board->color[q] == YO_GO_EMPTY) continue;
        const struct yo_go_string *s = &board->string[board->head[q]];
        bool atari = yo_go_string_in_atari(s);
        if (board->color[q] == v->other) {
            if (atari && !captures) win(prior, CAPTURE + stones_bonus(s));
            captures |= atari;
            if (!atari && !self_atari && yo_go_board_liberties(board, (yo_go_point)q, 3) == 2)
                win(prior, ATARI);
        } else if (atari && !self_atari && !rescues) {
            win(prior, RESCUE + stones_bonus(s));
            rescues = true;
        }
    }
    if (self_atari) lose(prior, SELF_ATARI);
}

/* ---- places ---- */

static int distance(const struct view *v, yo_go_point p, yo_go_point q) {
    int size = v->geometry->size;
    int dx = abs(p % size - q % size), dy = abs(p / size - q / size);
    return dx + dy + (dx > dy ? dx : dy); /* closer to a circle than either part */
}

static void weigh_distance(const struct view *v, yo_go_point p, struct yo_prior *prior) {
    static const float near[] = {0, 0, 6, 6, 5, 4, 3};
    if (v->last >= v->geometry->points) return;
    int d = distance(v, p, v->last);
    if (d < (int)(sizeof near / sizeof near[0])) win(prior, near[d]);
}

static void weigh_pattern(const struct view *v, yo_go_point p, struct yo_prior *prior) {
    if (!yo_go_patterns_match(v->patterns, v->me, v->board->pattern[p])) return;
    bool near = v->last < v->geometry->points && distance(v, p, v->last) <= 3;
    win(prior, near ? PATTERN_NEAR : PATTERN);
}

/* No stone within two points, along the lines and between them. */
static bool is_lonely(const struct view *v, yo_go_point p) {
    for (int d = 0; d < 8; d++) {
        unsigned q = v->geometry->nbr[p][d];
        if (q == YO_GO_OFF_POINT) continue;
        if (v->board->color[q] != YO_GO_EMPTY) return false;
        for (int e = 0; e < 4; e++) {
            unsigned r = v->geometry->nbr[q][e];
            if (r != YO_GO_OFF_POINT && v->board->color[r] != YO_GO_EMPTY) return false;
        }
    }
    return true;
}

static void weigh_edge(const struct view *v, yo_go_point p, struct yo_prior *prior) {
    int size = v->geometry->size, x = p % size, y = p / size;
    int to_x = x < size - 1 - x ? x : size - 1 - x, to_y = y < size - 1 - y ? y : size - 1 - y;
    int line = to_x < to_y ? to_x : to_y;
    if (!is_lonely(v, p)) return;
    if (line == 0) lose(prior, EDGE_1);
    if (line == 1) lose(prior, EDGE_2);
    if (line >= 2) win(prior, INSIDE);
}

/* ---- all together ---- */

static void weigh_move(const struct view *v, yo_move move, struct yo_prior *prior) {
    *prior = (struct yo_prior){.visits = EVEN, .wins = EVEN / 2.0f};
    if (move == YO_GO_PASS) {
        (v->stones_cost ? win : lose)(prior, PASS);
        return;
    }
    yo_go_point p = (yo_go_point)move;
    prior->prune = yo_go_bit(v->board->eye[v->me], p);
    if (prior->prune) return;
    weigh_strings(v, p, prior);
    weigh_distance(v, p, prior);
    weigh_pattern(v, p, prior);
    weigh_edge(v, p, prior);
}

static void weigh_experience(const struct yo_go_patterns *patterns,
                             const struct yo_go_position *pos, const yo_move *moves, size_t count,
                             struct yo_prior *out) {
    enum yo_go_color me = (enum yo_go_color)pos->to_move;
    struct view view = {.board = &pos->board,
                        .geometry = pos->board.geometry,
                        .patterns = patterns,
                        .me = me,
                        .other = yo_go_other(me),
                        .last = pos->last,
                        .stones_cost = pos->stones_cost == YO_GO_STONES_CLOSED};
    for (size_t i = 0; i < count; i++)
        weigh_move(&view, moves[i], &out[i]);
}

/* ---- probabilities of the model ---- */

static bool has_chance(yo_move move, const struct yo_prior *prior) {
    return move != YO_GO_PASS && !prior->prune;
}

static void weigh_chances(const struct yo_go_position *pos, const yo_move *moves, size_t count,
                          struct yo_prior *out) {
    const struct yo_go_model *model = yo_go_model();
    struct yo_go_look look;
    struct yo_go_features features;
    float greatest = -INFINITY, sum = 0;
    yo_go_look(&look, pos);
    for (size_t i = 0; i < count; i++) {
        if (!has_chance(moves[i], &out[i])) continue;
        yo_go_features(&look, (yo_go_point)moves[i], &features);
        out[i].chance = yo_go_model_score(model, &features);
        greatest = fmaxf(greatest, out[i].chance);
    }
    for (size_t i = 0; i < count; i++)
        if (has_chance(moves[i], &out[i])) sum += out[i].chance = expf(out[i].chance - greatest);
    for (size_t i = 0; i < count; i++)
        if (has_chance(moves[i], &out[i])) out[i].chance /= sum;
}

static void estimate_by_hand(void *ctx, const void *position, const yo_move *moves, size_t count,
                             struct yo_prior *out) {
    weigh_experience(ctx, position, moves, count, out);
}

static void estimate_all(void *ctx, const void *position, const yo_move *moves, size_t count,
                         struct yo_prior *out) {
    weigh_experience(ctx, position, moves, count, out);
    weigh_chances(position, moves, count, out);
}

struct yo_priors yo_go_priors(const struct yo_uct_options *options,
                              const struct yo_go_patterns *patterns) {
    bool chances = options->bias > 0 || options->widen > 0;
    return (struct yo_priors){.estimate = chances ? estimate_all : estimate_by_hand,
                              .ctx = (void *)(uintptr_t)(patterns ? patterns : yo_go_patterns()),
                              .has_chances = chances};
}
