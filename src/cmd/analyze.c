/* yomi analyze: goes through a game record, writes it back with what the search thinks of every
 * position, and draws the win rate. The files are written anew after each position, so that a run
 * that is killed leaves what it found and the next one goes on from there. */
#include "cmd/analyze.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/time.h"
#include "cmd/command.h"
#include "cmd/curve.h"
#include "cmd/patterns_option.h"
#include "eval/shogi/net_open.h"
#include "search/engine.h"

#define WORST_SHOWN 5
/* Pictures are drawn again at most so often while the run lasts. */
#define PICTURE_MS 1000

static const struct yo_reviewer *const reviewers[] = {&yo_reviewer_go, &yo_reviewer_shogi};

static atomic_bool stopped;

static void on_signal(int signal) {
    (void)signal;
    atomic_store(&stopped, true);
}

struct run {
    const struct yo_reviewer *reviewer;
    void *review;
    struct yo_buf record, svg, png; /* names of files; "" for none */
    size_t count;
    double *rate, *drop;
    size_t searched;
    int64_t start_ms, drawn_ms;
    bool shows_progress;
};

/* ---- names ---- */

static bool ends_with(const char *text, const char *end) {
    size_t len = strlen(text), end_len = strlen(end);
    return len > end_len && strcasecmp(text + len - end_len, end) == 0;
}

/* By the name; NULL if it says nothing. */
static const struct yo_reviewer *reviewer_of(const char *path) {
    for (size_t i = 0; i < sizeof reviewers / sizeof reviewers[0]; i++)
        for (const char *const *s = reviewers[i]->suffixes; *s; s++)
            if (ends_with(path, *s)) return reviewers[i];
    return NULL;
}

/* Whatever else it is called, Go's reader says what is wrong with it. */
static const struct yo_reviewer *choose_reviewer(const char *path) {
    const struct yo_reviewer *named = reviewer_of(path);
    return named ? named : reviewers[0];
}

/* game.sgf becomes game.yomi.sgf; a name that was given is taken as it is. */
static void name_files(struct run *run, const char *path, const struct yo_options *o) {
    const char *given = yo_options_text(o, "output"), *name = given ? given : path;
    const char *slash = strrchr(name, '/'), *dot = strrchr(slash ? slash : name, '.');
    size_t stem = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    yo_buf_add(&run->record, name, given ? strlen(name) : stem);
    if (!given) yo_buf_str(&run->record, dot ? ".yomi" : ".yomi.sgf");
    if (!given && dot) yo_buf_str(&run->record, dot);
    struct yo_buf *pictures[] = {&run->svg, &run->png};
    const char *const kinds[] = {"svg", "png"};
    for (int i = 0; i < 2; i++) {
        if (!yo_options_bool(o, kinds[i])) continue;
        yo_buf_add(pictures[i], name, stem);
        yo_buf_printf(pictures[i], "%s.%s", given ? "" : ".yomi", kinds[i]);
    }
}

/* The name was given by someone: what is written there must be what they think it is. */
static enum yo_err check_output(const struct run *run, struct yo_diag *diag) {
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
    } else if (strcmp(record, yo_buf_text(&run->svg)) == 0 ||
               strcmp(record, yo_buf_text(&run->png)) == 0) {
        yo_diag_set(diag, YO_ERR_ARGUMENT, "--output %.100s would be record and picture", record);
        yo_diag_hint(diag, "give the record's name; pictures get it with another ending");
    } else {
        return YO_OK;
    }
    return YO_ERR_ARGUMENT;
}

/* ---- what is known ---- */

static void update_curve(struct run *run) {
    struct yo_review_point before = {0}, point;
    for (size_t i = 0; i < run->count; i++, before = point) {
        run->reviewer->point(run->review, i, &point);
        run->rate[i] = point.known ? point.rate : -1;
        run->drop[i] = 0;
        if (!point.known || !before.known || i == 0) continue;
        double lost = point.first ? before.rate - point.rate : point.rate - before.rate;
        run->drop[i] = lost > 0 ? lost : 0;
    }
}

static enum yo_err write_picture(const struct run *run, const struct yo_curve *curve,
                                 const struct yo_buf *path,
                                 void (*draw)(struct yo_buf *, const struct yo_curve *),
                                 struct yo_diag *diag) {
    struct yo_buf picture = {0};
    (void)run;
    if (path->len == 0) return YO_OK;
    draw(&picture, curve);
    enum yo_err err = yo_buf_status(&picture);
    if (err)
        yo_diag_set(diag, err, "no memory for the picture");
    else
        err = yo_file_replace(yo_buf_text(path), picture.data, picture.len, diag);
    yo_buf_free(&picture);
    return err;
}

