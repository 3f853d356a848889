#include "game/go/sgf/replay.h"

#include <string.h>

#include "game/go/sgf/info.h"
#include "game/go/sgf/text.h"
#include "game/go/state.h"

enum { HANDICAP_MAX = 9 }; /* stones with fixed places */

struct replay {
    const struct yo_sgf *sgf;
    struct sgf_info info;
    struct yo_go_game *game;
    struct yo_sgf_node *start; /* the game's history begins with its setup */
    struct sgf_stop stop;
    size_t moves;         /* played so far, over all starts */
    bool to_move_given;   /* by PL, since the last move */
    bool bad_move;        /* the error is a move that cannot be played */
    struct yo_diag *diag; /* not NULL */
};

static enum yo_err at_place(struct replay *r, const struct sgf_property *property,
                            enum yo_err err) {
    yo_diag_where(r->diag, r->sgf->name, property->line, property->column);
    return err;
}

/* ---- Points ---- */
static bool read_letters(const char *text, int size, int *row, int *col) {
    *col = text[0] - 'a';
    if (*col < 0 || *col >= size) return false;
    *row = text[1] - 'a';
    return *row >= 0 && *row < size;
}

static size_t trimmed_length(const char *text) {
    size_t len = strlen(text);
    while (len > 0 && sgf_is_space(text[len - 1]))
        len--;
    return len;
}

static const char *skip_space(const char *text) {
    while (sgf_is_space(*text))
        text++;
    return text;
}

/* "" is a pass. So is "tt" in older files, on boards where it is not a point. */
static bool read_move(const char *text, int size, yo_go_point *move) {
    text = skip_space(text);
    size_t len = trimmed_length(text);
    int row, col;
    *move = YO_GO_PASS;
    if (len == 0 || (len == 2 && memcmp(text, "tt", 2) == 0)) return true;
    if (len != 2 || !read_letters(text, size, &row, &col)) return false;
    *move = (yo_go_point)(row * size + col);
    return true;
}

/* "cd", or "cd:ef" for the rectangle between two corners. */
static bool fill_points(const char *text, int size, enum yo_go_color color, uint8_t *colors) {
    text = skip_space(text);
    size_t len = trimmed_length(text);
    int row, col, row2, col2;
    if ((len != 2 && len != 5) || !read_letters(text, size, &row, &col)) return false;
    row2 = row, col2 = col;
    if (len == 5 && (text[2] != ':' || !read_letters(text + 3, size, &row2, &col2))) return false;
    int top = row < row2 ? row : row2, bottom = row + row2 - top;
    int left = col < col2 ? col : col2, right = col + col2 - left;
    for (int r = top; r <= bottom; r++)
        memset(colors + r * size + left, (int)color, (size_t)(right - left) + 1);
    return true;
}

/* ---- Setup ---- */
static bool is_setup(const char *id, enum yo_go_color *color) {
    static const char *const ids[] = {"AE", "AB", "AW"};
    for (int i = 0; i < 3; i++)
        if (strcmp(id, ids[i]) == 0) {
            *color = (enum yo_go_color)i;
            return true;
        }
    return false;
}

const struct sgf_property *yo_sgf_find_setup(const struct yo_sgf_node *node) {
    enum yo_go_color color;
    const struct sgf_property *p = node->first;
    while (p && !is_setup(p->id, &color))
        p = p->next;
    return p;
}

enum yo_err yo_sgf_read_setup(const struct yo_sgf *sgf, const struct yo_sgf_node *node, int size,
                              uint8_t *colors, struct yo_diag *diag) {
    enum yo_go_color color;
    for (const struct sgf_property *p = node->first; p; p = p->next) {
        if (!is_setup(p->id, &color)) continue;
        for (const struct sgf_value *v = p->first; v; v = v->next) {
            if (*skip_space(v->text) == '\0') continue; /* AB[] occurs, and has no effect */
            if (fill_points(v->text, size, color, colors)) continue;
            yo_diag_set(diag, YO_ERR_PARSE, "%s[%.20s] is no point of a %dx%d board", p->id,
                        v->text, size, size);
            yo_diag_where(diag, sgf->name, p->line, p->column);
            return YO_ERR_PARSE;
        }
    }
    return YO_OK;
}

/* A handicap: only Black stones, as many as HA gives, before the first move. */
static bool is_handicap(const struct replay *r, const uint8_t *colors, yo_go_point *points) {
    int count = 0;
    for (int p = 0; p < r->info.size * r->info.size; p++) {
        if (colors[p] == YO_GO_WHITE) return false;
        if (colors[p] == YO_GO_BLACK) points[count++] = (yo_go_point)p;
    }
    return r->moves == 0 && count >= 2 && count == r->info.handicap;
}

