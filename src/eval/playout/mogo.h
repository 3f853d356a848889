/* MoGo's policies, docs/playout.md section 7, on the scalar playout. */
#pragma once

#include "eval/playout/scalar.h"

/* After yo_playout_start, for games of this policy. */
void yo_playout_start_mogo(struct yo_playout *playout, const struct yo_go_patterns *patterns);
void yo_playout_start_pure(struct yo_playout *playout, const struct yo_go_patterns *patterns);
/* One attempt. Returns the move made, YO_GO_PASS included, or YO_GO_NONE. */
yo_go_point yo_playout_attempt_mogo(struct yo_playout *playout, int bits, int tries);
