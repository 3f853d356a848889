/* Any bytes as JSON: what is taken can be written, and what was written reads as the same. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    json_t *value, *again;
    struct yo_diag diag;
    struct yo_buf first = {0}, second = {0};
    if (yo_json_read((const char *)data, size, &value, &diag)) return 0;
    yo_json_write(&first, value);
    if (yo_json_read(yo_buf_text(&first), first.len, &again, &diag)) abort();
    yo_json_write(&second, again);
    if (first.len != second.len || memcmp(first.data, second.data, first.len) != 0) abort();
    yo_buf_free(&first);
    yo_buf_free(&second);
    json_decref(value);
    json_decref(again);
    return 0;
}
