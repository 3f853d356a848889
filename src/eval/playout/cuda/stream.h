/* One launch at a time on a GPU: a stream with buffers in both memories. Pieces are put in until it
 * is full, played in one launch, and their results given out. A GPU has several of these, each used
 * by a thread, so that it plays some games while the host works on others, and small launches side
 * by side. */
#pragma once

#include "eval/playout/backend.h"
#include "eval/playout/cuda/gpu.h"

#define YO_CUDA_STREAM_ITEMS 4096      /* positions of a launch */
#define YO_CUDA_STREAM_GAMES (1 << 20) /* games of a launch with several positions */

struct yo_cuda_stream {
    struct yo_cuda_gpu *gpu;
    bool busy; /* whoever hands streams out */
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

/* Makes it ready; false if the GPU has failed. The thread has entered the GPU. */
bool yo_cuda_stream_open(struct yo_cuda_stream *stream);
void yo_cuda_stream_close(struct yo_cuda_stream *stream);
/* Plays all that the source has. False if the GPU failed; the pieces that were taken and not played
 * are then pieces[0..count), the one waiting among them. */
bool yo_cuda_stream_run(struct yo_cuda_stream *stream, const struct yo_cuda_kernels *kernels,
                        int size, const struct yo_playout_source *source);
