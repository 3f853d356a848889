/* Shogi for `yomi analyze`: reads CSA, KIF or KI2 and writes it back with the search result of each
 * main-line position in its comment (game/shogi/kifu/note.h) and, where another move was better,
 * the better line as a variation. Everything else in the file stays. */
#include <stdio.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/notice.h"
#include "cmd/analyze/analyze.h"
#include "cmd/command.h"
#include "engine/go.h"
#include "engine/shogi.h"
#include "engine/shogi_guided.h"
#include "engine/shogi_note.h"
#include "game/shogi/kifu/encode.h"
#include "game/shogi/kifu/game.h"

#define LINE_MAX_SHOWN 20

struct review {
    struct yo_shogi_record *record;
    struct yo_shogi_writing how;
    enum yo_shogi_note_form form;
    int *nodes; /* of the main line without the end node; the initial position is number 0 */
    size_t count;
    yo_shogi_move *best; /* the engine's best move in each position, if known */
    struct yo_shogi_engine *engine;
    struct yo_shogi_limits limits;
    bool by_net; /* a search with a policy, which counts no depths */
};

/* ---- reading ---- */

static void close_review(void *ctx) {
    struct review *r = ctx;
    yo_shogi_engine_delete(r->engine);
    yo_shogi_record_delete(r->record);
    yo_free(r->nodes);
    yo_free(r->best);
    yo_free(r);
}

static enum yo_err list_nodes(struct review *r) {
    const struct yo_shogi_node *nodes = r->record->nodes;
    r->nodes = yo_alloc(r->record->node_count, sizeof *r->nodes);
    r->best = yo_alloc(r->record->node_count, sizeof *r->best);
    if (!r->nodes || !r->best) return YO_ERR_NOMEM;
    for (int n = 0; n != YO_SHOGI_NO_NODE && !nodes[n].end; n = nodes[n].child) {
        int variation = yo_shogi_noted_variation(r->record, n, r->form);
        if (variation != YO_SHOGI_NO_NODE) r->best[r->count] = nodes[variation].move;
        r->nodes[r->count++] = n;
    }
    return YO_OK;
}

static enum yo_err load(const char *path, struct review *r, struct yo_diag *diag) {
    struct yo_buf text = {0};
    enum yo_err err = yo_file_read_text(path, &text, diag);
    if (!err) err = yo_shogi_record_parse(yo_buf_text(&text), text.len, path, &r->record, diag);
    yo_buf_free(&text);
    if (err) return err;
    err = list_nodes(r);
    return err ? yo_diag_set(diag, err, "no memory for the record") : YO_OK;
}

static bool same_game(const void *one, const void *other) {
    const struct review *a = one, *b = other;
    if (shogi_hash(&a->record->start) != shogi_hash(&b->record->start) || a->count != b->count)
        return false;
    for (size_t i = 1; i < a->count; i++)
        if (a->record->nodes[a->nodes[i]].move != b->record->nodes[b->nodes[i]].move) return false;
    return true;
}

/* ---- writing results ---- */

static bool has_note(const struct review *r, size_t i, int *score_black) {
    return yo_shogi_noted(r->record, r->nodes[i], r->form, score_black);
}

static enum yo_err forget(void *ctx) {
    struct review *r = ctx;
    enum yo_err err = YO_OK;
    for (size_t i = 0; i < r->count && !err; i++)
        err = yo_shogi_notes_forget(r->record, r->nodes[i], r->form);
    return err;
}

static int for_black(const struct yo_shogi_position *pos, int score) {
    return pos->side == YO_SHOGI_BLACK ? score : -score;
}

static int previous_target(const struct yo_shogi_game *game) {
    return game->count > 1 ? shogi_to(game->moves[game->count - 2]) : YO_SHOGI_NO_SQUARE;
}

/* The win rate that the move before position i lost; 0 if unknown. */
static double lost_before(const struct review *r, size_t i, int score_black,
                          const struct yo_shogi_position *pos) {
    int before;
    if (i == 0 || !has_note(r, i - 1, &before)) return 0;
    double change = yo_shogi_score_rate(score_black) - yo_shogi_score_rate(before);
    return pos->side == YO_SHOGI_BLACK ? change : -change; /* the other side has moved */
}

