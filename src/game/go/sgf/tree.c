#include "game/go/sgf/tree.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "game/go/sgf/text.h"

/* ---- The arena: files with millions of nodes are read without millions of allocations ---- */
#define CHUNK_SIZE_MIN ((size_t)1 << 12)
#define CHUNK_SIZE_MAX ((size_t)1 << 18)

struct sgf_chunk {
    struct sgf_chunk *next;
    size_t used, size;
    alignas(max_align_t) char data[];
};

static struct sgf_chunk *chunk_new(struct yo_sgf *sgf, size_t need) {
    size_t size = sgf->chunks ? sgf->chunks->size * 2 : CHUNK_SIZE_MIN;
    if (size > CHUNK_SIZE_MAX) size = CHUNK_SIZE_MAX;
    if (size < need) size = need;
    if (size > SIZE_MAX - sizeof(struct sgf_chunk)) return NULL;
    struct sgf_chunk *chunk = yo_alloc(1, sizeof *chunk + size);
    if (!chunk) return NULL;
    chunk->next = sgf->chunks;
    chunk->size = size;
    sgf->chunks = chunk;
    return chunk;
}

static void *arena_alloc(struct yo_sgf *sgf, size_t size, size_t align) {
    struct sgf_chunk *chunk = sgf->chunks;
    size_t at = chunk ? (chunk->used + align - 1) / align * align : 0;
    if (!chunk || at > chunk->size || size > chunk->size - at) {
        chunk = chunk_new(sgf, size);
        if (!chunk) return NULL;
        at = 0;
    }
    chunk->used = at + size;
    return chunk->data + at;
}

static const char *arena_text(struct yo_sgf *sgf, const char *text, size_t len) {
    if (len == 0) return "";
    char *copy = arena_alloc(sgf, len + 1, 1);
    if (copy) memcpy(copy, text, len);
    return copy; /* terminated, since chunks are zeroed */
}

/* ---- Building ---- */
struct yo_sgf *yo_sgf_tree_new(void) {
    return yo_alloc(1, sizeof(struct yo_sgf));
}

void yo_sgf_delete(struct yo_sgf *sgf) {
    if (!sgf) return;
    for (struct sgf_chunk *chunk = sgf->chunks, *next; chunk; chunk = next) {
        next = chunk->next;
        yo_free(chunk);
    }
    yo_free(sgf->roots);
    yo_free(sgf);
}

static bool reserve_root(struct yo_sgf *sgf) {
    if (sgf->root_count < sgf->root_cap) return true;
    size_t cap = sgf->root_cap ? sgf->root_cap * 2 : 1;
    struct yo_sgf_node **roots = yo_realloc(sgf->roots, cap, sizeof *roots);
    if (!roots) return false;
    sgf->roots = roots;
    sgf->root_cap = cap;
    return true;
}

struct yo_sgf_node *yo_sgf_tree_node(struct yo_sgf *sgf, struct yo_sgf_node *parent) {
    if (!parent && !reserve_root(sgf)) return NULL;
    struct yo_sgf_node *node = arena_alloc(sgf, sizeof *node, alignof(struct yo_sgf_node));
    if (!node) return NULL;
    node->parent = parent;
    if (!parent)
        sgf->roots[sgf->root_count++] = node;
    else if (parent->last_child)
        parent->last_child->sibling = node;
    else
        parent->child = node;
    if (parent) parent->last_child = node;
    return node;
}

/* FF[1] to FF[3] allow lower-case letters without meaning in an id: "Black" is B. An id without
 * capitals is unknown and stays as it is. */
static const char *capitals(struct yo_sgf *sgf, const char *name) {
    char id[16];
    size_t len = 0;
    bool lower = false;
    for (const char *p = name; *p; p++) {
        if (sgf_is_lower(*p))
            lower = true;
        else if (len < sizeof id)
            id[len++] = *p;
    }
    if (!lower || len == 0 || len == sizeof id) return name;
    return arena_text(sgf, id, len);
}

struct sgf_property *yo_sgf_tree_property(struct yo_sgf *sgf, struct yo_sgf_node *node,
                                          const char *name, size_t len) {
    struct sgf_property *property =
        arena_alloc(sgf, sizeof *property, alignof(struct sgf_property));
    if (!property) return NULL;
    property->name = arena_text(sgf, name, len);
    property->id = property->name ? capitals(sgf, property->name) : NULL;
    if (!property->id) return NULL;
    if (node->last)
        node->last->next = property;
    else
        node->first = property;
    node->last = property;
    return property;
}

