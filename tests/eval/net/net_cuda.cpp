/* The network backend cuda from end to end, without a GPU: a driver of this test's own, whose
 * memory is the host's and whose launches run the kernels' source thread by thread, and a cuDNN
 * that computes on the host. Against the reference backend; and what happens when the GPU or cuDNN
 * fails at any call. */
extern "C" {
#include "base/notice.h"
#include "eval/net/cuda/cuda.h"
#include "eval/net/reference.h"
#include "support/fake_cudnn.h"
#include "support/shaped_net.h"
}
#include <vector>

#include "support/host_gpu.h"

static int failures, notices;

/* ---- comparisons ---- */

static void hear(void *, const char *) { notices++; }

/* What no program told of: it could not be made, or was being deleted. */
static void count_loss(int before) {
    if (yo_cuda_lost() && notices == before) notices++;
}

static void expect(bool good, const char *what, const char *name) {
    if (good) return;
    printf("%s: %s\n", name, what);
    failures++;
}

static long calls_to_run; /* calls before the last batch */
static bool runs = true;  /* false: all but the batch */

/* What the backend gives for a batch, or false where it reports an error. */
static bool evaluate(const yo_net_backend &backend, const yo_net_graph *graph, int room,
                     const yo_net_batch *batch) {
    void *program, *worker;
    yo_diag diag = {};
    const yo_notices to = {hear, nullptr};
    const int before = notices;
    if (backend.compile(graph, &program, &diag)) {
        count_loss(before);
        return false;
    }
    bool good = !backend.worker_new(program, batch->size, room, &worker, &diag);
    calls_to_run = calls;
    if (good) {
        good = !runs || !backend.run(worker, batch, &diag);
        backend.worker_delete(worker);
    }
    if (backend.notify) backend.notify(program, &to);
    backend.program_delete(program);
    count_loss(before);
    return good;
}

enum { FUSED, TRUNK, LAYERS, CUDNN, COMPILED };
static const struct {
    const yo_net_backend &backend;
    bool fused, whole; /* the fused kernel runs; nothing else does, in KataGo's networks */
    bool cudnn;
} ways[] = {{yo_net_cuda, true, true, false},
            {yo_net_cuda_trunk, true, false, false},
            {yo_net_cuda_layers, false, false, false},
            {yo_net_cuda_cudnn, false, false, true},
            {yo_net_cuda_cudnn_compiled, false, false, true}};

static void clear_counts() {
    towers = launches = notices = 0;
    fake_cudnn_state = {};
}

/* cuDNN was told nothing wrong, and all that it made was released. */
static void check_cudnn(const char *name) {
    expect(!fake_cudnn_state.wrong[0], fake_cudnn_state.wrong, name);
    expect(fake_cudnn_state.alive == 0, "descriptors of cuDNN are lost", name);
}

static void compare(const net_shape &shape, int size, int count, int way) {
    yo_net_graph graph;
    shaped_batch right, other;
    shaped_net_make(&graph, &shape, 5);
    shaped_batch_make(&right, &graph, size, count, (unsigned)size);
    shaped_batch_make(&other, &graph, size, count, (unsigned)size);
    clear_counts();
    expect(evaluate(yo_net_reference, &graph, count, &right.batch), "reference", shape.name);
    /* With room for fewer than there are: in parts. */
    expect(evaluate(ways[way].backend, &graph, (count + 1) / 2, &other.batch), "run", shape.name);
    double distance = shaped_batch_distance(&graph, &right.batch, &other.batch);
    printf("%s on %d, %s: %.1e\n", shape.name, size, ways[way].backend.name, distance);
    expect(distance < 5e-3, "differs", shape.name);
    expect(notices == 0, "the GPU was given up", shape.name);
    expect((towers > 0) == ways[way].fused, "the fused kernel", shape.name);
    if (!shape.post) expect((towers == launches) == ways[way].whole, "the heads", shape.name);
    if (shape.post && way == FUSED) /* the value's two dense layers are left */
        expect(launches == 3 * towers, "dlshogi's heads", shape.name);
    expect((fake_cudnn_state.executions > 0) == ways[way].cudnn, "cuDNN", shape.name);
    /* With what follows a convolution, where it can; more of it can be compiled. */
    if (way == CUDNN || way == COMPILED)
        expect(fake_cudnn_state.fused > (way == COMPILED ? fake_cudnn_state.executions / 2 : 0),
               "the epilogues", shape.name);
    check_cudnn(shape.name);
    shaped_batch_free(&right);
    shaped_batch_free(&other);
    yo_net_graph_free(&graph);
}

