/* The yomi program: finds the subcommand, reads its options, runs it and prints errors. Exit status
 * of all commands: 0 success; 1 failure; 2 wrong command line; 130 interrupted. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "base/notice.h"
#include "cmd/command.h"
#include "cmd/config.h"
#include "cmd/programs.h"
#include "cmd/text.h"

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_INTERRUPTED = 130 };

const struct yo_command *const yo_commands[] = {
#define X(name, typed) &yo_command_##name,
    YO_COMMAND_LIST(X)
#undef X
        NULL,
};

const struct yo_command *yo_command_find(const char *name) {
    for (const struct yo_command *const *c = yo_commands; *c; c++)
        if (strcmp((*c)->name, name) == 0) return *c;
    return NULL;
}

enum yo_err yo_command_unknown(const char *name, struct yo_diag *diag) {
    struct yo_nearest nearest = {.text = name};
    for (const struct yo_command *const *c = yo_commands; *c; c++)
        yo_nearest_offer(&nearest, (*c)->name);
    yo_diag_set(diag, YO_ERR_ARGUMENT, "there is no command %.80s", name);
    if (nearest.best) yo_diag_hint(diag, "did you mean %s?", nearest.best);
    return YO_ERR_ARGUMENT;
}

static void complain(const char *who, const struct yo_diag *diag) {
    char text[640];
    yo_diag_format(diag, text, sizeof text);
    fprintf(stderr, "yomi%s%s: %s\n", who ? " " : "", who ? who : "", text);
}

static int usage_error(const char *command, const struct yo_diag *diag) {
    complain(command, diag);
    fprintf(stderr, "Try `yomi help%s%s`.\n", command ? " " : "", command ? command : "");
    return EXIT_USAGE;
}

static int run_parsed(const struct yo_command *command, const struct yo_options *options) {
    struct yo_diag diag = {0};
    enum yo_err err = command->run(options, &diag);
    if (!err) return EXIT_DONE;
    if (!diag.err) yo_diag_set(&diag, err, "%s", yo_err_text(err));
    if (err == YO_ERR_ARGUMENT) return usage_error(command->name, &diag);
    complain(command->name, &diag);
    return err == YO_ERR_CANCELLED ? EXIT_INTERRUPTED : EXIT_FAILED;
}

static bool has_word(int argc, char **argv, const char *word) {
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], word) == 0) return true;
    return false;
}

/* Help works with a broken configuration, too. */
static bool wants_help(int argc, char **argv) {
    return has_word(argc, argv, "--help") || has_word(argc, argv, "-h");
}

static int print_help(const struct yo_command *command, bool all) {
    struct yo_buf text = {0};
    struct yo_diag diag = {0};
    yo_text_command_help(&text, command, all);
    return yo_text_print(&text, &diag) ? EXIT_FAILED : EXIT_DONE;
}

static int run_command(const struct yo_command *command, int argc, char **argv) {
    struct yo_options options;
    struct yo_diag diag = {0};
    bool help_wanted = false;
    int status;
    if (has_word(argc, argv, "--help-all")) return print_help(command, true);
    enum yo_err err = yo_options_init(&options, command->options, &diag);
    if (!err && command->options && !command->no_config && !wants_help(argc, argv))
        err = yo_config_read(command, &options, &diag);
    if (!err) yo_options_mark_configured(&options);
    if (!err) err = yo_options_parse(&options, command->arguments, argc, argv, &help_wanted, &diag);
    if (err) {
        status = usage_error(command->name, &diag);
    } else if (help_wanted) {
        status = print_help(command, false);
    } else {
        status = run_parsed(command, &options);
    }
    yo_options_free(&options);
    return status;
}

static int dispatch(int argc, char **argv) {
    struct yo_diag diag = {0};
    const char *name = argc > 1 ? argv[1] : "help";
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) name = "help";
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) name = "version";
    const struct yo_command *command = yo_command_find(name);
    if (command) return run_command(command, argc > 2 ? argc - 2 : 0, argv + 2);
    if (name[0] == '-') {
        yo_diag_set(&diag, YO_ERR_ARGUMENT, "there is no option %.80s before a command", name);
        return usage_error(NULL, &diag);
    }
    yo_command_unknown(name, &diag);
    return usage_error(NULL, &diag);
}

/* A full disk must not look like success. */
static int close_stdout(int status) {
    errno = 0;
    if (!ferror(stdout) && fflush(stdout) == 0) return status;
    fprintf(stderr, "yomi: cannot write to standard output%s%s\n", errno ? ": " : "",
            errno ? strerror(errno) : "");
    return status == EXIT_DONE ? EXIT_FAILED : status;
}

/* If a standard stream is closed, a file opened later must not get its descriptor, and using the
 * stream must fail. So /dev/null takes its place, opened in the opposite direction. */
static void occupy_closed_streams(void) {
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0) return;
}

static void print_notice(void *user, const char *text) {
    (void)user;
    fprintf(stderr, "yomi: %s\n", text);
}

const struct yo_notices yo_cmd_notices = {.notify = print_notice};

int main(int argc, char **argv) {
    occupy_closed_streams();
    /* A closed pipe (`yomi help | head -1`) ends the program silently, as usual for a filter, even
     * if the parent process ignores the signal. */
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_IGN); /* a file at its limit is an error of writing, as a full disk is */
    yo_programs_extend_path();
    return close_stdout(dispatch(argc, argv));
}
