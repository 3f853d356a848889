/* The network backend cuda from end to end, without a GPU: a driver of this test's own, whose
 * memory is the host's and whose launches run the kernels' source thread by thread. Against the
 * reference backend; and what happens when the GPU fails at any call. */
extern "C" {
#include "base/notice.h"
#include "eval/net/cuda/cuda.h"
#include "eval/net/reference.h"
#include "eval/playout/cuda/gpu.h"
#include "support/shaped_net.h"
}
#include <map>
#include <set>

#include "support/simt_host.h"

extern "C" {
#include "eval/net/cuda/tower_plan.h"
}
#include "eval/net/cuda/layers.cuh"
#include "eval/net/cuda/tower_ops.cuh"

static int failures, notices, towers, launches;
static char handle; /* what contexts and streams point to */
static long calls, fail_at;
static void (*spoil)(float *numbers, size_t count); /* what the GPU gives back, if set */
static const int major_number = 9;

/* ---- the driver ---- */

static int fails() { return ++calls == fail_at ? 700 : 0; }

static int init(unsigned) { return fails(); }
static int version(int *v) { return *v = 13000, fails(); }
static int device_count(int *count) { return *count = 1, fails(); }
static int device_get(int *device, int) { return *device = 0, fails(); }
static int device_name(char *name, int length, int) {
    return snprintf(name, (size_t)length, "Host"), fails();
}
static int device_memory(size_t *bytes, int) { return *bytes = 1 << 30, fails(); }
static int device_attribute(int *value, int attribute, int) {
    *value = attribute == YO_CUDA_MAJOR              ? major_number
             : attribute == YO_CUDA_SHARED_BYTES_MAX ? 232448
             : attribute == YO_CUDA_PROCESSORS       ? 2
                                                     : 0;
    return fails();
}
static int context_retain(yo_cuda_handle *context, int) { return *context = &handle, fails(); }
static int context_release(int) { return fails(); }
static int context_set(yo_cuda_handle) { return fails(); }
static int module_load(yo_cuda_handle *module, const void *image) {
    return *module = (void *)image, fails();
}
static int module_unload(yo_cuda_handle) { return fails(); }
/* A function is its name, or for a fused kernel one of these. */
static const char *const names[] = {
#define X(id, name) name,
    YO_LAYER_KERNELS(X)
#undef X
};
static const char tower_functions[YO_TOWER_KERNEL_COUNT] = "";
static const char images[1 + YO_TOWER_KERNEL_COUNT] = "";
static const void *net_image(int number) { return &images[number]; }
static int module_function(yo_cuda_handle *function, yo_cuda_handle module, const char *name) {
    int number = (int)((const char *)module - images);
    *function = NULL;
    if (number > 0 && strcmp(name, "yo_tower") == 0)
        *function = (void *)&tower_functions[number - 1];
    for (int i = 0; number == 0 && i < YO_LAYER_KERNEL_COUNT; i++)
        if (strcmp(name, names[i]) == 0) *function = (void *)&names[i];
    if (!*function) abort();
    return fails();
}
static int function_set(yo_cuda_handle, int, int) { return fails(); }
static int occupancy(int *, yo_cuda_handle, int, size_t) { return fails(); }
static std::map<void *, size_t> blocks; /* taken and not freed, with their bytes */
static std::set<void *> host_blocks;
static void *take(size_t bytes) {
    void *memory = aligned_alloc(256, (bytes + 255) / 256 * 256);
    if (!memory) abort();
    memset(memory, 0x7e, bytes); /* no number */
    blocks[memory] = bytes;
    return memory;
}
static void give(void *memory) {
    if (!blocks.erase(memory)) abort();
    free(memory);
}
static int memory_alloc(yo_cuda_address *address, size_t bytes) {
    int code = fails();
    if (!code) *address = (yo_cuda_address)(uintptr_t)take(bytes);
    return code;
}
static int memory_free(yo_cuda_address address) { return give((void *)(uintptr_t)address), 0; }
static int host_alloc(void **memory, size_t bytes, unsigned) {
    int code = fails();
    if (!code) host_blocks.insert(*memory = take(bytes));
    return code;
}
static int host_free(void *memory) { return host_blocks.erase(memory), give(memory), 0; }
static int copy_in(yo_cuda_address to, const void *from, size_t bytes, yo_cuda_handle) {
    return memcpy((void *)(uintptr_t)to, from, bytes), fails();
}
static int copy_out(void *to, yo_cuda_address from, size_t bytes, yo_cuda_handle) {
    memcpy(to, (const void *)(uintptr_t)from, bytes);
    if (spoil) spoil((float *)to, bytes / sizeof(float));
    return fails();
}
static int clear(yo_cuda_address, unsigned, size_t, yo_cuda_handle) { return fails(); }
static int stream_create(yo_cuda_handle *stream, unsigned) { return *stream = &handle, fails(); }
static int stream_destroy(yo_cuda_handle) { return 0; }
static int stream_query(yo_cuda_handle) { return fails(); }
static int error_name(int, const char **name) { return *name = "CUDA_ERROR_HOST", 0; }