static enum yo_err write_down(struct review *r, size_t i, const struct yo_shogi_game *game,
                              const struct yo_shogi_found *found, struct yo_diag *diag) {
    const struct yo_shogi_position *pos = shogi_game_now(game);
    int node = r->nodes[i];
    struct yo_shogi_note note = {.score_black = for_black(pos, found->score),
                                 .depth = found->depth,
                                 .nodes = found->nodes,
                                 .line = found->line,
                                 .length = found->length};
    if (note.length > LINE_MAX_SHOWN) note.length = LINE_MAX_SHOWN;
    note.lost = lost_before(r, i, note.score_black, pos);
    enum yo_err err =
        yo_shogi_notes_write(r->record, node, r->form, &note, pos, previous_target(game));
    r->best[i] = found->length ? found->line[0] : YO_SHOGI_NO_MOVE;
    bool other = i + 1 < r->count && r->record->nodes[r->nodes[i + 1]].move != r->best[i];
    if (!err && other && r->how.format != YO_SHOGI_CSA)
        err = yo_shogi_notes_add_line(r->record, node, r->form, &note, pos);
    return err ? yo_diag_set(diag, err, "no memory for the record") : YO_OK;
}

static enum yo_err search(void *ctx, size_t i, const atomic_bool *stop, struct yo_diag *diag) {
    struct review *r = ctx;
    struct yo_shogi_game *game;
    struct yo_shogi_found found;
    enum yo_err err = yo_shogi_game_of_record(r->record, r->nodes[i], &game);
    if (err) return yo_diag_set(diag, err, "no memory for the record");
    err = yo_shogi_engine_run(r->engine, game, &r->limits, stop, NULL, NULL, &found, diag);
    /* A search that ended before its first depth has no score: that depth is finished. */
    if (!err && found.depth == 0 && found.length > 0 && !r->by_net)
        err = yo_shogi_engine_run(r->engine, game, &(struct yo_shogi_limits){.depth = 1}, stop,
                                  NULL, NULL, &found, diag);
    if (!err && atomic_load(stop)) err = YO_ERR_CANCELLED;
    if (!err) err = write_down(r, i, game, &found, diag);
    yo_shogi_game_delete(game);
    return err;
}

/* ---- reading results ---- */

static size_t count_positions(const void *ctx) { return ((const struct review *)ctx)->count; }

static void put_move(const struct review *r, size_t i, yo_shogi_move move,
                     char out[YO_REVIEW_MOVE]) {
    struct yo_shogi_game *game;
    char words[YO_SHOGI_WORDS_TEXT];
    if (yo_shogi_game_of_record(r->record, r->nodes[i], &game)) return;
    snprintf(out, YO_REVIEW_MOVE, "%s", yo_shogi_game_move_words(game, move, words));
    yo_shogi_game_delete(game);
}

static void get_point(const void *ctx, size_t i, struct yo_review_point *out) {
    const struct review *r = ctx;
    int score;
    *out = (struct yo_review_point){0};
    out->first = (r->record->start.side == YO_SHOGI_BLACK) == (i % 2 == 1);
    if (i > 0) {
        yo_shogi_move played = r->record->nodes[r->nodes[i]].move;
        put_move(r, i - 1, played, out->move);
        if (r->best[i - 1] && r->best[i - 1] != played)
            put_move(r, i - 1, r->best[i - 1], out->better);
    }
    out->known = has_note(r, i, &score);
    if (out->known) out->rate = yo_shogi_score_rate(score);
}

static void put_title(const void *ctx, struct yo_buf *out) {
    static const char *const keys[2][2] = {{"先手", "下手"}, {"後手", "上手"}};
    const struct review *r = ctx;
    const char *names[2];
    for (int i = 0; i < 2; i++) {
        names[i] = yo_shogi_record_header(r->record, keys[i][0]);
        if (!names[i]) names[i] = yo_shogi_record_header(r->record, keys[i][1]);
    }
    if (names[0] || names[1])
        yo_buf_printf(out, "%s \xe2\x80\x93 %s", names[0] ? names[0] : "?",
                      names[1] ? names[1] : "?");
}

static enum yo_err put_text(const void *ctx, struct yo_buf *out, struct yo_diag *diag) {
    const struct review *r = ctx;
    return yo_shogi_record_encode(r->record, &r->how, out, NULL, diag);
}

/* ---- opening ---- */

/* The output name decides the format. The charset is that of the input file, unless --charset is
 * given or the suffixes of the two names imply different charsets. */
