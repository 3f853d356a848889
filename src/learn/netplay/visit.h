/* Visits of a search: from the root to a leaf, and from the network's answer about it back. */
#pragma once

#include "learn/netplay/game.h"

/* One visit. True: scratch->leaf waits for an answer. False: it needed none, and is counted. */
bool yo_netplay_visit(struct yo_netplay_game *g, struct yo_netplay_scratch *scratch);

/* What the positions one and two moves before the leaf kept; NULL for what is not known. */
void yo_netplay_visit_was(const struct yo_netplay_game *g, const uint64_t *was[2]);

/* Takes the answer about the leaf. */
void yo_netplay_visit_answer(struct yo_netplay_game *g, const struct yo_net_game *coding,
                             const struct yo_net *net, const struct yo_net_raw *raw,
                             struct yo_netplay_scratch *scratch);
