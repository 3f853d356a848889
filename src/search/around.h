/* A search around another one, for what a game adds: it has the name, the limits and the entries of
 * the inner search, and a run of its own. */
#pragma once

#include "search/search.h"

/* The first member of the outer search's context. */
struct yo_search_around {
    struct yo_search_ops ops;
    struct yo_search inner;
};

/* The search to hand out. `outer` gives run and destroy; destroy has to destroy the inner search.
 */
struct yo_search yo_search_around_new(struct yo_search_around *around, struct yo_search inner,
                                      const struct yo_search_ops *outer);
