#include "eval/playout/cuda/cuda.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "eval/playout/cuda/gpu.h"
#include "eval/playout/cuda/job.h"
#include "eval/playout/cuda/stream.h"

/* A search submits many small batches, each of which leaves most of a GPU idle and takes as long as
 * its longest game, so several run concurrently. A large batch fills a GPU by itself, and two
 * streams are enough to play one part of it while the host works on the other. */
#define STREAMS  8  /* of a GPU */
#define TOGETHER 2  /* of them for one batch */
#define FILLS    64 /* most games of a launch, in multiples of what a GPU plays at once */
/* With fewer games per core in a batch the CPU is faster: a launch takes as long as its longest
 * game. */
#define WORTH 1024
/* Recommended batch for a tree search: experiments/tano/player.sh won with these. */
#define LEAVES     128
#define LEAF_GAMES 256

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t freed = PTHREAD_COND_INITIALIZER;
static struct yo_cuda_stream streams[YO_CUDA_GPUS_MAX][STREAMS];

/* ---- allocation of streams ---- */

static int busy_streams(int gpu) {
    int busy = 0;
    for (int s = 0; s < STREAMS; s++)
        busy += streams[gpu][s].busy;
    return busy;
}

/* The usable GPU of the set with the fewest busy streams; -1: none. The lock is held. */
static int choose_gpu(unsigned set) {
    int best = -1;
    for (int i = 0; i < yo_cuda_gpu_count(); i++)
        if (set >> i & 1 && yo_cuda_gpu_usable(yo_cuda_gpu_at(i)) &&
            (best < 0 || busy_streams(i) < busy_streams(best)))
            best = i;
    return best;
}

/* Waits for a free stream; NULL: no GPU of the set is usable. */
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
    const struct yo_playout_env *env;
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
    yo_playout_run(host->backend, host->env, host->policy, host->size, &source, host->scratch);
}

/* The next piece for a GPU. The CPU plays pieces whose moves are logged, since a GPU does not
 * return moves. */
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

/* The context of a backend is its set of GPUs; NULL for all of them. */
static unsigned set_of(const struct yo_playout_backend *backend) {
    return backend->ctx ? *(const unsigned *)backend->ctx : YO_CUDA_ALL_GPUS;
}

static void run(const struct yo_playout_backend *backend, const struct yo_playout_env *env,
                enum yo_playout_policy policy, int size, const struct yo_playout_source *source,
                void *scratch) {
    struct host host = {
        yo_playout_backend_here(env, policy, size), env, policy, size, scratch, source};
    unsigned set = set_of(backend);
    struct yo_cuda_stream *stream;
    bool done = false;
    while (!done && (stream = take_stream(set))) {
        done = run_on_gpu(stream, &host);
        give_stream(stream);
    }
    yo_cuda_notify_losses(set, env->told, &env->notices);
    if (!done) yo_playout_run(host.backend, env, policy, size, source, scratch);
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

/* Cached: needed for every batch, and yo_cpu_count reads files. */
static int cores;
static void count_cores(void) { cores = yo_cpu_count(); }

static uint64_t worth(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, count_cores);
    return WORTH * (uint64_t)cores;
}

static bool available(const struct yo_playout_backend *backend) {
    int processors;
    return usable_gpus(set_of(backend), &processors) > 0;
}

static void cut(const struct yo_playout_backend *backend, int size, struct yo_playout_cut *cut) {
    int processors, gpus = usable_gpus(set_of(backend), &processors);
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
static bool supports(const struct yo_playout_backend *backend, const struct yo_playout_env *env,
                     enum yo_playout_policy policy, int size) {
    (void)backend;
    bool plays = policy == YO_PLAYOUT_LIGHT || (policy == YO_PLAYOUT_MOGO && !env->patterns);
    return plays && size >= YO_GO_SIZE_MIN && size <= YO_GO_SIZE_MAX;
}

static size_t here_size(enum yo_playout_policy policy, int size) {
    return yo_playout_scratch_size(yo_playout_backend_here(&yo_playout_env_default, policy, size),
                                   size);
}

/* The scratch of the CPU fallback. */
static size_t scratch_size(const struct yo_playout_backend *backend, int size) {
    (void)backend;
    size_t light = here_size(YO_PLAYOUT_LIGHT, size), mogo = here_size(YO_PLAYOUT_MOGO, size);
    return light > mogo ? light : mogo;
}

#define NEEDS "an NVIDIA GPU with its driver, and nvcc when Yomi is built (YOMI_CUDA)"

static const struct yo_playout_backend_ops all_ops = {
    .summary = "NVIDIA GPUs, hundreds of thousands of games at a time",
    .needs = NEEDS,
    .available = available,
    .supports = supports,
    .scratch_size = scratch_size,
    .run = run,
    .cut = cut,
};

const struct yo_playout_backend yo_playout_cuda = {.name = "cuda", .ops = &all_ops};

/* ---- one GPU ---- */

struct single {
    struct yo_playout_backend backend;
    char name[16];
    unsigned set;
};

static void close_single(const struct yo_playout_backend *backend) {
    yo_free((char *)backend->ctx - offsetof(struct single, set));
}

static const struct yo_playout_backend_ops single_ops = {
    .summary = "one NVIDIA GPU",
    .needs = NEEDS,
    .available = available,
    .supports = supports,
    .scratch_size = scratch_size,
    .run = run,
    .cut = cut,
    .close = close_single,
};

enum yo_err yo_cuda_open(const char *name, const struct yo_playout_backend **out) {
    for (int i = 0; i < YO_CUDA_GPUS_MAX; i++) {
        char known[16];
        snprintf(known, sizeof known, YO_CUDA_PREFIX "%d", i);
        if (strcmp(known, name) != 0) continue;
        struct single *single = yo_alloc(1, sizeof *single);
        if (!single) return YO_ERR_NOMEM;
        memcpy(single->name, known, sizeof known);
        single->set = 1u << i;
        single->backend = (struct yo_playout_backend){single->name, &single_ops, &single->set};
        *out = &single->backend;
        return YO_OK;
    }
    return YO_ERR_UNKNOWN;
}
