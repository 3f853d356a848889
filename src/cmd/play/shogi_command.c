/* The commands of `yomi play --game shogi`: a table, and a function for each row. */
#include <ctype.h>
#include <string.h>

#include "base/diag.h"
#include "cmd/play/person.h"
#include "cmd/play/shogi.h"
#include "cmd/talk.h"
#include "game/shogi/kifu/encode.h"
#include "game/shogi/kifu/game.h"

static enum yo_err refuse_when_over(const struct yo_play_shogi *play, struct yo_diag *diag) {
    if (!play->end) return YO_OK;
    yo_diag_set(diag, YO_ERR_STATE, "the game is over");
    yo_diag_hint(diag, "type undo to play on, or new for another game");
    return YO_ERR_STATE;
}

/* Takes moves back up to and including a person's move, so that a person is to move again. */
static enum yo_err do_undo(void *game, const char *argument, struct yo_diag *diag) {
    (void)argument;
    struct yo_play_shogi *play = game;
    int side = (int)yo_shogi_game_to_move(play->game);
    bool on_time = play->end == YO_SHOGI_END_TIME_UP;
    bool gave_up = (play->end == YO_SHOGI_END_RESIGN || play->end == YO_SHOGI_END_DECLARATION ||
                    (on_time && play->late == side)) &&
                   play->human[side];
    size_t count = yo_shogi_game_move_count(play->game), back = 1;
    while (!gave_up && back <= count && !play->human[side ^ (int)(back % 2)])
        back++;
    if (!gave_up && back > count) {
        yo_diag_set(diag, YO_ERR_STATE, "there is no move of yours to take back");
        return YO_ERR_STATE;
    }
    for (size_t i = 0; !gave_up && i < back; i++)
        yo_shogi_game_undo(play->game, NULL);
    play->timer.since_ms = 0; /* the turn begins again */
    if (on_time) {
        yo_timer_drop(&play->timer);
        yo_talk_say("The game goes on without clocks.");
    }
    play->end = YO_SHOGI_GOES_ON;
    play->told = play->shown = false;
    return YO_OK;
}

static enum yo_err do_hint(void *game, const char *argument, struct yo_diag *diag) {
    (void)argument;
    struct yo_play_shogi *play = game;
    struct yo_shogi_found found;
    struct yo_buf move = {0}, line = {0}, score = {0};
    enum yo_err err = refuse_when_over(play, diag);
    if (!err) err = yo_play_shogi_think(play, &found, diag);
    yo_term_resume(&play->term); /* Ctrl-C ended the search */
    if (err || found.length == 0) return err;
    const char *side = yo_play_shogi_side((int)yo_shogi_game_to_move(play->game));
    yo_play_shogi_put_move(play, found.line[0], &move);
    yo_play_shogi_put_score(&found, &score);
    yo_play_shogi_put_line(play, &found, &line);
    yo_talk_say("Yomi would play %s. With it %s %s.", yo_buf_text(&move), side,
                yo_buf_text(&score));
    yo_talk_say("Expected:%s", yo_buf_text(&line));
    yo_buf_free(&move);
    yo_buf_free(&line);
    yo_buf_free(&score);
    return YO_OK;
}

static enum yo_err do_score(void *game, const char *argument, struct yo_diag *diag) {
    (void)argument;
    struct yo_play_shogi *play = game;
    struct yo_shogi_found found;
    struct yo_buf score = {0};
    enum yo_err err = refuse_when_over(play, diag);
    if (!err) err = yo_play_shogi_think(play, &found, diag);
    yo_term_resume(&play->term);
    if (err || found.length == 0) return err;
    yo_play_shogi_put_score(&found, &score);
    yo_talk_say("%s %s.", yo_play_shogi_side((int)yo_shogi_game_to_move(play->game)),
                yo_buf_text(&score));
    yo_buf_free(&score);
    return YO_OK;
}

static enum yo_err do_resign(void *game, const char *argument, struct yo_diag *diag) {
    (void)argument;
    struct yo_play_shogi *play = game;
    enum yo_err err = refuse_when_over(play, diag);
    if (!err) play->end = YO_SHOGI_END_RESIGN;
    return err;
}

