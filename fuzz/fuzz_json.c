/* Any bytes as JSON: what is taken can be written, and what was written reads as the same. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct yo_json_doc doc, again;
    struct yo_diag diag;
    struct yo_buf first = {0}, second = {0};
    if (yo_json_parse((const char *)data, size, &doc, &diag)) return 0;
    yo_json_write(&first, doc.root);
    if (yo_json_parse(yo_buf_text(&first), first.len, &again, &diag)) abort();
    yo_json_write(&second, again.root);
    if (first.len != second.len || memcmp(first.data, second.data, first.len) != 0) abort();
    yo_buf_free(&first);
    yo_buf_free(&second);
    yo_json_free(&doc);
    yo_json_free(&again);
    return 0;
}
