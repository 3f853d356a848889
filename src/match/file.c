#include "match/file.h"

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
#include "base/file.h"

static const char columns[] = "game,black,winner,score,end,moves,black_s,white_s,fault\n";

int yo_match_winner(const struct yo_pairing *pairing, const struct yo_match_result *result) {
    if (result->winner == YO_GO_EMPTY) return 3;
    return (result->winner == YO_GO_BLACK) == pairing->first_is_black ? 1 : 2;
}

void yo_match_engine_label(const struct yo_schedule *s, int engine, char out[16]) {
    if (s->engines == 2)
        strcpy(out, engine == 0 ? "first" : "second");
    else
        snprintf(out, 16, "engine %d", engine + 1);
}

static void part_key(const struct yo_match_file *file, int part, char out[32]) {
    char label[16];
    yo_match_engine_label(&file->schedule, part, label);
    if (part == YO_MATCH_OPENINGS)
        strcpy(out, "# openings are ");
    else
        snprintf(out, 32, "# %s is ", label);
}

/* The name of an engine in the columns of the table: "first", or "3". */
static const char *column_name(const struct yo_schedule *s, int engine, char out[16]) {
    yo_match_engine_label(s, engine, out);
    const char *space = strchr(out, ' ');
    return space ? space + 1 : out;
}

