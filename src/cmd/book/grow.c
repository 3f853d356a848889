#include "cmd/book/grow.h"

#include "base/alloc.h"
#include "base/diag.h"

enum { PLIES_MAX = 64 };
#define NONE ((size_t)-1)
/* Giving away a percent of winrate makes a position as remote as this many plies. */
#define PLIES_A_PERCENT 0.7
/* A searched position brings about so many moves that are checked; for the estimate of the end. */
#define CHECKS_EXPECTED 1.2

static enum yo_err add(struct yo_book_tree *tree, struct yo_book_node node) {
    if (tree->count == tree->cap) {
        size_t cap = tree->cap ? 2 * tree->cap : 1024;
        void *grown = yo_realloc(tree->nodes, cap, sizeof *tree->nodes);
        if (!grown) return YO_ERR_NOMEM;
        tree->nodes = grown;
        tree->cap = cap;
    }
    tree->nodes[tree->count++] = node;
    return YO_OK;
}

void yo_book_tree_free(struct yo_book_tree *tree) {
    yo_free(tree->nodes);
    *tree = (struct yo_book_tree){0};
}

size_t yo_book_tree_path(const struct yo_book_tree *tree, size_t node, yo_move *moves, size_t max) {
    size_t count = (size_t)tree->nodes[node].ply;
    for (size_t i = count; i > 0; i--, node = tree->nodes[node].parent)
        if (i <= max) moves[i - 1] = tree->nodes[node].move;
    return count < max ? count : max;
}

static enum yo_err set(struct yo_book_place *place, struct yo_book_tree *tree, size_t n,
                       struct yo_diag *diag) {
    yo_move moves[PLIES_MAX];
    struct yo_book_node *node = &tree->nodes[n];
    size_t count = yo_book_tree_path(tree, n, moves, PLIES_MAX);
    return yo_book_place_set(place, moves, count, &node->key, &node->over, diag);
}

/* The first node with the same position that has moves of its own, or NONE. */
static size_t same_as(const struct yo_book_tree *tree, size_t n) {
    for (size_t i = 0; i < tree->count; i++)
        if (i != n && tree->nodes[i].key == tree->nodes[n].key && tree->nodes[i].child_count)
            return i;
    return NONE;
}

/* ---- Growing ---- */

/* The moves that lead to the first position. Nothing else is looked at beside them. */
static enum yo_err add_start(struct yo_book_place *place, const struct yo_book_growth *g,
                             struct yo_book_tree *tree, struct yo_diag *diag) {
    enum yo_err err = add(tree, (struct yo_book_node){0});
    if (!err) err = set(place, tree, 0, diag);
    for (size_t i = 0; i < g->after_count && !err; i++) {
        struct yo_book_node node = {.parent = i, .move = g->after[i], .ply = (int)i + 1};
        tree->nodes[i].child = i + 1;
        tree->nodes[i].child_count = 1;
        err = add(tree, node);
        if (!err) err = set(place, tree, i + 1, diag);
    }
    return err;
}

static bool is_open(const struct yo_book_tree *tree, size_t n, int plies) {
    const struct yo_book_node *node = &tree->nodes[n];
    return !node->child_count && !node->over && node->ply < plies && node->ply < PLIES_MAX - 1;
}

static size_t most_promising(const struct yo_book_tree *tree, int plies) {
    size_t best = NONE;
    for (size_t i = 0; i < tree->count; i++)
        if (is_open(tree, i, plies) && same_as(tree, i) == NONE &&
            (best == NONE || tree->nodes[i].cost < tree->nodes[best].cost))
            best = i;
    return best;
}

static bool has_key(const struct yo_book_tree *tree, size_t from, uint64_t key) {
    for (size_t i = from; i < tree->count; i++)
        if (tree->nodes[i].key == key) return true;
    return false;
}

/* A new child; not one that is another turned around. */
static enum yo_err add_child(struct yo_book_place *place, struct yo_book_tree *tree, size_t n,
                             const struct yo_search_move *move, double loss, struct yo_diag *diag) {
    const struct yo_book_node *parent = &tree->nodes[n];
    size_t first = parent->child_count ? parent->child : tree->count;
    double cost = parent->cost + 1 + 100 * loss * PLIES_A_PERCENT;
    struct yo_book_node child = {.parent = n,
                                 .move = move->move,
                                 .ply = parent->ply + 1,
                                 .winrate = move->winrate_to_move,
                                 .loss = loss,
                                 .cost = cost};
    enum yo_err err = add(tree, child);
    if (err) return err;
    size_t at = tree->count - 1;
    if ((err = set(place, tree, at, diag))) return err;
    uint64_t key = tree->nodes[at].key;
    tree->count--; /* is it among its siblings? */
    if (has_key(tree, first, key)) return YO_OK;
    tree->count++;
    tree->nodes[n].child = first;
    tree->nodes[n].child_count++;
    return YO_OK;
}

