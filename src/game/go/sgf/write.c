/* Writes the tree as text. Values come out as they were read; only the charset and the white space
 * between properties may change. No recursion: the parent pointers lead back. */
#include "game/go/sgf/tree.h"

#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"

#define LINE_WIDTH 72

struct writer {
    struct yo_buf out;
    size_t line_start;
};

static void line_break(struct writer *w) {
    if (w->out.len == 0) return;
    yo_buf_char(&w->out, '\n');
    w->line_start = w->out.len;
}

static void break_if_full(struct writer *w) {
    if (w->out.len - w->line_start >= LINE_WIDTH) line_break(w);
}

static void write_property(struct writer *w, const struct sgf_property *property) {
    /* CA must name the charset of the output, not that of the input. */
    bool is_charset = strcmp(property->id, "CA") == 0;
    break_if_full(w);
    yo_buf_str(&w->out, property->name);
    for (const struct sgf_value *value = property->first; value; value = value->next) {
        yo_buf_char(&w->out, '[');
        yo_buf_str(&w->out, is_charset ? "UTF-8" : value->raw);
        yo_buf_char(&w->out, ']');
        if (value->next) break_if_full(w);
    }
}

static bool opens_a_root(const struct sgf_property *property) {
    return strcmp(property->id, "FF") == 0 || strcmp(property->id, "GM") == 0;
}

/* A root without CA gets one, after FF and GM where readers look for it. */
static void write_node(struct writer *w, const struct yo_sgf_node *node) {
    bool wants_charset = !node->parent && !yo_sgf_tree_find(node, "CA", NULL);
    break_if_full(w);
    yo_buf_char(&w->out, ';');
    for (const struct sgf_property *p = node->first; p; p = p->next) {
        if (wants_charset && !opens_a_root(p)) {
            yo_buf_str(&w->out, "CA[UTF-8]");
            wants_charset = false;
        }
        write_property(w, p);
    }
    if (wants_charset) yo_buf_str(&w->out, "CA[UTF-8]");
}

static bool is_branch(const struct yo_sgf_node *node) {
    return node->parent && node->parent->child != node->parent->last_child;
}

static void open_branch(struct writer *w) {
    line_break(w);
    yo_buf_char(&w->out, '(');
}

/* The next node in file order; closes the branches that end here. NULL after the last. */
static const struct yo_sgf_node *next_node(struct writer *w, const struct yo_sgf_node *node) {
    if (node->child) {
        if (is_branch(node->child)) open_branch(w);
        return node->child;
    }
    for (; node->parent; node = node->parent) {
        if (!is_branch(node)) continue;
        yo_buf_char(&w->out, ')');
        if (node->sibling) {
            open_branch(w);
            return node->sibling;
        }
    }
    return NULL;
}

static void write_tree(struct writer *w, const struct yo_sgf_node *root) {
    yo_buf_char(&w->out, '(');
    for (const struct yo_sgf_node *node = root; node; node = next_node(w, node)) {
        write_node(w, node);
        if (node == root && node->child && !is_branch(node->child)) line_break(w);
    }
    yo_buf_char(&w->out, ')');
    line_break(w);
}

enum yo_err yo_sgf_write(const struct yo_sgf *sgf, char **text, size_t *len) {
    struct writer w = {0};
    for (size_t i = 0; i < sgf->root_count; i++)
        write_tree(&w, sgf->roots[i]);
    enum yo_err err = yo_buf_status(&w.out);
    if (err) {
        yo_buf_free(&w.out);
        return err;
    }
    *text = w.out.data;
    *len = w.out.len;
    return YO_OK;
}

void yo_sgf_free_text(char *text) { yo_free(text); }
