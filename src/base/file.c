#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* No game record or table comes near this size; reading an endless stream would use all memory. */
#define TEXT_MAX ((size_t)64 << 20)

static enum yo_err read_most(const char *path, size_t most, struct yo_buf *out,
                             struct yo_diag *diag) {
    FILE *file = fopen(path, "rb");
    if (!file) return yo_diag_set(diag, YO_ERR_IO, "cannot open %.150s: %s", path, strerror(errno));
    char bytes[1 << 14];
    size_t got, before = out->len;
    errno = 0;
    while (!out->failed && out->len - before <= most &&
           (got = fread(bytes, 1, sizeof bytes, file)) > 0)
        yo_buf_add(out, bytes, got);
    bool failed = ferror(file) != 0;
    int why = errno;
    fclose(file);
    if (failed) return yo_diag_set(diag, YO_ERR_IO, "cannot read %.150s: %s", path, strerror(why));
    if (out->len - before > most)
        return yo_diag_set(diag, YO_ERR_IO, "%.150s is too large: more than %zu MB are not read",
                           path, most >> 20);
    return yo_buf_status(out) ? yo_diag_set(diag, YO_ERR_NOMEM, "out of memory") : YO_OK;
}

enum yo_err yo_file_read(const char *path, struct yo_buf *out, struct yo_diag *diag) {
    return read_most(path, SIZE_MAX, out, diag);
}

enum yo_err yo_file_read_text(const char *path, struct yo_buf *out, struct yo_diag *diag) {
    return read_most(path, TEXT_MAX, out, diag);
}

enum yo_err yo_file_ended(FILE *file, const char *name, struct yo_diag *diag) {
    int why = errno;
    if (!ferror(file)) return YO_OK;
    return yo_diag_set(diag, YO_ERR_IO, "cannot read %.150s: %s", name, strerror(why));
}

int yo_file_write(int fd, const char *bytes, size_t len) {
    while (len > 0) {
        ssize_t n = write(fd, bytes, len);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno == EAGAIN) {
            struct pollfd full = {.fd = fd, .events = POLLOUT};
            poll(&full, 1, -1);
            continue;
        }
        if (n < 0) return errno;
        if (n == 0) return EIO;
        bytes += n;
        len -= (size_t)n;
    }
    return 0;
}

/* The permissions of the old file, or those that a new file would get. */
static mode_t rights_for(const char *path) {
    struct stat old;
    if (stat(path, &old) == 0) return old.st_mode & 0777;
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static bool fill(int fd, const char *path, const char *bytes, size_t len) {
    int why = yo_file_write(fd, bytes, len);
    bool good = why == 0 && fchmod(fd, rights_for(path)) == 0;
    if (why == 0) why = errno;
    if (close(fd) != 0 && good) return false;
    errno = why;
    return good;
}

/* A device or a pipe has no old content to keep, and replacing it by a file would break its other
 * users. So it is opened and written to, like the shell's `>`. */
static bool is_special(const char *path) {
    struct stat old;
    return stat(path, &old) == 0 && !S_ISREG(old.st_mode) && !S_ISDIR(old.st_mode);
}

static enum yo_err cannot_write(const char *path, int why, struct yo_diag *diag) {
    if (why == ENOMEM) return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    return yo_diag_set(diag, YO_ERR_IO, "cannot write %.150s: %s", path, strerror(why));
}

static enum yo_err write_special(const char *path, const char *bytes, size_t len,
                                 struct yo_diag *diag) {
    int fd = open(path, O_WRONLY | O_CLOEXEC), why = fd < 0 ? errno : 0;
    if (fd >= 0) why = yo_file_write(fd, bytes, len);
    if (fd >= 0 && close(fd) != 0 && why == 0) why = errno;
    return why ? cannot_write(path, why, diag) : YO_OK;
}

/* A new file beside the one that a path leads to; -1 and errno without one. */
static int open_beside(const char *target, struct yo_buf *beside) {
    yo_buf_printf(beside, "%s.XXXXXX", target);
    errno = ENOMEM;
    return beside->failed ? -1 : mkstemp(beside->data);
}

static enum yo_err replace(const char *path, const char *bytes, size_t len, bool keep,
                           struct yo_diag *diag) {
    struct yo_buf beside = {0};
    char *real = realpath(path, NULL); /* NULL: the file does not exist yet */
    const char *target = real ? real : path;
    int fd = open_beside(target, &beside);
    bool good = fd >= 0 && fill(fd, target, bytes, len);
    if (good && keep) good = rename(beside.data, target) == 0;
    int why = errno;
    if (fd >= 0 && !(good && keep)) unlink(beside.data);
    free(real);
    yo_buf_free(&beside);
    return good ? YO_OK : cannot_write(path, why, diag);
}

enum yo_err yo_file_replace(const char *path, const char *bytes, size_t len, struct yo_diag *diag) {
    if (is_special(path)) return write_special(path, bytes, len, diag);
    return replace(path, bytes, len, true, diag);
}

enum yo_err yo_file_can_replace(const char *path, struct yo_diag *diag) {
    struct stat old;
    if (is_special(path)) return YO_OK;
    if (stat(path, &old) == 0 && S_ISDIR(old.st_mode)) return cannot_write(path, EISDIR, diag);
    return replace(path, "", 0, false, diag);
}

void yo_file_make_folders(const char *path) {
    struct yo_buf folder = {0};
    for (const char *slash = strchr(path + 1, '/'); *path && slash;
         slash = strchr(slash + 1, '/')) {
        yo_buf_clear(&folder);
        yo_buf_add(&folder, path, (size_t)(slash - path));
        if (!yo_buf_status(&folder)) mkdir(yo_buf_text(&folder), 0700);
    }
    yo_buf_free(&folder);
}
