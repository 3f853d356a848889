/* Thousands of games of self-play at once on one network. Games stand in groups of one board size;
 * each group is one batch of the network. While a batch runs, threads step the games of the other
 * groups: they read the answers, visit the trees, and write the inputs of the next leaves straight
 * into the group's batch. */
#pragma once

#include <stdatomic.h>

#include "eval/net/backend.h"
#include "learn/netplay/game.h"

#define YO_NETPLAY_GROUPS_MAX 64

struct yo_netplay_run {
    struct yo_netplay_settings settings;
    struct yo_net *net;   /* stays the caller's */
    struct yo_net *other; /* settings.match: the second network, likewise; else NULL */
    uint32_t net_id;
    const struct yo_net_backend *backend;
    const struct yo_net_backend *other_backend; /* of the second network; NULL: the same */
    struct yo_notices notices;                  /* receives notices of lost devices */
    const int *sizes; /* of the groups, in turn: a size named twice gets twice the evaluations */
    int size_count;
    int groups; /* at least one; each has at_once / groups games */
    int at_once;
    int threads;      /* that step games */
    int eval_threads; /* that run batches: so many are on their way at once */
    uint64_t games;   /* to begin; 0: no limit */
    /* Records are appended to the file. On a stop unfinished games go to PATH.pending, from where a
     * later run takes them up. NULL: nothing is kept. */
    const char *path;
    /* Receives the record of each game that has ended, from several threads at once. May be NULL.
     */
    void (*ended)(void *user, const struct yo_netplay_record *record);
    const atomic_bool *stop;
    /* Called by a thread about once a second and at the end. May be NULL. */
    void (*progress)(void *user, const struct yo_netplay_counts *counts);
    void *user;
};

/* Fills in what is 0 of groups, at_once, threads and eval_threads, as suits backend and games. */
void yo_netplay_run_fit(struct yo_netplay_run *run);
/* Runs until all games are played, or *stop. */
enum yo_err yo_netplay_run(const struct yo_netplay_run *run, struct yo_netplay_counts *counts,
                           struct yo_diag *diag);
