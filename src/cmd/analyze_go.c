/* Go for `yomi analyze`: SGF in, the same SGF out, with win rates (Sabaki's SBKV, Black's percent),
 * a comment and the line that should have been played at each node of the main line. Whatever else
 * the file has stays. Lines of comments and variations that are ours begin with "Yomi: ", by which
 * a later run knows them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/notice.h"
#include "cmd/analyze.h"
#include "cmd/patterns_option.h"
#include "game/go/sgf_info.h"
#include "game/go/sgf_line.h"
#include "game/go/sgf_replay.h"
#include "search/engine.h"
#include "yomi/go.h"
#include "yomi/sgf.h"

#define MARK     "Yomi: "
#define PV_MAX   10
#define PV_LEAST 2 /* visits of a move that a variation shows */

struct position {
    struct yo_sgf_node *node; /* where the move that leads here stands */
    struct yo_go_played move; /* YO_GO_NONE before the first */
    bool shared;              /* the node has a later move too: it is the later one's */
};

struct review {
    struct yo_sgf *sgf;
    size_t game_index;
    int size;
    struct position *positions;
    size_t count;
    struct yo_engine engine;
    struct yo_search_limits limits;
};

/* ---- reading ---- */

static void close_review(void *ctx) {
    struct review *r = ctx;
    yo_engine_stop(&r->engine);
    yo_sgf_delete(r->sgf);
    yo_free(r->positions);
    yo_free(r);
}

static size_t count_moves(const struct yo_sgf_node *node, int size) {
    size_t count = 0;
    struct yo_go_played move;
    for (; node; node = yo_sgf_child(node))
        for (const struct sgf_property *p = yo_sgf_next_move(node->first, size, &move); p;
             p = yo_sgf_next_move(p->next, size, &move))
            count++;
    return count;
}

/* Position 0 belongs to the last node before the first move. */
static enum yo_err list_positions(struct review *r) {
    struct yo_sgf_node *node = yo_sgf_root(r->sgf, r->game_index);
    r->positions = yo_alloc(count_moves(node, r->size) + 1, sizeof *r->positions);
    if (!r->positions) return YO_ERR_NOMEM;
    r->positions[0] = (struct position){.node = node, .move = {YO_GO_EMPTY, YO_GO_NONE}};
    r->count = 1;
    for (; node; node = yo_sgf_child(node)) {
        struct yo_go_played move;
        const struct sgf_property *p = yo_sgf_next_move(node->first, r->size, &move);
        if (!p && r->count == 1) r->positions[0].node = node;
        for (; p; p = yo_sgf_next_move(p->next, r->size, &move)) {
            struct position *last = &r->positions[r->count - 1];
            last->shared = last->node == node;
            r->positions[r->count++] = (struct position){.node = node, .move = move};
        }
    }
    return YO_OK;
}

/* The game after i moves, whoever made them. */
static enum yo_err game_at(const struct review *r, size_t i, struct yo_go_game **game,
                           struct yo_diag *diag) {
    struct sgf_replayed replayed;
    struct sgf_stop stop = {.number = i + 1 < r->count ? i + 1 : 0, .point = YO_GO_NONE};
    enum yo_err err = yo_sgf_replay(r->sgf, r->game_index, stop, &replayed, diag);
    if (!err) *game = replayed.game;
    return err;
}

static enum yo_err load(const char *path, size_t game_index, struct review *r,
                        struct yo_diag *diag) {
    enum yo_err err = yo_sgf_load(path, &r->sgf, diag);
    if (err) return err;
    r->game_index = game_index;
    if (game_index >= yo_sgf_game_count(r->sgf)) {
        yo_diag_set(diag, YO_ERR_RANGE, "%.100s has no game %zu", path, game_index + 1);
        yo_diag_hint(diag, "it has %zu; choose with --game", yo_sgf_game_count(r->sgf));
        return YO_ERR_RANGE;
    }
    /* All of it is played once, so that a mistake anywhere is told before hours are spent. */
    struct yo_go_game *game;
    r->count = 1;
    err = game_at(r, 0, &game, diag);
    if (err) return err;
    r->size = yo_go_game_size(game);
    yo_go_game_delete(game);
    err = list_positions(r);
    return err ? yo_diag_set(diag, err, "no memory for the record") : YO_OK;
}

