/* What record_read.c and record_write.c share: the names of headers, formats and ends. */
#pragma once

#include "engine/shogi.h"
#include "engine/shogi_note.h"
#include "game/shogi/kifu/record.h"
#include "game/shogi/text.h"
#include "protocol/web/internal.h"
#include "yomi/sgf.h"

/* A header's name in the protocol, its property in SGF, its key in KIF; kif2 in handicap games.
 * NULL where there is none. */
struct web_header {
    const char *name, *sgf, *kif, *kif2;
};

/* Ends with a row whose name is NULL. */
extern const struct web_header yo_web_headers[];
/* By enum yo_shogi_format. */
extern const char *const yo_web_formats[];

/* "time up" for YO_SHOGI_END_TIME_UP. Returns out. */
char *yo_web_end_name(int end, char out[32]);
/* YO_SHOGI_GOES_ON if there is no such end. */
enum yo_shogi_end yo_web_end_find(const char *name);

/* A record as the members of an answer: record, format, games, warnings. index: which game. */
enum yo_err yo_web_put_go(struct yo_sgf *sgf, size_t index, json_t *m, bool *failed,
                          struct yo_diag *diag);
enum yo_err yo_web_put_shogi(const struct yo_shogi_record *record, json_t *m, bool *failed,
                             struct yo_diag *diag);
