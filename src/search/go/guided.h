/* What Go adds to a search on a network: how games end, which moves of the root are useless, and
 * which decide a fight. */
#pragma once

#include "search/guided/guided.h"

/* Needs no freeing. playouts: for ownership and for reading; ops NULL: none of both. reading: look
 * for vital points before a search for a move to play. */
struct yo_guided_hooks yo_go_guided_hooks(struct yo_eval playouts, bool reading);
