/* Futile interpositions, which tsume does not count as moves. A single piece gives check from a
 * distance, and the defender interposes. The interposition is futile if the attacker captures it
 * with check and the mate then needs no more plies than against the defender's other moves, without
 * use of the captured piece. To define "without use", the captured piece goes back to the defender:
 * a mate without it is also a mate with it.
 *
 * The squares are examined from the king outwards. An interposition on a nearer square that counts
 * is one of the "other moves" for farther squares. After a capture on a farther square the defender
 * can interpose on the nearer ones, where the rule applies again. Drops of all kinds on one square
 * are equivalent, since the piece goes back; one is tried. */
#include "game/shogi/movegen.h"
#include "search/mate/internal.h"

static bool is_slider(int kind) {
    return kind == YO_SHOGI_LANCE || kind == YO_SHOGI_BISHOP || kind == YO_SHOGI_ROOK ||
           kind == YO_SHOGI_HORSE || kind == YO_SHOGI_DRAGON;
}

bool yo_dfpn_find_interpositions(struct dfpn_node *n) {
    const struct yo_shogi_position *pos = n->pos;
    if (n->attacks || !pos->checkers || bb_many(pos->checkers)) return false;
    if (!is_slider(shogi_kind(pos->board[bb_first(pos->checkers)]))) return false;
    bool any = false;
    for (size_t i = 0; i < n->count; i++) {
        if (!dfpn_interposes(pos, n->children[i].move)) continue;
        n->children[i].counting = DFPN_OPEN;
        any = true;
    }
    return any;
}

static struct dfpn_entry look_up(const struct yo_dfpn *s, const struct dfpn_node *n,
                                 const struct yo_shogi_position *pos, uint16_t left) {
    return yo_dfpn_table_find(&s->table, pos->board_key, pos->hands[s->attacker], n->way, left);
}

static bool mates_within(struct yo_dfpn *s, const struct dfpn_node *n,
                         const struct yo_shogi_position *after, uint16_t left) {
    struct dfpn_entry e = look_up(s, n, after, left);
    if (e.pn == 0 || e.dn == 0) return e.pn == 0;
    yo_dfpn_search(s, after, n->ply + 1, left, n->way, DFPN_INFINITE, DFPN_INFINITE);
    return look_up(s, n, after, left).pn == 0;
}

/* Does the defender lose within `left` plies after the attacker captures the piece interposed by
 * `move` and the piece goes back to the defender? */
static bool is_futile(struct yo_dfpn *s, const struct dfpn_node *n, yo_shogi_move move,
                      uint16_t left) {
    struct yo_shogi_position between = *n->pos;
    int to = shogi_to(move);
    yo_shogi_play(&between, move);
    int kind = shogi_unpromoted(shogi_kind(between.board[to]));
    yo_bb takers = shogi_attackers(&between, s->attacker, to, between.kinds[YO_SHOGI_ANY]);
    while (takers) {
        int from = bb_pop(&takers);
        for (int promotes = 1; promotes >= 0; promotes--) {
            yo_shogi_move capture = shogi_move(from, to) | (promotes ? YO_SHOGI_PROMOTE : 0);
            if (!yo_shogi_move_is_sound(&between, capture)) continue;
            struct yo_shogi_position after = between;
            yo_shogi_play(&after, capture);
            if (!shogi_in_check(&after)) continue;
            yo_shogi_position_give(&after, s->attacker, kind, -1);
            yo_shogi_position_give(&after, s->attacker ^ 1, kind, 1);
            if (mates_within(s, n, &after, left)) return true;
        }
    }
    return false;
}

static int distance(int a, int b) {
    int files = shogi_file(a) - shogi_file(b), ranks = shogi_rank(a) - shogi_rank(b);
    if (files < 0) files = -files;
    if (ranks < 0) ranks = -ranks;
    return files > ranks ? files : ranks;
}

/* The square of an open interposition nearest to the king; 81: none is open. */
static int nearest_open(const struct dfpn_node *n) {
    int nearest = YO_SHOGI_NO_SQUARE, king = n->pos->king[n->pos->side];
    for (size_t i = 0; i < n->count; i++) {
        int to = shogi_to(n->children[i].move);
        if (n->children[i].counting != DFPN_OPEN) continue;
        if (nearest == YO_SHOGI_NO_SQUARE || distance(to, king) < distance(nearest, king))
            nearest = to;
    }
    return nearest;
}

void yo_dfpn_settle_nearest(struct yo_dfpn *s, struct dfpn_node *n, uint16_t others) {
    int square = nearest_open(n);
    bool drops_known = false, drops_futile = false;
    for (size_t i = 0; i < n->count; i++) {
        struct dfpn_child *child = &n->children[i];
        if (child->counting != DFPN_OPEN || shogi_to(child->move) != square) continue;
        bool drop = shogi_is_drop(child->move);
        bool futile = drop && drops_known ? drops_futile : is_futile(s, n, child->move, others);
        if (drop) drops_known = true, drops_futile = futile;
        child->counting = futile ? DFPN_FUTILE : DFPN_COUNTS;
    }
    n->open = nearest_open(n) != YO_SHOGI_NO_SQUARE;
}
