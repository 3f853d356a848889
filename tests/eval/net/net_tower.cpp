/* The fused kernel for Hopper, run thread by thread on the host, against the reference backend: its
 * plan, the packed weights, gathers, rings, epilogues and layouts. In several orders of its warps,
 * with copies and products as early and as late as they can be, which must not make a difference.
 */
extern "C" {
#include "eval/net/reference.h"
#include "support/shaped_net.h"
}
#include "support/simt_host.h"

extern "C" {
#include "eval/net/cuda/tower_plan.h"
}
#include "eval/net/cuda/tower_ops.cuh"

enum { SCHEDULES = 3 };
static int failures;

/* The trunk as the reference computes it: the graph with the kernel's last tensor as its output. */
static float *trunk(yo_net_graph graph, int tensor, const yo_net_batch *in) {
    void *program, *worker;
    yo_diag diag;
    yo_net_batch batch = *in;
    for (int role = 0; role < YO_NET_ROLES; role++)
        graph.outputs[role] = YO_NET_NONE, batch.out[role] = NULL;
    graph.outputs[0] = tensor;
    size_t floats = yo_net_tensor_floats(&graph, tensor, in->size);
    float *out = (float *)malloc((size_t)in->count * floats * sizeof *out);
    if (!out || yo_net_reference.compile(&graph, &program, &diag) ||
        yo_net_reference.worker_new(program, in->size, in->count, &worker, &diag))
        abort();
    batch.out[0] = out;
    if (yo_net_reference.run(worker, &batch, &diag)) abort();
    yo_net_reference.worker_delete(worker);
    yo_net_reference.program_delete(program);
    return out;
}

static void launch(const yo_tower_job &job, int blocks) {
    const int threads = job.threads + YO_TOWER_WARPGROUP;
    simt::launch(blocks, threads, (size_t)job.shared_bytes, [&](uint8_t *memory) {
        int number = 0;
#define X(n, t, w, s)                                                                              \
    if (number++ == job.kernel) {                                                                  \
        tower<tower_kind<n, t, w, s>> here(job, memory);                                           \
        here.run();                                                                                \
    }
        YO_TOWER_KERNELS(X)
#undef X
    });
}

static void check(const net_shape &shape, int size, int count, int blocks, int steps,
                  int most = 100) {
    yo_net_graph graph;
    yo_tower_plan plan;
    yo_tower_job job = {};
    shaped_batch random;
    bool found;
    shaped_net_make(&graph, &shape, 5);
    shaped_batch_make(&random, &graph, size, count, (unsigned)size);
    if (yo_tower_plan_init(&plan, &graph, false, &found)) abort();
    if (!found || plan.step_count != steps || !yo_tower_shape(&plan, size, most, 232448, &job)) {
        printf("%s on %d: %d steps of %d\n", shape.name, size, found ? plan.step_count : 0, steps);
        failures++;
        return;
    }
    size_t points = (size_t)(size * size), n = (size_t)plan.channels;
    const size_t bytes = (size_t)count * points * n * 2;
    uint16_t *out = (uint16_t *)malloc(bytes), *again = (uint16_t *)malloc(bytes);
    job.planes = random.planes, job.globals = random.globals, job.out = out;
    uint8_t *slots = (uint8_t *)malloc(yo_tower_slot_bytes(&job));
    yo_tower_resolve(&plan, &job, slots);
    job.slots = slots, job.steps = plan.steps, job.constants = plan.constants;
    job.ops = plan.ops;
    job.count = count, job.input_planes = graph.planes, job.global_count = graph.globals;
    job.step_count = plan.step_count;
    for (int schedule = 0; schedule < SCHEDULES; schedule++) {
        simt::now.late = schedule > 0;
        job.out = schedule ? again : out;
        memset(job.out, 0x7e, bytes);
        launch(job, blocks);
        if (memcmp(out, job.out, bytes) == 0) continue;
        printf("%s on %d: other numbers in schedule %d\n", shape.name, size, schedule);
        failures++;
    }
    float *right = trunk(graph, plan.output, &random.batch);
    size_t channels = (size_t)graph.tensors[plan.output].channels;
    double difference = 0, sum = 0;
    for (size_t i = 0; i < (size_t)count; i++)
        for (size_t c = 0; c < channels; c++)
            for (size_t p = 0; p < points; p++) {
                double x = (double)right[(i * channels + c) * points + p];
                double y = (double)yo_half_to(out[(i * points + p) * n + c]);
                difference += (x - y) * (x - y), sum += x * x;
            }
    double distance = sqrt(difference / sum);
    bool good = distance < 3e-3; /* NaN is not */
    printf("%s on %d, %d boards in %d blocks, %d groups of %d, kernel %d, %d rings of %d: "
           "%.1e%s\n",
           shape.name, size, count, blocks, job.groups, job.boards, job.kernel, job.rings, job.ring,
           distance, good ? "" : " WRONG");
    failures += !good;
    free(right);
    free(out);
    free(again);
    free(slots);
    shaped_batch_free(&random);
    yo_tower_plan_free(&plan);
    yo_net_graph_free(&graph);
}

int main() {
    const net_shape small = {"32 channels", 22,    19,   5, 32, "og", 32, 8, 16,
                             YO_NET_RELU,   false, false};
    const net_shape b96 = {"96 channels", 22,    19,   5, 96, "g", 96, 32, 32,
                           YO_NET_RELU,   false, false};
    const net_shape mish = {"128, mish", 22, 19, 3,           128,   "go",
                            128,         32, 32, YO_NET_MISH, false, false};
    const net_shape shogi = {"dlshogi", 119, 0, 3, 192, "o", 192, 0, 27, YO_NET_SWISH, true, false};
    const net_shape odd = {"odd", 5, 3, 5, 37, "go", 43, 13, 9, YO_NET_RELU, false, false};
    check(small, 9, 13, 2, 5);
    check(small, 2, 70, 1, 5);
    check(odd, 7, 5, 1, 5);
    check(b96, 9, 7, 1, 3);
    check(b96, 9, 2, 1, 3, 1);
    check(b96, 19, 2, 1, 3);
    check(b96, 13, 1, 1, 3);
    check(mish, 5, 3, 2, 5);
    check(mish, 19, 1, 1, 5);
    check(mish, 9, 2, 1, 5, 1);
    check(shogi, 9, 1, 1, 3, 1);
    check(shogi, 9, 4, 1, 3);
    return failures > 0;
}
