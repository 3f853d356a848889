/* What one can type in `yomi play`: a table, and a function for each row. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/nearest.h"
#include "cmd/play.h"
#include "cmd/text.h"
#include "yomi/sgf.h"

struct command {
    const char *name, *alias, *argument, *help;
    enum yo_err (*run)(struct yo_play *play, const char *argument, struct yo_diag *diag);
};

static enum yo_err refuse_when_over(const struct yo_play *play, struct yo_diag *diag) {
    if (!yo_play_is_over(play)) return YO_OK;
    yo_diag_set(diag, YO_ERR_STATE, "the game is over");
    yo_diag_hint(diag, "type undo to play on, or new for another game");
    return YO_ERR_STATE;
}

static enum yo_err play_move(struct yo_play *play, yo_go_point move, struct yo_diag *diag) {
    enum yo_err err = refuse_when_over(play, diag);
    if (err) return err;
    err = yo_go_game_play(play->game, yo_go_game_to_move(play->game), move, diag);
    if (err == YO_ERR_ILLEGAL && !diag->hint[0]) yo_diag_hint(diag, "choose another point");
    if (!err) play->shown = false;
    return err;
}

static enum yo_err do_pass(struct yo_play *play, const char *argument, struct yo_diag *diag) {
    (void)argument;
    return play_move(play, YO_GO_PASS, diag);
}

/* Takes moves back until one by a person is gone, so that it is a person's turn again. */
static enum yo_err do_undo(struct yo_play *play, const char *argument, struct yo_diag *diag) {
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
    play->resigned = YO_GO_EMPTY;
    play->counted = play->shown = false;
    return YO_OK;
}

static enum yo_err do_hint(struct yo_play *play, const char *argument, struct yo_diag *diag) {
    (void)argument;
    struct yo_search_result result;
    enum yo_err err = refuse_when_over(play, diag);
    if (!err) err = yo_play_think(play, &result, diag);
    if (!err) yo_play_show_hint(play, &result);
    return err;
}

static enum yo_err do_score(struct yo_play *play, const char *argument, struct yo_diag *diag) {
    (void)argument;
    if (yo_play_is_over(play) && play->resigned == YO_GO_EMPTY) return yo_play_show_end(play, diag);
    return yo_play_show_estimate(play, diag);
}

static enum yo_err do_resign(struct yo_play *play, const char *argument, struct yo_diag *diag) {
    (void)argument;
    enum yo_err err = refuse_when_over(play, diag);
    if (!err) play->resigned = yo_go_game_to_move(play->game);
    return err;
}

static enum yo_err do_new(struct yo_play *play, const char *argument, struct yo_diag *diag) {
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
    return yo_play_new_game(play, size, diag);
}

static enum yo_err do_show(struct yo_play *play, const char *argument, struct yo_diag *diag) {
    (void)argument, (void)diag;
    yo_play_show(play);
    return YO_OK;
}

static enum yo_err do_quit(struct yo_play *play, const char *argument, struct yo_diag *diag) {
    (void)argument, (void)diag;
    play->quit = true;
    return YO_OK;
}

/* ---- save ---- */

/* "~/" and a missing ".sgf" are filled in. */
static void complete_path(struct yo_buf *path, const char *argument) {
    const char *home = getenv("HOME"), *slash = strrchr(argument, '/');
    if (home && strncmp(argument, "~/", 2) == 0)
        yo_buf_printf(path, "%s%s", home, argument + 1);
    else
        yo_buf_str(path, argument);
    if (!strchr(slash ? slash : argument, '.')) yo_buf_str(path, ".sgf");
}

static enum yo_err write_file(const char *path, const char *text, size_t len, bool over,
                              struct yo_diag *diag) {
    errno = 0;
    FILE *file = fopen(path, over ? "w" : "wx");
    bool good = file && fwrite(text, 1, len, file) == len;
    if (file) good = fclose(file) == 0 && good;
    if (good) return YO_OK;
    yo_diag_set(diag, YO_ERR_IO, "cannot write %.150s: %s", path, strerror(errno));
    yo_diag_hint(diag, "give another name, such as: save game2.sgf");
    return YO_ERR_IO;
}

static enum yo_err add_players(const struct yo_play *play, struct yo_sgf *sgf) {
    struct yo_sgf_node *root = yo_sgf_root(sgf, 0);
    enum yo_err err = yo_sgf_set(sgf, root, "PB", play->human[YO_GO_BLACK] ? "Black" : "Yomi");
    if (!err) err = yo_sgf_set(sgf, root, "PW", play->human[YO_GO_WHITE] ? "White" : "Yomi");
    return err;
}

static enum yo_err save_to(struct yo_play *play, const char *path, struct yo_diag *diag) {
    char result[16];
    struct yo_sgf *sgf;
    char *text;
    size_t len;
    bool over = yo_play_is_over(play);
    enum yo_err err = over ? yo_play_result(play, result, diag) : YO_OK;
    if (err) return err;
    err = yo_sgf_from_game(play->game, over ? result : NULL, &sgf);
    if (err) return yo_diag_set(diag, err, "no memory for the record");
    err = add_players(play, sgf);
    if (!err) err = yo_sgf_write(sgf, &text, &len);
    yo_sgf_delete(sgf);
    if (err) return yo_diag_set(diag, err, "no memory for the record");
    bool ours = play->saved_as && strcmp(play->saved_as, path) == 0;
    err = write_file(path, text, len, ours, diag);
    yo_sgf_free_text(text);
    return err;
}

