/* What the tests of both Monte-Carlo searches for Go share: an evaluator, positions, a search run.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "eval/eval.h"
#include "search/search.h"
#include "yomi/go.h"

/* Fixtures: playouts on the reference, with one thread. */
extern struct yo_eval go_eval;
int go_eval_set_up(void **unused);
int go_eval_tear_down(void **unused);

/* White's two stones in the corner are dead, all else is settled; Black has 46, White 35. */
extern const char go_settled[];
/* Stones stand as if all were settled, and White, who leads, seems to win by a pass; but Black's H3
 * would take her corner, so she has to play there. */
extern const char go_unsafe[];
/* All is settled, and no stone is dead; Black has one point more by territory, seven by area. */
extern const char go_territory[];
/* Whoever plays B9 or F9 is captured, or lets a living shape be captured. */
extern const char go_seki[];
/* Whoever plays E5 takes ten stones of Black's or saves them, which decides the game. */
extern const char go_fight[];
/* Black has C3, and nothing else has been played. */
extern const char go_lone[];

/* The usual rules with another komi, in half points. */
struct yo_go_rules go_komi(int komi2);
/* A search that finds at least one move. */
struct yo_search_result go_search(struct yo_search search, struct yo_go_game *game,
                                  uint64_t playouts, bool clean_up);
