/* The workers of a cluster, as they answer when they are asked. */
#pragma once

#include "base/option.h"
#include "cluster/message.h"
#include "cluster/transport.h"

enum { YO_ROLL_MAX = 4096 };

struct yo_roll_entry {
    struct yo_message about; /* its announcement; kind ANNOUNCE once it has come */
    struct yo_message beat;  /* its last beat */
    bool known;
};

/* Zeroed: not connected. */
struct yo_roll {
    struct yo_transport transport;
    struct yo_roll_entry *entries;
    size_t count;
    bool nobody; /* the broker says that no worker listens */
};

/* Connects to the broker that the options name. wait_ms: at most so long; 0: until it is clear that
 * nobody answers. */
enum yo_err yo_roll_open(const struct yo_options *options, int64_t wait_ms, struct yo_roll *roll,
                         struct yo_diag *diag);
/* Listens for so long whether workers of another cluster use that broker, and names it. */
bool yo_roll_shared(const struct yo_options *options, int64_t time_ms, char name[YO_MESSAGE_NAME]);
/* Asks who is there, and listens until `expected` workers have answered, nobody is there, or the
 * time is over. */
void yo_roll_call(struct yo_roll *roll, size_t expected, int64_t time_ms);
/* Sends a message without content to all workers. */
void yo_roll_tell(struct yo_roll *roll, enum yo_message_kind kind);
void yo_roll_close(struct yo_roll *roll);
