/* The root moves of a Go position that a search considers: legal, superko included, not filling an
 * own eye, and not in an area that Benson's theorem has decided. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "game/game.h"
#include "search/go/judge.h"
#include "yomi/go.h"

/* moves must hold YO_GO_POINTS_MAX entries. must_capture: dead stones have to be taken off the
 * board by moves. judgement may be NULL. If it is given and settled, only moves that take dead
 * stones off are returned, if there are any. */
enum yo_err yo_root_moves(const struct yo_go_game *game, const struct yo_judgement *judgement,
                          bool must_capture, yo_move *moves, size_t *count);
