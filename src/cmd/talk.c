#include "cmd/talk.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/nearest.h"
#include "cmd/term.h"
#include "cmd/text.h"

enum { WIDTH_MAX = 80 };

/* ---- output ---- */

void yo_talk_print(struct yo_buf *text) {
    fwrite(yo_buf_text(text), 1, text->len, stdout);
    fflush(stdout);
    yo_buf_free(text);
}

static void print_wrapped(const char *text) {
    struct yo_buf out = {0};
    int width = yo_term_width() - 1;
    if (width > WIDTH_MAX) width = WIDTH_MAX;
    yo_text_wrap(&out, text, 0, 0, (size_t)(width < 10 ? 10 : width));
    yo_talk_print(&out);
}

void yo_talk_say_list(const char *fmt, va_list args) {
    char text[1024];
    vsnprintf(text, sizeof text, fmt, args);
    print_wrapped(text);
}

void yo_talk_say(const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    yo_talk_say_list(fmt, args);
    va_end(args);
}

/* Messages are written to follow a program's name; this makes them sentences. The name of a file at
 * the beginning stays as it is. */
void yo_talk_complain(const struct yo_diag *diag) {
    char text[640];
    yo_diag_format(diag, text, sizeof text);
    if (!diag->where[0]) text[0] = (char)toupper((unsigned char)text[0]);
    bool ended = text[0] && strchr("?.!", text[strlen(text) - 1]);
    yo_talk_say("%s%s", text, ended ? "" : ".");
}

/* ---- input ---- */

static const struct yo_talk_command *find(const struct yo_talk *talk, const char *name) {
    for (size_t i = 0; i < talk->count; i++) {
        const struct yo_talk_command *c = &talk->commands[i];
        if (strcasecmp(c->name, name) == 0 || (c->alias && strcasecmp(c->alias, name) == 0))
            return c;
    }
    return NULL;
}

static enum yo_err unknown(const struct yo_talk *talk, const char *word, struct yo_diag *diag) {
    struct yo_nearest nearest = {.text = word};
    for (size_t i = 0; i < talk->count; i++)
        yo_nearest_offer(&nearest, talk->commands[i].name);
    return talk->unknown(word, nearest.best, diag);
}

static enum yo_err obey(const struct yo_talk *talk, void *game, const char *word,
                        const char *argument, struct yo_diag *diag) {
    const struct yo_talk_command *command = find(talk, word);
    bool takes_more = command && command->argument && *command->argument;
    bool is_move = !command && talk->is_move(game, word);
    if (*argument && !takes_more && (command || is_move)) {
        yo_diag_set(diag, YO_ERR_ARGUMENT, "'%.30s' after %.30s is one thing too many", argument,
                    word);
        yo_diag_hint(diag, "one move or command at a time, please");
        return YO_ERR_ARGUMENT;
    }
    if (command) return command->run(game, argument, diag);
    return is_move ? talk->move(game, word, diag) : unknown(talk, word, diag);
}

void yo_talk_obey(const struct yo_talk *talk, void *game, char *line) {
    struct yo_diag diag = {0};
    char *word = line + strspn(line, " ");
    size_t len = strlen(word);
    while (len > 0 && word[len - 1] == ' ')
        word[--len] = '\0';
    if (len == 0 || *word == '#') return;
    char *argument = word + strcspn(word, " ");
    if (*argument) *argument++ = '\0';
    argument += strspn(argument, " ");
    enum yo_err err = obey(talk, game, word, argument, &diag);
    if (!err) return;
    if (!diag.err) yo_diag_set(&diag, err, "%s", yo_err_text(err));
    yo_talk_complain(&diag);
}

static void print_entry(const char *term, const char *meaning) {
    enum { COLUMN = 15 };
    struct yo_buf out = {0};
    int width = yo_term_width() - 1;
    yo_buf_printf(&out, "  %-12s ", term);
    yo_text_wrap(&out, meaning, COLUMN, COLUMN, (size_t)(width < 2 * COLUMN ? 2 * COLUMN : width));
    yo_talk_print(&out);
}

void yo_talk_list(const struct yo_talk *talk) {
    print_entry(talk->move_example, talk->move_help);
    for (size_t i = 0; i < talk->count; i++) {
        char term[24];
        const struct yo_talk_command *c = &talk->commands[i];
        if (!c->help) continue;
        snprintf(term, sizeof term, "%s %s", c->name, c->argument ? c->argument : "");
        print_entry(term, c->help);
    }
}

/* ---- files ---- */

void yo_talk_complete_path(struct yo_buf *path, const char *typed, const char *ending) {
    const char *home = getenv("HOME"), *slash = strrchr(typed, '/');
    if (home && strncmp(typed, "~/", 2) == 0)
        yo_buf_printf(path, "%s%s", home, typed + 1);
    else
        yo_buf_str(path, typed);
    if (!strchr(slash ? slash : typed, '.')) yo_buf_str(path, ending);
}

char *yo_talk_copy(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = yo_alloc(size, 1);
    if (copy) memcpy(copy, text, size);
    return copy;
}

enum yo_err yo_talk_write_file(const char *path, const char *bytes, size_t len, bool over,
                               const char *example, struct yo_diag *diag) {
    enum yo_err err = YO_OK;
    int fd = over ? -1 : open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (!over && fd < 0)
        err = yo_diag_set(diag, YO_ERR_IO, "cannot write %.150s: %s", path, strerror(errno));
    else
        err = yo_file_replace(path, bytes, len, diag);
    if (fd >= 0) close(fd);
    if (fd >= 0 && err) unlink(path); /* the empty file created above */
    if (err) yo_diag_hint(diag, "give another name, such as: save %s", example);
    return err;
}
