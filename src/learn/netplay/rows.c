#include "learn/netplay/rows.h"

#include "learn/netplay/go.h"
#include "learn/netplay/rows_go.h"
#include "learn/netplay/rows_shogi.h"
#include "learn/netplay/shogi.h"

const struct yo_netplay_rows *yo_netplay_rows_of(const struct yo_netplay_record *record) {
    return record->game == YO_NETPLAY_GO      ? &yo_netplay_go_rows
           : record->game == YO_NETPLAY_SHOGI ? &yo_netplay_shogi_rows
                                              : NULL;
}

size_t yo_netplay_rows_count(const struct yo_netplay_record *record) {
    const struct yo_netplay_rows *rows = yo_netplay_rows_of(record);
    size_t count = 0;
    if (record->end == YO_NETPLAY_UNFINISHED || !rows) return 0;
    for (size_t i = 0; i < record->step_count; i++)
        count += record->steps[i].kind == YO_NETPLAY_FULL ||
                 (rows->fast && record->steps[i].kind == YO_NETPLAY_FAST);
    return count;
}

int8_t yo_netplay_rows_result(const struct yo_netplay_record *record, bool first) {
    switch (record->outcome) {
    case YO_OUTCOME_FIRST:
        return first ? 1 : -1;
    case YO_OUTCOME_SECOND:
        return first ? -1 : 1;
    case YO_OUTCOME_DRAW:
        return 0;
    default:
        return 2;
    }
}
