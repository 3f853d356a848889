/* One generator, compiled separately for each use: the kinds of moves wanted are a constant that
 * the compiler folds. */
#include "game/shogi/movegen.h"

#include <string.h>

enum want {
    WANT_CAPTURES = 1,
    WANT_QUIETS = 2,
    WANT_ALL = WANT_CAPTURES | WANT_QUIETS,
    WANT_CHECKS = 4,  /* only those that give check */
    WANT_SAFE = 8,    /* checks the safety of the own king */
    WANT_EVASION = 16 /* the side to move is in check */
};

#define INLINE static inline __attribute__((always_inline))

/* State shared by all parts of the generator. */
struct gen {
    const struct yo_shogi_position *pos;
    int us;
    yo_bb occupied;
    yo_bb target; /* where pieces other than the king may go */
    yo_bb zone, last, last_two;
    yo_bb opening;               /* WANT_CHECKS: pieces that may give discovered check */
    yo_bb near;                  /* WANT_CHECKS: around the king that is checked */
    yo_bb check[YO_SHOGI_KINDS]; /* WANT_CHECKS: from where each kind gives check */
    yo_shogi_move *out;
};

/* ---- Writing moves ---- */

INLINE void emit(struct gen *g, yo_shogi_move base, yo_bb to) {
    for (uint64_t low = bb_low(to); low; low &= low - 1)
        *g->out++ = (yo_shogi_move)(base + __builtin_ctzll(low));
    for (uint64_t high = bb_high(to); high; high &= high - 1)
        *g->out++ = (yo_shogi_move)(base + 63 + __builtin_ctzll(high));
}

INLINE yo_bb checking(const struct gen *g, int from, int kind, yo_bb to) {
    yo_bb wanted = g->check[kind];
    if (bb_has(g->opening, from)) {
        int king = g->pos->king[g->us ^ 1];
        wanted |= ~shogi_ray_through(king, from);
    }
    return to & wanted;
}

/* The moves of one piece, whose kind is a constant wherever speed matters. */
INLINE void emit_piece(struct gen *g, enum want want, int kind, int from, yo_bb to) {
    yo_shogi_move base = shogi_move(from, 0);
    if (shogi_can_promote(kind)) {
        yo_bb up = bb_has(g->zone, from) ? to : to & g->zone;
        if (want & WANT_CHECKS) up = checking(g, from, kind + YO_SHOGI_PROMOTED, up);
        emit(g, base | YO_SHOGI_PROMOTE, up);
        if (kind == YO_SHOGI_PAWN || kind == YO_SHOGI_LANCE) to &= ~g->last;
        if (kind == YO_SHOGI_KNIGHT) to &= ~g->last_two;
    }
    if (want & WANT_CHECKS) to = checking(g, from, kind, to);
    emit(g, base, to);
}

/* ---- Pieces on the board ---- */

INLINE void each_piece(struct gen *g, enum want want, int kind, yo_bb from_set) {
    while (from_set) {
        int from = bb_pop(&from_set);
        emit_piece(g, want, kind, from, shogi_attacks(g->us, kind, from, g->occupied) & g->target);
    }
}

/* All pawns at once: the target gives the origin. */
INLINE void all_pawns(struct gen *g, yo_bb pawns) {
    int back = g->us == YO_SHOGI_BLACK ? 1 : -1;
    uint64_t low = bb_low(pawns), high = bb_high(pawns);
    yo_bb to =
        (g->us == YO_SHOGI_BLACK ? bb_make(high >> 1, low >> 1) : bb_make(high << 1, low << 1));
    to &= g->target;
    /* from = to + back, so a move is to * 129 + back * 128. */
    for (yo_bb up = to & g->zone; up;)
        *g->out++ = (yo_shogi_move)(bb_pop(&up) * 129 + back * 128) | YO_SHOGI_PROMOTE;
    to &= ~g->last;
    for (uint64_t w = bb_low(to); w; w &= w - 1)
        *g->out++ = (yo_shogi_move)(__builtin_ctzll(w) * 129 + back * 128);
    for (uint64_t w = bb_high(to); w; w &= w - 1)
        *g->out++ = (yo_shogi_move)((63 + __builtin_ctzll(w)) * 129 + back * 128);
}

