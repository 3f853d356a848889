#include "cmd/match_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/diag.h"

static const char columns[] = "game,black,winner,score,end,moves,black_s,white_s,fault\n";
static const char *const names[] = {"", "first", "second", "draw"};

int yo_match_winner(bool first_is_black, const struct yo_match_result *result) {
    if (result->winner == YO_GO_EMPTY) return 3;
    return (result->winner == YO_GO_BLACK) == first_is_black ? 1 : 2;
}

static enum yo_err io_error(struct yo_diag *diag, const char *what, const char *path) {
    return yo_diag_set(diag, YO_ERR_IO, "cannot %s %.180s: %s", what, path, strerror(errno));
}

/* ---- reading what is there ---- */

static enum yo_err read_all(int fd, struct yo_buf *text) {
    char bytes[4096];
    ssize_t got;
    while ((got = read(fd, bytes, sizeof bytes)) > 0)
        yo_buf_add(text, bytes, (size_t)got);
    return got < 0 ? YO_ERR_IO : yo_buf_status(text);
}

/* "12,first,second,..." */
static void read_line(struct yo_match_file *file, const char *line) {
    char *end;
    unsigned long game = strtoul(line, &end, 10);
    if (*end != ',' || game == 0 || game > file->games) return;
    const char *winner = strchr(end + 1, ',');
    for (int i = 1; winner && i <= 3; i++) {
        size_t len = strlen(names[i]);
        if (strncmp(winner + 1, names[i], len) == 0 && winner[1 + len] == ',')
            file->done[game - 1] = (unsigned char)i;
    }
}

/* A line that was cut off when the match was is taken away, and its game played again. */
static enum yo_err resume(struct yo_match_file *file, const struct yo_buf *text, size_t header_len,
                          struct yo_diag *diag) {
    const char *start = yo_buf_text(text), *line = start + header_len, *end;
    for (; (end = strchr(line, '\n')); line = end + 1)
        read_line(file, line);
    if (ftruncate(file->fd, line - start) == 0 && lseek(file->fd, 0, SEEK_END) >= 0) return YO_OK;
    return io_error(diag, "write", file->folder);
}

static enum yo_err put(int fd, const struct yo_buf *text) {
    const char *bytes = yo_buf_text(text);
    for (size_t left = text->len; left > 0;) {
        ssize_t wrote = write(fd, bytes + text->len - left, left);
        if (wrote < 0 && errno != EINTR) return YO_ERR_IO;
        if (wrote > 0) left -= (size_t)wrote;
    }
    return fsync(fd) == 0 || errno == EINVAL ? YO_OK : YO_ERR_IO;
}

static enum yo_err begin_or_resume(struct yo_match_file *file, const char *path,
                                   const struct yo_buf *header, struct yo_diag *diag) {
    struct yo_buf text = {0};
    enum yo_err err = read_all(file->fd, &text);
    if (err) {
        io_error(diag, "read", path);
    } else if (text.len < header->len && memcmp(yo_buf_text(&text), header->data, text.len) == 0) {
        /* Nothing, or the beginning of a header: no game was played. */
        err = ftruncate(file->fd, 0) == 0 && lseek(file->fd, 0, SEEK_SET) == 0 ? YO_OK : YO_ERR_IO;
        if (!err) err = put(file->fd, header);
        if (err) io_error(diag, "write", path);
    } else if (text.len < header->len ||
               memcmp(yo_buf_text(&text), header->data, header->len) != 0) {
        err = yo_diag_set(diag, YO_ERR_STATE, "%.180s is of another match", path);
        yo_diag_hint(diag, "give another folder with --out, or the same engines and options");
    } else {
        err = resume(file, &text, header->len, diag);
    }
    yo_buf_free(&text);
    return err;
}

static enum yo_err make_folder(const char *path, struct yo_diag *diag) {
    if (mkdir(path, 0777) == 0 || errno == EEXIST) return YO_OK;
    return io_error(diag, "make the folder", path);
}

