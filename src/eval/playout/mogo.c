#include "eval/playout/mogo.h"

#include <string.h>

#include "eval/playout/answers.h"
#include "eval/playout/spec.h"
#include "eval/playout/turn.h"

static void start(struct yo_playout *playout, const struct yo_go_patterns *patterns, bool answers) {
    playout->mogo = (struct yo_playout_mogo){.patterns = patterns, .answers = answers};
    yo_answers_note_all(&playout->board, playout->mogo.atari);
}

void yo_playout_start_mogo(struct yo_playout *playout, const struct yo_go_patterns *patterns) {
    start(playout, patterns, true);
}
void yo_playout_start_pure(struct yo_playout *playout, const struct yo_go_patterns *patterns) {
    start(playout, patterns, false);
}

static yo_go_point end_turn(struct yo_playout *playout, yo_go_point move) {
    playout->mogo.quiet = false;
    memset(playout->mogo.aside, 0, sizeof playout->mogo.aside);
    yo_answers_note_move(&playout->board, move, playout->mogo.atari);
    return move;
}

/* ---- the sets of points, in order of priority ---- */

static void offer_savers(const struct yo_playout *playout, struct yo_answers *answers) {
    const struct yo_go_board *board = &playout->board;
    const uint64_t *aside = playout->mogo.aside;
    const uint16_t *nbr = board->geometry->nbr[playout->last];
    unsigned in_danger = 0; /* directions */
    for (int d = 0; d < 4; d++) {
        unsigned own = board->color[nbr[d]] == playout->to_move;
        in_danger |= (own & yo_answers_in_atari(board, nbr[d])) << d;
    }
    for (; in_danger; in_danger &= in_danger - 1) {
        unsigned p = nbr[__builtin_ctz(in_danger)];
        const struct yo_go_string *s = yo_answers_string(board, p);
        yo_answers_offer(playout, aside, yo_go_string_last_liberty(s), answers);
        yo_answers_offer_takers(playout, aside, p, answers);
    }
}

static void offer_patterns(const struct yo_playout *playout, struct yo_answers *answers) {
    const struct yo_go_board *board = &playout->board;
    const uint16_t *nbr = board->geometry->nbr[playout->last];
    for (int d = 0; d < 8; d++) {
        bool matches =
            yo_go_patterns_match(playout->mogo.patterns, playout->to_move, board->pattern[nbr[d]]);
        yo_answers_offer_if(playout, playout->mogo.aside, matches, nbr[d], answers);
    }
}

/* The points of the first non-empty set. */
static void find_answers(struct yo_playout *playout, struct yo_answers *answers) {
    if (yo_answers_last(playout) && playout->mogo.answers) {
        offer_savers(playout, answers);
        if (answers->count > 0) return;
        offer_patterns(playout, answers);
        if (answers->count > 0) return;
    }
    yo_answers_offer_captures(playout, playout->mogo.atari, answers);
}

yo_go_point yo_playout_attempt_mogo(struct yo_playout *playout, int bits, int tries) {
    uint32_t random = yo_playout_next(&playout->rng);
    struct yo_answers answers = {0};
    if (!playout->mogo.quiet) find_answers(playout, &answers);
    if (answers.count == 0) {
        playout->mogo.quiet = true;
        yo_go_point move = yo_playout_try_light(playout, random, bits, tries);
        return move == YO_GO_NONE ? move : end_turn(playout, move);
    }
    int k = yo_playout_draw(random, answers.count, bits, tries);
    if (k < 0) return YO_GO_NONE;
    yo_go_point p = (yo_go_point)yo_playout_select_bit(answers.set, (unsigned)k);
    if (yo_go_board_is_self_atari(&playout->board, playout->to_move, p)) {
        yo_answers_add(playout->mogo.aside, p);
        return YO_GO_NONE;
    }
    return end_turn(playout, yo_playout_end_turn(playout, p));
}
