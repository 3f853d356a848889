/* The parts of `yomi bench` that measure a search: tree searches for Go by playouts and on
 * networks, alpha-beta for shogi. */
#pragma once

#include <stdatomic.h>

#include "base/option.h"
#include "cmd/progress.h"
#include "yomi/go.h"

enum yo_err yo_bench_search(const struct yo_options *options, struct yo_diag *diag);
enum yo_err yo_bench_shogi(const struct yo_options *options, struct yo_diag *diag);
enum yo_err yo_bench_guided(const struct yo_options *options, struct yo_diag *diag);
enum yo_err yo_bench_shogi_guided(const struct yo_options *options, struct yo_diag *diag);

/* ---- the positions of Go, in search.c ---- */

extern const size_t yo_bench_position_count;
const char *yo_bench_name(size_t i);
int yo_bench_size(size_t i);
enum yo_err yo_bench_set_up(size_t i, struct yo_go_game **game, struct yo_diag *diag);
/* Which position is searched, and when all will be: on a terminal. */
void yo_bench_say(struct yo_progress *progress, size_t i, size_t count);
void yo_bench_mix(uint64_t *signature, uint64_t value);

/* ---- those of shogi, in shogi.c ---- */

extern const size_t yo_bench_shogi_count;
const char *yo_bench_shogi_name(size_t i);
const char *yo_bench_shogi_sfen(size_t i);

/* ---- stop latency, in search.c ---- */

enum { YO_BENCH_STOPS = 9 };

/* Searches from scratch until it is stopped. */
typedef enum yo_err (*yo_bench_search_fn)(void *ctx, const struct yo_go_game *game,
                                          const atomic_bool *stop, struct yo_diag *diag);
/* Stops searches of the position on the largest board; the times from the stop to the return, in
 * ms, shortest first. */
enum yo_err yo_bench_stops(yo_bench_search_fn search, void *ctx, double ms[YO_BENCH_STOPS],
                           struct yo_diag *diag);
/* The last line of a table, or the end of a JSON list. */
void yo_bench_print_signature(uint64_t signature, int threads, bool json);
void yo_bench_print_stops(const double ms[YO_BENCH_STOPS], bool json);
