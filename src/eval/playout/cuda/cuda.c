#include "eval/playout/cuda/cuda.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/cpu.h"
#include "eval/playout/cuda/gpu.h"
#include "eval/playout/cuda/job.h"
#include "eval/playout/cuda/stream.h"
#include "game/go/patterns.h"

/* A search submits many small batches, each of which leaves most of a GPU idle and takes as long as
 * its longest game: so many are played side by side. A large one fills a GPU by itself, and two
 * streams are enough to play one part of it while the host works on the other. */
#define STREAMS  8  /* of a GPU */
#define TOGETHER 2  /* of them for one batch */
#define FILLS    64 /* a launch has at most so many times what a GPU plays at once */
/* With fewer games in a batch for each core the CPU is sooner done: a launch takes as long as its
 * longest game. */
#define WORTH 1024
/* What a tree search should ask for: experiments/tano/player.sh won with these. */
#define LEAVES     128
#define LEAF_GAMES 256

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t freed = PTHREAD_COND_INITIALIZER;
static struct yo_cuda_stream streams[YO_CUDA_GPUS_MAX][STREAMS];

/* ---- streams are handed out ---- */

#define ALL_GPUS ~0u /* a set of GPUs: a bit each */

static int busy_streams(int gpu) {
    int busy = 0;
    for (int s = 0; s < STREAMS; s++)
        busy += streams[gpu][s].busy;
    return busy;
}

/* The GPU of the set that has least to do; -1: none can be used. The lock is held. */
static int choose_gpu(unsigned set) {
    int best = -1;
    for (int i = 0; i < yo_cuda_gpu_count(); i++)
        if (set >> i & 1 && yo_cuda_gpu_usable(yo_cuda_gpu_at(i)) &&
            (best < 0 || busy_streams(i) < busy_streams(best)))
            best = i;
    return best;
}

/* Waits until there is one; NULL: no GPU of the set can be used. */
static struct yo_cuda_stream *take_stream(unsigned set) {
    struct yo_cuda_stream *stream = NULL;
    int gpu;
    pthread_mutex_lock(&lock);
    while ((gpu = choose_gpu(set)) >= 0 && busy_streams(gpu) == STREAMS)
        pthread_cond_wait(&freed, &lock);
    for (int s = 0; gpu >= 0 && !stream; s++)
        if (!streams[gpu][s].busy) stream = &streams[gpu][s];
    if (stream) {
        stream->busy = true;
        stream->gpu = yo_cuda_gpu_at(gpu);
    }
    pthread_mutex_unlock(&lock);
    return stream;
}

static void give_stream(struct yo_cuda_stream *stream) {
    pthread_mutex_lock(&lock);
    stream->busy = false;
    pthread_cond_broadcast(&freed);
    pthread_mutex_unlock(&lock);
}

void yo_cuda_restart(const struct yo_cuda_driver *driver) {
    for (int i = 0; i < YO_CUDA_GPUS_MAX; i++)
        for (int s = 0; s < STREAMS; s++)
            if (streams[i][s].open) yo_cuda_stream_close(&streams[i][s]);
    yo_cuda_gpus_restart(driver);
}

/* ---- the CPU's part ---- */

struct host {
    const struct yo_playout_backend *backend;
    enum yo_playout_policy policy;
    int size;
    void *scratch;
    const struct yo_playout_source *source;
};

struct list {
    const struct yo_playout_piece *pieces;
    size_t count;
};

static bool next_of_list(void *ctx, struct yo_playout_piece *piece) {
    struct list *list = ctx;
    if (list->count == 0) return false;
    *piece = *list->pieces++;
    list->count--;
    return true;
}

static void play_here(const struct host *host, const struct yo_playout_piece *pieces,
                      size_t count) {
    struct list list = {pieces, count};
    struct yo_playout_source source = {next_of_list, &list};
    host->backend->run(host->policy, host->size, &source, host->scratch);
}

/* What a GPU is to play. Every move of a game is known only here, where the same games are
 * played. */
static bool next_for_gpu(void *ctx, struct yo_playout_piece *piece) {
    const struct host *host = ctx;
    while (host->source->next(host->source->ctx, piece)) {
        if (!piece->sink) return true;
        play_here(host, piece, 1);
    }
    return false;
}

/* ---- the backend ---- */

/* True if everything was played. */
static bool run_on_gpu(struct yo_cuda_stream *stream, struct host *host) {
    struct yo_playout_source source = {next_for_gpu, host};
    const struct yo_cuda_kernels *kernels =
        yo_cuda_gpu_enter(stream->gpu, host->policy, host->size);
    if (!kernels || !yo_cuda_stream_open(stream)) return false;
    if (yo_cuda_stream_run(stream, kernels, host->size, &source)) return true;
    play_here(host, stream->pieces, stream->count);
    return false;
}

