#include "protocol/gtp/line.h"

#include <string.h>

#include "base/alloc.h"

static enum yo_err reserve_text(struct yo_gtp_line *line, size_t len) {
    if (len < line->text_cap) return YO_OK;
    char *text = yo_realloc(line->text, len + 1, 1);
    if (text) line->text = text;
    char *words = yo_realloc(line->words, len + 1, 1);
    if (words) line->words = words;
    if (!text || !words) return YO_ERR_NOMEM;
    line->text_cap = len + 1;
    return YO_OK;
}

static enum yo_err add_arg(struct yo_gtp_line *line, char *arg) {
    if (line->arg_count == line->args_cap) {
        size_t cap = line->args_cap ? 2 * line->args_cap : 16;
        char **args = yo_realloc(line->args, cap, sizeof *args);
        if (!args) return YO_ERR_NOMEM;
        line->args = args;
        line->args_cap = cap;
    }
    line->args[line->arg_count++] = arg;
    return YO_OK;
}

/* Copies the line without control characters, comment and outer blanks, adds a NUL, and returns the
 * length. */
static size_t clean(char *out, const char *bytes, size_t len) {
    size_t n = 0;
    for (size_t i = 0; i < len && bytes[i] != '#'; i++) {
        unsigned char c = (unsigned char)bytes[i];
        if (c == '\t') c = ' ';
        if (c < ' ' || c == 0x7f) continue;
        if (c == ' ' && n == 0) continue;
        out[n++] = (char)c;
    }
    while (n > 0 && out[n - 1] == ' ')
        n--;
    out[n] = '\0';
    return n;
}

static bool is_number(const char *word) {
    return *word && word[strspn(word, "0123456789")] == '\0';
}

/* Cuts the next word off *p, or returns NULL at the end. */
static char *next_word(char **p) {
    char *word = *p + strspn(*p, " ");
    if (*word == '\0') return NULL;
    char *end = word + strcspn(word, " ");
    *p = *end ? end + 1 : end;
    *end = '\0';
    return word;
}

enum yo_err yo_gtp_line_parse(struct yo_gtp_line *line, const char *bytes, size_t len) {
    line->id = line->rest = "";
    line->command = NULL;
    line->arg_count = 0;
    enum yo_err err = reserve_text(line, len);
    if (err) return err;
    size_t n = clean(line->text, bytes, len);
    memcpy(line->words, line->text, n + 1);

    char *p = line->words, *word = next_word(&p);
    if (word && is_number(word)) {
        line->id = word;
        word = next_word(&p);
        if (!word) word = p; /* an id alone needs an answer too: an empty command */
    }
    line->command = word;
    if (!word) return YO_OK;
    line->rest = line->text + (p - line->words);
    line->rest += strspn(line->rest, " ");
    while (!err && (word = next_word(&p)))
        err = add_arg(line, word);
    return err;
}

void yo_gtp_line_free(struct yo_gtp_line *line) {
    yo_free(line->text);
    yo_free(line->words);
    yo_free(line->args);
    memset(line, 0, sizeof *line);
}

bool yo_gtp_line_is_interrupt(const char *bytes, size_t len) {
    static const char wanted[] = "# interrupt";
    while (len > 0 && (bytes[len - 1] == '\r' || bytes[len - 1] == ' '))
        len--;
    return len == sizeof wanted - 1 && memcmp(bytes, wanted, len) == 0;
}
