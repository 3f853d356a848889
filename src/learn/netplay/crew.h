/* The threads of a run of self-play: those that step games, and those that run batches. */
#pragma once

#include <pthread.h>

#include "eval/net/runner.h"
#include "learn/netplay/run.h"
#include "learn/netplay/store.h"

struct yo_netplay_group {
    int size, count;
    struct yo_netplay_game *games;
    struct yo_net_runner *runners[2]; /* the second in a match only */
    atomic_int next;                  /* game to step; count and more: none left */
    atomic_int left;                  /* games not stepped */
    atomic_int rows[2];               /* of the batches that are filled */
    bool in_batch;                    /* queued or running; under the lock */
    struct yo_netplay_group *after;
};

struct yo_netplay_crew {
    const struct yo_netplay_run *wanted;
    struct yo_netplay_settings settings;
    int largest; /* board size */
    struct yo_net_program programs[2];
    int nets; /* 1, or 2 in a match */
    struct yo_netplay_group groups[YO_NETPLAY_GROUPS_MAX];
    int group_count;
    struct yo_netplay_scratch *scratch; /* one a stepping thread */
    struct yo_netplay_store store;
    atomic_uint_fast64_t begun;
    atomic_int active; /* games that are not idle */
    atomic_int over;   /* nothing more to do, stopped, or failed */

    pthread_mutex_t lock;
    pthread_cond_t filled, answered;
    struct yo_netplay_group *first, *last; /* filled batches that no thread runs yet */
    int64_t reported_ms;
    struct yo_netplay_counts counts; /* of all threads, as last reported */
    enum yo_err err;
    struct yo_diag diag;
};

/* Gives the game of this group a pending game, or a new one, or none. */
enum yo_err yo_netplay_crew_begin(struct yo_netplay_crew *crew,
                                  const struct yo_netplay_group *group, struct yo_netplay_game *g,
                                  struct yo_diag *diag);
/* Plays all games, or until *stop. */
enum yo_err yo_netplay_crew_play(struct yo_netplay_crew *crew, struct yo_diag *diag);
