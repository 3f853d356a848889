/* A complete bit-slice backend. The including file sets SLICE_BITS and the compiler's target, and
 * defines SLICE_AVAILABLE(), SLICE_NAME, SLICE_SUMMARY, SLICE_NEEDS and SLICE_BACKEND. */
#pragma once

#include "eval/playout/slice/state.h"

#define SLICE_SIZE 9
#include "eval/playout/slice/step.h"
#define SLICE_SIZE 13
#include "eval/playout/slice/step.h"
#define SLICE_SIZE 19
#include "eval/playout/slice/step.h"
#define SLICE_SIZE 0
#include "eval/playout/slice/step.h"

#include "eval/playout/slice/run.h"

static void backend_run(const struct yo_playout_backend *backend, const struct yo_playout_env *env,
                        enum yo_playout_policy policy, int size,
                        const struct yo_playout_source *source, void *scratch) {
    (void)backend, (void)env, (void)policy;
    switch (size) {
    case 9:
        slice_run(size, source, scratch, slice_step_9, slice_area_9);
        break;
    case 13:
        slice_run(size, source, scratch, slice_step_13, slice_area_13);
        break;
    case 19:
        slice_run(size, source, scratch, slice_step_19, slice_area_19);
        break;
    default:
        slice_run(size, source, scratch, slice_step_0, slice_area_0);
    }
}

static bool backend_supports(const struct yo_playout_backend *backend,
                             const struct yo_playout_env *env, enum yo_playout_policy policy,
                             int size) {
    (void)backend, (void)env, (void)size;
    return policy == YO_PLAYOUT_LIGHT;
}

static bool backend_available(const struct yo_playout_backend *backend) {
    (void)backend;
    return SLICE_AVAILABLE();
}

static size_t backend_scratch_size(const struct yo_playout_backend *backend, int size) {
    (void)backend;
    return slice_scratch_size(size);
}

static const struct yo_playout_backend_ops backend_ops = {
    .summary = SLICE_SUMMARY,
    .needs = SLICE_NEEDS,
    .available = backend_available,
    .supports = backend_supports,
    .scratch_size = backend_scratch_size,
    .run = backend_run,
};

const struct yo_playout_backend SLICE_BACKEND = {.name = SLICE_NAME, .ops = &backend_ops};
