/* Moves that are searched in turn, for engines that cannot search some moves of a position: each by
 * a search of the position after it. Collects what was found of each as lines of a report. */
#pragma once

#include "cluster/message.h"
#include "cluster/worker.h"

enum { YO_TURNS_MAX = 600, YO_TURNS_FIRST_MS = 250, YO_TURNS_MAX_MS = 8000 };

/* Zeroed: empty; the holder frees it. */
struct yo_turns {
    struct yo_message_line lines[YO_TURNS_MAX];
    size_t count;
    int64_t nodes;
};

/* What was found of the position after this move: values change sides. Replaces what was known of
 * the move. */
void yo_turns_put(struct yo_turns *turns, const char *move, const struct yo_message_line *after);
/* This move wins at once. */
void yo_turns_put_win(struct yo_turns *turns, const char *move);
/* Passes all lines on, best first. */
void yo_turns_pass(struct yo_turns *turns, yo_worker_found_fn found, void *user);
void yo_turns_free(struct yo_turns *turns);

/* How long each move is searched in the round after this one. */
static inline int64_t yo_turns_longer(int64_t each_ms) {
    return 2 * each_ms < YO_TURNS_MAX_MS ? 2 * each_ms : YO_TURNS_MAX_MS;
}
