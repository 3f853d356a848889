/* The one machine with shared memory that simulated clusters are compared with. */
#pragma once

#include "cmd/cluster/sim_setup.h"

struct yo_sim_shared;

/* A search with this many threads, which share table or tree. It searches threads * speed nodes a
 * virtual second: as fast as so many workers, and nothing is lost on the memory bus. */
enum yo_err yo_sim_shared_new(const struct yo_sim_setup *setup, int threads,
                              struct yo_sim_shared **shared, struct yo_diag *diag);
void yo_sim_shared_delete(struct yo_sim_shared *shared);
void yo_sim_shared_clear(struct yo_sim_shared *shared);
enum yo_err yo_sim_shared_think(struct yo_sim_shared *shared, const void *game,
                                struct yo_search_result *result, struct yo_diag *diag);
