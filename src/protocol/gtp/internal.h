/* Shared by the files of the GTP engine; nothing else includes it. */
#pragma once

#include <stdatomic.h>

#include "base/diag.h"
#include "engine/session.h"
#include "game/go/sgf/replay.h"
#include "protocol/gtp/gtp.h"
#include "protocol/gtp/line.h"

/* The record that the game was loaded from; all zero if it was not. */
struct yo_gtp_record {
    struct yo_sgf *sgf;
    struct yo_sgf_node *start; /* the node where the game's history begins */
    struct yo_go_rules rules;  /* from KM and RU of the record */
};

struct yo_gtp {
    struct yo_gtp_config config;
    struct yo_session *session;
    struct yo_go_game *game; /* the session's */
    struct yo_gtp_record record;
    struct yo_gtp_line line;
    struct yo_buf body;
    bool quit;
    int tries; /* moves played by trymove */
    atomic_bool stop;

    /* Set by the server, so that a long answer can be sent in parts. */
    bool (*send)(void *user, const char *bytes, size_t len); /* or NULL; false: client gone */
    void *send_user;
    bool sending;         /* a part of the answer has been sent */
    atomic_int waiting;   /* lines, and the end of input, that are not yet handled */
    atomic_bool yielding; /* input ends the running command */
};

/* Writes the body of the answer, or fills diag. */
typedef enum yo_err (*yo_gtp_handler)(struct yo_gtp *gtp, const struct yo_gtp_line *line,
                                      struct yo_buf *out, struct yo_diag *diag);

#define YO_GTP_ANY (-1) /* no upper bound */

struct yo_gtp_command {
    const char *topic, *name;
    yo_gtp_handler run;
    int min_args, max_args;
    const char *usage, *help;
};

/* Ends with a row whose name is NULL. */
extern const struct yo_gtp_command yo_gtp_commands[];
const struct yo_gtp_command *yo_gtp_command_find(const char *name);

/* ---- Reading arguments: args.c ---- */
enum yo_err yo_gtp_arg_int(const struct yo_gtp_line *line, size_t i, int min, int max, int *value,
                           struct yo_diag *diag);
/* Seconds, a fraction allowed. */
enum yo_err yo_gtp_arg_ms(const struct yo_gtp_line *line, size_t i, int64_t *ms,
                          struct yo_diag *diag);
enum yo_err yo_gtp_arg_color(const struct yo_gtp_line *line, size_t i, enum yo_go_color *color,
                             struct yo_diag *diag);
/* A point of the board; neither pass nor resign. */
enum yo_err yo_gtp_arg_point(const struct yo_gtp *gtp, const struct yo_gtp_line *line, size_t i,
                             yo_go_point *point, struct yo_diag *diag);
/* A point or pass. */
enum yo_err yo_gtp_arg_move(const struct yo_gtp *gtp, const struct yo_gtp_line *line, size_t i,
                            yo_go_point *move, struct yo_diag *diag);
/* Up to 40 characters of the client's text, safe to print; returns out. */
char *yo_gtp_quote(const char *text, char out[48]);

/* Puts the GTP standard's error text before the message; returns the code of diag. */
enum yo_err yo_gtp_prefix(struct yo_diag *diag, const char *prefix);

/* ---- Writing answers: args.c ---- */
void yo_gtp_put_point(const struct yo_gtp *gtp, struct yo_buf *out, yo_go_point point);
/* For lists separated by spaces: writes a space first unless the body is empty. */
void yo_gtp_put_listed(const struct yo_gtp *gtp, struct yo_buf *out, yo_go_point point);
const char *yo_gtp_color_name(enum yo_go_color color);

/* ---- The session behind the commands: engine.c ---- */
/* Replaces the game. The session takes ownership. */
void yo_gtp_take_game(struct yo_gtp *gtp, struct yo_go_game *game);
/* What ends a search: options and clock; input, if a server can report it; or what comes first. */
enum yo_gtp_end { YO_GTP_BY_LIMITS, YO_GTP_BY_INPUT, YO_GTP_BY_EITHER };
/* Searches a move of `color`. `only` has the moves to avoid. */
enum yo_err yo_gtp_analyze(struct yo_gtp *gtp, enum yo_go_color color,
                           const struct yo_search_limits *only, enum yo_gtp_end end,
                           yo_search_report_fn report, void *user, struct yo_search_result *result,
                           struct yo_diag *diag);
/* Did input cut the search of this command short? */
bool yo_gtp_gave_way(struct yo_gtp *gtp);
/* Sends the answer written so far, if it can be sent in parts. */
void yo_gtp_flush(struct yo_gtp *gtp);
/* Ponders, if the option is set, until input comes. */
void yo_gtp_ponder(struct yo_gtp *gtp);
/* Notes that a line, or the end of input, has come. May be called from any thread. */
void yo_gtp_input_came(struct yo_gtp *gtp);
/* Starts a new game: resets the clocks and drops the search tree. */
void yo_gtp_new_game(struct yo_gtp *gtp);

