#include "cmd/text.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "yomi/version.h"

enum { WIDTH = 80, COLUMN = 24 };

void yo_text_argument(struct yo_buf *out, const struct yo_argument *argument) {
    yo_buf_printf(out, "%s%s%s%s", argument->optional ? "[" : "", argument->name,
                  argument->many ? "..." : "", argument->optional ? "]" : "");
}

static bool shows(const struct yo_option *row) { return row->places & YO_ON_CLI; }

static bool has_options(const struct yo_command *command) {
    for (const struct yo_option *row = command->options; row && row->key; row++)
        if (shows(row)) return true;
    return false;
}

void yo_text_usage(struct yo_buf *out, const struct yo_command *command) {
    yo_buf_printf(out, "yomi %s", command->name);
    if (has_options(command)) yo_buf_str(out, " [OPTION]...");
    for (const struct yo_argument *a = command->arguments; a && a->name; a++) {
        yo_buf_char(out, ' ');
        yo_text_argument(out, a);
    }
}

void yo_text_option(struct yo_buf *out, const struct yo_option *row) {
    if (row->type == YO_OPTION_BOOL)
        yo_buf_printf(out, "--[no-]%s", row->key);
    else
        yo_buf_printf(out, "--%s %s", row->key, row->metavar);
}

void yo_text_option_help(struct yo_buf *out, const struct yo_option *row) {
    char range[256];
    yo_option_range(row, range, sizeof range);
    size_t len = strlen(row->help);
    yo_buf_add(out, row->help, len > 0 && row->help[len - 1] == '.' ? len - 1 : len);
    bool has_default = row->initial && row->initial[0];
    if (row->type == YO_OPTION_BOOL) {
        bool on = has_default && strcmp(row->initial, "true") == 0;
        yo_buf_printf(out, " (default: %s)", on ? "yes" : "no");
    } else if (range[0] || has_default) {
        yo_buf_printf(out, " (%s%s%s%s)", range, range[0] && has_default ? "; " : "",
                      has_default ? "default: " : "", has_default ? row->initial : "");
    }
}

void yo_text_argument_help(struct yo_buf *out, const struct yo_argument *argument) {
    struct yo_option as_option = {.type = YO_OPTION_CHOICE, .choices = argument->choices};
    char range[256];
    yo_buf_str(out, argument->help);
    if (argument->choices)
        yo_buf_printf(out, " (%s)", yo_option_range(&as_option, range, sizeof range));
}

void yo_text_wrap(struct yo_buf *out, const char *text, size_t indent, size_t column,
                  size_t width) {
    bool at_start = true;
    while (*(text += strspn(text, " ")) != '\0') {
        size_t len = strcspn(text, " ");
        if (!at_start && column + 1 + len > width) {
            yo_buf_printf(out, "\n%*s", (int)indent, "");
            column = indent;
        } else if (!at_start) {
            yo_buf_char(out, ' ');
            column++;
        }
        yo_buf_add(out, text, len);
        column += len;
        text += len;
        at_start = false;
    }
    yo_buf_char(out, '\n');
}

/* " term meaning, wrapped"; the meaning is on its own line if the term is too long. */
static void add_entry(struct yo_buf *out, const char *term, const char *meaning) {
    size_t len = strlen(term) + 2;
    yo_buf_printf(out, "  %s", term);
    if (len + 2 > COLUMN) {
        yo_buf_char(out, '\n');
        len = 0;
    }
    yo_buf_printf(out, "%*s", (int)(COLUMN - len), "");
    yo_text_wrap(out, meaning, COLUMN, COLUMN, WIDTH);
}

static bool is_usual(const struct yo_command *command, const struct yo_option *row) {
    const char *const *key = command->usual;
    while (key && *key && strcmp(*key, row->key) != 0)
        key++;
    return !key || *key;
}

