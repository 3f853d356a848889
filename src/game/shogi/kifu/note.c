#include "game/shogi/kifu/note.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "game/shogi/kifu/reader.h"
#include "yomi/version.h"

/* These mark a note as Yomi's: the last line in ShogiHome's form, the first in floodgate's. */
#define ENGINE     "#エンジン="
#define HOME_MARK  ENGINE "Yomi "
#define FLOOD_MARK "Yomi: "

static const struct {
    int from; /* for Black; negated for White */
    const char *word;
} situations[] = {{1500, "勝勢"}, {600, "優勢"}, {400, "有利"}, {200, "有望"}};
#define SITUATIONS (sizeof situations / sizeof situations[0])
#define EVEN       "互角"

static const struct {
    double lost;
    const char *word;
} faults[] = {{0.5, "【大悪手】"}, {0.2, "【悪手】"}, {0.1, "【疑問手】"}, {0.05, "【緩手】"}};
#define FAULTS (sizeof faults / sizeof faults[0])

static bool is_mate(int score) {
    return score >= YO_SHOGI_NOTE_MATE_FROM || score <= -YO_SHOGI_NOTE_MATE_FROM;
}

/* ---- Writing ---- */

static void write_situation(struct yo_buf *out, int score) {
    int size = score < 0 ? -score : score;
    for (size_t i = 0; i < SITUATIONS; i++) {
        if (size < situations[i].from) continue;
        yo_buf_printf(out, "%s%s\n", score < 0 ? "後手" : "先手", situations[i].word);
        return;
    }
    yo_buf_str(out, EVEN "\n");
}

static void write_line(struct yo_buf *out, const struct yo_shogi_note *note,
                       const struct yo_shogi_position *start, int previous, bool csa) {
    struct yo_shogi_position pos = *start;
    for (size_t i = 0; i < note->length; i++) {
        if (csa) {
            yo_buf_char(out, ' ');
            yo_record_csa_text(&pos, note->line[i], out);
        } else {
            yo_buf_str(out, pos.side ? "△" : "▲");
            yo_record_ki2_text(&pos, note->line[i], previous, out);
        }
        previous = shogi_to(note->line[i]);
        yo_shogi_play(&pos, note->line[i]);
    }
}

static void write_home(struct yo_buf *out, const struct yo_shogi_note *note,
                       const struct yo_shogi_position *pos, int previous) {
    int score = note->score_black;
    for (size_t i = 0; i < FAULTS; i++)
        if (note->lost >= faults[i].lost) {
            yo_buf_printf(out, "%s\n", faults[i].word);
            break;
        }
    if (is_mate(score)) {
        int plies = YO_SHOGI_NOTE_MATE - (score < 0 ? -score : score);
        yo_buf_printf(out, "#詰み=%s", score < 0 ? "後手勝ち" : "先手勝ち");
        if (plies > 0) yo_buf_printf(out, ":%d手", plies);
        yo_buf_char(out, '\n');
    } else {
        write_situation(out, score);
        yo_buf_printf(out, "#評価値=%d\n", score);
    }
    if (note->length) {
        yo_buf_str(out, "#読み筋=");
        write_line(out, note, pos, previous, false);
        yo_buf_char(out, '\n');
    }
    yo_buf_printf(out, "#深さ=%d\n#ノード数=%" PRIu64 "\n" HOME_MARK "%s", note->depth, note->nodes,
                  yo_version());
}

void yo_shogi_note_write(struct yo_buf *out, enum yo_shogi_note_form form,
                         const struct yo_shogi_note *note, const struct yo_shogi_position *pos,
                         int previous) {
    if (form == YO_SHOGI_NOTE_HOME) {
        write_home(out, note, pos, previous);
        return;
    }
    yo_buf_printf(out, FLOOD_MARK "depth %d, %" PRIu64 " nodes\n* %d", note->depth, note->nodes,
                  note->score_black);
    write_line(out, note, pos, previous, true);
}

/* ---- Reading ---- */

