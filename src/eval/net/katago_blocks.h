/* The residual blocks of KataGo's model files. */
#pragma once

#include "eval/net/katago_layers.h"

enum { YO_KATAGO_MAX_BLOCKS = 1000 };

/* Reads `count` blocks and adds them to the graph; *x is their input, then their output. */
enum yo_err yo_katago_blocks(struct yo_katago_reader *reader, int count, int *x);
