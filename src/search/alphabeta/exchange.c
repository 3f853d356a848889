#include "search/alphabeta/exchange.h"

#include "base/alloc.h"
#include "search/alphabeta/alphabeta.h"

enum {
    ROOM = 4096,  /* entries; when more come, the oldest are lost */
    DEPTHS = 512, /* parts of a ply that are counted one by one */
};

enum yo_err yo_ab_exchange_init(struct ab_exchange *x) {
    x->ring = yo_alloc(ROOM, sizeof *x->ring);
    if (!x->ring) return YO_ERR_NOMEM;
    atomic_init(&x->wanted, false);
    atomic_init(&x->least, YO_AB_PLY);
    pthread_mutex_init(&x->lock, NULL);
    x->put = x->taken = 0;
    return YO_OK;
}

void yo_ab_exchange_free(struct ab_exchange *x) {
    if (!x->ring) return;
    pthread_mutex_destroy(&x->lock);
    yo_free(x->ring);
}

void yo_ab_exchange_put(struct ab_exchange *x, uint64_t key, const struct ab_entry *entry) {
    if (!atomic_load_explicit(&x->wanted, memory_order_relaxed)) return;
    if (entry->depth < atomic_load_explicit(&x->least, memory_order_relaxed)) return;
    pthread_mutex_lock(&x->lock);
    x->ring[x->put++ % ROOM] = (struct yo_search_entry){key, yo_ab_table_pack(entry)};
    pthread_mutex_unlock(&x->lock);
}

static int depth_of(const struct yo_search_entry *e) {
    int depth = yo_ab_table_unpack(e->data).depth * 4 / YO_AB_PLY;
    return depth < DEPTHS ? depth : DEPTHS - 1;
}

/* The depth from which on there are at most so many entries; all if they fit. */
static int least_depth(const struct ab_exchange *x, size_t most) {
    size_t counts[DEPTHS] = {0}, sum = 0;
    for (uint64_t i = x->taken; i < x->put; i++)
        counts[depth_of(&x->ring[i % ROOM])]++;
    int depth = DEPTHS;
    while (depth > 0 && sum + counts[depth - 1] <= most)
        sum += counts[--depth];
    return depth;
}

/* A slow search has few entries, and shallow ones among them are worth a message; in a fast one
 * they would push the deep ones out of the ring. */
static void adapt(struct ab_exchange *x, uint64_t came) {
    int least = atomic_load_explicit(&x->least, memory_order_relaxed);
    if (came > ROOM / 2) least += YO_AB_PLY;
    if (came < ROOM / 8 && least > YO_AB_PLY) least -= YO_AB_PLY;
    atomic_store_explicit(&x->least, least, memory_order_relaxed);
}

size_t yo_ab_exchange_take(struct ab_exchange *x, struct yo_search_entry *entries, size_t most) {
    size_t count = 0;
    atomic_store_explicit(&x->wanted, true, memory_order_relaxed);
    pthread_mutex_lock(&x->lock);
    adapt(x, x->put - x->taken);
    if (x->put - x->taken > ROOM) x->taken = x->put - ROOM;
    int least = least_depth(x, most);
    for (uint64_t i = x->taken; i < x->put; i++)
        if (depth_of(&x->ring[i % ROOM]) >= least) entries[count++] = x->ring[i % ROOM];
    x->taken = x->put;
    pthread_mutex_unlock(&x->lock);
    return count;
}

/* None, or a move that some position could have: the search looks at the squares of a move from the
 * table before it knows that the move fits. */
static bool is_move(yo_shogi_move move) {
    if (move & 0x8000 || shogi_to(move) >= YO_SHOGI_SQUARES) return false;
    return !shogi_is_drop(move) || (shogi_dropped(move) <= YO_SHOGI_ROOK && !shogi_promotes(move));
}

/* A wrong entry can mislead a search, as one of a search with a bug would, but no more: moves from
 * the table are checked before they are played. */
void yo_ab_exchange_give(struct ab_table *table, const struct yo_search_entry *entries,
                         size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct ab_entry e = yo_ab_table_unpack(entries[i].data), known;
        if (e.bound == AB_NONE || !is_move(e.move)) continue;
        if (e.score > YO_AB_MATE || e.score < -YO_AB_MATE) continue;
        if (yo_ab_table_find(table, entries[i].key, &known) && known.depth >= e.depth) continue;
        yo_ab_table_store(table, entries[i].key, &e);
    }
}
