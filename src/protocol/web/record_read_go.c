/* record.read for Go: SGF. */
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "engine/go_note.h"
#include "game/go/sgf/info.h"
#include "game/go/sgf/replay.h"
#include "protocol/web/record.h"

struct go_reader {
    const struct yo_sgf *sgf;
    int size;
    json_t *nodes;
    int *parents; /* by depth in the tree: the last node of the list made there */
    size_t depth, room;
    bool failed;
};

static json_t *point_text(yo_go_point point, int size) {
    char text[8];
    return json_string(yo_go_point_format(point, size, text));
}

static void put_comment(struct go_reader *r, const struct yo_sgf_node *node, json_t *object) {
    const char *comment = yo_sgf_get(node, "C", 0);
    double rate;
    if (comment && *comment) yo_web_put(object, "comment", comment, &r->failed);
    if (yo_go_note_read(node, &rate)) yo_web_put_real(object, "winrate", rate, &r->failed);
}

static const char *player_of(const struct yo_sgf_node *node) {
    const char *text = yo_sgf_get(node, "PL", 0);
    if (!text) return NULL;
    return *text == 'W' || *text == 'w' || *text == '2' ? "w" : "b";
}

/* {"black":[...],"white":[...],"empty":[...]}, or NULL if the node has no setup. */
static enum yo_err read_setup(struct go_reader *r, const struct yo_sgf_node *node, json_t **out,
                              struct yo_diag *diag) {
    static const char *const names[] = {"empty", "black", "white"};
    uint8_t colors[YO_GO_POINTS_MAX];
    memset(colors, 0xff, sizeof colors);
    *out = NULL;
    if (!yo_sgf_find_setup(node)) return YO_OK;
    enum yo_err err = yo_sgf_read_setup(r->sgf, node, r->size, colors, diag);
    if (err) return err;
    json_t *object = yo_json_object();
    for (int color = 0; color < 3; color++) {
        json_t *list = yo_json_array();
        for (int p = 0; p < r->size * r->size; p++)
            if (colors[p] == color)
                yo_json_append(list, point_text((yo_go_point)p, r->size), &r->failed);
        yo_json_set(object, names[color], list, &r->failed);
    }
    *out = object;
    return YO_OK;
}

/* Appends a node to the list; returns its number. */
static int append(struct go_reader *r, int parent, json_t *object) {
    yo_web_put_int(object, "parent", parent, &r->failed);
    yo_json_append(r->nodes, object, &r->failed);
    return (int)json_array_size(r->nodes) - 1;
}

static void put_played(struct go_reader *r, json_t *object, const struct yo_go_played *move) {
    char point[8], text[16] = "b ";
    text[0] = move->color == YO_GO_BLACK ? 'b' : 'w';
    strcpy(text + 2, yo_go_point_format(move->move, r->size, point));
    yo_web_put(object, "move", text, &r->failed);
}

/* A node of the file becomes one of the list, or several if it has several moves. *number becomes
 * that of the last. */
static enum yo_err read_node(struct go_reader *r, const struct yo_sgf_node *node, int *number,
                             struct yo_diag *diag) {
    json_t *object = yo_json_object(), *setup;
    struct yo_go_played move;
    put_comment(r, node, object);
    enum yo_err err = read_setup(r, node, &setup, diag);
    if (setup) yo_json_set(object, "setup", setup, &r->failed);
    const char *player = player_of(node);
    if (player && !setup) {
        yo_json_set(object, "setup", setup = yo_json_object(), &r->failed);
    }
    if (player) yo_web_put(setup, "turn", player, &r->failed);
    const struct sgf_property *p = yo_sgf_next_move(node->first, r->size, &move);
    bool is_root = *number < 0;
    if (p && !is_root && !setup) {
        put_played(r, object, &move);
        p = yo_sgf_next_move(p->next, r->size, &move);
    }
    *number = append(r, *number, object);
    for (; p && !err; p = yo_sgf_next_move(p->next, r->size, &move)) {
        json_t *more = yo_json_object();
        put_played(r, more, &move);
        *number = append(r, *number, more);
    }
    if (!err && json_array_size(r->nodes) > WEB_NODES_MAX)
        err = yo_diag_set(diag, YO_ERR_RANGE, "a record may have %d nodes at most", WEB_NODES_MAX);
    return err;
}

static bool remember(struct go_reader *r, int number) {
    if (r->depth == r->room) {
        size_t room = 2 * r->room + 64;
        void *grown = yo_realloc(r->parents, room, sizeof *r->parents);
        if (!grown) return false;
        r->parents = grown;
        r->room = room;
    }
    r->parents[r->depth++] = number;
    return true;
}

/* A move that is not on the board is an error, as for every other reader. */
static enum yo_err check_moves(struct go_reader *r, const struct yo_sgf_node *node,
                               struct yo_diag *diag) {
    struct yo_go_played move;
    const struct sgf_property *p = yo_sgf_next_move(node->first, r->size, &move);
    for (; p; p = yo_sgf_next_move(p->next, r->size, &move)) {
        if (move.move != YO_GO_NONE) continue;
        yo_diag_set(diag, YO_ERR_PARSE, "%s[%.20s] is no point of a %dx%d board", p->id,
                    p->first->text, r->size, r->size);
        yo_diag_where(diag, r->sgf->name, p->line, p->column);
        return YO_ERR_PARSE;
    }
    return YO_OK;
}