void yo_sgf_tree_drop_last(struct yo_sgf_node *node) {
    struct sgf_property *before = NULL;
    for (struct sgf_property *p = node->first; p != node->last; p = p->next)
        before = p;
    if (before)
        before->next = NULL;
    else
        node->first = NULL;
    node->last = before;
}

/* The properties of FF[4] whose values are a single line: in them a line break means a space. */
static bool holds_one_line(const char *id) {
    static const char *const ids = " AN AP BR BT CA CP DT EV FG GN LB N ON OT PB PC PW RE RO RU SO "
                                   "US WR WT ";
    char key[8];
    int len = snprintf(key, sizeof key, " %s ", id);
    return len < (int)sizeof key && strstr(ids, key);
}

static const char *decoded(struct yo_sgf *sgf, const char *id, const char *raw, size_t len) {
    if (yo_sgf_text_is_plain(raw, len)) return raw;
    struct yo_buf text = {0};
    yo_sgf_text_decode(raw, len, holds_one_line(id), &text);
    const char *copy = text.failed ? NULL : arena_text(sgf, yo_buf_text(&text), text.len);
    yo_buf_free(&text);
    return copy;
}

struct sgf_value *yo_sgf_tree_value(struct yo_sgf *sgf, struct sgf_property *property,
                                    const char *raw, size_t len) {
    struct sgf_value *value = arena_alloc(sgf, sizeof *value, alignof(struct sgf_value));
    if (!value) return NULL;
    value->raw = arena_text(sgf, raw, len);
    value->text = value->raw ? decoded(sgf, property->id, value->raw, len) : NULL;
    if (!value->text) return NULL;
    if (property->last)
        property->last->next = value;
    else
        property->first = value;
    property->last = value;
    return value;
}

/* ---- Reading ---- */
struct sgf_property *yo_sgf_tree_find(const struct yo_sgf_node *node, const char *id,
                                      const struct sgf_property *after) {
    struct sgf_property *property = after ? after->next : node->first;
    while (property && strcmp(property->id, id) != 0)
        property = property->next;
    return property;
}

size_t yo_sgf_game_count(const struct yo_sgf *sgf) { return sgf->root_count; }

struct yo_sgf_node *yo_sgf_root(const struct yo_sgf *sgf, size_t game) {
    return game < sgf->root_count ? sgf->roots[game] : NULL;
}

struct yo_sgf_node *yo_sgf_parent(const struct yo_sgf_node *node) {
    return node->parent;
}

struct yo_sgf_node *yo_sgf_child(const struct yo_sgf_node *node) {
    return node->child;
}

struct yo_sgf_node *yo_sgf_sibling(const struct yo_sgf_node *node) {
    return node->sibling;
}

static const struct sgf_value *value_at(const struct yo_sgf_node *node, const char *id, size_t i) {
    const struct sgf_property *property = NULL;
    while ((property = yo_sgf_tree_find(node, id, property)))
        for (const struct sgf_value *value = property->first; value; value = value->next)
            if (i-- == 0) return value;
    return NULL;
}

const char *yo_sgf_get(const struct yo_sgf_node *node, const char *id, size_t i) {
    const struct sgf_value *value = value_at(node, id, i);
    return value ? value->text : NULL;
}

const char *yo_sgf_raw(const struct yo_sgf_node *node, const char *id, size_t i) {
    const struct sgf_value *value = value_at(node, id, i);
    return value ? value->raw : NULL;
}

size_t yo_sgf_count(const struct yo_sgf_node *node, const char *id) {
    size_t count = 0;
    const struct sgf_property *property = NULL;
    while ((property = yo_sgf_tree_find(node, id, property)))
        for (const struct sgf_value *value = property->first; value; value = value->next)
            count++;
    return count;
}

void yo_sgf_place(const struct yo_sgf_node *node, const char *id, int *line, int *column) {
    const struct sgf_property *property = yo_sgf_tree_find(node, id, NULL);
    *line = property ? property->line : 0;
    *column = property ? property->column : 0;
}

const char *yo_sgf_id(const struct yo_sgf_node *node, size_t i) {
    const struct sgf_property *property = node->first;
    while (property && i-- > 0)
        property = property->next;
    return property ? property->id : NULL;
}

const char *yo_sgf_charset(const struct yo_sgf *sgf) { return sgf->charset; }

const struct yo_diag *yo_sgf_warning(const struct yo_sgf *sgf, size_t i) {
    for (size_t kind = 0; kind < SGF_WARNINGS; kind++)
        if (sgf->warnings[kind].err != YO_OK && i-- == 0) return &sgf->warnings[kind];
    return NULL;
}
