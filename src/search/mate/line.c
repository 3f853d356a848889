/* The line of a mate that was found. */
#include "search/mate/internal.h"

/* Proves a part again that the table has lost. */
static struct dfpn_entry look_again(struct yo_dfpn *s, const struct yo_shogi_position *pos,
                                    const struct dfpn_node *n, struct dfpn_child *child) {
    struct dfpn_entry e = yo_dfpn_look(s, n, child);
    if (e.pn == 0 || n->attacks || s->stopped) return e;
    struct yo_shogi_position next = *pos;
    yo_shogi_play(&next, child->move);
    yo_dfpn_search(s, &next, n->ply + 1, yo_dfpn_left_below(n), n->way, DFPN_INFINITE,
                   DFPN_INFINITE);
    return yo_dfpn_look(s, n, child);
}

/* Decides the open interpositions of a node in the proof. */
static void settle(struct yo_dfpn *s, struct dfpn_node *n) {
    while (n->open) {
        uint16_t others = 0;
        for (size_t i = 0; i < n->count; i++) {
            if (n->children[i].counting != DFPN_COUNTS) continue;
            struct dfpn_entry e = look_again(s, n->pos, n, &n->children[i]);
            if (e.pn == 0 && e.distance + 1 > others) others = (uint16_t)(e.distance + 1);
        }
        yo_dfpn_settle_nearest(s, n, others);
    }
}

static bool is_over(const struct dfpn_node *n) {
    for (size_t i = 0; i < n->count; i++)
        if (n->children[i].counting != DFPN_FUTILE) return false;
    return true;
}

/* The attacker takes the shortest mate, the defender the longest. */
static bool choose(struct yo_dfpn *s, struct dfpn_node *n, yo_shogi_move *chosen) {
    bool found = false;
    uint16_t best = 0;
    settle(s, n);
    for (size_t i = 0; i < n->count; i++) {
        if (n->children[i].counting != DFPN_COUNTS) continue;
        struct dfpn_entry e = look_again(s, n->pos, n, &n->children[i]);
        if (e.pn != 0) continue;
        if (found && (n->attacks ? e.distance >= best : e.distance <= best)) continue;
        best = e.distance;
        *chosen = n->children[i].move;
        found = true;
    }
    return found;
}

void yo_dfpn_find_line(struct yo_dfpn *s, const struct yo_shogi_position *root, uint16_t left,
                       struct yo_dfpn_answer *answer) {
    struct yo_shogi_position pos = *root;
    uint32_t way = 0;
    for (int ply = 0;; ply++) {
        yo_shogi_move move;
        struct dfpn_node n = {
            .pos = &pos, .attacks = pos.side == s->attacker, .ply = ply, .left = left};
        s->pool_used = 0;
        n.way = way = yo_dfpn_way_after(way, shogi_hash(&pos));
        if (!yo_dfpn_expand(s, &n) || n.count == 0) return;
        if (!choose(s, &n, &move)) {
            if (is_over(&n)) return;
            yo_dfpn_search(s, &pos, ply, left, 0, DFPN_INFINITE, DFPN_INFINITE);
            if (!choose(s, &n, &move)) return;
        }
        answer->line[answer->length++] = move;
        yo_shogi_play(&pos, move);
        left = yo_dfpn_left_below(&n);
    }
}
