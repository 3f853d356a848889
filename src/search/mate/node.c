/* A node of the mate solver: its moves, and the entries of its children. */
#include "game/shogi/movegen.h"
#include "search/mate/hand.h"
#include "search/mate/internal.h"

uint32_t yo_dfpn_way_after(uint32_t way, uint64_t hash) {
    uint64_t mixed = (way ^ hash) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(mixed >> 32) | 1;
}

static uint16_t find_loop(const struct yo_dfpn *s, int ply, uint64_t hash) {
    for (int i = ply; i >= 0; i--)
        if (s->path[i] == hash) return (uint16_t)i;
    return DFPN_NO_LOOP;
}

/* Counts the evasions. Drops on one square count as one, since they are searched one after another.
 * *solid: some evasion is no interposition. */
static uint16_t count_answers(const struct yo_shogi_position *pos, bool *solid) {
    yo_shogi_move moves[YO_SHOGI_LIST];
    size_t count = yo_shogi_evasions(pos, moves), others = 0;
    yo_bb drops = 0;
    *solid = false;
    for (size_t i = 0; i < count; i++) {
        if (shogi_is_drop(moves[i]))
            drops |= bb_square(shogi_to(moves[i]));
        else
            others++;
        *solid |= !dfpn_interposes(pos, moves[i]);
    }
    return (uint16_t)(others + (size_t)bb_count(drops));
}

static yo_shogi_hand hand_after(const struct yo_shogi_position *pos, yo_shogi_move move) {
    yo_shogi_hand hand = pos->hands[pos->side];
    if (shogi_is_drop(move)) return hand - shogi_hand_one(shogi_dropped(move));
    yo_shogi_piece taken = pos->board[shogi_to(move)];
    return taken ? hand + shogi_hand_one(shogi_unpromoted(shogi_kind(taken))) : hand;
}

static struct dfpn_child make_child(const struct yo_dfpn *s, const struct dfpn_node *n,
                                    yo_shogi_move move) {
    const struct yo_shogi_position *pos = n->pos;
    struct dfpn_child child = {.move = move, .moves = DFPN_NOT_COUNTED};
    uint64_t hands;
    yo_shogi_keys_after(pos, move, &child.board, &hands);
    child.hand = n->attacks ? hand_after(pos, move) : pos->hands[s->attacker];
    dfpn_table_prefetch(&s->table, child.board);
    child.loop = find_loop(s, n->ply, child.board ^ hands);
    return child;
}

/* Not inlined: keeps the move list out of the stack frames of the recursion. */
__attribute__((noinline)) bool yo_dfpn_expand(struct yo_dfpn *s, struct dfpn_node *n) {
    yo_shogi_move moves[YO_SHOGI_LIST];
    n->count = n->attacks ? yo_shogi_checks(n->pos, moves) : yo_shogi_legal_moves(n->pos, moves);
    if (n->ply >= DFPN_MAX_PLY || s->pool_used + n->count > DFPN_POOL) return false;
    n->children = s->pool + s->pool_used;
    s->path[n->ply] = shogi_hash(n->pos);
    for (size_t i = 0; i < n->count; i++)
        n->children[i] = make_child(s, n, moves[i]);
    s->pool_used += n->count;
    n->open = s->tsume && yo_dfpn_find_interpositions(n);
    return true;
}

uint16_t yo_dfpn_left_below(const struct dfpn_node *n) {
    return n->left == DFPN_ENDLESS ? DFPN_ENDLESS : (uint16_t)(n->left - 1);
}

/* A final result is kept in the child and not looked up again. */
static void settle_child(struct dfpn_child *child, bool mate, yo_shogi_hand hand,
                         uint16_t distance) {
    child->final = mate ? DFPN_PROVED : DFPN_DISPROVED;
    child->final_hand = hand;
    child->distance = distance;
}

static struct dfpn_entry recall(const struct dfpn_child *child) {
    bool proved = child->final == DFPN_PROVED;
    return (struct dfpn_entry){.hand = child->final_hand,
                               .pn = proved ? 0 : DFPN_INFINITE,
                               .dn = proved ? DFPN_INFINITE : 0,
                               .distance = child->distance};
}

/* Counts the replies to a child's move; having none proves or disproves it. Not inlined: see
 * yo_dfpn_expand. */
static __attribute__((noinline)) void
count_after(const struct yo_dfpn *s, const struct dfpn_node *n, struct dfpn_child *child) {
    yo_shogi_move moves[YO_SHOGI_LIST];
    struct yo_shogi_position next = *n->pos;
    yo_shogi_play(&next, child->move);
    if (!n->attacks) {
        child->moves = (uint16_t)yo_shogi_checks(&next, moves);
        if (child->moves == 0) settle_child(child, false, yo_dfpn_hand_idle(&next), 0);
        return;
    }
    bool solid;
    child->moves = count_answers(&next, &solid);
    if (child->moves == 0)
        settle_child(child, true, yo_dfpn_hand_withheld(&next), 0);
    else if (n->left == 1 && (solid || !s->tsume)) /* no plies left, unless all are futile */
        settle_child(child, false, solid ? dfpn_hand_both(&next) : child->hand, 0);
}

static struct dfpn_entry no_mate(const struct dfpn_child *child) {
    return (struct dfpn_entry){.hand = child->hand, .pn = DFPN_INFINITE};
}

/* The first estimate of pn is the number of evasions, that of dn half the number of checks plus
 * one. */
static struct dfpn_entry guess(const struct dfpn_node *n, const struct dfpn_child *child) {
    struct dfpn_entry e = {.hand = child->hand, .pn = 1, .dn = 1};
    if (n->attacks)
        e.pn = child->moves;
    else
        e.dn = child->moves / 2u + 1;
    return e;
}

struct dfpn_entry yo_dfpn_look(const struct yo_dfpn *s, const struct dfpn_node *n,
                               struct dfpn_child *child) {
    if (child->final) return recall(child);
    if (child->loop != DFPN_NO_LOOP) {
        struct dfpn_entry e = no_mate(child);
        e.distance = child->loop;
        e.way = 1;
        return e;
    }
    if (n->left == 0) return no_mate(child);
    struct dfpn_entry e =
        yo_dfpn_table_find(&s->table, child->board, child->hand, n->way, yo_dfpn_left_below(n));
    if (e.pn == 0 || (e.dn == 0 && !e.way)) settle_child(child, e.pn == 0, e.hand, e.distance);
    if (e.effort != 0) return e;
    if (child->moves == DFPN_NOT_COUNTED) count_after(s, n, child);
    return child->final ? recall(child) : guess(n, child);
}
