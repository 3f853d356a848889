#include "cmd/book/write.h"

#include <math.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "game/go/sgf/info.h"
#include "game/go/sgf/line.h"
#include "yomi/sgf.h"

enum { PLIES_MAX = 64 };

/* Is the move good enough, and its value from a search of its own where it could be played? */
static bool is_kept(const struct yo_book_tree *tree, const struct yo_book_node *parent, size_t n,
                    double keep) {
    double best = 0;
    for (size_t i = parent->child; i < parent->child + parent->child_count; i++)
        if (tree->nodes[i].winrate > best) best = tree->nodes[i].winrate;
    return tree->nodes[n].winrate >= best - keep;
}

/* ---- Go ---- */

static enum yo_err add_move(struct yo_sgf *sgf, struct yo_sgf_node *parent,
                            const struct yo_book_node *node, int size, struct yo_sgf_node **added) {
    char point[3], value[16];
    bool black = node->ply % 2 == 1;
    enum yo_err err = yo_sgf_node_new(sgf, parent, added);
    if (err) return err;
    snprintf(value, sizeof value, "%.1f", 100 * (black ? node->winrate : 1 - node->winrate));
    err = yo_sgf_set(sgf, *added, black ? "B" : "W",
                     yo_sgf_point_text((yo_go_point)node->move, size, point));
    return err ? err : yo_sgf_set(sgf, *added, "SBKV", value);
}

/* made: the SGF node of each node, NULL: left out. Parents stand before their children. */
static enum yo_err add_moves(struct yo_sgf *sgf, const struct yo_book_tree *tree, int size,
                             double keep, struct yo_sgf_node **made) {
    made[0] = yo_sgf_root(sgf, 0);
    for (size_t i = 1; i < tree->count; i++) {
        const struct yo_book_node *node = &tree->nodes[i];
        if (!made[node->parent] || !is_kept(tree, &tree->nodes[node->parent], i, keep)) continue;
        enum yo_err err = add_move(sgf, made[node->parent], node, size, &made[i]);
        if (err) return err;
    }
    return YO_OK;
}

static enum yo_err write_go(const struct yo_go_game *game, const struct yo_book_tree *tree,
                            double keep, struct yo_buf *out) {
    struct yo_sgf *sgf;
    char *text;
    size_t len;
    int size = yo_go_game_size(game);
    struct yo_sgf_node **made = yo_alloc(tree->count, sizeof *made);
    if (!made) return YO_ERR_NOMEM;
    enum yo_err err = yo_sgf_new(size, &sgf);
    if (!err) {
        err = yo_sgf_info_write(sgf, yo_sgf_root(sgf, 0), yo_go_game_rules(game), NULL);
        if (!err) err = add_moves(sgf, tree, size, keep, made);
        if (!err) err = yo_sgf_write(sgf, &text, &len);
        if (!err) {
            yo_buf_add(out, text, len);
            yo_sgf_free_text(text);
        }
        yo_sgf_delete(sgf);
    }
    yo_free(made);
    return err;
}

/* ---- Shogi ---- */

/* The inverse of yo_search_winrate_of. */
static int centipawns(double winrate) {
    double odds = fmin(fmax(winrate, 0.001), 0.999);
    return (int)lround(600 * log(odds / (1 - odds)));
}

static void put_position(const struct yo_shogi_game *game, const struct yo_book_tree *tree,
                         const struct yo_book_node *node, double keep, struct yo_buf *out) {
    char sfen[YO_SHOGI_SFEN_MAX], text[YO_SHOGI_MOVE_TEXT];
    yo_buf_printf(out, "sfen %s\n", yo_shogi_game_sfen(game, sfen));
    for (size_t i = node->child; i < node->child + node->child_count; i++) {
        if (!is_kept(tree, node, i, keep)) continue;
        yo_buf_printf(out, "%s none %d 0 0\n",
                      yo_shogi_move_format((yo_shogi_move)tree->nodes[i].move, text),
                      centipawns(tree->nodes[i].winrate));
    }
}

static enum yo_err write_shogi(struct yo_book_place *place, const struct yo_book_tree *tree,
                               double keep, struct yo_buf *out, struct yo_diag *diag) {
    yo_move moves[PLIES_MAX];
    uint64_t key;
    bool over;
    yo_buf_str(out, "#YANEURAOU-DB2016 1.00\n");
    for (size_t i = 0; i < tree->count; i++) {
        if (!tree->nodes[i].child_count) continue;
        size_t count = yo_book_tree_path(tree, i, moves, PLIES_MAX);
        enum yo_err err = yo_book_place_set(place, moves, count, &key, &over, diag);
        if (err) return err;
        put_position(yo_session_shogi(place->session), tree, &tree->nodes[i], keep, out);
    }
    return yo_book_place_set(place, NULL, 0, &key, &over, diag);
}

enum yo_err yo_book_write(struct yo_book_place *place, const struct yo_book_tree *tree, double keep,
                          struct yo_buf *out, struct yo_diag *diag) {
    enum yo_err err = YO_OK;
    uint64_t key;
    bool over;
    if (place->game == YO_SESSION_SHOGI)
        err = write_shogi(place, tree, keep, out, diag);
    else if (!(err = yo_book_place_set(place, NULL, 0, &key, &over, diag)))
        err = write_go(yo_session_go(place->session), tree, keep, out);
    if (!err) err = yo_buf_status(out);
    return err == YO_ERR_NOMEM ? yo_diag_set(diag, err, "not enough memory for the book") : err;
}
