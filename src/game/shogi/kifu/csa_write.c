#include <string.h>

#include "game/shogi/kifu/reader.h"
#include "game/shogi/kifu/words.h"
#include "game/shogi/text.h"

static bool is_note(const struct yo_shogi_record *record, size_t i) {
    const char *name = yo_shogi_header_to_csa(yo_shogi_record_text(record, record->headers[i].key));
    return name && strcmp(name, "$NOTE") == 0;
}

/* Version 2 supports neither UTF-8 nor fractions of seconds nor notes of several lines. */
static bool needs_version_3(const struct yo_shogi_record *record, const struct yo_buf *body) {
    for (size_t i = 0; i < body->len; i++)
        if ((unsigned char)body->data[i] >= 0x80) return true;
    for (int n = 0; n != YO_SHOGI_NO_NODE; n = record->nodes[n].child)
        if (record->nodes[n].time_ms > 0 && record->nodes[n].time_ms % 1000 != 0) return true;
    size_t notes = 0;
    for (size_t i = 0; i < record->header_count; i++)
        notes += is_note(record, i);
    return notes > 1;
}

/* All lines of the note in one, at the place of the first: the header number i. */
static void write_note(const struct yo_shogi_record *record, size_t i, struct yo_buf *out) {
    const char *before = "$NOTE:";
    for (size_t k = 0; k < i; k++)
        if (is_note(record, k)) return;
    for (; i < record->header_count; i++) {
        if (!is_note(record, i)) continue;
        yo_buf_str(out, before);
        before = "\\n";
        for (const char *c = yo_shogi_record_text(record, record->headers[i].value); *c; c++) {
            if (*c == '\\') yo_buf_char(out, '\\');
            yo_buf_char(out, *c);
        }
    }
    yo_buf_char(out, '\n');
}

static void write_header(const struct yo_shogi_record *record, size_t i, struct yo_buf *out) {
    const char *key = yo_shogi_record_text(record, record->headers[i].key);
    const char *value = yo_shogi_record_text(record, record->headers[i].value);
    const char *name = yo_shogi_header_to_csa(key);
    if (name && name[0] == 'N')
        yo_buf_printf(out, "%s%s\n", name, value);
    else if (name)
        yo_buf_printf(out, "%s:%s\n", name, value);
    else
        yo_buf_printf(out, "%s%s:%s\n", key[0] == '$' ? "" : "$", key, value);
}

/* CSA has the players before all else; a KIF record begins with the date. */
static void write_headers(const struct yo_shogi_record *record, bool version_3,
                          struct yo_buf *out) {
    static const char *const players[] = {"N+", "N-"};
    for (int turn = 0; turn < 3; turn++)
        for (size_t i = 0; i < record->header_count; i++) {
            const char *key = yo_shogi_record_text(record, record->headers[i].key);
            const char *name = yo_shogi_header_to_csa(key);
            int player = 0;
            while (player < 2 && (!name || strcmp(name, players[player]) != 0))
                player++;
            if (player != turn) continue;
            if (version_3 && is_note(record, i))
                write_note(record, i, out);
            else
                write_header(record, i, out);
        }
}

static void write_hand(const struct yo_shogi_position *pos, int side, struct yo_buf *out) {
    if (!pos->hands[side]) return;
    yo_buf_str(out, side ? "P-" : "P+");
    for (int kind = YO_SHOGI_ROOK; kind >= YO_SHOGI_PAWN; kind--)
        for (int i = shogi_hand_count(pos->hands[side], kind); i > 0; i--)
            yo_buf_printf(out, "00%s", yo_shogi_csa_pieces[kind]);
    yo_buf_char(out, '\n');
}

static void write_position(const struct yo_shogi_position *pos, struct yo_buf *out) {
    struct yo_shogi_position start;
    yo_shogi_position_start(&start);
    if (shogi_hash(&start) == shogi_hash(pos)) {
        yo_buf_str(out, "PI\n");
    } else {
        for (int rank = 0; rank < 9; rank++) {
            yo_buf_printf(out, "P%d", rank + 1);
            for (int file = 8; file >= 0; file--) {
                yo_shogi_piece piece = pos->board[shogi_square(file, rank)];
                if (piece)
                    yo_buf_printf(out, "%c%s", shogi_side(piece) ? '-' : '+',
                                  yo_shogi_csa_pieces[shogi_kind(piece)]);
                else
                    yo_buf_str(out, " * ");
            }
            yo_buf_char(out, '\n');
        }
        write_hand(pos, YO_SHOGI_BLACK, out);
        write_hand(pos, YO_SHOGI_WHITE, out);
    }
    yo_buf_str(out, pos->side ? "-\n" : "+\n");
}

static void write_comment(const struct yo_shogi_record *record, int node, struct yo_buf *out) {
    const char *text = yo_shogi_record_text(record, record->nodes[node].comment);
    while (record->nodes[node].comment) {
        size_t len = strcspn(text, "\n");
        yo_buf_str(out, "'*");
        yo_buf_add(out, text, len);
        yo_buf_char(out, '\n');
        if (text[len] == '\0') return;
        text += len + 1;
    }
}

void yo_record_csa_text(const struct yo_shogi_position *pos, yo_shogi_move move,
                        struct yo_buf *out) {
    int to = shogi_to(move), from = shogi_from(move);
    int kind = shogi_is_drop(move) ? shogi_dropped(move) : shogi_kind(pos->board[from]);
    if (shogi_promotes(move)) kind += YO_SHOGI_PROMOTED;
    yo_buf_char(out, pos->side ? '-' : '+');
    if (shogi_is_drop(move))
        yo_buf_str(out, "00");
    else
        yo_buf_printf(out, "%d%d", shogi_file(from) + 1, shogi_rank(from) + 1);
    yo_buf_printf(out, "%d%d%s", shogi_file(to) + 1, shogi_rank(to) + 1, yo_shogi_csa_pieces[kind]);
}

static void write_body(const struct yo_shogi_record *record, bool version_3, struct yo_buf *out) {
    write_headers(record, version_3, out);
    struct yo_shogi_position pos = record->start;
    write_position(&pos, out);
    write_comment(record, 0, out);
    for (int n = record->nodes[0].child; n != YO_SHOGI_NO_NODE; n = record->nodes[n].child) {
        const struct yo_shogi_node *node = &record->nodes[n];
        if (node->end)
            yo_buf_printf(out, "%%%s", yo_shogi_csa_ends[node->end]);
        else
            yo_record_csa_text(&pos, node->move, out);
        yo_buf_char(out, '\n');
        if (node->move) yo_shogi_play(&pos, node->move);
        if (node->time_ms >= 0) {
            yo_buf_printf(out, "T%lld", (long long)(node->time_ms / 1000));
            if (node->time_ms % 1000) yo_buf_printf(out, ".%03d", (int)(node->time_ms % 1000));
            yo_buf_char(out, '\n');
        }
        write_comment(record, n, out);
    }
}

void yo_record_write_csa(const struct yo_shogi_record *record, const char *charset,
                         struct yo_buf *out) {
    struct yo_buf body = {0};
    write_body(record, false, &body);
    if (needs_version_3(record, &body)) {
        yo_buf_printf(out, "'CSA encoding=%s\nV3.0\n", charset);
        yo_buf_clear(&body);
        write_body(record, true, &body);
    } else {
        yo_buf_str(out, "V2.2\n");
    }
    yo_buf_add(out, yo_buf_text(&body), body.len);
    out->failed = out->failed || body.failed;
    yo_buf_free(&body);
}