/* Policies that are a row of numbers: what the fused kernel writes itself, and what it leaves. */
static void vary_rows(const net_shape &shape) {
    static const float scale[27 * 81] = {1, -2, 3};
    static const struct {
        const char *name;
        void (*change)(yo_net_graph &graph, yo_net_op &last);
        int launches; /* with the value's two */
    } rows[] = {
        {"biases", [](yo_net_graph &, yo_net_op &) {}, 3},
        {"no biases", [](yo_net_graph &, yo_net_op &last) { last.bias = nullptr; }, 3},
        {"tanh", [](yo_net_graph &, yo_net_op &last) { last.activation = YO_NET_TANH; }, 3},
        {"scaled", [](yo_net_graph &, yo_net_op &last) { last.scale = scale; }, 5},
        {"read once more",
         [](yo_net_graph &graph, yo_net_op &last) { graph.outputs[YO_NET_OUT_POLICY] = last.in; },
         4},
        {"the row itself",
         [](yo_net_graph &graph, yo_net_op &last) {
             graph.outputs[YO_NET_OUT_POLICY] = last.in;
             for (yo_net_op *op = &last; op + 1 < graph.ops + graph.op_count; op++)
                 op[0] = op[1];
             graph.op_count--;
         },
         3},
        {"the board too",
         [](yo_net_graph &graph, yo_net_op &last) {
             for (int i = 0; i < graph.op_count; i++)
                 if (graph.ops[i].out == last.in)
                     graph.outputs[YO_NET_OUT_OWNERSHIP] = graph.ops[i].in;
         },
         3},
    };
    for (const auto &row : rows) {
        yo_net_graph graph;
        shaped_batch right, other;
        shaped_net_make(&graph, &shape, 5);
        for (int i = 0, policy = graph.outputs[YO_NET_OUT_POLICY]; i < graph.op_count; i++)
            if (graph.ops[i].out == policy) {
                row.change(graph, graph.ops[i]);
                break;
            }
        shaped_batch_make(&right, &graph, 9, 2, 1);
        shaped_batch_make(&other, &graph, 9, 2, 1);
        clear_counts();
        expect(evaluate(yo_net_reference, &graph, 2, &right.batch), "reference", row.name);
        expect(evaluate(yo_net_cuda, &graph, 2, &other.batch), "run", row.name);
        double distance = shaped_batch_distance(&graph, &right.batch, &other.batch);
        printf("a row of numbers, %s: %d launches, %.1e\n", row.name, launches, distance);
        expect(distance < 5e-3, "differs", row.name);
        expect(towers == 1 && launches == row.launches, "launches", row.name);
        expect(notices == 0, "the GPU was given up", row.name);
        shaped_batch_free(&right);
        shaped_batch_free(&other);
        yo_net_graph_free(&graph);
    }
}

/* Batches of all sizes, for which cuDNN has a few plans. */
static void compare_sizes(const net_shape &shape) {
    yo_net_graph graph;
    shaped_net_make(&graph, &shape, 5);
    for (int count : {1, 8, 9, 16, 17, 20}) {
        shaped_batch right, other;
        shaped_batch_make(&right, &graph, 3, count, 1);
        shaped_batch_make(&other, &graph, 3, count, 1);
        clear_counts();
        expect(evaluate(yo_net_reference, &graph, count, &right.batch), "reference", shape.name);
        expect(evaluate(yo_net_cuda_cudnn, &graph, 20, &other.batch), "run", shape.name);
        expect(shaped_batch_distance(&graph, &right.batch, &other.batch) < 5e-3, "differs",
               shape.name);
        expect(notices == 0 && fake_cudnn_state.executions > 0, "cuDNN was given up", shape.name);
        check_cudnn(shape.name);
        shaped_batch_free(&right);
        shaped_batch_free(&other);
    }
    yo_net_graph_free(&graph);
}