static enum yo_err write_pictures(struct run *run, struct yo_diag *diag) {
    struct yo_buf title = {0};
    run->drawn_ms = yo_time_ms();
    update_curve(run);
    run->reviewer->title(run->review, &title);
    struct yo_curve curve = {.title = yo_buf_text(&title),
                             .first = run->reviewer->sides[0],
                             .second = run->reviewer->sides[1],
                             .count = run->count,
                             .rate = run->rate,
                             .drop = run->drop};
    enum yo_err err = write_picture(run, &curve, &run->svg, yo_curve_svg, diag);
    if (!err) err = write_picture(run, &curve, &run->png, yo_curve_png, diag);
    yo_buf_free(&title);
    return err;
}

static enum yo_err write_record(const struct run *run, struct yo_diag *diag) {
    struct yo_buf text = {0};
    enum yo_err err = run->reviewer->text(run->review, &text, diag);
    if (!err) err = yo_file_replace(yo_buf_text(&run->record), yo_buf_text(&text), text.len, diag);
    yo_buf_free(&text);
    return err;
}

/* ---- going through it ---- */

static int stderr_width(void) {
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_col == 0) return 80;
    return size.ws_col;
}

static void show_progress(const struct run *run, size_t i, size_t to_do) {
    if (!run->shows_progress) return;
    struct yo_review_point point;
    char bar[21], left[32] = "";
    int full = (int)(20 * (i + 1) / run->count);
    for (int k = 0; k < 20; k++)
        bar[k] = k < full ? '#' : '.';
    bar[20] = '\0';
    run->reviewer->point(run->review, i, &point);
    int64_t spent_ms = yo_time_ms() - run->start_ms;
    if (run->searched > 0) {
        int64_t s = spent_ms * (int64_t)(to_do - run->searched) / (int64_t)run->searched / 1000;
        snprintf(left, sizeof left, ", %lld:%02lld left", (long long)(s / 60), (long long)(s % 60));
    }
    char line[192];
    snprintf(line, sizeof line, "[%s] move %zu of %zu %s %s%s", bar, i, run->count - 1,
             i ? run->reviewer->sides[!point.first] : "", point.move, left);
    fprintf(stderr, "\r%.*s\033[K", stderr_width() - 1, line);
    fflush(stderr);
}

static bool is_known(const struct run *run, size_t i) {
    struct yo_review_point point;
    run->reviewer->point(run->review, i, &point);
    return point.known;
}

static enum yo_err go_through(struct run *run, struct yo_diag *diag) {
    size_t to_do = 0;
    enum yo_err err = YO_OK;
    for (size_t i = 0; i < run->count; i++)
        to_do += !is_known(run, i);
    if (to_do > 0 && to_do < run->count)
        fprintf(stderr, "yomi analyze: going on after %zu of %zu positions\n", run->count - to_do,
                run->count);
    if (to_do == 0)
        fputs("yomi analyze: all positions were known already; --no-resume begins again\n", stderr);
    for (size_t i = 0; i < run->count && !err && !atomic_load(&stopped); i++) {
        if (is_known(run, i)) continue;
        show_progress(run, i, to_do);
        err = run->reviewer->search(run->review, i, &stopped, diag);
        if (!err) err = write_record(run, diag);
        run->searched += !err;
        if (!err && yo_time_ms() - run->drawn_ms > PICTURE_MS) err = write_pictures(run, diag);
    }
    if (run->shows_progress) fputs("\r\033[K", stderr);
    return err == YO_ERR_CANCELLED ? YO_OK : err;
}

/* ---- what came out ---- */

static void print_worst(struct run *run) {
    bool any = false;
    for (int n = 0; n < WORST_SHOWN; n++) {
        size_t worst = 0;
        for (size_t i = 1; i < run->count; i++)
            if (run->drop[i] > run->drop[worst]) worst = i;
        if (run->drop[worst] <= YO_CURVE_MARKED / 2) break;
        struct yo_review_point point;
        run->reviewer->point(run->review, worst, &point);
        if (!any) printf("Moves that gave away most:\n");
        any = true;
        printf("%5zu. %s %s: %.0f%%", worst, run->reviewer->sides[!point.first], point.move,
               -100 * run->drop[worst]);
        if (point.better[0]) printf(", better %s", point.better);
        printf("\n");
        run->drop[worst] = 0;
    }
}

static void print_files(const struct run *run) {
    printf("Wrote %s", yo_buf_text(&run->record));
    if (run->svg.len) printf(", %s", yo_buf_text(&run->svg));
    if (run->png.len) printf(", %s", yo_buf_text(&run->png));
    printf("\n");
}

