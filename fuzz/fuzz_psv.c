/* Training positions: what can be read is written back the same. */
#include <stdint.h>
#include <string.h>

#include "game/shogi/packed.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const uint8_t *bytes) {
    struct yo_shogi_sample sample;
    struct yo_shogi_position pos;
    struct yo_diag diag = {0};
    uint8_t again[YO_SHOGI_SAMPLE];
    if (yo_shogi_sample_read(bytes, &sample, &diag)) {
        if (diag.what[0] == '\0') __builtin_trap();
        return;
    }
    yo_shogi_sample_write(&sample, again);
    if (memcmp(again, bytes, sizeof again) != 0) __builtin_trap();
    if (yo_shogi_unpack(sample.position, &pos, &diag)) {
        if (diag.what[0] == '\0') __builtin_trap();
        return;
    }
    if (yo_shogi_pack(&pos, again) == YO_OK) {
        struct yo_shogi_position back;
        if (yo_shogi_unpack(again, &back, NULL)) __builtin_trap();
        if (shogi_hash(&pos) != shogi_hash(&back)) __builtin_trap();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    for (; size >= YO_SHOGI_SAMPLE; data += YO_SHOGI_SAMPLE, size -= YO_SHOGI_SAMPLE)
        check(data);
    return 0;
}
