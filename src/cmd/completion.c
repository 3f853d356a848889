/* yomi completion bash|zsh: completion scripts made from the option tables. */
#include <string.h>

#include "cmd/text.h"

static bool shows(const struct yo_option *row) { return row->places & YO_ON_CLI; }

/* Whether an option or argument of this name takes a path. */
static bool is_file(const char *name) {
    static const char *const paths[] = {"FILE", "FROM", "TO", "POSITION", "DIR", "FOLDER", NULL};
    for (size_t i = 0; name && paths[i]; i++)
        if (strcmp(name, paths[i]) == 0) return true;
    return false;
}

static void add_words(struct yo_buf *out, const char *const *words) {
    for (size_t i = 0; words[i]; i++)
        yo_buf_printf(out, "%s%s", i ? " " : "", words[i]);
}

/* ---- bash ---- */

static const char bash_head[] =
    "# bash completion for yomi, written by `yomi completion bash`\n"
    "_yomi() {\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} words=\n"
    "    # bash takes --key=value apart at the sign\n"
    "    if [[ $cur == = ]]; then\n"
    "        cur=\n"
    "    elif [[ $prev == = ]]; then\n"
    "        prev=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "    fi\n"
    "    if ((COMP_CWORD == 1)); then\n";

static const char bash_tail[] = "    esac fi\n"
                                "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
                                "}\n"
                                "complete -F _yomi yomi\n";

static const char bash_files[] = "mapfile -t COMPREPLY < <(compgen -f -- \"$cur\"); return";

/* The values of each option that takes one: "    bench:--policy) words='light mogo' ;;". */
static void bash_values(struct yo_buf *out, const struct yo_command *command) {
    for (const struct yo_option *row = command->options; row && row->key; row++) {
        if (!shows(row) || row->type == YO_OPTION_BOOL) continue;
        yo_buf_printf(out, "    %s:--%s) ", command->name, row->key);
        if (row->type == YO_OPTION_CHOICE) {
            yo_buf_str(out, "words='");
            add_words(out, row->choices);
            yo_buf_str(out, "'");
        } else {
            yo_buf_str(out, is_file(row->metavar) ? bash_files : "return");
        }
        yo_buf_str(out, " ;;\n");
    }
}

static void bash_command(struct yo_buf *out, const struct yo_command *command) {
    bool files = false;
    yo_buf_printf(out, "    %s:*)\n        words='--help%s", command->name,
                  command->usual ? " --help-all" : "");
    for (const struct yo_option *row = command->options; row && row->key; row++) {
        if (!shows(row)) continue;
        yo_buf_printf(out, " --%s", row->key);
        if (row->type == YO_OPTION_BOOL) yo_buf_printf(out, " --no-%s", row->key);
    }
    for (const struct yo_argument *a = command->arguments; a && a->name; a++) {
        if (a->choices) yo_buf_char(out, ' ');
        if (a->choices) add_words(out, a->choices);
        files = files || is_file(a->name);
    }
    yo_buf_str(out, "'\n");
    /* Where the first argument is one of some words, files come after it. */
    bool words_first = files && command->arguments->choices;
    if (files)
        yo_buf_printf(out, "        [[ $cur == -* ]]%s || { %s; }\n",
                      words_first ? " || ((COMP_CWORD == 2))" : "", bash_files);
    yo_buf_str(out, "        ;;\n");
}

static void bash(struct yo_buf *out) {
    yo_buf_str(out, bash_head);
    yo_buf_str(out, "        words='--help --version");
    for (const struct yo_command *const *c = yo_commands; *c; c++)
        yo_buf_printf(out, " %s", (*c)->name);
    yo_buf_str(out, "'\n    else case ${COMP_WORDS[1]}:$prev in\n");
    for (const struct yo_command *const *c = yo_commands; *c; c++)
        bash_values(out, *c);
    for (const struct yo_command *const *c = yo_commands; *c; c++)
        bash_command(out, *c);
    yo_buf_str(out, bash_tail);
}

/* ---- zsh ---- */