static bool same_game(const struct review *a, const struct review *b) {
    if (a->size != b->size || a->count != b->count) return false;
    for (size_t i = 1; i < a->count; i++)
        if (a->positions[i].move.color != b->positions[i].move.color ||
            a->positions[i].move.move != b->positions[i].move.move)
            return false;
    return true;
}

/* Takes the earlier run's record in place of the one it was made from. */
static enum yo_err go_on_from(struct review *r, const char *before, struct yo_diag *diag) {
    struct review *old = yo_alloc(1, sizeof *old);
    if (!old) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for the record");
    enum yo_err err = load(before, r->game_index, old, diag);
    if (!err && !same_game(r, old)) {
        err = yo_diag_set(diag, YO_ERR_MISMATCH, "%.150s exists and is of another game", before);
        yo_diag_hint(diag, "choose another name with --output, or remove it");
    }
    if (!err) {
        struct review swapped = *r;
        *r = *old;
        *old = swapped;
    }
    close_review(old);
    return err;
}

/* What the record says of rules and komi and is not understood makes another game of it. */
static void tell_odd(const struct review *r, const char *path) {
    struct sgf_info info;
    if (yo_sgf_info_read(r->sgf, yo_sgf_root(r->sgf, r->game_index), &info, NULL)) return;
    if (info.odd_rules)
        yo_notice("%.100s: rules '%.40s' are not known; area scoring is used", path,
                  info.odd_rules);
    if (info.odd_komi)
        yo_notice("%.100s: komi '%.40s' is no number; %g is used", path, info.odd_komi,
                  info.rules.komi2 / 2.0);
}

static enum yo_err forget(struct review *r);

static struct yo_search_limits read_limits(const struct yo_options *options) {
    struct yo_search_limits limits = {.playouts = (uint64_t)yo_options_int(options, "playouts"),
                                      .time_ms = (int64_t)(1000 * yo_options_real(options, "time")),
                                      .whole = true};
    if (limits.time_ms && !yo_options_given(options, "playouts")) limits.playouts = 0;
    return limits;
}

static enum yo_err open_review(const struct yo_review_files *files,
                               const struct yo_options *options, void **out, struct yo_diag *diag) {
    struct review *r = yo_alloc(1, sizeof *r);
    if (!r) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for the record");
    struct yo_engine_setup setup = {.options = options,
                                    .threads = (int)yo_options_int(options, "threads"),
                                    .seed = (uint64_t)yo_options_int(options, "seed")};
    enum yo_err err = yo_patterns_option(options, diag);
    if (!err) err = load(files->path, files->game, r, diag);
    if (!err) tell_odd(r, files->path);
    if (!err && files->before) err = go_on_from(r, files->before, diag);
    r->limits = read_limits(options);
    if (!err && !yo_options_bool(options, "resume") && forget(r))
        err = yo_diag_set(diag, YO_ERR_NOMEM, "no memory for the record");
    if (!err) err = yo_engine_start(&r->engine, &setup, diag);
    if (err)
        close_review(r);
    else
        *out = r;
    return err;
}

/* ---- what is there ---- */

static size_t count_positions(const void *ctx) { return ((const struct review *)ctx)->count; }

/* The first child below a position that is a variation of ours, or NULL. */
static struct yo_sgf_node *own_variation(const struct yo_sgf_node *node) {
    for (struct yo_sgf_node *child = yo_sgf_child(node); child; child = yo_sgf_sibling(child)) {
        const char *comment = yo_sgf_get(child, "C", 0);
        if (child != yo_sgf_child(node) && comment && strncmp(comment, MARK, strlen(MARK)) == 0)
            return child;
    }
    return NULL;
}

static bool has_own_comment(const struct yo_sgf_node *node) {
    const char *comment = yo_sgf_get(node, "C", 0);
    for (; comment; comment = strchr(comment, '\n')) {
        comment += *comment == '\n';
        if (strncmp(comment, MARK, strlen(MARK)) == 0) return true;
    }
    return false;
}