static void run_layer(int kernel, const yo_layer_job &job, uint8_t *memory) {
    switch (kernel) {
    case YO_LAYER_EXPAND:
        layers::expand(job);
        break;
    case YO_LAYER_AFFINE:
        layers::affine(job);
        break;
    case YO_LAYER_POOL:
        layers::pool(job);
        break;
    case YO_LAYER_FLATTEN:
        layers::flatten(job);
        break;
    case YO_LAYER_PLANAR:
        layers::planar(job);
        break;
    case YO_LAYER_DENSE:
        layers::dense::run(job, (float *)memory);
        break;
    case YO_LAYER_CONV: {
        layers::conv here(job, (uint16_t *)memory);
        here.run();
    }
    }
}

static void run_tower(int kernel, const yo_tower_job &job, uint8_t *memory) {
    int number = 0;
    if (kernel != job.kernel) abort();
#define X(c, t, w, s)                                                                              \
    if (number++ == kernel) {                                                                      \
        tower<tower_kind<c, t, w, s>> here(job, memory);                                           \
        here.run();                                                                                \
    }
    YO_TOWER_KERNELS(X)
#undef X
}

/* The kernel may write its outputs to the host's memory itself. */
static void spoil_outputs(const yo_tower_job &job) {
    for (auto &[memory, bytes] : blocks)
        if (spoil && host_blocks.count(memory) && (uint8_t *)job.outputs[0] >= (uint8_t *)memory &&
            (uint8_t *)job.outputs[0] < (uint8_t *)memory + bytes)
            spoil((float *)memory, bytes / sizeof(float));
}

static int launch(yo_cuda_handle function, unsigned blocks, unsigned, unsigned, unsigned threads,
                  unsigned, unsigned, unsigned shared_bytes, yo_cuda_handle, void **arguments,
                  void **) {
    int code = fails();
    if (code) return code;
    simt::now.late = ++launches % 2 == 0;
    const char *one = (const char *)function;
    if (one >= tower_functions && one < tower_functions + YO_TOWER_KERNEL_COUNT) {
        towers++;
        simt::launch((int)blocks, (int)threads, shared_bytes, [&](uint8_t *memory) {
            run_tower((int)(one - tower_functions), *(const yo_tower_job *)arguments[0], memory);
        });
        spoil_outputs(*(const yo_tower_job *)arguments[0]);
    } else {
        int kernel = (int)((const char *const *)function - names);
        simt::launch((int)blocks, (int)threads, 48 * 1024, [&](uint8_t *memory) {
            run_layer(kernel, *(const yo_layer_job *)arguments[0], memory);
        });
    }
    return 0;
}

static struct yo_cuda_driver table() {
    struct yo_cuda_driver t = {};
#define X(member, symbol, parameters) t.member = member;
    YO_CUDA_FUNCTIONS(X)
#undef X
    t.net_image = net_image;
    t.built_with = 13000;
    t.timeout_ms = 50;
    return t;
}
static const struct yo_cuda_driver driver = table();

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
    if (good) {
        good = !backend.run(worker, batch, &diag);
        backend.worker_delete(worker);
    }
    if (backend.notify) backend.notify(program, &to);
    backend.program_delete(program);
    count_loss(before);
    return good;
}

static const struct {
    const yo_net_backend &backend;
    bool fused, whole; /* the fused kernel runs; nothing else does, in KataGo's networks */
} ways[] = {{yo_net_cuda, true, true},
            {yo_net_cuda_trunk, true, false},
            {yo_net_cuda_layers, false, false}};

