/* Reads shogi networks from ONNX files as dlshogi and its kin write them. Inputs and outputs are
 * told by their shapes: 62 and 57 planes of 9x9, or 104; a policy of 27 x 81 and a value. Layers
 * are folded as far as they can be; an operation that is not known is an error that names it. */
#pragma once

#include "eval/net/net.h"

/* Could these bytes be one? Looks at the beginning alone. */
bool yo_onnx_sniff(const void *bytes, size_t len);
/* Fills `net`; on failure nothing is left to free. */
enum yo_err yo_onnx_read(const void *bytes, size_t len, struct yo_net *net, struct yo_diag *diag);
