/* What Go adds to a search on a network: how games end, and which moves of the root are useless. */
#pragma once

#include "search/guided/guided.h"

/* Needs no freeing. playouts: for ownership; ops NULL: none. */
struct yo_guided_hooks yo_go_guided_hooks(struct yo_eval playouts);
