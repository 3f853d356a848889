/* Policies of which a batch wants some entries: they are picked on the device, and only they are
 * copied out. Used by worker.c. */
#pragma once

#include "eval/net/cuda/worker.h"

/* For how many entries, of all positions of a launch, a worker needs memory; 0: its policies are so
 * small that whole ones are given. */
size_t yo_net_cuda_pick_room(const struct yo_net_cuda_worker *worker);
/* Bytes of the entries, with where those of each position begin. */
size_t yo_net_cuda_wanted_bytes(const struct yo_net_cuda_worker *worker);
/* Behind the launches of a part of `count` positions: decides whether entries are picked (`picks`
 * of the worker), and starts that. False if the GPU failed. */
bool yo_net_cuda_pick(struct yo_net_cuda_worker *worker, const struct yo_net_batch *batch,
                      int count);
/* When they have arrived: where they are. */
void yo_net_cuda_give_picked(const struct yo_net_cuda_worker *worker,
                             const struct yo_net_batch *batch);
