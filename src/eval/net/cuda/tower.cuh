/* The fused kernel: boards stay in shared memory from the input planes to the end of the trunk. A
 * block takes some boards at a time through all steps; weights stream from L2 through a ring of
 * slots. Written in terms of device.cuh, so that a test runs this very source on the host.
 *
 * A row is a point of a board, row = board * job.points + point. The input of a convolution lies in
 * planes of 8 channels, 16 bytes a row: eight adjacent rows are 128 bytes, free of bank conflicts,
 * at whatever row they begin. A warp gathers the rows of its A fragments itself, so that boards
 * need no border: a tap beyond the edge reads a row of zeros. A convolution's results stay in the
 * accumulators until all have read their input, then take its place. */
#pragma once

#include "eval/net/cuda/activation.cuh"
#include "eval/net/cuda/job.h"

template <int N, int TILES> struct tower {
    static constexpr int SLICES = YO_TOWER_SLICES(N), COLUMNS = N / 8;
    static constexpr uint32_t SLOT = YO_TOWER_SLOT_BYTES(N);

    const yo_tower_job &job;
    uint8_t *shared;
    /* boards of the present wave, of this thread's group of warpgroups */
    int first_board, boards;
    int active;                  /* tiles of this warpgroup that have rows */
    int gather_row;              /* of the first tile, that this lane gives ldmatrix */
    uint32_t gather_mask[TILES]; /* taps that lie on the board */
    /* the ring */
    uint32_t slot, phase;
    int used, total; /* slots taken so far, and in all */

    DEV tower(const yo_tower_job &j, uint8_t *memory) : job(j), shared(memory) {}

    DEV int lane() { return dev_thread() % 32; }
    DEV int group() { return job.groups == 1 ? 0 : dev_thread() / job.group_threads; }
    DEV int group_thread() { return dev_thread() - group() * job.group_threads; }
    DEV int group_row() { return group() * job.group_rows; }
    DEV int rows() { return boards * job.points; }

    DEV uint64_t *full(uint32_t s) { return (uint64_t *)shared + s; }
    DEV uint64_t *empty(uint32_t s) { return full(s) + YO_TOWER_SLOTS_MAX; }
    DEV uint32_t ring() { return dev_shared(shared) + (uint32_t)job.at_ring; }
    DEV uint8_t *cell(int plane, int row) {
        return shared + job.at_buffer + plane * job.plane_bytes + row * 16;
    }
    DEV float *vector(int board) {
        return (float *)(shared + job.at_vectors) +
               (group() * job.boards + board) * job.vector_room;
    }
    DEV float *added(int board) {
        return (float *)(shared + job.at_added) + (group() * job.boards + board) * N;
    }
    DEV void sync_group() { dev_sync_some(1 + group(), job.group_threads); }

    /* ---- the ring of weights ---- */

    /* `index` counts slots over all waves of this block. */
    DEV void fill(int index) {
        uint32_t s = (uint32_t)(index % job.ring);
        dev_copy_in(ring() + s * SLOT, job.slots + (size_t)(index % job.slot_count) * SLOT, SLOT,
                    full(s));
    }

    /* Before slot `used` is read: the one that was free LAG slots ago is filled again. */
    DEV void refill() {
        int freed = used - YO_TOWER_LAG, next = freed + job.ring;
        if (dev_thread() == 0 && freed >= 0 && next < total) {
            dev_mbar_wait(empty((uint32_t)(freed % job.ring)), (uint32_t)(freed / job.ring) & 1);
            fill(next);
        }
        if (dev_thread() < 32) dev_sync_warp();
    }

    DEV void take() {
        refill();
        dev_mbar_wait(full(slot), phase);
    }
    DEV void advance() {
        used++;
        if (++slot == (uint32_t)job.ring) slot = 0, phase ^= 1;
    }
    /* The slot taken `back` slots ago is not read any more by this warp. */
    DEV void release(uint32_t back) {
        uint32_t s = slot >= back ? slot - back : slot + (uint32_t)job.ring - back;
        if (lane() == 0) dev_mbar_arrive(empty(s));
    }

    /* ---- convolution ---- */

    DEV uint32_t gather(int tile, uint32_t entry) {
        int dy = (int)(entry >> 16 & 255) - 128, dx = (int)(entry >> 24) - 128;
        int row = gather_row + tile * job.tile_stride + dy * job.size + dx;
        bool on = gather_mask[tile] >> (entry >> 8 & 255) & 1;
        row = on ? row : job.zero_row + (row & 7);
        return dev_shared(shared) +
               (uint32_t)(job.at_buffer + (int)(entry & 255) * job.plane_bytes + row * 16);
    }

    DEV uint32_t entry(int slice) {
        return *(const uint32_t *)(shared + job.at_ring + slot * SLOT + SLICES * N * 32 +
                                   (slice * 2 + (lane() >> 4)) * 4);
    }

    /* The products of some tiles with a slice of the slot, as a group of their own. Fragments are
     * loaded while the group before is still at work; its own set is free, as the one before that
     * is done. */
    template <int FROM, int TO>
    DEV void multiply(float (&acc)[TILES][N / 2], int slice, uint32_t which, bool first) {
        constexpr int COUNT = TO - FROM;
        uint32_t a[COUNT][4], from[COUNT];
#pragma unroll
        for (int t = 0; t < COUNT; t++)
            from[t] = gather(FROM + t, which);
#pragma unroll
        for (int t = 0; t < COUNT; t++)
            dev_ldmatrix(a[t], from[t]);
        dev_wgmma_fence();
#pragma unroll
        for (int t = 0; t < COUNT; t++)
            dev_wgmma<N>(acc[FROM + t], a[t],
                         dev_slice<N>(ring() + slot * SLOT + (uint32_t)slice * N * 32), !first);
        dev_wgmma_commit();
        dev_wgmma_wait<1>();
    }

    template <int ACTIVE> DEV void convolve(float (&acc)[TILES][N / 2], int slots) {
        for (int i = 0; i < slots; i++) {
            take();
#pragma unroll
            for (int k = 0; k < SLICES; k++) {
                const uint32_t which = entry(k);
                multiply<0, (ACTIVE + 1) / 2>(acc, k, which, i + k == 0);
                if (k == 0 && i > 0) release(1);
                if constexpr (ACTIVE > 1)
                    multiply<(ACTIVE + 1) / 2, ACTIVE>(acc, k, which, i + k == 0);
            }
            advance();
        }
        dev_wgmma_wait<0>();
        release(1);
    }

    /* Nothing to compute, but the ring goes round. */
    DEV void pass_by(int slots) {
        for (int i = 0; i < slots; i++) {
            take();
            advance();
            release(1);
        }
    }

    DEV void convolve_any(float (&acc)[TILES][N / 2], int slots) {
        if (active == TILES)
            convolve<TILES>(acc, slots);
        else if (TILES > 3 && active == 3)
            convolve < TILES<3 ? TILES : 3>(acc, slots);
        else if (TILES > 2 && active == 2)
            convolve < TILES<2 ? TILES : 2>(acc, slots);
        else if (active == 1)
            convolve<1>(acc, slots);
        else
            pass_by(slots);
    }

    /* ---- what follows a convolution ---- */

    /* The row of this group that half h of a tile's accumulators belong to. */
    DEV int result_row(int tile, int h) {
        return group_thread() / 32 * 16 + tile * job.tile_stride + h * 8 + lane() / 4;
    }
    DEV uint32_t *output(int column, int row) {
        return (uint32_t *)(cell(column, group_row() + row) + lane() % 4 * 4);
    }

    /* The common case: a bias and relu or nothing, to the next input. */
    DEV void finish_plain(float (&acc)[TILES][N / 2], const yo_tower_step &step) {
        const float floor = step.first == YO_NET_RELU ? 0.0f : -INFINITY;
        const float *bias = job.constants + step.bias + lane() % 4 * 2;
#pragma unroll
        for (int j = 0; j < COLUMNS; j++) {
            const float2 b = dev_pair(bias + j * 8);
#pragma unroll
            for (int t = 0; t < TILES; t++)
#pragma unroll
                for (int h = 0; h < 2; h++) {
                    int row = result_row(t, h);
                    if (t < active && row < rows())
                        *output(j, row) = dev_pack(fmaxf(acc[t][4 * j + 2 * h] + b.x, floor),
                                                   fmaxf(acc[t][4 * j + 2 * h + 1] + b.y, floor));
                }
        }
    }

    template <bool SMOOTH>
    DEV void finish_any(float (&acc)[TILES][N / 2], const yo_tower_step &step) {
        const int flags = step.flags;
        const smooth first(step.first), second(step.second);
        const float *bias = job.constants + step.bias + lane() % 4 * 2;
        const float *affine = job.constants + step.affine + lane() % 4 * 2;
        const int columns = flags & YO_TOWER_POOL ? step.pool_first / 8 : COLUMNS;
#pragma unroll
        for (int t = 0; t < TILES; t++)
#pragma unroll
            for (int h = 0; h < 2; h++) {
                const int row = result_row(t, h);
                if (t >= active || row >= rows()) continue;
                const float *extra = added(row / job.points) + lane() % 4 * 2;
                uint4 *skip = (uint4 *)(shared + job.at_skip) +
                              (t * 2 + h) * (COLUMNS / 4) * dev_threads() + dev_thread();
#pragma unroll
                for (int q = 0; q < COLUMNS / 4; q++) {
                    uint4 old = make_uint4(0, 0, 0, 0);
                    uint32_t sum[4];
                    if (flags & YO_TOWER_ADD) old = skip[q * dev_threads()];
                    const uint32_t olds[4] = {old.x, old.y, old.z, old.w};
#pragma unroll
                    for (int r = 0; r < 4; r++) {
                        const int j = q * 4 + r;
                        float2 b = dev_pair(bias + j * 8);
                        float x, y;
                        dev_unpack(olds[r], x, y);
                        x += acc[t][4 * j + 2 * h] + b.x;
                        y += acc[t][4 * j + 2 * h + 1] + b.y;
                        if (flags & YO_TOWER_VECTOR) x += extra[j * 8], y += extra[j * 8 + 1];
                        x = SMOOTH ? first(x) : first.limit(x);
                        y = SMOOTH ? first(y) : first.limit(y);
                        sum[r] = dev_pack(x, y);
                        if (flags & YO_TOWER_AFFINE) {
                            float2 scale = dev_pair(affine + j * 8);
                            float2 offset = dev_pair(affine + N + j * 8);
                            x = x * scale.x + offset.x, y = y * scale.y + offset.y;
                            x = SMOOTH ? second(x) : second.limit(x);
                            y = SMOOTH ? second(y) : second.limit(y);
                        }
                        if (j < columns) *output(j, row) = dev_pack(x, y);
                    }
                    if (flags & YO_TOWER_STORE)
                        skip[q * dev_threads()] = make_uint4(sum[0], sum[1], sum[2], sum[3]);
                }
            }
    }

    /* ---- vectors of a board ---- */

    /* The channels that are pooled, activated, into the planes from pool_first / 8 on. */
    DEV void write_pooled(float (&acc)[TILES][N / 2], const yo_tower_step &step) {
        const float *bias = job.constants + step.bias + lane() % 4 * 2;
        const smooth pooled(step.pooled);
#pragma unroll
        for (int j = 0; j < COLUMNS; j++) {
            if (j < step.pool_first / 8) continue;
            const float2 b = dev_pair(bias + j * 8);
#pragma unroll
            for (int t = 0; t < TILES; t++)
#pragma unroll
                for (int h = 0; h < 2; h++) {
                    int row = result_row(t, h);
                    if (t < active && row < rows())
                        *output(j, row) = dev_pack(pooled(acc[t][4 * j + 2 * h] + b.x),
                                                   pooled(acc[t][4 * j + 2 * h + 1] + b.y));
                }
        }
    }

    /* A warp takes 8 channels of a board at a time: a lane two channels of every eighth point. */
    DEV void pool(const yo_tower_step &step) {
        const int planes = (step.pool_count + 7) / 8, units = boards * planes;
        for (int unit = group_thread() / 32; unit < units; unit += job.group_threads / 32) {
            const int board = unit / planes, plane = unit % planes;
            const uint8_t *from =
                cell(step.pool_first / 8 + plane, group_row() + board * job.points);
            float sum_x = 0, sum_y = 0, max_x = -INFINITY, max_y = -INFINITY;
            for (int p = lane() / 4; p < job.points; p += 8) {
                float x, y;
                dev_unpack(*(const uint32_t *)(from + p * 16 + lane() % 4 * 4), x, y);
                sum_x += x, sum_y += y;
                max_x = fmaxf(max_x, x), max_y = fmaxf(max_y, y);
            }
            for (int by = 4; by < 32; by *= 2) {
                sum_x += dev_swap(sum_x, by), sum_y += dev_swap(sum_y, by);
                max_x = fmaxf(max_x, dev_swap(max_x, by)),
                max_y = fmaxf(max_y, dev_swap(max_y, by));
            }
            const int c = plane * 8 + lane() * 2, count = step.pool_count;
            float *to = vector(board);
            const float over = 1.0f / (float)job.points, width = (float)(job.size - 14) * 0.1f;
            if (lane() < 4 && c < count) {
                to[c] = sum_x * over, to[count + c] = sum_x * over * width,
                to[2 * count + c] = max_x;
            }
            if (lane() < 4 && c + 1 < count) {
                to[c + 1] = sum_y * over, to[count + c + 1] = sum_y * over * width;
                to[2 * count + c + 1] = max_y;
            }
        }
    }

    /* added[board] = dense(vector[board]); a thread takes one channel of two boards at a time. */
    DEV void dense(const yo_tower_step &step) {
        const float *weights = job.constants + step.dense, *bias = weights + step.dense_in * N;
        for (int unit = group_thread(); unit < (boards + 1) / 2 * N; unit += job.group_threads) {
            const int c = unit % N, one = unit / N * 2, two = one + 1 < boards ? one + 1 : one;
            const float *v = vector(one), *w = vector(two);
            float x = dev_read(bias + c), y = x;
#pragma unroll 8
            for (int i = 0; i < step.dense_in; i++) {
                float k = dev_read(weights + i * N + c);
                x += k * v[i], y += k * w[i];
            }
            added(one)[c] = x;
            added(two)[c] = y;
        }
    }

    DEV void read_globals() {
        const int all = boards * job.global_count;
        for (int i = group_thread(); i < all; i += job.group_threads)
            vector(i / job.global_count)[i % job.global_count] =
                dev_read(job.globals + (size_t)first_board * (size_t)job.global_count + i);
    }

    /* ---- a wave ---- */

    DEV void expand() {
        const int planes = (job.input_planes + 7) / 8, all = rows() * planes;
        for (int i = group_thread(); i < all; i += job.group_threads) {
            const int row = i / planes, plane = i % planes, point = row % job.points;
            const uint64_t *bits =
                job.planes +
                ((size_t)(first_board + row / job.points) * (size_t)job.input_planes +
                 (size_t)plane * 8) *
                    (size_t)job.plane_words +
                point / 64;
            uint32_t word[4] = {0, 0, 0, 0};
#pragma unroll
            for (int c = 0; c < 8; c++)
                if (plane * 8 + c < job.input_planes &&
                    dev_read(bits + c * job.plane_words) >> (point % 64) & 1)
                    word[c / 2] |= 0x3c00u << (c % 2 * 16);
            *(uint4 *)cell(plane, group_row() + row) =
                make_uint4(word[0], word[1], word[2], word[3]);
        }
    }

    DEV void give_out() {
        const int all = rows() * COLUMNS;
        uint4 *to = (uint4 *)job.out + (size_t)first_board * (size_t)(job.points * COLUMNS);
        for (int i = group_thread(); i < all; i += job.group_threads)
            to[i] = *(const uint4 *)cell(i % COLUMNS, group_row() + i / COLUMNS);
    }

    DEV void start_wave(int first, int count) {
        const int l = lane(), own = group_thread() / 32 * 16 + (l & 7) + (l >> 3 & 1) * 8;
        first_board = first, boards = count, active = 0;
        gather_row = group_row() + own;
#pragma unroll
        for (int t = 0; t < TILES; t++) {
            const int row = own + t * job.tile_stride, point = row % job.points;
            const int x = point % job.size, y = point / job.size;
            active += dev_uniform(row / 64 * 64 < rows());
            gather_mask[t] = 0;
            for (int dy = -2; dy <= 2; dy++)
                for (int dx = -2; dx <= 2; dx++)
                    if (row < rows() && y + dy >= 0 && y + dy < job.size && x + dx >= 0 &&
                        x + dx < job.size)
                        gather_mask[t] |= 1u << YO_TOWER_TAP(dy, dx);
        }
    }

    DEV void run_step(const yo_tower_step &step) {
        float acc[TILES][N / 2];
        convolve_any(acc, step.slots);
        sync_group(); /* all have read the input: it may be overwritten */
        if (step.flags & YO_TOWER_POOL) {
            write_pooled(acc, step);
            sync_group();
            pool(step);
            sync_group();
        }
        if (step.flags & YO_TOWER_VECTOR) {
            dense(step);
            sync_group();
        }
        if (step.flags == 0 && step.first <= YO_NET_RELU)
            finish_plain(acc, step);
        else if (is_smooth(step.first) || is_smooth(step.second))
            finish_any<true>(acc, step);
        else
            finish_any<false>(acc, step);
        sync_group();
    }

    DEV void run_wave() {
        expand();
        read_globals();
        sync_group();
        for (int i = 0; i < job.step_count; i++)
            run_step(job.steps[i]);
        give_out();
        sync_group();
    }

    DEV void prepare() {
        slot = phase = 0, used = 0;
        for (int i = dev_thread(); i < job.buffer_planes * 8; i += dev_threads())
            *(uint4 *)cell(i / 8, job.zero_row + i % 8) = make_uint4(0, 0, 0, 0);
        if (dev_thread() == 0) {
            for (int s = 0; s < job.ring; s++) {
                dev_mbar_init(full((uint32_t)s), 1);
                dev_mbar_init(empty((uint32_t)s), dev_threads() / 32);
            }
            dev_mbar_fence();
        }
        dev_sync();
    }

    DEV void run() {
        prepare();
        /* Boards are spread evenly over blocks; a block takes as many at a time as it has room for.
         */
        const int begin = (int)((int64_t)job.count * dev_block() / dev_blocks());
        const int end = (int)((int64_t)job.count * (dev_block() + 1) / dev_blocks());
        const int room = job.groups * job.boards, waves = (end - begin + room - 1) / room;
        total = waves * job.slot_count;
        if (dev_thread() == 0)
            for (int i = 0; i < job.ring && i < total; i++)
                fill(i);
        for (int wave = 0; wave < waves; wave++) {
            /* The groups share what is left as evenly as it goes. */
            int first = begin + wave * room, left = end - first < room ? end - first : room;
            int share = (left + job.groups - 1) / job.groups;
            int mine = left - group() * share;
            start_wave(first + group() * share, mine < 0 ? 0 : mine < share ? mine : share);
            run_wave();
        }
    }
};
