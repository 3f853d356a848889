/* A match in virtual time: the cluster against one machine with shared memory. */
#pragma once

#include "cmd/cluster/sim_setup.h"

/* Prints a line of JSON for each game, then the score on standard error. Each opening is played
 * twice, with the sides exchanged. */
enum yo_err yo_sim_match(struct yo_sim_setup *setup, struct yo_diag *diag);
