#include "support/tictactoe.h"

#include <stdio.h>
#include <string.h>

#include "base/diag.h"

static int winner(const struct ttt *p) {
    static const int lines[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6},
                                    {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};
    for (int i = 0; i < 8; i++) {
        int a = p->cells[lines[i][0]];
        if (a && a == p->cells[lines[i][1]] && a == p->cells[lines[i][2]]) return a;
    }
    return 0;
}

static int side_to_move(const void *position) { return ((const struct ttt *)position)->to_move; }

static enum yo_outcome outcome(const void *position) {
    const struct ttt *p = position;
    int won = winner(p);
    if (won) return won == 1 ? YO_OUTCOME_FIRST : YO_OUTCOME_SECOND;
    return memchr(p->cells, 0, 9) ? YO_OUTCOME_NONE : YO_OUTCOME_DRAW;
}

static size_t moves(const void *position, yo_move *out) {
    const struct ttt *p = position;
    size_t count = 0;
    if (outcome(p) != YO_OUTCOME_NONE) return 0;
    for (yo_move i = 0; i < 9; i++)
        if (!p->cells[i]) out[count++] = i;
    return count;
}

static void play(void *position, yo_move move) {
    struct ttt *p = position;
    p->cells[move] = (uint8_t)(p->to_move + 1);
    p->to_move ^= 1;
}

static uint64_t hash(const void *position) {
    const struct ttt *p = position;
    uint64_t h = p->to_move;
    for (int i = 0; i < 9; i++)
        h = 3 * h + p->cells[i];
    return h;
}

static char *format(const void *position, yo_move move, char *out) {
    (void)position;
    sprintf(out, "%u", (unsigned)move);
    return out;
}

static enum yo_err parse(const void *position, const char *text, yo_move *move,
                         struct yo_diag *diag) {
    const struct ttt *p = position;
    if (text[0] < '0' || text[0] > '8' || text[1] || p->cells[text[0] - '0'])
        return yo_diag_set(diag, YO_ERR_ILLEGAL, "no such cell");
    *move = (yo_move)(text[0] - '0');
    return YO_OK;
}

static void from_game(const void *game, void *position) {
    memcpy(position, game, sizeof(struct ttt));
}

/* A game is a position without its past: it continues only itself. */
static struct yo_game_mark mark(const void *game) {
    return (struct yo_game_mark){.key = hash(game) + 1};
}

static bool since(const void *game, const struct yo_game_mark *marked, yo_move *out, size_t room,
                  size_t *count) {
    (void)out, (void)room;
    *count = 0;
    return mark(game).key == marked->key;
}

const struct yo_game_ops ttt_ops = {
    .name = "tictactoe",
    .position_size = sizeof(struct ttt),
    .max_moves = 9,
    .move_bound = 9,
    .move_null = YO_MOVE_NONE,
    .from_game = from_game,
    .mark = mark,
    .since = since,
    .side_to_move = side_to_move,
    .moves = moves,
    .play = play,
    .outcome = outcome,
    .hash = hash,
    .format = format,
    .parse = parse,
};

/* ---- random games ---- */

struct scratch {
    yo_move moves[9];
};

static int score2(const struct ttt *p) {
    int won = winner(p);
    return won == 1 ? 2 : won == 2 ? -2 : 0;
}

static void rollout_play(void *ctx, const void *position, uint64_t seed, uint64_t number,
                         void *scratch, struct yo_rollout *out) {
    (void)ctx;
    struct scratch *s = scratch;
    struct ttt p = *(const struct ttt *)position;
    uint64_t state = (seed * 77 + number + 1) * UINT64_C(0x9e3779b97f4a7c15);
    size_t played = 0;
    for (; outcome(&p) == YO_OUTCOME_NONE; played++) {
        yo_move choice[9];
        size_t count = moves(&p, choice);
        state ^= state >> 12, state ^= state << 25, state ^= state >> 27;
        s->moves[played] = choice[(state >> 33) % count];
        play(&p, s->moves[played]);
    }
    *out = (struct yo_rollout){.score2 = score2(&p), .move_count = played, .moves = s->moves};
}

static bool rollout_finish(void *ctx, const void *position, uint64_t seed, uint64_t number,
                           void *scratch, struct yo_rollout *out) {
    (void)ctx, (void)seed, (void)number, (void)scratch;
    *out = (struct yo_rollout){.score2 = score2(position)};
    return true;
}

static size_t cells(const void *position) {
    (void)position;
    return 0;
}

struct yo_rollouts ttt_rollouts(void) {
    static const struct yo_rollout_ops ops = {.name = "random",
                                              .scratch_size = sizeof(struct scratch),
                                              .play = rollout_play,
                                              .finish = rollout_finish,
                                              .cells = cells};
    return (struct yo_rollouts){&ops, NULL};
}

/* ---- the judge ---- */

int ttt_value(const struct ttt *position) {
    yo_move choice[9];
    int won = winner(position);
    if (won) return won == position->to_move + 1 ? 1 : -1;
    size_t count = moves(position, choice);
    int best = count ? -1 : 0;
    for (size_t i = 0; i < count; i++) {
        int value = ttt_move_value(position, choice[i]);
        if (value > best) best = value;
    }
    return best;
}

int ttt_move_value(const struct ttt *position, yo_move move) {
    struct ttt after = *position;
    play(&after, move);
    return -ttt_value(&after);
}