static size_t floats_of(const yo_net_graph &graph, int role) {
    const int tensor = graph.outputs[role];
    return tensor == YO_NET_NONE ? 0 : yo_net_tensor_floats(&graph, tensor, 9);
}

static void fill(float *numbers, size_t count, float with) {
    for (size_t i = 0; i < count; i++)
        numbers[i] = with;
}

/* Of the last positions no policy is wanted: its place stays as it is, all else is computed. */
static void leave_policies_out(const net_shape &shape, const yo_net_backend &backend, int room) {
    enum { COUNT = 7 };
    const float untouched = 12345;
    yo_net_graph graph;
    shaped_batch right, other;
    shaped_net_make(&graph, &shape, 5);
    shaped_batch_make(&right, &graph, 9, COUNT, 1);
    expect(evaluate(yo_net_reference, &graph, COUNT, &right.batch), "reference", shape.name);
    for (int without : {1, 4, (int)COUNT}) {
        shaped_batch_make(&other, &graph, 9, COUNT, 1);
        for (int role : {YO_NET_OUT_POLICY, YO_NET_OUT_PASS})
            fill(other.batch.out[role], COUNT * floats_of(graph, role), untouched);
        clear_counts();
        other.batch.without_policy = without;
        expect(evaluate(backend, &graph, room, &other.batch), "run", shape.name);
        bool left = true;
        for (int role : {YO_NET_OUT_POLICY, YO_NET_OUT_PASS}) {
            const size_t floats = floats_of(graph, role);
            for (size_t i = (size_t)(COUNT - without) * floats; i < COUNT * floats; i++) {
                left = left && other.batch.out[role][i] == untouched;
                other.batch.out[role][i] = right.batch.out[role][i];
            }
        }
        expect(left, "a policy that nobody wants is written", shape.name);
        expect(shaped_batch_distance(&graph, &right.batch, &other.batch) < 5e-3, "differs",
               shape.name);
        expect(notices == 0, "the GPU was given up", shape.name);
        shaped_batch_free(&other);
    }
    shaped_batch_free(&right);
    yo_net_graph_free(&graph);
}

/* A batch that fits in the worker's memory may be read there; one that the CPU computes, or that is
 * computed in parts, is where it was asked for. */
static void leave_outputs(const net_shape &shape, int room, bool spoils) {
    enum { COUNT = 5 };
    const float untouched = 12345;
    const float *left[YO_NET_ROLES] = {};
    const bool stays = room >= COUNT && !spoils;
    yo_net_graph graph;
    yo_diag diag = {};
    void *program, *worker;
    shaped_batch right, other;
    shaped_net_make(&graph, &shape, 5);
    shaped_batch_make(&right, &graph, 9, COUNT, 1);
    shaped_batch_make(&other, &graph, 9, COUNT, 1);
    expect(evaluate(yo_net_reference, &graph, COUNT, &right.batch), "reference", shape.name);
    for (int role = 0; role < YO_NET_ROLES; role++)
        if (other.batch.out[role])
            fill(other.batch.out[role], COUNT * floats_of(graph, role), untouched);
    other.batch.left = left;
    expect(!yo_net_cuda.compile(&graph, &program, &diag) &&
               !yo_net_cuda.worker_new(program, 9, room, &worker, &diag),
           "compile", shape.name);
    spoil = spoils ? [](float *numbers, size_t count) { fill(numbers, count, NAN); } : nullptr;
    expect(!yo_net_cuda.run(worker, &other.batch, &diag), "run", shape.name);
    spoil = nullptr;
    for (int role = 0; role < YO_NET_ROLES; role++) {
        if (!other.batch.out[role] || graph.outputs[role] == YO_NET_NONE) continue;
        expect((left[role] != nullptr) == stays, "outputs left with the worker", shape.name);
        expect((other.batch.out[role][0] == untouched) == stays, "outputs copied", shape.name);
        if (stays)
            memcpy(other.batch.out[role], left[role],
                   COUNT * floats_of(graph, role) * sizeof(float));
    }
    expect(shaped_batch_distance(&graph, &right.batch, &other.batch) < 5e-3, "differs", shape.name);
    yo_net_cuda.worker_delete(worker);
    yo_net_cuda.program_delete(program);
    shaped_batch_free(&right);
    shaped_batch_free(&other);
    yo_net_graph_free(&graph);
    yo_cuda_gpus_restart(&driver);
}

