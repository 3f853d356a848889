/* The game information in the root of a Go record: size, rules, komi, handicap. */
#pragma once

#include "game/go/sgf/tree.h"

struct sgf_info {
    int size;
    int handicap; /* HA, or 0 */
    struct yo_go_rules rules;
    /* RU, KM and HA that were not understood, or a handicap of which there are no stones; else
     * NULL */
    const char *odd_rules, *odd_komi, *odd_handicap;
};

/* Fails for records that are not of Go, and for unsupported board sizes. `rules` has the rules and
 * the komi where the record has none; NULL: the default rules, and the komi that is usual for the
 * record's rules, or 0 with a handicap. */
enum yo_err yo_sgf_info_read(const struct yo_sgf *sgf, const struct yo_sgf_node *root,
                             const struct yo_go_rules *rules, struct sgf_info *info,
                             struct yo_diag *diag);
/* What of RU, KM and HA was not understood, in words that say what is used instead: the first with
 * i = 0, and so on; false when there is no more. */
bool yo_sgf_info_warning(const struct sgf_info *info, int i, struct yo_diag *warning);
/* An integer with white space around it; false for anything else. */
bool yo_sgf_info_number(const char *text, int *number);
/* Writes RU and KM for these rules; only what differs from `known`, unless that is NULL. */
enum yo_err yo_sgf_info_write(struct yo_sgf *sgf, struct yo_sgf_node *root,
                              const struct yo_go_rules *rules, const struct yo_go_rules *known);
