/* The readers of CSA, KIF, KI2 and JKF: whatever parses must come back the same from its own text.
 */
#include <stdint.h>
#include <string.h>

#include "../tests/support/shogi_same.h"
#include "base/charset.h"
#include "game/shogi/kifu/encode.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void rewrite(const struct yo_shogi_record *record, enum yo_shogi_format format, int keeps) {
    struct yo_buf text = {0};
    struct yo_shogi_record *again = NULL;
    struct yo_diag diag;
    if (yo_shogi_record_write(record, format, &text) != YO_OK) __builtin_trap();
    if (yo_shogi_record_parse(text.data, text.len, "again", &again, &diag) != YO_OK)
        __builtin_trap();
    if (!shogi_same(record, again, keeps)) __builtin_trap();
    yo_shogi_record_delete(again);
    yo_buf_free(&text);
}

/* In Shift_JIS it may not be possible, and is then refused as a whole; with replacement it is
 * always possible, and if nothing was replaced, nothing is lost but which of two twins a character
 * was. */
static void encode(const struct yo_shogi_record *record) {
    struct yo_shogi_writing how = {.format = record->format, .charset = YO_SHOGI_SHIFT_JIS};
    struct yo_buf strict = {0}, bytes = {0};
    struct yo_diag diag = {0};
    struct yo_shogi_record *again = NULL;
    size_t replaced = 0;
    enum yo_err err = yo_shogi_record_encode(record, &how, &strict, NULL, &diag);
    how.replaces = true;
    if (yo_shogi_record_encode(record, &how, &bytes, &replaced, NULL)) __builtin_trap();
    if ((err == YO_OK) != (replaced == 0) || (err && !diag.what[0])) __builtin_trap();
    /* A few letters alone can be UTF-8 as well, and are then taken for it. */
    if (!yo_utf8_valid(yo_buf_text(&bytes), bytes.len) &&
        yo_shogi_record_parse(bytes.data, bytes.len, "again", &again, &diag))
        __builtin_trap();
    yo_shogi_record_delete(again);
    yo_buf_free(&strict);
    yo_buf_free(&bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const int keeps[] = {SAME_TIMES, SAME_ALL, SAME_VARIATIONS | SAME_BOOKMARKS | SAME_ORDER,
                                SAME_TIMES | SAME_VARIATIONS | SAME_ORDER};
    struct yo_shogi_record *record = NULL;
    struct yo_diag diag = {0};
    enum yo_err err = yo_shogi_record_parse((const char *)data, size, "fuzz", &record, &diag);
    if (err) {
        if (record || diag.line < 1 || diag.column < 1 || diag.what[0] == '\0') __builtin_trap();
        return 0;
    }
    rewrite(record, record->format, keeps[record->format]);
    if (record->format != YO_SHOGI_JKF) encode(record);
    yo_shogi_record_delete(record);
    return 0;
}
