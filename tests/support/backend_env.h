/* What the tests' playouts are played with: built-in patterns, and a listener if a test sets one.
 */
#pragma once

#include "eval/playout/backend.h"

extern struct yo_playout_env backend_env;
