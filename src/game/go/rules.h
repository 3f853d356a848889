/* The two halves of reading rules: a name (rules.c) or KataGo's JSON form (rules_json.c). */
#pragma once

#include "yomi/go.h"

/* text[0..len) is one JSON object; keys that are missing keep the values *rules has. */
enum yo_err yo_go_rules_parse_json(const char *text, size_t len, struct yo_go_rules *rules,
                                   struct yo_diag *diag);
