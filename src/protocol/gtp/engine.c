/* The session behind the GTP commands that search. */
#include <unistd.h>

#include "protocol/gtp/internal.h"

#define REPEAT_US 2000

void yo_gtp_take_game(struct yo_gtp *gtp, struct yo_go_game *game) {
    yo_session_take_go(gtp->session, game);
    gtp->game = game;
}

/* A search with nothing left to find ends by itself. The analysis repeats its report until it is
 * stopped. */
static void repeat(struct yo_gtp *gtp, yo_search_report_fn report, void *user,
                   const struct yo_search_result *result) {
    while (!atomic_load(&gtp->stop)) {
        report(user, result);
        usleep(REPEAT_US);
    }
}

/* From now on input ends the command. */
static void yield_to_input(struct yo_gtp *gtp) {
    atomic_store(&gtp->yielding, true);
    if (atomic_load(&gtp->waiting) > 0) yo_gtp_interrupt(gtp);
}

enum yo_err yo_gtp_analyze(struct yo_gtp *gtp, enum yo_go_color color,
                           const struct yo_search_limits *only, enum yo_gtp_end end,
                           yo_search_report_fn report, void *user, struct yo_search_result *result,
                           struct yo_diag *diag) {
    struct yo_search_limits limits = *only;
    bool endless = end == YO_GTP_BY_INPUT && gtp->send;
    limits.details = true;
    if (end != YO_GTP_BY_LIMITS) yield_to_input(gtp);
    enum yo_err err = endless ? yo_session_analyse_for(gtp->session, color, &limits, &gtp->stop,
                                                       report, user, result, diag)
                              : yo_session_find_move(gtp->session, color, &limits, &gtp->stop,
                                                     report, user, result, diag);
    if (!err && endless) repeat(gtp, report, user, result);
    atomic_store(&gtp->yielding, false);
    return err;
}

bool yo_gtp_gave_way(struct yo_gtp *gtp) {
    return atomic_load(&gtp->waiting) > 0 && atomic_load(&gtp->stop);
}

void yo_gtp_ponder(struct yo_gtp *gtp) {
    if (!yo_session_may_ponder(gtp->session)) return;
    atomic_store(&gtp->stop, false);
    atomic_store(&gtp->yielding, true);
    if (atomic_load(&gtp->waiting) == 0) yo_session_ponder(gtp->session, &gtp->stop);
    atomic_store(&gtp->yielding, false);
}

/* Sets `waiting`, then reads `yielding`. yo_gtp_analyze and yo_gtp_ponder set `yielding`, then read
 * `waiting`. So at least one of the two threads sees the other's flag. */
void yo_gtp_input_came(struct yo_gtp *gtp) {
    atomic_fetch_add(&gtp->waiting, 1);
    if (atomic_load(&gtp->yielding)) yo_gtp_interrupt(gtp);
}

void yo_gtp_new_game(struct yo_gtp *gtp) {
    gtp->tries = 0;
    yo_session_new_game(gtp->session);
}
