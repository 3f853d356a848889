#include "eval/playout/cuda/stream.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/time.h"
#include "eval/playout/cuda/job.h"
#include "eval/playout/cuda/start.h"

#define ITEMS YO_CUDA_STREAM_ITEMS
#define GAMES YO_CUDA_STREAM_GAMES

/* Places in the buffers. What goes in: the counter of games, items, stones, each game's item. What
 * comes out: scores and ownership, or the sums of one item. */
#define IN_ITEMS      64
#define IN_STONES     (IN_ITEMS + ITEMS * sizeof(struct yo_cuda_item))
#define IN_ITEM_OF    (IN_STONES + (size_t)ITEMS * YO_GO_POINTS_MAX / 4 * 4 + 4)
#define IN_BYTES      (IN_ITEM_OF + GAMES * sizeof(uint32_t))
#define OUT_OWNERSHIP (GAMES * sizeof(uint32_t))
#define OUT_BYTES     (OUT_OWNERSHIP + (size_t)ITEMS * YO_GO_POINTS_MAX * sizeof(int32_t))

/* ---- opening and closing ---- */

bool yo_cuda_stream_open(struct yo_cuda_stream *stream) {
    struct yo_cuda_gpu *gpu = stream->gpu;
    if (stream->open) return true;
    stream->open = true; /* close releases whatever was allocated */
    stream->pieces = yo_alloc(ITEMS + 1, sizeof *stream->pieces);
    if (!stream->pieces) {
        yo_cuda_give_up(gpu, "out of memory");
        return false;
    }
    return YO_CUDA_TRY(gpu, stream_create, &stream->stream, YO_CUDA_STREAM_NON_BLOCKING) &&
           YO_CUDA_TRY(gpu, host_alloc, (void **)&stream->in, IN_BYTES, 0) &&
           YO_CUDA_TRY(gpu, host_alloc, (void **)&stream->out, OUT_BYTES, 0) &&
           YO_CUDA_TRY(gpu, memory_alloc, &stream->gpu_in, IN_BYTES) &&
           YO_CUDA_TRY(gpu, memory_alloc, &stream->gpu_out, OUT_BYTES);
}

/* Errors do not matter here: what is closed is not used again. */
void yo_cuda_stream_close(struct yo_cuda_stream *stream) {
    const struct yo_cuda_driver *driver = yo_cuda_driver();
    yo_free(stream->pieces);
    if (stream->open && !stream->hung) {
        driver->context_set(stream->gpu->context);
        if (stream->gpu_out) driver->memory_free(stream->gpu_out);
        if (stream->gpu_in) driver->memory_free(stream->gpu_in);
        if (stream->out) driver->host_free(stream->out);
        if (stream->in) driver->host_free(stream->in);
        if (stream->stream) driver->stream_destroy(stream->stream);
    }
    *stream = (struct yo_cuda_stream){.gpu = NULL};
}

/* ---- collecting a launch ---- */

static void put(struct yo_cuda_stream *stream, enum yo_playout_policy policy, int size,
                const struct yo_playout_piece *piece) {
    size_t points = (size_t)(size * size), i = stream->count;
    struct yo_cuda_item *item = (struct yo_cuda_item *)(stream->in + IN_ITEMS) + i;
    struct yo_playout_position position;
    yo_playout_piece_start(piece, &position);
    *item = (struct yo_cuda_item){.seed = piece->seed,
                                  .base = piece->first_game - stream->games,
                                  .ko = position.ko,
                                  .to_move = position.to_move,
                                  .last = position.last};
    uint8_t *stones = stream->in + IN_STONES + i * points;
    if (policy == YO_PLAYOUT_MOGO)
        yo_cuda_mark_start(&position, stones);
    else
        memcpy(stones, position.stones, points);
    stream->count++;
    stream->games += piece->games;
    stream->ownership = stream->ownership || piece->result->owner;
}

/* A piece that fills the GPU gets a launch of its own, with sums on the device; others share
 * launches. */
static bool goes_alone(const struct yo_playout_piece *piece, uint64_t fill) {
    return piece->games >= fill || piece->games > GAMES;
}

