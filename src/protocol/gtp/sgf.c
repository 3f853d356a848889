/* Reads and writes game records. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "game/go/sgf/info.h"
#include "protocol/gtp/internal.h"
#include "yomi/sgf.h"

static enum yo_err refuse_files(struct yo_diag *diag) {
    return yo_diag_set(diag, YO_ERR_STATE, "cannot load or save: files are not allowed here");
}

/* `loadsgf FILE D4` stops before the first move at D4. Plays the whole record first, to get the
 * board size and to report errors after that move. */
static enum yo_err replay_to_point(const struct yo_sgf *sgf, const struct yo_go_rules *rules,
                                   const char *text, struct sgf_replayed *replayed,
                                   struct yo_diag *diag) {
    struct sgf_stop stop = {0, YO_GO_NONE};
    char quoted[48];
    enum yo_err err = yo_sgf_replay(sgf, 0, rules, stop, replayed, diag);
    if (err) return err;
    int size = yo_go_game_size(replayed->game);
    yo_go_game_delete(replayed->game);
    err = yo_go_point_parse(yo_gtp_quote(text, quoted), size, &stop.point, diag);
    if (!err) err = yo_sgf_replay(sgf, 0, rules, stop, replayed, diag);
    if (err || replayed->stopped) return err;
    yo_go_game_delete(replayed->game);
    return yo_diag_set(diag, YO_ERR_RANGE, "no move at %s in this game", quoted);
}

/* Move 0, or no move number: the whole record. */
static enum yo_err replay(const struct yo_sgf *sgf, const struct yo_go_rules *rules,
                          const char *until, struct sgf_replayed *replayed, struct yo_diag *diag) {
    if (until && until[strspn(until, "0123456789")] != '\0')
        return replay_to_point(sgf, rules, until, replayed, diag);
    struct sgf_stop stop = {until ? strtoul(until, NULL, 10) : 0, YO_GO_NONE};
    return yo_sgf_replay(sgf, 0, rules, stop, replayed, diag);
}

static void tell(const struct yo_gtp *gtp, const struct yo_diag *warning) {
    char text[512];
    if (warning->err == YO_OK || !gtp->config.notice) return;
    yo_diag_format(warning, text, sizeof text);
    gtp->config.notice(gtp->config.user, text);
}

/* Of rules, komi and handicap that could not be read: the current ones are kept. */
static void tell_odd(const struct yo_gtp *gtp, const struct yo_sgf *sgf,
                     const struct yo_go_rules *rules) {
    struct sgf_info info;
    struct yo_diag odd = {0};
    if (yo_sgf_info_read(sgf, yo_sgf_root(sgf, 0), rules, &info, NULL)) return;
    for (int i = 0; yo_sgf_info_warning(&info, i, &odd); i++)
        tell(gtp, &odd);
}

/* Of a collection GTP can load no other. */
static void tell_others(const struct yo_gtp *gtp, const struct yo_sgf *sgf, const char *path) {
    char text[160], quoted[48];
    size_t games = yo_sgf_game_count(sgf);
    if (games < 2 || !gtp->config.notice) return;
    snprintf(text, sizeof text, "%s has %zu games; the first is loaded", yo_gtp_quote(path, quoted),
             games);
    gtp->config.notice(gtp->config.user, text);
}

YO_GTP_HANDLER(loadsgf) {
    (void)out;
    struct yo_sgf *sgf = NULL;
    struct sgf_replayed replayed;
    if (gtp->config.no_files) return refuse_files(diag);
    enum yo_err err = yo_sgf_load(line->args[0], &sgf, diag);
    /* A record without rules or komi keeps the current ones, as KataGo does. */
    const struct yo_go_rules rules = *yo_go_game_rules(gtp->game);
    if (!err)
        err = replay(sgf, &rules, line->arg_count > 1 ? line->args[1] : NULL, &replayed, diag);
    if (err) {
        yo_sgf_delete(sgf);
        char reason[512]; /* includes file, line and column */
        yo_diag_format(diag, reason, sizeof reason);
        return yo_diag_set(diag, err, "cannot load file: %s", reason);
    }
    const struct yo_diag *warning;
    for (size_t i = 0; (warning = yo_sgf_warning(sgf, i)); i++)
        tell(gtp, warning);
    tell(gtp, &replayed.warning);
    tell_odd(gtp, sgf, &rules);
    tell_others(gtp, sgf, line->args[0]);
    yo_gtp_record_set(gtp, sgf, &replayed);
    return YO_OK;
}

YO_GTP_HANDLER(printsgf) {
    char *text = NULL;
    size_t len;
    bool to_file = line->arg_count > 0 && strcmp(line->args[0], "-") != 0;
    if (to_file && gtp->config.no_files) return refuse_files(diag);
    enum yo_err err = yo_gtp_record_write(gtp, &text, &len);
    if (err) return yo_diag_set(diag, err, "cannot make a record: %s", yo_err_text(err));
    if (to_file)
        err = yo_file_replace(line->args[0], text, len, diag);
    else
        yo_buf_add(out, text, len);
    yo_sgf_free_text(text);
    return err;
}
