/* yomi learn: what can be learned from game records. */
#include <inttypes.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"
#include "cmd/command.h"
#include "search/probability_learn.h"

static void print_table(const struct yo_probability_table *t) {
    printf("%-18s %10s %12s %12s %8s\n", "category", "played", "seen", "probability", "plies");
    for (int i = 0; i < YO_PROBABILITIES; i++)
        printf("%-18s %10" PRIu64 " %12" PRIu64 " %12.5f %8.2f\n",
               yo_probability_name((enum yo_probability_category)i), t->played[i], t->seen[i],
               yo_probability_of(t, (enum yo_probability_category)i),
               (double)t->costs[i] / (double)YO_AB_PLY);
    printf("%" PRIu64 " games, %" PRIu64 " positions\n", t->games, t->positions);
}

static enum yo_err run(const struct yo_options *o, struct yo_diag *diag) {
    struct yo_probability_table table = {0};
    struct yo_buf text = {0};
    enum yo_err err = YO_OK;
    int skip = (int)yo_options_int(o, "skip");
    for (int i = 1; !err && yo_options_argument(o, (size_t)i); i++) {
        const char *path = yo_options_argument(o, (size_t)i);
        yo_buf_clear(&text);
        err = yo_file_read(path, &text, diag);
        if (!err)
            err = yo_probability_learn(&table, yo_buf_text(&text), text.len, path, skip, diag);
    }
    if (!err && table.positions == 0)
        err = yo_diag_set(diag, YO_ERR_ARGUMENT, "there is no position in these games");
    if (!err) {
        yo_probability_settle(&table);
        print_table(&table);
        yo_buf_clear(&text);
        yo_probability_write(&table, &text);
        const char *out = yo_options_text(o, "out");
        if (yo_buf_status(&text)) err = yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
        if (!err && out) err = yo_file_replace(out, yo_buf_text(&text), text.len, diag);
    }
    yo_buf_free(&text);
    return err;
}

static const char *const what[] = {"probability", NULL};

const struct yo_command yo_command_learn = {
    .name = "learn",
    .summary = "learn from game records of shogi",
    .description =
        "probability: how likely moves of some twenty categories are to be played, counted over "
        "all "
        "positions of the games. The table is what DepthRule realization of `yomi usi` reads lines "
        "by: see ProbabilityFile there. The same games give the same table, in whatever order.\n\n"
        "Files are records in CSA, KIF or KI2, or lines of USI such as `startpos moves 7g7f 3c3d`. "
        "A "
        "file that cannot be read is an error: nothing is learned in silence from half of the "
        "games.",
    .examples = "yomi learn probability games/*.csa --out table.csv",
    .options =
        (const struct yo_option[]){
            YO_STRING("out", YO_ON_CLI, NULL, "FILE", "where the table is written"),
            YO_INT("skip", YO_ON_CLI, "0", 0, 1000, "N",
                   "moves at the beginning of each game that do not count"),
            YO_OPTIONS_END,
        },
    .arguments =
        (const struct yo_argument[]){
            {.name = "WHAT", .choices = what, .help = "what to learn"},
            {.name = "FILE", .many = true, .help = "game records"},
            {.name = NULL},
        },
    .run = run,
};
