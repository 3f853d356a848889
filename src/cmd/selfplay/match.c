#include "cmd/selfplay/match.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"

void yo_selfplay_match_init(struct yo_selfplay_match *match) {
    *match = (struct yo_selfplay_match){0};
    pthread_mutex_init(&match->lock, NULL);
}

void yo_selfplay_match_free(struct yo_selfplay_match *match) {
    pthread_mutex_destroy(&match->lock);
    yo_selfplay_seen_free(&match->seen);
}

void yo_selfplay_match_set(struct yo_selfplay_match *match, const struct yo_options *options,
                           struct yo_netplay_settings *s) {
    s->match = true;
    s->full_share = 1;
    s->noise = s->puct.forced = 0;
    s->gumbel = 0;
    s->temperature = 0.3f;
    s->temperature_late = 0;
    s->decided = 0.98f;
    s->resign_share = 1;
    s->reuse = false;
    match->other_puct = s->puct;
    if (yo_options_given(options, "against-cpuct"))
        match->other_puct.cpuct = (float)yo_options_real(options, "against-cpuct");
    if (yo_options_given(options, "against-fpu-reduction"))
        match->other_puct.fpu = (float)yo_options_real(options, "against-fpu-reduction");
    if (yo_options_given(options, "against-policy-temperature"))
        match->other_puct.policy_temperature =
            (float)yo_options_real(options, "against-policy-temperature");
    s->other_puct = &match->other_puct;
}

void yo_selfplay_match_see(struct yo_selfplay_match *match, const struct yo_netplay_record *game) {
    uint8_t key[32] = {0};
    uint64_t hash = 0;
    bool fresh;
    for (size_t i = 0; i < game->setup_size; i++)
        hash = yo_mix64(hash + game->setup[i]);
    for (size_t i = 0; i < game->step_count; i++)
        hash = yo_mix64(hash + game->steps[i].move);
    memcpy(key, &hash, sizeof hash);
    pthread_mutex_lock(&match->lock);
    enum yo_err err = yo_selfplay_seen_add(&match->seen, key, &fresh);
    if (err) match->seen_err = err;
    pthread_mutex_unlock(&match->lock);
}

/* Games that are played again tell nothing new: the interval is then too small. */
static void tell_repeated(const struct yo_selfplay_match *match, uint64_t games) {
    if (match->seen_err || match->seen.count >= games) return;
    printf("only %zu of %" PRIu64 " games differ; a longer --opening makes more different ones\n",
           match->seen.count, games);
}

void yo_selfplay_match_tell(const struct yo_selfplay_match *match,
                            const struct yo_netplay_counts *counts) {
    tell_repeated(match, counts->games);
    yo_selfplay_tell_score(
        &(struct yo_tally){.wins = (uint32_t)counts->won,
                           .losses = (uint32_t)counts->lost,
                           .draws = (uint32_t)(counts->games - counts->won - counts->lost)});
}

void yo_selfplay_tell_score(const struct yo_tally *tally) {
    double low, high;
    yo_tally_interval(tally, &low, &high);
    printf("%u - %u, %u drawn: %.1f%% [%.1f, %.1f], Elo %+.0f [%+.0f, %+.0f]\n", tally->wins,
           tally->losses, tally->draws, 100 * yo_tally_score(tally), 100 * low, 100 * high,
           yo_stats_elo(yo_tally_score(tally)), yo_stats_elo(low), yo_stats_elo(high));
}
