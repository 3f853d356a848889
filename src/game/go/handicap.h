/* The places of fixed handicap stones, as drawings of a board want them. */
#pragma once

#include "yomi/go.h"

/* Is it a point that boards mark with a dot? They are handicap places: four on small and on even
 * boards, five up to 14x14, else nine. */
bool yo_go_is_star(int size, yo_go_point point);
