/* yomi play --game shogi: a game of shogi in the terminal. */
#include "cmd/play/shogi.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/time.h"
#include "cluster/master.h"
#include "cmd/command.h"
#include "cmd/play/person.h"
#include "cmd/play/play.h"
#include "cmd/talk.h"
#include "engine/go.h"
#include "game/shogi/kifu/game.h"
#include "game/shogi/kifu/words.h"

/* The engine resigns at a near mate or a hopeless score. TOO_LONG: move limit without a human.
 * BOARD: for the clock, see timer.h. */
enum { RESIGN_MATE_IN = 8, RESIGN_BELOW = -8000, TOO_LONG = 512, BOARD = 150 };

enum yo_err yo_play_shogi_new_game(struct yo_play_shogi *play, struct yo_diag *diag) {
    struct yo_shogi_game *game;
    enum yo_err err = yo_shogi_game_new(play->start_sfen, &game, diag);
    if (err) return err;
    yo_shogi_game_delete(play->game);
    play->game = game;
    play->told = play->shown = false;
    play->end = YO_SHOGI_GOES_ON;
    yo_timer_start(&play->timer, play->options);
    yo_play_shogi_settle(play);
    return YO_OK;
}

/* Would a save of the game write all that the record holds? Only such a file may be replaced
 * unasked. */
static bool is_as_saved(const struct yo_shogi_record *record) {
    static const char *const keys[] = {"先手", "後手", "下手", "上手"};
    if (record->more) return false;
    for (size_t i = 0; i < record->node_count; i++) {
        const struct yo_shogi_node *n = &record->nodes[i];
        if (n->sibling != YO_SHOGI_NO_NODE || n->comment || n->bookmark) return false;
    }
    for (size_t i = 0; i < record->header_count; i++) {
        const char *key = yo_shogi_record_text(record, record->headers[i].key);
        const char *value = yo_shogi_record_text(record, record->headers[i].value);
        bool player = false;
        for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++)
            player = player || strcmp(key, keys[k]) == 0;
        bool ours = strcmp(value, "Yomi") == 0 || strcmp(value, "Black") == 0 ||
                    strcmp(value, "White") == 0;
        if (!player || !ours) return false;
    }
    return true;
}

static enum yo_err load_game(struct yo_play_shogi *play, const char *path, struct yo_diag *diag) {
    static const char *const of_files[] = {"sfen", "handicap", NULL};
    struct yo_buf text = {0};
    struct yo_shogi_record *record = NULL;
    struct yo_shogi_game *game;
    int last = 0;
    enum yo_err err = yo_options_refuse(play->options, of_files, "a game from a file", diag);
    if (!err) err = yo_file_read_text(path, &text, diag);
    if (!err) err = yo_shogi_record_parse(yo_buf_text(&text), text.len, path, &record, diag);
    yo_buf_free(&text);
    if (err) return err;
    if (record->more) yo_talk_say("%s has more games; this is the first.", path);
    for (int n = 0; n != YO_SHOGI_NO_NODE && !record->nodes[n].end; n = record->nodes[n].child)
        last = n;
    bool replaceable = is_as_saved(record);
    err = yo_shogi_game_of_record(record, last, &game);
    yo_shogi_record_delete(record);
    if (!err && replaceable && !(play->saved_as = yo_talk_copy(path))) {
        yo_shogi_game_delete(game);
        err = YO_ERR_NOMEM;
    }
    if (err) return yo_diag_set(diag, err, "no memory for the record");
    yo_shogi_game_delete(play->game);
    play->game = game;
    yo_play_shogi_settle(play);
    return YO_OK;
}

void yo_play_shogi_settle(struct yo_play_shogi *play) {
    enum yo_shogi_outcome outcome = yo_shogi_game_outcome(play->game);
    yo_shogi_move moves[YO_SHOGI_LIST];
    if (yo_shogi_game_legal_moves(play->game, moves) == 0)
        play->end = YO_SHOGI_END_MATE;
    else if (outcome == YO_SHOGI_DRAWN)
        play->end = YO_SHOGI_END_REPETITION;
    else if (outcome != YO_SHOGI_OPEN)
        play->end = outcome == YO_SHOGI_BLACK_WINS ? YO_SHOGI_END_FOUL_BY_WHITE
                                                   : YO_SHOGI_END_FOUL_BY_BLACK;
    else if (!play->human[0] && !play->human[1] && yo_shogi_game_move_count(play->game) >= TOO_LONG)
        play->end = YO_SHOGI_END_MAX_MOVES;
}

static void lose_on_time(struct yo_play_shogi *play, int side) {
    play->end = YO_SHOGI_END_TIME_UP;
    play->late = side;
}

void yo_play_shogi_moved(struct yo_play_shogi *play, int side) {
    if (yo_timer_moved(&play->timer, side, yo_time_ms()))
        yo_play_shogi_settle(play);
    else
        lose_on_time(play, side);
}

/* ---- thinking ---- */

