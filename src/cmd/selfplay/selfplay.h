/* Shared by the files of `yomi selfplay`. */
#pragma once

#include <stdatomic.h>

#include "base/buf.h"
#include "cmd/command.h"

enum yo_err yo_selfplay_shogi(const struct yo_options *options, struct yo_diag *diag);
enum yo_err yo_selfplay_net(const struct yo_options *options, bool shogi, struct yo_diag *diag);
/* Appends the game, one of shogi, as KIF in UTF-8. */
struct yo_netplay_record;
enum yo_err yo_selfplay_kif(const struct yo_netplay_record *record, struct yo_buf *out,
                            struct yo_diag *diag);
enum yo_err yo_selfplay_show(const struct yo_options *options, struct yo_diag *diag);

/* Training positions of a file that games may begin at; free the samples. */
struct yo_selfplay_openings;
enum yo_err yo_selfplay_read_openings(const char *path, struct yo_selfplay_openings *openings,
                                      struct yo_diag *diag);

/* Set by a signal or a time limit. */
extern atomic_bool yo_selfplay_stop;
/* SIGINT and SIGTERM set yo_selfplay_stop. */
void yo_selfplay_catch_signals(void);
/* Whether it was a signal. */
bool yo_selfplay_interrupted(void);
