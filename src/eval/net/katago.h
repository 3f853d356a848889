/* Reads KataGo's model files: .bin.gz and .txt.gz, and the same unpacked. Model versions 8 to 16
 * with ordinary, global-pooling and nested bottleneck blocks. docs/networks.md describes the
 * format. */
#pragma once

#include "eval/net/net.h"

enum {
    YO_KATAGO_MIN_VERSION = 8,
    YO_KATAGO_MAX_VERSION = 16,
    YO_KATAGO_PLANES = 22,
    YO_KATAGO_GLOBALS = 19,
};

/* Whether the bytes look like such a file, by their beginning. */
bool yo_katago_sniff(const void *bytes, size_t len);
/* Fills `net`; on failure nothing is left to free. */
enum yo_err yo_katago_read(const void *bytes, size_t len, struct yo_net *net, struct yo_diag *diag);
