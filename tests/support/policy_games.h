/* The reference's playouts compared, move for move, with a naive one that follows docs/playout.md,
 * and its first moves in positions drawn by hand. */
#pragma once

#include "eval/playout/scalar.h"
#include "support/naive_playout.h"

/* A policy, by the reference and by its judge. */
struct policy_games {
    enum yo_playout_policy policy;
    /* After yo_playout_start. */
    void (*start)(struct yo_playout *playout, const struct yo_go_patterns *patterns);
    yo_go_point (*attempt)(struct yo_playout *playout, int bits, int tries);
    void (*judge)(struct naive_board *board, int to_move, int last, uint64_t seed, uint64_t number,
                  struct naive_game *game);
};

/* One game by both; what the judge played is in *game. */
void policy_compare_game(const struct policy_games *policy,
                         const struct yo_playout_position *position, uint64_t seed, uint64_t number,
                         struct naive_game *game);
/* The backend "scalar" must play the same games, from every position as if it were the first: so
 * many from each of some positions. */
void policy_compare_backend(const struct policy_games *policy, unsigned seed, int games);

/* Black (X) is to move; L is White's last move, a stone; small letters are empty points that the
 * test expects moves on. */
void policy_read_picture(const char *picture, int size, struct yo_playout_position *position);
/* Black's first move must be on a small letter, and over many games on each of them. */
void policy_expect_moves_at(const struct policy_games *policy,
                            const struct yo_playout_position *position, const char *picture);
void policy_expect_moves(const struct policy_games *policy, const char *picture, int size);