/* All nodes below and including the root, each after its parent. */
static enum yo_err read_tree(struct go_reader *r, const struct yo_sgf_node *root,
                             struct yo_diag *diag) {
    const struct yo_sgf_node *node = root;
    while (node) {
        int number = r->depth ? r->parents[r->depth - 1] : -1;
        enum yo_err err = check_moves(r, node, diag);
        if (!err) err = read_node(r, node, &number, diag);
        if (err) return err;
        if (yo_sgf_child(node)) {
            if (!remember(r, number)) return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
            node = yo_sgf_child(node);
            continue;
        }
        while (node != root && !yo_sgf_sibling(node)) {
            node = yo_sgf_parent(node);
            r->depth--;
        }
        node = node == root ? NULL : yo_sgf_sibling(node);
    }
    return YO_OK;
}

static json_t *rules_value(const struct yo_go_rules *rules) {
    char text[256];
    json_t *object = NULL;
    const char *name = yo_go_rules_name(rules);
    if (name) return json_string(name);
    int len = yo_go_rules_format(rules, text, sizeof text);
    yo_json_read(text, (size_t)len, &object, NULL);
    return object;
}

/* Where the game begins: the first node's setup goes there, if it has stones. */
static json_t *go_start(struct go_reader *r, const struct yo_sgf_node *root,
                        const struct sgf_info *info) {
    json_t *start = yo_json_object(), *first = json_array_get(r->nodes, 0);
    json_t *setup = json_object_get(first, "setup");
    yo_web_put_int(start, "size", info->size, &r->failed);
    yo_web_put_real(start, "komi", info->rules.komi2 / 2.0, &r->failed);
    yo_json_set(start, "rules", rules_value(&info->rules), &r->failed);
    size_t black = json_array_size(json_object_get(setup, "black"));
    int handicap = yo_sgf_left_out_handicap(root, info);
    if (info->handicap >= 2 && black == (size_t)info->handicap) handicap = info->handicap;
    yo_web_put_int(start, "handicap", handicap, &r->failed);
    const char *player = player_of(root);
    yo_web_put(start, "turn", player ? player : handicap ? "w" : "b", &r->failed);
    if (black || json_array_size(json_object_get(setup, "white"))) {
        json_object_del(setup, "empty");
        json_object_del(setup, "turn");
        yo_json_set(start, "setup", json_incref(setup), &r->failed);
    }
    json_object_del(first, "setup");
    return start;
}

static json_t *go_headers(const struct yo_sgf_node *root, bool *failed) {
    json_t *headers = yo_json_object();
    for (const struct web_header *h = yo_web_headers; h->name; h++) {
        const char *value = h->sgf ? yo_sgf_get(root, h->sgf, 0) : NULL;
        if (value && *value) yo_web_put(headers, h->name, value, failed);
    }
    return headers;
}

static void put_warning(json_t *warnings, const struct yo_diag *warning, bool *failed) {
    char text[512];
    yo_diag_format(warning, text, sizeof text);
    yo_json_append(warnings, yo_json_text(text, strlen(text)), failed);
}

enum yo_err yo_web_put_go(struct yo_sgf *sgf, size_t index, json_t *m, bool *failed,
                          struct yo_diag *diag) {
    struct sgf_info info;
    if (index >= yo_sgf_game_count(sgf))
        return yo_diag_set(diag, YO_ERR_RANGE, "there is no game %zu among %zu", index + 1,
                           yo_sgf_game_count(sgf));
    const struct yo_sgf_node *root = yo_sgf_root(sgf, index);
    enum yo_err err = yo_sgf_info_read(sgf, root, NULL, &info, diag);
    if (err) return err;
    struct go_reader r = {.sgf = sgf, .size = info.size, .nodes = yo_json_array()};
    err = read_tree(&r, root, diag);
    yo_free(r.parents);
    if (err) {
        json_decref(r.nodes);
        return err;
    }
    json_t *record = yo_json_object(), *warnings = yo_json_array();
    yo_web_put(record, "game", "go", failed);
    yo_json_set(record, "start", go_start(&r, root, &info), failed);
    yo_json_set(record, "headers", go_headers(root, failed), failed);
    yo_json_set(record, "nodes", r.nodes, failed);
    *failed = *failed || r.failed;
    yo_json_set(m, "record", record, failed);
    yo_web_put(m, "format", "sgf", failed);
    yo_web_put_int(m, "games", (int64_t)yo_sgf_game_count(sgf), failed);
    const struct yo_diag *warning;
    struct yo_diag odd;
    for (size_t i = 0; (warning = yo_sgf_warning(sgf, i)); i++)
        put_warning(warnings, warning, failed);
    for (int i = 0; yo_sgf_info_warning(&info, i, &odd); i++)
        put_warning(warnings, &odd, failed);
    yo_json_set(m, "warnings", warnings, failed);
    return YO_OK;
}
