/* The GTP engine itself: from a line to its answer. */
#include "protocol/gtp/gtp.h"

#include <string.h>

#include "base/alloc.h"
#include "base/nearest.h"
#include "protocol/gtp/internal.h"

void yo_gtp_config_init(struct yo_gtp_config *config) {
    *config = (struct yo_gtp_config){.size = 19, .rules = yo_go_rules_default};
}

static enum yo_err set_up(struct yo_gtp *gtp, struct yo_diag *diag) {
    const struct yo_gtp_config *config = &gtp->config;
    struct yo_session_config session = {.game = YO_SESSION_GO,
                                        .options = config->options,
                                        .kinds = config->kinds,
                                        .notice = config->notice,
                                        .user = config->user,
                                        .notices = {config->notice, config->user},
                                        .patterns = config->patterns};
    struct yo_go_game *game;
    enum yo_err err = yo_session_new(&session, &gtp->session, diag);
    if (err) return err;
    err = yo_go_game_new(config->size, &config->rules, &game);
    if (err)
        return yo_diag_set(diag, err, "no game of size %d: %s", config->size, yo_err_text(err));
    yo_gtp_take_game(gtp, game);
    /* Reports a wrong network now, not at the first move. */
    bool named = yo_options_given(yo_session_options(gtp->session), "net");
    return named ? yo_session_prepare(gtp->session, diag) : YO_OK;
}

enum yo_err yo_gtp_new(const struct yo_gtp_config *config, struct yo_gtp **out,
                       struct yo_diag *diag) {
    struct yo_gtp *gtp = yo_alloc(1, sizeof *gtp);
    if (!gtp) return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    gtp->config = *config;
    enum yo_err err = set_up(gtp, diag);
    gtp->config.options = NULL; /* the caller's; the session has copied the options */
    if (err)
        yo_gtp_delete(gtp);
    else
        *out = gtp;
    return err;
}

void yo_gtp_delete(struct yo_gtp *gtp) {
    if (!gtp) return;
    yo_gtp_record_drop(gtp);
    yo_session_delete(gtp->session);
    yo_gtp_line_free(&gtp->line);
    yo_buf_free(&gtp->body);
    yo_free(gtp);
}

enum yo_err yo_gtp_set(struct yo_gtp *gtp, const char *key, const char *value,
                       struct yo_diag *diag) {
    return yo_session_set(gtp->session, YO_ON_GTP, key, value, diag);
}

bool yo_gtp_done(const struct yo_gtp *gtp) { return gtp->quit; }

void yo_gtp_interrupt(struct yo_gtp *gtp) { atomic_store(&gtp->stop, true); }

const struct yo_gtp_command *yo_gtp_command_find(const char *name) {
    for (const struct yo_gtp_command *c = yo_gtp_commands; c->name; c++)
        if (strcmp(c->name, name) == 0) return c;
    return NULL;
}

const char *yo_gtp_command_info(size_t i, struct yo_gtp_command_info *info) {
    const struct yo_gtp_command *c = yo_gtp_commands;
    while (i > 0 && c->name) {
        c++;
        i--;
    }
    *info = (struct yo_gtp_command_info){c->topic, c->name, c->usage, c->help};
    return c->name;
}

static enum yo_err unknown_command(const char *name, struct yo_diag *diag) {
    char quoted[48];
    if (!*name) return yo_diag_set(diag, YO_ERR_PARSE, "syntax error: an id, but no command");
    struct yo_nearest nearest = {.text = name};
    for (const struct yo_gtp_command *c = yo_gtp_commands; c->name; c++)
        yo_nearest_offer(&nearest, c->name);
    yo_diag_set(diag, YO_ERR_UNKNOWN, "unknown command '%s'", yo_gtp_quote(name, quoted));
    if (nearest.best)
        yo_diag_hint(diag, "did you mean %s?", nearest.best);
    else
        yo_diag_hint(diag, "list_commands shows them all");
    return YO_ERR_UNKNOWN;
}

static enum yo_err wrong_arguments(const struct yo_gtp_command *command, size_t given,
                                   struct yo_diag *diag) {
    yo_diag_set(diag, YO_ERR_PARSE, "syntax error: %s does not take %zu argument%s", command->name,
                given, given == 1 ? "" : "s");
    yo_diag_hint(diag, "usage: %s%s%s", command->name, *command->usage ? " " : "", command->usage);
    return YO_ERR_PARSE;
}

