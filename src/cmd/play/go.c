/* A game of Go in the terminal: the turns, and how it is set up. */
#include <stdio.h>
#include <time.h>

#include "base/alloc.h"
#include "base/time.h"
#include "cluster/master.h"
#include "cmd/command.h"
#include "cmd/patterns_option.h"
#include "cmd/play/person.h"
#include "cmd/play/play.h"
#include "cmd/talk.h"
#include "game/go/rules.h"
#include "game/go/state.h"

/* In half points; the usual komi of a handicap game, which avoids draws. */
#define HANDICAP_KOMI2 1

static bool is_too_long(const struct yo_play *play) {
    size_t size = (size_t)yo_go_game_size(play->game);
    bool watched = play->human[YO_GO_BLACK] || play->human[YO_GO_WHITE];
    return !watched && yo_go_game_move_count(play->game) >= 3 * size * size;
}

bool yo_play_is_over(const struct yo_play *play) {
    return play->resigned != YO_GO_EMPTY || yo_go_game_passes(play->game) >= 2 || is_too_long(play);
}

/* ---- clocks ---- */

static int side_of(enum yo_go_color color) { return color == YO_GO_WHITE; }

void yo_play_lose_on_time(struct yo_play *play, enum yo_go_color color) {
    play->resigned = color;
    play->on_time = true;
}

void yo_play_moved(struct yo_play *play, enum yo_go_color color) {
    if (!yo_timer_moved(&play->timer, side_of(color), yo_time_ms()))
        yo_play_lose_on_time(play, color);
}

static void limit_by_clock(const struct yo_play *play, enum yo_go_color color,
                           struct yo_search_limits *limits) {
    int size = yo_go_game_size(play->game);
    int64_t most_ms = yo_options_given(play->options, "time") ? limits->time_ms : 0;
    if (yo_timer_is_on(&play->timer))
        limits->time_ms = yo_timer_budget(&play->timer, side_of(color), size * size,
                                          yo_go_game_stones(play->game), most_ms);
}

/* ---- turns ---- */

static void say_move(const struct yo_play *play, const struct yo_search_move *best) {
    char point[8];
    if (best->move == YO_GO_PASS && !yo_play_is_over(play))
        yo_talk_say("Yomi passes. If you pass too, the game ends and is counted.");
    else if (best->move == YO_GO_PASS)
        yo_talk_say("Yomi passes.");
    else
        yo_talk_say("Yomi plays %s%s and gives itself %.0f%%.",
                    yo_go_point_format((yo_go_point)best->move, yo_go_game_size(play->game), point),
                    yo_session_is_in_book(play->session) ? " from its book" : "",
                    100 * best->winrate_to_move);
}

/* Ctrl-C while it thinks: it plays what it has found. Where nobody plays, it is the end. */
static bool may_move(const struct yo_play *play, size_t found) {
    if (!atomic_load(&yo_term_interrupted)) return true;
    if (!play->human[YO_GO_BLACK] && !play->human[YO_GO_WHITE]) return false;
    yo_term_resume(&play->term);
    return found > 0;
}

static enum yo_err engine_turn(struct yo_play *play, struct yo_diag *diag) {
    struct yo_search_result result;
    enum yo_go_color color = yo_go_game_to_move(play->game);
    struct yo_search_limits limits = play->limits;
    bool in_book;
    limit_by_clock(play, color, &limits);
    enum yo_err err = yo_session_book(play->session, color, &result, &in_book, diag);
    if (!err && !in_book) err = yo_session_limit_by_level(play->session, &limits, diag);
    if (!err && !in_book) err = yo_play_think(play, &limits, &result, diag);
    if (err || !may_move(play, result.move_count)) return err;
    yo_go_point move;
    err = yo_session_play_best(play->session, color, true, &result, &move, diag);
    struct yo_search_move best = result.moves[0];
    best.move = move; /* a weak level may play another move; the chances are the position's */
    if (err) return err;
    yo_play_moved(play, color);
    if (move == YO_GO_RESIGN) {
        play->resigned = color;
        yo_talk_say("Yomi sees no way to win any more.");
        return YO_OK;
    }
    play->shown = false;
    bool alone = !play->human[yo_go_other(color)];
    if (alone || yo_play_is_over(play)) {
        say_move(play, &best);
        if (!yo_play_is_over(play)) yo_play_show(play);
    } else {
        yo_play_show(play);
        say_move(play, &best);
    }
    return YO_OK;
}

static void person_turn(struct yo_play *play) {
    char line[YO_TERM_LINE_MAX];
    enum yo_go_color color = yo_go_game_to_move(play->game);
    yo_play_prompt(play);
    int64_t until_ms = yo_play_is_over(play) ? 0 : yo_timer_end(&play->timer, side_of(color));
    enum yo_term_input input =
        yo_person_read(&play->term, until_ms, "a point such as d4, or help", line, &play->quit);
    if (input == YO_TERM_LINE) yo_play_obey(play, line);
    if (input == YO_TERM_LATE) yo_play_lose_on_time(play, color);
}

