/* A GPU's blocks on the host: threads are fibers, run up to the next barrier, matrix instruction or
 * wait. Warps run in random order, and some stand still for a while, so that a missing barrier
 * shows. What the device does in the background (copies into shared memory, matrix products)
 * happens at once or, if `late`, no sooner than the kernel waits for it: then memory that is read
 * too early holds no number yet, and memory that is overwritten too early gives wrong products.
 * Waits that nobody can end abort. simt_host.h has the device functions on top of this. */
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include <deque>
#include <vector>

namespace simt {

enum { THREADS_MAX = 512, STACK = 64 * 1024, WARP = 32, GROUP = 128, POISON = 0x7e };
enum { STILL_MAX = 200 }; /* rounds in which nobody moved */

struct schedule { /* of the launches that follow */
    uint32_t seed;
    bool late;
};
inline schedule now = {1, false};

struct meeting { /* of a warp or a barrier */
    int arrived;
    uint64_t round;
};

struct copy { /* into shared memory */
    uint32_t to, bytes;
    const void *from;
    uint64_t *bar; /* that counts the bytes */
    int delay;     /* rounds */
};

/* D of the 16 rows of a warp += A B. A is in the lanes' registers, or in shared memory. */
struct product {
    void (*run)(const product &);
    int warp, accumulate, group;
    uint64_t b;
    uint32_t rows;
    const uint32_t *a[WARP];
    float *d[WARP];
};

struct warp {
    meeting meet;
    int committed, issued; /* groups of products, and products */
    std::deque<product> products;
};

struct block {
    int threads, index, count, current, running;
    bool moved; /* since the fibers were last gone through */
    bool over[THREADS_MAX];
    ucontext_t scheduler, fibers[THREADS_MAX];
    uint8_t *stacks, *shared;
    size_t shared_bytes;
    uint32_t random;
    meeting barriers[16];
    warp warps[THREADS_MAX / WARP];
    std::vector<copy> copies;                       /* under way */
    std::vector<copy> parts[THREADS_MAX];           /* those of cp.async, by thread */
    std::vector<uint64_t> log[THREADS_MAX / GROUP]; /* of the products of a warpgroup */
    /* what the threads of a warp bring to a meeting */
    uint32_t address[THREADS_MAX];
    float value[THREADS_MAX];
    uint32_t a[THREADS_MAX][4], b[THREADS_MAX][2];
    const uint32_t *registers[THREADS_MAX];
    float *d[THREADS_MAX];
    void (*kernel)(void *);
    void *argument;
};
inline block *here;

inline uint32_t draw() {
    here->random = here->random * 1664525u + 1013904223u;
    return here->random >> 8;
}

inline void yield() { swapcontext(&here->fibers[here->current], &here->scheduler); }

/* The last to come does the work of all. */
template <class WORK> void meet(meeting &m, int count, WORK work) {
    uint64_t round = m.round;
    here->moved = true;
    if (++m.arrived == count) {
        m.arrived = 0;
        m.round++;
        work();
        return;
    }
    while (m.round == round)
        yield();
}

/* ---- barriers that count arrivals and bytes ---- */

struct mbar { /* in the eight bytes of a barrier */
    int16_t needed, left;
    int32_t bytes; /* under way */
};
/* Parities are kept beside, by address. */
inline uint8_t parity[64];
inline int number(const uint64_t *bar) { return (int)(bar - (const uint64_t *)here->shared); }
inline void settle(uint64_t *at) {
    mbar *bar = (mbar *)at;
    if (bar->left > 0 || bar->bytes != 0) return;
    bar->left = bar->needed;
    parity[number(at)] ^= 1;
    here->moved = true;
}
inline void arrive(uint64_t *at, uint32_t bytes) {
    mbar *bar = (mbar *)at;
    if (--bar->left < 0) abort();
    bar->bytes += (int32_t)bytes;
    settle(at);
}

/* ---- what happens in the background ---- */

inline void deliver(const copy &c) {
    memcpy(here->shared + c.to, c.from, c.bytes);
    if (!c.bar) return;
    ((mbar *)c.bar)->bytes -= (int32_t)c.bytes;
    settle(c.bar);
}
inline void deliver_due() {
    std::vector<copy> due;
    for (size_t i = 0; i < here->copies.size();)
        if (--here->copies[i].delay <= 0) {
            due.push_back(here->copies[i]);
            here->copies.erase(here->copies.begin() + (ptrdiff_t)i);
        } else {
            i++;
        }
    for (const copy &c : due)
        deliver(c);
    if (!here->copies.empty()) here->moved = true;
}
inline void start_copy(std::vector<copy> &to, const copy &c) {
    if (!now.late) return deliver(c);
    memset(here->shared + c.to, POISON, c.bytes);
    to.push_back(c);
}

/* Runs the products of all but the last `pending` groups. */
inline void finish_products(warp &w, int pending) {
    while (!w.products.empty() && w.products.front().group < w.committed - pending) {
        w.products.front().run(w.products.front());
        w.products.pop_front();
    }
}

/* ---- blocks ---- */

inline void enter() {
    here->kernel(here->argument);
    here->over[here->current] = true;
    here->running--;
    here->moved = true;
    yield();
}

/* Every warp once, in random order, but for some that stand still. */
inline void run_round(block &b) {
    int order[THREADS_MAX / WARP], warps = (b.threads + WARP - 1) / WARP;
    for (int w = 0; w < warps; w++) {
        int other = (int)(draw() % (uint32_t)(w + 1));
        order[w] = order[other];
        order[other] = w;
    }
    for (int w = 0; w < warps; w++) {
        if (draw() % 4 == 0) continue;
        for (int t = order[w] * WARP; t < (order[w] + 1) * WARP && t < b.threads; t++) {
            b.current = t;
            if (!b.over[t]) swapcontext(&b.scheduler, &b.fibers[t]);
        }
    }
}

inline void run_block(block &b) {
    here = &b;
    b.running = b.threads;
    b.stacks = (uint8_t *)malloc((size_t)b.threads * STACK);
    b.shared = (uint8_t *)aligned_alloc(1024, (b.shared_bytes + 1023) / 1024 * 1024);
    if (!b.stacks || !b.shared) abort();
    memset(b.shared, POISON, b.shared_bytes); /* not a number, as fp16 */
    memset(parity, 0, sizeof parity);
    for (int t = 0; t < b.threads; t++) {
        getcontext(&b.fibers[t]);
        b.fibers[t].uc_stack.ss_sp = b.stacks + (size_t)t * STACK;
        b.fibers[t].uc_stack.ss_size = STACK;
        b.fibers[t].uc_link = NULL;
        makecontext(&b.fibers[t], enter, 0);
    }
    for (int still = 0; b.running > 0; still = b.moved ? 0 : still + 1) {
        b.moved = false;
        run_round(b);
        deliver_due();
        if (still > STILL_MAX) {
            fprintf(stderr, "all threads wait for something that will not happen\n");
            abort();
        }
    }
    free(b.stacks);
    free(b.shared);
}

/* A grid, one block after the other. */
template <class KERNEL> void launch(int blocks, int threads, size_t shared_bytes, KERNEL kernel) {
    for (int i = 0; i < blocks; i++) {
        block *b = new block();
        if (threads > THREADS_MAX) abort();
        b->threads = threads, b->index = i, b->count = blocks, b->shared_bytes = shared_bytes;
        b->random = now.seed++;
        b->argument = &kernel;
        b->kernel = [](void *k) { (*(KERNEL *)k)(here->shared); };
        run_block(*b);
        delete b;
    }
}

/* An address in shared memory, checked. */
inline uint8_t *at(uint32_t address, size_t bytes) {
    if (address + bytes > here->shared_bytes || address % bytes % 16) abort();
    return here->shared + address;
}

} // namespace simt
