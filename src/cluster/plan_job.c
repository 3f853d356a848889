#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/random.h"
#include "cluster/plan_tree.h"

bool yo_plan_job_equal(const struct yo_plan_job *a, const struct yo_plan_job *b) {
    return a->path_count == b->path_count && a->only_count == b->only_count &&
           !a->only == !b->only &&
           memcmp(a->path, b->path, a->path_count * sizeof a->path[0]) == 0 &&
           (!a->only || memcmp(a->only, b->only, a->only_count * sizeof a->only[0]) == 0);
}

enum yo_err yo_plan_job_copy(const struct yo_plan_job *job, struct yo_plan_job *copy,
                             struct yo_diag *diag) {
    yo_move *only = NULL;
    if (job->only) {
        only = yo_alloc(job->only_count ? job->only_count : 1, sizeof *only);
        if (!only) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for a job");
        memcpy(only, job->only, job->only_count * sizeof *only);
    }
    *copy = *job;
    copy->only = only;
    return YO_OK;
}

void yo_plan_job_free(struct yo_plan_job *job) {
    yo_free((void *)job->only);
    *job = (struct yo_plan_job){0};
}

bool yo_plan_job_advance(struct yo_plan_job *job, const yo_move *played, size_t count) {
    if (count > job->path_count || memcmp(job->path, played, count * sizeof *played) != 0)
        return false;
    job->path_count -= count;
    memmove(job->path, job->path + count, job->path_count * sizeof job->path[0]);
    return true;
}

uint64_t yo_plan_job_hash(const struct yo_plan_job *job) {
    uint64_t h = job->only ? 1 : 0;
    for (size_t i = 0; i < job->path_count; i++)
        h = yo_mix64(h + YO_SPLITMIX_STEP + job->path[i]);
    h = yo_mix64(h ^ (uint64_t)job->path_count << 32);
    for (size_t i = 0; i < job->only_count; i++)
        h = yo_mix64(h + YO_SPLITMIX_STEP + job->only[i]);
    return h;
}
