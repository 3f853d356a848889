/* Any bytes as a file of self-play records: read to the end, each record is one that is written
 * back to the same bytes, becomes SGF, or is refused with a reason. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "learn/netplay/record.h"
#include "learn/netplay/sgf.h"

static void check(int holds) {
    if (!holds) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct yo_netplay_record record = {0};
    const char *bytes = size ? (const char *)data : "";
    size_t at = 0, before = 0;
    enum yo_netplay_found found;
    while ((found = yo_netplay_record_next(bytes, size, &at, &record)) != YO_NETPLAY_NO_MORE &&
           found != YO_NETPLAY_CUT_OFF) {
        check(at > before && at <= size);
        if (found == YO_NETPLAY_RECORD) {
            struct yo_buf again = {0}, sgf = {0};
            struct yo_netplay_record copy = {0};
            struct yo_diag diag = {0};
            size_t start = 0;
            check(yo_netplay_record_write(&record, &again) == YO_OK);
            check(again.len <= at - before);
            check(yo_netplay_record_next(again.data, again.len, &start, &copy) ==
                  YO_NETPLAY_RECORD);
            check(copy.step_count == record.step_count && copy.lead2 == record.lead2);
            if (yo_netplay_sgf(&record, &sgf, &diag) != YO_OK) check(diag.what[0] != '\0');
            yo_netplay_record_free(&copy);
            yo_buf_free(&again);
            yo_buf_free(&sgf);
        }
        before = at;
    }
    yo_netplay_record_free(&record);
    return 0;
}
