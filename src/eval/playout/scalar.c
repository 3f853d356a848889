#include "eval/playout/scalar.h"

#include <string.h>

#include "eval/playout/mogo.h"
#include "eval/playout/rich.h"
#include "eval/playout/spec.h"
#include "eval/playout/turn.h"

void yo_playout_start(struct yo_playout *playout, const struct yo_playout_position *position,
                      uint64_t seed, uint64_t game) {
    yo_go_board_init(&playout->board, position->size);
    for (int p = 0; p < playout->board.geometry->points; p++)
        if (position->stones[p])
            yo_go_board_play(&playout->board, (enum yo_go_color)position->stones[p],
                             (yo_go_point)p);
    playout->rng = yo_playout_seed(seed, game);
    playout->to_move = (enum yo_go_color)position->to_move;
    playout->last = position->last;
    playout->moves = 0;
    playout->passes = 0;
    memset(playout->excluded, 0, sizeof playout->excluded);
    memset(playout->outside, 0, sizeof playout->outside);
    playout->board.ko = position->ko;
    if (position->ko != YO_GO_NONE)
        playout->excluded[position->ko >> 6] |= (uint64_t)1 << (position->ko & 63);
}

yo_go_point yo_playout_attempt_light(struct yo_playout *playout, int bits, int tries) {
    return yo_playout_try_light(playout, yo_playout_next(&playout->rng), bits, tries);
}

bool yo_playout_ended(const struct yo_playout *playout) {
    return playout->passes >= 2 ||
           playout->moves >= yo_playout_move_limit(playout->board.geometry->size);
}

void yo_playout_owner(const struct yo_go_board *board, uint8_t *owner) {
    for (int p = 0; p < board->geometry->points; p++) {
        unsigned sides = board->pattern[p] & 0xff;
        owner[p] = board->color[p];
        if (owner[p] != YO_GO_EMPTY) continue;
        if ((sides & 0x55) == 0x55) owner[p] = YO_GO_BLACK;
        if ((sides & 0xaa) == 0xaa) owner[p] = YO_GO_WHITE;
    }
}

typedef yo_go_point attempt_fn(struct yo_playout *playout, int bits, int tries);

/* One loop for all policies, compiled once for each: `attempt` is a constant where this is inlined,
 * so there is no call through a pointer. */
#define INLINE static inline __attribute__((always_inline))

static int add_game(const struct yo_playout_piece *piece, const struct yo_playout *playout) {
    int score = 0, points = playout->board.geometry->points;
    uint8_t owner[YO_GO_POINTS_MAX];
    yo_playout_owner(&playout->board, owner);
    for (int p = 0; p < points; p++) {
        int value = (owner[p] == YO_GO_BLACK) - (owner[p] == YO_GO_WHITE);
        score += value;
        if (piece->result->owner) piece->result->owner[p] += value;
    }
    yo_playout_add_score(piece->result, points, piece->komi2, score);
    piece->result->moves += playout->moves;
    return score;
}

INLINE void play_game(attempt_fn *attempt, const struct yo_playout *start, uint64_t rng,
                      struct yo_playout *playout, const struct yo_playout_piece *piece,
                      uint64_t number) {
    int size = start->board.geometry->size;
    int bits = yo_playout_draw_bits(size), tries = yo_playout_draw_tries(size);
    yo_go_point moves[YO_PLAYOUT_MOVES_MAX];
    *playout = *start;
    playout->rng = rng;
    while (!yo_playout_ended(playout)) {
        yo_go_point move = attempt(playout, bits, tries);
        if (move != YO_GO_NONE && piece->sink) moves[playout->moves - 1] = move;
    }
    int score = add_game(piece, playout);
    if (!piece->sink) return;
    struct yo_playout_game game = {
        .number = number, .score = score, .move_count = playout->moves, .moves = moves};
    piece->sink->game(piece->sink->user, &game);
}

struct scratch {
    struct yo_playout start, playing;
};

static void start_piece(struct yo_playout *playout, const struct yo_playout_piece *piece) {
    const struct yo_go_position *position = piece->position;
    if (!piece->child) {
        yo_playout_start_position(playout, position, 0, 0);
        return;
    }
    struct yo_playout_position after;
    yo_playout_piece_start(piece, &after);
    yo_playout_start(playout, &after, 0, 0);
}

typedef void start_fn(struct yo_playout *playout, const struct yo_go_patterns *patterns);

