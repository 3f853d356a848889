#include "game/go/sgf/line.h"

const char *yo_sgf_point_text(yo_go_point p, int size, char out[3]) {
    if (p == YO_GO_PASS) return "";
    out[0] = (char)('a' + p % size);
    out[1] = (char)('a' + p / size);
    out[2] = '\0';
    return out;
}

enum yo_err yo_sgf_line_append(struct yo_sgf *sgf, struct yo_sgf_node *node,
                               const struct yo_go_game *game, size_t from) {
    enum yo_err err = YO_OK;
    for (size_t i = from; i < yo_go_game_move_count(game) && !err; i++) {
        struct yo_go_played move = yo_go_game_move(game, i);
        char text[3];
        err = yo_sgf_node_new(sgf, node, &node);
        if (!err)
            err = yo_sgf_set(sgf, node, move.color == YO_GO_BLACK ? "B" : "W",
                             yo_sgf_point_text(move.move, yo_go_game_size(game), text));
    }
    return err;
}

void yo_sgf_line_mark(const struct sgf_replayed *replayed) {
    for (struct yo_sgf_node *node = replayed->last; node != replayed->start; node = node->parent)
        node->replayed = true;
}

/* Do the node's moves equal the game's from number *i on? If so, advances *i past them. A game may
 * also end in the middle of a node. */
static bool follow_node(const struct yo_sgf_node *node, const struct yo_go_game *game, size_t *i) {
    int size = yo_go_game_size(game);
    size_t next = *i, count = yo_go_game_move_count(game);
    struct yo_go_played move;
    const struct sgf_property *p = yo_sgf_next_move(node->first, size, &move);
    for (; p && next < count; p = yo_sgf_next_move(p->next, size, &move)) {
        struct yo_go_played played = yo_go_game_move(game, next++);
        if (played.color != move.color || played.move != move.move) return false;
    }
    *i = next;
    return true;
}

/* Setup starts another game, unless the replay found that it changes nothing. */
static bool is_other_game(const struct yo_sgf_node *node) {
    return !node->replayed && yo_sgf_find_setup(node);
}

/* The next node in a walk over all nodes below `top`, with or without the subtree of node; or
 * NULL. */
static struct yo_sgf_node *walk(const struct yo_sgf_node *top, struct yo_sgf_node *node,
                                bool descend) {
    if (descend && node->child) return node->child;
    while (node != top && !node->sibling)
        node = node->parent;
    return node == top ? NULL : node->sibling;
}

/* Finds the node with the game's next move; only nodes without moves may stand between. */
static struct yo_sgf_node *find_next(struct yo_sgf_node *from, const struct yo_go_game *game,
                                     size_t *i) {
    struct yo_sgf_node *node = from->child;
    while (node) {
        size_t next = *i;
        bool good = !is_other_game(node) && follow_node(node, game, &next);
        if (good && next > *i) {
            *i = next;
            return node;
        }
        node = walk(from, node, good);
    }
    return NULL;
}

enum yo_err yo_sgf_line_add(struct yo_sgf *sgf, struct yo_sgf_node *start,
                            const struct yo_go_game *game, struct yo_sgf_node **added) {
    size_t i = 0;
    struct yo_sgf_node *node = start, *next;
    *added = NULL;
    if (!follow_node(start, game, &i)) return YO_ERR_UNSUPPORTED;
    while (i < yo_go_game_move_count(game) && (next = find_next(node, game, &i)))
        node = next;
    if (i == yo_go_game_move_count(game)) return YO_OK;
    struct yo_sgf_node *before = node->last_child;
    enum yo_err err = yo_sgf_line_append(sgf, node, game, i);
    if (node->last_child != before) *added = node->last_child;
    return err;
}

void yo_sgf_line_cut(struct yo_sgf_node *node) {
    struct yo_sgf_node *parent = node->parent, *before = NULL;
    for (struct yo_sgf_node *child = parent->child; child != node; child = child->sibling)
        before = child;
    if (before)
        before->sibling = node->sibling;
    else
        parent->child = node->sibling;
    if (parent->last_child == node) parent->last_child = before;
}
