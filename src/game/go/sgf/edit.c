/* Edits a tree, and creates new ones. */
#include "game/go/sgf/tree.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/charset.h"
#include "game/go/sgf/text.h"
#include "yomi/version.h"

static bool is_id(const char *id) {
    if (!sgf_is_upper(*id)) return false;
    for (id++; *id; id++)
        if (!sgf_is_upper(*id) && !sgf_is_digit(*id)) return false;
    return true;
}

/* Creates a value outside the tree, so that running out of memory leaves the tree unchanged. */
static enum yo_err new_value(struct yo_sgf *sgf, const char *id, const char *text,
                             struct sgf_value **value) {
    if (!is_id(id) || !yo_utf8_valid(text, strlen(text))) return YO_ERR_ARGUMENT;
    struct yo_buf raw = {0};
    yo_sgf_text_escape(text, &raw);
    struct sgf_property nowhere = {.id = id};
    *value = raw.failed ? NULL : yo_sgf_tree_value(sgf, &nowhere, yo_buf_text(&raw), raw.len);
    yo_buf_free(&raw);
    return *value ? YO_OK : YO_ERR_NOMEM;
}

static struct sgf_property *last_with_id(const struct yo_sgf_node *node, const char *id) {
    struct sgf_property *last = NULL, *property = NULL;
    while ((property = yo_sgf_tree_find(node, id, property)))
        last = property;
    return last;
}

static void remove_after(struct yo_sgf_node *node, struct sgf_property *keep) {
    struct sgf_property *before = keep;
    while (before->next) {
        if (strcmp(before->next->id, keep->id) == 0)
            before->next = before->next->next;
        else
            before = before->next;
    }
    node->last = before;
}

enum yo_err yo_sgf_set(struct yo_sgf *sgf, struct yo_sgf_node *node, const char *id,
                       const char *text) {
    struct sgf_value *value;
    enum yo_err err = new_value(sgf, id, text, &value);
    if (err) return err;
    struct sgf_property *property = yo_sgf_tree_find(node, id, NULL);
    if (!property) property = yo_sgf_tree_property(sgf, node, id, strlen(id));
    if (!property) return YO_ERR_NOMEM;
    property->first = property->last = value;
    remove_after(node, property);
    return YO_OK;
}

enum yo_err yo_sgf_add(struct yo_sgf *sgf, struct yo_sgf_node *node, const char *id,
                       const char *text) {
    struct sgf_value *value;
    enum yo_err err = new_value(sgf, id, text, &value);
    if (err) return err;
    struct sgf_property *property = last_with_id(node, id);
    if (!property) property = yo_sgf_tree_property(sgf, node, id, strlen(id));
    if (!property) return YO_ERR_NOMEM;
    if (property->last)
        property->last->next = value;
    else
        property->first = value;
    property->last = value;
    return YO_OK;
}

enum yo_err yo_sgf_node_new(struct yo_sgf *sgf, struct yo_sgf_node *parent,
                            struct yo_sgf_node **child) {
    struct yo_sgf_node *node = yo_sgf_tree_node(sgf, parent);
    if (!node) return YO_ERR_NOMEM;
    *child = node;
    return YO_OK;
}

static enum yo_err fill_root(struct yo_sgf *sgf, int size) {
    char number[16];
    snprintf(number, sizeof number, "%d", size);
    const char *const properties[][2] = {
        {"FF", "4"}, {"GM", "1"}, {"CA", "UTF-8"}, {"AP", "Yomi:" YO_VERSION}, {"SZ", number}};
    struct yo_sgf_node *root = yo_sgf_tree_node(sgf, NULL);
    if (!root) return YO_ERR_NOMEM;
    for (size_t i = 0; i < sizeof properties / sizeof *properties; i++) {
        enum yo_err err = yo_sgf_set(sgf, root, properties[i][0], properties[i][1]);
        if (err) return err;
    }
    return YO_OK;
}

enum yo_err yo_sgf_new(int size, struct yo_sgf **sgf) {
    if (size < YO_GO_SIZE_MIN || size > YO_GO_SIZE_MAX) return YO_ERR_RANGE;
    struct yo_sgf *made = yo_sgf_tree_new();
    if (!made) return YO_ERR_NOMEM;
    snprintf(made->charset, sizeof made->charset, "UTF-8");
    enum yo_err err = fill_root(made, size);
    if (err) {
        yo_sgf_delete(made);
        return err;
    }
    *sgf = made;
    return YO_OK;
}
