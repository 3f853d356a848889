/* Two SGF collections compared node by node: the same shape, names, order and escaped values. The
 * values of CA and whether a root has one are left out, since writing makes them UTF-8. In a
 * header, as the fuzz target uses it too. */
#pragma once

#include <stdbool.h>
#include <string.h>

#include "game/go/sgf/tree.h"

static inline bool sgf_same_values(const struct sgf_value *a, const struct sgf_value *b) {
    for (; a && b; a = a->next, b = b->next)
        if (strcmp(a->raw, b->raw) != 0 || strcmp(a->text, b->text) != 0) return false;
    return !a && !b;
}

static inline const struct sgf_property *sgf_not_charset(const struct sgf_property *property) {
    while (property && strcmp(property->id, "CA") == 0)
        property = property->next;
    return property;
}

static inline bool sgf_same_properties(const struct yo_sgf_node *x, const struct yo_sgf_node *y) {
    const struct sgf_property *a = sgf_not_charset(x->first), *b = sgf_not_charset(y->first);
    for (; a && b; a = sgf_not_charset(a->next), b = sgf_not_charset(b->next))
        if (strcmp(a->id, b->id) != 0 || strcmp(a->name, b->name) != 0 ||
            !sgf_same_values(a->first, b->first))
            return false;
    return !a && !b;
}

static inline const struct yo_sgf_node *sgf_next(const struct yo_sgf_node *node) {
    if (node->child) return node->child;
    while (node && !node->sibling)
        node = node->parent;
    return node ? node->sibling : NULL;
}

static inline bool sgf_same_tree(const struct yo_sgf_node *a, const struct yo_sgf_node *b) {
    for (; a && b; a = sgf_next(a), b = sgf_next(b))
        if (!a->child != !b->child || !a->sibling != !b->sibling || !sgf_same_properties(a, b))
            return false;
    return !a && !b;
}

static inline bool sgf_same(const struct yo_sgf *a, const struct yo_sgf *b) {
    if (a->root_count != b->root_count) return false;
    for (size_t i = 0; i < a->root_count; i++)
        if (!sgf_same_tree(a->roots[i], b->roots[i])) return false;
    return true;
}