enum yo_err yo_match_file_open(struct yo_match_file *file, const char *folder, const char *header,
                               size_t games, struct yo_diag *diag) {
    *file = (struct yo_match_file){.fd = -1, .games = games};
    file->done = yo_alloc(games, 1);
    if (!file->done) return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    if (!folder) return YO_OK;
    struct yo_buf path = {0}, text = {0};
    enum yo_err err = make_folder(folder, diag);
    if (!err) {
        yo_buf_printf(&path, "%s/games", folder);
        err = make_folder(yo_buf_text(&path), diag);
    }
    yo_buf_clear(&path);
    yo_buf_printf(&path, "%s/results.csv", folder);
    yo_buf_printf(&text, "%s%s", header, columns);
    file->folder = yo_alloc(strlen(folder) + 1, 1);
    if (!err && (!file->folder || yo_buf_status(&path) || yo_buf_status(&text)))
        err = yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    if (!err) {
        strcpy(file->folder, folder);
        file->fd = open(yo_buf_text(&path), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (file->fd < 0)
            err = io_error(diag, "open", yo_buf_text(&path));
        else if (flock(file->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
            err = yo_diag_set(diag, YO_ERR_STATE, "another match is writing to %.150s", folder);
        else
            err = begin_or_resume(file, yo_buf_text(&path), &text, diag);
    }
    yo_buf_free(&path);
    yo_buf_free(&text);
    return err;
}

void yo_match_file_close(struct yo_match_file *file) {
    if (file->fd >= 0) close(file->fd);
    yo_free(file->folder);
    yo_free(file->done);
    *file = (struct yo_match_file){.fd = -1};
}

/* ---- adding a game ---- */

static void put_quoted(struct yo_buf *out, const char *text) {
    yo_buf_char(out, '"');
    for (; *text; text++) {
        if (*text == '"') yo_buf_char(out, '"');
        yo_buf_char(out, *text == '\n' ? ' ' : *text);
    }
    yo_buf_char(out, '"');
}

/* Never half a record under the name of a whole one. */
static enum yo_err write_record(const char *path, const char *part, const struct yo_buf *record) {
    FILE *out = fopen(part, "wb");
    bool good = out && fwrite(yo_buf_text(record), 1, record->len, out) == record->len;
    if (out) good = fclose(out) == 0 && good;
    if (good && rename(part, path) == 0) return YO_OK;
    int why = errno;
    unlink(part);
    errno = why;
    return YO_ERR_IO;
}

enum yo_err yo_match_file_add(struct yo_match_file *file, size_t game, bool first_is_black,
                              const struct yo_match_result *result, const struct yo_buf *record,
                              const char *extension, struct yo_diag *diag) {
    int winner = yo_match_winner(first_is_black, result);
    file->done[game] = (unsigned char)winner;
    if (!file->folder) return YO_OK;
    struct yo_buf path = {0}, part = {0}, line = {0};
    yo_buf_printf(&path, "%s/games/%04zu.%s", file->folder, game + 1, extension);
    yo_buf_printf(&part, "%s.part", yo_buf_text(&path));
    yo_buf_printf(&line, "%zu,%s,%s,%s,%s,%zu,%.2f,%.2f,", game + 1, names[first_is_black ? 1 : 2],
                  names[winner], result->score, yo_match_end_name(result->end), result->moves,
                  (double)result->spent_ms[0] / 1000, (double)result->spent_ms[1] / 1000);
    put_quoted(&line, result->fault);
    yo_buf_char(&line, '\n');
    enum yo_err err = yo_buf_status(&line);
    if (!err) err = write_record(yo_buf_text(&path), yo_buf_text(&part), record);
    if (err)
        io_error(diag, "write", yo_buf_text(&path));
    else if ((err = put(file->fd, &line)))
        io_error(diag, "write the results in", file->folder);
    yo_buf_free(&path);
    yo_buf_free(&part);
    yo_buf_free(&line);
    return err;
}
