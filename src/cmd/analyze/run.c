#include "cmd/analyze/run.h"

#include <stdio.h>

#include "base/diag.h"
#include "base/file.h"
#include "base/time.h"
#include "cmd/analyze/curve.h"
#include "engine/review.h"

#define WORST_SHOWN 5
/* The shortest time between two updates of the pictures. */
#define PICTURE_MS 1000

/* ---- files ---- */

static void update_curve(struct yo_review_run *run) {
    struct yo_review_point before = {0}, point;
    for (size_t i = 0; i < run->count; i++, before = point) {
        run->reviewer->point(run->review, i, &point);
        run->rate[i] = point.known ? point.rate : -1;
        run->drop[i] = 0;
        if (!point.known || !before.known || i == 0) continue;
        run->drop[i] = yo_review_lost(before.rate, point.rate, point.first);
    }
}

static enum yo_err write_picture(const struct yo_curve *curve, const struct yo_buf *path,
                                 void (*draw)(struct yo_buf *, const struct yo_curve *),
                                 struct yo_diag *diag) {
    struct yo_buf picture = {0};
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

static enum yo_err write_pictures(struct yo_review_run *run, struct yo_diag *diag) {
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
    enum yo_err err = write_picture(&curve, &run->svg, yo_curve_svg, diag);
    if (!err) err = write_picture(&curve, &run->png, yo_curve_png, diag);
    yo_buf_free(&title);
    return err;
}

static enum yo_err write_record(const struct yo_review_run *run, struct yo_diag *diag) {
    struct yo_buf text = {0};
    enum yo_err err = run->reviewer->text(run->review, &text, diag);
    if (!err) err = yo_file_replace(yo_buf_text(&run->record), yo_buf_text(&text), text.len, diag);
    yo_buf_free(&text);
    return err;
}

/* ---- searching ---- */

static void show_progress(struct yo_review_run *run, size_t i, size_t to_do) {
    struct yo_review_point point;
    char bar[21];
    int full = (int)(20 * (i + 1) / run->count);
    for (int k = 0; k < 20; k++)
        bar[k] = k < full ? '#' : '.';
    bar[20] = '\0';
    run->reviewer->point(run->review, i, &point);
    yo_progress_say(&run->progress, (double)run->searched, (double)to_do,
                    "[%s] move %zu of %zu %s %s", bar, i, run->count - 1,
                    i ? run->reviewer->sides[!point.first] : "", point.move);
}

static bool is_known(const struct yo_review_run *run, size_t i) {
    struct yo_review_point point;
    run->reviewer->point(run->review, i, &point);
    return point.known;
}

enum yo_err yo_review_go_through(struct yo_review_run *run, struct yo_diag *diag) {
    size_t to_do = 0;
    enum yo_err err = YO_OK;
    run->drawn_ms = yo_time_ms();
    for (size_t i = 0; i < run->count; i++)
        to_do += !is_known(run, i);
    if (to_do > 0 && to_do < run->count)
        fprintf(stderr, "yomi analyze: going on after %zu of %zu positions\n", run->count - to_do,
                run->count);
    if (to_do == 0)
        fputs("yomi analyze: all positions were known already; --no-resume begins again\n", stderr);
    for (size_t i = 0; i < run->count && !err && !atomic_load(run->stop); i++) {
        if (is_known(run, i)) continue;
        show_progress(run, i, to_do);
        err = run->reviewer->search(run->review, i, run->stop, diag);
        if (!err) err = write_record(run, diag);
        run->searched += !err;
        if (!err && yo_time_ms() - run->drawn_ms > PICTURE_MS) err = write_pictures(run, diag);
    }
    yo_progress_hide(&run->progress);
    return err == YO_ERR_CANCELLED ? YO_OK : err;
}

/* ---- summary ---- */

static void print_worst(const struct yo_review_run *run) {
    size_t worst[WORST_SHOWN];
    size_t found = yo_review_worst(run->drop, run->count, YO_CURVE_MARKED / 2, worst, WORST_SHOWN);
    if (found) printf("Moves that gave away most:\n");
    for (size_t n = 0; n < found; n++) {
        struct yo_review_point point;
        run->reviewer->point(run->review, worst[n], &point);
        printf("%5zu. %s %s: %.0f%%", worst[n], run->reviewer->sides[!point.first], point.move,
               -100 * run->drop[worst[n]]);
        if (point.better[0]) printf(", better %s", point.better);
        printf("\n");
    }
}

static void print_files(const struct yo_review_run *run) {
    printf("Wrote %s", yo_buf_text(&run->record));
    if (run->svg.len) printf(", %s", yo_buf_text(&run->svg));
    if (run->png.len) printf(", %s", yo_buf_text(&run->png));
    if (run->png_missing) printf(" (pictures are SVG only: built without libpng)");
    printf("\n");
}

enum yo_err yo_review_finish(struct yo_review_run *run, struct yo_diag *diag) {
    enum yo_err err = write_record(run, diag);
    if (!err) err = write_pictures(run, diag);
    if (err) return err;
    print_worst(run);
    print_files(run);
    if (!atomic_load(run->stop)) return YO_OK;
    yo_diag_set(diag, YO_ERR_CANCELLED, "stopped before the end");
    yo_diag_hint(diag, "the same command goes on from here");
    return YO_ERR_CANCELLED;
}
