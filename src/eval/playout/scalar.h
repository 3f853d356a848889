/* The reference: one game at a time on the engine's own board, in plain C. */
#pragma once

#include "eval/playout/backend.h"
#include "game/go/board.h"
#include "game/go/patterns.h"

/* Some of the points that the light policy might play. */
struct yo_answers {
    uint64_t set[YO_GO_WORDS_MAX];
    unsigned count;
};

/* What the MoGo policy keeps beside the board; mogo.c alone uses it. */
struct yo_playout_mogo {
    const struct yo_go_patterns *patterns;
    uint64_t aside[YO_GO_WORDS_MAX];    /* points set aside in this turn */
    uint64_t atari[4][YO_GO_WORDS_MAX]; /* indices of strings: all in atari, and stale ones */
    bool answers;                       /* and not the pure policy, which looks for captures only */
    bool quiet;                         /* this turn came to the uniform choice, and stays there */
};

/* What the rich policy keeps beside the board; rich.c alone uses it. */
struct yo_playout_rich {
    const struct yo_go_patterns *patterns;
    const struct yo_rich_weights *weights;
    uint64_t atari[4][YO_GO_WORDS_MAX]; /* as in yo_playout_mogo */
    struct yo_answers may;              /* points that this turn may play on */
    bool begun;                         /* they are known */
    bool quiet;                         /* there was nothing to answer: they are all candidates */
};

/* One playout in progress, as docs/playout.md describes it. */
struct yo_playout {
    struct yo_go_board board;
    uint64_t rng;
    uint64_t excluded[YO_GO_WORDS_MAX]; /* the ko point and the suicides drawn in this turn */
    uint64_t outside[YO_GO_WORDS_MAX];  /* and what is excluded in all turns: nothing, as a rule */
    enum yo_go_color to_move;
    yo_go_point last;
    uint32_t moves;
    int passes;
    struct yo_playout_mogo mogo;
    struct yo_playout_rich rich;
};

void yo_playout_start(struct yo_playout *playout, const struct yo_playout_position *position,
                      uint64_t seed, uint64_t game);
/* The same from a position of the game's table: nothing is set up stone by stone. */
void yo_playout_start_position(struct yo_playout *playout, const struct yo_go_position *position,
                               uint64_t seed, uint64_t game);
/* Before the first move: nobody plays on these points in the whole game. */
void yo_playout_keep_out(struct yo_playout *playout, const uint64_t *outside);
/* Plays it to its end by a policy; moves holds YO_PLAYOUT_MOVES_MAX entries. */
void yo_playout_finish(struct yo_playout *playout, enum yo_playout_policy policy,
                       const struct yo_go_patterns *patterns, yo_go_point *moves);
/* One attempt of the light policy. Returns the move made, YO_GO_PASS included, or YO_GO_NONE. */
yo_go_point yo_playout_attempt_light(struct yo_playout *playout, int bits, int tries);
bool yo_playout_ended(const struct yo_playout *playout);
/* Who owns each point at the end; owner holds size*size entries. */
void yo_playout_owner(const struct yo_go_board *board, uint8_t *owner);

extern const struct yo_playout_backend yo_playout_scalar;