INLINE void board_moves(struct gen *g, enum want want, yo_bb pinned) {
    const yo_bb *kinds = g->pos->kinds;
    yo_bb free = g->pos->sides[g->us] & ~pinned, stepping = free;
    /* From further away than two squares one step gives no check, unless it opens a line. */
    if (want & WANT_CHECKS) stepping &= g->near | g->opening;
    if (want & WANT_CHECKS)
        each_piece(g, want, YO_SHOGI_PAWN, kinds[YO_SHOGI_PAWN] & stepping);
    else
        all_pawns(g, kinds[YO_SHOGI_PAWN] & free);
    each_piece(g, want, YO_SHOGI_LANCE, kinds[YO_SHOGI_LANCE] & free);
    each_piece(g, want, YO_SHOGI_KNIGHT, kinds[YO_SHOGI_KNIGHT] & free);
    each_piece(g, want, YO_SHOGI_SILVER, kinds[YO_SHOGI_SILVER] & stepping);
    each_piece(g, want, YO_SHOGI_BISHOP, kinds[YO_SHOGI_BISHOP] & free);
    each_piece(g, want, YO_SHOGI_ROOK, kinds[YO_SHOGI_ROOK] & free);
    each_piece(g, want, YO_SHOGI_HORSE, kinds[YO_SHOGI_HORSE] & free);
    each_piece(g, want, YO_SHOGI_DRAGON, kinds[YO_SHOGI_DRAGON] & free);
    each_piece(g, want, YO_SHOGI_GOLD, kinds[YO_SHOGI_GOLDS] & stepping);
}

/* A pinned piece stays on its line. In check it has no move: two lines to the king share only the
 * king. */
INLINE void pinned_moves(struct gen *g, enum want want, yo_bb pinned) {
    const struct yo_shogi_position *pos = g->pos;
    int king = pos->king[g->us];
    while (pinned) {
        int from = bb_pop(&pinned), kind = shogi_kind(pos->board[from]);
        yo_bb to = shogi_attacks(g->us, kind, from, g->occupied) & g->target &
                   shogi_ray_through(king, from);
        emit_piece(g, want, kind, from, to);
    }
}

INLINE void king_moves(struct gen *g, enum want want, yo_bb to) {
    const struct yo_shogi_position *pos = g->pos;
    int king = pos->king[g->us];
    to &= shogi_step(g->us, YO_SHOGI_KING, king);
    if (want & WANT_CHECKS) to = checking(g, king, YO_SHOGI_KING, to);
    if (want & WANT_SAFE) {
        yo_bb without = g->occupied ^ bb_square(king);
        for (yo_bb left = to; left;) {
            int square = bb_pop(&left);
            if (shogi_is_attacked(pos, g->us ^ 1, square, without)) to &= ~bb_square(square);
        }
    }
    emit(g, shogi_move(king, 0), to);
}

/* ---- Drops ---- */

/* Whole files without an own pawn. In each group of nine bits the sum carries into the ninth if any
 * of the lower eight is set. */
static uint64_t pawnless(uint64_t pawns) {
    const uint64_t ninth = UINT64_C(0x4020100804020100), lower = UINT64_C(0x3fdfeff7fbfdfeff);
    uint64_t none = ~(((pawns & lower) + lower) | pawns) & ninth;
    return none | (none - (none >> 8));
}

INLINE void pawn_drops(struct gen *g, enum want want, yo_bb to) {
    const struct yo_shogi_position *pos = g->pos;
    yo_bb pawns = shogi_pieces(pos, g->us, YO_SHOGI_PAWN);
    to &= bb_make(pawnless(bb_high(pawns)), pawnless(bb_low(pawns))) & ~g->last;
    if (want & WANT_CHECKS) to &= g->check[YO_SHOGI_PAWN];
    if (want & WANT_SAFE) {
        int king = pos->king[g->us ^ 1];
        yo_bb head = shogi_step(g->us ^ 1, YO_SHOGI_PAWN, king) & to;
        if (head && yo_shogi_pawn_drop_mates(pos, bb_first(head))) to &= ~head;
    }
    emit(g, shogi_drop(YO_SHOGI_PAWN, 0), to);
}

typedef uint16_t eight_moves __attribute__((vector_size(16)));

/* Several kinds on each square: stores eight moves at once and keeps `count` of them. */
INLINE void emit_drops(struct gen *g, eight_moves bases, int count, yo_bb to) {
    if (count == 0) return;
    yo_shogi_move *out = g->out;
    for (uint64_t low = bb_low(to); low; low &= low - 1, out += count) {
        eight_moves moves = bases + (uint16_t)__builtin_ctzll(low);
        memcpy(out, &moves, sizeof moves);
    }
    for (uint64_t high = bb_high(to); high; high &= high - 1, out += count) {
        eight_moves moves = bases + (uint16_t)(63 + __builtin_ctzll(high));
        memcpy(out, &moves, sizeof moves);
    }
    g->out = out;
}

INLINE void drops(struct gen *g, enum want want, yo_bb to) {
    yo_shogi_hand hand = g->pos->hands[g->us];
    if (!hand || !to) return;
    if (shogi_hand_count(hand, YO_SHOGI_PAWN)) pawn_drops(g, want, to);
    if (want & WANT_CHECKS) {
        for (int kind = YO_SHOGI_LANCE; kind <= YO_SHOGI_ROOK; kind++)
            if (shogi_hand_count(hand, kind)) emit(g, shogi_drop(kind, 0), to & g->check[kind]);
        return;
    }
    /* Kinds that may stand anywhere first, then the lance, then the knight, so that the far ranks
     * use a prefix of the list. */
    static const int order[] = {YO_SHOGI_SILVER, YO_SHOGI_GOLD,  YO_SHOGI_BISHOP,
                                YO_SHOGI_ROOK,   YO_SHOGI_LANCE, YO_SHOGI_KNIGHT};
    eight_moves bases = {0};
    int count = 0, counts[6];
    for (int i = 0; i < 6; i++) {
        if (shogi_hand_count(hand, order[i])) bases[count++] = shogi_drop(order[i], 0);
        counts[i] = count;
    }
    emit_drops(g, bases, counts[3], to & g->last);
    emit_drops(g, bases, counts[4], to & g->last_two & ~g->last);
    emit_drops(g, bases, counts[5], to & ~g->last_two);
}