/* A batch that wants some entries of its policies, by one worker: first as a whole, then picked. */
struct picking {
    const char *name;
    int count, room, without;
    std::vector<int> lengths;
    bool picks;
};

static size_t entries_of(const picking &p) {
    size_t all = 0;
    for (int i = 0; i < p.count - p.without; i++)
        all += (size_t)p.lengths[(size_t)i % p.lengths.size()];
    return all;
}

static void check_picking(const yo_net_graph &graph, const yo_net_backend &backend, void *worker,
                          const picking &p) {
    const float untouched = 12345;
    const int rows = p.count - p.without;
    const size_t floats = floats_of(graph, YO_NET_OUT_POLICY);
    yo_diag diag = {};
    shaped_batch whole, some;
    shaped_wanted wanted;
    shaped_batch_make(&whole, &graph, 9, p.count, 1);
    shaped_batch_make(&some, &graph, 9, p.count, 1);
    shaped_wanted_make(&wanted, &graph, 9, p.count, p.lengths.data(), (int)p.lengths.size());
    expect(!backend.run(worker, &whole.batch, &diag), "run", p.name);
    some.batch.wanted = wanted.lists;
    some.batch.picked = wanted.picked;
    some.batch.without_policy = p.without;
    float *policy = some.batch.out[YO_NET_OUT_POLICY];
    fill(policy, (size_t)p.count * floats, untouched);
    bytes_out = 0;
    expect(!backend.run(worker, &some.batch, &diag), "run", p.name);
    for (int i = 0; i < p.count; i++)
        expect((wanted.picked[i] != nullptr) == (p.picks && i < rows), "which are picked", p.name);
    const size_t others =
        sizeof(float) * (size_t)p.count *
        (floats_of(graph, YO_NET_OUT_VALUE) + floats_of(graph, YO_NET_OUT_OWNERSHIP));
    if (p.picks) {
        expect(shaped_wanted_same(&wanted, &graph, &whole.batch, rows) == rows, "differs", p.name);
        expect(bytes_out == others + entries_of(p) * sizeof(float), "bytes", p.name);
        for (size_t i = 0; i < (size_t)p.count * floats; i++)
            if (policy[i] != untouched) {
                expect(false, "a whole policy is written", p.name);
                break;
            }
    }
    const size_t given = p.picks ? 0 : (size_t)rows * floats;
    memcpy(policy + given, whole.batch.out[YO_NET_OUT_POLICY] + given,
           ((size_t)p.count * floats - given) * sizeof(float));
    expect(shaped_batch_distance(&graph, &whole.batch, &some.batch) == 0, "differs", p.name);
    shaped_wanted_free(&wanted);
    shaped_batch_free(&whole);
    shaped_batch_free(&some);
}

static void pick_entries(const net_shape &shape, const yo_net_backend &backend,
                         std::vector<picking> cases) {
    yo_net_graph graph;
    shaped_net_make(&graph, &shape, 5);
    for (const picking &p : cases) {
        void *program, *worker;
        yo_diag diag = {};
        const yo_notices to = {hear, nullptr};
        clear_counts();
        if (backend.compile(&graph, &program, &diag) ||
            backend.worker_new(program, 9, p.room, &worker, &diag))
            abort();
        check_picking(graph, backend, worker, p);
        printf("%s, %s: %zu of %zu numbers of policies are %s\n", backend.name, p.name,
               entries_of(p), (size_t)p.count * floats_of(graph, YO_NET_OUT_POLICY),
               p.picks ? "picked" : "wanted");
        backend.notify(program, &to);
        expect(notices == 0, "the GPU was given up", p.name);
        backend.worker_delete(worker);
        backend.program_delete(program);
    }
    yo_net_graph_free(&graph);
}

