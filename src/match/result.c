#include "match/result.h"

#include <stdio.h>

#include "base/charset.h"
#include "base/diag.h"

static const char *const end_names[] = {
    [YO_MATCH_COUNTED] = "counted",     [YO_MATCH_RESIGNED] = "resigned", [YO_MATCH_TIME] = "time",
    [YO_MATCH_ILLEGAL] = "illegal",     [YO_MATCH_CRASHED] = "crashed",   [YO_MATCH_HUNG] = "hung",
    [YO_MATCH_NONSENSE] = "nonsense",   [YO_MATCH_TOO_LONG] = "too-long", [YO_MATCH_MATED] = "mate",
    [YO_MATCH_REPEATED] = "repetition", [YO_MATCH_DECLARED] = "declared",
};

const char *yo_match_end_name(enum yo_match_end end) { return end_names[end]; }

enum yo_match_end yo_match_end_of_fault(enum yo_peer_fault fault) {
    switch (fault) {
    case YO_PEER_CRASHED:
        return YO_MATCH_CRASHED;
    case YO_PEER_HUNG:
        return YO_MATCH_HUNG;
    default:
        return YO_MATCH_NONSENSE;
    }
}

void yo_match_tell_fault(const struct yo_peer *peer, const struct yo_diag *diag, char out[300]) {
    char last[YO_PEER_LAST];
    yo_peer_last(peer, last);
    snprintf(out, 300, "%.120s%s%s", diag->what, last[0] ? "; last said: " : "", last);
    yo_utf8_make_line(out);
}
