/* The fused kernel: boards stay in shared memory from the input planes to the end of the trunk. A
 * block takes some boards at a time through all steps; weights stream from L2 through a ring of
 * slots. Written in terms of device.cuh, so that a test runs the same source on the host.
 *
 * A row is a point of a board or a zero beside it (job.h). The input of a convolution lies in
 * planes of 8 channels, 16 bytes a row: eight adjacent rows are 128 bytes, free of bank conflicts,
 * at whatever row they begin, so that a tap of 3x3 is only another first row for the matrix
 * products. A convolution's results stay in the accumulators until all have read their input, then
 * take its place; rows that are no points are written as zeros. */
#pragma once

#include "eval/net/cuda/activation.cuh"
#include "eval/net/cuda/job.h"

/* What a kernel is compiled for: YO_TOWER_KERNELS of tower_plan.h. */
template <int CHANNELS_, int TILES_, int WARPGROUPS_, int SLICES_> struct tower_kind {
    static constexpr int CHANNELS = CHANNELS_, TILES = TILES_, WARPGROUPS = WARPGROUPS_;
    static constexpr int SLICES = SLICES_;
};

template <class KIND> struct tower;
/* The operations of a step that follow one of its phases: tower_ops.cuh. */
template <class KIND> DEV void run_ops(tower<KIND> &here, const yo_tower_step &step, int phase);

