#include "search/share.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"

enum {
    SLOTS = 1 << 13,
    SLOTS_USED = SLOTS / 4 * 3,
    OUT_MAX = 1024,
    /* The parts of an entry's data, from the lowest bit on. */
    VALUE_BITS = 16,
    SCORE_BITS = 16,
    VISITS_BITS = 22,
    NUMBER_BITS = 10,
};

#define VALUE_ONE  65535.0
#define SCORE_ONE  64.0
#define SCORE_ZERO 32768.0
#define VISITS_MAX (((uint64_t)1 << VISITS_BITS) - 1)
#define NUMBER_MAX (((uint64_t)1 << NUMBER_BITS) - 1)

/* ---- entries ---- */

static double within(double x, double low, double high) {
    return x > low ? x < high ? x : high : low; /* not a number: low */
}

static uint64_t pack(const struct yo_share_sum *news, unsigned number) {
    double n = news->visits;
    uint64_t value = (uint64_t)(within(news->value / n, 0, 1) * VALUE_ONE + 0.5);
    uint64_t score =
        (uint64_t)within(news->score / n * SCORE_ONE + SCORE_ZERO + 0.5, 0, 2 * SCORE_ZERO - 1);
    return value | score << VALUE_BITS | (uint64_t)n << (VALUE_BITS + SCORE_BITS) |
           (number & NUMBER_MAX) << (VALUE_BITS + SCORE_BITS + VISITS_BITS);
}

static struct yo_share_sum unpack(uint64_t data, unsigned *number) {
    double visits = (double)(data >> (VALUE_BITS + SCORE_BITS) & VISITS_MAX);
    *number = (unsigned)(data >> (VALUE_BITS + SCORE_BITS + VISITS_BITS));
    return (struct yo_share_sum){
        .visits = visits,
        .value = visits * (double)(data & 0xffff) / VALUE_ONE,
        .score = visits * ((double)(data >> VALUE_BITS & 0xffff) - SCORE_ZERO) / SCORE_ONE};
}

static void add(struct yo_share_sum *to, const struct yo_share_sum *more) {
    to->visits += more->visits;
    to->value += more->value;
    to->score += more->score;
}

/* ---- life ---- */

void yo_share_init(struct yo_share *share) {
    *share = (struct yo_share){0};
    pthread_mutex_init(&share->lock, NULL);
}

void yo_share_free(struct yo_share *share) {
    pthread_mutex_destroy(&share->lock);
    yo_free(share->slots);
    yo_free(share->offers);
    yo_free(share->out);
}

/* There is always room for the root. */
static void forget(struct yo_share *share) {
    for (size_t i = 0; i < SLOTS; i++)
        share->slots[i] = (struct yo_share_slot){0};
    share->used = share->offer_count = share->out_count = 0;
    yo_share_slot(share, share->root, true);
}

/* Under the lock. A search that is alone never gets here. */
static bool prepare(struct yo_share *share) {
    bool first = !share->slots;
    if (!share->slots) share->slots = yo_alloc(SLOTS, sizeof *share->slots);
    if (!share->offers) share->offers = yo_alloc(SLOTS, sizeof *share->offers);
    if (!share->out) share->out = yo_alloc(OUT_MAX, sizeof *share->out);
    bool good = share->slots && share->offers && share->out;
    if (good && first) forget(share);
    atomic_store_explicit(&share->on, good, memory_order_relaxed);
    return good;
}

uint64_t yo_share_kind(const char *search, const char *evaluator) {
    enum { VERSION = 1 };
    const char *const parts[] = {search, evaluator};
    uint64_t kind = VERSION;
    for (size_t i = 0; i < 2; i++) {
        for (const char *c = parts[i]; *c; c++)
            kind = yo_mix64(kind + YO_SPLITMIX_STEP + (unsigned char)*c);
        kind = yo_mix64(kind + YO_SPLITMIX_STEP);
    }
    return kind ? kind : 1;
}

/* ---- the other thread ---- */

