/* KIF and KI2: one reader, since they differ only in the notation of moves. kif_setup.c reads the
 * first position. */
#include <string.h>

#include "base/diag.h"
#include "game/shogi/kifu/reader.h"
#include "game/shogi/kifu/words.h"

struct kif {
    struct record_reader *r;
    struct kif_setup setup;
    int path[YO_SHOGI_RECORD_PLIES + 2]; /* the nodes of the line being read, by their ply */
    int path_end;                        /* the ply of the last node in path */
};

static enum yo_err fail(struct kif *k, const char *what) {
    return yo_record_fail(k->r, YO_ERR_PARSE, what);
}

/* ---- Headers ---- */

static enum yo_err add_header(struct kif *k, const char *key, size_t key_len) {
    struct record_reader *r = k->r;
    struct yo_buf name = {0}, value = {0};
    yo_buf_add(&name, key, key_len);
    yo_buf_add(&value, r->at, (size_t)(r->line_end - r->at));
    enum yo_err err = yo_buf_status(&name) ? YO_ERR_NOMEM : yo_buf_status(&value);
    if (!err) err = yo_shogi_record_add_header(r->record, yo_buf_text(&name), yo_buf_text(&value));
    yo_buf_free(&name);
    yo_buf_free(&value);
    return err ? yo_record_fail(r, err, "out of memory") : YO_OK;
}

static enum yo_err read_header(struct kif *k, const char *colon) {
    struct record_reader *r = k->r;
    const char *key = r->at;
    size_t len = (size_t)(colon - key);
    static const struct {
        const char *key;
        int side;
    } hands[] = {{"先手の持駒", 0}, {"下手の持駒", 0}, {"後手の持駒", 1}, {"上手の持駒", 1}};
    r->at = colon + (*colon == ':' ? 1 : strlen("："));
    for (size_t i = 0; i < 4; i++)
        if (len == strlen(hands[i].key) && memcmp(key, hands[i].key, len) == 0)
            return yo_record_kif_hand(&k->setup, hands[i].side);
    if (len == strlen("手合割") && memcmp(key, "手合割", len) == 0)
        return yo_record_kif_handicap(&k->setup);
    if (len == strlen("手番") && memcmp(key, "手番", len) == 0) {
        yo_record_kif_turn(&k->setup);
        return YO_OK;
    }
    return add_header(k, key, len);
}

/* ---- Moves ---- */

/* Above any real time. Larger values are clamped, so that written times can be read back. */
#define MINUTES_MAX 9999999

/* "( 0:16/00:00:16)": minutes and seconds, or hours too. The total is ignored and recomputed. */
static void read_time(struct record_reader *r) {
    yo_record_skip_space(r);
    if (!yo_record_take(r, "(")) return;
    int64_t seconds = 0, part;
    do {
        yo_record_skip_space(r);
        part = yo_record_number(r, MINUTES_MAX);
        if (part < 0) return;
        seconds = 60 * seconds + part;
    } while (seconds <= MINUTES_MAX && yo_record_take(r, ":"));
    if (seconds > 60 * MINUTES_MAX + 59) seconds = 60 * MINUTES_MAX + 59;
    r->record->nodes[r->node].time_ms = 1000 * seconds;
}

/* Other words for an end than those that are written. */
static const struct {
    const char *word;
    enum yo_shogi_end end;
} other_words[] = {{"時間切れ負け", YO_SHOGI_END_TIME_UP},
                   {"時間切れ", YO_SHOGI_END_TIME_UP},
                   {"詰", YO_SHOGI_END_MATE},
                   {"入玉宣言勝ち", YO_SHOGI_END_DECLARATION},
                   {"宣言勝ち", YO_SHOGI_END_DECLARATION},
                   {"トライ勝ち", YO_SHOGI_END_DECLARATION},
                   {"トライ", YO_SHOGI_END_DECLARATION}};
enum { OTHER_WORDS = sizeof other_words / sizeof other_words[0] };

/* Which end the line names, here or anywhere; *len is that of the word. The longest word wins:
 * 反則負け and 切れ負け end alike. */
