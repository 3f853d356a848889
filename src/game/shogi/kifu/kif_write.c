/* Writes KIF and KI2. */
#include <string.h>

#include "game/shogi/kifu/reader.h"
#include "game/shogi/kifu/words.h"

struct writer {
    const struct yo_shogi_record *record;
    struct yo_buf *out;
    bool ki2;
    int in_line;                  /* KI2: moves on the line so far */
    struct yo_shogi_position pos; /* before the node being written */
};

/* ---- The first position ---- */

static void write_hand(struct writer *w, const char *who, yo_shogi_hand hand) {
    yo_buf_printf(w->out, "%sの持駒：", who);
    for (int kind = YO_SHOGI_ROOK; kind >= YO_SHOGI_PAWN; kind--) {
        int count = shogi_hand_count(hand, kind);
        if (count == 0) continue;
        yo_buf_str(w->out, yo_shogi_kif_pieces[kind]);
        if (count >= 10) yo_buf_str(w->out, "十");
        if (count > 1 && count % 10) yo_buf_str(w->out, yo_shogi_kanji_digits[count % 10 - 1]);
        yo_buf_str(w->out, "　");
    }
    yo_buf_str(w->out, hand ? "\n" : "なし\n");
}

static void write_board(struct writer *w) {
    const struct yo_shogi_position *pos = &w->record->start;
    write_hand(w, "後手", pos->hands[YO_SHOGI_WHITE]);
    yo_buf_str(w->out, "  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n");
    for (int rank = 0; rank < 9; rank++) {
        yo_buf_char(w->out, '|');
        for (int file = 8; file >= 0; file--) {
            yo_shogi_piece piece = pos->board[shogi_square(file, rank)];
            yo_buf_char(w->out, piece && shogi_side(piece) ? 'v' : ' ');
            yo_buf_str(w->out, piece ? yo_shogi_kif_short_pieces[shogi_kind(piece)] : "・");
        }
        yo_buf_printf(w->out, "|%s\n", yo_shogi_kanji_digits[rank]);
    }
    yo_buf_str(w->out, "+---------------------------+\n");
    write_hand(w, "先手", pos->hands[YO_SHOGI_BLACK]);
    if (pos->side == YO_SHOGI_WHITE) yo_buf_str(w->out, "後手番\n");
}

static void write_front(struct writer *w, const char *charset) {
    const struct yo_shogi_record *record = w->record;
    if (!w->ki2) yo_buf_printf(w->out, "#KIF version=2.0 encoding=%s\n", charset);
    const char *handicap = yo_shogi_handicap_name(&record->start);
    if (handicap)
        yo_buf_printf(w->out, "手合割：%s\n", handicap);
    else
        write_board(w);
    for (size_t i = 0; i < record->header_count; i++)
        yo_buf_printf(w->out, "%s：%s\n", yo_shogi_record_text(record, record->headers[i].key),
                      yo_shogi_record_text(record, record->headers[i].value));
    if (!w->ki2) yo_buf_str(w->out, "手数----指手---------消費時間--\n");
}

/* ---- Nodes ---- */

static void end_line(struct writer *w) {
    if (w->in_line) yo_buf_char(w->out, '\n');
    w->in_line = 0;
}

static void write_lines(struct writer *w, char sign, size_t text) {
    if (!text) return;
    end_line(w);
    const char *line = yo_shogi_record_text(w->record, text);
    for (;;) {
        size_t len = strcspn(line, "\n");
        yo_buf_char(w->out, sign);
        yo_buf_add(w->out, line, len);
        yo_buf_char(w->out, '\n');
        if (line[len] == '\0') return;
        line += len + 1;
    }
}

int64_t yo_record_total_seconds(const struct yo_shogi_record *record, int n) {
    const struct yo_shogi_node *nodes = record->nodes;
    int64_t total = 0;
    for (int i = n; i > 0; i = nodes[i].parent)
        if (nodes[i].ply % 2 == nodes[n].ply % 2 && nodes[i].time_ms > 0)
            total += nodes[i].time_ms / 1000;
    return total;
}

static void write_time(struct writer *w, int n) {
    const struct yo_shogi_node *nodes = w->record->nodes;
    if (nodes[n].time_ms < 0) return;
    int64_t total = yo_record_total_seconds(w->record, n), spent = nodes[n].time_ms / 1000;
    yo_buf_printf(w->out, "   (%2d:%02d/%02d:%02d:%02d)", (int)(spent / 60), (int)(spent % 60),
                  (int)(total / 3600), (int)(total / 60 % 60), (int)(total % 60));
}