static void get_point(const void *ctx, size_t i, struct yo_review_point *out) {
    const struct review *r = ctx;
    const struct position *p = &r->positions[i];
    *out = (struct yo_review_point){.first = p->move.color == YO_GO_BLACK};
    if (i > 0) {
        char point[8];
        snprintf(out->move, sizeof out->move, "%s",
                 yo_go_point_format(p->move.move, r->size, point));
        struct yo_go_played better;
        const struct yo_sgf_node *variation = own_variation(r->positions[i - 1].node);
        if (variation && !r->positions[i - 1].shared &&
            yo_sgf_next_move(variation->first, r->size, &better))
            snprintf(out->better, sizeof out->better, "%s",
                     yo_go_point_format(better.move, r->size, point));
    }
    const char *value =
        p->shared || !has_own_comment(p->node) ? NULL : yo_sgf_get(p->node, "SBKV", 0);
    char *end;
    double percent = value ? strtod(value, &end) : 0;
    if (!value || end == value || !(percent >= 0 && percent <= 100)) return;
    out->known = true;
    out->rate = percent / 100;
}

static void put_title(const void *ctx, struct yo_buf *out) {
    const struct review *r = ctx;
    const struct yo_sgf_node *root = yo_sgf_root(r->sgf, r->game_index);
    const char *black = yo_sgf_get(root, "PB", 0), *white = yo_sgf_get(root, "PW", 0);
    const char *result = yo_sgf_get(root, "RE", 0);
    if (!black && !white) return;
    yo_buf_printf(out, "%.60s \xe2\x80\x93 %.60s", black ? black : "?", white ? white : "?");
    if (result) yo_buf_printf(out, ", %.20s", result);
}

static enum yo_err put_text(const void *ctx, struct yo_buf *out, struct yo_diag *diag) {
    const struct review *r = ctx;
    char *text;
    size_t len;
    enum yo_err err = yo_sgf_write(r->sgf, &text, &len);
    if (!err) {
        yo_buf_add(out, text, len);
        yo_sgf_free_text(text);
        err = yo_buf_status(out);
    }
    return err ? yo_diag_set(diag, err, "no memory for the record") : YO_OK;
}

/* ---- what is found ---- */

/* The lines of a comment that are not ours. */
static void keep_others_lines(const char *comment, struct yo_buf *out) {
    while (comment && *comment) {
        size_t len = strcspn(comment, "\n");
        size_t with_end = len + (comment[len] == '\n');
        if (strncmp(comment, MARK, strlen(MARK)) != 0) yo_buf_add(out, comment, with_end);
        comment += with_end;
    }
}

static void put_line(struct yo_buf *out, const struct review *r, const struct yo_search_move *m) {
    char point[8];
    for (size_t i = 0; i < m->pv_count && i < PV_MAX && m->pv_visits[i] >= PV_LEAST; i++)
        yo_buf_printf(out, " %s", yo_go_point_format((yo_go_point)m->pv[i], r->size, point));
}

/* A position counts as known by our lines in its comment; without them it is searched, and what is
 * written then takes the place of what was there. */
static enum yo_err keep_others_comment(struct review *r, struct yo_sgf_node *node) {
    struct yo_buf comment = {0};
    keep_others_lines(yo_sgf_get(node, "C", 0), &comment);
    enum yo_err err = yo_buf_status(&comment);
    if (!err) err = yo_sgf_set(r->sgf, node, "C", yo_buf_text(&comment));
    yo_buf_free(&comment);
    return err;
}

static enum yo_err forget(struct review *r) {
    enum yo_err err = YO_OK;
    for (size_t i = 0; i < r->count && !err; i++)
        if (has_own_comment(r->positions[i].node))
            err = keep_others_comment(r, r->positions[i].node);
    return err;
}