static enum yo_err dispatch(struct yo_gtp *gtp, const struct yo_gtp_line *line,
                            struct yo_diag *diag) {
    const struct yo_gtp_command *command = yo_gtp_command_find(line->command);
    if (!command) return unknown_command(line->command, diag);
    if (line->arg_count < (size_t)command->min_args ||
        (command->max_args != YO_GTP_ANY && line->arg_count > (size_t)command->max_args))
        return wrong_arguments(command, line->arg_count, diag);
    enum yo_err err = command->run(gtp, line, &gtp->body, diag);
    if (!err && yo_buf_status(&gtp->body))
        err = yo_diag_set(diag, YO_ERR_NOMEM, "out of memory for the answer");
    return err;
}

/* An answer ends at its first empty line, so it must not have one inside. */
static void put_lines(struct yo_buf *reply, const char *text) {
    bool line_is_empty = false; /* the first line already has the mark and a space */
    for (; *text; text++) {
        if (*text == '\r' || (*text == '\n' && line_is_empty)) continue;
        if (*text == '\n' && text[1 + strspn(text + 1, "\r\n")] == '\0') break;
        line_is_empty = *text == '\n';
        yo_buf_char(reply, *text);
    }
}

static void put_reply(struct yo_buf *reply, char mark, const char *id, const char *text) {
    yo_buf_char(reply, mark);
    yo_buf_str(reply, id);
    yo_buf_char(reply, ' ');
    put_lines(reply, text);
    yo_buf_str(reply, "\n\n");
}

static void put_failure(struct yo_buf *reply, const char *id, struct yo_diag *diag,
                        enum yo_err err) {
    char text[640];
    if (!diag->what[0]) yo_diag_set(diag, err, "%s", yo_err_text(err));
    yo_diag_format(diag, text, sizeof text);
    for (char *p = text; *p; p++)
        if (*p == '\n' || *p == '\r') *p = ' ';
    put_reply(reply, '?', id, text);
}

/* The first part has the mark and the id; the empty line comes when the command is done. */
void yo_gtp_flush(struct yo_gtp *gtp) {
    if (!gtp->send) return;
    struct yo_buf part = {0};
    if (!gtp->sending) yo_buf_printf(&part, "=%s ", gtp->line.id);
    yo_buf_add(&part, yo_buf_text(&gtp->body), gtp->body.len);
    bool heard = !part.failed && gtp->send(gtp->send_user, yo_buf_text(&part), part.len);
    if (!heard) yo_gtp_interrupt(gtp);
    gtp->sending = true;
    yo_buf_clear(&gtp->body);
    yo_buf_free(&part);
}

/* What is left of an answer whose first lines were sent: each of them ended. */
static void put_rest(struct yo_buf *reply, const struct yo_buf *body) {
    bool ended = body->len == 0 || body->data[body->len - 1] == '\n';
    yo_buf_add(reply, yo_buf_text(body), body->len);
    yo_buf_str(reply, ended ? "\n" : "\n\n");
}

void yo_gtp_feed(struct yo_gtp *gtp, const char *bytes, size_t len, struct yo_buf *reply) {
    struct yo_diag diag = {0};
    if (len > YO_LINE_MAX) {
        yo_diag_set(&diag, YO_ERR_RANGE, "line too long: at most %zu bytes", YO_LINE_MAX);
        put_failure(reply, "", &diag, diag.err);
        return;
    }
    enum yo_err err = yo_gtp_line_parse(&gtp->line, bytes, len);
    if (!err && !gtp->line.command) return;
    yo_buf_clear(&gtp->body);
    gtp->sending = false;
    if (!err) err = dispatch(gtp, &gtp->line, &diag);
    if (gtp->sending)
        put_rest(reply, &gtp->body);
    else if (err)
        put_failure(reply, gtp->line.id, &diag, err);
    else
        put_reply(reply, '=', gtp->line.id, yo_buf_text(&gtp->body));
    atomic_store(&gtp->stop, false); /* an interrupt is for one command */
}
