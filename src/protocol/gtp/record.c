/* Keeps a loaded record, so that names, comments and variations are written back. The record does
 * not change while moves are played and taken back. When it is written, the game's moves are added
 * as a line and removed afterwards, so that moves taken back leave no trace. */
#include "game/go/sgf/info.h"
#include "game/go/sgf/line.h"
#include "protocol/gtp/internal.h"

void yo_gtp_record_drop(struct yo_gtp *gtp) {
    yo_sgf_delete(gtp->record.sgf);
    gtp->record = (struct yo_gtp_record){0};
}

void yo_gtp_record_set(struct yo_gtp *gtp, struct yo_sgf *sgf,
                       const struct sgf_replayed *replayed) {
    yo_gtp_record_drop(gtp);
    yo_gtp_take_game(gtp, replayed->game);
    struct sgf_info info = {0};
    yo_sgf_info_read(sgf, yo_sgf_root(sgf, 0), NULL, &info, NULL); /* it was read before */
    gtp->record = (struct yo_gtp_record){.sgf = sgf, .start = replayed->start, .rules = info.rules};
    yo_sgf_line_mark(replayed);
    yo_gtp_new_game(gtp);
}

static enum yo_err write_rules(struct yo_gtp_record *record, const struct yo_go_rules *rules) {
    struct yo_sgf_node *root = yo_sgf_root(record->sgf, 0);
    enum yo_err err = yo_sgf_info_write(record->sgf, root, rules, &record->rules);
    if (!err) record->rules = *rules;
    return err;
}

static enum yo_err write_fresh(const struct yo_go_game *game, char **text, size_t *len) {
    struct yo_sgf *sgf;
    enum yo_err err = yo_sgf_from_game(game, NULL, &sgf);
    if (err) return err;
    err = yo_sgf_write(sgf, text, len);
    yo_sgf_delete(sgf);
    return err;
}

enum yo_err yo_gtp_record_write(struct yo_gtp *gtp, char **text, size_t *len) {
    struct yo_gtp_record *record = &gtp->record;
    struct yo_sgf_node *added;
    if (!record->sgf) return write_fresh(gtp->game, text, len);
    enum yo_err err = write_rules(record, yo_go_game_rules(gtp->game));
    if (err) return err;
    err = yo_sgf_line_add(record->sgf, record->start, gtp->game, &added);
    if (err == YO_ERR_UNSUPPORTED) return write_fresh(gtp->game, text, len);
    if (!err) err = yo_sgf_write(record->sgf, text, len);
    if (added) yo_sgf_line_cut(added);
    return err;
}
