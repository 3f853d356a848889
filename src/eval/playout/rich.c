#include "eval/playout/rich.h"

#include <string.h>

#include "eval/playout/answers.h"
#include "eval/playout/rich_weights.h"
#include "eval/playout/spec.h"
#include "eval/playout/turn.h"
#include "game/go/ladder.h"
#include "game/go/shape.h"

void yo_playout_start_rich(struct yo_playout *playout, const struct yo_go_patterns *patterns) {
    playout->rich = (struct yo_playout_rich){
        .patterns = patterns,
        .weights = yo_rich_weights(),
    };
    yo_answers_note_all(&playout->board, playout->rich.atari);
}

/* ---- the rules, in order of priority ---- */

typedef void rule_fn(struct yo_playout *playout, struct yo_answers *answers);

static void take_last(struct yo_playout *playout, struct yo_answers *answers) {
    const struct yo_go_board *board = &playout->board;
    const struct yo_go_string *s = yo_answers_string(board, playout->last);
    if (board->color[playout->last] != yo_go_other(playout->to_move)) return; /* set up */
    if (!yo_go_string_in_atari(s)) return;
    yo_answers_offer(playout, NULL, yo_go_string_last_liberty(s), answers);
}

static void save(struct yo_playout *playout, struct yo_answers *answers) {
    const struct yo_go_board *board = &playout->board;
    const uint16_t *nbr = board->geometry->nbr[playout->last];
    for (int d = 0; d < 4; d++) {
        if (board->color[nbr[d]] != playout->to_move) continue;
        const struct yo_go_string *s = yo_answers_string(board, nbr[d]);
        if (!yo_go_string_in_atari(s)) continue;
        yo_go_point liberty = yo_go_string_last_liberty(s);
        if (yo_go_ladder_frees(board, nbr[d], liberty))
            yo_answers_offer(playout, NULL, liberty, answers);
        yo_answers_offer_takers(playout, NULL, nbr[d], answers);
    }
}

static void divide_eyes(struct yo_playout *playout, struct yo_answers *answers) {
    const struct yo_go_board *board = &playout->board;
    const uint16_t *nbr = board->geometry->nbr[playout->last];
    uint64_t seen[YO_GO_WORDS_MAX] = {0}; /* spaces already examined */
    for (int d = 0; d < 8; d++) {
        struct yo_go_shape shape;
        if (board->color[nbr[d]] != YO_GO_EMPTY || yo_go_bit(seen, nbr[d])) continue;
        bool is_space = yo_go_shape_of_eye_space(board, nbr[d], &shape);
        for (int i = 0; i < shape.count; i++)
            yo_answers_add(seen, shape.point[i]);
        if (!is_space) continue;
        yo_go_point vital = yo_go_shape_vital_point(board->geometry, &shape);
        if (vital != YO_GO_NONE) yo_answers_offer(playout, NULL, vital, answers);
    }
}

static void match_patterns(struct yo_playout *playout, struct yo_answers *answers) {
    const struct yo_go_board *board = &playout->board;
    const uint16_t *nbr = board->geometry->nbr[playout->last];
    enum yo_go_color me = playout->to_move;
    for (int d = 0; d < 8; d++) {
        if (board->color[nbr[d]] != YO_GO_EMPTY) continue;
        if (!yo_go_patterns_match(playout->rich.patterns, me, board->pattern[nbr[d]])) continue;
        if (!yo_go_board_is_self_atari(board, me, nbr[d]))
            yo_answers_offer(playout, NULL, nbr[d], answers);
    }
}

static void take_any(struct yo_playout *playout, struct yo_answers *answers) {
    yo_answers_offer_captures(playout, playout->rich.atari, answers);
}

/* The points of the first rule that finds any; otherwise all candidates. */
static void begin_turn(struct yo_playout *playout) {
    static rule_fn *const rules[] = {take_last, save, divide_eyes, match_patterns, take_any};
    enum { COUNT = sizeof rules / sizeof rules[0], LOCAL = COUNT - 1 };
    struct yo_playout_rich *rich = &playout->rich;
    rich->begun = true;
    rich->may = (struct yo_answers){0};
    for (int i = yo_answers_last(playout) ? 0 : LOCAL; i < COUNT && rich->may.count == 0; i++)
        rules[i](playout, &rich->may);
    rich->quiet = rich->may.count == 0;
    if (rich->quiet) rich->may.count = yo_playout_candidates(playout, rich->may.set);
}

/* ---- where there is nothing to answer ---- */

/* Probability, of 256, to reject a self-atari that is no nakade. The accepted ones keep playouts
 * from ending before dead stones are captured. */
#define CAREFUL 230

static bool is_blunder(const struct yo_playout *playout, yo_go_point p) {
    const struct yo_go_board *board = &playout->board;
    struct yo_go_shape shape;
    if (!yo_go_board_is_self_atari(board, playout->to_move, p)) return false;
    if (!yo_go_shape_of_string(board, playout->to_move, p, &shape)) return true;
    return !yo_go_shape_is_nakade(board->geometry, &shape);
}

/* With nothing to answer: accepts or rejects the candidate p. */
static bool accept(struct yo_playout *playout, yo_go_point p) {
    const struct yo_go_board *board = &playout->board;
    struct yo_playout_rich *rich = &playout->rich;
    uint32_t chance = yo_playout_next(&playout->rng);
    if ((chance & 255) >= rich->weights->of[playout->to_move][board->pattern[p]]) return false;
    if (!yo_go_board_is_suicide(board, playout->to_move, p) &&
        ((chance >> 8 & 255) >= CAREFUL || !is_blunder(playout, p)))
        return true;
    rich->may.set[p >> 6] ^= (uint64_t)1 << (p & 63);
    rich->may.count--;
    return false;
}

yo_go_point yo_playout_attempt_rich(struct yo_playout *playout, int bits, int tries) {
    struct yo_playout_rich *rich = &playout->rich;
    if (!rich->begun) begin_turn(playout);
    uint32_t random = yo_playout_next(&playout->rng);
    yo_go_point p = YO_GO_PASS;
    if (rich->may.count > 0) {
        int k = yo_playout_draw(random, rich->may.count, bits, tries);
        if (k < 0) return YO_GO_NONE;
        p = (yo_go_point)yo_playout_select_bit(rich->may.set, (unsigned)k);
        if (rich->quiet && !accept(playout, p)) return YO_GO_NONE;
    }
    yo_playout_end_turn(playout, p);
    yo_answers_note_move(&playout->board, p, rich->atari);
    rich->begun = false;
    return p;
}
