/* What positions of shogi are worth by alpha-beta's own searches, on threads: labels that know more
 * than the network that searched. */
#pragma once

#include "game/shogi/packed.h"

struct yo_shogi_net;

struct yo_searched_how {
    const struct yo_shogi_net *net; /* NULL: material */
    uint64_t nodes;                 /* of each search */
    double share;                   /* 0..1: how much they count; the rest is the old score */
    int threads;
    /* If given, hears now and then how many are done; by one thread at a time. */
    void (*told)(void *user, size_t done);
    void *user;
};

/* Gives `count` samples the scores of searches for their side to move; mates as yo_ab_score has
 * them, whatever the share. The same samples get the same scores on any number of threads. A
 * position without a legal move keeps its score. name is for messages. */
enum yo_err yo_searched_scores(const struct yo_searched_how *how, uint8_t *samples, size_t count,
                               const char *name, struct yo_diag *diag);