/* ---- Generators ---- */

/* The squares from which each kind gives check: those that the king would attack as that kind. */
static void find_check_squares(struct gen *g) {
    const struct yo_shogi_position *pos = g->pos;
    int them = g->us ^ 1, king = pos->king[them];
    for (int kind = YO_SHOGI_PAWN; kind < YO_SHOGI_KINDS; kind++)
        g->check[kind] = kind == YO_SHOGI_KING || kind == YO_SHOGI_LANCE ||
                                 kind == YO_SHOGI_BISHOP || kind == YO_SHOGI_ROOK ||
                                 kind == YO_SHOGI_HORSE || kind == YO_SHOGI_DRAGON
                             ? 0
                             : shogi_step(them, kind, king);
    g->check[YO_SHOGI_LANCE] = shogi_lance(them, king, g->occupied);
    g->check[YO_SHOGI_BISHOP] = shogi_bishop(king, g->occupied);
    g->check[YO_SHOGI_ROOK] = shogi_rook(king, g->occupied);
    yo_bb around = shogi_step(them, YO_SHOGI_KING, king);
    g->check[YO_SHOGI_HORSE] = g->check[YO_SHOGI_BISHOP] | around;
    g->check[YO_SHOGI_DRAGON] = g->check[YO_SHOGI_ROOK] | around;
    g->near = yo_shogi_tables.near[king];
    g->opening = yo_shogi_blockers(pos, them) & pos->sides[g->us];
}

INLINE size_t generate(const struct yo_shogi_position *pos, yo_shogi_move *out, enum want want) {
    int us = pos->side, king = pos->king[us];
    const struct yo_shogi_tables *t = &yo_shogi_tables;
    struct gen g;
    g.pos = pos;
    g.us = us;
    g.occupied = pos->kinds[YO_SHOGI_ANY];
    g.zone = t->zone[us];
    g.last = t->last[us];
    g.last_two = t->last_two[us];
    g.out = out;
    if (want & WANT_CHECKS) find_check_squares(&g);

    yo_bb empty = BB_ALL & ~g.occupied, drop_target = empty;
    yo_bb wanted =
        (want & WANT_CAPTURES ? pos->sides[us ^ 1] : 0) | (want & WANT_QUIETS ? empty : 0);
    if (king != YO_SHOGI_NO_SQUARE) king_moves(&g, want, wanted);
    g.target = wanted;
    if (want & WANT_EVASION) {
        if (bb_many(pos->checkers)) return (size_t)(g.out - out);
        drop_target = shogi_between(king, bb_first(pos->checkers));
        g.target &= drop_target | pos->checkers;
    }
    yo_bb pinned = want & WANT_SAFE ? yo_shogi_blockers(pos, us) & pos->sides[us] : 0;
    board_moves(&g, want, pinned);
    if (!(want & WANT_EVASION)) pinned_moves(&g, want, pinned);
    if (want & WANT_QUIETS) drops(&g, want, drop_target);
    return (size_t)(g.out - out);
}

#define GENERATE(want)                                                                             \
    (shogi_in_check(pos) ? generate(pos, out, (want) | WANT_EVASION) : generate(pos, out, want))

size_t yo_shogi_legal_moves(const struct yo_shogi_position *pos, yo_shogi_move *out) {
    return GENERATE(WANT_ALL | WANT_SAFE);
}

size_t yo_shogi_pseudo_moves(const struct yo_shogi_position *pos, yo_shogi_move *out) {
    return GENERATE(WANT_ALL);
}

size_t yo_shogi_captures(const struct yo_shogi_position *pos, yo_shogi_move *out) {
    return GENERATE(WANT_CAPTURES | WANT_SAFE);
}

size_t yo_shogi_quiets(const struct yo_shogi_position *pos, yo_shogi_move *out) {
    return GENERATE(WANT_QUIETS | WANT_SAFE);
}

size_t yo_shogi_checks(const struct yo_shogi_position *pos, yo_shogi_move *out) {
    if (pos->king[pos->side ^ 1] == YO_SHOGI_NO_SQUARE) return 0;
    return GENERATE(WANT_ALL | WANT_SAFE | WANT_CHECKS);
}

size_t yo_shogi_evasions(const struct yo_shogi_position *pos, yo_shogi_move *out) {
    return generate(pos, out, WANT_ALL | WANT_SAFE | WANT_EVASION);
}
