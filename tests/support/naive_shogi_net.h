/* Networks for shogi made at random, as files, and evaluated straight from the bytes of the file by
 * a slow and obvious program. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "eval/shogi/features.h"

struct naive_net {
    uint8_t *bytes; /* free with free() */
    size_t size;
    size_t header; /* so many bytes before the inputs' part */
    enum yo_shogi_net_kind kind;
};

/* large: weights as wild as the format can hold, so that everything overflows that can. */
void naive_net_make(struct naive_net *net, enum yo_shogi_net_kind kind, uint64_t *state,
                    bool large);
/* The output before it is divided by FV_SCALE. */
int32_t naive_net_output(const struct naive_net *net, const struct yo_shogi_position *pos);