/* The GPU fails at a call of a batch that wants entries, or picks wrong numbers: the CPU gives
 * whole policies. Returns whether it failed. */
enum { SPOILT = 3, SPOILT_ENTRIES = 85 };

static bool fail_to_pick(const yo_net_graph &graph, const yo_net_batch &right, long at) {
    void *program, *worker;
    yo_diag diag = {};
    shaped_batch other;
    shaped_wanted wanted;
    const int lengths[] = {SPOILT_ENTRIES};
    const yo_notices to = {hear, nullptr};
    shaped_batch_make(&other, &graph, 9, SPOILT, 1);
    shaped_wanted_make(&wanted, &graph, 9, SPOILT, lengths, 1);
    other.batch.wanted = wanted.lists;
    other.batch.picked = wanted.picked;
    clear_counts();
    if (yo_net_cuda.compile(&graph, &program, &diag) ||
        yo_net_cuda.worker_new(program, 9, SPOILT, &worker, &diag))
        abort();
    calls = 0, fail_at = at;
    expect(!yo_net_cuda.run(worker, &other.batch, &diag), "run", "failing to pick");
    const bool failed = yo_cuda_lost() > 0;
    fail_at = 0;
    for (int i = 0; i < SPOILT; i++)
        expect((wanted.picked[i] == nullptr) == failed, "what a lost GPU picked is given", "");
    if (failed) expect(shaped_batch_distance(&graph, &right, &other.batch) < 5e-3, "differs", "");
    yo_net_cuda.notify(program, &to);
    expect(notices == failed, "notices", "failing to pick");
    yo_net_cuda.worker_delete(worker);
    yo_net_cuda.program_delete(program);
    while (!blocks.empty())
        give(blocks.begin()->first);
    shaped_wanted_free(&wanted);
    shaped_batch_free(&other);
    yo_cuda_gpus_restart(&driver);
    return failed;
}

static void fail_to_pick_everywhere(const net_shape &shape) {
    yo_net_graph graph;
    shaped_batch right;
    int tried = 0;
    shaped_net_make(&graph, &shape, 5);
    shaped_batch_make(&right, &graph, 9, SPOILT, 1);
    expect(evaluate(yo_net_reference, &graph, SPOILT, &right.batch), "reference", shape.name);
    while (fail_to_pick(graph, right.batch, tried + 1))
        tried++;
    printf("picking failed at each of %d calls\n", tried);
    expect(tried >= 8, "few calls", shape.name);
    spoil = [](float *numbers, size_t count) {
        if (count == SPOILT * SPOILT_ENTRIES) fill(numbers, count, 100);
    };
    expect(fail_to_pick(graph, right.batch, 0), "wrong numbers were picked", shape.name);
    spoil = nullptr;
    shaped_batch_free(&right);
    yo_net_graph_free(&graph);
}

/* Which way `cuda` takes: the fused kernel on Hopper, else a kernel each; cuDNN only if it is
 * named.
 */