/* The winner, coded as in `done`, in the column of the table. */
static const char *winner_name(const struct yo_match_file *file, size_t game, int winner,
                               char out[16]) {
    struct yo_pairing p = yo_schedule_game(&file->schedule, game);
    return winner == 3 ? "draw"
                       : column_name(&file->schedule, winner == 1 ? p.first : p.second, out);
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

/* The field at *at, up to the next comma; moves *at behind the comma. "" if there is none. */
static const char *take_word(const char **at, const char *end, size_t *len) {
    const char *word = *at, *comma = memchr(word, ',', (size_t)(end - word));
    *len = comma ? (size_t)(comma - word) : 0;
    *at = comma ? comma + 1 : end;
    return comma ? word : "";
}

static bool is_word(const char *word, size_t len, const char *want) {
    return strlen(want) == len && memcmp(want, word, len) == 0;
}

/* The winner in the table, as in `done`; 0 for a word that is none. */
static int read_winner(const struct yo_match_file *file, size_t game, const char *word,
                       size_t len) {
    char name[16];
    for (int i = 1; i <= 3; i++)
        if (is_word(word, len, winner_name(file, game, i, name))) return i;
    return 0;
}

/* "12,first,second,...,"fault"". Any other line is ignored, and its game is played again. */
static void read_game(struct yo_match_file *file, const char *line, const char *end) {
    size_t len;
    size_t game = 0;
    const char *number = take_word(&line, end, &len);
    for (size_t i = 0; i < len; i++) {
        if (number[i] < '0' || number[i] > '9' || game > file->games) return;
        game = 10 * game + (size_t)(number[i] - '0');
    }
    if (game == 0 || game > file->games) return;
    struct yo_pairing p = yo_schedule_game(&file->schedule, game - 1);
    char name[16];
    const char *word = take_word(&line, end, &len);
    if (!is_word(word, len, column_name(&file->schedule, yo_pairing_black(&p), name))) return;
    word = take_word(&line, end, &len);
    int winner = read_winner(file, game - 1, word, len);
    bool whole = end > line && end[-1] == '"';
    if (winner && whole) file->done[game - 1] = (unsigned char)winner;
}

static void read_line(struct yo_match_file *file, const char *line, const char *end) {
    for (int i = 0; i < YO_MATCH_PARTS; i++) {
        char key[32];
        part_key(file, i, key);
        size_t len = strlen(key);
        if ((size_t)(end - line) < len || memcmp(line, key, len) != 0) continue;
        snprintf(file->parts[i], YO_MATCH_PART, "%.*s", (int)(end - line - (ptrdiff_t)len),
                 line + len);
        return;
    }
    if (line[0] != '#') read_game(file, line, end);
}

/* Removes a last line that was cut off; its game is played again. */
static enum yo_err resume(struct yo_match_file *file, const struct yo_buf *text, size_t header_len,
                          struct yo_diag *diag) {
    const char *start = yo_buf_text(text), *line = start + header_len, *end;
    while ((end = memchr(line, '\n', text->len - (size_t)(line - start)))) {
        read_line(file, line, end);
        line = end + 1;
    }
    if (ftruncate(file->fd, line - start) == 0 && lseek(file->fd, 0, SEEK_END) >= 0) return YO_OK;
    return io_error(diag, "write", file->folder);
}

/* Writes all or nothing: otherwise the next line would be appended to half a line. */
static enum yo_err put(int fd, const struct yo_buf *text) {
    off_t before = lseek(fd, 0, SEEK_CUR);
    int why = yo_file_write(fd, yo_buf_text(text), text->len);
    if (!why && fsync(fd) != 0 && errno != EINVAL) why = errno;
    if (!why) return YO_OK;
    if (before >= 0 && ftruncate(fd, before) == 0) lseek(fd, before, SEEK_SET);
    errno = why;
    return YO_ERR_IO;
}

/* Writes the file from its first byte: no game was played yet. */
static enum yo_err begin(struct yo_match_file *file, const struct yo_buf *header) {
    if (ftruncate(file->fd, 0) != 0 || lseek(file->fd, 0, SEEK_SET) != 0) return YO_ERR_IO;
    return put(file->fd, header);
}

static enum yo_err begin_or_resume(struct yo_match_file *file, const char *path,
                                   const struct yo_buf *header, struct yo_diag *diag) {
    struct yo_buf text = {0};
    enum yo_err err = read_all(file->fd, &text);
    size_t common = text.len < header->len ? text.len : header->len;
    if (err) {
        io_error(diag, "read", path);
    } else if (memcmp(yo_buf_text(&text), yo_buf_text(header), common) != 0) {
        err = yo_diag_set(diag, YO_ERR_STATE, "%.180s is of another match", path);
        yo_diag_hint(diag, "give another folder with --out, or the same engines and options");
    } else if (common < header->len) {
        err = begin(file, header);
        if (err) io_error(diag, "write", path);
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
                               const struct yo_schedule *schedule, size_t games,
                               struct yo_diag *diag) {
    *file = (struct yo_match_file){.fd = -1, .games = games, .schedule = *schedule};
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

/* ---- builds and openings ---- */

static bool is_game_left(const struct yo_match_file *file) {
    return memchr(file->done, 0, file->games) != NULL;
}

uint64_t yo_match_hash(int fd) {
    unsigned char bytes[1 << 14];
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    ssize_t got;
    while ((got = read(fd, bytes, sizeof bytes)) > 0)
        for (ssize_t i = 0; i < got; i++)
            hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3); /* FNV-1a */
    return got < 0 ? 0 : hash;
}

enum yo_err yo_match_file_set_parts(struct yo_match_file *file,
                                    const char *const parts[YO_MATCH_PARTS], unsigned *changed,
                                    struct yo_diag *diag) {
    struct yo_buf lines = {0};
    *changed = 0;
    if (!file->folder || !is_game_left(file)) return YO_OK;
    for (int i = 0; i < YO_MATCH_PARTS; i++) {
        char key[32];
        part_key(file, i, key);
        if (!parts[i] || strcmp(file->parts[i], parts[i]) == 0) continue;
        if (file->parts[i][0]) *changed |= 1u << i;
        yo_buf_printf(&lines, "%s%s\n", key, parts[i]);
    }
    enum yo_err err = yo_buf_status(&lines);
    if (err)
        yo_diag_set(diag, err, "out of memory");
    else if (lines.len > 0 && (err = put(file->fd, &lines)))
        io_error(diag, "write the results in", file->folder);
    yo_buf_free(&lines);
    return err;
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

/* Writes to a .part file and renames it, so that a record is always whole; the next write replaces
 * a .part left by a kill. */
static enum yo_err write_record(const char *path, const struct yo_buf *record,
                                struct yo_diag *diag) {
    struct yo_buf part = {0};
    yo_buf_printf(&part, "%s.part", path);
    int fd = open(yo_buf_text(&part), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    int why = fd < 0 ? errno : yo_file_write(fd, yo_buf_text(record), record->len);
    if (fd >= 0 && !why && fsync(fd) != 0 && errno != EINVAL) why = errno;
    if (fd >= 0 && close(fd) != 0 && !why) why = errno;
    if (!why && rename(yo_buf_text(&part), path) != 0) why = errno;
    if (why) unlink(yo_buf_text(&part));
    yo_buf_free(&part);
    errno = why; /* not that of the cleanup */
    return why ? io_error(diag, "write", path) : YO_OK;
}

enum yo_err yo_match_file_add(struct yo_match_file *file, size_t game,
                              const struct yo_match_result *result, const struct yo_buf *record,
                              const char *extension, struct yo_diag *diag) {
    struct yo_pairing p = yo_schedule_game(&file->schedule, game);
    int winner = yo_match_winner(&p, result);
    char black[16], won[16];
    file->done[game] = (unsigned char)winner;
    if (!file->folder) return YO_OK;
    struct yo_buf path = {0}, line = {0};
    yo_buf_printf(&path, "%s/games/%04zu.%s", file->folder, game + 1, extension);
    yo_buf_printf(&line, "%zu,%s,%s,%s,%s,%zu,%.2f,%.2f,", game + 1,
                  column_name(&file->schedule, yo_pairing_black(&p), black),
                  winner_name(file, game, winner, won), result->score,
                  yo_match_end_name(result->end), result->moves, (double)result->spent_ms[0] / 1000,
                  (double)result->spent_ms[1] / 1000);
    put_quoted(&line, result->fault);
    yo_buf_char(&line, '\n');
    enum yo_err err = yo_buf_status(&line);
    if (!err) err = yo_buf_status(&path);
    if (err)
        yo_diag_set(diag, err, "out of memory");
    else
        err = write_record(yo_buf_text(&path), record, diag);
    if (!err && (err = put(file->fd, &line))) io_error(diag, "write the results in", file->folder);
    yo_buf_free(&path);
    yo_buf_free(&line);
    return err;
}
