/* The master of a cluster as a search: it has workers search for it, and searches by itself while
 * there are none. Registered for sessions by yo_cluster_kinds. */
#pragma once

#include "cluster/plan.h"
#include "cluster/transport.h"
#include "engine/kinds.h"

/* The kinds of yo_search_kinds, each of which becomes the master of a cluster where the option
 * `cluster` is set: "local:N", or an address of NATS. If it cannot be used, a session that is not
 * strict gets a notice and searches by itself; if only its broker is not there yet, until that is.
 * Every command passes them to its sessions. */
extern const struct yo_search_kind yo_cluster_kinds[];
/* Checks the option `cluster`, without opening anything. */
enum yo_err yo_cluster_check(const struct yo_options *options, struct yo_diag *diag);

struct yo_master_config {
    enum yo_session_game game;
    const char *name; /* of this master */
    struct yo_plan_config plan;
    void (*delete_order)(void *order); /* frees plan.user, which is taken over; or NULL */
    struct yo_transport transport;     /* taken over, also on failure */
    struct yo_search inner;            /* likewise: its own search */
    size_t expected;                   /* workers to wait for at the start, */
    int64_t wait_ms;                   /* so long at most */
    /* Messages for the user, from the thread that searches: through the first that is there. */
    void (*notice)(void *user, const char *text); /* or NULL */
    void *user;
    struct yo_notices notices;
};

enum yo_err yo_master_new(const struct yo_master_config *config, struct yo_search *search,
                          struct yo_diag *diag);
