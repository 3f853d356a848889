/* Makes rows to train shogi networks with a policy on, from files of `yomi selfplay shogi`:
 *   shogi_rows OUT FILE.psv... [--held PERCENT] [--planes 104|119]
 * Writes OUT.train and OUT.held (learn/shogi_rows.h). Of each file the last PERCENT (2) of
 * positions, whole games but for one, are held out. 119 planes (the default) have attacks, 104 have
 * none. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "learn/shogi_rows.h"

struct output {
    char path[4096];
    FILE *file;
    uint64_t rows;
};

static _Noreturn void fail(const char *what, const char *why) {
    fprintf(stderr, "shogi_rows: %s: %s\n", what, why);
    exit(1);
}

static const char usage[] =
    "usage: shogi_rows OUT FILE.psv... [--held PERCENT] [--planes 104|119]\n";

static _Noreturn void misused(const char *what, const char *why) {
    fprintf(stderr, "shogi_rows: %s: %s\n%s", what, why, usage);
    exit(2);
}

static void put(struct output *out, const void *bytes, size_t size) {
    if (fwrite(bytes, size, 1, out->file) != 1) fail(out->path, strerror(errno));
}

/* The header is written once more when the number of rows is known. */
static void put_header(struct output *out, int planes) {
    struct yo_shogi_rows_header header = {.rows = out->rows,
                                          .row_size = (uint32_t)yo_shogi_row_size(planes),
                                          .planes = (uint32_t)planes};
    memcpy(header.magic, YO_SHOGI_ROWS_MAGIC, sizeof header.magic);
    if (fseek(out->file, 0, SEEK_SET) != 0) fail(out->path, strerror(errno));
    put(out, &header, sizeof header);
}

static void open_output(struct output *out, const char *base, const char *end, int planes) {
    snprintf(out->path, sizeof out->path, "%s.%s", base, end);
    out->file = fopen(out->path, "wb");
    if (!out->file) fail(out->path, strerror(errno));
    put_header(out, planes);
}

static void close_output(struct output *out, int planes) {
    put_header(out, planes);
    if (fclose(out->file) != 0) fail(out->path, strerror(errno));
    printf("%s: %llu positions\n", out->path, (unsigned long long)out->rows);
}

/* Returns how many samples were no good. */
static long convert(const char *path, int planes, int held, struct output outputs[2]) {
    uint8_t bytes[YO_SHOGI_SAMPLE], row[2048];
    FILE *file = fopen(path, "rb");
    if (!file) fail(path, strerror(errno));
    if (fseek(file, 0, SEEK_END) != 0) fail(path, strerror(errno));
    long count = ftell(file) / YO_SHOGI_SAMPLE, first_held = count - count * held / 100, bad = 0;
    rewind(file);
    for (long i = 0; i < count; i++) {
        struct yo_shogi_sample sample;
        struct yo_diag diag = {0};
        if (fread(bytes, sizeof bytes, 1, file) != 1) fail(path, "cannot be read to its end");
        enum yo_err err = yo_shogi_sample_read(bytes, &sample, &diag);
        if (!err) err = yo_shogi_row_make(&sample, planes, row, &diag);
        if (err && bad++ < 5) fprintf(stderr, "%s: position %ld: %s\n", path, i + 1, diag.what);
        if (err) continue;
        struct output *out = &outputs[i >= first_held];
        put(out, row, yo_shogi_row_size(planes));
        out->rows++;
    }
    fclose(file);
    return bad;
}

/* Reads an option and its number; returns false if the argument is another one. */
static bool option(int argc, char **argv, int i, const char *name, int most, int *value) {
    if (strcmp(argv[i], name) != 0) return false;
    char *end = NULL;
    long number = i + 1 < argc ? strtol(argv[i + 1], &end, 10) : -1;
    if (number < 0 || number > most || end == argv[i + 1] || *end)
        misused(name, "needs a number in its range");
    *value = (int)number;
    return true;
}

int main(int argc, char **argv) {
    int held = 2, planes = YO_SHOGI_NET_DLSHOGI, files = 0;
    long bad = 0;
    struct output outputs[2] = {{.rows = 0}, {.rows = 0}};
    if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fputs(usage, stdout);
        return 0;
    }
    for (int i = 2; i < argc; i++) {
        if (option(argc, argv, i, "--held", 100, &held) ||
            option(argc, argv, i, "--planes", 1000, &planes))
            i++;
        else if (argv[i][0] == '-')
            misused(argv[i], "unknown option");
        else
            argv[2 + files++] = argv[i];
    }
    if (files == 0) misused("positions", "which, and where to?");
    if (!yo_shogi_row_size(planes)) misused("--planes", "there are networks with 104 and with 119");
    open_output(&outputs[0], argv[1], "train", planes);
    open_output(&outputs[1], argv[1], "held", planes);
    for (int i = 0; i < files; i++)
        bad += convert(argv[2 + i], planes, held, outputs);
    if (bad > 0) printf("%ld positions were no good and are left out\n", bad);
    close_output(&outputs[0], planes);
    close_output(&outputs[1], planes);
    return 0;
}