INLINE void run_policy(attempt_fn *attempt, start_fn *start, const struct yo_go_patterns *patterns,
                       const struct yo_playout_source *source, struct scratch *scratch) {
    struct yo_playout_piece piece;
    while (source->next(source->ctx, &piece)) {
        start_piece(&scratch->start, &piece);
        if (start) start(&scratch->start, patterns);
        for (uint32_t i = 0; i < piece.games; i++) {
            uint64_t number = piece.first_game + i;
            play_game(attempt, &scratch->start, yo_playout_seed(piece.seed, number),
                      &scratch->playing, &piece, number);
        }
    }
}

static void run(const struct yo_playout_backend *backend, const struct yo_playout_env *env,
                enum yo_playout_policy policy, int size, const struct yo_playout_source *source,
                void *scratch) {
    (void)backend, (void)size;
    const struct yo_go_patterns *patterns = env->patterns ? env->patterns : yo_go_patterns();
    switch (policy) {
    case YO_PLAYOUT_LIGHT:
        run_policy(yo_playout_attempt_light, NULL, NULL, source, scratch);
        break;
    case YO_PLAYOUT_MOGO:
        run_policy(yo_playout_attempt_mogo, yo_playout_start_mogo, patterns, source, scratch);
        break;
    case YO_PLAYOUT_PURE:
        run_policy(yo_playout_attempt_mogo, yo_playout_start_pure, patterns, source, scratch);
        break;
    case YO_PLAYOUT_RICH:
        run_policy(yo_playout_attempt_rich, yo_playout_start_rich, patterns, source, scratch);
        break;
    }
}

/* ---- one game at once ---- */

void yo_playout_start_position(struct yo_playout *playout, const struct yo_go_position *position,
                               uint64_t seed, uint64_t game) {
    const struct yo_go_board *board = &position->board;
    playout->board = *board;
    playout->rng = yo_playout_seed(seed, game);
    playout->to_move = (enum yo_go_color)position->to_move;
    playout->last = position->last;
    playout->moves = 0;
    playout->passes = 0;
    memset(playout->excluded, 0, sizeof playout->excluded);
    memset(playout->outside, 0, sizeof playout->outside);
    if (!position->ko_holds)
        playout->board.ko = YO_GO_NONE;
    else if (board->ko != YO_GO_NONE)
        playout->excluded[board->ko >> 6] |= (uint64_t)1 << (board->ko & 63);
}

void yo_playout_keep_out(struct yo_playout *playout, const uint64_t *outside) {
    for (int w = 0; w < YO_GO_WORDS_MAX; w++) {
        playout->outside[w] |= outside[w];
        playout->excluded[w] |= outside[w];
    }
}

INLINE void finish(attempt_fn *attempt, struct yo_playout *playout, yo_go_point *moves) {
    int size = playout->board.geometry->size;
    int bits = yo_playout_draw_bits(size), tries = yo_playout_draw_tries(size);
    while (!yo_playout_ended(playout)) {
        yo_go_point move = attempt(playout, bits, tries);
        if (move != YO_GO_NONE) moves[playout->moves - 1] = move;
    }
}

void yo_playout_finish(struct yo_playout *playout, enum yo_playout_policy policy,
                       const struct yo_go_patterns *patterns, yo_go_point *moves) {
    switch (policy) {
    case YO_PLAYOUT_LIGHT:
        finish(yo_playout_attempt_light, playout, moves);
        break;
    case YO_PLAYOUT_MOGO:
        yo_playout_start_mogo(playout, patterns);
        finish(yo_playout_attempt_mogo, playout, moves);
        break;
    case YO_PLAYOUT_PURE:
        yo_playout_start_pure(playout, patterns);
        finish(yo_playout_attempt_mogo, playout, moves);
        break;
    case YO_PLAYOUT_RICH:
        yo_playout_start_rich(playout, patterns);
        finish(yo_playout_attempt_rich, playout, moves);
        break;
    }
}

/* ---- the backend ---- */

static bool available(const struct yo_playout_backend *backend) {
    (void)backend;
    return true;
}
static bool supports(const struct yo_playout_backend *backend, const struct yo_playout_env *env,
                     enum yo_playout_policy policy, int size) {
    (void)backend, (void)env, (void)policy, (void)size;
    return true;
}
static size_t scratch_size(const struct yo_playout_backend *backend, int size) {
    (void)backend, (void)size;
    return sizeof(struct scratch);
}

static const struct yo_playout_backend_ops ops = {
    .summary = "the reference, one game at a time",
    .needs = "any CPU",
    .available = available,
    .supports = supports,
    .scratch_size = scratch_size,
    .run = run,
};

const struct yo_playout_backend yo_playout_scalar = {.name = "scalar", .ops = &ops};
