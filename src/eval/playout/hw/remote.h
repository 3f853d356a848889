/* Playouts on a hardware server (docs/hw-protocol.md) as a backend: "hw:ADDRESS". Every thread has
 * its own connection. If the server cannot be reached, dies, times out or sends invalid replies, no
 * game is lost: the fastest local backend plays what is missing, a notice reports it, and the
 * server is tried again later. Games whose moves are logged are played locally too, because the
 * protocol does not carry moves. */
#pragma once

#include "eval/playout/backend.h"

#define YO_HW_REMOTE_PREFIX "hw:"

/* A backend for a name that begins with the prefix; its close releases it. YO_ERR_UNKNOWN for a
 * name that is too long. */
enum yo_err yo_hw_remote_open(const char *name, const struct yo_playout_backend **backend);