static enum yo_err annotate(struct review *r, struct yo_sgf_node *node, enum yo_go_color to_move,
                            const struct yo_search_result *result) {
    const struct yo_search_move *best = &result->moves[0];
    double rate = yo_search_root_winrate(result), lead = yo_search_root_score(result);
    if (to_move == YO_GO_WHITE) {
        rate = 1 - rate;
        lead = -lead;
    }
    struct yo_buf comment = {0};
    char percent[16];
    keep_others_lines(yo_sgf_get(node, "C", 0), &comment);
    if (comment.len && comment.data[comment.len - 1] != '\n') yo_buf_char(&comment, '\n');
    yo_buf_printf(&comment,
                  MARK "Black wins %.1f%%, White %.1f%%; %s is ahead by %.1f points (%llu "
                       "playouts)\n",
                  100 * rate, 100 - 100 * rate, lead >= 0 ? "Black" : "White",
                  lead >= 0 ? lead : -lead, (unsigned long long)result->playouts);
    yo_buf_printf(&comment, MARK "%s should play", to_move == YO_GO_BLACK ? "Black" : "White");
    put_line(&comment, r, best);
    snprintf(percent, sizeof percent, "%.2f", 100 * rate);
    enum yo_err err = yo_buf_status(&comment);
    if (!err) err = yo_sgf_set(r->sgf, node, "C", yo_buf_text(&comment));
    if (!err) err = yo_sgf_set(r->sgf, node, "SBKV", percent);
    yo_buf_free(&comment);
    return err;
}

/* What should have been played, as a variation below the position. */
static enum yo_err add_variation(struct review *r, struct yo_sgf_node *parent,
                                 enum yo_go_color color, const struct yo_search_move *best) {
    struct yo_sgf_node *node = parent;
    enum yo_err err = YO_OK;
    for (size_t i = 0; i < best->pv_count && i < PV_MAX && !err; i++) {
        char text[3], comment[48];
        if (i > 0 && best->pv_visits[i] < PV_LEAST) break;
        err = yo_sgf_node_new(r->sgf, node, &node);
        if (!err)
            err = yo_sgf_set(r->sgf, node, color == YO_GO_BLACK ? "B" : "W",
                             yo_sgf_point_text((yo_go_point)best->pv[i], r->size, text));
        if (!err && i == 0) {
            snprintf(comment, sizeof comment, MARK "%s wins %.1f%%",
                     color == YO_GO_BLACK ? "Black" : "White", 100 * best->winrate_to_move);
            err = yo_sgf_set(r->sgf, node, "C", comment);
        }
        color = yo_go_other(color);
    }
    return err;
}

/* All or nothing is written only by the file as a whole: on failure the run ends. */
static enum yo_err record(struct review *r, size_t i, enum yo_go_color to_move,
                          const struct yo_search_result *result, struct yo_diag *diag) {
    struct yo_sgf_node *node = r->positions[i].node, *old;
    enum yo_err err = annotate(r, node, to_move, result);
    while ((old = own_variation(node)))
        yo_sgf_line_cut(old);
    bool was_played = i + 1 == r->count || r->positions[i + 1].move.move == result->moves[0].move;
    if (!err && !was_played) err = add_variation(r, node, to_move, &result->moves[0]);
    return err ? yo_diag_set(diag, err, "no memory for the record") : YO_OK;
}

static enum yo_err search(void *ctx, size_t i, const atomic_bool *stop, struct yo_diag *diag) {
    struct review *r = ctx;
    struct yo_search_result result;
    struct yo_go_game *game;
    if (r->positions[i].shared) return YO_OK;
    enum yo_err err = game_at(r, i, &game, diag);
    if (err) return err;
    err = r->engine.search.ops->run(r->engine.search.ctx, game, &r->limits, stop, NULL, NULL,
                                    &result, diag);
    if (!err && atomic_load(stop)) err = YO_ERR_CANCELLED;
    if (!err) err = record(r, i, yo_go_game_to_move(game), &result, diag);
    yo_go_game_delete(game);
    return err;
}

static const char *const suffixes[] = {".sgf", NULL};
static const char *const unused[] = {"nodes", "eval", "hash", "charset", NULL};

const struct yo_reviewer yo_reviewer_go = {
    .name = "Go",
    .suffixes = suffixes,
    .sides = {"Black", "White"},
    .unused = unused,
    .open = open_review,
    .close = close_review,
    .count = count_positions,
    .point = get_point,
    .title = put_title,
    .search = search,
    .text = put_text,
};
