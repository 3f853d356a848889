#include "learn/go_record.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"

#define FIELDS 5

struct field {
    const char *text;
    size_t len;
};

static bool split(const char *line, size_t len, struct field *field) {
    const char *end = line + len;
    for (int i = 0; i < FIELDS; i++) {
        const char *tab = memchr(line, '\t', (size_t)(end - line));
        if ((i < FIELDS - 1) != (tab != NULL)) return false;
        field[i] = (struct field){line, (size_t)((tab ? tab : end) - line)};
        if (tab) line = tab + 1;
    }
    return true;
}

/* Reads a short number; false if the field is not exactly one number. */
static bool read_number(const struct field *f, double *number) {
    char text[24], *end;
    if (f->len == 0 || f->len >= sizeof text) return false;
    memcpy(text, f->text, f->len);
    text[f->len] = '\0';
    *number = strtod(text, &end);
    return *end == '\0' && *number > -10000 && *number < 10000;
}

/* ---- komi and rules ---- */

static double usual_komi(double year) {
    if (year < 1945) return 0;
    if (year < 1955) return 4.5;
    return year < 2002 ? 5.5 : 6.5;
}

static void read_rules(const struct field *field, struct yo_go_rules *rules) {
    double komi, year;
    if (!read_number(&field[1], &year)) year = 2000;
    if (!read_number(&field[2], &komi)) komi = usual_komi(year);
    bool area = komi >= 7.5;
    *rules = (struct yo_go_rules){
        .ko = YO_GO_KO_SIMPLE,
        .scoring = area ? YO_GO_AREA : YO_GO_TERRITORY,
        .tax = area ? YO_GO_TAX_NONE : YO_GO_TAX_SEKI,
        .handicap_bonus = area ? YO_GO_BONUS_N : YO_GO_BONUS_0,
        .friendly_pass_ok = true,
        .komi2 = (int)(2 * komi),
    };
}

/* ---- the result ---- */

static bool is_draw(const struct field *f) {
    static const char *const words[] = {"Jigo", "Draw", "0"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (f->len == strlen(words[i]) && memcmp(f->text, words[i], f->len) == 0) return true;
    return false;
}

/* "B+3.5", "W+R" and so on; anything else leaves the result open. */
static void read_result(const struct field *f, struct yo_go_record *record) {
    double lead;
    if (is_draw(f)) record->decided = record->counted = true;
    if (f->len < 2 || f->text[1] != '+' || (f->text[0] != 'B' && f->text[0] != 'W')) return;
    record->decided = true;
    record->winner = f->text[0] == 'B' ? YO_GO_BLACK : YO_GO_WHITE;
    struct field margin = {f->text + 2, f->len - 2};
    if (!read_number(&margin, &lead) || lead <= 0) return;
    record->counted = true;
    record->lead2 = (int)(record->winner == YO_GO_BLACK ? 2 * lead : -2 * lead);
}

/* ---- moves ---- */

static uint64_t hash_bytes(const char *bytes, size_t len) { /* FNV-1a */
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ (uint8_t)bytes[i]) * UINT64_C(0x100000001b3);
    return hash ^ hash >> 32;
}

static bool read_moves(const struct field *f, struct yo_go_record *record) {
    if (f->len % 3 != 0 || f->len / 3 > YO_GO_RECORD_MOVES) return false;
    record->count = (int)(f->len / 3);
    for (int i = 0; i < record->count; i++) {
        const char *move = f->text + (size_t)3 * (size_t)i;
        int col = move[1] - 'a', row = move[2] - 'a';
        if (move[0] != (i % 2 ? 'W' : 'B')) return false;
        bool pass = move[1] == 't' && move[2] == 't' && record->size <= 19;
        if (!pass && (col < 0 || row < 0 || col >= record->size || row >= record->size))
            return false;
        record->moves[i] = pass ? YO_GO_PASS : (yo_go_point)(row * record->size + col);
    }
    record->hash = hash_bytes(f->text, f->len);
    return true;
}

enum yo_err yo_go_record_parse(const char *line, size_t len, struct yo_go_record *record,
                               struct yo_diag *diag) {
    struct field field[FIELDS];
    double size;
    if (len > 0 && line[len - 1] == '\r') len--;
    if (!split(line, len, field))
        return yo_diag_set(diag, YO_ERR_PARSE, "a record has %d fields, with tabs between", FIELDS);
    if (!read_number(&field[0], &size) || size < YO_GO_SIZE_MIN || size > YO_GO_SIZE_MAX ||
        size != (int)size)
        return yo_diag_set(diag, YO_ERR_RANGE, "size %.*s: only %d to %d are played here",
                           (int)(field[0].len < 20 ? field[0].len : 20), field[0].text,
                           YO_GO_SIZE_MIN, YO_GO_SIZE_MAX);
    record->size = (int)size;
    record->winner = YO_GO_EMPTY;
    record->decided = record->counted = false;
    record->lead2 = 0;
    read_rules(field, &record->rules);
    read_result(&field[3], record);
    if (read_moves(&field[4], record)) return YO_OK;
    return yo_diag_set(diag, YO_ERR_PARSE, "moves are not Black's and White's by turns on %dx%d",
                       record->size, record->size);
}
