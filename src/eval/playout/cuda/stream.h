/* One launch at a time on a GPU: a stream with buffers in both memories. It collects pieces until
 * it is full, plays them in one launch, and distributes the results. A GPU has several streams,
 * each used by one thread, so that it plays while the host works on other games, and runs small
 * launches concurrently. */
#pragma once

#include "eval/playout/backend.h"
#include "eval/playout/cuda/gpu.h"

#define YO_CUDA_STREAM_ITEMS 4096      /* positions of a launch */
#define YO_CUDA_STREAM_GAMES (1 << 20) /* games of a launch with several positions */

struct yo_cuda_stream {
    struct yo_cuda_gpu *gpu;
    bool busy; /* owned by the allocator of streams (cuda.c) */
    bool hung; /* a launch did not end: its memory must stay */
    bool open;
    yo_cuda_handle stream;
    uint8_t *in, *out;               /* on the host, page-locked */
    yo_cuda_address gpu_in, gpu_out; /* the same on the GPU */
    struct yo_playout_piece *pieces; /* of this launch, and one that did not fit */
    size_t count;
    bool waiting; /* pieces[count] is for the next launch */
    uint64_t games;
    bool ownership; /* some piece wants it */
};

/* Allocates the stream; false if the GPU has failed. The thread must have entered the GPU. */
bool yo_cuda_stream_open(struct yo_cuda_stream *stream);
void yo_cuda_stream_close(struct yo_cuda_stream *stream);
/* Plays all pieces of the source. False if the GPU failed; pieces[0..count) are then those taken
 * and not played, including the waiting one. */
bool yo_cuda_stream_run(struct yo_cuda_stream *stream, const struct yo_cuda_kernels *kernels,
                        int size, const struct yo_playout_source *source);
