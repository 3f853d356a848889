#include "learn/netplay/store.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/file.h"

static enum yo_err fail_io(struct yo_diag *diag, const char *what, const char *path) {
    return yo_diag_set(diag, YO_ERR_IO, "cannot %s %.150s: %s", what, path, strerror(errno));
}

static void count_in(struct yo_netplay_store *store, const struct yo_netplay_record *record) {
    if (record->number >= store->next) store->next = record->number + 1;
}

/* *end: the length of the whole records at the start of the file; damaged ones in between stay. */
static enum yo_err find_end(struct yo_netplay_store *store, const struct yo_buf *bytes,
                            const char *path, size_t *end, struct yo_diag *diag) {
    struct yo_netplay_record record = {0};
    enum yo_netplay_found found;
    size_t at = 0;
    bool ours = false;
    *end = 0;
    for (;;) {
        found = yo_netplay_record_next(yo_buf_text(bytes), bytes->len, &at, &record);
        if (found != YO_NETPLAY_RECORD && found != YO_NETPLAY_DAMAGED) break;
        if (found == YO_NETPLAY_RECORD) count_in(store, &record);
        ours |= found == YO_NETPLAY_RECORD;
        *end = at;
    }
    yo_netplay_record_free(&record);
    if (found == YO_NETPLAY_NO_MEMORY) return yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory");
    if (ours || *end == 0) return YO_OK;
    enum yo_err err = yo_diag_set(diag, YO_ERR_PARSE, "%.150s is no file of self-play games", path);
    yo_diag_hint(diag, "nothing was written to it; give another name");
    return err;
}

/* Whatever a killed run left of its last record is cut off. */
static enum yo_err mend(struct yo_netplay_store *store, const char *path, struct yo_diag *diag) {
    struct stat status;
    struct yo_buf bytes = {0};
    if (fstat(store->fd, &status) != 0) return fail_io(diag, "read", path);
    if (!S_ISREG(status.st_mode) || status.st_size == 0) return YO_OK;
    enum yo_err err = yo_file_read(path, &bytes, diag);
    size_t length = 0;
    if (!err) err = find_end(store, &bytes, path, &length, diag);
    if (!err && length < bytes.len && ftruncate(store->fd, (off_t)length) != 0)
        err = fail_io(diag, "mend", path);
    yo_buf_free(&bytes);
    return err;
}

static enum yo_err keep(struct yo_netplay_store *store, struct yo_netplay_record *record) {
    size_t n = store->pending_count;
    void *more = yo_realloc(store->pending, n + 1, sizeof *store->pending);
    if (!more) return YO_ERR_NOMEM;
    count_in(store, record);
    store->pending = more;
    store->pending[store->pending_count++] = *record;
    *record = (struct yo_netplay_record){0};
    return YO_OK;
}

static enum yo_err take_pending(struct yo_netplay_store *store, struct yo_diag *diag) {
    struct yo_buf bytes = {0};
    struct yo_netplay_record record = {0};
    enum yo_netplay_found found;
    size_t at = 0;
    if (access(store->pending_path, F_OK) != 0) return YO_OK;
    enum yo_err err = yo_file_read(store->pending_path, &bytes, diag);
    while (!err && (found = yo_netplay_record_next(yo_buf_text(&bytes), bytes.len, &at, &record)) !=
                       YO_NETPLAY_NO_MORE) {
        if (found == YO_NETPLAY_NO_MEMORY) err = YO_ERR_NOMEM;
        if (found == YO_NETPLAY_CUT_OFF) break;
        if (found == YO_NETPLAY_RECORD && record.end == YO_NETPLAY_UNFINISHED)
            err = keep(store, &record);
    }
    if (!err && unlink(store->pending_path) != 0)
        err = fail_io(diag, "remove", store->pending_path);
    yo_buf_free(&bytes);
    yo_netplay_record_free(&record);
    return err == YO_ERR_NOMEM ? yo_diag_set(diag, err, "not enough memory") : err;
}

enum yo_err yo_netplay_store_open(struct yo_netplay_store *store, const char *path,
                                  struct yo_diag *diag) {
    static const char suffix[] = ".pending";
    *store = (struct yo_netplay_store){.fd = -1};
    if (!path) return YO_OK;
    size_t length = strlen(path);
    store->pending_path = yo_alloc(length + sizeof suffix, 1);
    if (!store->pending_path) return yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory");
    memcpy(store->pending_path, path, length);
    memcpy(store->pending_path + length, suffix, sizeof suffix);
    store->fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    enum yo_err err = store->fd < 0 ? fail_io(diag, "open", path) : mend(store, path, diag);
    if (!err) err = take_pending(store, diag);
    if (err) yo_netplay_store_close(store);
    return err;
}

enum yo_err yo_netplay_store_append(struct yo_netplay_store *store, const struct yo_buf *bytes,
                                    struct yo_diag *diag) {
    if (store->fd < 0) return YO_OK;
    ssize_t written;
    do {
        written = write(store->fd, bytes->data, bytes->len);
    } while (written < 0 && errno == EINTR);
    if (written == (ssize_t)bytes->len) return YO_OK;
    if (written >= 0) errno = ENOSPC;
    return fail_io(diag, "write", "the records");
}

enum yo_err yo_netplay_store_save(struct yo_netplay_store *store, const struct yo_buf *bytes,
                                  struct yo_diag *diag) {
    if (store->fd < 0 || bytes->len == 0) return YO_OK;
    return yo_file_replace(store->pending_path, bytes->data, bytes->len, diag);
}

void yo_netplay_store_close(struct yo_netplay_store *store) {
    for (size_t i = 0; i < store->pending_count; i++)
        yo_netplay_record_free(&store->pending[i]);
    yo_free(store->pending);
    yo_free(store->pending_path);
    if (store->fd >= 0) close(store->fd);
    *store = (struct yo_netplay_store){.fd = -1};
}
