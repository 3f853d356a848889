#include "eval/playout/scalar.h"

#include <string.h>

#include "eval/playout/spec.h"

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
    playout->board.ko = position->ko;
    if (position->ko != YO_GO_NONE)
        playout->excluded[position->ko >> 6] |= (uint64_t)1 << (position->ko & 63);
}

static unsigned lowest_bit(uint64_t word) { return (unsigned)__builtin_ctzll(word); }

/* The k-th set bit, counting from 0; there must be one. */
static unsigned select_bit(const uint64_t *words, unsigned k) {
    unsigned w = 0, ones;
    while ((ones = (unsigned)__builtin_popcountll(words[w])) <= k) {
        k -= ones;
        w++;
    }
    uint64_t word = words[w];
    unsigned base = 64 * w;
    for (unsigned half = 32; half >= 8; half /= 2) { /* narrow it down to eight bits */
        ones = (unsigned)__builtin_popcountll(word & (((uint64_t)1 << half) - 1));
        if (ones <= k) {
            k -= ones;
            word >>= half;
            base += half;
        }
    }
    while (k--)
        word &= word - 1;
    return base + lowest_bit(word);
}

/* Makes the move and ends the turn. */
static yo_go_point finish_turn(struct yo_playout *playout, yo_go_point move) {
    yo_go_board_play(&playout->board, playout->to_move, move);
    memset(playout->excluded, 0, sizeof playout->excluded);
    yo_go_point ko = playout->board.ko;
    if (ko != YO_GO_NONE) playout->excluded[ko >> 6] |= (uint64_t)1 << (ko & 63);
    playout->passes = move == YO_GO_PASS ? playout->passes + 1 : 0;
    playout->to_move = yo_go_other(playout->to_move);
    playout->last = move;
    playout->moves++;
    return move;
}

yo_go_point yo_playout_attempt_light(struct yo_playout *playout, int bits, int tries) {
    const struct yo_go_board *board = &playout->board;
    uint32_t random = yo_playout_next(&playout->rng);
    uint64_t candidates[YO_GO_WORDS_MAX];
    unsigned n = 0;
    for (int w = 0; w < board->geometry->words; w++) {
        candidates[w] = board->empty[w] & ~board->eye[playout->to_move][w] & ~playout->excluded[w];
        n += (unsigned)__builtin_popcountll(candidates[w]);
    }
    if (n == 0) return finish_turn(playout, YO_GO_PASS);
    int k = yo_playout_draw(random, n, bits, tries);
    if (k < 0) return YO_GO_NONE;
    unsigned p = select_bit(candidates, (unsigned)k);
    if (yo_go_board_is_suicide(board, playout->to_move, (yo_go_point)p)) {
        playout->excluded[p >> 6] |= (uint64_t)1 << (p & 63);
        return YO_GO_NONE;
    }
    return finish_turn(playout, (yo_go_point)p);
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

static void play_game(const struct yo_playout *start, uint64_t rng, struct yo_playout *playout,
                      const struct yo_playout_piece *piece, uint64_t number) {
    int size = start->board.geometry->size;
    int bits = yo_playout_draw_bits(size), tries = yo_playout_draw_tries(size);
    yo_go_point moves[YO_PLAYOUT_MOVES_MAX];
    *playout = *start;
    playout->rng = rng;
    while (!yo_playout_ended(playout)) {
        yo_go_point move = yo_playout_attempt_light(playout, bits, tries);
        if (move != YO_GO_NONE && piece->sink) moves[playout->moves - 1] = move;
    }
    uint8_t owner[YO_GO_POINTS_MAX];
    yo_playout_owner(&playout->board, owner);
    yo_playout_result_add(piece->result, size, owner, playout->moves);
    if (!piece->sink) return;
    struct yo_playout_game game = {.number = number, .move_count = playout->moves, .moves = moves};
    for (int p = 0; p < size * size; p++)
        game.score += (owner[p] == YO_GO_BLACK) - (owner[p] == YO_GO_WHITE);
    piece->sink->game(piece->sink->user, &game);
}

struct scratch {
    struct yo_playout start, playing;
};

static void run(enum yo_playout_policy policy, int size, const struct yo_playout_source *source,
                void *scratch_memory) {
    (void)policy;
    (void)size;
    struct scratch *scratch = scratch_memory;
    struct yo_playout_piece piece;
    while (source->next(source->ctx, &piece)) {
        yo_playout_start(&scratch->start, piece.position, 0, 0);
        for (uint32_t i = 0; i < piece.games; i++) {
            uint64_t number = piece.first_game + i;
            play_game(&scratch->start, yo_playout_seed(piece.seed, number), &scratch->playing,
                      &piece, number);
        }
    }
}

static bool available(void) { return true; }
static bool supports(enum yo_playout_policy policy, int size) {
    (void)size;
    return policy == YO_PLAYOUT_LIGHT;
}
static size_t scratch_size(int size) {
    (void)size;
    return sizeof(struct scratch);
}

const struct yo_playout_backend yo_playout_scalar = {
    .name = "scalar",
    .summary = "the reference, one game at a time",
    .needs = "any CPU",
    .available = available,
    .supports = supports,
    .scratch_size = scratch_size,
    .run = run,
};
