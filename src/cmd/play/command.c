/* The commands of `yomi play`: a table, and a function for each row. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/play/person.h"
#include "cmd/play/play.h"
#include "cmd/talk.h"
#include "yomi/sgf.h"

static enum yo_err refuse_when_over(const struct yo_play *play, struct yo_diag *diag) {
    if (!yo_play_is_over(play)) return YO_OK;
    yo_diag_set(diag, YO_ERR_STATE, "the game is over");
    yo_diag_hint(diag, "type undo to play on, or new for another game");
    return YO_ERR_STATE;
}

static enum yo_err play_move(struct yo_play *play, yo_go_point move, struct yo_diag *diag) {
    enum yo_err err = refuse_when_over(play, diag);
    if (err) return err;
    enum yo_go_color color = yo_go_game_to_move(play->game);
    err = yo_go_game_play(play->game, color, move, diag);
    if (err == YO_ERR_ILLEGAL && !diag->hint[0]) yo_diag_hint(diag, "choose another point");
    if (err) return err;
    play->shown = false;
    yo_play_moved(play, color);
    return YO_OK;
}

static enum yo_err do_pass(void *game, const char *argument, struct yo_diag *diag) {
    struct yo_play *play = game;
    (void)argument;
    return play_move(play, YO_GO_PASS, diag);
}

/* Takes moves back up to and including a person's move, so that a person is to move again. */
static enum yo_err do_undo(void *game, const char *argument, struct yo_diag *diag) {
    struct yo_play *play = game;
    (void)argument;
    size_t count = yo_go_game_move_count(play->game), back = 0;
    bool gave_up = play->resigned != YO_GO_EMPTY && play->human[play->resigned];
    while (!gave_up && back < count &&
           !play->human[yo_go_game_move(play->game, count - 1 - back).color])
        back++;
    if (!gave_up && back == count) {
        yo_diag_set(diag, YO_ERR_STATE, "there is no move of yours to take back");
        return YO_ERR_STATE;
    }
    for (size_t i = 0; !gave_up && i <= back; i++)
        yo_go_game_undo(play->game, NULL);
    play->timer.since_ms = 0; /* the turn begins again */
    if (play->on_time) {
        yo_timer_drop(&play->timer);
        yo_talk_say("The game goes on without clocks.");
    }
    play->resigned = YO_GO_EMPTY;
    play->counted = play->shown = play->on_time = false;
    return YO_OK;
}

static enum yo_err do_hint(void *game, const char *argument, struct yo_diag *diag) {
    struct yo_play *play = game;
    (void)argument;
    struct yo_search_result result;
    enum yo_err err = refuse_when_over(play, diag);
    if (!err) err = yo_play_think(play, &play->limits, &result, diag);
    if (!err && result.move_count > 0) yo_play_show_hint(play, &result);
    yo_term_resume(&play->term); /* Ctrl-C ended the search */
    return err;
}

static enum yo_err do_score(void *game, const char *argument, struct yo_diag *diag) {
    struct yo_play *play = game;
    (void)argument;
    if (yo_play_is_over(play) && play->resigned == YO_GO_EMPTY) return yo_play_show_end(play, diag);
    struct yo_search_result result;
    enum yo_err err = yo_play_think(play, &play->limits, &result, diag);
    if (!err) err = yo_play_show_estimate(play, &result, diag);
    yo_term_resume(&play->term); /* Ctrl-C ended the search */
    return err;
}

static enum yo_err do_resign(void *game, const char *argument, struct yo_diag *diag) {
    struct yo_play *play = game;
    (void)argument;
    enum yo_err err = refuse_when_over(play, diag);
    if (!err) play->resigned = yo_go_game_to_move(play->game);
    return err;
}

