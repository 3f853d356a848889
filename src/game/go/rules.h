/* Default komi of named rules, and the parsers of rules: names (rules.c) and KataGo's JSON form
 * (rules_json.c). */
#pragma once

#include "yomi/go.h"

struct json_t;

/* The komi of the named set that equals *rules in everything else; if there is none, 6.5 where
 * territory counts and 7.5 elsewhere. For callers that name rules but give no komi. */
int yo_go_rules_usual_komi2(const struct yo_go_rules *rules);

bool yo_go_rules_equal_but_komi(const struct yo_go_rules *a, const struct yo_go_rules *b);

/* text[0..len) is one JSON object. As in KataGo what it does not say is as in Tromp-Taylor rules,
 * but that a tax belongs to the scoring; komi stays. */
enum yo_err yo_go_rules_parse_json(const char *text, size_t len, struct yo_go_rules *rules,
                                   struct yo_diag *diag);
/* The same for a parsed object. */
enum yo_err yo_go_rules_take_json(struct json_t *object, struct yo_go_rules *rules,
                                  struct yo_diag *diag);
/* One JSON object in text[0..len) whose missing keys keep the values in *rules. */
enum yo_err yo_go_rules_change(const char *text, size_t len, struct yo_go_rules *rules,
                               struct yo_diag *diag);
