/* yomi usi: the engine for shogi clients. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/file.h"
#include "cmd/command.h"
#include "protocol/usi.h"

static void write_line(void *user, const char *line) {
    (void)user;
    puts(line);
    fflush(stdout);
}

static enum yo_err run(const struct yo_options *options, struct yo_diag *diag) {
    (void)options;
    struct yo_usi *usi;
    enum yo_err err = yo_usi_new(write_line, NULL, &usi);
    if (err) return yo_diag_set(diag, err, "not enough memory");
    char *line = NULL;
    size_t cap = 0;
    bool open = true;
    while (open && getline(&line, &cap, stdin) >= 0)
        open = yo_usi_line(usi, line);
    if (open) err = yo_file_ended(stdin, "commands", diag);
    if (open) yo_usi_wait(usi); /* a script that only wrote and left still gets its answer */
    free(line);
    yo_usi_delete(usi);
    return err;
}

const struct yo_command yo_command_usi = {
    .name = "usi",
    .summary = "the engine for shogi clients",
    .description = "Speaks USI, the protocol of ShogiHome, ShogiGUI, Shogidokoro and others, on "
                   "standard input and output.",
    .examples = "printf 'usi\\nposition startpos moves 7g7f\\ngo depth 5\\n' | yomi usi",
    .options = (const struct yo_option[]){YO_OPTIONS_END},
    .run = run,
};
