/* Reads bytes into a record: detects charset and format; helpers that the readers share. */
#include <string.h>

#include "base/charset.h"
#include "base/diag.h"
#include "game/shogi/kifu/reader.h"
#include "game/shogi/movegen.h"
#include "game/shogi/text.h"

#define BYTE_ORDER_MARK "\xef\xbb\xbf"
#define WIDE_SPACE      "\xe3\x80\x80"

bool yo_record_next_line(struct record_reader *r) {
    if (r->line_end >= r->text_end && r->line > 0) return false;
    const char *start = r->line == 0 ? r->at : r->line_end;
    if (r->line > 0) { /* skip the trimmed white space and the line break */
        while (start < r->text_end && *start != '\n' && *start != '\r')
            start++;
        if (start < r->text_end) start += start[0] == '\r' && start[1] == '\n' ? 2 : 1;
        if (start >= r->text_end) return false;
    }
    const char *end = start + strcspn(start, "\r\n");
    if (end > r->text_end) end = r->text_end;
    r->line_stop = end;
    while (end > start && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    r->at = r->line_start = start;
    r->line_end = end;
    r->line++;
    return true;
}

void yo_record_skip_space(struct record_reader *r) {
    for (;;) {
        if (!record_at_end(r) && (*r->at == ' ' || *r->at == '\t'))
            r->at++;
        else if (!yo_record_take(r, WIDE_SPACE))
            return;
    }
}

bool yo_record_take(struct record_reader *r, const char *word) {
    size_t len = strlen(word);
    if ((size_t)(r->line_end - r->at) < len || memcmp(r->at, word, len) != 0) return false;
    r->at += len;
    return true;
}

int64_t yo_record_number(struct record_reader *r, int64_t limit) {
    if (record_at_end(r) || *r->at < '0' || *r->at > '9') return -1;
    int64_t number = 0;
    for (; !record_at_end(r) && *r->at >= '0' && *r->at <= '9'; r->at++)
        if (number <= limit) number = 10 * number + (*r->at - '0');
    return number < limit ? number : limit;
}

enum yo_err yo_record_fail(const struct record_reader *r, enum yo_err err, const char *what) {
    int column = 1;
    for (const char *p = r->line_start; p < r->at; p++)
        if (((unsigned char)*p & 0xc0) != 0x80) column++;
    yo_diag_set(r->diag, err, "%s", what);
    yo_diag_where(r->diag, r->name ? r->name : "", r->line > 0 ? r->line : 1, column);
    return err;
}

static enum yo_err add(struct record_reader *r, yo_shogi_move move, enum yo_shogi_end end) {
    if (r->record->nodes[r->node].end)
        return yo_record_fail(r, YO_ERR_PARSE, "there can be no move after the end of a game");
    enum yo_err err = yo_shogi_record_add(r->record, r->node, move, end, &r->node);
    if (err == YO_ERR_RANGE) return yo_record_fail(r, err, "the game is too long");
    return err ? yo_record_fail(r, err, "out of memory") : YO_OK;
}

enum yo_err yo_record_settle(struct record_reader *r, const struct record_setup *setup, int side) {
    struct yo_shogi_position *pos = &r->record->start;
    struct yo_diag diag;
    yo_shogi_position_clear(pos);
    for (int square = 0; square < YO_SHOGI_SQUARES; square++)
        if (setup->board[square]) yo_shogi_position_put(pos, square, setup->board[square]);
    for (int s = 0; s < 2; s++)
        for (int kind = YO_SHOGI_PAWN; kind < YO_SHOGI_KING; kind++) {
            if (setup->hands[s][kind] > (kind == YO_SHOGI_PAWN ? 18 : 15))
                return yo_record_fail(r, YO_ERR_PARSE, "more pieces in hand than there are");
            yo_shogi_position_give(pos, s, kind, setup->hands[s][kind]);
        }
    if (yo_shogi_position_settle(pos, side, &diag))
        return yo_record_fail(r, YO_ERR_PARSE, diag.what);
    r->pos = *pos;
    r->positioned = true;
    return YO_OK;
}

enum yo_err yo_record_add_move(struct record_reader *r, yo_shogi_move move) {
    if (!yo_shogi_move_is_sound(&r->pos, move))
        return yo_record_fail(r, YO_ERR_ILLEGAL, "this move is illegal");
    enum yo_err err = add(r, move, YO_SHOGI_GOES_ON);
    if (!err) yo_shogi_play(&r->pos, move);
    return err;
}

enum yo_err yo_record_add_end(struct record_reader *r, enum yo_shogi_end end) {
    return add(r, YO_SHOGI_NO_MOVE, end);
}

static bool begins(const char *line, const char *word) {
    return strncmp(line, word, strlen(word)) == 0;
}

static bool is_csa_line(const char *line) {
    bool digit = line[0] && line[1] >= '0' && line[1] <= '9';
    if (line[0] == 'V' || line[0] == 'P') return digit || begins(line, "PI");
    if (line[0] == '+' || line[0] == '-') return digit || line[1] < ' ';
    return begins(line, "N+") || begins(line, "N-") || begins(line, "'");
}

static bool is_kif_line(const char *line) {
    static const char *const words[] = {"#KIF", "手数", "手合割", "後手の持駒", "先手の持駒", "|",
                                        "▲",    "△",    "☗",      "☖",          "*"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (begins(line, words[i])) return true;
    return false;
}

/* A line of USI: it begins with one of these words, or with a board of nine ranks in ASCII. */
static bool is_usi(const char *text) {
    static const char *const words[] = {"startpos", "position ", "sfen "};
    text += strspn(text, " \t\r\n");
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (begins(text, words[i])) return true;
    int ranks = 1;
    for (; *text && strchr("123456789+PLNSGBRKplnsgbrk/", *text); text++)
        ranks += *text == '/';
    return ranks == 9 && (*text == ' ' || *text == '\t');
}

/* The first line with a recognisable format decides. */
static enum yo_shogi_format sniff(const char *text) {
    if (text[strspn(text, " \t\r\n")] == '{') return YO_SHOGI_JKF;
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (is_csa_line(line)) return YO_SHOGI_CSA;
        if (is_kif_line(line)) return YO_SHOGI_KIF;
    }
    return text[0] == '$' ? YO_SHOGI_CSA : YO_SHOGI_KIF;
}

static enum yo_err read_text(struct record_reader *r, size_t len) {
    r->text_end = r->line_end = r->at + len;
    r->line_start = r->at;
    enum yo_err err = yo_shogi_record_new(&r->record);
    if (err) return yo_diag_set(r->diag, err, "not enough memory for a game record");
    yo_shogi_position_start(&r->pos);
    r->record->format = sniff(r->at);
    if (r->record->format == YO_SHOGI_KIF && is_usi(r->at)) return yo_record_read_usi(r);
    if (r->record->format == YO_SHOGI_JKF) return yo_record_read_jkf(r);
    return r->record->format == YO_SHOGI_CSA ? yo_record_read_csa(r) : yo_record_read_kif(r);
}

/* Valid UTF-8 is UTF-8; everything else is taken as Shift_JIS as on Windows (CP932). */
static const char *decode(const char *bytes, size_t len, struct yo_buf *text) {
    static const char *const others[] = {"CP932", "EUC-JP"};
    size_t mark = len >= 3 && memcmp(bytes, BYTE_ORDER_MARK, 3) == 0 ? 3 : 0;
    if (yo_utf8_valid(bytes, len)) {
        yo_buf_add(text, bytes + mark, len - mark);
        return "UTF-8";
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (yo_charset_convert("UTF-8", others[i], bytes, len, text)) return others[i];
    return NULL;
}

enum yo_err yo_shogi_record_parse(const char *bytes, size_t len, const char *name,
                                  struct yo_shogi_record **record, struct yo_diag *diag) {
    struct yo_buf text = {0};
    struct yo_diag ignored;
    struct record_reader r = {.name = name, .diag = diag ? diag : &ignored};
    const char *charset = decode(bytes, len, &text);
    r.at = yo_buf_text(&text);
    enum yo_err err;
    if (yo_buf_status(&text)) {
        err = yo_diag_set(r.diag, YO_ERR_NOMEM, "not enough memory for a game record");
    } else if (!charset) {
        r.line_start = r.at;
        err = yo_record_fail(&r, YO_ERR_PARSE, "the text is neither UTF-8 nor Shift_JIS");
    } else if (memchr(r.at, '\0', text.len)) {
        r.line_start = r.at;
        err = yo_record_fail(&r, YO_ERR_PARSE, "this is no text: it has bytes of zero");
    } else {
        err = read_text(&r, text.len);
    }
    yo_buf_free(&text);
    if (err) {
        yo_shogi_record_delete(r.record);
        return err;
    }
    r.record->charset = charset;
    *record = r.record;
    return YO_OK;
}

enum yo_err yo_shogi_record_write(const struct yo_shogi_record *record, enum yo_shogi_format format,
                                  struct yo_buf *out) {
    if (format == YO_SHOGI_JKF)
        yo_record_write_jkf(record, out);
    else if (format == YO_SHOGI_CSA)
        yo_record_write_csa(record, "UTF-8", out);
    else
        yo_record_write_kif(record, format == YO_SHOGI_KI2, "UTF-8", out);
    return yo_buf_status(out);
}