static enum yo_shogi_end find_end(const struct record_reader *r, bool anywhere, size_t *len) {
    size_t left = (size_t)(r->line_end - r->at);
    int best = YO_SHOGI_GOES_ON;
    *len = 0;
    for (int i = 1; i < YO_SHOGI_ENDS + OTHER_WORDS; i++) {
        bool other = i >= YO_SHOGI_ENDS;
        const char *word = other ? other_words[i - YO_SHOGI_ENDS].word : yo_shogi_kif_ends[i];
        const char *found = memmem(r->at, left, word, strlen(word));
        if (!found || (!anywhere && found != r->at) || strlen(word) <= *len) continue;
        best = other ? (int)other_words[i - YO_SHOGI_ENDS].end : i;
        *len = strlen(word);
    }
    /* 反則勝ち: the side not to move committed the foul. */
    if (best == YO_SHOGI_END_FOUL_BY_BLACK && r->pos.side == YO_SHOGI_BLACK)
        best = YO_SHOGI_END_FOUL_BY_WHITE;
    return (enum yo_shogi_end)best;
}

static void remember(struct kif *k) {
    k->path_end = k->r->record->nodes[k->r->node].ply;
    k->path[k->path_end] = k->r->node;
}

static int previous_target(const struct kif *k) {
    yo_shogi_move move = k->r->record->nodes[k->r->node].move;
    return move ? shogi_to(move) : YO_SHOGI_NO_SQUARE;
}

static enum yo_err read_move(struct kif *k) {
    yo_shogi_move move;
    const char *start = k->r->at;
    enum yo_err err = yo_record_kif_move(k->r, previous_target(k), &move);
    if (err) return err;
    const char *end = k->r->at;
    k->r->at = start;
    err = yo_record_add_move(k->r, move);
    k->r->at = end;
    if (!err) remember(k);
    return err;
}

static enum yo_err read_move_or_end(struct kif *k) {
    struct record_reader *r = k->r;
    size_t len;
    enum yo_shogi_end end = find_end(r, false, &len);
    if (!end) return read_move(k);
    enum yo_err err = yo_record_add_end(r, end);
    if (err) return err;
    r->at += len;
    remember(k);
    return YO_OK;
}

static bool line_has(const struct record_reader *r, const char *word) {
    return memmem(r->at, (size_t)(r->line_end - r->at), word, strlen(word));
}

/* Says the next line of moves that this one was a foul: 反則勝ち, or まで...反則...? */
static bool foul_follows(const struct kif *k) {
    struct record_reader r = *k->r;
    while (yo_record_next_line(&r)) {
        yo_record_skip_space(&r);
        if (record_at_end(&r) || strchr("#*&", *r.at)) continue;
        if (yo_record_take(&r, "まで")) return line_has(&r, "反則");
        bool numbered = yo_record_number(&r, YO_SHOGI_RECORD_PLIES) >= 0;
        yo_record_skip_space(&r);
        return numbered && yo_record_take(&r, yo_shogi_kif_ends[YO_SHOGI_END_FOUL_BY_BLACK]);
    }
    return false;
}

/* An illegal move ends the game as a foul of its side, and becomes a comment: a record has legal
 * moves alone. */
static enum yo_err add_foul(struct kif *k) {
    struct record_reader *r = k->r;
    const char *move = r->at, *time = memmem(move, (size_t)(r->line_end - move), " (", 2);
    const char *end = time ? time : r->line_end;
    while (end > move && end[-1] == ' ')
        end--;
    enum yo_err err = yo_record_add_end(r, YO_SHOGI_END_FOUL);
    if (err) return err;
    struct yo_buf line = {0};
    yo_buf_printf(&line, "反則手：%.*s", (int)(end - move), move);
    err = yo_buf_status(&line);
    if (!err)
        err = yo_shogi_record_add_line(r->record, &r->record->nodes[r->node].comment,
                                       yo_buf_text(&line), line.len);
    yo_buf_free(&line);
    if (err) return yo_record_fail(r, err, "out of memory");
    *r->diag = (struct yo_diag){0};
    r->at = end;
    remember(k);
    return YO_OK;
}

