/* position [startpos | sfen SFEN] [moves MOVE...] */
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "game/shogi/movegen.h"
#include "protocol/usi_internal.h"

/* The SFEN's up to four words, up to "moves" or the end. */
static enum yo_err read_sfen(const char **rest, struct yo_shogi_position *pos,
                             struct yo_diag *diag) {
    struct yo_buf sfen = {0};
    const char *moves = strstr(*rest, " moves");
    size_t len = moves ? (size_t)(moves - *rest) : strlen(*rest);
    while (len > 0 && strchr(" \t\r\n", (*rest)[len - 1]))
        len--;
    yo_buf_add(&sfen, *rest, len);
    enum yo_err err = yo_buf_status(&sfen);
    if (!err) err = yo_shogi_sfen_parse(yo_buf_text(&sfen), pos, diag);
    yo_buf_free(&sfen);
    *rest += len;
    return err;
}

static bool read_start(struct yo_usi *usi, const char **rest, struct yo_shogi_position *pos) {
    char word[32];
    struct yo_diag diag = {.what = "out of memory"};
    yo_usi_word(rest, word, sizeof word);
    if (strcmp(word, "startpos") == 0) {
        yo_shogi_position_start(pos);
        return true;
    }
    if (strcmp(word, "sfen") != 0) {
        yo_usi_say(usi, "info string position takes startpos or sfen");
        return false;
    }
    if (read_sfen(rest, pos, &diag) == YO_OK) return true;
    yo_usi_say(usi, "info string sfen: %s", diag.what);
    return false;
}

static bool read_moves(struct yo_usi *usi, const char *rest, struct yo_shogi_position *pos,
                       struct yo_shogi_past *past, size_t *count) {
    char word[32];
    if (!yo_usi_word(&rest, word, sizeof word)) return true;
    if (strcmp(word, "moves") != 0) {
        yo_usi_say(usi, "info string expected moves, not %s", word);
        return false;
    }
    while (yo_usi_word(&rest, word, sizeof word)) {
        yo_shogi_move move;
        if (yo_shogi_move_parse(word, &move, NULL) || !yo_shogi_move_is_sound(pos, move)) {
            yo_usi_say(usi, "info string illegal move %s", word);
            return false;
        }
        yo_shogi_play(pos, move);
        past[*count] = yo_shogi_past_next(&past[*count - 1], pos);
        ++*count;
    }
    return true;
}

void yo_usi_position(struct yo_usi *usi, const char *rest) {
    yo_usi_stop(usi, false);
    struct yo_shogi_position pos;
    /* A move and its space take five characters or more. */
    struct yo_shogi_past *past = yo_alloc(strlen(rest) / 5 + 2, sizeof *past);
    size_t count = 1;
    if (!past) {
        yo_usi_say(usi, "info string out of memory");
        return;
    }
    if (!read_start(usi, &rest, &pos)) {
        yo_free(past);
        return;
    }
    past[0] = yo_shogi_past_first(&pos);
    if (!read_moves(usi, rest, &pos, past, &count)) {
        yo_free(past);
        return;
    }
    yo_free(usi->past);
    usi->past = past;
    usi->past_count = count;
    usi->pos = pos;
}
