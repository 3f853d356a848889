/* Makes rows to train networks on from records of self-play:
 *   play_rows OUT RECORDS... [--threads N]
 * Writes OUT (learn/netplay/rows.h): a row for each full search of every finished game (in shogi
 * for each search), all of one game. Parts of files that are no records are skipped and counted. */
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
#include "learn/netplay/rows_go.h"

struct entry {
    const char *bytes;
    size_t len;
    size_t first, count, made; /* rows: their place, how many, how many were made */
};

struct job {
    const struct yo_netplay_rows *kind; /* of the first record */
    struct entry *entries;
    size_t count, room, damaged;
    char *rows;
    atomic_size_t next;
};

static _Noreturn void fail(const char *what, const char *why) {
    fprintf(stderr, "play_rows: %s: %s\n", what, why);
    exit(1);
}

static const char usage[] = "usage: play_rows OUT RECORDS... [--threads N]\n";

static _Noreturn void misused(const char *what, const char *why) {
    fprintf(stderr, "play_rows: %s: %s\n%s", what, why, usage);
    exit(2);
}

/* ---- records ---- */

static void add_entry(struct job *job, const struct entry *entry) {
    if (job->count == job->room) {
        job->room = job->room ? 2 * job->room : 1024;
        job->entries = realloc(job->entries, job->room * sizeof *job->entries);
        if (!job->entries) fail("records", "out of memory");
    }
    job->entries[job->count++] = *entry;
}

/* Returns the number of rows after those of this file. */
static size_t find_records(struct job *job, const struct yo_buf *file, size_t rows) {
    struct yo_netplay_record record = {0};
    size_t at = 0;
    for (;;) {
        size_t start = at;
        switch (yo_netplay_record_next(yo_buf_text(file), file->len, &at, &record)) {
        case YO_NETPLAY_RECORD: {
            const struct yo_netplay_rows *kind = yo_netplay_rows_of(&record);
            if (!kind || (job->kind && job->kind != kind)) fail("records", "of more than one game");
            job->kind = kind;
            struct entry entry = {.bytes = file->data + start,
                                  .len = at - start,
                                  .first = rows,
                                  .count = yo_netplay_rows_count(&record)};
            if (entry.count > 0) add_entry(job, &entry);
            rows += entry.count;
            break;
        }
        case YO_NETPLAY_DAMAGED:
        case YO_NETPLAY_CUT_OFF:
            job->damaged++;
            break;
        case YO_NETPLAY_NO_MORE:
            yo_netplay_record_free(&record);
            return rows;
        case YO_NETPLAY_NO_MEMORY:
            fail("records", "out of memory");
        }
    }
}

static void *work(void *context) {
    struct job *job = context;
    struct yo_netplay_record record = {0};
    for (size_t i; (i = job->next++) < job->count;) {
        struct entry *entry = &job->entries[i];
        size_t at = 0;
        if (yo_netplay_record_next(entry->bytes, entry->len, &at, &record) != YO_NETPLAY_RECORD)
            continue;
        entry->made =
            job->kind->make(&record, (uint32_t)i, job->rows + entry->first * job->kind->row_size);
    }
    yo_netplay_record_free(&record);
    return NULL;
}

static void run(struct job *job, int threads) {
    pthread_t thread[256];
    for (int i = 0; i < threads; i++)
        if (pthread_create(&thread[i], NULL, work, job) != 0) fail("threads", strerror(errno));
    for (int i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
}

/* Games with illegal moves leave holes: closes them. */
static size_t close_up(struct job *job) {
    size_t to = 0, size = job->kind->row_size;
    for (size_t i = 0; i < job->count; i++) {
        const struct entry *entry = &job->entries[i];
        memmove(job->rows + to * size, job->rows + entry->first * size, entry->made * size);
        to += entry->made;
    }
    return to;
}

/* ---- files ---- */

static void write_rows(const char *path, struct job *job, size_t rows, int threads) {
    size_t row_size = job->kind->row_size, size = (rows + 1) * row_size;
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0666);
    int error = fd < 0
                    ? errno
                    : posix_fallocate(fd, 0, (off_t)size); /* a full disk would be a signal later */
    if (error) fail(path, strerror(error));
    struct yo_netplay_rows_header *header =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (header == MAP_FAILED) fail(path, strerror(errno));
    job->rows = (char *)header + row_size;
    run(job, threads);
    size_t made = close_up(job);
    memcpy(header->magic, job->kind->magic, sizeof header->magic);
    header->rows = made;
    header->row_size = (uint32_t)row_size;
    munmap(header, size);
    if (ftruncate(fd, (off_t)((made + 1) * row_size)) != 0) fail(path, strerror(errno));
    close(fd);
    printf("%s: %zu rows of %zu games, %zu damaged parts skipped\n", path, made, job->count,
           job->damaged);
}

int main(int argc, char **argv) {
    int threads = (int)sysconf(_SC_NPROCESSORS_ONLN), files = argc;
    struct job job = {0};
    struct yo_diag diag;
    if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fputs(usage, stdout);
        return 0;
    }
    if (argc > 3 && strcmp(argv[argc - 2], "--threads") == 0) {
        threads = atoi(argv[argc - 1]);
        files = argc - 2;
    }
    if (threads < 1) misused("--threads", "needs a number in its range");
    for (int i = 1; i < files; i++)
        if (argv[i][0] == '-') misused(argv[i], "unknown option");
    if (files < 3) misused("records", "which, and where to?");
    if (threads > 256) threads = 256;
    struct yo_buf *bytes = calloc((size_t)files, sizeof *bytes);
    if (!bytes) fail("records", "out of memory");
    size_t rows = 0;
    for (int i = 2; i < files; i++) {
        if (yo_file_read(argv[i], &bytes[i], &diag) != YO_OK) fail(argv[i], diag.what);
        rows = find_records(&job, &bytes[i], rows);
    }
    if (!job.kind) job.kind = &yo_netplay_go_rows; /* no records: a file without rows */
    write_rows(argv[1], &job, rows, threads);
    for (int i = 2; i < files; i++)
        yo_buf_free(&bytes[i]);
    free(bytes);
    free(job.entries);
    return 0;
}
