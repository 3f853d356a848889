/* Fits a network to positions: Adam with a learning rate that climbs shortly and falls along half
 * a cosine, on threads. The same positions, settings and number of threads give the same network.
 */
#pragma once

#include "learn/network/positions.h"

struct yo_fit_settings {
    int epochs, batch, threads;
    double rate;  /* the highest learning rate */
    double decay; /* pull towards zero of weights that belong to single inputs */
    float cp;     /* hundredths of a pawn to a logit of 1 */
    uint64_t seed;
};

struct yo_fit_losses {
    double learned; /* the mean while learning; 0 before the first epoch */
    double held;    /* of the positions held out */
    double results; /* cross entropy of the games' results there */
};

struct yo_fit_watcher {
    /* Called after each epoch, and before the first with epoch 0. */
    void (*epoch)(void *user, int epoch, const struct yo_fit_losses *losses);
    void (*step)(void *user, size_t done, size_t total);
    void *user;
};

/* Learns on from *params; leaves the state of the epoch with the smallest loss held out. */
enum yo_err yo_fit_run(struct fit_params *params, const struct fit_set *set,
                       const struct yo_fit_settings *settings, const struct yo_fit_watcher *watcher,
                       struct yo_fit_losses *best, struct yo_diag *diag);
