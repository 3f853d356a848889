/* A Go position drawn in a test: X is Black, O is White, anything else but blanks and newlines is
 * empty; the number of points gives the size. */
#pragma once

#include "yomi/go.h"

/* The caller deletes it. */
struct yo_go_game *diagram_game(const char *drawing, enum yo_go_color to_move,
                                const struct yo_go_rules *rules);
/* "D4" on that game's board. */
yo_go_point diagram_point(const struct yo_go_game *game, const char *text);