static void run_on(unsigned set, enum yo_playout_policy policy, int size,
                   const struct yo_playout_source *source, void *scratch) {
    struct host host = {yo_playout_backend_here(policy, size), policy, size, scratch, source};
    struct yo_cuda_stream *stream;
    bool done = false;
    while (!done && (stream = take_stream(set))) {
        done = run_on_gpu(stream, &host);
        give_stream(stream);
    }
    if (!done) host.backend->run(policy, size, source, scratch);
}

static int usable_gpus(unsigned set, int *processors) {
    int usable = 0;
    *processors = 0;
    for (int i = 0; i < yo_cuda_gpu_count(); i++)
        if (set >> i & 1 && yo_cuda_gpu_usable(yo_cuda_gpu_at(i))) {
            usable++;
            *processors = yo_cuda_gpu_at(i)->processors;
        }
    return usable;
}

/* Asked for with every batch; the answer is found in files. */
static int cores;
static void count_cores(void) { cores = yo_cpu_count(); }

static uint64_t worth(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, count_cores);
    return WORTH * (uint64_t)cores;
}

static bool available_on(unsigned set) {
    int processors;
    return usable_gpus(set, &processors) > 0;
}

static void cut_for(unsigned set, int size, struct yo_playout_cut *cut) {
    int processors, gpus = usable_gpus(set, &processors);
    if (gpus == 0) return;
    uint64_t fill =
        (uint64_t)processors * (uint64_t)(YO_CUDA_WARPS_MAX * YO_CUDA_GAMES_OF_WARP(size));
    *cut = (struct yo_playout_cut){
        .threads = TOGETHER * gpus,
        .serving = STREAMS * gpus,
        .shares = 1, /* one launch starts where another ends; more ends only cost */
        .share_min = fill / 2,
        .share_max = FILLS * fill,
        .worth = worth(),
        .items = LEAVES,
        .games = LEAF_GAMES,
    };
}

/* The kernels have MoGo's patterns built in. */
static bool supports(enum yo_playout_policy policy, int size) {
    bool plays =
        policy == YO_PLAYOUT_LIGHT || (policy == YO_PLAYOUT_MOGO && yo_go_patterns_are_built_in());
    return plays && size >= YO_GO_SIZE_MIN && size <= YO_GO_SIZE_MAX;
}

/* What the CPU wants, should it have to take over. */
static size_t scratch_size(int size) {
    size_t light = yo_playout_backend_here(YO_PLAYOUT_LIGHT, size)->scratch_size(size);
    size_t mogo = yo_playout_backend_here(YO_PLAYOUT_MOGO, size)->scratch_size(size);
    return light > mogo ? light : mogo;
}

#define NEEDS "an NVIDIA GPU with its driver, and nvcc when Yomi is built (YOMI_CUDA)"

/* Backends are functions without a context; each set of GPUs has its own. */
#define ON_GPUS(name, set)                                                                         \
    static bool available_##name(void) { return available_on(set); }                               \
    static void cut_##name(int size, struct yo_playout_cut *cut) { cut_for(set, size, cut); }      \
    static void run_##name(enum yo_playout_policy policy, int size,                                \
                           const struct yo_playout_source *source, void *scratch) {                \
        run_on(set, policy, size, source, scratch);                                                \
    }
#define BACKEND(text, which, set)                                                                  \
    {                                                                                              \
        .name = text, .summary = which, .needs = NEEDS, .available = available_##set,              \
        .supports = supports, .scratch_size = scratch_size, .run = run_##set, .cut = cut_##set     \
    }

ON_GPUS(all, ALL_GPUS)
const struct yo_playout_backend yo_playout_cuda =
    BACKEND("cuda", "NVIDIA GPUs, hundreds of thousands of games at a time", all);

#define EACH_GPU(X)                                                                                \
    X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)
#define X(n) ON_GPUS(n, 1u << n)
EACH_GPU(X)
#undef X
#define X(n) BACKEND(YO_CUDA_PREFIX #n, "one NVIDIA GPU", n),
static const struct yo_playout_backend single[YO_CUDA_GPUS_MAX] = {EACH_GPU(X)};
#undef X

const struct yo_playout_backend *yo_cuda_find(const char *name) {
    for (int i = 0; i < YO_CUDA_GPUS_MAX; i++)
        if (strcmp(single[i].name, name) == 0) return &single[i];
    return NULL;
}
