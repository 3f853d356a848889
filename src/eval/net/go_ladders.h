/* The ladder planes of a Go network's inputs. */
#pragma once

#include "eval/net/go_features.h"
#include "game/go/ladder_mark.h"

/* turns: so many moves of the history may be shown. wants: a bit for each of the planes now, one
 * move ago, two moves ago, moves that catch; the others stay zero, as they come. kept may be NULL.
 */
void yo_go_ladder_planes(const struct yo_go_position *pos, int turns, const struct yo_go_weak *weak,
                         unsigned wants, struct yo_go_ladders_kept *kept,
                         uint64_t plane[4][YO_GO_WORDS_MAX]);