static void choose_writing(struct review *r, const struct yo_review_files *files,
                           const struct yo_options *options) {
    struct yo_shogi_writing named, was;
    r->how = yo_shogi_writing_as_read(r->record);
    if (yo_shogi_writing_of_name(files->output, &named)) {
        r->how.format = named.format;
        if (yo_shogi_writing_of_name(files->path, &was) && was.charset != named.charset)
            r->how.charset = named.charset;
    }
    size_t charset = yo_options_choice(options, "charset"); /* keep, utf-8, shift-jis */
    if (charset > 0) r->how.charset = charset == 1 ? YO_SHOGI_UTF8 : YO_SHOGI_SHIFT_JIS;
    r->form = r->how.format == YO_SHOGI_CSA ? YO_SHOGI_NOTE_FLOODGATE : YO_SHOGI_NOTE_HOME;
}

/* Positions for each position of the game with puct or mcss: a network with a policy needs few of
 * them, and time for each. */
enum { POLICY_NODES = 1000 };

static void choose_limits(struct review *r, const struct yo_options *options) {
    bool visits = yo_options_given(options, "visits"), nodes = yo_options_given(options, "nodes");
    r->by_net = yo_shogi_search_has_net(yo_shogi_search_name(options));
    r->limits.time_ms = (int64_t)(1000 * yo_options_real(options, "time"));
    if (nodes || visits)
        r->limits.nodes = (uint64_t)yo_options_int(options, nodes ? "nodes" : "visits");
    else if (!r->limits.time_ms)
        r->limits.nodes = r->by_net ? POLICY_NODES : (uint64_t)yo_options_int(options, "nodes");
}

/* Before the long search, reports a record that cannot be written. */
static enum yo_err try_text(const struct review *r, struct yo_diag *diag) {
    struct yo_buf text = {0};
    enum yo_err err = put_text(r, &text, diag);
    if (err == YO_ERR_UNSUPPORTED) yo_diag_hint(diag, "give --charset utf-8");
    yo_buf_free(&text);
    return err;
}

/* Refuses the options that searches have for Go alone. */
static enum yo_err refuse_tree(const struct yo_options *options, struct yo_diag *diag) {
    enum yo_err err = YO_OK;
    for (const struct yo_option *row = yo_engine_options; !err && row->key; row++)
        if (!yo_shogi_has_option(row->key))
            err = yo_options_refuse(options, (const char *const[]){row->key, NULL}, "shogi", diag);
    return err;
}

/* Makes a review of a file; it is written in the format and charset of `like`, if not NULL. */
static enum yo_err read_review(const char *path, const struct review *like, struct review **out,
                               struct yo_diag *diag) {
    struct review *r = yo_alloc(1, sizeof *r);
    if (!r) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for the record");
    if (like) r->form = like->form;
    if (like) r->how = like->how;
    enum yo_err err = load(path, r, diag);
    if (err)
        close_review(r);
    else
        *out = r;
    return err;
}

static enum yo_err open_review(const struct yo_review_files *files,
                               const struct yo_options *options, void **out, struct yo_diag *diag) {
    struct review *r;
    enum yo_err err = refuse_tree(options, diag);
    if (!err) err = read_review(files->path, NULL, &r, diag);
    if (err) return err;
    if (files->game != 0) {
        yo_diag_set(diag, YO_ERR_RANGE, "a record of shogi is read as one game");
        yo_diag_hint(diag, "leave out --game-number");
        close_review(r);
        return YO_ERR_RANGE;
    }
    if (r->record->more)
        yo_notice(&yo_cmd_notices, "%.100s has more games; this is the first", files->path);
    choose_writing(r, files, options);
    const char *loss = yo_shogi_writing_loss(r->record, r->how.format);
    if (loss && r->how.format != r->record->format)
        yo_notice(&yo_cmd_notices, "%.100s: %s", files->output, loss);
    *out = r;
    return YO_OK;
}

static enum yo_err reopen_review(const void *ctx, const char *path, void **out,
                                 struct yo_diag *diag) {
    struct review *r;
    enum yo_err err = read_review(path, ctx, &r, diag);
    if (!err) *out = r;
    return err;
}

static enum yo_err start_review(void *ctx, const struct yo_options *options, struct yo_diag *diag) {
    struct review *r = ctx;
    choose_limits(r, options);
    enum yo_err err = try_text(r, diag);
    if (err) return err;
    return yo_shogi_engine_open(options, NULL, &yo_cmd_notices, &r->engine, diag);
}

static const char *const suffixes[] = {".kif", ".kifu", ".ki2", ".ki2u", ".csa", ".jkf", NULL};
static const char *const unused[] = {"playouts", "seed", "patterns", NULL};

const struct yo_reviewer yo_reviewer_shogi = {
    .name = "shogi",
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
