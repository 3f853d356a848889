#include "eval/net/cuda/sample.h"

#include <math.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/time.h"

/* Of the root mean square of the outputs. fp16 on the GPU and 16-bit integers on the CPU stay below
 * 2% even in single positions; a GPU that computes nonsense is far above. */
#define DISTANCE_MAX 0.1
#define PAUSE        1000 /* times as long as a comparison takes */

struct yo_net_sample {
    struct yo_net_cuda_program *program;
    void *worker; /* of the CPU's backend, for one position */
    int size;
    int64_t due_ns;
    float *out[YO_NET_ROLES];
};

static size_t floats(const struct yo_net_sample *s, int role) {
    return yo_net_tensor_floats(s->program->graph, s->program->graph->outputs[role], s->size);
}

void yo_net_sample_delete(struct yo_net_sample *sample) {
    if (!sample) return;
    if (sample->worker) sample->program->spare->worker_delete(sample->worker);
    for (int role = 0; role < YO_NET_ROLES; role++)
        yo_free(sample->out[role]);
    yo_free(sample);
}

static enum yo_err start(struct yo_net_sample *s, struct yo_diag *diag) {
    struct yo_net_cuda_program *p = s->program;
    for (int role = 0; role < YO_NET_ROLES; role++) {
        if (p->graph->outputs[role] == YO_NET_NONE) continue;
        s->out[role] = yo_alloc(floats(s, role), sizeof *s->out[role]);
        if (!s->out[role])
            return yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory to run the network");
    }
    enum yo_err err = yo_net_cuda_spare(p, diag);
    return err ? err : p->spare->worker_new(p->spare_program, s->size, 1, &s->worker, diag);
}

enum yo_err yo_net_sample_new(struct yo_net_cuda_program *program, int size,
                              struct yo_net_sample **sample, struct yo_diag *diag) {
    struct yo_net_sample *s = yo_alloc(1, sizeof *s);
    if (!s) return yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory to run the network");
    s->program = program;
    s->size = size;
    enum yo_err err = start(s, diag);
    if (err)
        yo_net_sample_delete(s);
    else
        *sample = s;
    return err;
}

struct distance {
    double difference, all; /* squares */
};

static void add_number(struct distance *sum, float got, float right) {
    const double off = (double)got - (double)right;
    sum->difference += off * off;
    sum->all += (double)right * (double)right;
}

static bool is_near(const struct yo_net_sample *s, const struct yo_net_batch *batch, int number) {
    struct distance sum = {0};
    for (int role = 0; role < YO_NET_ROLES; role++) {
        if (!s->out[role] || !yo_net_batch_rows(batch, role, number, 1)) continue;
        const float *picked =
            role == YO_NET_OUT_POLICY && batch->picked ? batch->picked[number] : NULL;
        const size_t count = picked ? batch->wanted[number].count : floats(s, role);
        const float *got =
            picked ? picked : yo_net_batch_output(batch, role) + (size_t)number * count;
        for (size_t i = 0; i < count; i++)
            add_number(&sum, got[i], s->out[role][picked ? batch->wanted[number].entries[i] : i]);
    }
    /* Not if it is not a number. */
    return sum.difference <= DISTANCE_MAX * DISTANCE_MAX * (sum.all + 1e-6);
}

void yo_net_sample_again(struct yo_net_sample *sample) { sample->due_ns = 0; }

bool yo_net_sample_agrees(struct yo_net_sample *s, const struct yo_net_batch *batch, int number) {
    const int64_t begun = yo_time_ns();
    if (begun < s->due_ns) return true;
    const struct yo_net_graph *graph = s->program->graph;
    const size_t words = (size_t)graph->planes * (size_t)yo_net_plane_words(s->size);
    struct yo_diag diag;
    struct yo_net_batch one = {
        .count = 1, .size = s->size, .planes = batch->planes + (size_t)number * words};
    if (batch->globals) one.globals = batch->globals + (size_t)number * (size_t)graph->globals;
    for (int role = 0; role < YO_NET_ROLES; role++)
        if (yo_net_batch_rows(batch, role, number, 1)) one.out[role] = s->out[role];
    const bool good =
        s->program->spare->run(s->worker, &one, &diag) != YO_OK || is_near(s, batch, number);
    const int64_t ended = yo_time_ns();
    s->due_ns = ended + (ended - begun) * PAUSE;
    return good;
}
