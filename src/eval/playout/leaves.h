/* Playouts of Go for the leaves of a tree, on an evaluator of playouts. */
#pragma once

#include "eval/leaves.h"
#include "yomi/playout.h"

struct yo_leaves yo_playout_leaves(struct yo_eval eval, enum yo_playout_policy policy);
