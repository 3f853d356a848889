/* Any bytes as a record of a Go game: refused with a reason, or made into rows of which each is a
 * move on a point that was empty, or a pass. */
#include <stdint.h>
#include <stdlib.h>

#include "learn/go_rows.h"

static struct yo_go_record record;
static struct yo_go_row rows[YO_GO_RECORD_MOVES + 2];

static void check(int holds) {
    if (!holds) abort();
}

static int stone_at(const struct yo_go_row *row, int plane, unsigned at) {
    return row->plane[plane][at / 8] >> at % 8 & 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct yo_diag diag = {0};
    if (yo_go_record_parse((const char *)data, size, &record, &diag) != YO_OK) {
        check(diag.what[0] != '\0');
        return 0;
    }
    int count = yo_go_rows_count(&record);
    check(count >= 0 && count <= record.count + 2);
    yo_go_rows_make(&record, &record.rules, 0, rows, count);
    for (int i = 0; i < count; i++) {
        check(rows[i].result >= -1 && rows[i].result <= 2 && rows[i].move <= YO_GO_ROW_PASS);
        if (rows[i].move == YO_GO_ROW_PASS) continue;
        check(rows[i].move % YO_GO_ROW_GRID < record.size &&
              rows[i].move / YO_GO_ROW_GRID < record.size);
        check(!stone_at(&rows[i], YO_GO_ROW_OWN, rows[i].move) &&
              !stone_at(&rows[i], YO_GO_ROW_OPPONENT, rows[i].move));
    }
    return 0;
}
