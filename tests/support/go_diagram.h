/* Positions drawn in a test's source: 'X' black, 'O' white, '.' empty, spaces ignored, rows one
 * after another from the top. */
#pragma once

#include <stdint.h>

#include "yomi/go.h"

/* The size of the board the diagram holds; colors gets its points. */
int diagram_read(const char *diagram, uint8_t *colors);
/* A game that starts from the diagram; the test fails if it is not a legal position. */
struct yo_go_game *diagram_game(const char *diagram, const struct yo_go_rules *rules,
                                enum yo_go_color to_move);
/* The game's board as a diagram without spaces. */
void diagram_write(const struct yo_go_game *game, char *out);
/* "D4" on that game's board. */
yo_go_point diagram_point(const struct yo_go_game *game, const char *text);
/* Plays "B C3", "W pass" and so on; returns the error code. */
enum yo_err diagram_play(struct yo_go_game *game, const char *move);
