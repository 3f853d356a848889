/* Names of playout policies, and wins from a histogram. */
#include <strings.h>

#include "base/diag.h"
#include "yomi/playout.h"

static const char *const names[YO_PLAYOUT_POLICIES] = {"light", "mogo", "pure", "rich"};

const char *yo_playout_policy_name(enum yo_playout_policy policy) { return names[policy]; }

enum yo_err yo_playout_policy_parse(const char *text, enum yo_playout_policy *policy,
                                    struct yo_diag *diag) {
    for (int i = 0; i < YO_PLAYOUT_POLICIES; i++)
        if (strcasecmp(text, names[i]) == 0) {
            *policy = (enum yo_playout_policy)i;
            return YO_OK;
        }
    yo_diag_set(diag, YO_ERR_UNKNOWN, "unknown playout policy '%.40s'", text);
    yo_diag_hint(diag, "policies are light, mogo, pure and rich");
    return YO_ERR_UNKNOWN;
}

void yo_playout_count_wins(const uint32_t *histogram, int size, int komi2, uint64_t *black,
                           uint64_t *white, uint64_t *draws) {
    int points = size * size;
    *black = *white = *draws = 0;
    for (int score = -points; score <= points; score++) {
        uint64_t games = histogram[score + points];
        *(2 * score > komi2 ? black : 2 * score < komi2 ? white : draws) += games;
    }
}
