/* Makes rows to train Go networks on from game records:
 *   go_rows OUT RECORDS.tsv [--threads N] [--held PERCENT] [--area PERCENT]
 * Writes OUT.train and OUT.held (learn/go_rows.h): all positions of every game, of PERCENT of the
 * games (1) to OUT.held, chosen by a hash of their moves. Of the games under rules of territory
 * PERCENT (25) are written as if played under rules of area, which hardly ever changes who won, so
 * that a network knows both. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/file.h"
#include "learn/go_rows.h"

struct line {
    const char *text;
    size_t len, first; /* first: its rows in the file */
    int count;
    bool held;
};

struct job {
    struct line *lines;
    size_t count;
    int held, area;
    struct yo_go_row *rows[2];
    atomic_size_t next;
    atomic_size_t bad;
    bool counting;
};

static void fail(const char *what, const char *why) {
    fprintf(stderr, "go_rows: %s: %s\n", what, why);
    exit(1);
}

static const char usage[] = "usage: go_rows OUT RECORDS.tsv [--threads N] [--held P] [--area P]\n";

static _Noreturn void misused(const char *what, const char *why) {
    fprintf(stderr, "go_rows: %s: %s\n%s", what, why, usage);
    exit(2);
}

/* ---- threads ---- */

static void count_rows(struct job *job, struct line *line) {
    struct yo_go_record record;
    struct yo_diag diag = {0};
    char why[300];
    if (yo_go_record_parse(line->text, line->len, &record, &diag) == YO_OK) {
        line->count = yo_go_rows_count(&record);
        line->held = (int)(record.hash % 100) < job->held;
        return;
    }
    yo_diag_format(&diag, why, sizeof why);
    if (job->bad++ < 5) fprintf(stderr, "record %zu: %s\n", (size_t)(line - job->lines) + 1, why);
}

static void make_rows(const struct job *job, const struct line *line) {
    struct yo_go_record record;
    if (line->count == 0) return;
    if (yo_go_record_parse(line->text, line->len, &record, NULL) != YO_OK) return;
    struct yo_go_rules rules = record.rules;
    if (rules.scoring == YO_GO_TERRITORY && (int)(record.hash / 100 % 100) < job->area) {
        rules.scoring = YO_GO_AREA;
        rules.tax = YO_GO_TAX_NONE;
    }
    yo_go_rows_make(&record, &rules, (uint32_t)(line - job->lines),
                    job->rows[line->held] + line->first, line->count);
}

static void *work(void *context) {
    struct job *job = context;
    for (size_t i; (i = job->next++) < job->count;)
        if (job->counting)
            count_rows(job, &job->lines[i]);
        else
            make_rows(job, &job->lines[i]);
    return NULL;
}

static void run(struct job *job, int threads) {
    pthread_t thread[256];
    job->next = 0;
    for (int i = 0; i < threads; i++)
        if (pthread_create(&thread[i], NULL, work, job) != 0) fail("threads", strerror(errno));
    for (int i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
}

/* ---- files ---- */

static size_t split_lines(const struct yo_buf *text, struct line **lines) {
    const char *at = text->data, *end = text->data + text->len;
    size_t count = 0, room = 1;
    for (const char *p = at; p < end; p++)
        room += *p == '\n';
    *lines = calloc(room, sizeof **lines);
    if (!*lines) fail("records", "out of memory");
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop) stop = end;
        if (stop > at) (*lines)[count++] = (struct line){.text = at, .len = (size_t)(stop - at)};
        at = stop + 1;
    }
    return count;
}

/* A file of that many rows, in memory; the system writes it. */
static struct yo_go_row *create(const char *out, const char *end, size_t rows) {
    char path[4096];
    snprintf(path, sizeof path, "%s.%s", out, end);
    size_t size = (rows + 1) * sizeof(struct yo_go_row);
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0666);
    int error = fd < 0
                    ? errno
                    : posix_fallocate(fd, 0, (off_t)size); /* a full disk would be a signal later */
    if (error) fail(path, strerror(error));
    void *map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED) fail(path, strerror(errno));
    close(fd);
    struct yo_go_rows_header *header = map;
    memcpy(header->magic, YO_GO_ROWS_MAGIC, sizeof header->magic);
    header->rows = rows;
    header->row_size = sizeof(struct yo_go_row);
    printf("%s: %zu positions\n", path, rows);
    return (struct yo_go_row *)map + 1;
}

static int option(int argc, char **argv, const char *name, int value, int most) {
    for (int i = 3; i < argc; i += 2) {
        if (strcmp(argv[i], name) != 0) continue;
        char *end = NULL;
        long number = i + 1 < argc ? strtol(argv[i + 1], &end, 10) : -1;
        if (number < 0 || number > most || *end) misused(name, "needs a number in its range");
        value = (int)number;
    }
    return value;
}

static void check_options(int argc, char **argv) {
    for (int i = 3; i < argc; i += 2)
        if (strcmp(argv[i], "--threads") != 0 && strcmp(argv[i], "--held") != 0 &&
            strcmp(argv[i], "--area") != 0)
            misused(argv[i], "unknown option");
}

int main(int argc, char **argv) {
    struct yo_buf text = {0};
    struct yo_diag diag = {0};
    if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fputs(usage, stdout);
        return 0;
    }
    if (argc < 3) misused("records", "which, and where to?");
    check_options(argc, argv);
    int threads = option(argc, argv, "--threads", (int)sysconf(_SC_NPROCESSORS_ONLN), 256);
    if (yo_file_read(argv[2], &text, &diag) != YO_OK) fail(argv[2], diag.what);
    struct job job = {.held = option(argc, argv, "--held", 1, 100),
                      .area = option(argc, argv, "--area", 25, 100),
                      .counting = true};
    job.count = split_lines(&text, &job.lines);
    run(&job, threads > 0 ? threads : 1);
    size_t rows[2] = {0, 0};
    for (size_t i = 0; i < job.count; i++) {
        job.lines[i].first = rows[job.lines[i].held];
        rows[job.lines[i].held] += (size_t)job.lines[i].count;
    }
    printf("%zu records, %zu of them not used\n", job.count, (size_t)job.bad);
    job.rows[0] = create(argv[1], "train", rows[0]);
    job.rows[1] = create(argv[1], "held", rows[1]);
    job.counting = false;
    run(&job, threads > 0 ? threads : 1);
    for (int i = 0; i < 2; i++)
        munmap(job.rows[i] - 1, (rows[i] + 1) * sizeof(struct yo_go_row));
    free(job.lines);
    yo_buf_free(&text);
    return 0;
}
