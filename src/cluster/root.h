/* The game of a job as it travels between machines: written into a message by the master, set up
 * again by the worker. Everything that a message has is checked here. */
#pragma once

#include "cluster/message.h"
#include "engine/kinds.h"

/* A game of either kind; the holder frees it with yo_root_free. */
struct yo_root {
    enum yo_session_game kind;
    struct yo_go_game *go;       /* one is set, the other is NULL */
    struct yo_shogi_game *shogi; /* likewise */
};

extern const char *const yo_root_games[]; /* the names of both, then NULL */

const struct yo_game_ops *yo_root_ops(enum yo_session_game kind);
/* What a search takes. */
const void *yo_root_game(const struct yo_root *root);

enum yo_err yo_root_write(enum yo_session_game kind, const void *game,
                          struct yo_message_game *message);
enum yo_err yo_root_read(const struct yo_message_game *message, struct yo_root *root,
                         struct yo_diag *diag);
/* Plays moves, separated by spaces, of both sides in turn. */
enum yo_err yo_root_play(struct yo_root *root, const char *moves, struct yo_diag *diag);
void yo_root_free(struct yo_root *root);

/* The next of words separated by spaces into out; false after the last, and for one that does not
 * fit, which no move is: then *rest does not end. */
bool yo_root_word(const char **rest, char out[16]);
