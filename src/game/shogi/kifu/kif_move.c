/* Moves in Japanese: target, piece and, if several pieces could go there, which one. */
#include <string.h>

#include "game/shogi/kifu/reader.h"
#include "game/shogi/kifu/words.h"
#include "game/shogi/movegen.h"

/* Distinguishes several pieces, as seen by their side. */
enum which {
    WHICH_UP = 1,
    WHICH_ASIDE = 2,
    WHICH_BACK = 4,
    WHICH_RIGHT = 8,
    WHICH_LEFT = 16,
    WHICH_STRAIGHT = 32
};
static const struct {
    enum which which;
    const char *word;
} which_words[] = {{WHICH_UP, "上"},    {WHICH_UP, "行"},      {WHICH_UP, "入"},
                   {WHICH_ASIDE, "寄"}, {WHICH_BACK, "引"},    {WHICH_RIGHT, "右"},
                   {WHICH_LEFT, "左"},  {WHICH_STRAIGHT, "直"}};

static int motion(int side, int from, int to) {
    int ahead = shogi_rank_for(side, from) - shogi_rank_for(side, to);
    return ahead > 0 ? WHICH_UP : ahead < 0 ? WHICH_BACK : WHICH_ASIDE;
}

/* How many files to the right of the target a piece comes from, as seen by its side. File numbers
 * grow to Black's left. */
static int rightness(int side, int from, int to) {
    int right = shogi_file(to) - shogi_file(from);
    return side == YO_SHOGI_BLACK ? right : -right;
}

static bool is_great(int kind) {
    return kind == YO_SHOGI_BISHOP || kind == YO_SHOGI_ROOK || kind == YO_SHOGI_HORSE ||
           kind == YO_SHOGI_DRAGON;
}

/* For bishops, rooks and their promotions, right and left compare the pieces with each other; for
 * others, they name the side of the target that the piece comes from. */
static bool fits_side(int side, int kind, int from, int to, int which, yo_bb rivals) {
    int right = rightness(side, from, to);
    if (!is_great(kind)) return which & WHICH_RIGHT ? right > 0 : right < 0;
    while (rivals) {
        int other = rightness(side, bb_pop(&rivals), to);
        if (which & WHICH_RIGHT ? other > right : other < right) return false;
    }
    return true;
}

static yo_bb choose(int side, int kind, yo_bb pieces, int to, int which) {
    yo_bb left = 0;
    int motions = which & (WHICH_UP | WHICH_ASIDE | WHICH_BACK);
    for (yo_bb rest = pieces; rest;) {
        int from = bb_pop(&rest);
        if (motions && !(motion(side, from, to) & motions)) continue;
        if ((which & WHICH_STRAIGHT) &&
            (rightness(side, from, to) != 0 || motion(side, from, to) != WHICH_UP))
            continue;
        left |= bb_square(from);
    }
    if (!(which & (WHICH_RIGHT | WHICH_LEFT))) return left;
    yo_bb sided = 0;
    for (yo_bb rest = left; rest;) {
        int from = bb_pop(&rest);
        if (fits_side(side, kind, from, to, which, left)) sided |= bb_square(from);
    }
    return sided;
}

/* Pieces of exactly this kind that attack the target. */
static yo_bb candidates(const struct yo_shogi_position *pos, int kind, int to) {
    return shogi_attackers(pos, pos->side, to, pos->kinds[YO_SHOGI_ANY]) & pos->kinds[kind];
}

/* ---- Reading ---- */

static int take_digit(struct record_reader *r, bool kanji) {
    for (int i = 0; i < 9; i++)
        if (yo_record_take(r, yo_shogi_wide_digits[i]) ||
            (kanji && yo_record_take(r, yo_shogi_kanji_digits[i])))
            return i;
    if (record_at_end(r) || *r->at < '1' || *r->at > '9') return -1;
    return *r->at++ - '1';
}

static enum yo_err take_target(struct record_reader *r, int previous, int *to) {
    if (yo_record_take(r, "同")) {
        yo_record_skip_space(r);
        if (previous == YO_SHOGI_NO_SQUARE)
            return yo_record_fail(r, YO_ERR_PARSE, "there is no move before this one");
        *to = previous;
        return YO_OK;
    }
    int file = take_digit(r, false), rank = file < 0 ? -1 : take_digit(r, true);
    if (rank < 0) return yo_record_fail(r, YO_ERR_PARSE, "this is no square");
    *to = shogi_square(file, rank);
    if (yo_record_take(r, "同")) yo_record_skip_space(r); /* some files write both */
    return YO_OK;
}