static void choose(const net_shape &shape, int compute_major, const yo_cudnn *cudnn) {
    yo_net_graph graph;
    shaped_batch right, other;
    shaped_net_make(&graph, &shape, 5);
    shaped_batch_make(&right, &graph, 3, 2, 1);
    shaped_batch_make(&other, &graph, 3, 2, 1);
    major_number = compute_major;
    yo_cudnn_replace(cudnn);
    yo_cuda_gpus_restart(&driver);
    clear_counts();
    expect(evaluate(yo_net_reference, &graph, 2, &right.batch), "reference", shape.name);
    expect(evaluate(yo_net_cuda, &graph, 2, &other.batch), "run", shape.name);
    expect(shaped_batch_distance(&graph, &right.batch, &other.batch) < 5e-3, "differs", shape.name);
    expect((towers > 0) == (compute_major == 9), "the fused kernel is not chosen", shape.name);
    expect(fake_cudnn_state.executions == 0, "cuDNN is taken without being named", shape.name);
    expect(yo_net_cuda_cudnn.available() == (cudnn == &fake_cudnn), "cuDNN is here", shape.name);
    expect(notices == 0, "a notice without a reason", shape.name);
    check_cudnn(shape.name);
    major_number = 9;
    yo_cudnn_replace(&fake_cudnn);
    yo_cuda_gpus_restart(&driver);
    shaped_batch_free(&right);
    shaped_batch_free(&other);
    yo_net_graph_free(&graph);
}

/* The GPU or cuDNN fails at one call after the other: the answer is right or there is an error,
 * people are told once, and no memory is lost. */
static void fail_everywhere(const net_shape &shape, const yo_net_backend &backend) {
    yo_net_graph graph;
    shaped_batch right;
    shaped_net_make(&graph, &shape, 5);
    shaped_batch_make(&right, &graph, 3, 1, 1);
    evaluate(yo_net_reference, &graph, 1, &right.batch);
    bool finished = false;
    int tried = 0, answered = 0, without = 0;
    long before = 0;
    for (long at = 0; !finished; at++, tried++) {
        shaped_batch other;
        shaped_batch_make(&other, &graph, 3, 1, 1);
        yo_cuda_gpus_restart(&driver);
        clear_counts();
        fake_cudnn_state.fails = fails;
        calls = 0, fail_at = at;
        /* Batches take long: one for some of the many calls that make plans. */
        runs = at < 50 || at > before || at % 16 == 0;
        bool good = backend.available() && evaluate(backend, &graph, 1, &other.batch);
        if (at == 0) before = calls_to_run;
        finished = calls < at;
        fail_at = 0;
        expect(notices <= 1, "more than one notice", shape.name);
        /* What a GPU that failed may still be writing to is left to it. */
        expect((blocks.empty() && fake_cudnn_state.alive == 0) || yo_cuda_lost(), "memory is lost",
               shape.name);
        expect(!fake_cudnn_state.wrong[0], fake_cudnn_state.wrong, shape.name);
        expect(!fake_cudnn_state.failed || (good && !yo_cuda_lost()),
               "the GPU is given up for a call of cuDNN", shape.name);
        if (good && runs)
            expect(shaped_batch_distance(&graph, &right.batch, &other.batch) < 5e-3, "wrong",
                   shape.name);
        runs = true;
        answered += good;
        without += notices && !yo_cuda_lost();
        while (!blocks.empty())
            give(blocks.begin()->first);
        shaped_batch_free(&other);
    }
    printf("%s failed at each of %d calls: %d times answered\n", backend.name, tried, answered);
    expect(answered > tried / 3, "the CPU does not go on", shape.name);
    expect((without > tried / 3) == (&backend == &yo_net_cuda_cudnn), "cuDNN is not given up",
           shape.name);
    shaped_batch_free(&right);
    yo_net_graph_free(&graph);
    yo_cuda_gpus_restart(&driver);
}

/* A GPU whose numbers are wrong: people are told once, and the CPU's numbers are given. */
static void compute_wrongly(const net_shape &shape, void (*how)(float *, size_t)) {
    yo_net_graph graph;
    shaped_batch right, other;
    shaped_net_make(&graph, &shape, 5);
    shaped_batch_make(&right, &graph, 3, 4, 1);
    shaped_batch_make(&other, &graph, 3, 4, 1);
    expect(evaluate(yo_net_reference, &graph, 4, &right.batch), "reference", shape.name);
    notices = 0, spoil = how;
    expect(evaluate(yo_net_cuda, &graph, 2, &other.batch), "run", shape.name);
    spoil = nullptr;
    expect(notices == 1, "wrong numbers are not noticed", shape.name);
    expect(shaped_batch_distance(&graph, &right.batch, &other.batch) < 5e-3,
           "wrong numbers are given", shape.name);
    yo_cuda_gpus_restart(&driver);
    shaped_batch_free(&right);
    shaped_batch_free(&other);
    yo_net_graph_free(&graph);
}

