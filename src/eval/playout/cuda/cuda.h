/* Playouts on NVIDIA GPUs: `cuda` on all of them, `cuda:N` on one. Two threads of the host serve
 * each GPU. If a GPU fails in the middle of a batch, no game is lost: the CPU plays its pieces
 * again, and the rest. */
#pragma once

#include "eval/playout/backend.h"
#include "eval/playout/cuda/driver.h"

#define YO_CUDA_PREFIX "cuda:"

extern const struct yo_playout_backend yo_playout_cuda;
/* "cuda:N"; its close releases it. YO_ERR_UNKNOWN if N is not a valid GPU number. */
enum yo_err yo_cuda_open(const char *name, const struct yo_playout_backend **backend);

/* For tests: starts again with another driver; NULL: the machine's own. No playouts may be in
 * progress. */
void yo_cuda_restart(const struct yo_cuda_driver *driver);