static int previous_target(const struct yo_shogi_record *record, int n) {
    yo_shogi_move move = record->nodes[record->nodes[n].parent].move;
    return move ? shogi_to(move) : YO_SHOGI_NO_SQUARE;
}

static void write_kif_move(struct writer *w, int n, const struct yo_shogi_position *pos) {
    yo_shogi_move move = w->record->nodes[n].move;
    int to = shogi_to(move), from = shogi_from(move);
    if (to == previous_target(w->record, n))
        yo_buf_str(w->out, "同　");
    else
        yo_buf_printf(w->out, "%s%s", yo_shogi_wide_digits[shogi_file(to)],
                      yo_shogi_kanji_digits[shogi_rank(to)]);
    if (shogi_is_drop(move)) {
        yo_buf_printf(w->out, "%s打", yo_shogi_kif_pieces[shogi_dropped(move)]);
        return;
    }
    yo_buf_printf(w->out, "%s%s(%d%d)", yo_shogi_kif_pieces[shogi_kind(pos->board[from])],
                  shogi_promotes(move) ? "成" : "", shogi_file(from) + 1, shogi_rank(from) + 1);
}

/* From the view of the side to move: 反則負け if it committed the foul, 反則勝ち if the other side
 * did. */
static const char *end_word(int end, int side) {
    if (end == (side ? YO_SHOGI_END_FOUL_BY_WHITE : YO_SHOGI_END_FOUL_BY_BLACK))
        end = YO_SHOGI_END_FOUL;
    return yo_shogi_kif_ends[end];
}

static void write_ki2_end(struct writer *w, const struct yo_shogi_node *node, int side) {
    end_line(w);
    if (node->end == YO_SHOGI_END_RESIGN)
        yo_buf_printf(w->out, "まで%d手で%s手の勝ち\n", node->ply - 1, side ? "先" : "後");
    else
        yo_buf_printf(w->out, "まで%d手で%s\n", node->ply - 1, end_word(node->end, side));
}

static void write_node(struct writer *w, int n) {
    struct yo_shogi_position *pos = &w->pos;
    const struct yo_shogi_node *node = &w->record->nodes[n];
    if (!w->ki2) {
        yo_buf_printf(w->out, "%4d ", node->ply);
        if (node->end)
            yo_buf_str(w->out, end_word(node->end, pos->side));
        else
            write_kif_move(w, n, pos);
        write_time(w, n);
        yo_buf_char(w->out, '\n');
    } else if (node->end) {
        write_ki2_end(w, node, pos->side);
    } else {
        if (w->in_line == 6) end_line(w);
        yo_buf_printf(w->out, "%s%s", w->in_line++ ? " " : "", pos->side ? "△" : "▲");
        yo_record_ki2_text(pos, node->move, previous_target(w->record, n), w->out);
    }
    if (node->move) yo_shogi_play(pos, node->move);
    write_lines(w, '*', node->comment);
    write_lines(w, '&', node->bookmark);
}

/* Writes a line to its end, then its variations, the latest first, so that a reader that stores
 * only the previous line finds where each branches off. The recursion is as deep as variations are
 * nested, and each begins later than the one around it. */
static void write_line(struct writer *w, int first) {
    const struct yo_shogi_node *nodes = w->record->nodes;
    yo_shogi_record_position(w->record, nodes[first].parent, &w->pos);
    int last = first;
    for (int n = first; n != YO_SHOGI_NO_NODE; n = nodes[n].child) {
        write_node(w, n);
        last = n;
    }
    end_line(w);
    for (int n = last; n != first; n = nodes[n].parent)
        for (int other = nodes[n].sibling; other != YO_SHOGI_NO_NODE;
             other = nodes[other].sibling) {
            yo_buf_printf(w->out, "\n変化：%d手\n", nodes[other].ply);
            write_line(w, other);
        }
}

void yo_record_write_kif(const struct yo_shogi_record *record, bool ki2, const char *charset,
                         struct yo_buf *out) {
    struct writer w = {.record = record, .out = out, .ki2 = ki2};
    write_front(&w, charset);
    write_lines(&w, '*', record->nodes[0].comment);
    write_lines(&w, '&', record->nodes[0].bookmark);
    for (int n = record->nodes[0].child; n != YO_SHOGI_NO_NODE; n = record->nodes[n].sibling) {
        if (n != record->nodes[0].child) yo_buf_str(out, "\n変化：1手\n");
        write_line(&w, n);
    }
}
