/* yomi analyze: searches every position of a game record, writes the record back with the results,
 * and draws the win rate. */
#include <signal.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/png.h"
#include "cmd/analyze/run.h"
#include "cmd/command.h"
#include "cmd/patterns_option.h"
#include "engine/go.h"
#include "eval/shogi/net_open.h"

static const struct yo_reviewer *const reviewers[] = {&yo_reviewer_go, &yo_reviewer_shogi};

static atomic_bool stopped;

static void on_signal(int signal) {
    (void)signal;
    atomic_store(&stopped, true);
}

/* ---- names ---- */

static bool ends_with(const char *text, const char *end) {
    size_t len = strlen(text), end_len = strlen(end);
    return len > end_len && strcasecmp(text + len - end_len, end) == 0;
}

/* By the file name; NULL if its suffix is unknown. */
static const struct yo_reviewer *reviewer_of(const char *path) {
    for (size_t i = 0; i < sizeof reviewers / sizeof reviewers[0]; i++)
        for (const char *const *s = reviewers[i]->suffixes; *s; s++)
            if (ends_with(path, *s)) return reviewers[i];
    return NULL;
}

/* Files with an unknown suffix go to Go's reader, which reports errors. */
static const struct yo_reviewer *choose_reviewer(const char *path) {
    const struct yo_reviewer *named = reviewer_of(path);
    return named ? named : reviewers[0];
}

/* game.sgf becomes game.yomi.sgf; a name given by --output is used unchanged. Pictures have the
 * whole name of the record, game.yomi.sgf.svg, so that game.sgf and game.kif have their own. */
static void name_files(struct yo_review_run *run, const char *path, const struct yo_options *o) {
    const char *given = yo_options_text(o, "output"), *name = given ? given : path;
    const char *slash = strrchr(name, '/'), *dot = strrchr(slash ? slash : name, '.');
    size_t stem = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    yo_buf_add(&run->record, name, given ? strlen(name) : stem);
    if (!given) yo_buf_str(&run->record, dot ? ".yomi" : ".yomi.sgf");
    if (!given && dot) yo_buf_str(&run->record, dot);
    struct yo_buf *pictures[] = {&run->svg, &run->png};
    const char *const kinds[] = {"svg", "png"};
    int64_t number = yo_options_int(o, "game-number");
    for (int i = 0; i < 2; i++) {
        if (!yo_options_bool(o, kinds[i])) continue;
        run->png_missing = i == 1 && !yo_png_available();
        if (run->png_missing) continue;
        yo_buf_str(pictures[i], yo_buf_text(&run->record));
        if (number > 1) yo_buf_printf(pictures[i], ".%lld", (long long)number);
        yo_buf_printf(pictures[i], ".%s", kinds[i]);
    }
}

/* Refuses an --output name that is no regular file, is for another game, or is a picture's. */
static enum yo_err check_output(const struct yo_review_run *run, struct yo_diag *diag) {
    const char *record = yo_buf_text(&run->record);
    const struct yo_reviewer *named = reviewer_of(record);
    struct stat old;
    if ((stat(record, &old) == 0 && !S_ISREG(old.st_mode)) || strcmp(record, "-") == 0) {
        yo_diag_set(diag, YO_ERR_ARGUMENT, "--output %.100s is no file", record);
        yo_diag_hint(diag, "the record is written anew after every position: give it a name");
    } else if (named && named != run->reviewer) {
        yo_diag_set(diag, YO_ERR_ARGUMENT, "--output %.100s is a name for records of %s", record,
                    named->name);
        yo_diag_hint(diag, "records of %s end in %s", run->reviewer->name,
                     run->reviewer->suffixes[0]);
    } else if (ends_with(record, ".svg") || ends_with(record, ".png")) {
        yo_diag_set(diag, YO_ERR_ARGUMENT, "--output %.100s is a name for pictures", record);
        yo_diag_hint(diag, "give the record's name; pictures get it and .svg or .png");
    } else {
        return YO_OK;
    }
    return YO_ERR_ARGUMENT;
}

/* ---- the command ---- */

/* Continues from the record of an earlier run, which replaces the original. */
static enum yo_err go_on_from(struct yo_review_run *run, const char *before, struct yo_diag *diag) {
    void *earlier;
    enum yo_err err = run->reviewer->reopen(run->review, before, &earlier, diag);
    if (err) return err;
    bool same = run->reviewer->same_game(run->review, earlier);
    run->reviewer->close(same ? run->review : earlier);
    if (same) {
        run->review = earlier;
        return YO_OK;
    }
    yo_diag_set(diag, YO_ERR_MISMATCH, "%.150s exists and is of another game", before);
    yo_diag_hint(diag, "choose another name with --output, or remove it");
    return YO_ERR_MISMATCH;
}

static enum yo_err open_review(struct yo_review_run *run, const struct yo_review_files *files,
                               const struct yo_options *o, struct yo_diag *diag) {
    const struct yo_reviewer *reviewer = run->reviewer;
    bool resume = yo_options_bool(o, "resume");
    enum yo_err err = reviewer->open(files, o, &run->review, diag);
    if (!err && resume && access(files->output, F_OK) == 0)
        err = go_on_from(run, files->output, diag);
    if (!err && !resume && reviewer->forget(run->review))
        err = yo_diag_set(diag, YO_ERR_NOMEM, "no memory for the record");
    return err ? err : reviewer->start(run->review, o, diag);
}

