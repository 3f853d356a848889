/* Network files: what is no network is refused with a reason, whatever it is. A whole one is too
 * large to be found by chance, so that the input may also be the beginning of one, or one with a
 * few bytes changed. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "eval/shogi/net.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const uint8_t *bytes, size_t size) {
    struct yo_shogi_net *net = NULL;
    struct yo_diag diag = {0};
    if (yo_shogi_net_read(bytes, size, &net, &diag)) {
        if (net || diag.what[0] == '\0' || diag.hint[0] == '\0') __builtin_trap();
    } else if (!net || net->inputs == 0) {
        __builtin_trap();
    }
    yo_shogi_net_delete(net);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    check(data, size);
    if (size < 4) return 0;
    size_t whole = yo_shogi_net_bytes_len();
    uint8_t *bytes = malloc(whole);
    if (!bytes) return 0;
    memcpy(bytes, yo_shogi_net_bytes, whole);
    size_t length = data[0] & 1 ? whole : data[1] | (size_t)data[2] << 8;
    for (size_t i = 3; i + 1 < size; i += 2)
        bytes[data[i]] ^= data[i + 1]; /* the header, and a little of what follows */
    check(bytes, length);
    free(bytes);
    return 0;
}
