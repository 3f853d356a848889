/* Star points, for drawing boards. */
#pragma once

#include "yomi/go.h"

/* Is it a star point? Star points are handicap points: four on small and on even boards, five up to
 * 14x14, else nine. */
bool yo_go_is_star(int size, yo_go_point point);
