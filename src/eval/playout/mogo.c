#include "eval/playout/mogo.h"

#include <string.h>

#include "eval/playout/answers.h"
#include "eval/playout/spec.h"
#include "eval/playout/turn.h"

static void start(struct yo_playout *playout, bool answers) {
    playout->mogo = (struct yo_playout_mogo){.patterns = yo_go_patterns(), .answers = answers};
    yo_answers_note_all(&playout->board, playout->mogo.atari);
}

void yo_playout_start_mogo(struct yo_playout *playout) { start(playout, true); }
void yo_playout_start_pure(struct yo_playout *playout) { start(playout, false); }

static yo_go_point end_turn(struct yo_playout *playout, yo_go_point move) {
    playout->mogo.quiet = false;
    memset(playout->mogo.aside, 0, sizeof playout->mogo.aside);
    yo_answers_note_move(&playout->board, move, playout->mogo.atari);
    return move;
}

/* ---- the sets of points, in the order in which they are asked ---- */

static void add_savers(const struct yo_playout *playout, uint64_t *set) {
    const struct yo_go_board *board = &playout->board;
    const uint16_t *nbr = board->geometry->nbr[playout->last];
    for (int d = 0; d < 4; d++) {
        if (board->color[nbr[d]] != playout->to_move) continue;
        const struct yo_go_string *s = yo_answers_string(board, nbr[d]);
        if (!yo_go_string_in_atari(s)) continue;
        yo_answers_add(set, yo_go_string_last_liberty(s));
        yo_answers_add_takers(board, nbr[d], set);
    }
}

static void add_patterns(const struct yo_playout *playout, uint64_t *set) {
    const struct yo_go_board *board = &playout->board;
    const uint16_t *nbr = board->geometry->nbr[playout->last];
    for (int d = 0; d < 8; d++)
        if (board->color[nbr[d]] == YO_GO_EMPTY &&
            yo_go_patterns_match(playout->mogo.patterns, playout->to_move, board->pattern[nbr[d]]))
            yo_answers_add(set, nbr[d]);
}

/* The points of the first set that has any; returns how many. The set comes in empty. */
static unsigned find_set(struct yo_playout *playout, uint64_t *set) {
    unsigned n = 0;
    if (yo_answers_last(playout) && playout->mogo.answers) {
        add_savers(playout, set);
        n = yo_answers_keep(playout, playout->mogo.aside, set);
        if (n > 0) return n;
        add_patterns(playout, set);
        n = yo_answers_keep(playout, playout->mogo.aside, set);
        if (n > 0) return n;
    }
    yo_answers_add_captures(playout, playout->mogo.atari, set);
    return yo_answers_keep(playout, NULL, set);
}

yo_go_point yo_playout_attempt_mogo(struct yo_playout *playout, int bits, int tries) {
    uint32_t random = yo_playout_next(&playout->rng);
    uint64_t set[YO_GO_WORDS_MAX] = {0};
    unsigned n = playout->mogo.quiet ? 0 : find_set(playout, set);
    if (n == 0) {
        playout->mogo.quiet = true;
        yo_go_point move = yo_playout_try_light(playout, random, bits, tries);
        return move == YO_GO_NONE ? move : end_turn(playout, move);
    }
    int k = yo_playout_draw(random, n, bits, tries);
    if (k < 0) return YO_GO_NONE;
    yo_go_point p = (yo_go_point)yo_playout_select_bit(set, (unsigned)k);
    if (yo_go_board_is_self_atari(&playout->board, playout->to_move, p)) {
        yo_answers_add(playout->mogo.aside, p);
        return YO_GO_NONE;
    }
    return end_turn(playout, yo_playout_end_turn(playout, p));
}
