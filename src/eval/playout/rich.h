/* The rich policy, docs/playout.md section 8, on the scalar playout. */
#pragma once

#include "eval/playout/scalar.h"

/* After yo_playout_start, for games of this policy. */
void yo_playout_start_rich(struct yo_playout *playout, const struct yo_go_patterns *patterns);
/* One attempt. Returns the move made, YO_GO_PASS included, or YO_GO_NONE. */
yo_go_point yo_playout_attempt_rich(struct yo_playout *playout, int bits, int tries);