static int take_piece(struct record_reader *r) {
    /* Promoted kinds first: 成香 before 香. */
    for (int kind = YO_SHOGI_DRAGON; kind >= YO_SHOGI_PAWN; kind--) {
        if (!yo_shogi_kif_pieces[kind]) continue;
        if (yo_record_take(r, yo_shogi_kif_pieces[kind])) return kind;
        if (yo_shogi_kif_pieces_too[kind] && yo_record_take(r, yo_shogi_kif_pieces_too[kind]))
            return kind;
    }
    if (yo_record_take(r, "成龍") || yo_record_take(r, "成飛")) return YO_SHOGI_DRAGON;
    return yo_record_take(r, "成角") ? YO_SHOGI_HORSE : 0;
}

static int take_which(struct record_reader *r) {
    int which = 0;
    for (size_t i = 0; i < sizeof which_words / sizeof which_words[0]; i++)
        if (yo_record_take(r, which_words[i].word)) {
            which |= which_words[i].which;
            i = (size_t)-1;
        }
    return which;
}

/* "(77)". YO_SHOGI_NO_SQUARE: none. */
static int take_origin(struct record_reader *r) {
    const char *before = r->at;
    if (!yo_record_take(r, "(")) return YO_SHOGI_NO_SQUARE;
    int file = take_digit(r, false), rank = file < 0 ? -1 : take_digit(r, false);
    if (rank >= 0 && yo_record_take(r, ")")) return shogi_square(file, rank);
    r->at = before;
    return YO_SHOGI_NO_SQUARE;
}

static yo_bb keep_legal(const struct yo_shogi_position *pos, yo_bb pieces, int to, bool promotes) {
    yo_bb legal = 0;
    while (pieces) {
        int from = bb_pop(&pieces);
        yo_shogi_move move = shogi_move(from, to) | (promotes ? YO_SHOGI_PROMOTE : 0);
        if (yo_shogi_move_is_sound(pos, move)) legal |= bb_square(from);
    }
    return legal;
}

static enum yo_err find_origin(struct record_reader *r, int kind, int to, int which, bool promotes,
                               int *from) {
    const struct yo_shogi_position *pos = &r->pos;
    yo_bb all = candidates(pos, kind, to), pieces = choose(pos->side, kind, all, to, which);
    if (bb_many(pieces)) pieces = keep_legal(pos, pieces, to, promotes);
    *from = YO_SHOGI_NO_SQUARE;
    if (bb_many(pieces)) return yo_record_fail(r, YO_ERR_PARSE, "several pieces could go there");
    if (pieces) *from = bb_first(pieces);
    if (pieces || (!all && !which && !promotes && kind < YO_SHOGI_KING)) return YO_OK;
    return yo_record_fail(r, YO_ERR_ILLEGAL, "no such piece can go there");
}

enum yo_err yo_record_kif_move(struct record_reader *r, int previous, yo_shogi_move *move) {
    const char *start = r->at;
    int to = YO_SHOGI_NO_SQUARE, kind, from;
    enum yo_err err = take_target(r, previous, &to);
    if (err) return err;
    yo_record_skip_space(r);
    if (!(kind = take_piece(r))) return yo_record_fail(r, YO_ERR_PARSE, "this is no piece");
    int which = take_which(r);
    bool stays = yo_record_take(r, "不成") || yo_record_take(r, "生");
    bool promotes = !stays && yo_record_take(r, "成");
    bool drops = !promotes && !stays && yo_record_take(r, "打");
    yo_record_skip_space(r); /* some files pad short moves */
    from = take_origin(r);
    const char *end = r->at;
    r->at = start; /* errors from here on point to the move */
    if (from == YO_SHOGI_NO_SQUARE && !drops) {
        if ((err = find_origin(r, kind, to, which, promotes, &from))) return err;
    } else if (from != YO_SHOGI_NO_SQUARE && shogi_kind(r->pos.board[from]) != kind) {
        return yo_record_fail(r, YO_ERR_ILLEGAL, "no such piece stands there");
    }
    if (from == YO_SHOGI_NO_SQUARE && kind >= YO_SHOGI_KING)
        return yo_record_fail(r, YO_ERR_ILLEGAL, "this piece cannot be dropped");
    *move = from == YO_SHOGI_NO_SQUARE ? shogi_drop(kind, to)
            : from == to               ? YO_SHOGI_NO_MOVE
                                       : shogi_move(from, to);
    if (promotes) *move |= YO_SHOGI_PROMOTE;
    if (!yo_shogi_move_is_sound(&r->pos, *move))
        return yo_record_fail(r, YO_ERR_ILLEGAL, "this move is illegal");
    r->at = end;
    return YO_OK;
}

