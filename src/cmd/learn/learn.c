/* yomi learn: learns tables from game records. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"
#include "cmd/command.h"
#include "cmd/learn/learn.h"
#include "cmd/progress.h"
#include "learn/material.h"
#include "learn/probability.h"

enum { POSITIONS_LEAST = 1000 };

/* ---- probability ---- */

static void print_table(const struct yo_probability_table *t) {
    printf("%-18s %10s %12s %12s %8s\n", "category", "played", "seen", "probability", "plies");
    for (int i = 0; i < YO_PROBABILITIES; i++)
        printf("%-18s %10" PRIu64 " %12" PRIu64 " %12.5f %8.2f\n",
               yo_probability_name((enum yo_probability_category)i), t->played[i], t->seen[i],
               yo_probability_of(t, (enum yo_probability_category)i),
               (double)t->costs[i] / (double)YO_AB_PLY);
    printf("%" PRIu64 " games, %" PRIu64 " positions\n", t->games, t->positions);
}

static enum yo_err learn_probability(const struct yo_options *o, struct yo_diag *diag) {
    struct yo_probability_table table = {0};
    struct yo_buf text = {0};
    enum yo_err err = YO_OK;
    struct yo_progress progress = {0};
    int skip = (int)yo_options_int(o, "skip");
    for (int i = 1; !err && yo_options_argument(o, (size_t)i); i++) {
        const char *path = yo_options_argument(o, (size_t)i);
        yo_learn_show_file(&progress, o, (size_t)i);
        yo_buf_clear(&text);
        err = yo_file_read(path, &text, diag);
        if (!err)
            err = yo_probability_learn(&table, yo_buf_text(&text), text.len, path, skip, diag);
    }
    yo_progress_hide(&progress);
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

/* ---- material ---- */

static enum yo_err add_positions(const struct yo_options *o, struct yo_material_set *set,
                                 struct yo_diag *diag) {
    enum yo_err err = YO_OK;
    struct yo_progress progress = {0};
    for (size_t i = 1; !err && yo_options_argument(o, i); i++) {
        const char *path = yo_options_argument(o, i);
        struct yo_buf bytes = {0};
        yo_learn_show_file(&progress, o, i);
        err = yo_file_read(path, &bytes, diag);
        if (!err) err = yo_material_set_add(set, yo_buf_text(&bytes), bytes.len, path, diag);
        yo_buf_free(&bytes);
    }
    yo_progress_hide(&progress);
    if (!err && yo_material_set_count(set) < POSITIONS_LEAST) {
        yo_diag_set(diag, YO_ERR_STATE, "%zu quiet positions are too few to learn from",
                    yo_material_set_count(set));
        yo_diag_hint(diag, "some thousands of games give some hundred thousand");
        err = YO_ERR_STATE;
    }
    return err;
}

static enum yo_err write_weights(const struct yo_options *o,
                                 const struct yo_material_fitted *fitted, struct yo_diag *diag) {
    struct yo_buf text = {0};
    const char *out = yo_options_text(o, "out");
    yo_material_write(&fitted->weights, &text);
    enum yo_err err = yo_buf_status(&text);
    if (err)
        yo_diag_set(diag, err, "out of memory");
    else if (out)
        err = yo_file_replace(out, yo_buf_text(&text), text.len, diag);
    else
        fputs(yo_buf_text(&text), stdout);
    yo_buf_free(&text);
    if (!err)
        printf(
            "%s%zu positions, scale %.0f, %d rounds: cross entropy %.5f before, %.5f after; of %zu "
            "kept aside %.5f before, %.5f after%s\n",
            out ? "" : "/* ", fitted->learned, fitted->scale, fitted->rounds,
            fitted->learned_loss[0], fitted->learned_loss[1], fitted->aside, fitted->aside_loss[0],
            fitted->aside_loss[1], out ? "" : " */");
    return err;
}

static enum yo_err learn_material(const struct yo_options *o, struct yo_diag *diag) {
    struct yo_material_set *set;
    struct yo_material_fitted fitted;
    struct yo_material_fit fit = {.results = yo_options_real(o, "results"),
                                  .ridge = yo_options_real(o, "ridge")};
    if (yo_material_set_new(&set)) return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    enum yo_err err = add_positions(o, set, diag);
    if (!err) err = yo_material_learn(set, &fit, &fitted, diag);
    if (!err) err = write_weights(o, &fitted, diag);
    yo_material_set_delete(set);
    return err;
}

/* ---- the command ---- */

void yo_learn_show_file(struct yo_progress *progress, const struct yo_options *o, size_t i) {
    size_t files = o->argument_count - 1;
    yo_progress_say(progress, (double)(i - 1), (double)files, "file %zu of %zu", i, files);
}

static const char *const what[] = {"probability", "material", "network",
                                   "positions",   "scores",   NULL};
static enum yo_err (*const learners[])(const struct yo_options *, struct yo_diag *) = {
    learn_probability, learn_material, yo_learn_network, yo_learn_positions, yo_learn_scores};

/* Keys that have no meaning there. */
#define NETWORK_ONLY "start", "epochs", "batch", "rate", "decay", "below", "seed"
#define SCORES_ONLY  "net", "backend", "share", "visits", "nodes", "eval"
static const char *const not_of[][20] = {
    {NETWORK_ONLY, SCORES_ONLY, "results", "ridge", "scale", "threads"},
    {NETWORK_ONLY, SCORES_ONLY, "skip", "scale", "threads"},
    {SCORES_ONLY, "skip", "ridge"},
    {NETWORK_ONLY, SCORES_ONLY, "skip", "results", "ridge", "threads"},
    {NETWORK_ONLY, "skip", "results", "ridge"},
};

static enum yo_err run(const struct yo_options *o, struct yo_diag *diag) {
    char where[32];
    size_t i = 0;
    while (strcmp(yo_options_argument(o, 0), what[i]) != 0)
        i++;
    snprintf(where, sizeof where, "learn %s", what[i]);
    enum yo_err err = yo_options_refuse(o, not_of[i], where, diag);
    return err ? err : learners[i](o, diag);
}

const struct yo_command yo_command_learn = {
    .name = "learn",
    .summary = "learn shogi evaluations from games, and score training positions",
    .description =
        "probability: how likely moves of some twenty categories are to be played, counted "
        "over all positions of the games. `yomi usi` uses the table with DepthRule "
        "realization: see ProbabilityFile there. The same games give the same table, in "
        "whatever order.\n\n"
        "Files are records in CSA, KIF or KI2, or lines of USI such as `startpos moves 7g7f "
        "3c3d`. A file that cannot be read is an error, and nothing is learned.\n\n"
        "material: the weights of the evaluation without a network, fitted by logistic "
        "regression to the quiet positions that `yomi selfplay shogi` wrote. It writes the "
        "text of src/eval/shogi/material_weights.inc. The last tenth of the positions is "
        "held out.\n\n"
        "network: the network of alpha-beta (EvalFile of `yomi usi`), from the same "
        "positions. It goes on from --start, or from nothing. A twentieth of the positions "
        "is held out, and the epoch with the smallest loss there is written.\n\n"
        "positions: training positions from games of `yomi selfplay shogi --search puct`.\n\n"
        "scores: writes training positions again with new scores, for the network of "
        "alpha-beta to learn: those of a network in ONNX, or of short searches with it "
        "(--visits), which ask the mate solver at each leaf; with --nodes those of "
        "alpha-beta's own searches with the network of --eval.",
    .examples = "yomi learn probability games/*.csa --out table.csv\n"
                "yomi learn material games.psv --out src/eval/shogi/material_weights.inc\n"
                "yomi learn network games.psv --out new.nn.bin --start old.nn.bin --rate 5e-4\n"
                "yomi learn positions games.ysp --out games.psv --scale 340\n"
                "yomi learn scores games.psv --out new.psv --visits 32 --share 0.5 --scale 340\n"
                "yomi learn scores leaves.psv --out new.psv --nodes 3000",
    .options =
        (const struct yo_option[]){
            YO_STRING("out", YO_ON_CLI, NULL, "FILE", "the file to write"),
            YO_INT("skip", YO_ON_CLI, "0", 0, 1000, "N",
                   "probability: moves at the beginning of each game that do not count"),
            YO_REAL("results", YO_ON_CLI, "0.5", 0, 1, "SHARE",
                    "material, network: how much results count, beside scores of searches"),
            YO_REAL("ridge", YO_ON_CLI, "10", 0.001, 1e9, "N",
                    "material: how strongly weights are held to what they were"),
            YO_LEARN_NETWORK_OPTIONS,
            YO_LEARN_SCORES_OPTIONS,
            YO_OPTIONS_END,
        },
    .arguments =
        (const struct yo_argument[]){
            {.name = "WHAT", .choices = what, .help = "what to learn"},
            {.name = "FILE", .many = true, .help = "game records, or training positions"},
            {.name = NULL},
        },
    .run = run,
};