static enum yo_err open_run(struct yo_review_run *run, const struct yo_options *o,
                            struct yo_diag *diag) {
    const char *path = yo_options_argument(o, 0);
    run->reviewer = choose_reviewer(path);
    name_files(run, path, o);
    if (run->record.failed || run->svg.failed || run->png.failed)
        return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    if (run->png_missing && yo_options_given(o, "png")) {
        yo_diag_set(diag, YO_ERR_UNSUPPORTED, "--png needs libpng, which is not built in");
        yo_diag_hint(diag, "build yomi with libpng-dev installed, or leave it out: SVG is drawn");
        return YO_ERR_UNSUPPORTED;
    }
    enum yo_err err = yo_options_refuse(o, run->reviewer->unused, run->reviewer->name, diag);
    if (!err) err = check_output(run, diag);
    if (err) return err;
    struct yo_review_files files = {.path = path,
                                    .output = yo_buf_text(&run->record),
                                    .game = (size_t)yo_options_int(o, "game-number") - 1};
    err = open_review(run, &files, o, diag);
    if (err) return err;
    run->count = run->reviewer->count(run->review);
    run->rate = yo_alloc(run->count, sizeof *run->rate);
    run->drop = yo_alloc(run->count, sizeof *run->drop);
    if (!run->rate || !run->drop) return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    return YO_OK;
}

static void close_run(struct yo_review_run *run) {
    if (run->review) run->reviewer->close(run->review);
    yo_buf_free(&run->record);
    yo_buf_free(&run->svg);
    yo_buf_free(&run->png);
    yo_free(run->rate);
    yo_free(run->drop);
}

static enum yo_err run_analyze(const struct yo_options *o, struct yo_diag *diag) {
    struct yo_review_run run = {.stop = &stopped};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    enum yo_err err = open_run(&run, o, diag);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (!err) err = yo_review_go_through(&run, diag);
    if (!err) err = yo_review_finish(&run, diag);
    close_run(&run);
    return err;
}

static const char *const charsets[] = {"keep", "utf-8", "shift-jis", NULL};

static const char *const usual[] = {"playouts", "visits",      "nodes",   "time", "threads",
                                    "output",   "game-number", "svg",     "png",  "resume",
                                    "net",      "search",      "charset", "eval", NULL};

const struct yo_command yo_command_analyze = {
    .name = "analyze",
    .summary = "review a game record: win rates, better moves, a curve",
    .description =
        "Go: reads an SGF file and writes it back as NAME.yomi.sgf with Black's chance to "
        "win (SBKV, which Sabaki draws), a comment and, where another move was better, a "
        "variation at every position of the main line.\n\n"
        "Shogi: reads KIF, KI2, CSA or JKF and writes it back in the same format and charset "
        "with the score, the line and the depth as comments in the form that ShogiHome has "
        "(floodgate's in CSA), and variations where another move was better.\n\n"
        "The rest of the file does not change. The curve of the win rate goes to "
        "NAME.yomi.sgf.svg and NAME.yomi.sgf.png. The files are written after every "
        "position. The same command resumes an interrupted run.",
    .examples = "yomi analyze game.sgf\n"
                "yomi analyze game.kif --time 2\n"
                "yomi analyze game.sgf --time 5 --output review.sgf\n"
                "yomi analyze games.sgf --game-number 3 --playouts 50000 --no-resume",
    .usual = usual,
    .options =
        (const struct yo_option[]){
            YO_INT("playouts", YO_ON_CLI, "5000", 1, 9e15, "N",
                   "playouts for each position of Go; without --net, search by playouts"),
            YO_INT("visits", YO_ON_CLI, "500", 1, 9e15, "N",
                   "visits of each position, with a network; 1000 in shogi"),
            YO_INT("nodes", YO_ON_CLI, "500000", 1, 9e15, "N",
                   "positions to look at for each position of shogi; 1000 if --net is given alone"),
            YO_REAL("time", YO_ON_CLI, "0", 0, 1e6, "SECONDS",
                    "time for each position instead, or as well if one of those is given"),
            YO_INT("threads", YO_ON_CLI, "0", 0, 1024, "N", "threads; 0: one for each core"),
            YO_INT("seed", YO_ON_CLI, "1", 0, 9e15, "N", "start of the random numbers"),
            YO_STRING("output", YO_ON_CLI, NULL, "FILE",
                      "the record to write; pictures get its name and .svg or .png"),
            YO_INT("game-number", YO_ON_CLI, "1", 1, 1e6, "N",
                   "which game, if the file has several"),
            YO_BOOL("svg", YO_ON_CLI, "true", "draw the win rate as SVG"),
            YO_BOOL("png", YO_ON_CLI, "true", "draw the win rate as PNG"),
            YO_BOOL("resume", YO_ON_CLI, "true",
                    "go on from what an earlier run has written; if not, begin again"),
            YO_STRING("eval", YO_ON_CLI, YO_SHOGI_EVAL_DEFAULT, "FILE",
                      "shogi: the network, a file of YaneuraOu's format; or builtin, or material"),
            YO_INT("hash", YO_ON_CLI, "64", 1, 65536, "MB", "shogi: memory for positions seen"),
            YO_CHOICE("charset", YO_ON_CLI, "keep", charsets, "CHARSET",
                      "shogi: the charset to write; keep: that of the file, or what the name of "
                      "another kind of file says"),
            YO_ENGINE_ALL_ROWS,
            YO_PATTERNS_ROW,
            YO_OPTIONS_END,
        },
    .arguments =
        (const struct yo_argument[]){
            {.name = "FILE",
             .help = "the game record: .sgf, .kif, .kifu, .ki2, .ki2u, .csa or .jkf"},
            {.name = NULL},
        },
    .run = run_analyze,
};
