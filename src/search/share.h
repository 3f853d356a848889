/* What Monte-Carlo searches of the same position in several processes tell each other: the
 * statistics of the top of their trees (as in the cluster modes of MoGo and Fuego), so that
 * together they behave like one larger search. An entry (struct yo_search_entry) names a node by a
 * hash of the game and the moves that lead to it, and has the visits that one search made there
 * since its last entry, with the mean of their values: entries of all searches can be added up.
 *
 * Another thread takes and gives entries at any time. The search's own thread walks down its tree
 * when something is due, adds what others found, and offers what is new in it:
 *
 *     if (yo_share_open(&share, at_end)) {
 *         for each node of the top: slot = yo_share_slot(...); merge; yo_share_offer(...)
 *         yo_share_close(&share);
 *     } */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/random.h"
#include "search/search.h"

/* Sums over visits. Values are 0 for a loss and 1 for a win, of a side that the kind of search
 * fixes; scores are points of the same side. */
struct yo_share_sum {
    double visits, value, score;
};

/* What is known of a node's results: whose they are, and who knows them. */
struct yo_share_slot {
    uint64_t key;                /* 0: the slot is free */
    struct yo_share_sum waiting; /* others' results that are not in the tree yet */
    struct yo_share_sum foreign; /* others' results that are in the tree */
    struct yo_share_sum sent;    /* own results that were sent */
};

struct yo_share_offer {
    struct yo_share_slot *slot;
    struct yo_share_sum news; /* own results that were not sent yet */
};

/* All zero, but for the lock, until the first entries are taken or given. */
struct yo_share {
    pthread_mutex_t lock;
    atomic_bool on;  /* entries were taken or given */
    atomic_bool due; /* there is something to merge, or entries are wanted */
    unsigned number; /* of this search among those of the position */
    uint64_t root;   /* key of its position */
    bool is_new;     /* the root: what its tree has from earlier searches is no news */
    struct yo_share_slot *slots;
    size_t used;
    struct yo_share_offer *offers;
    size_t offer_count;
    struct yo_search_entry *out; /* to be taken */
    size_t out_count, most;      /* most: so many are wanted until the next take */
};

void yo_share_init(struct yo_share *share);
void yo_share_free(struct yo_share *share);

/* Searches with equal kinds understand each other: the same search, and the same evaluator. */
uint64_t yo_share_kind(const char *search, const char *evaluator);

/* ---- by any thread ---- */

/* As yo_search_ops has them. */
size_t yo_share_take(struct yo_share *share, struct yo_search_entry *entries, size_t most);
void yo_share_give(struct yo_share *share, const struct yo_search_entry *entries, size_t count);

static inline bool yo_share_is_on(const struct yo_share *share) {
    return atomic_load_explicit(&share->on, memory_order_relaxed);
}

/* ---- by the search's thread ---- */

/* A search begins. `root` is the game's mark (struct yo_game_mark); `number` that of the limits. */
void yo_share_begin(struct yo_share *share, uint64_t root, unsigned number);
/* False: nothing is due. True: close must follow. At the end of a search entries that were wanted,
 * but did not exist yet, are due again. */
bool yo_share_open(struct yo_share *share, bool at_end);
/* Entries that are wanted are ready after this. */
void yo_share_close(struct yo_share *share);

static inline uint64_t yo_share_child_key(uint64_t parent, yo_move move) {
    uint64_t key = yo_mix64(parent + YO_SPLITMIX_STEP * (move + (uint64_t)1));
    return key ? key : 1;
}

/* The slot of a node; NULL if there is none, or no room for one. */
struct yo_share_slot *yo_share_slot(struct yo_share *share, uint64_t key, bool make);
/* Moves what waits to `foreign`, and returns it for the tree to add. */
struct yo_share_sum yo_share_merge(struct yo_share_slot *slot);
/* `total` is what the tree has of the node now, others' results included. Returns the offer, whose
 * sums may be corrected until close; NULL if there is nothing new. */
struct yo_share_offer *yo_share_offer(struct yo_share *share, struct yo_share_slot *slot,
                                      const struct yo_share_sum *total);
/* Nodes with fewer visits than this are not worth an entry, below a root with so many. */
double yo_share_least(double root_visits);
