/* Deep entries of the table, for searches of the same kind in other processes: a ring of those that
 * were stored last. Threads of the search put entries in, another thread takes them out. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "search/alphabeta/table.h"
#include "search/search.h"

struct ab_exchange {
    atomic_bool wanted; /* set by the first take: until then nothing is put in */
    atomic_int least;   /* depth of an entry that is put in; so that the ring is not overrun */
    pthread_mutex_t lock;
    struct yo_search_entry *ring;
    uint64_t put, taken; /* since the beginning */
};

enum yo_err yo_ab_exchange_init(struct ab_exchange *exchange);
void yo_ab_exchange_free(struct ab_exchange *exchange);
/* Shallow entries are passed over: of a ply at least, of more where many come. */
void yo_ab_exchange_put(struct ab_exchange *exchange, uint64_t key, const struct ab_entry *entry);
/* The deepest of the entries since the last call, at most so many. */
size_t yo_ab_exchange_take(struct ab_exchange *exchange, struct yo_search_entry *entries,
                           size_t most);
/* Stores what others have found, unless the table knows better. */
void yo_ab_exchange_give(struct ab_table *table, const struct yo_search_entry *entries,
                         size_t count);