static enum yo_err do_declare(void *game, const char *argument, struct yo_diag *diag) {
    (void)argument;
    struct yo_play_shogi *play = game;
    enum yo_err err = refuse_when_over(play, diag);
    if (err) return err;
    if (!yo_shogi_game_can_declare(play->game)) {
        yo_diag_set(diag, YO_ERR_ILLEGAL, "that cannot be declared yet");
        yo_diag_hint(diag, "the king and ten more pieces must be in the far three ranks, not in "
                           "check, with 28 points for Black or 27 for White");
        return YO_ERR_ILLEGAL;
    }
    play->end = YO_SHOGI_END_DECLARATION;
    return YO_OK;
}

static enum yo_err do_new(void *game, const char *argument, struct yo_diag *diag) {
    (void)argument;
    struct yo_play_shogi *play = game;
    enum yo_err err = yo_play_shogi_new_game(play, diag);
    if (err) return err;
    yo_keep_tell(&play->keep);
    yo_keep_next(&play->keep);
    return YO_OK;
}

static enum yo_err do_forget(void *game, const char *argument, struct yo_diag *diag) {
    (void)argument, (void)diag;
    yo_keep_drop(&((struct yo_play_shogi *)game)->keep);
    yo_talk_say("This game is thrown away, unless you play on.");
    return YO_OK;
}

static enum yo_err do_show(void *game, const char *argument, struct yo_diag *diag) {
    (void)argument, (void)diag;
    yo_play_shogi_show(game);
    return YO_OK;
}

static enum yo_err do_quit(void *game, const char *argument, struct yo_diag *diag) {
    (void)argument, (void)diag;
    ((struct yo_play_shogi *)game)->quit = true;
    return YO_OK;
}

/* ---- save ---- */

static enum yo_err make_record(const struct yo_play_shogi *play, struct yo_shogi_record **out) {
    struct yo_shogi_record *record;
    int last;
    enum yo_err err = yo_shogi_game_record(play->game, &record);
    if (err) return err;
    err = yo_shogi_record_add_header(record, "先手", play->human[0] ? "Black" : "Yomi");
    if (!err) err = yo_shogi_record_add_header(record, "後手", play->human[1] ? "White" : "Yomi");
    if (!err && play->end)
        err = yo_shogi_record_add(record, (int)yo_shogi_game_move_count(play->game),
                                  YO_SHOGI_NO_MOVE, play->end, &last);
    if (err)
        yo_shogi_record_delete(record);
    else
        *out = record;
    return err;
}

/* A number that changes with every move, undo and end. */
static unsigned long state_of(const struct yo_play_shogi *play) {
    return 32 * yo_shogi_game_move_count(play->game) + (unsigned long)play->end;
}

void yo_play_shogi_keep_from_here(struct yo_play_shogi *play) { play->keep.state = state_of(play); }

void yo_play_shogi_keep(struct yo_play_shogi *play) {
    unsigned long state = state_of(play);
    struct yo_shogi_writing how;
    struct yo_shogi_record *record;
    struct yo_buf bytes = {0};
    if (!yo_keep_is_due(&play->keep, state) || !yo_shogi_writing_of_name("game.kifu", &how) ||
        make_record(play, &record))
        return;
    if (!yo_shogi_record_encode(record, &how, &bytes, NULL, NULL))
        yo_keep_write(&play->keep, state, bytes.data, bytes.len);
    yo_shogi_record_delete(record);
    yo_buf_free(&bytes);
}

static enum yo_err save_to(void *game, const char *path, struct yo_diag *diag) {
    const struct yo_play_shogi *play = game;
    struct yo_shogi_writing how;
    struct yo_shogi_record *record;
    struct yo_buf bytes = {0};
    if (!yo_shogi_writing_of_name(path, &how)) {
        yo_diag_set(diag, YO_ERR_ARGUMENT, "what format is %.100s?", path);
        yo_diag_hint(diag, "names end in .kif, .kifu, .ki2, .ki2u, .csa or .jkf");
        return YO_ERR_ARGUMENT;
    }
    enum yo_err err = make_record(play, &record);
    if (err) return yo_diag_set(diag, err, "no memory for the record");
    err = yo_shogi_record_encode(record, &how, &bytes, NULL, diag);
    yo_shogi_record_delete(record);
    bool ours = play->saved_as && strcmp(play->saved_as, path) == 0;
    if (!err) err = yo_talk_write_file(path, bytes.data, bytes.len, ours, "game2.kif", diag);
    yo_buf_free(&bytes);
    return err;
}