/* ---- Writing ---- */

/* The shortest words that single out this piece, in the order of the federation's rule. */
static int find_which(int side, int kind, yo_bb pieces, int from, int to) {
    int move = motion(side, from, to), right = rightness(side, from, to);
    int flank = is_great(kind)
                    ? (choose(side, kind, pieces, to, WHICH_RIGHT) == bb_square(from) ||
                               choose(side, kind, pieces, to, WHICH_RIGHT | move) == bb_square(from)
                           ? WHICH_RIGHT
                           : WHICH_LEFT)
                : right > 0 ? WHICH_RIGHT
                : right < 0 ? WHICH_LEFT
                            : 0;
    const int tries[] = {0, move, is_great(kind) ? 0 : WHICH_STRAIGHT, flank, flank | move};
    for (size_t i = 0; i < sizeof tries / sizeof tries[0]; i++)
        if (choose(side, kind, pieces, to, tries[i]) == bb_square(from)) return tries[i];
    return 0;
}

static void write_which(int which, struct yo_buf *out) {
    static const struct {
        enum which which;
        const char *word;
    } order[] = {{WHICH_RIGHT, "右"}, {WHICH_LEFT, "左"},  {WHICH_STRAIGHT, "直"},
                 {WHICH_UP, "上"},    {WHICH_ASIDE, "寄"}, {WHICH_BACK, "引"}};
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        if (which & (int)order[i].which) yo_buf_str(out, order[i].word);
}

void yo_record_ki2_text(const struct yo_shogi_position *pos, yo_shogi_move move, int previous,
                        struct yo_buf *out) {
    int to = shogi_to(move), from = shogi_from(move), side = pos->side;
    int kind = shogi_is_drop(move) ? shogi_dropped(move) : shogi_kind(pos->board[from]);
    if (to == previous)
        yo_buf_str(out, "同　");
    else
        yo_buf_printf(out, "%s%s", yo_shogi_wide_digits[shogi_file(to)],
                      yo_shogi_kanji_digits[shogi_rank(to)]);
    yo_buf_str(out, yo_shogi_kif_pieces[kind]);
    yo_bb pieces = candidates(pos, kind, to);
    if (shogi_is_drop(move)) {
        if (pieces) yo_buf_str(out, "打");
        return;
    }
    write_which(find_which(side, kind, pieces, from, to), out);
    yo_bb zone = yo_shogi_tables.zone[side];
    if (shogi_promotes(move))
        yo_buf_str(out, "成");
    else if (shogi_can_promote(kind) && (bb_has(zone, from) || bb_has(zone, to)))
        yo_buf_str(out, "不成");
}

void yo_record_which_letters(const struct yo_shogi_position *pos, yo_shogi_move move, char out[4]) {
    static const struct {
        enum which which;
        char letter;
    } order[] = {{WHICH_LEFT, 'L'}, {WHICH_STRAIGHT, 'C'}, {WHICH_RIGHT, 'R'},
                 {WHICH_UP, 'U'},   {WHICH_ASIDE, 'M'},    {WHICH_BACK, 'D'}};
    int to = shogi_to(move), from = shogi_from(move), len = 0;
    int kind = shogi_is_drop(move) ? shogi_dropped(move) : shogi_kind(pos->board[from]);
    yo_bb pieces = candidates(pos, kind, to);
    if (shogi_is_drop(move)) {
        if (pieces) out[len++] = 'H';
    } else {
        int which = find_which(pos->side, kind, pieces, from, to);
        for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
            if (which & (int)order[i].which) out[len++] = order[i].letter;
    }
    out[len] = '\0';
}
