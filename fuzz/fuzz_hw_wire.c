/* Bytes as messages of the hardware server's protocol: decoding must stay within them, and what is
 * decoded and encoded again must be the same. */
#include <stdlib.h>
#include <string.h>

#include "eval/playout/hw/wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void decode_play(const uint8_t *data, size_t size) {
    struct yo_hw_play play;
    uint8_t again[YO_HW_WIRE_PAYLOAD_MAX];
    if (yo_hw_wire_get_play(data, size, &play)) return;
    if (yo_hw_wire_put_play(again, &play) != size || memcmp(again, data, size) != 0) abort();
}

static void decode_result(const uint8_t *data, size_t size) {
    static uint32_t histogram[2 * YO_GO_POINTS_MAX + 1];
    static int32_t ownership[YO_GO_POINTS_MAX];
    struct yo_playout_result result = {.histogram = histogram, .ownership = ownership};
    yo_hw_wire_get_result(data, size, size ? 2 + data[0] % 18 : 2, 1, &result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct yo_hw_header header;
    char text[160];
    uint32_t sizes;
    if (size >= YO_HW_WIRE_HEADER) yo_hw_wire_header(data, &header);
    if (size >= YO_HW_WIRE_CHECKSUM) yo_hw_wire_intact(data, size);
    decode_play(data, size);
    decode_result(data, size);
    yo_hw_wire_get_welcome(data, size, &sizes, text);
    yo_hw_wire_get_error(data, size, text);
    return 0;
}