/* The next launch; `fill` is how many games the GPU plays at a time. Skips pieces without games. */
static void collect(struct yo_cuda_stream *stream, enum yo_playout_policy policy, int size,
                    uint64_t fill, const struct yo_playout_source *source) {
    struct yo_playout_piece *pieces = stream->pieces;
    uint32_t *item_of = (uint32_t *)(stream->in + IN_ITEM_OF);
    bool more = stream->waiting;
    if (more) pieces[0] = pieces[stream->count];
    stream->count = 0;
    stream->games = 0;
    stream->waiting = stream->ownership = false;
    memset(stream->in, 0, IN_ITEMS);
    for (;; more = false) {
        struct yo_playout_piece *piece = &pieces[stream->count];
        if (!more && !source->next(source->ctx, piece)) return;
        if (piece->games == 0) continue;
        bool alone = goes_alone(piece, fill);
        if (stream->count > 0 &&
            (alone || stream->count == ITEMS || stream->games + piece->games > GAMES)) {
            stream->waiting = true;
            return;
        }
        if (!alone)
            for (uint32_t g = 0; g < piece->games; g++)
                item_of[stream->games + g] = (uint32_t)stream->count;
        put(stream, policy, size, piece);
        if (alone) return;
    }
}

/* ---- a launch ---- */

static bool sums_up(const struct yo_cuda_stream *stream, uint64_t fill) {
    return stream->count == 1 && goes_alone(&stream->pieces[0], fill);
}

static bool send(struct yo_cuda_stream *stream, int size, bool sums, size_t out_words) {
    struct yo_cuda_gpu *gpu = stream->gpu;
    size_t points = (size_t)(size * size), own = stream->count * points;
    if (!YO_CUDA_TRY(gpu, copy_in, stream->gpu_in, stream->in,
                     IN_ITEMS + stream->count * sizeof(struct yo_cuda_item), stream->stream) ||
        !YO_CUDA_TRY(gpu, copy_in, stream->gpu_in + IN_STONES, stream->in + IN_STONES, own,
                     stream->stream))
        return false;
    if (sums) return YO_CUDA_TRY(gpu, clear, stream->gpu_out, 0, out_words, stream->stream);
    return YO_CUDA_TRY(gpu, copy_in, stream->gpu_in + IN_ITEM_OF, stream->in + IN_ITEM_OF,
                       4 * stream->games, stream->stream) &&
           (!stream->ownership ||
            YO_CUDA_TRY(gpu, clear, stream->gpu_out + OUT_OWNERSHIP, 0, own, stream->stream));
}

static struct yo_cuda_job make_job(const struct yo_cuda_stream *stream, bool sums) {
    yo_cuda_address in = stream->gpu_in, out = stream->gpu_out;
    struct yo_cuda_job job = {
        .stones = (const uint8_t *)(in + IN_STONES),
        .games = stream->games,
        .taken = (unsigned long long *)in,
    };
    if (sums) {
        job.item = *(const struct yo_cuda_item *)(stream->in + IN_ITEMS);
        job.sums = (uint32_t *)out;
        return job;
    }
    job.items = (const struct yo_cuda_item *)(in + IN_ITEMS);
    job.item_of = (const uint32_t *)(in + IN_ITEM_OF);
    job.scores = (uint32_t *)out;
    if (stream->ownership) job.ownership = (int32_t *)(out + OUT_OWNERSHIP);
    return job;
}

/* Warps are quicker the fewer share a processor, so a small launch is spread over all of them; but
 * where the GPU is full anyway, large blocks are better. */
static unsigned choose_warps(const struct yo_cuda_stream *stream, const struct yo_cuda_shape *shape,
                             uint64_t wanted) {
    unsigned warps = 1;
    while (warps < shape->warps && warps * (uint64_t)stream->gpu->processors < wanted)
        warps *= 2;
    return warps;
}

static bool start(struct yo_cuda_stream *stream, const struct yo_cuda_kernels *kernels, int size,
                  bool sums) {
    const struct yo_cuda_shape *shape = sums ? &kernels->one : &kernels->many;
    struct yo_cuda_job job = make_job(stream, sums);
    void *arguments[] = {&job};
    uint64_t of_warp = (uint64_t)YO_CUDA_GAMES_OF_WARP(size);
    uint64_t wanted = (stream->games + of_warp - 1) / of_warp;
    unsigned warps = choose_warps(stream, shape, wanted);
    uint64_t blocks = (wanted + warps - 1) / warps;
    if (blocks > shape->blocks) blocks = shape->blocks;
    return YO_CUDA_TRY(stream->gpu, launch, shape->function, (unsigned)blocks, 1, 1, 32 * warps, 1,
                       1, (unsigned)YO_CUDA_SHARED_BYTES(kernels->policy, size, !sums, (int)warps),
                       stream->stream, arguments, NULL);
}

