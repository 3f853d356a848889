/* Search results as lines of a message and back. What comes from a message is checked move by move:
 * a line whose first move is illegal is refused, a PV is cut at its first illegal move. */
#pragma once

#include "cluster/message.h"
#include "cluster/root.h"
#include "search/search.h"

/* The moves of a result, at most `room`; returns how many. The caller frees them. */
size_t yo_lines_write(const struct yo_root *root, const struct yo_search_result *result,
                      struct yo_message_line *lines, size_t room);
void yo_lines_free(struct yo_message_line *lines, size_t count);

enum { YO_LINES_PV = 32 };

/* Lines that were read: `result` points into this struct. */
struct yo_lines {
    struct yo_search_move moves[YO_MESSAGE_LINES_MAX];
    yo_move pv[YO_MESSAGE_LINES_MAX][YO_LINES_PV];
    struct yo_search_result result;
};

/* position: where the lines start, of ops; scratch has room for another one. Fails at an illegal
 * move. */
enum yo_err yo_lines_read(const struct yo_game_ops *ops, const void *position, void *scratch,
                          const struct yo_message *report, struct yo_lines *lines,
                          struct yo_diag *diag);
/* Moves separated by spaces, each legal in this position, into out; fails at one that is not, and
 * if there are more than `room`. */
enum yo_err yo_lines_read_moves(const struct yo_game_ops *ops, const void *position,
                                const char *text, yo_move *out, size_t room, size_t *count,
                                struct yo_diag *diag);
