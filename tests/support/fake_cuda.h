/* A driver for GPUs that are not there: device memory is the host's, a launch is played at once.
 * Tests make its calls fail, never end, or answer nonsense, and see what the backend makes of it.
 */
#pragma once

#include <stdbool.h>

#include "eval/playout/cuda/driver.h"
#include "eval/playout/cuda/job.h"

#ifdef __cplusplus
extern "C" {
#endif

struct fake_cuda {
    int gpus;
    int version;     /* of the driver */
    int major, mode; /* of every GPU */
    int processors;  /* of a GPU, with room for one block each */
    long fail_at;    /* the number of the call that fails, from 1; 0: none */
    long fail_count; /* how many do from there on */
    int fail_code;   /* with what */
    bool hangs;      /* launches never end */
    bool nonsense;   /* scores are past the board */
    /* Plays a launch: by the scalar reference, unless another is set. */
    void (*play)(enum yo_playout_policy policy, int size, const struct yo_cuda_job *job);
};
extern struct fake_cuda fake_cuda;

/* Since the start: calls that could fail, launches, and the most items that one had. */
long fake_cuda_calls(void);
int fake_cuda_launches(void);
int fake_cuda_most_items(void);

/* A fresh one with so many GPUs, in use from now on; 0: back to the machine's own. */
void fake_cuda_start(int gpus);
/* Looks at the fake again, after its settings were changed. */
void fake_cuda_again(void);

#ifdef __cplusplus
}
#endif
