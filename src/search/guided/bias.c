/* Corrects the network's values by errors of the same kind. The same exchange of moves is searched
 * in many branches, and the network misjudges it in all of them alike: what the children of a node
 * say beside the node's own value is an error that other nodes after the same last move, with the
 * same surroundings, are likely to share. After KataGo ("subtree value bias correction" in its
 * docs/KataGoMethods.md). */
#include <math.h>

#include "base/alloc.h"
#include "base/random.h"
#include "search/guided/internal.h"

/* A node's error counts with its children's weight to this power: one node of many visits is not
 * many errors. */
#define WEIGHT_POWER 0.85f

/* Of all nodes with one slot: errors times weights, and the weights. */
struct guided_bias_errors {
    atomic_uchar lock;
    _Atomic(float) sum, weight;
};

enum { ENTRIES_MIN = 1 << 10, ENTRIES_MAX = 1 << 19 };

enum yo_err guided_bias_init(struct guided_search *s) {
    size_t entries = ENTRIES_MIN;
    while (entries < ENTRIES_MAX && entries < s->tree.cells.capacity / 8)
        entries *= 2;
    s->bias = yo_alloc(entries, sizeof *s->bias);
    s->bias_mask = (uint32_t)(entries - 1);
    s->tree.has_bias = s->bias != NULL;
    return s->bias ? YO_OK : YO_ERR_NOMEM;
}

void guided_bias_free(struct guided_search *s) { yo_free(s->bias); }

void guided_bias_clear(struct guided_search *s) {
    for (size_t i = 0; s->bias && i <= s->bias_mask; i++) {
        yo_guided_set(&s->bias[i].sum, 0);
        yo_guided_set(&s->bias[i].weight, 0);
    }
}

/* Different keys may have one slot: the table is large, and a wrong correction is small. */
uint32_t guided_bias_slot(const struct guided_search *s, uint64_t key) {
    if (!s->bias || key == 0) return 0;
    uint32_t slot = (uint32_t)yo_mix64(key) & s->bias_mask;
    return slot ? slot : 1;
}

float guided_bias_of(const struct guided_search *s, uint32_t slot) {
    if (!slot) return 0;
    float weight = yo_guided_get(&s->bias[slot].weight);
    return weight > 0.001f ? s->options.value_bias * yo_guided_get(&s->bias[slot].sum) / weight : 0;
}

static void add(struct guided_bias_errors *entry, float sum, float weight) {
    while (atomic_exchange_explicit(&entry->lock, 1, memory_order_acquire)) {
    }
    yo_guided_set(&entry->sum, yo_guided_get(&entry->sum) + sum);
    yo_guided_set(&entry->weight, yo_guided_get(&entry->weight) + weight);
    atomic_store_explicit(&entry->lock, 0, memory_order_release);
}

void guided_bias_learn(const struct guided_search *s, struct yo_guided_node *node,
                       float children_utility, float weight) {
    struct yo_guided_bias *mine = yo_guided_bias(&s->tree, node);
    float counts = powf(weight, WEIGHT_POWER);
    float error = (children_utility - node->own.utility) * counts;
    add(&s->bias[mine->slot], error - mine->error, counts - mine->weight);
    mine->error = error;
    mine->weight = counts;
}