static enum yo_err place_stones(struct replay *r, const uint8_t *colors) {
    yo_go_point points[YO_GO_POINTS_MAX];
    if (is_handicap(r, colors, points) &&
        yo_go_game_handicap_set(r->game, points, r->info.handicap, NULL) == YO_OK)
        return YO_OK;
    return yo_go_game_setup(r->game, colors, yo_go_game_to_move(r->game), r->diag);
}

static enum yo_err apply_player(struct replay *r, const struct yo_sgf_node *node) {
    const struct sgf_property *pl = yo_sgf_tree_find(node, "PL", NULL);
    if (!pl) return YO_OK;
    char c = sgf_to_upper(*skip_space(pl->first->text));
    bool black = c == 'B' || c == '1', white = c == 'W' || c == '2'; /* digits in FF[1] and FF[2] */
    if (!black && !white) {
        yo_diag_set(r->diag, YO_ERR_PARSE, "PL[%.20s] is no player", pl->first->text);
        yo_diag_hint(r->diag, "write B or W");
        return at_place(r, pl, YO_ERR_PARSE);
    }
    yo_go_game_set_to_move(r->game, black ? YO_GO_BLACK : YO_GO_WHITE);
    r->to_move_given = true;
    return YO_OK;
}

static enum yo_err apply_setup(struct replay *r, struct yo_sgf_node *node) {
    const struct sgf_property *setup = yo_sgf_find_setup(node);
    if (!setup) return YO_OK;
    uint8_t before[YO_GO_POINTS_MAX] = {0}, after[YO_GO_POINTS_MAX];
    for (int p = 0; p < r->info.size * r->info.size; p++)
        before[p] = (uint8_t)yo_go_game_at(r->game, (yo_go_point)p);
    memcpy(after, before, sizeof after);
    enum yo_err err = yo_sgf_read_setup(r->sgf, node, r->info.size, after, r->diag);
    if (err) return err;
    /* Setup that repeats the current board must not cut the game's history. */
    if (memcmp(before, after, sizeof after) != 0) {
        err = place_stones(r, after);
        if (err) return at_place(r, setup, err);
        r->start = node;
    }
    return YO_OK;
}

static bool is_move(const char *id, enum yo_go_color *color) {
    *color = *id == 'B' ? YO_GO_BLACK : YO_GO_WHITE;
    return (*id == 'B' || *id == 'W') && id[1] == '\0';
}

static bool has_move(const struct yo_sgf_node *node) {
    enum yo_go_color color;
    const struct sgf_property *p = node->first;
    while (p && !is_move(p->id, &color))
        p = p->next;
    return p;
}

int yo_sgf_left_out_handicap(const struct yo_sgf_node *root, const struct sgf_info *info) {
    enum yo_go_color color = YO_GO_WHITE;
    yo_go_point points[HANDICAP_MAX];
    bool moved = false;
    int stones = info->handicap;
    if (stones < 2 || stones > HANDICAP_MAX) return 0;
    for (const struct yo_sgf_node *node = root; node && !moved; node = node->child) {
        if (yo_sgf_find_setup(node)) return 0;
        for (const struct sgf_property *p = node->first; p && !moved; p = p->next)
            moved = is_move(p->id, &color);
    }
    if (moved && color == YO_GO_BLACK) return 0;
    return yo_go_handicap_points(info->size, stones, points, NULL) ? 0 : stones; /* none so small */
}

static enum yo_err place_handicap(struct replay *r, const struct yo_sgf_node *root) {
    yo_go_point points[HANDICAP_MAX];
    int stones = yo_sgf_left_out_handicap(root, &r->info);
    if (stones == 0) return YO_OK;
    enum yo_err err = yo_go_handicap_points(r->info.size, stones, points, r->diag);
    return err ? err : yo_go_game_handicap_set(r->game, points, stones, r->diag);
}

/* ---- Moves ---- */
static enum yo_err fail_move(struct replay *r, const struct sgf_property *property, enum yo_err err,
                             const char *why) {
    r->bad_move = err != YO_ERR_NOMEM;
    yo_diag_set(r->diag, err, "move %zu, %s[%.20s]: %s", r->moves + 1, property->id,
                property->first->text, why);
    return at_place(r, property, err);
}

