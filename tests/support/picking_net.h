/* The reference backend, but of a policy of which entries are wanted only these are given: what
 * reads anything else gets no numbers. */
#pragma once

#include "eval/net/backend.h"

extern const struct yo_net_backend picking_net;
/* Positions whose entries were picked so far, by all threads. */
long picking_net_picked(void);
