#include "cmd/play/person.h"

#include <stdio.h>

#include "base/alloc.h"
#include "cmd/talk.h"

enum yo_term_input yo_person_read(struct yo_term *term, int64_t until_ms, const char *instead,
                                  char line[YO_TERM_LINE_MAX], bool *quit) {
    yo_term_until(until_ms);
    enum yo_term_input input = yo_term_read(term, line);
    if (input == YO_TERM_TOO_LONG) yo_talk_say("That line is too long; type %s.", instead);
    if (input == YO_TERM_END) *quit = true;
    bool unfinished = input == YO_TERM_END || input == YO_TERM_LATE;
    if (unfinished && term->interactive) putchar('\n');
    return input;
}

enum yo_err yo_person_save(const struct yo_person_saving *how, void *game, const char *typed,
                           struct yo_keep *keep, char **saved_as, struct yo_diag *diag) {
    struct yo_buf path = {0};
    if (!*typed) {
        yo_diag_set(diag, YO_ERR_ARGUMENT, "save needs a file");
        yo_diag_hint(diag, "for example: save %s", how->example);
        return YO_ERR_ARGUMENT;
    }
    yo_talk_complete_path(&path, typed, how->ending);
    enum yo_err err = yo_buf_status(&path);
    if (!err) err = how->write(game, yo_buf_text(&path), diag);
    if (err) {
        yo_buf_free(&path);
        return err;
    }
    yo_talk_say("Saved to %s.", yo_buf_text(&path));
    yo_keep_drop(keep);
    yo_free(*saved_as);
    *saved_as = path.data;
    return YO_OK;
}