template <class KIND> struct tower {
    static constexpr int N = KIND::CHANNELS, SLICES = KIND::SLICES, COLUMNS = N / 8;
    static constexpr int SPLIT = YO_TOWER_PACK(N) / SLICES; /* slots of the ring for a plan's */
    static constexpr int THREADS = KIND::WARPGROUPS * YO_TOWER_WARPGROUP;
    static constexpr int TILES = (KIND::TILES + KIND::WARPGROUPS - 1) / KIND::WARPGROUPS;
    static constexpr int PLANE_ROWS = YO_TOWER_PLANE_ROWS(KIND::TILES);
    static constexpr uint32_t SLOT = YO_TOWER_SLOT_BYTES(N, SLICES);
    static constexpr uint32_t PLANE = YO_TOWER_PLANE_BYTES(KIND::TILES);
    /* Of 65,536 registers of a multiprocessor, 24 a thread are the feeding warpgroup's. */
    static constexpr int REGISTERS = KIND::WARPGROUPS == 2 ? 240 : 160;

    const yo_tower_job &job;
    uint8_t *shared;
    int active; /* tiles of this warpgroup that have rows */
    /* The rows of this lane's accumulators: four bits of row i's board from bit 4 i on, and whether
     * it is a point of one from bit 24 on. */
    uint32_t places;
    /* during a convolution: the slot among those of all rings, the end of this group's, the phase
     */
    uint32_t slot, slot_end, phase;

    DEV tower(const yo_tower_job &j, uint8_t *memory) : job(j), shared(memory) {}

    /* A group is one warpgroup or all. */
    DEV int lane() { return dev_thread() & 31; }
    DEV int group() { return dev_thread() >> 7 & (job.groups - 1); }
    DEV int group_thread() { return dev_thread() & job.thread_mask; }
    DEV int group_warp() { return group_thread() >> 5; }
    DEV int group_row() { return job.guard + group() * job.group_apart; }
    DEV int row_of(int board, int point) {
        const int y = (int)((uint32_t)point * (uint32_t)job.size_inverse >> 20);
        return point + y * (job.strip - job.size) + board * (job.size + 1);
    }
    /* The board of a row of the group, and the point's coordinates; false if it is no point. */
    DEV bool find(int row, int boards, int &board, int &y, int &x) {
        y = row / job.strip;
        const int along = row - y * job.strip;
        board = along / (job.size + 1);
        x = along - board * (job.size + 1);
        return y < job.size && x < job.size && board < boards;
    }
    /* What is rarely needed is in shared memory: registers are for the accumulators. */
    DEV yo_tower_wave &wave() { return ((yo_tower_wave *)(shared + job.at_waves))[group()]; }
    DEV int first_board() { return wave().first_board; }
    DEV int boards() { return wave().boards; }
    DEV int rows() { return boards() * job.points; }
    DEV int *tap_shifts() { return (int *)(shared + job.at_taps); }

    DEV uint64_t *full(uint32_t s) { return (uint64_t *)shared + s; }
    DEV uint64_t *empty(uint32_t s) { return full(s) + YO_TOWER_SLOTS_MAX; }
    DEV uint32_t ring() { return dev_shared(shared) + (uint32_t)job.at_ring; }
    DEV uint8_t *cell(int plane, int row) {
        return shared + job.at_buffer + plane * (int)PLANE + row * 16;
    }
    /* The skip tensor is not needed any more in the heads: its memory holds the boards' vectors and
     * the operations there. */
    DEV uint8_t *head_memory() { return shared + job.at_skip + group() * job.skip_bytes; }
    DEV uint16_t *vector(int board, bool head) {
        if (head) return (uint16_t *)head_memory() + board * job.head_room;
        return (uint16_t *)(shared + job.at_vectors) +
               (group() * job.boards + board) * job.vector_room;
    }
    DEV yo_tower_op *ops(bool head) {
        if (head) return (yo_tower_op *)(head_memory() + job.head_ops);
        return (yo_tower_op *)(shared + job.at_ops) + group() * YO_TOWER_TRUNK_OPS;
    }
    DEV float *added(int board) {
        return (float *)(shared + job.at_added) + (group() * job.boards + board) * N;
    }
    DEV void sync_group() {
        dev_products_fence();
        dev_sync_some(1 + group(), job.group_threads);
    }

    /* ---- the ring of weights ---- */

    /* By one thread for each ring that does nothing else: fills slots as soon as all warps that
     * read them have released them. Barriers of a ring are used by this thread and by those warps
     * alone, so that each ring is what the only one was. */
    DEV void feed(int number, int total) {
        const uint32_t begin = (uint32_t)(number * job.ring), end = begin + (uint32_t)job.ring;
        uint32_t s = begin, phase = 1; /* the first round waits for nobody */
        int source = 0;
#pragma unroll 1
        for (int i = 0; i < total; i++) {
            if (i >= job.ring) dev_mbar_nap(empty(s), phase);
            dev_copy_in(ring() + s * SLOT, job.slots + (size_t)source * SLOT, SLOT, full(s));
            if (++source == job.slot_count) source = 0;
            if (++s == end) s = begin, phase ^= 1;
        }
    }

    /* Slots of the ring that the group has taken when the step is over. */
    DEV uint32_t taken() { return (uint32_t)dev_uniform((int)wave().taken); }
    /* To where the ring stands when so many slots have been taken. */
    DEV void seek(uint32_t taken) {
        const uint32_t count = (uint32_t)job.ring, round = taken / count;
        const uint32_t begin = (uint32_t)own_ring() * count;
        slot = (uint32_t)dev_uniform((int)(begin + taken - round * count));
        slot_end = (uint32_t)dev_uniform((int)(begin + count));
        phase = round & 1;
    }
    DEV int own_ring() { return group() & (job.rings - 1); }
    DEV void take() { dev_mbar_wait(full(slot), phase); }
    DEV void advance() {
        if (++slot == slot_end) slot -= (uint32_t)job.ring, phase ^= 1;
    }
    /* Marks the slot taken `back` slots ago as no longer read by this warp. */
    DEV void release(uint32_t back) {
        uint32_t s = slot - back, begin = slot_end - (uint32_t)job.ring;
        if (slot < begin + back) s += (uint32_t)job.ring;
        if (lane() == 0) dev_mbar_arrive(empty(s));
    }

    DEV void next_slot() {
        dev_sync_warp();
        release(0);
        advance();
        take();
    }
    DEV uint8_t *slot_memory() { return shared + job.at_ring + slot * SLOT; }

    /* ---- convolution: tower_convolve.cuh ---- */

    typedef float accumulators[TILES][N / 2];

    template <int ACTIVE>
    DEV void multiply(accumulators &acc, uint32_t rows, uint64_t weights, bool first);
    DEV uint64_t slot_weights();
    template <int ACTIVE> DEV void convolve_taps(accumulators &acc, int taps, int tap_slots);
    DEV uint32_t taps_inside(int tile);
    DEV int gather_row(int tile);
    template <int ACTIVE> DEV void convolve_entries(accumulators &acc, int slots);
    template <int ACTIVE> DEV void convolve(accumulators &acc, const yo_tower_step &step);
    DEV void pass_by(int slots);
    DEV void convolve_any(accumulators &acc, const yo_tower_step &step);

    /* ---- what follows a convolution ---- */

    DEV yo_tower_pair *step_pairs() {
        return (yo_tower_pair *)(shared + job.at_constants) + group() * (N / 2);
    }
    DEV yo_tower_step *shared_step(int number) {
        return (yo_tower_step *)(shared + job.at_steps) + group() * 2 + (number & 1);
    }

    /* Begins to copy a step's description. */
    DEV void fetch_step(int number) {
        constexpr int PARTS = (int)sizeof(yo_tower_step) / 16;
        if (number < job.step_count && group_thread() < PARTS)
            dev_copy_16((uint8_t *)shared_step(number) + group_thread() * 16,
                        (const uint8_t *)(job.steps + number) + group_thread() * 16);
    }

    /* Begins to copy the step's bias, scale, offset and operations. */
    DEV void fetch_constants(const yo_tower_step &step) {
        const float *from = job.constants + step.bias;
        for (int i = group_thread(); i < N / 2; i += job.group_threads)
            dev_copy_16(step_pairs() + i, from + i * 4);
        constexpr int PARTS = (int)sizeof(yo_tower_op) / 16;
        const int parts = (step.op_counts[0] + step.op_counts[1]) * PARTS;
        uint8_t *to = (uint8_t *)ops((step.flags & YO_TOWER_HEAD) != 0);
        for (int i = group_thread(); i < parts; i += job.group_threads)
            dev_copy_16(to + i * 16, (const uint8_t *)(job.ops + step.ops) + i * 16);
    }

    /* What an epilogue is compiled for: the step's flags and whether its activations are relu, with
     * all columns computed; or ANY, and all of struct epilogue holds. */
    static constexpr int RELU_FIRST = 64, RELU_SECOND = 128, ANY = -1;
    struct epilogue {
        int flags, first, second; /* activations; of heads whether any is smooth */
        uint32_t columns;         /* a bit for each */
    };

    /* tower_finish.cuh */
    template <int FLAGS>
    DEV uint32_t finish_pair(const epilogue &how, float x, float y, uint32_t &old, uint32_t scale,
                             uint32_t offset);
    DEV uint32_t finish_smooth(const epilogue &how, const smooth &first, const smooth &second,
                               float x, float y, uint32_t &old, uint32_t scale, uint32_t offset);
    template <bool SMOOTH, int FLAGS, int USED>
    DEV void finish(accumulators &acc, const epilogue &how);
    template <bool SMOOTH, int FLAGS> DEV void finish_used(accumulators &acc, const epilogue &how);
    DEV void finish_any(accumulators &acc, const epilogue &how);

    /* ---- a wave ---- */

    DEV void read_globals() {
        const int all = boards() * job.global_count;
        for (int i = group_thread(); i < all; i += job.group_threads)
            vector(i / job.global_count, false)[i % job.global_count] = (uint16_t)dev_pack(
                dev_read(job.globals + (size_t)first_board() * (size_t)job.global_count + i), 0);
    }

    /* All rows of the tiles; those that are no points become zeros. Loads have no condition, so
     * that many are on their way at once: behind a branch each would wait for the one before it.
     * Rows that are no points read what their neighbours read: few boards are read in the host's
     * memory, where any other address is one more trip. */
    DEV void expand() {
        const int planes = (job.input_planes + 7) / 8, all = (job.group_rows + 63) & ~63;
        const int last = job.input_planes - 1, first = boards() ? first_board() : 0;
        for (int row = group_thread(); row < all; row += job.group_threads) {
            int board, y, x;
            const bool inside = find(row, boards(), board, y, x);
            const int point = inside ? y * job.size + x : 0;
            const uint64_t *bits = job.planes +
                                   (size_t)(first + (inside ? board : 0)) *
                                       (size_t)(job.input_planes * job.plane_words) +
                                   (point >> 6);
#pragma unroll 3
            for (int plane = 0; plane < planes; plane++) {
                uint64_t read[8];
                uint32_t word[4] = {0, 0, 0, 0};
#pragma unroll
                for (int c = 0; c < 8; c++) {
                    const int which = plane * 8 + c < last ? plane * 8 + c : last;
                    read[c] = dev_read(bits + which * job.plane_words);
                }
#pragma unroll
                for (int c = 0; c < 8; c++) {
                    const bool set = inside & (plane * 8 + c <= last) & (read[c] >> (point & 63));
                    word[c / 2] |= (set ? 0x3c00u : 0u) << (c % 2 * 16);
                }
                *(uint4 *)cell(plane, group_row() + row) =
                    make_uint4(word[0], word[1], word[2], word[3]);
            }
        }
    }

    DEV void give_out() {
        const int all = rows() * COLUMNS;
        uint4 *to = (uint4 *)job.out + (size_t)first_board() * (size_t)(job.points * COLUMNS);
        for (int i = group_thread(); i < all; i += job.group_threads) {
            const int unit = i / COLUMNS, board = unit / job.points;
            const int row = row_of(board, unit - board * job.points);
            to[i] = *(const uint4 *)cell(i % COLUMNS, group_row() + row);
        }
    }

    DEV void start_wave(int first, int boards) {
        const int warp_row = group_warp() * 16, count = boards ? job.group_rows : 0;
        int board, y, x;
        if (group_thread() == 0) wave().first_board = first, wave().boards = boards;
        active = 0;
        places = 0;
#pragma unroll
        for (int t = 0; t < TILES; t++) {
            const int tile_row = warp_row + t * job.tile_stride;
            active += dev_uniform((tile_row & ~63) < count);
            for (int h = 0; h < 2; h++)
                if (find(tile_row + h * 8 + (lane() >> 2), boards, board, y, x))
                    places |= (uint32_t)board << (t * 8 + h * 4) | 1u << (24 + t * 2 + h);
        }
        sync_group();
    }

    DEV void run_step(int number) {
        const yo_tower_step &step = *shared_step(number);
        float acc[TILES][N / 2];
        fetch_constants(step);
        seek(taken());
        convolve_any(acc, step);
        dev_copy_wait();
        sync_group(); /* all have read the input: it may be overwritten */
        /* Between this and whoever reads it, dense layers and the next step, is a barrier. */
        if (group_thread() == 0) wave().taken += (uint32_t)((step.slots + step.after) * SPLIT);
        fetch_step(number + 1);
#pragma unroll 1
        for (int phase = 0; phase < 2; phase++) {
            const int flags = phase ? step.flags : step.flags & YO_TOWER_HEAD;
            const int count = dev_uniform(step.op_counts[phase]);
            const uint32_t columns = (uint32_t)dev_uniform((int)step.columns[phase]);
            if (columns)
                finish_any(acc, {dev_uniform(flags), dev_uniform(phase ? step.first : step.pooled),
                                 dev_uniform(step.second), columns});
            if (columns || count) {
                dev_copy_wait();
                sync_group();
            }
            if (count) {
                run_ops(*this, step, phase);
                sync_group();
            }
        }
    }

    DEV void run_wave() {
        fetch_step(0);
        expand();
        read_globals();
        dev_copy_wait();
        sync_group();
#pragma unroll 1
        for (int i = 0; i < job.step_count; i++)
            run_step(i);
        if (job.out) give_out();
        sync_group();
    }

    DEV void prepare() {
        if (dev_thread() < THREADS && group_thread() == 0) wave().taken = 0;
        if (dev_thread() < 9)
            tap_shifts()[dev_thread()] = (dev_thread() / 3 - 1) * job.strip + dev_thread() % 3 - 1;
        const int all = (job.at_skip - job.at_buffer) / 16;
        for (int i = dev_thread(); i < all; i += dev_threads())
            *(uint4 *)(shared + job.at_buffer + i * 16) = make_uint4(0, 0, 0, 0);
        if (dev_thread() == 0) {
            for (int s = 0; s < job.rings * job.ring; s++) {
                dev_mbar_init(full((uint32_t)s), 1);
                dev_mbar_init(empty((uint32_t)s), THREADS / 32 / job.rings);
            }
            dev_mbar_fence();
        }
        dev_sync();
    }

    /* The boards of a group in a wave: the groups share what is left as evenly as possible. */
    DEV int share(int left, int which, int &first) {
        const int room = job.groups * job.boards, all = left < room ? left : room;
        const int most = (all + job.groups - 1) / job.groups, mine = all - which * most;
        first = which * most;
        return mine < 0 ? 0 : mine < most ? mine : most;
    }

    /* Waves of a group. Where groups share a ring, all take its weights together; else one that has
     * no board of the last wave is done. */
    DEV int waves(int count, int which) {
        const int room = job.groups * job.boards, all = (count + room - 1) / room;
        int first;
        if (job.rings == 1 || count == 0) return all;
        return all - (share(count - (all - 1) * room, which, first) == 0);
    }

    /* By a warpgroup of its own: a thread in a warp of its own for each ring. The second group
     * begins late by about a convolution, so that one multiplies while the other is in an epilogue;
     * they stay so, as both do the same. */
    DEV void feed_all(int count) {
        const int number = (dev_thread() - THREADS) >> 5;
        if (number >= job.rings || lane() != 0) return;
        const int mine = waves(count, number);
        if (number > 0) dev_pause(YO_TOWER_LAG);
        feed(number, mine * job.slot_count);
    }

    DEV void run() {
        prepare();
        /* Boards are spread evenly over blocks; a block takes as many at a time as it has room for.
         */
        const int begin = (int)((int64_t)job.count * dev_block() / dev_blocks());
        const int end = (int)((int64_t)job.count * (dev_block() + 1) / dev_blocks());
        const int room = job.groups * job.boards;
        /* Branches on numbers that the compiler knows to be the same in all lanes: inside others it
         * keeps nothing in uniform registers, where matrix products want their addresses. */
        if (dev_uniform(dev_thread()) >= THREADS) {
            dev_registers_fewer();
            feed_all(end - begin);
            return;
        }
        dev_registers_more<REGISTERS>();
        const int mine = dev_uniform(waves(end - begin, group()));
        for (int number = 0; number < mine; number++) {
            int first;
            const int at = begin + number * room, count = share(end - at, group(), first);
            start_wave(at + first, count);
            run_wave();
        }
    }
};
