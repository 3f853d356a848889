/* A copy of a search result that stays when the original changes. Zeroed: empty. */
#pragma once

#include "search/search.h"

struct yo_copy {
    struct yo_search_move *moves;
    yo_move *pv;
    size_t move_room, pv_room;
};

/* *result gets the copy of moves and PVs, without priors, ownership and visits of PV moves; it is
 * valid until the next call. */
enum yo_err yo_copy_result(struct yo_copy *copy, const struct yo_search_result *from,
                           struct yo_search_result *result);
void yo_copy_free(struct yo_copy *copy);
