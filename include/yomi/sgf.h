/* SGF FF[4]: reads game records into a tree that keeps every property, and writes them back.
 * Text in memory is UTF-8 whatever the file's CA is. A yo_sgf owns all its nodes and strings. */
#pragma once

#include <stddef.h>

#include "yomi/error.h"
#include "yomi/go.h"

#ifdef __cplusplus
extern "C" {
#endif

struct yo_sgf;      /* a collection: one or more game trees */
struct yo_sgf_node; /* a node: properties, a parent, children */

/* name is used in messages only. Reads the whole input; on failure *sgf is untouched and diag has
 * line and column. Columns count characters, not bytes, as editors do. Text before the first "(;"
 * is skipped, since records are sent in mails. */
enum yo_err yo_sgf_parse(const char *bytes, size_t len, const char *name, struct yo_sgf **sgf,
                         struct yo_diag *diag);
/* Reads a file of at most 64 MiB. */
enum yo_err yo_sgf_load(const char *path, struct yo_sgf **sgf, struct yo_diag *diag);
/* A new collection with one game tree whose root has FF, GM, CA, AP and SZ. */
enum yo_err yo_sgf_new(int size, struct yo_sgf **sgf);
void yo_sgf_delete(struct yo_sgf *sgf);
/* The text of the collection in UTF-8, with CA[UTF-8] in each root; everything else is as it was
 * read. Release with yo_sgf_free_text. */
enum yo_err yo_sgf_write(const struct yo_sgf *sgf, char **text, size_t *len);
void yo_sgf_free_text(char *text);

/* The encoding that the first game tree was read in: "UTF-8", "GB18030", ... */
const char *yo_sgf_charset(const struct yo_sgf *sgf);
/* The i-th warning, or NULL past the last. Warnings are problems that do not stop the reader: a CA
 * that is unknown or does not fit the bytes, text outside the game trees, a file that was cut off
 * and is read as far as it goes. */
const struct yo_diag *yo_sgf_warning(const struct yo_sgf *sgf, size_t i);

size_t yo_sgf_game_count(const struct yo_sgf *sgf);
struct yo_sgf_node *yo_sgf_root(const struct yo_sgf *sgf, size_t game);
struct yo_sgf_node *yo_sgf_parent(const struct yo_sgf_node *node);
/* First child and next sibling: the main line is first child after first child. */
struct yo_sgf_node *yo_sgf_child(const struct yo_sgf_node *node);
struct yo_sgf_node *yo_sgf_sibling(const struct yo_sgf_node *node);

/* Ids are compared by their capital letters, since old files write "Black" for "B". If a node has
 * the same property twice, the index continues through the values of both. */
/* Value i of a property, decoded (escapes and soft line breaks resolved), or NULL. */
const char *yo_sgf_get(const struct yo_sgf_node *node, const char *id, size_t i);
/* The same value still escaped, as in the file, for values composed of two parts. */
const char *yo_sgf_raw(const struct yo_sgf_node *node, const char *id, size_t i);
size_t yo_sgf_count(const struct yo_sgf_node *node, const char *id);
/* The property's place in the file, for messages; 0 if it was not read from a file. */
void yo_sgf_place(const struct yo_sgf_node *node, const char *id, int *line, int *column);
/* The i-th property's id, in file order, or NULL past the last. */
const char *yo_sgf_id(const struct yo_sgf_node *node, size_t i);
/* yo_sgf_set replaces all values of a property by one; yo_sgf_add adds a value. value is plain
 * UTF-8 text, which these functions escape; an id is one or more capital letters. */
enum yo_err yo_sgf_set(struct yo_sgf *sgf, struct yo_sgf_node *node, const char *id,
                       const char *value);
enum yo_err yo_sgf_add(struct yo_sgf *sgf, struct yo_sgf_node *node, const char *id,
                       const char *value);
/* A new last child. */
enum yo_err yo_sgf_node_new(struct yo_sgf *sgf, struct yo_sgf_node *parent,
                            struct yo_sgf_node **child);

/* Follows the main line of a game tree into a Go game: setup, handicap, komi, rules and moves,
 * stopping before move number stop_at, counted from the start of the record (0: play all). Errors
 * point into the file.
 *  - A komi that is missing or no number is that of the rules, or 0 in a handicap game; rules that
 *    are missing or unknown are the default ones.
 *  - Setup after moves makes a new start, as yo_go_game_setup does.
 *  - HA without AB places the fixed handicap, unless Black moves first.
 *  - A move that breaks a ko rule or is suicide of several stones is played even where the rules
 *    forbid it, since the players did. The game ends before a move onto a stone or off the board:
 *    *diag is then a warning that says where. If there is none, diag->err is YO_OK. */
enum yo_err yo_sgf_to_game(const struct yo_sgf *sgf, size_t game_index, size_t stop_at,
                           struct yo_go_game **game, struct yo_diag *diag);
/* A record of the game: setup, komi, rules, moves; result may be NULL. */
enum yo_err yo_sgf_from_game(const struct yo_go_game *game, const char *result,
                             struct yo_sgf **sgf);

#ifdef __cplusplus
}
#endif