static enum yo_err play_property(struct replay *r, const struct sgf_property *property,
                                 enum yo_go_color color) {
    yo_go_point move;
    if (property->first->next)
        return fail_move(r, property, YO_ERR_PARSE, "a move has one point, not several");
    if (!read_move(property->first->text, r->info.size, &move))
        return fail_move(r, property, YO_ERR_PARSE, "no such point on this board");
    if (yo_go_game_move_count(r->game) == 0 && !r->to_move_given)
        yo_go_game_set_to_move(r->game, color);
    /* The standard asks readers to execute moves even if they are illegal. Which repetitions and
     * suicides are legal depends on rules that records often omit or get wrong. */
    enum yo_err err = yo_go_game_play_recorded(r->game, color, move, r->diag);
    if (err) {
        struct yo_diag inner = *r->diag;
        return fail_move(r, property, err, inner.what);
    }
    r->moves++;
    r->to_move_given = false;
    return YO_OK;
}

const struct sgf_property *yo_sgf_next_move(const struct sgf_property *p, int size,
                                            struct yo_go_played *played) {
    while (p && !is_move(p->id, &played->color))
        p = p->next;
    if (p && !read_move(p->first->text, size, &played->move)) played->move = YO_GO_NONE;
    return p;
}

static bool stops_before(const struct replay *r, const struct sgf_property *property) {
    yo_go_point move;
    if (r->moves + 1 == r->stop.number) return true;
    return r->stop.point != YO_GO_NONE && read_move(property->first->text, r->info.size, &move) &&
           move == r->stop.point;
}

/* A node should hold either setup or one move, but files with both, and with two moves, exist. PL
 * with a move says who moves after it, unless there are stones too: then who moves first.
 * *done: found the move to stop before. */
static enum yo_err play_node(struct replay *r, struct yo_sgf_node *node, bool *done) {
    bool player_first = !has_move(node) || yo_sgf_find_setup(node);
    enum yo_err err = apply_setup(r, node);
    if (!err && player_first) err = apply_player(r, node);
    enum yo_go_color color;
    for (const struct sgf_property *p = node->first; p && !err; p = p->next) {
        if (!is_move(p->id, &color)) continue;
        *done = stops_before(r, p);
        if (*done) {
            yo_go_game_set_to_move(r->game, color);
            return YO_OK;
        }
        err = play_property(r, p, color);
    }
    return err || player_first ? err : apply_player(r, node);
}

static enum yo_err play_line(struct replay *r, struct yo_sgf_node *root, struct sgf_replayed *out) {
    enum yo_err err = place_handicap(r, root);
    for (struct yo_sgf_node *node = root; node && !out->stopped && !err; node = node->child) {
        err = play_node(r, node, &out->stopped);
        out->last = node;
    }
    if (r->bad_move) out->warning = *r->diag;
    return r->bad_move ? YO_OK : err;
}

enum yo_err yo_sgf_replay(const struct yo_sgf *sgf, size_t game_index,
                          const struct yo_go_rules *rules, struct sgf_stop stop,
                          struct sgf_replayed *out, struct yo_diag *diag) {
    struct yo_diag unread;
    if (!diag) diag = &unread;
    if (game_index >= sgf->root_count)
        return yo_diag_set(diag, YO_ERR_RANGE, "there is no game %zu among %zu", game_index + 1,
                           sgf->root_count);
    struct yo_sgf_node *root = sgf->roots[game_index];
    struct replay r = {.sgf = sgf, .start = root, .stop = stop, .diag = diag};
    struct sgf_replayed played = {.last = root};
    enum yo_err err = yo_sgf_info_read(sgf, root, rules, &r.info, diag);
    if (err) return err;
    err = yo_go_game_new(r.info.size, &r.info.rules, &r.game);
    if (err) return yo_diag_set(diag, err, "cannot make a game: %s", yo_err_text(err));
    err = play_line(&r, root, &played);
    if (err) {
        yo_go_game_delete(r.game);
        return err;
    }
    played.game = r.game;
    played.start = r.start;
    played.moves = r.moves;
    *out = played;
    return YO_OK;
}

enum yo_err yo_sgf_to_game(const struct yo_sgf *sgf, size_t game_index, size_t stop_at,
                           struct yo_go_game **game, struct yo_diag *diag) {
    struct sgf_replayed replayed;
    struct sgf_stop stop = {.number = stop_at, .point = YO_GO_NONE};
    enum yo_err err = yo_sgf_replay(sgf, game_index, NULL, stop, &replayed, diag);
    if (err) return err;
    *game = replayed.game;
    if (diag) *diag = replayed.warning;
    return YO_OK;
}
