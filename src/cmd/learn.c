/* yomi learn: what can be learned from game records. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/diag.h"
#include "cmd/command.h"
#include "search/probability_learn.h"

static enum yo_err read_file(const char *path, struct yo_buf *text, struct yo_diag *diag) {
    FILE *file = fopen(path, "rb");
    if (!file) return yo_diag_set(diag, YO_ERR_IO, "cannot open %.150s: %s", path, strerror(errno));
    char bytes[1 << 16];
    size_t got;
    yo_buf_clear(text);
    while ((got = fread(bytes, 1, sizeof bytes, file)) > 0)
        yo_buf_add(text, bytes, got);
    bool failed = ferror(file) != 0;
    fclose(file);
    if (failed) return yo_diag_set(diag, YO_ERR_IO, "cannot read %.150s", path);
    return yo_buf_status(text) ? yo_diag_set(diag, YO_ERR_NOMEM, "out of memory") : YO_OK;
}

static enum yo_err write_file(const char *path, const struct yo_buf *text, struct yo_diag *diag) {
    if (yo_buf_status(text)) return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    FILE *file = fopen(path, "wb");
    bool good = file && fwrite(yo_buf_text(text), 1, text->len, file) == text->len;
    if (file) good = fclose(file) == 0 && good;
    return good ? YO_OK
                : yo_diag_set(diag, YO_ERR_IO, "cannot write %.150s: %s", path, strerror(errno));
}

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
        err = read_file(path, &text, diag);
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
        if (out) err = write_file(out, &text, diag);
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