static enum yo_err do_save(struct yo_play *play, const char *argument, struct yo_diag *diag) {
    if (!*argument) {
        yo_diag_set(diag, YO_ERR_ARGUMENT, "save needs a file");
        yo_diag_hint(diag, "for example: save game.sgf");
        return YO_ERR_ARGUMENT;
    }
    struct yo_buf path = {0};
    complete_path(&path, argument);
    enum yo_err err = yo_buf_status(&path);
    if (!err) err = save_to(play, yo_buf_text(&path), diag);
    if (err) {
        yo_buf_free(&path);
        return err;
    }
    yo_play_say(play, "Saved to %s.", yo_buf_text(&path));
    yo_free(play->saved_as);
    play->saved_as = path.data; /* the play's now */
    return YO_OK;
}

/* ---- the table ---- */

static enum yo_err do_help(struct yo_play *play, const char *argument, struct yo_diag *diag);

static const struct command commands[] = {
    {"pass", "p", "", "play no stone; two passes in a row end the game", do_pass},
    {"undo", "u", "", "take your last move back, and the answer to it", do_undo},
    {"hint", NULL, "", "what Yomi would play in your place", do_hint},
    {"score", NULL, "", "who owns what, as it looks now", do_score},
    {"resign", NULL, "", "give the game up", do_resign},
    {"new", NULL, "[SIZE]", "start another game", do_new},
    {"save", NULL, "FILE", "write the game to a file, as SGF", do_save},
    {"show", "board", "", "draw the board again", do_show},
    {"help", "?", "", "this list", do_help},
    {"quit", "q", "", "leave (so do exit, Ctrl-D and Ctrl-C)", do_quit},
    {"exit", NULL, NULL, NULL, do_quit},
};
#define COMMAND_COUNT (sizeof commands / sizeof commands[0])

static void print_entry(const char *term, const char *meaning) {
    enum { COLUMN = 15 };
    struct yo_buf out = {0};
    int width = yo_term_width() - 1;
    yo_buf_printf(&out, "  %-12s ", term);
    yo_text_wrap(&out, meaning, COLUMN, COLUMN, (size_t)(width < 2 * COLUMN ? 2 * COLUMN : width));
    fputs(yo_buf_text(&out), stdout);
    yo_buf_free(&out);
}

static enum yo_err do_help(struct yo_play *play, const char *argument, struct yo_diag *diag) {
    (void)argument, (void)diag;
    char last[8];
    int size = yo_go_game_size(play->game);
    yo_play_say(play, "Players put stones on points in turn. Stones without a free point next to "
                      "them or their group are captured; whoever holds more of the board wins.");
    print_entry("d4", "put a stone there (letter, then number)");
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        char term[24];
        if (!commands[i].help) continue;
        snprintf(term, sizeof term, "%s %s", commands[i].name, commands[i].argument);
        print_entry(term, commands[i].help);
    }
    yo_play_say(play,
                "Points go from A1 at the bottom left to %s at the top right; there is no "
                "letter I.",
                yo_go_point_format((yo_go_point)(size - 1), size, last));
    return YO_OK;
}

static const struct command *find(const char *name) {
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcasecmp(commands[i].name, name) == 0 ||
            (commands[i].alias && strcasecmp(commands[i].alias, name) == 0))
            return &commands[i];
    return NULL;
}

static enum yo_err unknown(const char *word, struct yo_diag *diag) {
    struct yo_nearest nearest = {.text = word};
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        yo_nearest_offer(&nearest, commands[i].name);
    yo_diag_set(diag, YO_ERR_UNKNOWN, "'%.30s' is neither a point nor a command", word);
    if (isdigit((unsigned char)word[0]) && isalpha((unsigned char)word[strlen(word) - 1]))
        yo_diag_hint(diag, "the letter comes first, as in d4");
    else if (nearest.best)
        yo_diag_hint(diag, "did you mean %s?", nearest.best);
    else
        yo_diag_hint(diag, "type a point such as d4, or help");
    return YO_ERR_UNKNOWN;
}

static bool looks_like_point(const char *word) {
    return isalpha((unsigned char)word[0]) &&
           (isdigit((unsigned char)word[1]) || (word[1] == '-' && isdigit((unsigned char)word[2])));
}

static enum yo_err obey(struct yo_play *play, const char *word, const char *argument,
                        struct yo_diag *diag) {
    const struct command *command = find(word);
    bool takes_more = command && command->argument && *command->argument;
    if (*argument && !takes_more && (command || looks_like_point(word))) {
        yo_diag_set(diag, YO_ERR_ARGUMENT, "'%.30s' after %.30s is one thing too many", argument,
                    word);
        yo_diag_hint(diag, "one move or command at a time, please");
        return YO_ERR_ARGUMENT;
    }
    if (command) return command->run(play, argument, diag);
    if (!looks_like_point(word)) return unknown(word, diag);
    yo_go_point point;
    enum yo_err err = yo_go_point_parse(word, yo_go_game_size(play->game), &point, diag);
    return err ? err : play_move(play, point, diag);
}

void yo_play_obey(struct yo_play *play, char *line) {
    struct yo_diag diag = {0};
    char *word = line + strspn(line, " ");
    size_t len = strlen(word);
    while (len > 0 && word[len - 1] == ' ')
        word[--len] = '\0';
    if (len == 0 || *word == '#') return;
    char *argument = word + strcspn(word, " ");
    if (*argument) *argument++ = '\0';
    argument += strspn(argument, " ");
    enum yo_err err = obey(play, word, argument, &diag);
    if (!err) return;
    if (!diag.err) yo_diag_set(&diag, err, "%s", yo_err_text(err));
    yo_play_complain(play, &diag);
}