static void on_report(void *user, const struct yo_search_result *r) {
    struct yo_play_shogi *play = user;
    char text[80], move[YO_SHOGI_MOVE_TEXT];
    if (r->move_count == 0) return;
    snprintf(text, sizeof text, "thinking: %.1f s, depth %d, %s", (double)r->elapsed_ms / 1000,
             r->depth, yo_shogi_move_format((yo_shogi_move)r->moves[0].move, move));
    yo_term_spin(&play->term, text);
}

enum yo_err yo_play_shogi_think(struct yo_play_shogi *play, struct yo_shogi_found *found,
                                struct yo_diag *diag) {
    yo_term_spin(&play->term, "thinking");
    enum yo_err err = yo_shogi_engine_run(play->engine, play->game, &play->limits,
                                          &yo_term_interrupted, on_report, play, found, diag);
    yo_term_spin_end(&play->term);
    return err;
}

/* For a move to play: by the level and the book. */
static enum yo_err find_move(struct yo_play_shogi *play, struct yo_shogi_found *found,
                             bool *from_book, struct yo_diag *diag) {
    struct yo_shogi_limits limits = play->limits;
    int64_t most_ms = yo_options_given(play->options, "time") ? limits.time_ms : 0;
    if (yo_timer_is_on(&play->timer))
        limits.time_ms = yo_timer_budget(&play->timer, (int)yo_shogi_game_to_move(play->game),
                                         BOARD, (int)yo_shogi_game_move_count(play->game), most_ms);
    yo_term_spin(&play->term, "thinking");
    enum yo_err err = yo_shogi_engine_play(play->engine, play->game, &limits, &yo_term_interrupted,
                                           on_report, play, found, from_book, diag);
    yo_term_spin_end(&play->term);
    return err;
}

/* ---- turns ---- */

static bool should_resign(const struct yo_shogi_found *found) {
    bool mated = found->mates && found->mate_in <= 0 && -found->mate_in <= RESIGN_MATE_IN;
    return mated || (!found->mates && found->score < RESIGN_BELOW);
}

/* As in Go: Ctrl-C while it thinks makes it move. */
static bool may_move(const struct yo_play_shogi *play, size_t found) {
    if (!atomic_load(&yo_term_interrupted)) return true;
    if (!play->human[0] && !play->human[1]) return false;
    yo_term_resume(&play->term);
    return found > 0;
}

static enum yo_err engine_turn(struct yo_play_shogi *play, struct yo_diag *diag) {
    struct yo_shogi_found found;
    struct yo_buf move = {0}, score = {0};
    if (yo_shogi_game_can_declare(play->game)) {
        play->end = YO_SHOGI_END_DECLARATION;
        return YO_OK;
    }
    bool from_book = false;
    enum yo_err err = find_move(play, &found, &from_book, diag);
    if (err || !may_move(play, found.length)) return err;
    if (should_resign(&found)) {
        play->end = YO_SHOGI_END_RESIGN;
        yo_talk_say("Yomi sees no way to win any more.");
        return YO_OK;
    }
    yo_play_shogi_put_move(play, found.line[0], &move);
    yo_play_shogi_put_score(&found, &score);
    int side = (int)yo_shogi_game_to_move(play->game);
    err = yo_shogi_game_play(play->game, found.line[0], diag);
    yo_play_shogi_moved(play, side);
    play->shown = false;
    if (!err && !play->end) yo_play_shogi_show(play);
    if (!err)
        yo_talk_say("Yomi plays %s%s and thinks that it %s.", yo_buf_text(&move),
                    from_book ? " from its book" : "", yo_buf_text(&score));
    yo_buf_free(&move);
    yo_buf_free(&score);
    return err;
}

static void person_turn(struct yo_play_shogi *play) {
    char line[YO_TERM_LINE_MAX];
    int side = (int)yo_shogi_game_to_move(play->game);
    yo_play_shogi_prompt(play);
    int64_t until_ms = play->end ? 0 : yo_timer_end(&play->timer, side);
    enum yo_term_input input =
        yo_person_read(&play->term, until_ms, "a move such as 7g7f, or help", line, &play->quit);
    if (input == YO_TERM_LINE) yo_play_shogi_obey(play, line);
    if (input == YO_TERM_LATE) lose_on_time(play, side);
}

static enum yo_err take_turns(struct yo_play_shogi *play, struct yo_diag *diag) {
    enum yo_err err = YO_OK;
    while (!err && !play->quit && !ferror(stdout)) {
        yo_play_shogi_keep(play);
        if (!play->end) yo_timer_turn(&play->timer, yo_time_ms());
        if (atomic_load(&yo_term_interrupted)) {
            play->quit = true;
        } else if (play->end && !play->told) {
            yo_play_shogi_tell_end(play);
        } else if (!play->end && !play->human[yo_shogi_game_to_move(play->game)]) {
            err = engine_turn(play, diag);
        } else {
            if (!play->shown) yo_play_shogi_show(play);
            person_turn(play);
        }
    }
    return err;
}

/* ---- setting up ---- */

