/* Full searches by sequential halving over moves drawn by the policy without replacement, with
 * policy targets from completed values (Danihelka, Guez, Schrittwieser, Silver, "Policy improvement
 * by planning with Gumbel", 2022): an option for few visits. */
#pragma once

#include "learn/netplay/record.h"
#include "learn/netplay/tree.h"

#define YO_NETPLAY_GUMBEL_MAX 64

struct yo_netplay_gumbel {
    unsigned count; /* kids of the root that are considered, the first ones; 0: off */
    float drawn[YO_NETPLAY_GUMBEL_MAX]; /* Gumbel variable plus logarithm of the prior, by kid */
};

/* The root has no kids yet: makes those of the moves that are considered, at most `most`. */
void yo_netplay_gumbel_begin(struct yo_netplay_gumbel *gumbel, struct yo_netplay_tree *tree,
                             unsigned most, uint64_t *random);
/* The kid of the root that the next of `budget` visits takes. */
unsigned yo_netplay_gumbel_select(const struct yo_netplay_gumbel *gumbel,
                                  const struct yo_netplay_tree *tree, unsigned budget);
/* The move to play. */
uint16_t yo_netplay_gumbel_best(const struct yo_netplay_gumbel *gumbel,
                                const struct yo_netplay_tree *tree);
/* The improved policy over all moves of the root; weights add up to about 60000. Returns the number
 * of moves with a weight. */
size_t yo_netplay_gumbel_target(const struct yo_netplay_tree *tree, struct yo_netplay_target *out,
                                size_t room);