static enum yo_err do_save(void *game, const char *argument, struct yo_diag *diag) {
    static const struct yo_person_saving how = {".kif", "game.kif", save_to};
    struct yo_play_shogi *play = game;
    return yo_person_save(&how, play, argument, &play->keep, &play->saved_as, diag);
}

/* ---- the table ---- */

static enum yo_err do_help(void *game, const char *argument, struct yo_diag *diag);

static const struct yo_talk_command commands[] = {
    {"undo", "u", "", "take your last move back, and the answer to it", do_undo},
    {"hint", NULL, "", "what Yomi would play in your place", do_hint},
    {"score", NULL, "", "who is ahead, and by how much", do_score},
    {"resign", NULL, "", "give the game up", do_resign},
    {"declare", NULL, "", "win by your king having entered the far ranks (27 points)", do_declare},
    {"new", NULL, "", "start another game", do_new},
    {"save", NULL, "FILE", "write the game to a file: .kif, .kifu, .ki2, .ki2u, .csa or .jkf",
     do_save},
    {"forget", NULL, "", "throw this game away: it is not kept", do_forget},
    {"show", "board", "", "draw the board again", do_show},
    {"help", "?", "", "this list", do_help},
    {"quit", "q", "", "leave (so do exit, Ctrl-D and, here, Ctrl-C)", do_quit},
    {"exit", NULL, NULL, NULL, do_quit},
};

/* USI begins with a digit, or a letter and a star; Japanese with a non-ASCII byte. */
static bool looks_like_move(void *game, const char *word) {
    (void)game;
    return isdigit((unsigned char)word[0]) || (word[0] && word[1] == '*') ||
           (unsigned char)word[0] >= 0x80;
}

static enum yo_err play_move(void *game, const char *word, struct yo_diag *diag) {
    struct yo_play_shogi *play = game;
    yo_shogi_move move;
    enum yo_err err = refuse_when_over(play, diag);
    int side = (int)yo_shogi_game_to_move(play->game);
    if (!err) err = yo_shogi_game_read_move(play->game, word, &move, diag);
    if (!err) err = yo_shogi_game_play(play->game, move, diag);
    if (err) {
        if (!diag->hint[0])
            yo_diag_hint(diag, err == YO_ERR_PARSE ? "moves are like 7g7f, 8h2b+ or P*5e"
                                                   : "choose another move");
        return err;
    }
    play->shown = false;
    yo_play_shogi_moved(play, side);
    return YO_OK;
}

static enum yo_err unknown(const char *word, const char *nearest, struct yo_diag *diag) {
    yo_diag_set(diag, YO_ERR_UNKNOWN, "'%.30s' is neither a move nor a command", word);
    if (nearest)
        yo_diag_hint(diag, "did you mean %s?", nearest);
    else
        yo_diag_hint(diag, "type a move such as 7g7f, or help");
    return YO_ERR_UNKNOWN;
}

static const struct yo_talk talk = {.commands = commands,
                                    .count = sizeof commands / sizeof commands[0],
                                    .move_example = "7g7f",
                                    .move_help = "move from 7g to 7f; 8h2b+ promotes, P*5e drops",
                                    .is_move = looks_like_move,
                                    .move = play_move,
                                    .unknown = unknown};

static enum yo_err do_help(void *game, const char *argument, struct yo_diag *diag) {
    (void)argument, (void)diag;
    struct yo_play_shogi *play = game;
    yo_talk_say("Players move in turn; who mates the other's king wins. What is taken may be "
                "dropped again. Squares have a file from 9 to 1, left to right, and a rank from a "
                "to i, top to bottom.");
    yo_talk_list(&talk);
    if (play->term.graphic)
        yo_talk_say("Moves in Japanese are taken too: ７六歩, 76歩, 同銀, ５五角打, ５八金右.");
    return YO_OK;
}

void yo_play_shogi_obey(struct yo_play_shogi *play, char *line) { yo_talk_obey(&talk, play, line); }