static bool begins(const char *line, const char *word) {
    return strncmp(line, word, strlen(word)) == 0;
}

static bool is_line(const char *line, const char *word) {
    size_t len = strlen(word);
    return begins(line, word) && (line[len] == '\n' || line[len] == '\0');
}

static bool is_situation(const char *line) {
    if (is_line(line, EVEN)) return true;
    if (!begins(line, "先手") && !begins(line, "後手")) return false;
    for (size_t i = 0; i < SITUATIONS; i++)
        if (is_line(line + strlen("先手"), situations[i].word)) return true;
    return false;
}

static bool is_fault(const char *line) {
    for (size_t i = 0; i < FAULTS; i++)
        if (is_line(line, faults[i].word)) return true;
    return false;
}

static const char *next_line(const char *line) {
    const char *end = strchr(line, '\n');
    return end ? end + 1 : line + strlen(line);
}

/* The start of the line before `line`, which is not the first. */
static const char *line_before(const char *text, const char *line) {
    for (line--; line > text && line[-1] != '\n'; line--)
        ;
    return line;
}

/* Finds Yomi's note in a text: from *start to the returned end; NULL if there is none. */
static const char *find_home(const char *text, const char **start) {
    const char *last = text;
    while (*last && !begins(last, HOME_MARK))
        last = next_line(last);
    if (!*last) return NULL;
    *start = last;
    while (*start > text) {
        const char *line = line_before(text, *start);
        if (*line != '#' || begins(line, ENGINE)) break;
        *start = line;
    }
    if (*start > text && is_situation(line_before(text, *start)))
        *start = line_before(text, *start);
    if (*start > text && is_fault(line_before(text, *start))) *start = line_before(text, *start);
    return next_line(last);
}

static const char *find_flood(const char *text, const char **start) {
    for (const char *line = text; *line; line = next_line(line)) {
        const char *second = next_line(line);
        if (!begins(line, FLOOD_MARK) || !begins(second, "* ")) continue;
        *start = line;
        return next_line(second);
    }
    return NULL;
}

static const char *find(const char *text, enum yo_shogi_note_form form, const char **start) {
    return form == YO_SHOGI_NOTE_HOME ? find_home(text, start) : find_flood(text, start);
}

static bool read_number(const char *at, int *number) {
    char *end;
    long value = strtol(at, &end, 10);
    if (end == at || value < -YO_SHOGI_NOTE_MATE || value > YO_SHOGI_NOTE_MATE) return false;
    *number = (int)value;
    return true;
}

/* "#詰み=先手勝ち:15手" */
static bool read_mate(const char *at, int *score) {
    int plies = 0, sign = begins(at, "先手勝ち") ? 1 : -1;
    if (sign < 0 && !begins(at, "後手勝ち")) return false;
    at += strlen("先手勝ち");
    if (*at == ':' && !read_number(at + 1, &plies)) return false;
    *score = sign * (YO_SHOGI_NOTE_MATE - plies);
    return is_mate(*score);
}

bool yo_shogi_note_read(const char *comment, enum yo_shogi_note_form form, int *score) {
    const char *line = NULL, *end = find(comment, form, &line);
    if (end && form == YO_SHOGI_NOTE_FLOODGATE)
        return read_number(next_line(line) + strlen("* "), score);
    for (; end && line < end; line = next_line(line)) {
        if (begins(line, "#評価値=")) return read_number(line + strlen("#評価値="), score);
        if (begins(line, "#詰み=")) return read_mate(line + strlen("#詰み="), score);
    }
    return false;
}

void yo_shogi_note_strip(const char *comment, enum yo_shogi_note_form form, struct yo_buf *out) {
    size_t before = out->len;
    const char *start, *end;
    while ((end = find(comment, form, &start))) {
        yo_buf_add(out, comment, (size_t)(start - comment));
        comment = end;
    }
    yo_buf_str(out, comment);
    while (out->len > before && !out->failed && out->data[out->len - 1] == '\n')
        out->data[--out->len] = '\0';
}