static enum yo_err expand(struct yo_book_place *place, const struct yo_book_growth *g,
                          struct yo_book_tree *tree, size_t n, struct yo_diag *diag) {
    struct yo_search_result result;
    enum yo_err err = set(place, tree, n, diag);
    if (!err) err = yo_book_place_search(place, g->width, &result, diag);
    if (err) return err;
    tree->searches++;
    if (result.move_count == 0 || !yo_book_place_trusts(place, &result, &result.moves[0])) {
        tree->nodes[n].over = true;
        return YO_OK;
    }
    double best = result.moves[0].winrate_to_move;
    tree->nodes[n].winrate = 1 - best;
    tree->nodes[n].searched = true;
    /* The moves belong to the search, which the positions of children do not touch. */
    for (size_t i = 0; i < result.move_count && tree->nodes[n].child_count < g->width && !err;
         i++) {
        const struct yo_search_move *move = &result.moves[i];
        double loss = best - move->winrate_to_move;
        if (loss <= g->keep && yo_book_place_trusts(place, &result, move))
            err = add_child(place, tree, n, move, loss > 0 ? loss : 0, diag);
    }
    return err;
}

/* ---- Checking ---- */

static double best_child(const struct yo_book_tree *tree, const struct yo_book_node *node) {
    double best = 0;
    for (size_t i = node->child; i < node->child + node->child_count; i++)
        if (tree->nodes[i].winrate > best) best = tree->nodes[i].winrate;
    return best;
}

/* Values from the leaves to the root: children stand behind their parents. A position that is
 * reached in two ways has the value of the one with moves. */
static void back_up(struct yo_book_tree *tree) {
    for (size_t i = tree->count; i-- > 0;) {
        size_t same = tree->nodes[i].child_count ? i : same_as(tree, i);
        if (same != NONE) tree->nodes[i].winrate = 1 - best_child(tree, &tree->nodes[same]);
        if (same != NONE) tree->nodes[i].searched = true;
    }
}

/* A move that may be played and whose position was not searched yet; NONE: all are. */
static size_t unchecked(const struct yo_book_tree *tree, double play) {
    for (size_t i = 1; i < tree->count; i++) {
        const struct yo_book_node *node = &tree->nodes[i];
        if (node->searched || node->over) continue;
        if (node->winrate >= best_child(tree, &tree->nodes[node->parent]) - play) return i;
    }
    return NONE;
}

static enum yo_err check(struct yo_book_place *place, struct yo_book_tree *tree, size_t n,
                         struct yo_diag *diag) {
    struct yo_search_result result;
    enum yo_err err = set(place, tree, n, diag);
    if (!err && !tree->nodes[n].over) err = yo_book_place_search(place, 1, &result, diag);
    if (err) return err;
    tree->searches++;
    tree->nodes[n].searched = true;
    if (tree->nodes[n].over)
        tree->nodes[n].winrate = 0; /* not a move for a book */
    else if (result.move_count)
        tree->nodes[n].winrate = 1 - result.moves[0].winrate_to_move;
    return YO_OK;
}

static void tell(const struct yo_book_growth *g, const struct yo_book_tree *tree) {
    size_t expected = (size_t)((double)g->positions * (1 + CHECKS_EXPECTED));
    if (expected < tree->searches) expected = tree->searches;
    if (g->progress) g->progress(g->user, tree->searches, expected);
}

enum yo_err yo_book_grow(struct yo_book_place *place, const struct yo_book_growth *g,
                         struct yo_book_tree *tree, struct yo_diag *diag) {
    enum yo_err err = add_start(place, g, tree, diag);
    for (size_t done = 0; done < g->positions && !err; done++) {
        size_t next = most_promising(tree, g->plies);
        if (next == NONE) break;
        err = expand(place, g, tree, next, diag);
        tell(g, tree);
    }
    back_up(tree);
    for (size_t next; !err && (next = unchecked(tree, g->play)) != NONE;) {
        err = check(place, tree, next, diag);
        back_up(tree);
        tell(g, tree);
    }
    return err == YO_ERR_NOMEM ? yo_diag_set(diag, err, "not enough memory for the book") : err;
}
