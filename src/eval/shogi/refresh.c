#include "eval/shogi/refresh.h"

#include <string.h>

#include "eval/shogi/kernel.h"

void yo_shogi_refresh_clear(struct shogi_refresh *r) { memset(r->known, 0, sizeof r->known); }

static void sum_anew(const struct yo_shogi_net *net, const struct yo_shogi_position *pos,
                     int viewer, int16_t *sums) {
    size_t inputs[SHOGI_INPUTS_ON], count = yo_shogi_inputs(pos, viewer, net->kind, inputs);
    const int16_t *rows[SHOGI_INPUTS_ON];
    for (size_t i = 0; i < count; i++)
        rows[i] = net->weights[inputs[i]];
    net->kernel->update(sums, net->layers.sum_biases, rows, (int)count, NULL, 0);
}

/* ---- Changes since the king was on its square ---- */

struct rows {
    const int16_t *list[SHOGI_INPUTS_ON];
    int count;
};

struct changes {
    const struct yo_shogi_net *net;
    int viewer;
    struct shogi_viewpoint view;
    struct rows on, off;
};

static void add_input(struct changes *c, struct rows *rows, size_t input) {
    rows->count += shogi_net_rows(c->net, &c->view, input, rows->list + rows->count);
}

static void add_piece(struct changes *c, struct rows *rows, yo_shogi_piece piece, int square) {
    if (piece) add_input(c, rows, shogi_board_input(c->viewer, piece, square));
}

static void compare_boards(struct changes *c, const yo_shogi_piece *old,
                           const yo_shogi_piece *new) {
    enum { WORD = sizeof(uint64_t) };
    for (int first = 0; first < YO_SHOGI_SQUARES; first += WORD) {
        int end = first + WORD < YO_SHOGI_SQUARES ? first + WORD : YO_SHOGI_SQUARES;
        if (memcmp(old + first, new + first, (size_t)(end - first)) == 0) continue;
        for (int square = first; square < end; square++) {
            if (old[square] == new[square]) continue;
            add_piece(c, &c->off, old[square], square);
            add_piece(c, &c->on, new[square], square);
        }
    }
}

static void compare_hands(struct changes *c, int side, yo_shogi_hand old, yo_shogi_hand new) {
    if (old == new) return;
    for (int kind = YO_SHOGI_PAWN; kind < YO_SHOGI_KING; kind++) {
        int before = shogi_hand_count(old, kind), after = shogi_hand_count(new, kind);
        for (int n = after; n < before; n++)
            add_input(c, &c->off, shogi_hand_input(c->viewer, side, kind, n));
        for (int n = before; n < after; n++)
            add_input(c, &c->on, shogi_hand_input(c->viewer, side, kind, n));
    }
}

static void bring_up_to_date(const struct yo_shogi_net *net, const struct yo_shogi_position *pos,
                             int viewer, struct shogi_refresh_entry *e) {
    struct changes c;
    c.net = net;
    c.viewer = viewer;
    c.view = shogi_viewpoint(pos, viewer, net->kind);
    c.on.count = c.off.count = 0;
    compare_boards(&c, e->board, pos->board);
    for (int side = 0; side < 2; side++)
        compare_hands(&c, side, e->hands[side], pos->hands[side]);
    net->kernel->update(e->sums, e->sums, c.on.list, c.on.count, c.off.list, c.off.count);
}

void yo_shogi_refresh_sums(struct shogi_refresh *r, const struct yo_shogi_net *net,
                           const struct yo_shogi_position *pos, int viewer, int16_t *sums) {
    if (!r) {
        sum_anew(net, pos, viewer, sums);
        return;
    }
    int king = pos->king[viewer];
    struct shogi_refresh_entry *e = &r->entries[viewer][king];
    if (r->known[viewer][king])
        bring_up_to_date(net, pos, viewer, e);
    else
        sum_anew(net, pos, viewer, e->sums);
    r->known[viewer][king] = true;
    memcpy(e->board, pos->board, sizeof e->board);
    memcpy(e->hands, pos->hands, sizeof e->hands);
    memcpy(sums, e->sums, sizeof e->sums);
}
