/* The basic type of the GPU kernels: a `word` is one 32-bit number in each of the 32 lanes of a
 * warp. Compiled by nvcc it is a plain register; compiled by a C++ compiler for the host it is an
 * array of 32, so that tests run the same kernel source lane by lane without a GPU.
 *
 * Code in terms of words must not branch on a single lane; `any` is the only way from a word to a
 * branch. */
#pragma once

#include <stdint.h>

/* On the device arrays must be indexed by constants to stay in registers. */
#ifdef __CUDACC__
#define UNROLL    _Pragma("unroll")
#define NO_UNROLL _Pragma("unroll 1")
#else
#define UNROLL
#define NO_UNROLL
#endif

#ifdef __CUDACC__

#define WW        __device__ __forceinline__
#define WW_METHOD __device__ __forceinline__
typedef uint32_t word;
#define WW_FULL 0xffffffffu

WW uint32_t ww_lane() { return threadIdx.x & 31; }
/* All ones in the lanes where a condition holds. */
WW word ww_mask(bool condition) { return condition ? 0xffffffffu : 0; }
WW word ww_up(word x, int by) { return __shfl_up_sync(WW_FULL, x, by); }
WW word ww_down(word x, int by) { return __shfl_down_sync(WW_FULL, x, by); }
WW word ww_swap(word x, int bit) { return __shfl_xor_sync(WW_FULL, x, bit); }
WW word ww_from(word x, word lane) { return __shfl_sync(WW_FULL, x, lane); }
/* One lane's value, the same in all. */
WW uint32_t ww_read(word x, int lane) { return __shfl_sync(WW_FULL, x, lane); }
WW bool ww_any(word x) { return __any_sync(WW_FULL, x != 0); }
/* In any warp of the block; a barrier too, so that all of them must call it. The vote makes known
 * to the compiler that the lanes of a warp agree: without it, the compiler guards every later
 * shuffle. */
WW bool ww_any_in_block(word x) { return __any_sync(WW_FULL, __syncthreads_or(x != 0)); }
WW uint32_t ww_ballot(word x) { return __ballot_sync(WW_FULL, x != 0); }
WW word ww_popcount(word x) { return __popc(x); }
WW word ww_equal(word x, word y) { return ww_mask(x == y); }
WW word ww_below(word x, word y) { return ww_mask(x < y); }
WW void ww_sync() { __syncwarp(); }
WW uint32_t ww_count(uint32_t x) { return __popc(x); }
WW word ww_lower(word lane) { return (1u << lane) - 1; } /* bits below the lane's own */
/* The lowest bit that is set; some bit if none is. */
WW word ww_first(word x) { return (uint32_t)(__ffs((int)x) - 1) & 31; }
/* All ones in the lanes whose bit is set. */
WW word ww_bit(uint32_t bits) { return ww_mask(bits >> ww_lane() & 1); }
/* Which lanes have the same value, among those in `where`. */
WW word ww_match(word x, word where) {
    return __match_any_sync(WW_FULL, x) & __ballot_sync(WW_FULL, where != 0);
}

template <class T> WW word ww_load(const T *from, word index) { return from[index]; }
template <class T> WW void ww_store(T *to, word index, word value, word where) {
    if (where) to[index] = value;
}
template <class T> WW void ww_add(T *to, word index, word value, word where) {
    if (where) atomicAdd(&to[index], (T)value);
}
/* Takes `count` numbers from a counter that all warps share; returns the first. */
WW unsigned long long ww_take(unsigned long long *counter, uint32_t count) {
    unsigned long long first = 0;
    if (ww_lane() == 0) first = atomicAdd(counter, (unsigned long long)count);
    uint32_t low = ww_read((uint32_t)first, 0), high = ww_read((uint32_t)(first >> 32), 0);
    return (unsigned long long)high << 32 | low;
}

#else

#define WW static inline
#define WW_METHOD

struct word {
    uint32_t v[32];
    word() {}
    word(uint32_t x) {
        for (int i = 0; i < 32; i++)
            v[i] = x;
    }
};

#define WW_EACH(expression)                                                                        \
    word r;                                                                                        \
    for (int i = 0; i < 32; i++)                                                                   \
        r.v[i] = (expression);                                                                     \
    return r