static enum yo_err do_new(void *game, const char *argument, struct yo_diag *diag) {
    struct yo_play *play = game;
    int size = yo_go_game_size(play->game);
    if (*argument) {
        char *end;
        long value = strtol(argument, &end, 10);
        if (*end || value < YO_GO_SIZE_MIN || value > YO_GO_SIZE_MAX) {
            yo_diag_set(diag, YO_ERR_RANGE, "'%.20s' is not a board size", argument);
            yo_diag_hint(diag, "it takes %d to %d, such as: new 13", YO_GO_SIZE_MIN,
                         YO_GO_SIZE_MAX);
            return YO_ERR_RANGE;
        }
        size = (int)value;
    }
    enum yo_err err = yo_play_new_game(play, size, diag);
    if (err) return err;
    yo_keep_tell(&play->keep);
    yo_keep_next(&play->keep);
    return YO_OK;
}

static enum yo_err do_forget(void *game, const char *argument, struct yo_diag *diag) {
    struct yo_play *play = game;
    (void)argument, (void)diag;
    yo_keep_drop(&play->keep);
    yo_talk_say("This game is thrown away, unless you play on.");
    return YO_OK;
}

static enum yo_err do_show(void *game, const char *argument, struct yo_diag *diag) {
    struct yo_play *play = game;
    (void)argument, (void)diag;
    yo_play_show(play);
    return YO_OK;
}

static enum yo_err do_quit(void *game, const char *argument, struct yo_diag *diag) {
    struct yo_play *play = game;
    (void)argument, (void)diag;
    play->quit = true;
    return YO_OK;
}

/* ---- save ---- */

static enum yo_err add_players(const struct yo_play *play, struct yo_sgf *sgf) {
    struct yo_sgf_node *root = yo_sgf_root(sgf, 0);
    enum yo_err err = yo_sgf_set(sgf, root, "PB", play->human[YO_GO_BLACK] ? "Black" : "Yomi");
    if (!err) err = yo_sgf_set(sgf, root, "PW", play->human[YO_GO_WHITE] ? "White" : "Yomi");
    if (err || !yo_timer_is_on(&play->timer)) return err;
    const struct yo_clock_settings *clock = &play->timer.clock.settings;
    char text[40];
    snprintf(text, sizeof text, "%g", (double)clock->main_ms / 1000);
    err = yo_sgf_set(sgf, root, "TM", text);
    snprintf(text, sizeof text, "%dx%g byo-yomi", clock->count, (double)clock->period_ms / 1000);
    if (!err && clock->period_ms) err = yo_sgf_set(sgf, root, "OT", text);
    return err;
}

/* result: NULL while the game goes on. */
static enum yo_err make_text(const struct yo_play *play, const char *result, char **text,
                             size_t *len) {
    struct yo_sgf *sgf;
    enum yo_err err = yo_sgf_from_game(play->game, result, &sgf);
    if (err) return err;
    err = add_players(play, sgf);
    if (!err) err = yo_sgf_write(sgf, text, len);
    yo_sgf_delete(sgf);
    return err;
}

/* A number that changes with every move, undo and resignation. */
static unsigned long state_of(const struct yo_play *play) {
    return 8 * yo_go_game_move_count(play->game) + 2 * (unsigned long)play->resigned +
           play->on_time;
}

void yo_play_keep_from_here(struct yo_play *play) { play->keep.state = state_of(play); }

void yo_play_keep(struct yo_play *play) {
    char *text;
    size_t len;
    if (!yo_keep_is_due(&play->keep, state_of(play))) return;
    if (make_text(play, play->resigned ? yo_play_given_up(play) : NULL, &text, &len)) return;
    yo_keep_write(&play->keep, state_of(play), text, len);
    yo_sgf_free_text(text);
}

