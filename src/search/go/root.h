/* The moves of a Go position that are worth a search's while: legal by the whole of the rules,
 * superko included, filling no own eye, and not where Benson's theorem has decided already. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "game/game.h"
#include "search/go/judge.h"
#include "yomi/go.h"

/* moves must hold YO_GO_POINTS_MAX entries. must_capture: dead stones have to be taken off the
 * board by moves. judgement may be NULL; with it, and when all is settled, only moves that take
 * dead stones off are given, if there are any. */
enum yo_err yo_root_moves(const struct yo_go_game *game, const struct yo_judgement *judgement,
                          bool must_capture, yo_move *moves, size_t *count);
