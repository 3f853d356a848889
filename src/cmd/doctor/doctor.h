/* The parts of `yomi doctor`. */
#pragma once

#include "base/buf.h"
#include "engine/kinds.h"

/* selftest.c: runs every backend that is available and compares it with the reference; adds a line
 * for each. Returns how many failed. */
int yo_doctor_self_test(struct yo_buf *out);

/* tune.c: settings for the searches of one game. */
struct yo_doctor_settings {
    int threads;
    int leaves; /* Go on a network: leaves a thread sends together; 0: leave the choice to Yomi */
};
/* Measures for about `seconds`, and adds a table. */
enum yo_err yo_doctor_tune(enum yo_session_game game, double seconds,
                           struct yo_doctor_settings *best, struct yo_buf *out,
                           struct yo_diag *diag);
