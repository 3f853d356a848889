/* Game records read and written. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/gtp_internal.h"
#include "yomi/sgf.h"

static enum yo_err refuse_files(struct yo_diag *diag) {
    return yo_diag_set(diag, YO_ERR_STATE, "cannot load or save: files are not allowed here");
}

/* The number of the first move on a point, so that `loadsgf FILE D4` stops just before it. */
static enum yo_err find_move(const struct yo_go_game *game, const char *text, size_t *number,
                             struct yo_diag *diag) {
    yo_go_point wanted;
    char quoted[48];
    enum yo_err err =
        yo_go_point_parse(yo_gtp_quote(text, quoted), yo_go_game_size(game), &wanted, diag);
    if (err) return err;
    for (size_t i = 0; i < yo_go_game_move_count(game); i++)
        if (yo_go_game_move(game, i).move == wanted) {
            *number = i + 1;
            return YO_OK;
        }
    return yo_diag_set(diag, YO_ERR_RANGE, "no move at %s in this game", quoted);
}

static enum yo_err replay(const struct yo_sgf *sgf, const char *until,
                          struct sgf_replayed *replayed, struct yo_diag *diag) {
    size_t stop_at = 0;
    if (until && until[strspn(until, "0123456789")] == '\0') stop_at = strtoul(until, NULL, 10);
    enum yo_err err = yo_sgf_replay(sgf, 0, stop_at, replayed, diag);
    if (err || !until || stop_at) return err;
    if (strspn(until, "0") == strlen(until)) return YO_OK; /* move 0: all of it */
    err = find_move(replayed->game, until, &stop_at, diag);
    yo_go_game_delete(replayed->game);
    return err ? err : yo_sgf_replay(sgf, 0, stop_at, replayed, diag);
}

YO_GTP_HANDLER(loadsgf) {
    (void)out;
    struct yo_sgf *sgf = NULL;
    struct sgf_replayed replayed;
    if (gtp->config.no_files) return refuse_files(diag);
    enum yo_err err = yo_sgf_load(line->args[0], &sgf, diag);
    if (!err) err = replay(sgf, line->arg_count > 1 ? line->args[1] : NULL, &replayed, diag);
    if (err) {
        yo_sgf_delete(sgf);
        char reason[512]; /* where it went wrong is part of it */
        yo_diag_format(diag, reason, sizeof reason);
        return yo_diag_set(diag, err, "cannot load file: %s", reason);
    }
    yo_gtp_record_set(gtp, sgf, &replayed);
    return YO_OK;
}

static enum yo_err write_file(const char *path, const char *text, size_t len,
                              struct yo_diag *diag) {
    char quoted[48];
    FILE *file = fopen(path, "wb");
    bool good = file && fwrite(text, 1, len, file) == len;
    int why = errno;
    if (file && fclose(file) != 0) {
        good = false;
        why = errno;
    }
    if (good) return YO_OK;
    return yo_diag_set(diag, YO_ERR_IO, "cannot write '%s': %s", yo_gtp_quote(path, quoted),
                       strerror(why));
}

YO_GTP_HANDLER(printsgf) {
    char *text = NULL;
    size_t len;
    bool to_file = line->arg_count > 0 && strcmp(line->args[0], "-") != 0;
    if (to_file && gtp->config.no_files) return refuse_files(diag);
    enum yo_err err = yo_gtp_record_write(gtp, &text, &len);
    if (err) return yo_diag_set(diag, err, "cannot make a record: %s", yo_err_text(err));
    if (to_file)
        err = write_file(line->args[0], text, len, diag);
    else
        yo_buf_add(out, text, len);
    yo_sgf_free_text(text);
    return err;
}
