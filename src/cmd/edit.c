#include "cmd/edit.h"

#ifdef YOMI_EDIT

#include <histedit.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "base/alloc.h"
#include "cmd/term.h"

#define LINES_KEPT    200
#define TEXT(number)  TEXT_OF(number)
#define TEXT_OF(text) #text

struct yo_edit {
    EditLine *line;
    History *history;
    locale_t locale; /* libedit cuts bytes into characters by the locale */
    mbstate_t state;
    const char *prompt;
};

const char *yo_edit_library(void) { return TEXT(LIBEDIT_MAJOR) "." TEXT(LIBEDIT_MINOR); }

static struct yo_edit *of(EditLine *line) {
    struct yo_edit *edit = NULL;
    el_get(line, EL_CLIENTDATA, &edit);
    return edit;
}

/* libedit's type; it does not write to the text. */
static char *show_prompt(EditLine *line) {
    union {
        const char *text;
        char *theirs;
    } prompt = {of(line)->prompt};
    return prompt.theirs;
}

/* Returns the number of characters: 1, or 0 at the end. Bytes that are no character are dropped. */
static int next_char(EditLine *line, wchar_t *c) {
    struct yo_edit *edit = of(line);
    char byte;
    while (yo_term_bytes(&byte, 1) == 1) {
        size_t len = mbrtowc(c, &byte, 1, &edit->state);
        if (len == (size_t)-1) memset(&edit->state, 0, sizeof edit->state);
        if (len == 1) return 1;
    }
    return 0;
}

static bool set_up(struct yo_edit *edit, bool utf8) {
    HistEvent event;
    edit->locale = newlocale(LC_CTYPE_MASK, utf8 ? "C.UTF-8" : "C", (locale_t)0);
    edit->history = history_init();
    if (!edit->locale || !edit->history) return false;
    locale_t before = uselocale(edit->locale);
    edit->line = el_init("yomi", stdin, stdout, stderr);
    uselocale(before);
    if (!edit->line) return false;
    el_set(edit->line, EL_CLIENTDATA, edit);
    el_set(edit->line, EL_PROMPT, show_prompt);
    el_set(edit->line, EL_EDITOR, "emacs");
    el_set(edit->line, EL_SIGNAL, 1);
    el_set(edit->line, EL_GETCFN, next_char);
    el_set(edit->line, EL_HIST, history, edit->history);
    return history(edit->history, &event, H_SETSIZE, LINES_KEPT) >= 0 &&
           history(edit->history, &event, H_SETUNIQUE, 1) >= 0;
}

struct yo_edit *yo_edit_new(bool utf8) {
    struct yo_edit *edit = yo_alloc(1, sizeof *edit);
    if (!edit || set_up(edit, utf8)) return edit;
    yo_edit_delete(edit);
    return NULL;
}

void yo_edit_delete(struct yo_edit *edit) {
    if (!edit) return;
    if (edit->line) el_end(edit->line);
    if (edit->history) history_end(edit->history);
    if (edit->locale) freelocale(edit->locale);
    yo_free(edit);
}

const char *yo_edit_read(struct yo_edit *edit, const char *prompt, size_t *len) {
    HistEvent event;
    int count = 0;
    edit->prompt = prompt;
    memset(&edit->state, 0, sizeof edit->state);
    fflush(stdout);
    locale_t before = uselocale(edit->locale);
    const char *text = el_gets(edit->line, &count);
    if (text && text[strspn(text, " \t\n")]) history(edit->history, &event, H_ENTER, text);
    uselocale(before);
    if (!text || count <= 0) return NULL;
    *len = strcspn(text, "\r\n");
    return text;
}

#else

const char *yo_edit_library(void) { return NULL; }

struct yo_edit *yo_edit_new(bool utf8) {
    (void)utf8;
    return NULL;
}

void yo_edit_delete(struct yo_edit *edit) { (void)edit; }

const char *yo_edit_read(struct yo_edit *edit, const char *prompt, size_t *len) {
    (void)edit, (void)prompt, (void)len;
    return NULL;
}

#endif
