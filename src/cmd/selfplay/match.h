/* Two networks against each other, in `yomi selfplay go` and `shogi --search puct`. */
#pragma once

#include <pthread.h>

#include "base/stats.h"
#include "cmd/command.h"
#include "learn/netplay/game.h"
#include "learn/selfplay_seen.h"

struct yo_selfplay_match {
    struct yo_netplay_puct other_puct; /* of the second network */
    /* Hashes of the games that have ended, from several threads. */
    pthread_mutex_t lock;
    struct selfplay_seen seen;
    enum yo_err seen_err;
};

void yo_selfplay_match_init(struct yo_selfplay_match *match);
void yo_selfplay_match_free(struct yo_selfplay_match *match);
/* Both networks search every move alike but for what the options say, without noise. The settings
 * point to the match. */
void yo_selfplay_match_set(struct yo_selfplay_match *match, const struct yo_options *options,
                           struct yo_netplay_settings *settings);
void yo_selfplay_match_see(struct yo_selfplay_match *match, const struct yo_netplay_record *game);
/* Prints the score, and how many games differ if some are the same. */
void yo_selfplay_match_tell(const struct yo_selfplay_match *match,
                            const struct yo_netplay_counts *counts);
/* Prints the score of the first with its interval. */
void yo_selfplay_tell_score(const struct yo_tally *tally);
