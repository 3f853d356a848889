/* The nodes of a tree by the keys of their positions, so that edges from several nodes can lead to
 * one. An entry counts the edges that do: its node can be freed when there is none. All functions
 * but init, free and clear may be called from any thread. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "search/guided/cells.h"
#include "yomi/error.h"

struct yo_join {
    uint64_t key; /* 0: the entry is free */
    yo_cell node;
    uint32_t uses; /* edges that lead to the node */
    uint32_t walk; /* the last walk that has met it */
};

enum { YO_JOINS_LOCKS = 64 };

struct yo_joins {
    struct yo_join *entries; /* NULL: no node is joined */
    uint32_t mask;           /* entries less one */
    uint32_t walk;           /* number of the last walk */
    uint32_t alive;          /* nodes that no walk has met since this one are not found */
    atomic_bool used;
    atomic_uchar locks[YO_JOINS_LOCKS];
};

/* A good number of entries for a tree of so many bytes. */
size_t yo_joins_room(size_t bytes);
enum yo_err yo_joins_init(struct yo_joins *joins, size_t entries);
void yo_joins_free(struct yo_joins *joins);
void yo_joins_clear(struct yo_joins *joins);

/* One more edge leads to the node with this key, not 0: *node if there is none yet. Sets *node to
 * it and returns its entry; 0 if there is no room. */
uint32_t yo_joins_hold(struct yo_joins *joins, uint64_t key, yo_cell *node);
/* One edge less leads to it. True: it was the last one, and the entry is gone. */
bool yo_joins_release(struct yo_joins *joins, uint32_t entry);

/* ---- by one thread, while no other uses the tree ---- */

/* A walk through the tree begins. It meets each node once if it asks first. */
void yo_joins_begin_walk(struct yo_joins *joins);
/* False: this walk was there. */
bool yo_joins_meet(struct yo_joins *joins, uint32_t entry);
/* No node is found any more, until a walk has met it. */
void yo_joins_forget(struct yo_joins *joins);