/* The side of the sign before a move; -1 if there is none. */
static int take_sign(struct record_reader *r) {
    static const char *const signs[2][4] = {{"▲", "☗", "▼", NULL}, {"△", "☖", "▽", NULL}};
    for (int side = 0; side < 2; side++)
        for (int i = 0; signs[side][i]; i++)
            if (yo_record_take(r, signs[side][i])) return side;
    return -1;
}

/* "   1 ７六歩(77)   ( 0:16/00:00:16)"; some programs write the side's sign before the move. */
static enum yo_err read_numbered(struct kif *k) {
    struct record_reader *r = k->r;
    yo_record_number(r, YO_SHOGI_RECORD_PLIES);
    yo_record_skip_space(r);
    int side = take_sign(r);
    if (side >= 0 && side != r->pos.side) return fail(k, "it is the other side's move");
    const char *start = r->at;
    /* After a foul the other side's 反則勝ち says the same again. */
    if (r->record->nodes[r->node].end == YO_SHOGI_END_FOUL &&
        yo_record_take(r, yo_shogi_kif_ends[YO_SHOGI_END_FOUL_BY_BLACK]))
        return YO_OK;
    enum yo_err err = read_move_or_end(k);
    if (err == YO_ERR_ILLEGAL && foul_follows(k)) {
        r->at = start;
        err = add_foul(k);
    }
    if (!err) read_time(r);
    return err;
}

/* "▲７六歩    △３四歩" */
static enum yo_err read_signed(struct kif *k) {
    struct record_reader *r = k->r;
    r->record->format = YO_SHOGI_KI2;
    for (; !record_at_end(r); yo_record_skip_space(r)) {
        const char *start = r->at;
        int side = take_sign(r);
        if (side < 0) return fail(k, "a move begins with ▲ or △");
        if (side != r->pos.side) {
            r->at = start;
            return fail(k, "it is the other side's move");
        }
        enum yo_err err = read_move_or_end(k);
        if (err) return err;
    }
    return YO_OK;
}

/* The winner by name; -1 if none is named, or both are. */
static int named_winner(const struct record_reader *r) {
    bool black = line_has(r, "先手") || line_has(r, "下手");
    bool white = line_has(r, "後手") || line_has(r, "上手");
    if (black == white) return -1;
    return line_has(r, "負け") ? !white : white;
}

/* Who is to move tells who lost, unless the line says otherwise: then it was the other side that
 * did not follow the rules. */
static enum yo_shogi_end settle_winner(enum yo_shogi_end end, int winner, int side) {
    bool foul = end == YO_SHOGI_END_FOUL || end == YO_SHOGI_END_FOUL_BY_BLACK ||
                end == YO_SHOGI_END_FOUL_BY_WHITE;
    if (winner < 0 || (!foul && end != YO_SHOGI_END_RESIGN)) return end;
    if (winner != side) return foul ? YO_SHOGI_END_FOUL : end;
    return side == YO_SHOGI_BLACK ? YO_SHOGI_END_FOUL_BY_WHITE : YO_SHOGI_END_FOUL_BY_BLACK;
}

/* "まで80手で後手の勝ち": the only notation of the end in KI2, and in some KIF files. */
static enum yo_err read_until(struct kif *k) {
    struct record_reader *r = k->r;
    size_t len;
    if (r->record->nodes[r->node].end) return YO_OK;
    enum yo_shogi_end end = find_end(r, true, &len);
    if (!end && line_has(r, "勝ち")) end = YO_SHOGI_END_RESIGN;
    end = settle_winner(end, named_winner(r), r->pos.side);
    enum yo_err err = end ? yo_record_add_end(r, end) : YO_OK;
    if (!err) remember(k);
    return err;
}

/* "変化：8手": the moves that follow replace that move of the previous line. */
static enum yo_err read_variation(struct kif *k) {
    struct record_reader *r = k->r;
    yo_record_skip_space(r);
    int64_t ply = yo_record_number(r, YO_SHOGI_RECORD_PLIES);
    const struct yo_shogi_node *nodes = r->record->nodes;
    if (ply < 1 || ply > k->path_end) return fail(k, "there is no such move to vary from");
    r->node = k->path[ply - 1];
    if (nodes[r->node].end) return fail(k, "there can be no move after the end of a game");
    yo_shogi_record_position(r->record, r->node, &r->pos);
    return YO_OK;
}

