/* Answers of a network by the hash of its inputs, within a fixed amount of memory; the oldest of a
 * few neighbours makes room. Used by many threads at once. Answers for boards of another size take
 * the place of those that were there. */
#pragma once

#include "eval/eval.h"

/* An answer, in the caller's arrays. */
struct yo_net_record {
    unsigned has; /* of enum yo_eval_want */
    struct yo_eval_value value;
    float *policy; /* logits */
    size_t policy_count;
    float *ownership;
    size_t cells;
};

struct yo_net_cache;

/* *cache is NULL for less memory than an answer needs: that is a cache which never has one. */
enum yo_err yo_net_cache_new(size_t bytes, struct yo_net_cache **cache);
void yo_net_cache_delete(struct yo_net_cache *cache);
/* Fills the record if it is there and has all that is wanted. The counts say what shape is meant.
 */
bool yo_net_cache_get(struct yo_net_cache *cache, uint64_t key, unsigned wants,
                      struct yo_net_record *record);
void yo_net_cache_put(struct yo_net_cache *cache, uint64_t key, const struct yo_net_record *record);
