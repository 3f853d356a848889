#include "support/random_rollouts.h"

#include <string.h>

#define POSITION_MAX 16384
#define LIST_MAX     1024

struct scratch {
    _Alignas(64) unsigned char position[POSITION_MAX];
    yo_move list[LIST_MAX];
    yo_move moves[RANDOM_MOVES_MAX];
};

static int score2_of(enum yo_outcome outcome) {
    return 2 * ((outcome == YO_OUTCOME_FIRST) - (outcome == YO_OUTCOME_SECOND));
}

static void play(void *ctx, const void *position, uint64_t seed, uint64_t number, void *scratch,
                 struct yo_rollout *out) {
    const struct yo_game_ops *game = ctx;
    struct scratch *s = scratch;
    uint64_t state = (seed * 77 + number + 1) * UINT64_C(0x9e3779b97f4a7c15);
    size_t played = 0;
    memcpy(s->position, position, game->position_size);
    while (played < RANDOM_MOVES_MAX && game->outcome(s->position) == YO_OUTCOME_NONE) {
        size_t count = game->moves(s->position, s->list);
        state ^= state >> 12, state ^= state << 25, state ^= state >> 27;
        s->moves[played] = s->list[(state >> 33) % count];
        game->play(s->position, s->moves[played++]);
    }
    *out = (struct yo_rollout){
        .score2 = score2_of(game->outcome(s->position)), .move_count = played, .moves = s->moves};
}

static bool finish(void *ctx, const void *position, uint64_t seed, uint64_t number, void *scratch,
                   struct yo_rollout *out) {
    (void)seed, (void)number, (void)scratch;
    const struct yo_game_ops *game = ctx;
    *out = (struct yo_rollout){.score2 = score2_of(game->outcome(position))};
    return true;
}

static size_t cells(const void *position) {
    (void)position;
    return 0;
}

struct yo_rollouts random_rollouts(const struct yo_game_ops *game) {
    static const struct yo_rollout_ops ops = {.name = "random",
                                              .scratch_size = sizeof(struct scratch),
                                              .play = play,
                                              .finish = finish,
                                              .cells = cells};
    return (struct yo_rollouts){&ops, (void *)(uintptr_t)game};
}