/* ---- Lines ---- */

static enum yo_err add_text(struct kif *k, size_t *text) {
    struct record_reader *r = k->r;
    enum yo_err err =
        yo_shogi_record_add_line(r->record, text, r->at, (size_t)(r->line_stop - r->at));
    return err ? yo_record_fail(r, err, "out of memory") : YO_OK;
}

static bool is_move_line(struct record_reader *r) {
    const char *start = r->at;
    bool signed_move = take_sign(r) >= 0;
    bool numbered = yo_record_number(r, YO_SHOGI_RECORD_PLIES) >= 0;
    r->at = start;
    return signed_move || numbered || yo_record_take(r, "変化：") || yo_record_take(r, "変化:") ||
           yo_record_take(r, "まで");
}

static enum yo_err read_play(struct kif *k) {
    struct record_reader *r = k->r;
    enum yo_err err;
    if (!r->positioned && (err = yo_record_kif_settle(&k->setup))) return err;
    if (yo_record_take(r, "変化：") || yo_record_take(r, "変化:")) return read_variation(k);
    if (yo_record_take(r, "まで")) return read_until(k);
    return *r->at >= '0' && *r->at <= '9' ? read_numbered(k) : read_signed(k);
}

/* The first colon of the line, full-width (as in most files) or ASCII; NULL if there is none. */
static const char *find_colon(const struct record_reader *r) {
    size_t left = (size_t)(r->line_end - r->at);
    const char *wide = memmem(r->at, left, "：", strlen("：")), *narrow = memchr(r->at, ':', left);
    return !wide || (narrow && narrow < wide) ? narrow : wide;
}

static enum yo_err read_setup(struct kif *k) {
    struct record_reader *r = k->r;
    const char *colon = find_colon(r);
    if (r->positioned) return fail(k, "no line among the moves begins like this");
    if (yo_record_take(r, "|")) return yo_record_kif_row(&k->setup);
    if (*r->at == '+' || yo_record_kif_side(&k->setup) || yo_record_take(r, "手数-") ||
        yo_record_take(r, "手数＝") || yo_record_take(r, "９"))
        return YO_OK;
    if (colon) return read_header(k, colon);
    enum yo_err err = fail(k, "no line of a record begins like this");
    yo_diag_hint(r->diag, "records of shogi are KIF, KI2, CSA or JKF, those of Go SGF");
    return err;
}

static enum yo_err read_line(struct kif *k) {
    struct record_reader *r = k->r;
    struct yo_shogi_node *node = &r->record->nodes[r->node];
    yo_record_skip_space(r);
    if (record_at_end(r) || *r->at == '#') return YO_OK;
    if (yo_record_take(r, "*")) return add_text(k, &node->comment);
    if (yo_record_take(r, "&")) return add_text(k, &node->bookmark);
    const char *start = r->at;
    bool moves = is_move_line(r);
    r->at = start;
    return moves ? read_play(k) : read_setup(k);
}

/* Has the text a header of KIF, whose names are Japanese? Any text may have lines with a colon. */
static bool has_header(const struct yo_shogi_record *record) {
    for (size_t i = 0; i < record->header_count; i++)
        if (*yo_shogi_record_text(record, record->headers[i].key) & 0x80) return true;
    return false;
}

enum yo_err yo_record_read_kif(struct record_reader *r) {
    struct kif k = {.r = r, .setup = {.r = r}};
    while (yo_record_next_line(r)) {
        enum yo_err err = read_line(&k);
        if (err) return err;
    }
    r->at = r->line_end;
    if (r->positioned) return YO_OK;
    if (!k.setup.diagram && !k.setup.handicap && !has_header(r->record) &&
        !r->record->nodes[0].comment)
        return fail(&k, "there is no game in this text");
    return yo_record_kif_settle(&k.setup);
}
