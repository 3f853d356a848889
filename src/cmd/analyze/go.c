/* Go for `yomi analyze`: reads SGF and writes it back with the search results (go_note.h) at each
 * node of the main line. Everything else in the file stays. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/charset.h"
#include "base/diag.h"
#include "base/notice.h"
#include "cmd/analyze/analyze.h"
#include "cmd/command.h"
#include "cmd/patterns_option.h"
#include "engine/go_note.h"
#include "engine/session.h"
#include "game/go/sgf/info.h"
#include "game/go/sgf/line.h"
#include "game/go/sgf/replay.h"
#include "yomi/go.h"
#include "yomi/sgf.h"

struct position {
    struct yo_sgf_node *node; /* the node of the move that leads here */
    struct yo_go_played move; /* YO_GO_NONE before the first */
    bool shared;              /* the node also has a later move and belongs to that */
};

struct review {
    struct yo_sgf *sgf;
    size_t game_index;
    int size;
    struct position *positions;
    size_t count;
    struct yo_diag warning; /* about a move that ends the game early; err YO_OK: none */
    struct yo_session *session;
    struct yo_go_patterns *patterns; /* NULL: built in */
    struct yo_search_limits limits;
};

/* ---- reading ---- */

static void close_review(void *ctx) {
    struct review *r = ctx;
    yo_session_delete(r->session);
    yo_free(r->patterns);
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

static bool has_setup(const struct yo_sgf_node *node) {
    return yo_sgf_find_setup(node) || yo_sgf_get(node, "PL", 0);
}

static bool has_move(const struct yo_sgf_node *node, int size) {
    struct yo_go_played move;
    return yo_sgf_next_move(node->first, size, &move);
}

/* moves: those that can be played.
 * Position 0 belongs to the last node before the first move. A later position belongs to its move's
 * node, or to a following node with setup stones. */
static enum yo_err list_positions(struct review *r, size_t moves) {
    struct yo_sgf_node *node = yo_sgf_root(r->sgf, r->game_index);
    r->positions = yo_alloc(count_moves(node, r->size) + 1, sizeof *r->positions);
    if (!r->positions) return YO_ERR_NOMEM;
    r->positions[0] = (struct position){.node = node, .move = {YO_GO_EMPTY, YO_GO_NONE}};
    r->count = 1;
    for (; node && (r->count <= moves || !has_move(node, r->size)); node = yo_sgf_child(node)) {
        struct yo_go_played move;
        const struct sgf_property *p = yo_sgf_next_move(node->first, r->size, &move);
        if (!p && (r->count == 1 || has_setup(node))) r->positions[r->count - 1].node = node;
        for (; p && r->count <= moves; p = yo_sgf_next_move(p->next, r->size, &move)) {
            struct position *last = &r->positions[r->count - 1];
            last->shared = last->node == node;
            r->positions[r->count++] = (struct position){.node = node, .move = move};
        }
    }
    return YO_OK;
}

/* The game after i moves, of either colour. */
static enum yo_err game_at(const struct review *r, size_t i, struct yo_go_game **game,
                           struct yo_diag *diag) {
    struct sgf_replayed replayed;
    struct sgf_stop stop = {.number = i + 1 < r->count ? i + 1 : 0, .point = YO_GO_NONE};
    enum yo_err err = yo_sgf_replay(r->sgf, r->game_index, NULL, stop, &replayed, diag);
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
        yo_diag_hint(diag, "it has %zu; choose with --game-number", yo_sgf_game_count(r->sgf));
        return YO_ERR_RANGE;
    }
    /* Plays the whole game once, to report errors before the long search. */
    struct sgf_replayed replayed;
    struct sgf_stop stop = {.number = 0, .point = YO_GO_NONE};
    err = yo_sgf_replay(r->sgf, game_index, NULL, stop, &replayed, diag);
    if (err) return err;
    r->size = yo_go_game_size(replayed.game);
    r->warning = replayed.warning;
    yo_go_game_delete(replayed.game);
    err = list_positions(r, replayed.moves);
    return err ? yo_diag_set(diag, err, "no memory for the record") : YO_OK;
}