/* cuDNN computes wrongly, or has no kernels: the GPU goes on without it, and people are told. */
static void go_on_without_cudnn(const net_shape &shape, bool spoils) {
    yo_net_graph graph;
    shaped_batch right, other;
    shaped_net_make(&graph, &shape, 5);
    shaped_batch_make(&right, &graph, 3, 4, 1);
    shaped_batch_make(&other, &graph, 3, 4, 1);
    clear_counts();
    expect(evaluate(yo_net_reference, &graph, 4, &right.batch), "reference", shape.name);
    fake_cudnn_state.spoils = spoils;
    fake_cudnn_state.refuses = !spoils;
    expect(evaluate(yo_net_cuda_cudnn, &graph, 2, &other.batch), "run", shape.name);
    expect((fake_cudnn_state.executions > 0) == spoils, "cuDNN", shape.name);
    expect(notices == 1, "cuDNN is given up without a notice", shape.name);
    expect(!yo_cuda_lost(), "the GPU is given up for cuDNN", shape.name);
    expect(shaped_batch_distance(&graph, &right.batch, &other.batch) < 5e-3,
           "wrong numbers of cuDNN are given", shape.name);
    check_cudnn(shape.name);
    shaped_batch_free(&right);
    shaped_batch_free(&other);
    yo_net_graph_free(&graph);
}

/* Two workers of a network at once, and cuDNN computes wrongly: one gives cuDNN up while the other
 * waits for a batch by cuDNN. The GPU is not to blame for that batch either. */
static struct {
    void *worker;
    const yo_net_batch *batch;
    bool good;
} first;

static void give_cudnn_up_together(const net_shape &shape) {
    yo_net_graph graph;
    shaped_batch right, others[2];
    void *program, *second;
    yo_diag diag = {};
    const yo_notices to = {hear, nullptr};
    shaped_net_make(&graph, &shape, 5);
    shaped_batch_make(&right, &graph, 3, 2, 1);
    for (shaped_batch &other : others)
        shaped_batch_make(&other, &graph, 3, 2, 1);
    clear_counts();
    fake_cudnn_state.spoils = true;
    expect(evaluate(yo_net_reference, &graph, 2, &right.batch), "reference", shape.name);
    if (yo_net_cuda_cudnn.compile(&graph, &program, &diag) ||
        yo_net_cuda_cudnn.worker_new(program, 3, 2, &first.worker, &diag) ||
        yo_net_cuda_cudnn.worker_new(program, 3, 2, &second, &diag))
        abort();
    first.batch = &others[0].batch;
    meanwhile = [] {
        yo_diag trouble = {};
        first.good = !yo_net_cuda_cudnn.run(first.worker, first.batch, &trouble);
    };
    expect(!yo_net_cuda_cudnn.run(second, &others[1].batch, &diag) && first.good, "run",
           shape.name);
    yo_net_cuda_cudnn.notify(program, &to);
    expect(notices == 1, "not one notice of two workers", shape.name);
    expect(!yo_cuda_lost(), "the GPU is given up for a batch of cuDNN", shape.name);
    for (shaped_batch &other : others) {
        expect(shaped_batch_distance(&graph, &right.batch, &other.batch) < 5e-3,
               "wrong numbers of cuDNN are given", shape.name);
        shaped_batch_free(&other);
    }
    yo_net_cuda_cudnn.worker_delete(first.worker);
    yo_net_cuda_cudnn.worker_delete(second);
    yo_net_cuda_cudnn.program_delete(program);
    check_cudnn(shape.name);
    shaped_batch_free(&right);
    yo_net_graph_free(&graph);
    yo_cuda_gpus_restart(&driver);
}