static enum yo_err finish(struct run *run, struct yo_diag *diag) {
    enum yo_err err = write_record(run, diag);
    if (!err) err = write_pictures(run, diag);
    if (err) return err;
    print_worst(run);
    print_files(run);
    if (!atomic_load(&stopped)) return YO_OK;
    yo_diag_set(diag, YO_ERR_CANCELLED, "stopped before the end");
    yo_diag_hint(diag, "the same command goes on from here");
    return YO_ERR_CANCELLED;
}

/* ---- the command ---- */

static enum yo_err open_run(struct run *run, const struct yo_options *o, struct yo_diag *diag) {
    const char *path = yo_options_argument(o, 0);
    run->reviewer = choose_reviewer(path);
    name_files(run, path, o);
    if (run->record.failed || run->svg.failed || run->png.failed)
        return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    enum yo_err err = yo_options_refuse(o, run->reviewer->unused, run->reviewer->name, diag);
    if (!err) err = check_output(run, diag);
    if (err) return err;
    const char *record = yo_buf_text(&run->record);
    bool again = yo_options_bool(o, "resume") && access(record, F_OK) == 0;
    struct yo_review_files files = {.path = path,
                                    .before = again ? record : NULL,
                                    .output = record,
                                    .game = (size_t)yo_options_int(o, "game") - 1};
    err = run->reviewer->open(&files, o, &run->review, diag);
    if (err) return err;
    run->count = run->reviewer->count(run->review);
    run->rate = yo_alloc(run->count, sizeof *run->rate);
    run->drop = yo_alloc(run->count, sizeof *run->drop);
    if (!run->rate || !run->drop) return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    run->shows_progress = isatty(STDERR_FILENO);
    run->start_ms = run->drawn_ms = yo_time_ms();
    return YO_OK;
}

static void close_run(struct run *run) {
    if (run->review) run->reviewer->close(run->review);
    yo_buf_free(&run->record);
    yo_buf_free(&run->svg);
    yo_buf_free(&run->png);
    yo_free(run->rate);
    yo_free(run->drop);
}

static enum yo_err run_analyze(const struct yo_options *o, struct yo_diag *diag) {
    struct run run = {0};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    enum yo_err err = open_run(&run, o, diag);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (!err) err = go_through(&run, diag);
    if (!err) err = finish(&run, diag);
    close_run(&run);
    return err;
}

static const char *const charsets[] = {"keep", "utf-8", "shift-jis", NULL};

const struct yo_command yo_command_analyze = {
    .name = "analyze",
    .summary = "go through a game record and write down what Yomi thinks of every move",
    .description =
        "Go: reads an SGF file and writes it back as NAME.yomi.sgf with Black's chance to win "
        "(SBKV, which Sabaki draws), a comment and, where another move was better, a variation at "
        "every position of the main line.\n\n"
        "Shogi: reads KIF, KI2 or CSA and writes it back in the same format and charset with the "
        "score, the line and the depth as comments in the form that ShogiHome has (floodgate's in "
        "CSA), and variations where another move was better.\n\n"
        "All else in the file stays. The curve of the win rate goes to NAME.yomi.svg and "
        "NAME.yomi.png. The files are written after every position. A run that was interrupted, in "
        "whatever way, goes on where it was when the same command is given again.",
    .examples = "yomi analyze game.sgf\n"
                "yomi analyze game.kif --time 2\n"
                "yomi analyze game.sgf --time 5 --output review.sgf\n"
                "yomi analyze games.sgf --game 3 --playouts 50000 --no-resume",
    .options =
        (const struct yo_option[]){
            YO_INT("playouts", YO_ON_CLI, "5000", 1, 9e15, "N", "playouts for each position of Go"),
            YO_INT("nodes", YO_ON_CLI, "500000", 1, 9e15, "N",
                   "positions to look at for each position of shogi"),
            YO_REAL("time", YO_ON_CLI, "0", 0, 1e6, "SECONDS",
                    "time for each position instead, or as well if one of those is given"),
            YO_INT("threads", YO_ON_CLI, "0", 0, 1024, "N", "threads; 0: one for each core"),
            YO_INT("seed", YO_ON_CLI, "1", 0, 9e15, "N", "start of the random numbers"),
            YO_STRING("output", YO_ON_CLI, NULL, "FILE",
                      "the record to write; pictures get its name with another ending"),
            YO_INT("game", YO_ON_CLI, "1", 1, 1e6, "N", "which game, if the file has several"),
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
            YO_ENGINE_OPTION_ROWS,
            YO_PATTERNS_ROW,
            YO_OPTIONS_END,
        },
    .arguments =
        (const struct yo_argument[]){
            {.name = "FILE", .help = "the game record: .sgf, .kif, .kifu, .ki2, .ki2u or .csa"},
            {.name = NULL},
        },
    .run = run_analyze,
};