/* Escapes text inside '...' and [...] of an _arguments specification. */
static void zsh_text(struct yo_buf *out, const char *text) {
    for (; *text; text++) {
        if (*text == '\'')
            yo_buf_str(out, "'\\''");
        else if (strchr("[]:\\", *text))
            yo_buf_printf(out, "\\%c", *text);
        else
            yo_buf_char(out, *text);
    }
}

/* ":N:", ":NAME:(light mogo)", ":FILE:_files". */
static void zsh_value(struct yo_buf *out, const char *name, const char *const *choices) {
    yo_buf_char(out, ':');
    zsh_text(out, name);
    yo_buf_char(out, ':');
    if (choices) {
        yo_buf_char(out, '(');
        add_words(out, choices);
        yo_buf_char(out, ')');
    } else {
        yo_buf_str(out, is_file(name) ? "_files" : " ");
    }
}

static void zsh_option(struct yo_buf *out, const struct yo_option *row) {
    bool flag = row->type == YO_OPTION_BOOL;
    yo_buf_printf(out, " \\\n            '--%s%s[", row->key, flag ? "" : "=");
    zsh_text(out, row->help);
    yo_buf_char(out, ']');
    if (flag)
        yo_buf_printf(out, "' '--no-%s'", row->key);
    else
        zsh_value(out, row->metavar, row->choices);
    if (!flag) yo_buf_char(out, '\'');
}

static void zsh_command(struct yo_buf *out, const struct yo_command *command) {
    yo_buf_printf(out, "    %s)\n        _arguments '(-h --help)'{-h,--help}'[show help]'",
                  command->name);
    for (const struct yo_option *row = command->options; row && row->key; row++)
        if (shows(row)) zsh_option(out, row);
    for (const struct yo_argument *a = command->arguments; a && a->name; a++) {
        yo_buf_printf(out, " \\\n            '%s%s", a->many ? "*" : "",
                      a->optional && !a->many ? ":" : "");
        zsh_value(out, a->name, a->choices);
        yo_buf_char(out, '\'');
    }
    yo_buf_str(out, "\n        ;;\n");
}

static void zsh(struct yo_buf *out) {
    yo_buf_str(out, "#compdef yomi\n# zsh completion for yomi, written by `yomi completion zsh`\n"
                    "_yomi() {\n    local -a commands=(\n");
    for (const struct yo_command *const *c = yo_commands; *c; c++) {
        yo_buf_printf(out, "        '%s:", (*c)->name);
        zsh_text(out, (*c)->summary);
        yo_buf_str(out, "'\n");
    }
    yo_buf_str(out, "    )\n    if (( CURRENT == 2 )); then\n"
                    "        _describe command commands\n        return\n    fi\n"
                    "    local command=$words[2]\n    shift words\n    (( CURRENT-- ))\n"
                    "    case $command in\n");
    for (const struct yo_command *const *c = yo_commands; *c; c++)
        zsh_command(out, *c);
    /* Works both autoloaded from fpath and sourced. */
    yo_buf_str(out, "    esac\n}\nif [[ $funcstack[1] == _yomi ]]; then\n    _yomi \"$@\"\nelse\n"
                    "    compdef _yomi yomi\nfi\n");
}

static enum yo_err run(const struct yo_options *options, struct yo_diag *diag) {
    struct yo_buf out = {0};
    if (strcmp(yo_options_argument(options, 0), "bash") == 0)
        bash(&out);
    else
        zsh(&out);
    return yo_text_print(&out, diag);
}

static const char *const shells[] = {"bash", "zsh", NULL};

static const struct yo_argument arguments[] = {
    {.name = "SHELL", .choices = shells, .help = "whose script"},
    {.name = NULL},
};

const struct yo_command yo_command_completion = {
    .name = "completion",
    .summary = "write a shell's completion script",
    .description = "Writes a script that teaches the shell to complete yomi's commands, options "
                   "and their values. An installed yomi has it in place already.",
    .examples = "source <(yomi completion bash)\nsource <(yomi completion zsh)\n",
    .arguments = arguments,
    .run = run,
};
