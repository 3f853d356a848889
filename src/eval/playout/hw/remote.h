/* Playouts on a hardware server (docs/hw-protocol.md) as a backend: "hw:ADDRESS". Every thread that
 * plays has a connection of its own. A server that cannot be reached, dies, is silent or answers
 * nonsense costs no game: what it did not deliver is played by the fastest backend here, and
 * a notice says so; it is asked again later. Games whose every move is wanted are played here too,
 * because the protocol does not carry moves. */
#pragma once

#include "eval/playout/backend.h"

#define YO_HW_REMOTE_PREFIX "hw:"

/* A backend for a name that begins with the prefix; its close releases it. YO_ERR_UNKNOWN for a
 * name that is too long. */
enum yo_err yo_hw_remote_open(const char *name, const struct yo_playout_backend **backend);
