/* The tree of an SGF collection: built by the parser, walked by the writer and the replay.
 * Everything lives in the collection's arena and is freed with it, not earlier. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "yomi/sgf.h"

/* Values are stored escaped, as in the file but in UTF-8: this loses nothing, whatever the property
 * means. text is the decoded form, the same pointer if nothing is escaped. */
struct sgf_value {
    struct sgf_value *next;
    const char *raw;
    const char *text;
};

struct sgf_property {
    struct sgf_property *next;
    const char *id;   /* capital letters and digits only: the key for lookup */
    const char *name; /* as in the file: written back unchanged */
    struct sgf_value *first, *last;
    int line, column;
};

struct yo_sgf_node {
    struct yo_sgf_node *parent, *child, *last_child, *sibling;
    struct sgf_property *first, *last;
    bool opens;    /* while parsing: the first node of a variation that is not closed yet */
    bool replayed; /* a replay visited this node: line.h */
};

struct sgf_chunk;

enum sgf_warning { SGF_WARN_CHARSET, SGF_WARN_VALUE, SGF_WARN_TEXT, SGF_WARN_CUT, SGF_WARNINGS };

struct yo_sgf {
    struct sgf_chunk *chunks;
    struct yo_sgf_node **roots;
    size_t root_count, root_cap;
    char name[1024];  /* of the file, for messages */
    char charset[32]; /* of the first game tree */
    struct yo_diag warnings[SGF_WARNINGS];
};

/* All return NULL if memory runs out. */
struct yo_sgf *yo_sgf_tree_new(void);
/* parent NULL: a new root. */
struct yo_sgf_node *yo_sgf_tree_node(struct yo_sgf *sgf, struct yo_sgf_node *parent);
/* A new last property; name need not be terminated. */
struct sgf_property *yo_sgf_tree_property(struct yo_sgf *sgf, struct yo_sgf_node *node,
                                          const char *name, size_t len);
/* Takes the last property, which has no value, out of its node. */
void yo_sgf_tree_drop_last(struct yo_sgf_node *node);
/* A new last value from its escaped UTF-8 text. */
struct sgf_value *yo_sgf_tree_value(struct yo_sgf *sgf, struct sgf_property *property,
                                    const char *raw, size_t len);

/* The first property of a node with this id, or the next one after `after`; else NULL. */
struct sgf_property *yo_sgf_tree_find(const struct yo_sgf_node *node, const char *id,
                                      const struct sgf_property *after);