static void compare(const net_shape &shape, int size, int count, int way) {
    yo_net_graph graph;
    shaped_batch right, other;
    shaped_net_make(&graph, &shape, 5);
    shaped_batch_make(&right, &graph, size, count, (unsigned)size);
    shaped_batch_make(&other, &graph, size, count, (unsigned)size);
    towers = launches = notices = 0;
    expect(evaluate(yo_net_reference, &graph, count, &right.batch), "reference", shape.name);
    /* With room for fewer than there are: in parts. */
    expect(evaluate(ways[way].backend, &graph, (count + 1) / 2, &other.batch), "run", shape.name);
    double distance = shaped_batch_distance(&graph, &right.batch, &other.batch);
    printf("%s on %d, %s: %.1e\n", shape.name, size, ways[way].backend.name, distance);
    expect(distance < 5e-3, "differs", shape.name);
    expect(notices == 0, "the GPU was given up", shape.name);
    expect((towers > 0) == ways[way].fused, "the fused kernel", shape.name);
    if (!shape.post) expect((towers == launches) == ways[way].whole, "the heads", shape.name);
    shaped_batch_free(&right);
    shaped_batch_free(&other);
    yo_net_graph_free(&graph);
}

/* The GPU fails at one call after the other: the answer is right or there is an error, people are
 * told once, and no memory is lost. */
static void fail_everywhere(const net_shape &shape) {
    yo_net_graph graph;
    shaped_batch right;
    shaped_net_make(&graph, &shape, 5);
    shaped_batch_make(&right, &graph, 3, 1, 1);
    evaluate(yo_net_reference, &graph, 1, &right.batch);
    bool finished = false;
    int tried = 0, answered = 0;
    for (long at = 1; !finished; at++, tried++) {
        shaped_batch other;
        shaped_batch_make(&other, &graph, 3, 1, 1);
        yo_cuda_gpus_restart(&driver);
        calls = 0, fail_at = at, notices = 0;
        bool good = yo_net_cuda.available() && evaluate(yo_net_cuda, &graph, 1, &other.batch);
        finished = calls < at;
        fail_at = 0;
        expect(notices <= 1, "more than one notice", shape.name);
        /* What a GPU that failed may still be writing to is left to it. */
        expect(blocks.empty() || notices, "memory is lost", shape.name);
        if (good)
            expect(shaped_batch_distance(&graph, &right.batch, &other.batch) < 5e-3, "wrong",
                   shape.name);
        answered += good;
        while (!blocks.empty())
            give(blocks.begin()->first);
        shaped_batch_free(&other);
    }
    printf("failed at each of %d calls: %d times answered\n", tried, answered);
    expect(answered > tried / 3, "the CPU does not go on", shape.name);
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

int main() {
    const net_shape small = {"32 channels", 22, 19, 5, 32, "og", 32, 8, 16, YO_NET_RELU, false};
    const net_shape odd = {"odd", 5, 3, 5, 37, "go", 43, 13, 9, YO_NET_MISH, false};
    const net_shape nested = {"nested", 9, 2, 3, 32, "n", 16, 8, 8, YO_NET_MISH, false};
    const net_shape shogi = {"dlshogi", 119, 0, 3, 64, "o", 64, 0, 27, YO_NET_SWISH, true};
    yo_cuda_gpus_restart(&driver);
    if (!yo_net_cuda.available()) return 1;
    for (int way = 0; way < 3; way++) {
        compare(small, way == 1 ? 5 : 9, 5, way);
        if (way != 1) compare(small, 2, 9, way);
        compare(odd, 7, 3, way);
        compare(shogi, 9, 3, way);
    }
    compare(small, 19, 2, 0);
    compare(nested, 5, 3, 2);
    const net_shape tiny = {"tiny", 3, 2, 3, 8, "g", 8, 4, 4, YO_NET_RELU, false};
    fail_everywhere(tiny);
    compute_wrongly(tiny, [](float *numbers, size_t count) {
        for (size_t i = 0; i < count; i++)
            numbers[i] = NAN;
    });
    compute_wrongly(tiny, [](float *numbers, size_t count) {
        for (size_t i = 0; i < count; i++)
            numbers[i] = 1 - numbers[i];
    });
    yo_cuda_gpus_restart(NULL);
    return failures > 0;
}
