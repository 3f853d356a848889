#include "learn/probability.h"

#include <string.h>

#include "base/diag.h"
#include "game/shogi/kifu/record.h"
#include "game/shogi/movegen.h"
#include "game/shogi/text.h"

static void learn_record(struct yo_probability_table *t, const struct yo_shogi_record *record,
                         int skip) {
    struct yo_shogi_position pos = record->start;
    yo_shogi_move last = YO_SHOGI_NO_MOVE;
    int number = 0;
    for (int n = record->nodes[0].child; n != YO_SHOGI_NO_NODE; n = record->nodes[n].child) {
        yo_shogi_move move = record->nodes[n].move;
        if (record->nodes[n].end) break;
        if (number++ >= skip) yo_probability_count(t, &pos, move, last);
        yo_shogi_play(&pos, move);
        last = move;
    }
    t->games++;
}

/* ---- Lines of USI ---- */

static size_t next_word(const char **at, const char *end, char word[16]) {
    while (*at < end && strchr(" \t\r", **at))
        ++*at;
    const char *start = *at;
    while (*at < end && !strchr(" \t\r", **at))
        ++*at;
    size_t len = (size_t)(*at - start), kept = len < 15 ? len : 15;
    memcpy(word, start, kept);
    word[kept] = '\0';
    return len;
}

static const char *find_moves(const char *line, const char *end) {
    for (const char *at = line; at + 6 <= end; at++)
        if (memcmp(at, " moves", 6) == 0) return at;
    return end;
}

static enum yo_err read_start(const char *line, const char *end, struct yo_shogi_position *pos,
                              struct yo_diag *diag) {
    if (end - line >= 8 && memcmp(line, "startpos", 8) == 0) {
        yo_shogi_position_start(pos);
        return YO_OK;
    }
    struct yo_buf sfen = {0};
    yo_buf_add(&sfen, line, (size_t)(end - line));
    enum yo_err err = yo_buf_status(&sfen);
    if (!err) err = yo_shogi_sfen_parse(yo_buf_text(&sfen), pos, diag);
    yo_buf_free(&sfen);
    return err;
}

static enum yo_err learn_line(struct yo_probability_table *t, const char *line, const char *end,
                              int skip, struct yo_diag *diag) {
    struct yo_shogi_position pos;
    const char *begin = line;
    if (end - line > 9 && memcmp(line, "position ", 9) == 0) line += 9;
    const char *at = find_moves(line, end);
    enum yo_err err = read_start(line, at, &pos, diag);
    if (err) return err;
    at = at < end ? at + 6 : end;
    yo_shogi_move last = YO_SHOGI_NO_MOVE, move;
    char word[16];
    for (int number = 0; next_word(&at, end, word); number++) {
        if (yo_shogi_move_parse(word, &move, NULL) || !yo_shogi_move_is_sound(&pos, move)) {
            yo_diag_set(diag, YO_ERR_ILLEGAL, "%s is not a legal move there", word);
            if (diag) diag->column = (int)(at - begin) - (int)strlen(word) + 1;
            return YO_ERR_ILLEGAL;
        }
        if (number >= skip) yo_probability_count(t, &pos, move, last);
        yo_shogi_play(&pos, move);
        last = move;
    }
    t->games++;
    return YO_OK;
}

static bool is_usi(const char *bytes, size_t len) {
    static const char *const starts[] = {"startpos", "position ", "sfen "};
    for (int i = 0; i < 3; i++) {
        size_t start = strlen(starts[i]);
        if (len >= start && memcmp(bytes, starts[i], start) == 0) return true;
    }
    return false;
}

static enum yo_err learn_lines(struct yo_probability_table *t, const char *bytes, size_t len,
                               const char *name, int skip, struct yo_diag *diag) {
    const char *end = bytes + len;
    for (int number = 1; bytes < end; number++) {
        const char *stop = memchr(bytes, '\n', (size_t)(end - bytes));
        if (!stop) stop = end;
        if (stop > bytes && *bytes != '#' && *bytes != '\r') {
            enum yo_err err = learn_line(t, bytes, stop, skip, diag);
            if (err) {
                yo_diag_where(diag, name, number, diag ? diag->column : 0);
                return err;
            }
        }
        bytes = stop + 1;
    }
    return YO_OK;
}

enum yo_err yo_probability_learn(struct yo_probability_table *table, const char *bytes, size_t len,
                                 const char *name, int skip, struct yo_diag *diag) {
    struct yo_probability_table t = *table;
    enum yo_err err;
    if (is_usi(bytes, len)) {
        err = learn_lines(&t, bytes, len, name, skip, diag);
    } else {
        struct yo_shogi_record *record;
        err = yo_shogi_record_parse(bytes, len, name, &record, diag);
        if (!err) {
            learn_record(&t, record, skip);
            yo_shogi_record_delete(record);
        }
    }
    if (!err) *table = t;
    return err;
}