int main() {
    const net_shape small = {"32 channels", 22,    19,   5, 32, "og", 32, 8, 16,
                             YO_NET_RELU,   false, false};
    const net_shape odd = {"odd", 5, 3, 5, 37, "go", 43, 13, 9, YO_NET_MISH, false, false};
    const net_shape nested = {"nested", 9, 2, 3, 32, "n", 16, 8, 8, YO_NET_MISH, false, false};
    const net_shape shogi = {"dlshogi", 119, 0, 3, 64, "o", 64, 0, 27, YO_NET_SWISH, true, false};
    yo_cudnn_replace(&fake_cudnn);
    yo_cuda_gpus_restart(&driver);
    if (!yo_net_cuda.available()) return 1;
    for (int way = FUSED; way <= COMPILED; way++) {
        compare(small, way == FUSED || way == LAYERS ? 9 : 5, 5, way);
        if (way != TRUNK) compare(small, 2, 9, way);
        compare(odd, 7, 3, way);
        compare(shogi, 9, 3, way);
    }
    const net_shape row = {"dlshogi's row", 119, 0, 3, 64, "o", 64, 0, 27, YO_NET_RELU, true, true};
    compare(row, 9, 7, FUSED);
    compare(row, 9, 3, LAYERS);
    vary_rows({"a row", 9, 0, 3, 64, "", 64, 0, 27, YO_NET_RELU, true, true});
    compare(small, 19, 2, FUSED);
    compare(nested, 5, 3, LAYERS);
    compare(nested, 5, 3, CUDNN);
    const net_shape tiny = {"tiny", 3, 2, 3, 8, "g", 8, 4, 4, YO_NET_RELU, false, false};
    compare_sizes(tiny);
    leave_policies_out(tiny, yo_net_cuda, 7);
    leave_policies_out(shogi, yo_net_cuda_layers, 3); /* in parts */
    leave_outputs(tiny, 5, false);
    leave_outputs(shogi, 8, false);
    leave_outputs(tiny, 2, false);
    const net_shape picks = {"a row", 9, 0, 3, 64, "", 64, 0, 27, YO_NET_RELU, true, true};
    pick_entries(picks, yo_net_cuda,
                 {{"none, one, all, some", 5, 9, 0, {0, 1, 27 * 81, 85, 2}, true},
                  {"no entries", 3, 3, 0, {0}, true},
                  {"all that fit", 3, 4, 0, {341, 342}, true},
                  {"too many", 3, 4, 0, {342}, false},
                  {"some policies", 5, 5, 2, {85, 20}, true},
                  {"no policies", 3, 3, 3, {85}, true},
                  {"in parts", 5, 3, 0, {85}, false},
                  {"few", 2, 5, 0, {85}, false}});
    pick_entries(picks, yo_net_cuda_layers, {{"single operations", 3, 3, 0, {85, 3}, true}});
    pick_entries(picks, yo_net_cuda_cudnn, {{"cuDNN", 3, 4, 1, {85, 3}, true}});
    pick_entries(shogi, yo_net_cuda, {{"boards of policies", 3, 3, 0, {85, 3}, true}});
    pick_entries(tiny, yo_net_cuda, {{"small policies", 3, 3, 0, {20}, false}});
    fail_to_pick_everywhere(picks);
    choose(tiny, 9, &fake_cudnn);
    choose(tiny, 8, &fake_cudnn);
    choose(tiny, 8, &yo_cudnn_none);
    fail_everywhere(tiny, yo_net_cuda);
    fail_everywhere(tiny, yo_net_cuda_cudnn);
    go_on_without_cudnn(tiny, true);
    go_on_without_cudnn(tiny, false);
    give_cudnn_up_together(tiny);
    compute_wrongly(tiny, [](float *numbers, size_t count) {
        for (size_t i = 0; i < count; i++)
            numbers[i] = NAN;
    });
    compute_wrongly(tiny, [](float *numbers, size_t count) {
        for (size_t i = 0; i < count; i++)
            numbers[i] = 1 - numbers[i];
    });
    leave_outputs(tiny, 5, true);
    yo_cuda_gpus_restart(NULL);
    return failures > 0;
}
