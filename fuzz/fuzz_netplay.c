/* Any bytes as a file of self-play records: read to the end, each record is one that is written
 * back to the same bytes, becomes SGF and training rows, or is refused with a reason. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "learn/netplay/record.h"
#include "learn/netplay/rows.h"
#include "learn/netplay/sgf.h"

static void check(int holds) {
    if (!holds) abort();
}

/* An array of exactly the rows that a record announces, so that a row too many is seen. */
static void make_rows(const struct yo_netplay_record *record) {
    const struct yo_netplay_rows *rows = yo_netplay_rows_of(record);
    size_t count = yo_netplay_rows_count(record);
    if (!rows || count == 0) return;
    void *made = malloc(count * rows->row_size);
    check(made != NULL);
    check(rows->make(record, 0, made) <= count);
    free(made);
}

static void use(const struct yo_netplay_record *record, size_t most) {
    struct yo_buf again = {0}, sgf = {0};
    struct yo_netplay_record copy = {0};
    struct yo_diag diag = {0};
    size_t start = 0;
    check(yo_netplay_record_write(record, &again) == YO_OK && again.len <= most);
    check(yo_netplay_record_next(again.data, again.len, &start, &copy) == YO_NETPLAY_RECORD);
    check(copy.step_count == record->step_count && copy.lead2 == record->lead2);
    if (yo_netplay_sgf(record, &sgf, &diag) != YO_OK) check(diag.what[0] != '\0');
    make_rows(record);
    yo_netplay_record_free(&copy);
    yo_buf_free(&again);
    yo_buf_free(&sgf);
}

static void read_all(const char *bytes, size_t size) {
    struct yo_netplay_record record = {0};
    size_t at = 0, before = 0;
    enum yo_netplay_found found;
    while ((found = yo_netplay_record_next(bytes, size, &at, &record)) != YO_NETPLAY_NO_MORE &&
           found != YO_NETPLAY_CUT_OFF) {
        check(at > before && at <= size);
        if (found == YO_NETPLAY_RECORD) use(&record, at - before);
        before = at;
    }
    yo_netplay_record_free(&record);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    read_all(size ? (const char *)data : "", size);
    char *framed = malloc(size + 12);
    check(framed != NULL);
    uint32_t frame[2] = {(uint32_t)size, (uint32_t)crc32(0, data, (unsigned)size)};
    memcpy(framed, "YMSP", 4);
    memcpy(framed + 4, frame, sizeof frame);
    if (size) memcpy(framed + 12, data, size);
    read_all(framed, size + 12);
    free(framed);
    return 0;
}