static enum yo_err save_to(void *game, const char *path, struct yo_diag *diag) {
    struct yo_play *play = game;
    char result[16];
    char *text;
    size_t len;
    bool over = yo_play_is_over(play);
    enum yo_err err = over ? yo_play_result(play, result, diag) : YO_OK;
    if (err) return err;
    err = make_text(play, over ? result : NULL, &text, &len);
    if (err) return yo_diag_set(diag, err, "no memory for the record");
    bool ours = play->saved_as && strcmp(play->saved_as, path) == 0;
    err = yo_talk_write_file(path, text, len, ours, "game2.sgf", diag);
    yo_sgf_free_text(text);
    return err;
}

static enum yo_err do_save(void *game, const char *argument, struct yo_diag *diag) {
    static const struct yo_person_saving how = {".sgf", "game.sgf", save_to};
    struct yo_play *play = game;
    return yo_person_save(&how, play, argument, &play->keep, &play->saved_as, diag);
}

/* ---- the table ---- */

static enum yo_err do_help(void *game, const char *argument, struct yo_diag *diag);

static const struct yo_talk_command commands[] = {
    {"pass", "p", "", "play no stone; two passes in a row end the game", do_pass},
    {"undo", "u", "", "take your last move back, and the answer to it", do_undo},
    {"hint", NULL, "", "what Yomi would play in your place", do_hint},
    {"score", NULL, "", "show the score and the territory as they are now", do_score},
    {"resign", NULL, "", "give the game up", do_resign},
    {"new", NULL, "[SIZE]", "start another game", do_new},
    {"save", NULL, "FILE", "write the game to a file, as SGF", do_save},
    {"forget", NULL, "", "throw this game away: it is not kept", do_forget},
    {"show", "board", "", "draw the board again", do_show},
    {"help", "?", "", "this list", do_help},
    {"quit", "q", "", "leave (so do exit, Ctrl-D and, here, Ctrl-C)", do_quit},
    {"exit", NULL, NULL, NULL, do_quit},
};

static bool looks_like_point(void *game, const char *word) {
    (void)game;
    return isalpha((unsigned char)word[0]) &&
           (isdigit((unsigned char)word[1]) || (word[1] == '-' && isdigit((unsigned char)word[2])));
}

static enum yo_err play_point(void *game, const char *word, struct yo_diag *diag) {
    struct yo_play *play = game;
    yo_go_point point;
    enum yo_err err = yo_go_point_parse(word, yo_go_game_size(play->game), &point, diag);
    return err ? err : play_move(play, point, diag);
}

static enum yo_err unknown(const char *word, const char *nearest, struct yo_diag *diag) {
    yo_diag_set(diag, YO_ERR_UNKNOWN, "'%.30s' is neither a point nor a command", word);
    if (isdigit((unsigned char)word[0]) && isalpha((unsigned char)word[strlen(word) - 1]))
        yo_diag_hint(diag, "the letter comes first, as in d4");
    else if (nearest)
        yo_diag_hint(diag, "did you mean %s?", nearest);
    else
        yo_diag_hint(diag, "type a point such as d4, or help");
    return YO_ERR_UNKNOWN;
}

static const struct yo_talk talk = {.commands = commands,
                                    .count = sizeof commands / sizeof commands[0],
                                    .move_example = "d4",
                                    .move_help = "put a stone there (letter, then number)",
                                    .is_move = looks_like_point,
                                    .move = play_point,
                                    .unknown = unknown};

static enum yo_err do_help(void *game, const char *argument, struct yo_diag *diag) {
    (void)argument, (void)diag;
    struct yo_play *play = game;
    char last[8];
    int size = yo_go_game_size(play->game);
    yo_talk_say("Players put stones on points in turn. Stones without a free point next to "
                "them or their group are captured; whoever holds more of the board wins.");
    yo_talk_list(&talk);
    yo_talk_say("Points go from A1 at the bottom left to %s at the top right; there is no "
                "letter I.",
                yo_go_point_format((yo_go_point)(size - 1), size, last));
    return YO_OK;
}

void yo_play_obey(struct yo_play *play, char *line) { yo_talk_obey(&talk, play, line); }