size_t yo_share_take(struct yo_share *share, struct yo_search_entry *entries, size_t most) {
    size_t count = 0;
    pthread_mutex_lock(&share->lock);
    if (prepare(share)) {
        for (; count < share->out_count && count < most; count++)
            entries[count] = share->out[count];
        share->out_count = 0;
        share->most = most < OUT_MAX ? most : OUT_MAX;
        atomic_store(&share->due, true);
    }
    pthread_mutex_unlock(&share->lock);
    return count;
}

void yo_share_give(struct yo_share *share, const struct yo_search_entry *entries, size_t count) {
    pthread_mutex_lock(&share->lock);
    for (size_t i = 0; prepare(share) && i < count; i++) {
        unsigned number;
        struct yo_share_sum sum = unpack(entries[i].data, &number);
        if (number == (share->number & NUMBER_MAX) || sum.visits == 0) continue;
        struct yo_share_slot *slot = yo_share_slot(share, entries[i].key, true);
        if (!slot) continue;
        add(&slot->waiting, &sum);
        atomic_store(&share->due, true);
    }
    pthread_mutex_unlock(&share->lock);
}

/* ---- the search's thread ---- */

void yo_share_begin(struct yo_share *share, uint64_t root, unsigned number) {
    pthread_mutex_lock(&share->lock);
    share->number = number;
    if (root != share->root) {
        share->root = root;
        share->is_new = true;
        if (share->slots) forget(share);
        if (share->slots) atomic_store(&share->due, true);
    }
    pthread_mutex_unlock(&share->lock);
}

bool yo_share_open(struct yo_share *share, bool at_end) {
    bool due = atomic_load_explicit(&share->due, memory_order_relaxed);
    if (!due && !(at_end && yo_share_is_on(share))) return false;
    pthread_mutex_lock(&share->lock);
    atomic_store(&share->due, false);
    share->offer_count = 0;
    return true;
}

static int by_visits(const void *a, const void *b) {
    const struct yo_share_offer *x = a, *y = b;
    if (x->news.visits != y->news.visits) return x->news.visits < y->news.visits ? 1 : -1;
    return x->slot->key < y->slot->key ? -1 : x->slot->key > y->slot->key;
}

/* The most visited first: a node comes before those below it. */
void yo_share_close(struct yo_share *share) {
    share->is_new = false;
    qsort(share->offers, share->offer_count, sizeof *share->offers, by_visits);
    for (size_t i = 0; share->out_count < share->most && i < share->offer_count; i++) {
        struct yo_share_offer *offer = &share->offers[i];
        if (offer->news.visits > (double)VISITS_MAX) continue;
        share->out[share->out_count++] =
            (struct yo_search_entry){offer->slot->key, pack(&offer->news, share->number)};
        add(&offer->slot->sent, &offer->news);
    }
    pthread_mutex_unlock(&share->lock);
}

struct yo_share_slot *yo_share_slot(struct yo_share *share, uint64_t key, bool make) {
    size_t at = (size_t)key % SLOTS;
    if (key == 0) return NULL;
    while (share->slots[at].key && share->slots[at].key != key)
        at = (at + 1) % SLOTS;
    if (share->slots[at].key) return &share->slots[at];
    if (!make || share->used == SLOTS_USED) return NULL;
    share->used++;
    share->slots[at].key = key;
    return &share->slots[at];
}

struct yo_share_sum yo_share_merge(struct yo_share_slot *slot) {
    struct yo_share_sum waiting = slot->waiting;
    add(&slot->foreign, &waiting);
    slot->waiting = (struct yo_share_sum){0};
    return waiting;
}

struct yo_share_offer *yo_share_offer(struct yo_share *share, struct yo_share_slot *slot,
                                      const struct yo_share_sum *total) {
    struct yo_share_sum news = {total->visits - slot->foreign.visits - slot->sent.visits,
                                total->value - slot->foreign.value - slot->sent.value,
                                total->score - slot->foreign.score - slot->sent.score};
    if (share->is_new) {
        add(&slot->sent, &news);
        return NULL;
    }
    if (news.visits < 1 || share->offer_count == SLOTS) return NULL;
    struct yo_share_offer *offer = &share->offers[share->offer_count++];
    *offer = (struct yo_share_offer){slot, news};
    return offer;
}

double yo_share_least(double root_visits) {
    const double least = 1, parts = 256;
    return fmax(least, root_visits / parts);
}
