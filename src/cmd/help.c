/* yomi help [COMMAND] */
#include "cmd/text.h"

static const char *const names[] = {
#define X(name, typed) typed,
    YO_COMMAND_LIST(X)
#undef X
        NULL,
};

static enum yo_err run(const struct yo_options *options, struct yo_diag *diag) {
    const char *name = yo_options_argument(options, 0);
    struct yo_buf text = {0};
    if (name)
        yo_text_command_help(&text, yo_command_find(name), yo_options_bool(options, "all"));
    else
        yo_text_program_help(&text);
    return yo_text_print(&text, diag);
}

static const struct yo_option rows[] = {
    YO_BOOL("all", YO_ON_CLI, "false", "show options that few people need, too"),
    YO_OPTIONS_END,
};

static const struct yo_argument arguments[] = {
    {.name = "COMMAND",
     .choices = names,
     .optional = true,
     .help = "the command to explain; none: list them all"},
    {.name = NULL},
};

const struct yo_command yo_command_help = {
    .name = "help",
    .summary = "list the commands, or explain one",
    .options = rows,
    .arguments = arguments,
    .run = run,
};