static inline word operator&(word a, word b) { WW_EACH(a.v[i] & b.v[i]); }
static inline word operator|(word a, word b) { WW_EACH(a.v[i] | b.v[i]); }
static inline word operator^(word a, word b) { WW_EACH(a.v[i] ^ b.v[i]); }
static inline word operator+(word a, word b) { WW_EACH(a.v[i] + b.v[i]); }
static inline word operator-(word a, word b) { WW_EACH(a.v[i] - b.v[i]); }
static inline word operator*(word a, word b) { WW_EACH(a.v[i] * b.v[i]); }
static inline word operator~(word a) { WW_EACH(~a.v[i]); }
static inline word operator<<(word a, int n) { WW_EACH(a.v[i] << n); }
static inline word operator>>(word a, int n) { WW_EACH(a.v[i] >> n); }
static inline word operator>>(word a, word n) { WW_EACH(a.v[i] >> n.v[i]); }
static inline word &operator&=(word &a, word b) { return a = a & b; }
static inline word &operator|=(word &a, word b) { return a = a | b; }
static inline word &operator^=(word &a, word b) { return a = a ^ b; }
static inline word &operator+=(word &a, word b) { return a = a + b; }

WW word ww_lane() { WW_EACH((uint32_t)i); }
WW word ww_up(word x, int by) { WW_EACH(i >= by ? x.v[i - by] : x.v[i]); }
WW word ww_down(word x, int by) { WW_EACH(i + by < 32 ? x.v[i + by] : x.v[i]); }
WW word ww_swap(word x, int bit) { WW_EACH(x.v[i ^ bit]); }
WW word ww_from(word x, word lane) { WW_EACH(x.v[lane.v[i] & 31]); }
WW uint32_t ww_read(word x, int lane) { return x.v[lane & 31]; }
WW uint32_t ww_ballot(word x) {
    uint32_t bits = 0;
    for (int i = 0; i < 32; i++)
        bits |= (uint32_t)(x.v[i] != 0) << i;
    return bits;
}
WW bool ww_any(word x) { return ww_ballot(x) != 0; }
WW bool ww_any_in_block(word x) { return ww_any(x); }
WW word ww_popcount(word x) { WW_EACH((uint32_t)__builtin_popcount(x.v[i])); }
WW word ww_equal(word x, word y) { WW_EACH(x.v[i] == y.v[i] ? 0xffffffffu : 0); }
WW word ww_below(word x, word y) { WW_EACH(x.v[i] < y.v[i] ? 0xffffffffu : 0); }
WW void ww_sync() {}
WW uint32_t ww_count(uint32_t x) { return (uint32_t)__builtin_popcount(x); }
WW word ww_lower(word lane) { WW_EACH((1u << lane.v[i]) - 1); }
WW word ww_first(word x) { WW_EACH(x.v[i] ? (uint32_t)__builtin_ctz(x.v[i]) : 31); }
WW word ww_bit(uint32_t bits) { WW_EACH(bits >> i & 1 ? 0xffffffffu : 0); }
WW word ww_match(word x, word where) {
    word r;
    for (int i = 0; i < 32; i++) {
        r.v[i] = 0;
        for (int k = 0; k < 32; k++)
            r.v[i] |= (uint32_t)(where.v[k] && x.v[k] == x.v[i]) << k;
    }
    return r;
}

template <class T> WW word ww_load(const T *from, word index) {
    WW_EACH((uint32_t)from[index.v[i]]);
}
template <class T> WW void ww_store(T *to, word index, word value, word where) {
    for (int i = 0; i < 32; i++)
        if (where.v[i]) to[index.v[i]] = (T)value.v[i];
}
template <class T> WW void ww_add(T *to, word index, word value, word where) {
    for (int i = 0; i < 32; i++)
        if (where.v[i]) to[index.v[i]] += (T)value.v[i];
}
WW unsigned long long ww_take(unsigned long long *counter, uint32_t count) {
    unsigned long long first = *counter;
    *counter += count;
    return first;
}
#undef WW_EACH

#endif

WW word ww_select(word mask, word yes, word no) { return (mask & yes) | (~mask & no); }
WW word ww_majority(word a, word b, word c) { return (a & b) | (c & (a | b)); }
/* The borrow of a - b - c. */
WW word ww_less(word a, word b, word c) { return (~a & b) | (c & ~(a ^ b)); }

/* Bit j of lane i becomes bit i of lane j. */
WW word ww_transpose(word x) {
    const uint32_t masks[5] = {0x55555555u, 0x33333333u, 0x0f0f0f0fu, 0x00ff00ffu, 0x0000ffffu};
    UNROLL for (int step = 0; step < 5; step++) {
        const int by = 1 << step;
        const uint32_t low = masks[step];
        word other = ww_swap(x, by);
        word upper = ww_equal(ww_lane() & word(by), word(by)); /* lanes with that bit set */
        x = ww_select(upper, (x & word(~low)) | ((other >> by) & word(low)),
                      (x & word(low)) | ((other << by) & word(~low)));
    }
    return x;
}