static bool same_game(const void *one, const void *other) {
    const struct review *a = one, *b = other;
    if (a->size != b->size || a->count != b->count) return false;
    for (size_t i = 1; i < a->count; i++)
        if (a->positions[i].move.color != b->positions[i].move.color ||
            a->positions[i].move.move != b->positions[i].move.move)
            return false;
    return true;
}

/* A new review of a file. */
static enum yo_err read_review(const char *path, size_t game_index, void **out,
                               struct yo_diag *diag) {
    struct review *r = yo_alloc(1, sizeof *r);
    if (!r) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for the record");
    enum yo_err err = load(path, game_index, r, diag);
    if (err)
        close_review(r);
    else
        *out = r;
    return err;
}

static void tell(const struct yo_diag *warning) {
    char text[512];
    if (warning->err == YO_OK) return;
    yo_diag_format(warning, text, sizeof text);
    yo_notice(&yo_cmd_notices, "%s", text);
}

/* Warns of rules and komi that cannot be read, since the defaults may change the result; of a
 * record that is read only in part; and of games that are left out. */
static void tell_odd(const struct review *r, const char *path, bool chosen) {
    struct sgf_info info;
    const struct yo_diag *warning;
    size_t games = yo_sgf_game_count(r->sgf);
    for (size_t i = 0; (warning = yo_sgf_warning(r->sgf, i)); i++)
        tell(warning);
    tell(&r->warning);
    if (games > 1 && !chosen)
        yo_notice(&yo_cmd_notices,
                  "%.100s has %zu games; this is the first, choose another with --game-number",
                  path, games);
    if (yo_sgf_info_read(r->sgf, yo_sgf_root(r->sgf, r->game_index), NULL, &info, NULL)) return;
    struct yo_diag odd;
    for (int i = 0; yo_sgf_info_warning(&info, i, &odd); i++)
        yo_notice(&yo_cmd_notices, "%.100s: %s", path, odd.what);
}

static enum yo_err open_review(const struct yo_review_files *files,
                               const struct yo_options *options, void **out, struct yo_diag *diag) {
    struct yo_go_patterns *patterns;
    enum yo_err err = yo_patterns_option(options, &patterns, diag);
    if (err) return err;
    err = read_review(files->path, files->game, out, diag);
    if (err) {
        yo_free(patterns);
        return err;
    }
    ((struct review *)*out)->patterns = patterns;
    tell_odd(*out, files->path, yo_options_given(options, "game-number"));
    return YO_OK;
}

static enum yo_err reopen_review(const void *ctx, const char *path, void **out,
                                 struct yo_diag *diag) {
    return read_review(path, ((const struct review *)ctx)->game_index, out, diag);
}

/* The default number of playouts or visits counts if no limit is given. */
static struct yo_search_limits read_limits(const struct yo_options *options, bool by_net) {
    struct yo_search_limits limits = {.time_ms = (int64_t)(1000 * yo_options_real(options, "time")),
                                      .whole = true,
                                      .reads = true};
    bool playouts = yo_options_given(options, "playouts");
    bool visits = yo_options_given(options, "visits");
    bool any = playouts || visits || limits.time_ms;
    if (playouts || (!any && !by_net))
        limits.playouts = (uint64_t)yo_options_int(options, "playouts");
    if (visits || (!any && by_net)) limits.visits = (uint64_t)yo_options_int(options, "visits");
    limits.details = by_net; /* the visits of a position are counted with its own */
    return limits;
}

static enum yo_err start_review(void *ctx, const struct yo_options *options, struct yo_diag *diag) {
    struct review *r = ctx;
    struct yo_session_config config = {.game = YO_SESSION_GO,
                                       .options = options,
                                       .notice =
                                           isatty(STDERR_FILENO) ? yo_cmd_notices.notify : NULL,
                                       .notices = yo_cmd_notices,
                                       .patterns = r->patterns};
    struct yo_go_game *game;
    enum yo_err err = yo_session_new(&config, &r->session, diag);
    if (!err) err = game_at(r, 0, &game, diag);
    if (err) return err;
    err = yo_session_prepare_for(r->session, game, diag);
    yo_go_game_delete(game);
    if (!err) r->limits = read_limits(options, yo_session_limits(r->session) & YO_LIMIT_VISITS);
    return err;
}

