#include "cmd/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/file.h"
#include "base/nearest.h"

bool yo_config_path(struct yo_buf *path) {
    const char *own = getenv("YOMI_CONFIG"), *config = getenv("XDG_CONFIG_HOME");
    const char *home = getenv("HOME");
    if (own) {
        yo_buf_str(path, own);
        return own[0] != '\0';
    }
    if (config && config[0] == '/') /* the standard says: ignore a relative one */
        yo_buf_printf(path, "%s/yomi/config", config);
    else if (home && home[0])
        yo_buf_printf(path, "%s/.config/yomi/config", home);
    else
        return false;
    return true;
}

/* ---- one line ---- */

struct reader {
    const char *name;
    const struct yo_command *command; /* whose options are set */
    struct yo_options *options;
    const struct yo_command *section; /* NULL: for all commands */
    int number;
    struct yo_diag *diag;
};

static const char *trim(char *text) {
    size_t len = strlen(text);
    while (len > 0 && strchr(" \t\r", text[len - 1]))
        text[--len] = '\0';
    return text + strspn(text, " \t");
}

static enum yo_err begin_section(struct reader *r, char *line) {
    char *end = strchr(line, ']');
    if (!end || end[1 + strspn(end + 1, " \t\r")] != '\0')
        return yo_diag_set(r->diag, YO_ERR_PARSE, "%.80s is not [COMMAND]", line);
    *end = '\0';
    const char *name = trim(line + 1);
    r->section = yo_command_find(name);
    if (!r->section) return yo_command_unknown(name, r->diag);
    return YO_OK;
}

static const struct yo_option *find(const struct yo_command *command, const char *key) {
    return command->options ? yo_option_find(command->options, YO_ON_CLI, key) : NULL;
}

/* An option that the section does not have, or, above all sections, that no command has. */
static enum yo_err check_key(const struct reader *r, const char *key) {
    struct yo_nearest nearest = {.text = key};
    for (const struct yo_command *const *c = yo_commands; *c; c++) {
        if (r->section && *c != r->section) continue;
        if (find(*c, key)) return YO_OK;
        for (const struct yo_option *row = (*c)->options; row && row->key; row++)
            if (row->places & YO_ON_CLI) yo_nearest_offer(&nearest, row->key);
    }
    if (r->section)
        yo_diag_set(r->diag, YO_ERR_UNKNOWN, "yomi %s has no option %.80s", r->section->name, key);
    else
        yo_diag_set(r->diag, YO_ERR_UNKNOWN, "no command has an option %.80s", key);
    if (nearest.best) yo_diag_hint(r->diag, "did you mean %s?", nearest.best);
    return YO_ERR_UNKNOWN;
}

static enum yo_err set(struct reader *r, const char *key, const char *value) {
    enum yo_err err = check_key(r, key);
    if (err || !find(r->command, key) || (r->section && r->section != r->command)) return err;
    err = yo_options_set(r->options, YO_ON_CLI, key, value, r->diag);
    if (!err || !r->diag) return err;
    struct yo_diag why = *r->diag;
    yo_diag_set(r->diag, err, "%.60s: %.150s", key, why.what);
    if (why.hint[0]) yo_diag_hint(r->diag, "%s", why.hint);
    return err;
}

static enum yo_err read_line(struct reader *r, char *line) {
    line += strspn(line, " \t");
    if (line[0] == '#' || line[strspn(line, " \t\r")] == '\0') return YO_OK;
    if (line[0] == '[') return begin_section(r, line);
    char *equals = strchr(line, '=');
    if (!equals) {
        yo_diag_set(r->diag, YO_ERR_PARSE, "%.80s is not OPTION = VALUE", trim(line));
        yo_diag_hint(r->diag, "for example: threads = 4");
        return YO_ERR_PARSE;
    }
    *equals = '\0';
    const char *key = trim(line);
    if (strncmp(key, "--", 2) == 0) key += 2; /* as typed */
    return set(r, key, trim(equals + 1));
}

/* ---- the file ---- */

enum yo_err yo_config_read_text(const char *text, const char *name,
                                const struct yo_command *command, struct yo_options *options,
                                struct yo_diag *diag) {
    struct reader r = {.name = name, .command = command, .options = options, .diag = diag};
    struct yo_buf line = {0};
    enum yo_err err = YO_OK;
    if (strncmp(text, "\xef\xbb\xbf", 3) == 0) text += 3; /* some editors begin a file so */
    while (!err && *text) {
        size_t len = strcspn(text, "\n");
        r.number++;
        yo_buf_clear(&line);
        yo_buf_add(&line, text, len);
        yo_buf_char(&line, '\0'); /* so that data is there for an empty line, too */
        err = yo_buf_status(&line);
        if (err)
            yo_diag_set(diag, err, "out of memory");
        else
            err = read_line(&r, line.data);
        text += len + (text[len] == '\n');
    }
    if (err && err != YO_ERR_NOMEM) yo_diag_where(diag, name, r.number, 0);
    yo_buf_free(&line);
    return err;
}

enum yo_err yo_config_read(const struct yo_command *command, struct yo_options *options,
                           struct yo_diag *diag) {
    struct yo_buf path = {0}, text = {0};
    enum yo_err err = YO_OK;
    bool has = yo_config_path(&path);
    if (yo_buf_status(&path)) err = yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    /* A file that somebody names must be there. */
    has = has && (getenv("YOMI_CONFIG") || access(yo_buf_text(&path), F_OK) == 0);
    if (!err && has) err = yo_file_read_text(yo_buf_text(&path), &text, diag);
    if (!err && has && memchr(yo_buf_text(&text), '\0', text.len))
        err = yo_diag_set(diag, YO_ERR_PARSE, "%.150s is no text", yo_buf_text(&path));
    if (!err && has)
        err = yo_config_read_text(yo_buf_text(&text), yo_buf_text(&path), command, options, diag);
    yo_buf_free(&path);
    yo_buf_free(&text);
    return err;
}

/* ---- changing it ---- */

static bool is_section(const char *line, size_t len, const char *section) {
    size_t want = strlen(section);
    size_t blank = strspn(line, " \t");
    return len >= blank + want + 2 && line[blank] == '[' &&
           strncmp(line + blank + 1, section, want) == 0 && line[blank + 1 + want] == ']';
}

static bool is_key(const char *line, size_t len, const char *key) {
    char name[64];
    const char *equals = memchr(line, '=', len);
    if (!equals || (size_t)(equals - line) >= sizeof name) return false;
    snprintf(name, sizeof name, "%.*s", (int)(equals - line), line);
    return yo_name_equal(trim(name), key);
}

/* section "": the lines above the first section. */
void yo_config_set(const char *text, const char *section, const char *key, const char *value,
                   struct yo_buf *out) {
    bool here = section[0] == '\0', done = false;
    while (*text) {
        size_t len = strcspn(text, "\n");
        bool begins = text[strspn(text, " \t")] == '[';
        if (begins && here && !done) { /* the section ends without the option */
            yo_buf_printf(out, "%s = %s\n", key, value);
            done = true;
        }
        if (begins) here = is_section(text, len, section);
        if (here && !done && !begins && is_key(text, len, key)) {
            yo_buf_printf(out, "%s = %s\n", key, value);
            done = true;
        } else {
            yo_buf_add(out, text, len);
            yo_buf_char(out, '\n');
        }
        text += len + (text[len] == '\n');
    }
    if (done) return;
    if (!here) yo_buf_printf(out, "[%s]\n", section);
    yo_buf_printf(out, "%s = %s\n", key, value);
}
