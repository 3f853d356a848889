/* A list of pieces of work as the source that backends of playouts take them from. */
#pragma once

#include "eval/playout/backend.h"

struct piece_list {
    const struct yo_playout_piece *pieces;
    int count, next;
};

static inline bool piece_list_next(void *ctx, struct yo_playout_piece *piece) {
    struct piece_list *list = ctx;
    if (list->next >= list->count) return false;
    *piece = list->pieces[list->next++];
    return true;
}
