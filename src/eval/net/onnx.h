/* Reads shogi networks from ONNX files as dlshogi and its kin write them. Inputs and outputs are
 * identified by their shapes: 62 and 57 planes of 9x9, or 104; a policy of 27 x 81 and a value.
 * Layers are folded where possible; an unknown operation is an error that names it. */
#pragma once

#include "eval/net/net.h"

/* Whether the bytes look like such a file, by their beginning. */
bool yo_onnx_sniff(const void *bytes, size_t len);
/* Fills `net`; on failure nothing is left to free. */
enum yo_err yo_onnx_read(const void *bytes, size_t len, struct yo_net *net, struct yo_diag *diag);