/* ---- reading results ---- */

static size_t count_positions(const void *ctx) { return ((const struct review *)ctx)->count; }

static void get_point(const void *ctx, size_t i, struct yo_review_point *out) {
    const struct review *r = ctx;
    const struct position *p = &r->positions[i];
    *out = (struct yo_review_point){.first = p->move.color == YO_GO_BLACK};
    if (i > 0) {
        char point[8];
        snprintf(out->move, sizeof out->move, "%s",
                 yo_go_point_format(p->move.move, r->size, point));
        struct yo_go_played better;
        const struct yo_sgf_node *variation = yo_go_note_variation(r->positions[i - 1].node);
        if (variation && !r->positions[i - 1].shared &&
            yo_sgf_next_move(variation->first, r->size, &better))
            snprintf(out->better, sizeof out->better, "%s",
                     yo_go_point_format(better.move, r->size, point));
    }
    out->known = !p->shared && yo_go_note_read(p->node, &out->rate);
}

/* Not cut inside a character, which would make the picture unreadable. */
static void put_name(struct yo_buf *out, const char *name) {
    enum { NAME_MAX_BYTES = 60 };
    const char *shown = name ? name : "?";
    size_t len = 0;
    while (shown[len]) {
        size_t next = yo_utf8_length(shown + len, strlen(shown + len));
        if (next == 0 || len + next > NAME_MAX_BYTES) break;
        len += next;
    }
    yo_buf_add(out, shown, len);
}

static void put_title(const void *ctx, struct yo_buf *out) {
    const struct review *r = ctx;
    const struct yo_sgf_node *root = yo_sgf_root(r->sgf, r->game_index);
    const char *black = yo_sgf_get(root, "PB", 0), *white = yo_sgf_get(root, "PW", 0);
    const char *result = yo_sgf_get(root, "RE", 0);
    if (!black && !white) return;
    put_name(out, black);
    yo_buf_str(out, " \xe2\x80\x93 ");
    put_name(out, white);
    if (!result) return;
    yo_buf_str(out, ", ");
    put_name(out, result);
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

/* ---- writing results ---- */

static enum yo_err forget(void *ctx) {
    struct review *r = ctx;
    enum yo_err err = YO_OK;
    for (size_t i = 0; i < r->count && !err; i++)
        err = yo_go_note_forget(r->sgf, r->positions[i].node);
    return err;
}

/* May leave the node half changed on failure; the run then ends without writing the file. */
static enum yo_err record(struct review *r, size_t i, enum yo_go_color to_move,
                          const struct yo_search_result *result, struct yo_diag *diag) {
    struct yo_sgf_node *node = r->positions[i].node, *old;
    enum yo_err err =
        yo_go_note_write(r->sgf, node, r->size, to_move, result, yo_search_root_visits(result));
    while ((old = yo_go_note_variation(node)))
        yo_sgf_line_cut(old);
    bool was_played = i + 1 == r->count || r->positions[i + 1].move.move == result->moves[0].move;
    if (!err && !was_played)
        err = yo_go_note_add_line(r->sgf, node, r->size, to_move, &result->moves[0]);
    return err ? yo_diag_set(diag, err, "no memory for the record") : YO_OK;
}

static enum yo_err search(void *ctx, size_t i, const atomic_bool *stop, struct yo_diag *diag) {
    struct review *r = ctx;
    struct yo_search_result result;
    struct yo_go_game *game;
    if (r->positions[i].shared) return YO_OK;
    enum yo_err err = game_at(r, i, &game, diag);
    if (err) return err;
    err = yo_session_analyse(r->session, game, &r->limits, stop, NULL, NULL, &result, diag);
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
    .reopen = reopen_review,
    .close = close_review,
    .same_game = same_game,
    .forget = forget,
    .start = start_review,
    .count = count_positions,
    .point = get_point,
    .title = put_title,
    .search = search,
    .text = put_text,
};
