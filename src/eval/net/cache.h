/* Caches a network's answers by the hash of its inputs, in a fixed amount of memory; a new entry
 * replaces the oldest of a few neighbours. Thread-safe. Answers for another board size replace
 * those that were there. */
#pragma once

#include "eval/eval.h"

/* An answer, in the caller's arrays. */
struct yo_net_record {
    unsigned has; /* of enum yo_eval_want */
    struct yo_eval_value value;
    float *policy; /* logits */
    size_t policy_count;
    uint64_t moves; /* a hash of the moves that the policy is for; 0: it has all entries */
    float *ownership;
    size_t cells;
};

struct yo_net_cache;

/* *cache is NULL if the memory is too small for one answer; NULL is valid and always empty. */
enum yo_err yo_net_cache_new(size_t bytes, struct yo_net_cache **cache);
void yo_net_cache_delete(struct yo_net_cache *cache);
/* Fills the record if the entry exists and has all that is wanted, a policy for the record's moves.
 * The counts give the shape. */
bool yo_net_cache_get(struct yo_net_cache *cache, uint64_t key, unsigned wants,
                      struct yo_net_record *record);
void yo_net_cache_put(struct yo_net_cache *cache, uint64_t key, const struct yo_net_record *record);
