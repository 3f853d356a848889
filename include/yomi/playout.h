/* Playouts: random games from a position, by the thousands.
 * docs/playout.md specifies every move of every game for a (position, playout policy, seed, game
 * number); all backends play exactly the same games. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yomi/error.h"
#include "yomi/go.h"

#ifdef __cplusplus
extern "C" {
#endif

enum yo_playout_policy { YO_PLAYOUT_LIGHT, YO_PLAYOUT_MOGO, YO_PLAYOUT_PURE, YO_PLAYOUT_RICH };
#define YO_PLAYOUT_POLICIES 4
const char *yo_playout_policy_name(enum yo_playout_policy policy);
enum yo_err yo_playout_policy_parse(const char *text, enum yo_playout_policy *policy,
                                    struct yo_diag *diag);

/* Where playouts start. stones[p] is a yo_go_color; every string must have a liberty. */
struct yo_playout_position {
    uint8_t stones[YO_GO_POINTS_MAX];
    uint8_t size;
    uint8_t to_move;  /* YO_GO_BLACK or YO_GO_WHITE */
    yo_go_point ko;   /* forbidden to the side to move, or YO_GO_NONE */
    yo_go_point last; /* the opponent's last move, for the MoGo policy; or none/pass */
};

/* One finished game, for callers that ask for the moves. moves points into the log's storage. */
struct yo_playout_game {
    uint64_t number;
    int score; /* Black's area less White's; no komi */
    uint32_t move_count;
    const yo_go_point *moves; /* passes are YO_GO_PASS */
};

/* The largest number of games that the counters of a result can hold. */
#define YO_PLAYOUT_GAMES_MAX 0x7fffffff

/* Sums over the games of one request. The arrays are the caller's; each may be NULL. A request adds
 * to them, so results of several requests can be summed. */
struct yo_playout_result {
    uint64_t games;
    uint64_t moves; /* passes included */
    int64_t score_sum;
    uint32_t *histogram; /* 2*N*N+1 entries: games by score, score -N*N first */
    int32_t *ownership;  /* N*N entries: games Black owned the point less games White did */
};

/* Games Black wins (score > komi), White wins, and draws, from a histogram. */
void yo_playout_count_wins(const uint32_t *histogram, int size, int komi2, uint64_t *black,
                           uint64_t *white, uint64_t *draws);

/* ---- A small blocking interface ---- */
struct yo_playouts; /* a backend with its threads */

/* backend: NULL or "auto" for the fastest one on this machine that supports each run, else a name
 * from yo_playout_backend_name, or "check:NAME" to compare that backend's results with the
 * reference's (YO_ERR_MISMATCH where they differ). A backend that this machine cannot run, or that
 * does not support a policy, gives YO_ERR_UNSUPPORTED. threads: 0 for one per core. Release with
 * yo_playouts_delete, which does not wait: no run may be in progress. */
enum yo_err yo_playouts_new(const char *backend, int threads, struct yo_playouts **playouts,
                            struct yo_diag *diag);
void yo_playouts_delete(struct yo_playouts *playouts);
const char *yo_playouts_backend(const struct yo_playouts *playouts);
/* Plays games first_game .. first_game + games - 1 of the stream named by seed; at most
 * YO_PLAYOUT_GAMES_MAX of them. May be called from several threads at once. */
enum yo_err yo_playouts_run(struct yo_playouts *playouts, enum yo_playout_policy policy,
                            const struct yo_playout_position *position, uint64_t seed,
                            uint64_t first_game, uint64_t games, struct yo_playout_result *result,
                            struct yo_diag *diag);

/* The i-th backend compiled in, or NULL past the last. */
const char *yo_playout_backend_name(size_t i);

/* The current position of a game. */
void yo_playout_position_from_game(const struct yo_go_game *game,
                                   struct yo_playout_position *position);

#ifdef __cplusplus
}
#endif
