/* The engine of yomi/shogi.h for yomi's own commands, with a stop flag and progress reports. */
#pragma once

#include "base/notice.h"
#include "base/option.h"
#include "engine/kinds.h"
#include "game/shogi/game.h"
#include "search/alphabeta/alphabeta.h"

/* As yo_shogi_engine_think; *stop (may be NULL) ends it, too. report may be NULL. */
enum yo_err yo_shogi_engine_run(struct yo_shogi_engine *engine, const struct yo_shogi_game *game,
                                const struct yo_shogi_limits *limits, const atomic_bool *stop,
                                yo_search_report_fn report, void *user,
                                struct yo_shogi_found *found, struct yo_diag *diag);
/* A move to play: as above, but by the options `level` and `temperature`; found->line begins with
 * the move that the level chooses, or one of the book. */
enum yo_err yo_shogi_engine_play(struct yo_shogi_engine *engine, const struct yo_shogi_game *game,
                                 const struct yo_shogi_limits *limits, const atomic_bool *stop,
                                 yo_search_report_fn report, void *user,
                                 struct yo_shogi_found *found, bool *from_book,
                                 struct yo_diag *diag);
/* An engine by the options of a command for both games: hash, threads, eval, and those of the
 * search that shogi has too. kinds: NULL for the searches of engine/kinds.h. */
enum yo_err yo_shogi_engine_open(const struct yo_options *options,
                                 const struct yo_search_kind *kinds,
                                 const struct yo_notices *notices, struct yo_shogi_engine **engine,
                                 struct yo_diag *diag);
/* Does a session of shogi have this option? */
bool yo_shogi_has_option(const char *key);
/* Name of the evaluation, for display. */
const char *yo_shogi_engine_eval(const struct yo_shogi_engine *engine);
/* A score, mates included, as a winrate between 0 and 1, by the curve usual in shogi programs: 600
 * points are 73%. */
double yo_shogi_score_rate(int score);