static enum yo_err take_turns(struct yo_play *play, struct yo_diag *diag) {
    enum yo_err err = YO_OK;
    while (!err && !play->quit && !ferror(stdout)) {
        bool over = yo_play_is_over(play);
        yo_play_keep(play);
        if (!over) yo_timer_turn(&play->timer, yo_time_ms());
        if (atomic_load(&yo_term_interrupted)) {
            play->quit = true;
        } else if (over && !play->counted) {
            err = yo_play_show_end(play, diag);
        } else if (!over && !play->human[yo_go_game_to_move(play->game)]) {
            err = engine_turn(play, diag);
        } else {
            if (!play->shown) yo_play_show(play);
            person_turn(play);
        }
    }
    return err;
}

/* ---- setting up ---- */

static enum yo_err read_rules(const struct yo_options *options, struct yo_go_rules *rules,
                              struct yo_diag *diag) {
    const char *name = yo_options_text(options, "rules"), *komi = yo_options_text(options, "komi");
    enum yo_err err = name ? yo_go_rules_parse(name, rules, diag) : YO_OK;
    if (err) return err;
    if (name) rules->komi2 = yo_go_rules_usual_komi2(rules);
    if (komi) return yo_go_komi_parse(komi, &rules->komi2, diag);
    if (yo_options_int(options, "handicap") >= 2) rules->komi2 = HANDICAP_KOMI2;
    return YO_OK;
}

static enum yo_err read_limits(const struct yo_options *options, struct yo_search_limits *limits,
                               struct yo_diag *diag) {
    limits->playouts = (uint64_t)yo_options_int(options, "playouts");
    limits->visits = (uint64_t)yo_options_int(options, "visits");
    bool counted = limits->playouts || limits->visits;
    bool use_time = !counted || yo_options_given(options, "time");
    if (use_time) limits->time_ms = (int64_t)(1000 * yo_options_real(options, "time"));
    if (counted || limits->time_ms) return YO_OK;
    yo_diag_set(diag, YO_ERR_ARGUMENT, "without a limit Yomi would think for ever");
    yo_diag_hint(diag, "give --time or --playouts");
    return YO_ERR_ARGUMENT;
}

/* A different seed for each run, unless --seed is given. */
static uint64_t choose_seed(const struct yo_options *options) {
    struct timespec now;
    if (yo_options_given(options, "seed")) return (uint64_t)yo_options_int(options, "seed");
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static enum yo_err set_up(struct yo_play *play, const struct yo_options *options,
                          struct yo_diag *diag) {
    struct yo_go_rules rules = yo_go_rules_default;
    int size = (int)yo_options_int(options, "size");
    play->options = options;
    yo_play_persons(options, &play->human[YO_GO_BLACK], &play->human[YO_GO_WHITE]);
    play->handicap = (int)yo_options_int(options, "handicap");
    enum yo_err err = read_limits(options, &play->limits, diag);
    if (!err) err = yo_cluster_check(options, diag);
    if (!err) err = yo_book_check_go(yo_options_text(options, "book"), diag);
    if (!err) err = read_rules(options, &rules, diag);
    if (err) return yo_command_usage(err);
    err = yo_play_session(play, choose_seed(options), diag);
    if (!err) yo_go_game_set_rules(play->game, &rules); /* new games keep these rules */
    if (!err) err = yo_play_new_game(play, size, diag);
    const char *file = yo_options_argument(options, 0);
    if (!err && file) err = yo_play_load(play, file, diag);
    return yo_command_usage_of_files(err);
}

static enum yo_err refuse_others(const struct yo_options *options, struct yo_diag *diag) {
    static const char *const others[] = {"sfen", "nodes", "eval", "hash"};
    static const char *const of_files[] = {"size", "komi", "rules", "handicap", NULL};
    if (yo_options_argument(options, 0)) {
        enum yo_err err = yo_options_refuse(options, of_files, "a game from a file", diag);
        if (err) return err;
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (!yo_options_typed(options, others[i])) continue;
        yo_diag_set(diag, YO_ERR_ARGUMENT, "--%s is for shogi", others[i]);
        yo_diag_hint(diag, "give --game shogi too");
        return YO_ERR_ARGUMENT;
    }
    return YO_OK;
}

enum yo_err yo_play_go(const struct yo_options *options, struct yo_diag *diag) {
    struct yo_play play = {0};
    enum yo_err err = refuse_others(options, diag);
    if (!err) err = yo_patterns_option(options, &play.patterns, diag);
    if (!err) err = set_up(&play, options, diag);
    yo_term_open(&play.term, yo_options_bool(options, "ascii"));
    if (!err) {
        play.keep = (struct yo_keep){.on = play.term.interactive, .ending = ".sgf"};
        if (play.saved_as) yo_keep_adopt(&play.keep, play.saved_as);
        yo_play_keep_from_here(&play);
        yo_play_greet(&play);
        err = take_turns(&play, diag);
        yo_keep_tell(&play.keep);
        if (!err && play.term.interactive) puts("Goodbye.");
    }
    yo_keep_close(&play.keep);
    yo_term_close(&play.term);
    yo_session_delete(play.session);
    yo_free(play.saved_as);
    yo_free(play.patterns);
    return err;
}
