/* yomi learn positions: games of a network with a policy as training positions. */
#include <stdio.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"
#include "cmd/learn/learn.h"
#include "game/shogi/packed.h"
#include "learn/netplay/samples.h"

struct games {
    size_t read, damaged;
};

static enum yo_err add_games(const char *path, double scale, struct games *games,
                             struct yo_buf *out, struct yo_diag *diag) {
    struct yo_netplay_record record = {0};
    struct yo_buf bytes = {0};
    size_t at = 0;
    enum yo_err err = yo_file_read(path, &bytes, diag);
    for (bool more = !err; more && !err;) {
        switch (yo_netplay_record_next(yo_buf_text(&bytes), bytes.len, &at, &record)) {
        case YO_NETPLAY_RECORD:
            games->read++;
            err = yo_netplay_samples(&record, scale, out, diag);
            if (err) yo_diag_where(diag, path, 0, 0);
            break;
        case YO_NETPLAY_DAMAGED:
            games->damaged++;
            break;
        case YO_NETPLAY_NO_MEMORY:
            err = yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory for a record");
            break;
        case YO_NETPLAY_CUT_OFF: /* self-play was killed: what is whole counts */
        case YO_NETPLAY_NO_MORE:
            more = false;
            break;
        }
    }
    yo_netplay_record_free(&record);
    yo_buf_free(&bytes);
    return err;
}

enum yo_err yo_learn_positions(const struct yo_options *o, struct yo_diag *diag) {
    const char *out = yo_options_text(o, "out");
    struct games games = {0};
    struct yo_buf samples = {0};
    struct yo_progress progress = {0};
    if (!out) return yo_diag_set(diag, YO_ERR_ARGUMENT, "give --out, the file of the positions");
    enum yo_err err = yo_file_can_replace(out, diag);
    for (size_t i = 1; !err && yo_options_argument(o, i); i++) {
        yo_learn_show_file(&progress, o, i);
        err = add_games(yo_options_argument(o, i), yo_options_real(o, "scale"), &games, &samples,
                        diag);
    }
    yo_progress_hide(&progress);
    if (!err && games.read == 0)
        err = yo_diag_set(diag, YO_ERR_PARSE, "there is no game of self-play in these files");
    if (!err) err = yo_file_replace(out, yo_buf_text(&samples), samples.len, diag);
    if (!err)
        printf("%zu positions of %zu games%s\n", samples.len / YO_SHOGI_SAMPLE, games.read,
               games.damaged ? "; some records are damaged" : "");
    yo_buf_free(&samples);
    return err;
}
