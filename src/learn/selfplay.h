/* Games of shogi that the engine plays against itself, for training and for comparing evaluations.
 * A game depends only on the settings, the seed and its number, not on the thread or the time. */
#pragma once

#include <stdatomic.h>

#include "game/game.h"
#include "learn/selfplay_openings.h"

struct yo_shogi_net;

struct yo_selfplay_settings {
    uint64_t seed;
    int depth;      /* of each search; 0: no limit, then nodes must be given */
    uint64_t nodes; /* likewise */
    /* Of a share of the searches, drawn by chance, in place of `nodes`; 0: of none. They draw as
     * many more leaves as they have more nodes. */
    uint64_t deep_nodes;
    double deep_share;
    uint64_t mate_nodes; /* of the mate solver before each search; 0: no mate solver */
    int random_moves;    /* number of random moves among the first random_plies */
    int random_plies;
    /* Where games begin; the caller owns it. NULL: at the start position. */
    const struct yo_selfplay_openings *openings;
    int max_moves; /* a draw after this many moves */
    int asides;  /* extra positions per move, random moves away from the game, since a search visits
                    positions unlike those of games */
    int leaves;  /* quiet positions kept of those where each search of the game ended its lines */
    int decided; /* score that decides the game */
    size_t table_mb;
    /* Evaluations, NULL for material. [0] plays both sides, or in a match Black in games with an
     * even number and White in the others; two games share an opening. The caller owns them. */
    const struct yo_shogi_net *nets[2];
    bool match;
};

extern const struct yo_selfplay_settings yo_selfplay_defaults;

struct yo_selfplay_game {
    struct yo_shogi_sample *samples; /* grown as needed; zero before use, free with yo_free */
    size_t count, cap;
    enum yo_outcome outcome; /* FIRST is Black; never NONE */
    int moves;
    uint64_t nodes;
};

struct yo_selfplayer;

enum yo_err yo_selfplayer_new(const struct yo_selfplay_settings *settings,
                              struct yo_selfplayer **player);
void yo_selfplayer_delete(struct yo_selfplayer *player);
/* YO_ERR_CANCELLED if *stop (may be NULL) became true before the end. */
enum yo_err yo_selfplayer_play(struct yo_selfplayer *player, uint64_t number,
                               const atomic_bool *stop, struct yo_selfplay_game *game);