/* ---- The record behind the game: record.c ---- */
/* Takes ownership of the game and its record. */
void yo_gtp_record_set(struct yo_gtp *gtp, struct yo_sgf *sgf, const struct sgf_replayed *replayed);
/* Drops the record when the game no longer belongs to it. */
void yo_gtp_record_drop(struct yo_gtp *gtp);
/* The record with the game as a line in it, or, without a record, the game alone. Release the text
 * with yo_sgf_free_text. */
enum yo_err yo_gtp_record_write(struct yo_gtp *gtp, char **text, size_t *len);

/* ---- The commands, by file ---- */
#define YO_GTP_HANDLER(name)                                                                       \
    enum yo_err yo_gtp_cmd_##name(struct yo_gtp *gtp, const struct yo_gtp_line *line,              \
                                  struct yo_buf *out, struct yo_diag *diag)

/* admin.c */
YO_GTP_HANDLER(protocol_version);
YO_GTP_HANDLER(name);
YO_GTP_HANDLER(version);
YO_GTP_HANDLER(known_command);
YO_GTP_HANDLER(list_commands);
YO_GTP_HANDLER(quit);
YO_GTP_HANDLER(echo);
YO_GTP_HANDLER(cputime);
YO_GTP_HANDLER(clear_cache);

/* param.c */
YO_GTP_HANDLER(get_random_seed);
YO_GTP_HANDLER(set_random_seed);
YO_GTP_HANDLER(yomi_param);

/* ---- kata_param.c ---- */
YO_GTP_HANDLER(kata_list_params);
YO_GTP_HANDLER(kata_get_param);
YO_GTP_HANDLER(kata_set_param);
YO_GTP_HANDLER(kata_get_params);
YO_GTP_HANDLER(kata_set_params);

/* setup.c */
YO_GTP_HANDLER(boardsize);
YO_GTP_HANDLER(query_boardsize);
YO_GTP_HANDLER(clear_board);
YO_GTP_HANDLER(komi);
YO_GTP_HANDLER(get_komi);
YO_GTP_HANDLER(fixed_handicap);
YO_GTP_HANDLER(place_free_handicap);
YO_GTP_HANDLER(set_free_handicap);
YO_GTP_HANDLER(get_handicap);

/* play.c */
YO_GTP_HANDLER(play);
YO_GTP_HANDLER(play_sequence);
YO_GTP_HANDLER(genmove);
YO_GTP_HANDLER(genmove_cleanup);
YO_GTP_HANDLER(reg_genmove);
YO_GTP_HANDLER(undo);
YO_GTP_HANDLER(gg_undo);
YO_GTP_HANDLER(trymove);
YO_GTP_HANDLER(popgo);

/* time.c */
YO_GTP_HANDLER(time_settings);
YO_GTP_HANDLER(time_left);
YO_GTP_HANDLER(kgs_time_settings);
YO_GTP_HANDLER(kata_list_time_settings);

/* score.c */
YO_GTP_HANDLER(final_score);
YO_GTP_HANDLER(final_status);
YO_GTP_HANDLER(final_status_list);

/* sgf.c */
YO_GTP_HANDLER(loadsgf);
YO_GTP_HANDLER(printsgf);

/* board.c */
YO_GTP_HANDLER(showboard);
YO_GTP_HANDLER(list_stones);
YO_GTP_HANDLER(color);
YO_GTP_HANDLER(is_legal);
YO_GTP_HANDLER(all_legal);
YO_GTP_HANDLER(captures);
YO_GTP_HANDLER(last_move);
YO_GTP_HANDLER(move_history);
YO_GTP_HANDLER(countlib);
YO_GTP_HANDLER(findlib);
YO_GTP_HANDLER(get_position);

/* rules.c */
YO_GTP_HANDLER(kgs_rules);
YO_GTP_HANDLER(kgs_chat);
YO_GTP_HANDLER(kgs_game_over);
YO_GTP_HANDLER(kata_get_rules);
YO_GTP_HANDLER(kata_set_rules);
YO_GTP_HANDLER(kata_set_rule);

/* analyze.c */
YO_GTP_HANDLER(lz_analyze);
YO_GTP_HANDLER(lz_genmove_analyze);
YO_GTP_HANDLER(kata_analyze);
YO_GTP_HANDLER(kata_genmove_analyze);
YO_GTP_HANDLER(kata_search);
YO_GTP_HANDLER(kata_search_cancellable);
YO_GTP_HANDLER(kata_search_analyze);
YO_GTP_HANDLER(kata_search_analyze_cancellable);

/* raw_nn.c */
YO_GTP_HANDLER(kata_raw_nn);

/* histogram.c */
YO_GTP_HANDLER(yomi_histogram);

/* gogui.c */
YO_GTP_HANDLER(gogui_analyze_commands);
YO_GTP_HANDLER(gogui_interrupt);
YO_GTP_HANDLER(gogui_setup);
YO_GTP_HANDLER(gogui_setup_player);
YO_GTP_HANDLER(yomi_ownership);
YO_GTP_HANDLER(yomi_winrates);
YO_GTP_HANDLER(yomi_visits);
YO_GTP_HANDLER(yomi_rave);
YO_GTP_HANDLER(yomi_prior);

YO_GTP_HANDLER(yomi_best_moves);