static enum yo_err refuse(const char *key, struct yo_diag *diag) {
    yo_diag_set(diag, YO_ERR_ARGUMENT, "--%s is for Go", key);
    yo_diag_hint(diag, "leave it out with --game shogi");
    return YO_ERR_ARGUMENT;
}

/* What is for Go alone. */
static enum yo_err refuse_others(const struct yo_options *options, struct yo_diag *diag) {
    static const char *const others[] = {"size", "komi", "rules", "seed", "backend", "patterns"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (yo_options_typed(options, others[i])) return refuse(others[i], diag);
    for (const struct yo_option *row = yo_engine_options; row->key; row++)
        if (yo_options_typed(options, row->key) && !yo_shogi_has_option(row->key))
            return refuse(row->key, diag);
    return YO_OK;
}

/* A handicap by the number of pieces that White gives up, or any position. */
static enum yo_err choose_start(struct yo_play_shogi *play, struct yo_diag *diag) {
    static const struct {
        int64_t pieces;
        const char *name;
    } handicaps[] = {{2, "二枚落ち"}, {4, "四枚落ち"}, {6, "六枚落ち"}, {8, "八枚落ち"}};
    const char *chosen = yo_options_text(play->options, "sfen"), *name, *sfen;
    int64_t pieces = yo_options_int(play->options, "handicap");
    for (size_t k = 0; k < sizeof handicaps / sizeof handicaps[0] && pieces; k++)
        for (size_t i = 0; (name = yo_shogi_handicap(i, &sfen)); i++)
            if (handicaps[k].pieces == pieces && strcmp(name, handicaps[k].name) == 0)
                chosen = sfen;
    if (pieces && (!chosen || yo_options_given(play->options, "sfen"))) {
        yo_diag_set(diag, YO_ERR_ARGUMENT, "that is no handicap of shogi here");
        yo_diag_hint(diag,
                     "--handicap is 2, 4, 6 or 8 pieces; --sfen without it sets any position");
        return YO_ERR_ARGUMENT;
    }
    if (chosen && !(play->start_sfen = yo_talk_copy(chosen)))
        return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    return YO_OK;
}

/* Positions are nodes, or visits where the search has a tree: one limit by three names. */
static uint64_t read_nodes(const struct yo_options *o) {
    static const char *const names[] = {"nodes", "visits", "playouts"};
    uint64_t least = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        uint64_t nodes = (uint64_t)yo_options_int(o, names[i]);
        if (nodes && (!least || nodes < least)) least = nodes;
    }
    return least;
}

static enum yo_err read_limits(struct yo_play_shogi *play, struct yo_diag *diag) {
    const struct yo_options *o = play->options;
    play->limits.nodes = read_nodes(o);
    if (!play->limits.nodes || yo_options_given(o, "time"))
        play->limits.time_ms = (int64_t)(1000 * yo_options_real(o, "time"));
    if (play->limits.nodes || play->limits.time_ms) return YO_OK;
    yo_diag_set(diag, YO_ERR_ARGUMENT, "without a limit Yomi would think for ever");
    yo_diag_hint(diag, "give --time, --nodes or --visits");
    return YO_ERR_ARGUMENT;
}

static enum yo_err set_up(struct yo_play_shogi *play, struct yo_diag *diag) {
    const struct yo_options *o = play->options;
    yo_play_persons(o, &play->human[YO_SHOGI_BLACK], &play->human[YO_SHOGI_WHITE]);
    enum yo_err err = refuse_others(o, diag);
    if (!err) err = yo_cluster_check(o, diag);
    if (!err) err = choose_start(play, diag);
    if (!err) err = read_limits(play, diag);
    if (!err) err = yo_play_shogi_new_game(play, diag);
    if (err) return yo_command_usage(err);
    const char *file = yo_options_argument(o, 0);
    if (file) err = load_game(play, file, diag);
    if (!err) err = yo_shogi_engine_open(o, yo_cluster_kinds, &yo_cmd_notices, &play->engine, diag);
    return yo_command_usage_of_files(err);
}

enum yo_err yo_play_shogi(const struct yo_options *options, struct yo_diag *diag) {
    struct yo_play_shogi play = {.options = options};
    enum yo_err err = set_up(&play, diag);
    yo_term_open(&play.term, yo_options_bool(options, "ascii"));
    if (!err) {
        play.keep = (struct yo_keep){.on = play.term.interactive, .ending = ".kifu"};
        if (play.saved_as) yo_keep_adopt(&play.keep, play.saved_as);
        yo_play_shogi_keep_from_here(&play);
        yo_play_shogi_greet(&play);
        err = take_turns(&play, diag);
        yo_keep_tell(&play.keep);
        if (!err && play.term.interactive) puts("Goodbye.");
    }
    yo_keep_close(&play.keep);
    yo_term_close(&play.term);
    yo_shogi_engine_delete(play.engine);
    yo_shogi_game_delete(play.game);
    yo_free(play.start_sfen);
    yo_free(play.saved_as);
    return err;
}
