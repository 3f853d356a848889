/* Usual komi, and the two halves of reading rules: a name (rules.c) or KataGo's JSON form
 * (rules_json.c). */
#pragma once

#include "yomi/go.h"

struct json_t;

/* The komi of the named set that equals *rules in all else, or its own where there is none: for
 * those who name rules and say nothing of komi. */
int yo_go_rules_usual_komi2(const struct yo_go_rules *rules);

bool yo_go_rules_equal_but_komi(const struct yo_go_rules *a, const struct yo_go_rules *b);

/* text[0..len) is one JSON object; keys that are missing keep the values *rules has. */
enum yo_err yo_go_rules_parse_json(const char *text, size_t len, struct yo_go_rules *rules,
                                   struct yo_diag *diag);
/* The same of an object that has been read. */
enum yo_err yo_go_rules_take_json(struct json_t *object, struct yo_go_rules *rules,
                                  struct yo_diag *diag);
