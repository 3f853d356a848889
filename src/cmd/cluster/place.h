/* Where `yomi cluster up` keeps what it started on this machine: a folder of the user's own with
 * the numbers of the processes and their logs. */
#pragma once

#include <stdint.h>
#include <sys/types.h>

#include "base/option.h"

enum { YO_PLACE_PATH = 400 };

struct yo_place {
    char folder[YO_PLACE_PATH];
};

/* The folder of the cluster that the options name. make: makes it, and waits until no other process
 * that does so has it open. */
enum yo_err yo_place_open(const struct yo_options *options, bool make, struct yo_place *place,
                          struct yo_diag *diag);
/* "broker", "worker-go-1": a process that was started; 0 if there is none, or it has ended. A
 * number that another program has got meanwhile is none. */
pid_t yo_place_process(const struct yo_place *place, const char *what);
/* Starts a program in the background, its output to a log in the folder. argv ends with NULL. */
enum yo_err yo_place_start(const struct yo_place *place, const char *what, const char *const *argv,
                           struct yo_diag *diag);
/* Asks it to end, and does not wait. Whether it was there. */
bool yo_place_ask(const struct yo_place *place, const char *what);
/* Asks it to end, and kills it if it does not within this time. */
void yo_place_end(const struct yo_place *place, const char *what, int64_t wait_ms);
