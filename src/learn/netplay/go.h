/* Self-play of Go: area scoring with any ko rule, suicide allowed or not, and any komi. A game ends
 * by two passes, or when every point is unconditionally owned. Dead stones inside unconditionally
 * alive areas need not be captured. */
#pragma once

#include "learn/netplay/rules.h"
#include "yomi/go.h"

#define YO_NETPLAY_GO 1 /* id in records */

struct yo_netplay_go_settings {
    struct yo_go_rules rules;
    bool random_rules; /* ko and suicide are drawn for each game */
    double komi;
    double komi_stdev, komi_wide_stdev, komi_wide_share; /* normal, with wide tails */
};

extern const struct yo_netplay_rules yo_netplay_go;
extern const struct yo_netplay_go_settings yo_netplay_go_defaults;

/* Size and rules of a setup; false for a wrong one. */
bool yo_netplay_go_setup(const uint8_t *setup, size_t len, int *size, struct yo_go_rules *rules);
