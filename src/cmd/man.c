/* yomi man: the manual page, in roff, made from the same tables as the help. */
#include <string.h>

#include "cmd/text.h"
#include "yomi/version.h"

/* Adds text and escapes roff syntax: backslashes, hyphens that users type, and a dot or quote at
 * the start of a line. */
static void add_text(struct yo_buf *out, const char *text) {
    bool line_start = out->len == 0 || out->data[out->len - 1] == '\n';
    for (; *text; text++) {
        if (line_start && (*text == '.' || *text == '\'')) yo_buf_str(out, "\\&");
        if (*text == '\\')
            yo_buf_str(out, "\\e");
        else if (*text == '-')
            yo_buf_str(out, "\\-");
        else
            yo_buf_char(out, *text);
        line_start = *text == '\n';
    }
}

static void add_entry(struct yo_buf *out, const char *term, const char *meaning) {
    yo_buf_str(out, ".TP\n.B ");
    add_text(out, term);
    yo_buf_char(out, '\n');
    add_text(out, meaning);
    yo_buf_char(out, '\n');
}

static void add_option(struct yo_buf *out, const struct yo_option *row) {
    struct yo_buf term = {0}, meaning = {0};
    yo_text_option(&term, row);
    yo_text_option_help(&meaning, row);
    add_entry(out, yo_buf_text(&term), yo_buf_text(&meaning));
    yo_buf_free(&term);
    yo_buf_free(&meaning);
}

static void add_argument(struct yo_buf *out, const struct yo_argument *argument) {
    struct yo_buf meaning = {0};
    yo_text_argument_help(&meaning, argument);
    add_entry(out, argument->name, yo_buf_text(&meaning));
    yo_buf_free(&meaning);
}

static void add_description(struct yo_buf *out, const char *text) {
    while (text && *text) {
        const char *end = strstr(text, "\n\n");
        struct yo_buf paragraph = {0};
        yo_buf_add(&paragraph, text, end ? (size_t)(end - text) : strlen(text));
        yo_buf_str(out, ".PP\n");
        add_text(out, yo_buf_text(&paragraph));
        yo_buf_char(out, '\n');
        yo_buf_free(&paragraph);
        text = end ? end + 2 : NULL;
    }
}

static void add_examples(struct yo_buf *out, const char *examples) {
    if (!examples) return;
    yo_buf_str(out, ".PP\nExamples:\n.PP\n.RS 4\n.nf\n");
    add_text(out, examples);
    if (out->len && out->data[out->len - 1] != '\n') yo_buf_char(out, '\n');
    yo_buf_str(out, ".fi\n.RE\n");
}

static void add_command(struct yo_buf *out, const struct yo_command *command) {
    struct yo_buf usage = {0};
    yo_text_usage(&usage, command);
    yo_buf_str(out, ".SS ");
    add_text(out, yo_buf_text(&usage));
    yo_buf_char(out, '\n');
    yo_buf_free(&usage);
    char first = command->summary[0];
    yo_buf_char(out, first >= 'a' && first <= 'z' ? (char)(first - 'a' + 'A') : first);
    add_text(out, command->summary + 1);
    yo_buf_str(out, ".\n");
    add_description(out, command->description);
    for (const struct yo_argument *a = command->arguments; a && a->name; a++)
        add_argument(out, a);
    for (const struct yo_option *row = command->options; row && row->key; row++)
        if (row->places & YO_ON_CLI) add_option(out, row);
    add_examples(out, command->examples);
}

static void add_surroundings(struct yo_buf *out) {
    yo_buf_str(out, ".SH ENVIRONMENT\n");
    add_entry(out, "NO_COLOR", "if set and not empty, boards have no colours");
    add_entry(out, "TERM, COLORTERM, LC_ALL, LC_CTYPE, LANG",
              "what the terminal can show: colours, and text in UTF-8");
    add_entry(out, "YOMI_CONFIG", "the configuration file; empty: none is read");
    add_entry(out, "XDG_CONFIG_HOME, HOME", "where it is looked for, if YOMI_CONFIG is not set");
    add_entry(out, "YOMI_CACHE",
              "folder for what was measured; empty: nothing is measured or kept");
    add_entry(out, "XDG_CACHE_HOME, HOME", "where that folder is, if YOMI_CACHE is not set");
    add_entry(out, "XDG_STATE_HOME, HOME", "where `yomi play` keeps games");
    add_entry(out, "XDG_RUNTIME_DIR", "where clusters and matches that run leave their state");
    yo_buf_str(out, ".SH FILES\n");
    add_entry(out, "~/.config/yomi/config",
              "options, as lines `option = value`; below [gtp] for that command alone");
    add_entry(out, "~/.local/state/yomi/games",
              "games of `yomi play` that were neither saved nor thrown away");
    add_entry(out, "~/.cache/yomi/net-backends",
              "how fast each backend runs the networks used so far; may be deleted");
    add_entry(out, "PREFIX/share/doc/yomi/docs",
              "the documents that this page names as docs/; `yomi help` says where they are");
    yo_buf_str(out, ".SH SEE ALSO\n.BR gnugo (6),\n.BR xdg-open (1),\n.BR nats-server (8)\n");
}

static enum yo_err run(const struct yo_options *options, struct yo_diag *diag) {
    (void)options;
    struct yo_buf out = {0};
    yo_buf_printf(&out, ".TH YOMI 1 \"\" \"yomi %s\" \"User Commands\"\n", yo_version());
    yo_buf_str(&out, ".SH NAME\nyomi \\- an engine that reads ahead in Go and shogi\n"
                     ".SH SYNOPSIS\n.B yomi\n.I COMMAND\n[\\fIOPTION\\fR]...\n"
                     "[\\fIARGUMENT\\fR]...\n.SH COMMANDS\n");
    for (const struct yo_command *const *c = yo_commands; *c; c++)
        add_command(&out, *c);
    yo_buf_str(&out, ".SH OPTIONS\nEvery command also takes\n");
    add_entry(&out, "-h, --help", "show the help of the command, with the usual options");
    add_entry(&out, "--help-all", "show the help of the command, with all of them");
    yo_buf_str(&out, ".SH EXIT STATUS\n");
    add_entry(&out, "0", "done");
    add_entry(&out, "1", "failed; standard error says why");
    add_entry(&out, "2", "the command line was wrong");
    add_entry(&out, "130", "interrupted by Ctrl-C or a signal before the end");
    add_surroundings(&out);
    return yo_text_print(&out, diag);
}

const struct yo_command yo_command_man = {
    .name = "man",
    .summary = "write the manual page",
    .description = "Writes the page of the manual, yomi(1), in roff to standard output.",
    .examples = "yomi man > yomi.1\nyomi man | man -l -\n",
    .run = run,
};
