#include "eval/net/cuda/pick.h"

#include <string.h>

/* Entries a position that there is room for, as the mean of a batch: positions of shogi have about
 * 85 moves. Policies must have several times as many numbers, or picking gains little. */
enum { ENTRIES = 256, POLICY_MIN = 4 * ENTRIES };

size_t yo_net_cuda_pick_room(const struct yo_net_cuda_worker *w) {
    const struct yo_net_graph *graph = w->program->graph;
    int tensor = graph->outputs[YO_NET_OUT_POLICY];
    if (tensor == YO_NET_NONE || yo_net_tensor_floats(graph, tensor, w->size) < POLICY_MIN)
        return 0;
    return (size_t)w->room * ENTRIES;
}

/* Of `count` positions. */
static size_t starts_bytes(int count) { return ((size_t)count + 1) * sizeof(uint32_t); }

size_t yo_net_cuda_wanted_bytes(const struct yo_net_cuda_worker *w) {
    return w->pick_room ? starts_bytes(w->room) + w->pick_room * sizeof(uint16_t) : 0;
}

static uint32_t *host_starts(const struct yo_net_cuda_worker *w) {
    return (uint32_t *)(w->host_in + yo_net_cuda_wanted_at(w));
}

static int rows(const struct yo_net_batch *batch) {
    return yo_net_batch_rows(batch, YO_NET_OUT_POLICY, 0, batch->count);
}

/* Not where the entries do not fit, nor in batches that are cut: the next part would overwrite what
 * was picked. A few positions have their whole policies copied in less time than another copy and
 * another launch take. */
static bool can_pick(const struct yo_net_cuda_worker *w, const struct yo_net_batch *batch,
                     int count) {
    if (!batch->wanted || !batch->picked || w->pick_room == 0) return false;
    if (count < batch->count || yo_net_cuda_few(w, count)) return false;
    size_t all = 0;
    for (int row = 0; row < rows(batch); row++)
        all += batch->wanted[row].count;
    return all <= w->pick_room;
}

/* Returns how many there are. The network is running: this takes no time of the device. */
static size_t pack(const struct yo_net_cuda_worker *w, const struct yo_net_batch *batch) {
    const int count = rows(batch);
    uint32_t *starts = host_starts(w);
    uint16_t *entries = (uint16_t *)((uint8_t *)starts + starts_bytes(count));
    starts[0] = 0;
    for (int row = 0; row < count; row++) {
        const struct yo_net_wanted *wanted = &batch->wanted[row];
        if (wanted->count > 0)
            memcpy(entries + starts[row], wanted->entries, wanted->count * sizeof *entries);
        starts[row + 1] = starts[row] + (uint32_t)wanted->count;
    }
    return starts[count];
}

bool yo_net_cuda_pick(struct yo_net_cuda_worker *w, const struct yo_net_batch *batch, int count) {
    struct yo_cuda_gpu *gpu = w->program->gpu;
    const size_t in = yo_net_cuda_wanted_at(w), out = yo_net_cuda_picked_at(w);
    w->picks = can_pick(w, batch, count);
    const size_t all = w->picks ? pack(w, batch) : 0, starts = starts_bytes(rows(batch));
    return all == 0 || (YO_CUDA_TRY(gpu, copy_in, w->in + in, w->host_in + in,
                                    starts + all * sizeof(uint16_t), w->stream) &&
                        yo_net_cuda_launch_pick(w, rows(batch), in + starts) &&
                        YO_CUDA_TRY(gpu, copy_out, w->host_out + out, w->out + out,
                                    all * sizeof(float), w->stream));
}

void yo_net_cuda_give_picked(const struct yo_net_cuda_worker *w, const struct yo_net_batch *batch) {
    const float *picked = (const float *)(w->host_out + yo_net_cuda_picked_at(w));
    for (int row = 0; row < rows(batch); row++)
        batch->picked[row] = picked + host_starts(w)[row];
}
