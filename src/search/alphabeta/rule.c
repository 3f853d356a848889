#include "search/alphabeta/rule.h"

static int plain_cost(const struct yo_ab_rule *rule, const struct yo_ab_choice *choice) {
    (void)rule;
    (void)choice;
    return YO_AB_PLY;
}

static int half_cost(const struct yo_ab_rule *rule, const struct yo_ab_choice *choice) {
    (void)rule;
    return choice->best ? YO_AB_PLY / 2 : YO_AB_PLY;
}

const struct yo_ab_rule yo_ab_rule_plain = {.name = "plain", .cost = plain_cost};
const struct yo_ab_rule yo_ab_rule_half = {.name = "half", .wants_best = true, .cost = half_cost};
