#include "search/alphabeta/probability.h"

#include <math.h>

#include "game/shogi/movegen.h"
#include "game/shogi/see.h"

#define BIT(name) (UINT32_C(1) << YO_PROBABILITY_##name)

/* One ply of depth is this factor in probability. Iterative deepening makes the ratio of costs
 * matter more than their scale. */
#define PLY_FACTOR 8.0
/* The minimum keeps lines finite; the maximum keeps every move possible. */
enum { COST_MIN = YO_AB_PLY / 4, COST_MAX = 4 * YO_AB_PLY };

const char *yo_probability_name(enum yo_probability_category category) {
    static const char *const names[] = {
#define X(name, text, help) text,
        YO_PROBABILITY_LIST(X)
#undef X
    };
    return names[category];
}

/* ---- Categories ---- */

static int distance(int a, int b) {
    int files = shogi_file(a) - shogi_file(b), ranks = shogi_rank(a) - shogi_rank(b);
    if (files < 0) files = -files;
    if (ranks < 0) ranks = -ranks;
    return files > ranks ? files : ranks;
}

static bool is_by_king(const struct yo_shogi_position *pos, int side, int square) {
    int king = pos->king[side];
    return king != YO_SHOGI_NO_SQUARE && distance(king, square) <= 2;
}

/* From its target the piece attacks a piece of higher value. */
static bool is_threat(const struct yo_shogi_position *pos, yo_shogi_move move, int kind) {
    int to = shogi_to(move), us = pos->side;
    yo_bb occupied = pos->kinds[YO_SHOGI_ANY] | bb_square(to);
    if (!shogi_is_drop(move)) occupied &= ~bb_square(shogi_from(move));
    yo_bb attacked = shogi_attacks(us, kind, to, occupied) & pos->sides[us ^ 1];
    while (attacked) {
        int other = shogi_kind(pos->board[bb_pop(&attacked)]);
        if (other != YO_SHOGI_KING && yo_shogi_values[other] > yo_shogi_values[kind]) return true;
    }
    return false;
}

static uint32_t in_check(const struct yo_shogi_position *pos, yo_shogi_move move, int see) {
    if (bb_has(pos->checkers, shogi_to(move))) return BIT(TAKE_CHECKER);
    if (shogi_from(move) == pos->king[pos->side]) return BIT(STEP_ASIDE);
    return see >= 0 ? BIT(INTERPOSE) : BIT(INTERPOSE_LOSING);
}

static uint32_t capture(yo_shogi_move move, yo_shogi_move last, int see) {
    if (see < 0) return BIT(LOSING_CAPTURE);
    uint32_t set = see > 0 ? BIT(WINNING_CAPTURE) : BIT(EVEN_CAPTURE);
    return last && shogi_to(last) == shogi_to(move) ? set | BIT(RECAPTURE) : set;
}

static uint32_t drop(const struct yo_shogi_position *pos, yo_shogi_move move) {
    if (is_by_king(pos, pos->side ^ 1, shogi_to(move))) return BIT(DROP_ATTACK);
    return is_by_king(pos, pos->side, shogi_to(move)) ? BIT(DROP_DEFENCE) : BIT(DROP_OTHER);
}

static uint32_t step(const struct yo_shogi_position *pos, yo_shogi_move move, int kind) {
    int from = shogi_from(move);
    uint32_t set = BIT(OTHER);
    if (kind == YO_SHOGI_KING) return BIT(KING_STEP);
    if (kind == YO_SHOGI_PAWN) set = BIT(PAWN_PUSH);
    if (kind == YO_SHOGI_SILVER || kind == YO_SHOGI_GOLD) set = BIT(GENERAL_STEP);
    if (shogi_attackers(pos, pos->side ^ 1, from, pos->kinds[YO_SHOGI_ANY])) set |= BIT(ESCAPE);
    return set;
}

uint32_t yo_probability_categories(const struct yo_shogi_position *pos, yo_shogi_move move,
                                   yo_shogi_move last) {
    int see = yo_shogi_see(pos, move);
    if (shogi_in_check(pos)) return in_check(pos, move, see);
    bool drops = shogi_is_drop(move), takes = pos->board[shogi_to(move)] != 0;
    int kind = drops ? shogi_dropped(move) : shogi_kind(pos->board[shogi_from(move)]);
    bool checks = yo_shogi_gives_check(pos, move);
    uint32_t set = takes ? capture(move, last, see) : 0;
    if (see < 0) return set | (checks ? BIT(UNSAFE_CHECK) : takes ? 0 : BIT(GIVES_AWAY));
    if (!takes) set |= drops ? drop(pos, move) : step(pos, move, kind);
    if (checks) set |= BIT(SAFE_CHECK);
    if (shogi_promotes(move)) {
        set |= BIT(PROMOTION);
        kind += YO_SHOGI_PROMOTED;
    }
    if (is_threat(pos, move, kind)) set |= BIT(THREAT);
    return set;
}

/* ---- Counting ---- */

void yo_probability_count(struct yo_probability_table *t, const struct yo_shogi_position *pos,
                          yo_shogi_move played, yo_shogi_move last) {
    yo_shogi_move moves[YO_SHOGI_LIST];
    size_t count = yo_shogi_legal_moves(pos, moves);
    for (size_t i = 0; i < count; i++)
        for (uint32_t set = yo_probability_categories(pos, moves[i], last); set; set &= set - 1) {
            int category = __builtin_ctz(set);
            t->seen[category]++;
            t->played[category] += moves[i] == played;
        }
    t->positions++;
}

/* Adds two positions and one played move to each category: none has probability 0 or 1. */
double yo_probability_of(const struct yo_probability_table *t,
                         enum yo_probability_category category) {
    return ((double)t->played[category] + 1) / ((double)t->seen[category] + 2);
}

void yo_probability_settle(struct yo_probability_table *t) {
    for (int i = 0; i < YO_PROBABILITIES; i++) {
        double p = yo_probability_of(t, (enum yo_probability_category)i);
        int cost = (int)lround(-log(p) / log(PLY_FACTOR) * (double)YO_AB_PLY);
        t->costs[i] = cost < COST_MIN ? COST_MIN : cost > COST_MAX ? COST_MAX : cost;
    }
}

/* ---- The rule ---- */

static int cost(const struct yo_ab_rule *rule, const struct yo_ab_choice *choice) {
    const struct yo_probability_table *t = rule->data;
    uint32_t set = yo_probability_categories(choice->pos, choice->move, choice->last);
    int least = COST_MAX;
    for (; set; set &= set - 1) {
        int one = t->costs[__builtin_ctz(set)];
        if (one < least) least = one;
    }
    return least;
}

struct yo_ab_rule yo_probability_rule(const struct yo_probability_table *table) {
    return (struct yo_ab_rule){.name = "realization", .selects = true, .data = table, .cost = cost};
}
