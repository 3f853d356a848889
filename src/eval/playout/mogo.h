/* MoGo's policies, docs/playout.md section 7, on the scalar playout. */
#pragma once

#include "eval/playout/scalar.h"

/* After yo_playout_start, for games of this policy. */
void yo_playout_start_mogo(struct yo_playout *playout);
void yo_playout_start_pure(struct yo_playout *playout);
/* One attempt. Returns the move made, YO_GO_PASS included, or YO_GO_NONE. */
yo_go_point yo_playout_attempt_mogo(struct yo_playout *playout, int bits, int tries);

/* What a backend that keeps this from move to move must know of the start: for each point, whether
 * it has a stone of a string in atari, and whether it is in the set of step 2, as far as candidates
 * go. marks holds size*size entries. */
enum { YO_PLAYOUT_MARK_ATARI = 1, YO_PLAYOUT_MARK_SAVE = 2 };
void yo_playout_mark_mogo(const struct yo_playout *playout, uint8_t *marks);