static bool fetch(struct yo_cuda_stream *stream, int size, size_t out_words) {
    size_t own = stream->count * (size_t)(size * size);
    return YO_CUDA_TRY(stream->gpu, copy_out, stream->out, stream->gpu_out, 4 * out_words,
                       stream->stream) &&
           (!stream->ownership ||
            YO_CUDA_TRY(stream->gpu, copy_out, stream->out + OUT_OWNERSHIP,
                        stream->gpu_out + OUT_OWNERSHIP, 4 * own, stream->stream));
}

/* Polls with pauses that grow with the time already waited: low latency for a short launch, little
 * CPU time for a long one. */
static bool finish(struct yo_cuda_stream *stream) {
    const struct yo_cuda_driver *driver = yo_cuda_driver();
    int64_t begun = yo_time_ns(), limit = driver->timeout_ms * 1000000;
    for (;;) {
        int code = driver->stream_query(stream->stream);
        if (code != YO_CUDA_NOT_READY) return yo_cuda_ok(stream->gpu, code, "stream_query");
        int64_t waited = yo_time_ns() - begun, pause = waited / 16;
        if (waited > limit) {
            char why[80];
            snprintf(why, sizeof why, "a launch did not end in %lld ms",
                     (long long)driver->timeout_ms);
            stream->hung = true;
            yo_cuda_give_up(stream->gpu, why);
            return false;
        }
        if (pause < 5000) pause = 5000;
        if (pause > 1000000) pause = 1000000;
        nanosleep(&(struct timespec){.tv_nsec = pause}, NULL);
    }
}

/* ---- results ---- */

/* Rejects impossible results of a faulty GPU, which would write past a histogram. */
static bool plausible(struct yo_cuda_stream *stream, int size, bool sums) {
    const uint32_t *out = (const uint32_t *)stream->out;
    uint32_t last = 2 * (uint32_t)(size * size), most = 0;
    uint64_t games = 0;
    if (sums)
        for (uint32_t k = 0; k <= last; k++)
            games += out[YO_CUDA_HISTOGRAM + k];
    else
        for (uint64_t g = 0; g < stream->games; g++)
            most = (out[g] & 0xffff) > most ? out[g] & 0xffff : most;
    if (sums ? games == stream->games : most <= last) return true;
    yo_cuda_give_up(stream->gpu, "its results make no sense");
    return false;
}

static void give_sums(const struct yo_cuda_stream *stream, int size) {
    const struct yo_playout_piece *piece = &stream->pieces[0];
    const uint32_t *sums = (const uint32_t *)stream->out;
    struct yo_eval_playouts *result = piece->result;
    int points = size * size;
    uint64_t moves;
    memcpy(&moves, sums, sizeof moves);
    result->moves += moves;
    yo_playout_add_histogram(result, points, piece->komi2, sums + YO_CUDA_HISTOGRAM);
    for (int p = 0; result->owner && p < points; p++)
        result->owner[p] += (int32_t)sums[YO_CUDA_OWNERSHIP(size) + p];
}

static void give_scores(const struct yo_cuda_stream *stream, int size) {
    const uint32_t *score = (const uint32_t *)stream->out;
    const int32_t *own = (const int32_t *)(stream->out + OUT_OWNERSHIP);
    int points = size * size;
    for (size_t i = 0; i < stream->count; i++, own += points) {
        const struct yo_playout_piece *piece = &stream->pieces[i];
        struct yo_eval_playouts *result = piece->result;
        for (uint32_t g = 0; g < piece->games; g++, score++) {
            yo_playout_add_score(result, points, piece->komi2, (int)(*score & 0xffff) - points);
            result->moves += *score >> 16;
        }
        for (int p = 0; result->owner && p < points; p++)
            result->owner[p] += own[p];
    }
}

bool yo_cuda_stream_run(struct yo_cuda_stream *stream, const struct yo_cuda_kernels *kernels,
                        int size, const struct yo_playout_source *source) {
    const struct yo_cuda_shape *one = &kernels->one;
    uint64_t fill = (uint64_t)one->blocks * one->warps * (uint64_t)YO_CUDA_GAMES_OF_WARP(size);
    stream->waiting = false;
    for (;;) {
        collect(stream, kernels->policy, size, fill / 2, source);
        if (stream->count == 0) return true;
        bool sums = sums_up(stream, fill / 2);
        if (sums) stream->ownership = false; /* it is among the sums */
        size_t out_words = sums ? (size_t)YO_CUDA_SUM_WORDS(size) : (size_t)stream->games;
        if (!send(stream, size, sums, out_words) || !start(stream, kernels, size, sums) ||
            !fetch(stream, size, out_words) || !finish(stream) || !plausible(stream, size, sums)) {
            stream->count += stream->waiting;
            return false;
        }
        if (sums)
            give_sums(stream, size);
        else
            give_scores(stream, size);
    }
}
