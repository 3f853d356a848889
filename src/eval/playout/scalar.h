/* The reference: one game at a time on the engine's own board, in plain C. */
#pragma once

#include "eval/playout/backend.h"
#include "game/go/board.h"
#include "game/go/patterns.h"

/* A subset of the light policy's candidates. */
struct yo_answers {
    uint64_t set[YO_GO_WORDS_MAX];
    unsigned count;
};

/* The MoGo policy's state; private to mogo.c. */
struct yo_playout_mogo {
    const struct yo_go_patterns *patterns;
    uint64_t aside[YO_GO_WORDS_MAX];    /* points set aside in this turn */
    uint64_t atari[4][YO_GO_WORDS_MAX]; /* indices of strings: all in atari, and stale ones */
    bool answers;                       /* false: the pure policy, which looks for captures only */
    bool quiet;                         /* this turn has reached the uniform choice */
};

/* The rich policy's state; private to rich.c. */
struct yo_playout_rich {
    const struct yo_go_patterns *patterns;
    const struct yo_rich_weights *weights;
    uint64_t atari[4][YO_GO_WORDS_MAX]; /* as in yo_playout_mogo */
    struct yo_answers may;              /* points that this turn may play on */
    bool begun;                         /* `may` is filled */
    bool quiet;                         /* nothing to answer: all candidates are in `may` */
};

/* One playout in progress, as docs/playout.md describes it. */
struct yo_playout {
    struct yo_go_board board;
    uint64_t rng;
    uint64_t excluded[YO_GO_WORDS_MAX]; /* the ko point and the suicides drawn in this turn */
    uint64_t outside[YO_GO_WORDS_MAX];  /* excluded in all turns; usually empty */
    enum yo_go_color to_move;
    yo_go_point last;
    uint32_t moves;
    int passes;
    struct yo_playout_mogo mogo;
    struct yo_playout_rich rich;
};

void yo_playout_start(struct yo_playout *playout, const struct yo_playout_position *position,
                      uint64_t seed, uint64_t game);
/* The same from a position of the game's table, whose board is copied. */
void yo_playout_start_position(struct yo_playout *playout, const struct yo_go_position *position,
                               uint64_t seed, uint64_t game);
/* Forbids these points to both sides for the whole game. Call it before the first move. */
void yo_playout_keep_out(struct yo_playout *playout, const uint64_t *outside);
/* Plays the game to its end by a policy; moves holds YO_PLAYOUT_MOVES_MAX entries. */
void yo_playout_finish(struct yo_playout *playout, enum yo_playout_policy policy,
                       const struct yo_go_patterns *patterns, yo_go_point *moves);
/* One attempt of the light policy. Returns the move made, YO_GO_PASS included, or YO_GO_NONE. */
yo_go_point yo_playout_attempt_light(struct yo_playout *playout, int bits, int tries);
bool yo_playout_ended(const struct yo_playout *playout);
/* Fills the owner of each point at the end of the game; owner holds size*size entries. */
void yo_playout_owner(const struct yo_go_board *board, uint8_t *owner);

extern const struct yo_playout_backend yo_playout_scalar;