static void add_options(struct yo_buf *out, const struct yo_command *command, bool all) {
    struct yo_buf term = {0}, meaning = {0};
    size_t hidden = 0;
    yo_buf_str(out, "\nOptions:\n");
    for (const struct yo_option *row = command->options; row && row->key; row++) {
        if (!shows(row)) continue;
        if (!all && !is_usual(command, row)) {
            hidden++;
            continue;
        }
        yo_buf_clear(&term);
        yo_buf_clear(&meaning);
        yo_text_option(&term, row);
        yo_text_option_help(&meaning, row);
        add_entry(out, yo_buf_text(&term), yo_buf_text(&meaning));
    }
    add_entry(out, "-h, --help", "show this help");
    if (hidden > 0) {
        yo_buf_clear(&meaning);
        yo_buf_printf(&meaning, "show the %zu other options too", hidden);
        add_entry(out, "--help-all", yo_buf_text(&meaning));
    }
    yo_buf_free(&term);
    yo_buf_free(&meaning);
}

static void add_arguments(struct yo_buf *out, const struct yo_command *command) {
    if (!command->arguments || !command->arguments->name) return;
    yo_buf_str(out, "\nArguments:\n");
    struct yo_buf meaning = {0};
    for (const struct yo_argument *a = command->arguments; a->name; a++) {
        yo_buf_clear(&meaning);
        yo_text_argument_help(&meaning, a);
        add_entry(out, a->name, yo_buf_text(&meaning));
    }
    yo_buf_free(&meaning);
}

static void add_paragraphs(struct yo_buf *out, const char *text) {
    while (text && *text) {
        const char *end = strstr(text, "\n\n");
        size_t len = end ? (size_t)(end - text) : strlen(text);
        struct yo_buf paragraph = {0};
        yo_buf_add(&paragraph, text, len);
        yo_buf_char(out, '\n');
        yo_text_wrap(out, yo_buf_text(&paragraph), 0, 0, WIDTH);
        yo_buf_free(&paragraph);
        text = end ? end + 2 : NULL;
    }
}

static void add_lines(struct yo_buf *out, const char *lines) {
    for (size_t len; *lines; lines += len + (lines[len] == '\n')) {
        len = strcspn(lines, "\n");
        yo_buf_printf(out, "  %.*s\n", (int)len, lines);
    }
}

/* Where the documents are, if they are installed beside this program. */
static void add_docs(struct yo_buf *out) {
    char path[PATH_MAX], real[PATH_MAX];
    ssize_t len = readlink("/proc/self/exe", path, sizeof path / 2);
    while (len > 0 && path[len - 1] != '/')
        len--;
    if (len <= 0) return;
    snprintf(path + len, sizeof path - (size_t)len, "%s/docs", YOMI_DOCS_FROM_BIN);
    if (realpath(path, real)) yo_buf_printf(out, "\ndocs/ is %s.\n", real);
}

void yo_text_command_help(struct yo_buf *out, const struct yo_command *command, bool all) {
    yo_buf_printf(out, "yomi %s: ", command->name);
    yo_text_wrap(out, command->summary, 4, strlen(command->name) + 7, WIDTH);
    yo_buf_str(out, "\nUsage: ");
    yo_text_usage(out, command);
    yo_buf_char(out, '\n');
    add_paragraphs(out, command->description);
    add_arguments(out, command);
    add_options(out, command, all);
    if (command->examples) {
        yo_buf_str(out, "\nExamples:\n");
        add_lines(out, command->examples);
    }
    bool names_docs = command->description && strstr(command->description, "docs/");
    if (names_docs) add_docs(out);
}

void yo_text_program_help(struct yo_buf *out) {
    yo_buf_printf(out, "yomi %s: an engine that reads ahead in Go and shogi\n\n", yo_version());
    yo_buf_str(out, "Usage: yomi COMMAND [OPTION]... [ARGUMENT]...\n\nCommands:\n");
    for (const struct yo_command *const *c = yo_commands; *c; c++)
        add_entry(out, (*c)->name, (*c)->summary);
    yo_buf_str(out, "\nOptions:\n");
    add_entry(out, "-h, --help", "show this help");
    add_entry(out, "-V, --version", "show the version");
    yo_buf_str(out,
               "\n"
               "`yomi help COMMAND` explains a command.\n"
               "Exit status: 0 done, 1 failed, 2 the command line was wrong, 130 interrupted.\n");
    add_docs(out);
}

enum yo_err yo_text_print(struct yo_buf *text, struct yo_diag *diag) {
    enum yo_err err = yo_buf_status(text);
    if (err)
        yo_diag_set(diag, err, "out of memory");
    else
        fwrite(yo_buf_text(text), 1, text->len, stdout); /* main checks stdout at the end */
    yo_buf_free(text);
    return err;
}
