#include "cluster/copy.h"

#include <string.h>

#include "base/alloc.h"

static bool make_room(struct yo_copy *c, size_t moves, size_t pv) {
    if (moves > c->move_room) {
        void *grown = yo_realloc(c->moves, moves, sizeof *c->moves);
        if (!grown) return false;
        c->moves = grown;
        c->move_room = moves;
    }
    if (pv > c->pv_room) {
        void *grown = yo_realloc(c->pv, pv, sizeof *c->pv);
        if (!grown) return false;
        c->pv = grown;
        c->pv_room = pv;
    }
    return true;
}

enum yo_err yo_copy_result(struct yo_copy *c, const struct yo_search_result *from,
                           struct yo_search_result *result) {
    size_t pv = 0;
    for (size_t i = 0; i < from->move_count; i++)
        pv += from->moves[i].pv_count;
    if (!make_room(c, from->move_count, pv)) return YO_ERR_NOMEM;
    pv = 0;
    for (size_t i = 0; i < from->move_count; i++) {
        struct yo_search_move *m = &c->moves[i];
        *m = from->moves[i];
        m->pv_visits = NULL;
        m->ownership = NULL;
        if (m->pv_count) memcpy(c->pv + pv, m->pv, m->pv_count * sizeof *m->pv);
        m->pv = c->pv + pv;
        pv += m->pv_count;
    }
    *result = *from;
    result->moves = c->moves;
    result->priors = NULL;
    result->prior_count = 0;
    result->ownership = NULL;
    return YO_OK;
}

void yo_copy_free(struct yo_copy *c) {
    yo_free(c->moves);
    yo_free(c->pv);
    *c = (struct yo_copy){0};
}
