#include "game/shogi/see.h"

#include <stddef.h>

#include "game/shogi/movegen.h"

const int16_t yo_shogi_values[YO_SHOGI_KINDS] = {
    [YO_SHOGI_PAWN] = 100,       [YO_SHOGI_LANCE] = 330,      [YO_SHOGI_KNIGHT] = 370,
    [YO_SHOGI_SILVER] = 520,     [YO_SHOGI_GOLD] = 580,       [YO_SHOGI_BISHOP] = 820,
    [YO_SHOGI_ROOK] = 970,       [YO_SHOGI_TOKIN] = 530,      [YO_SHOGI_PRO_LANCE] = 540,
    [YO_SHOGI_PRO_KNIGHT] = 550, [YO_SHOGI_PRO_SILVER] = 570, [YO_SHOGI_HORSE] = 1080,
    [YO_SHOGI_DRAGON] = 1270,
};

/* By value; the king last, since it may capture only unprotected pieces. */
static const uint8_t cheapest_first[] = {
    YO_SHOGI_PAWN,      YO_SHOGI_LANCE,      YO_SHOGI_KNIGHT,     YO_SHOGI_SILVER, YO_SHOGI_TOKIN,
    YO_SHOGI_PRO_LANCE, YO_SHOGI_PRO_KNIGHT, YO_SHOGI_PRO_SILVER, YO_SHOGI_GOLD,   YO_SHOGI_BISHOP,
    YO_SHOGI_ROOK,      YO_SHOGI_HORSE,      YO_SHOGI_DRAGON,     YO_SHOGI_KING,
};

static int cheapest(const struct yo_shogi_position *pos, yo_bb attackers, int *square) {
    for (size_t i = 0; i < sizeof cheapest_first; i++) {
        yo_bb found = attackers & pos->kinds[cheapest_first[i]];
        if (!found) continue;
        *square = bb_first(found);
        return cheapest_first[i];
    }
    return YO_SHOGI_NO_KIND;
}

int yo_shogi_see(const struct yo_shogi_position *pos, yo_shogi_move move) {
    int to = shogi_to(move), side = pos->side, kind;
    int gains[YO_SHOGI_SQUARES], depth = 0;
    yo_bb occupied = pos->kinds[YO_SHOGI_ANY];
    gains[0] = shogi_exchange_value(shogi_kind(pos->board[to]));
    if (shogi_is_drop(move)) {
        kind = shogi_dropped(move);
    } else {
        occupied ^= bb_square(shogi_from(move));
        kind = shogi_kind(pos->board[shogi_from(move)]);
        if (shogi_promotes(move)) {
            gains[0] += yo_shogi_values[kind + YO_SHOGI_PROMOTED] - yo_shogi_values[kind];
            kind += YO_SHOGI_PROMOTED;
        }
    }
    occupied |= bb_square(to);
    for (;;) {
        side ^= 1;
        int from;
        int taker = cheapest(pos, shogi_attackers(pos, side, to, occupied) & occupied, &from);
        if (!taker || kind == YO_SHOGI_KING) break;
        occupied ^= bb_square(from);
        if (taker == YO_SHOGI_KING &&
            (shogi_attackers(pos, side ^ 1, to, occupied) & occupied & ~bb_square(to)))
            break;
        depth++;
        gains[depth] = shogi_exchange_value(kind) - gains[depth - 1];
        kind = taker;
    }
    /* From the end: a side that would lose by capturing stops. */
    while (depth > 0) {
        depth--;
        if (-gains[depth + 1] < gains[depth]) gains[depth] = -gains[depth + 1];
    }
    return gains[0];
}

bool yo_shogi_see_loses(const struct yo_shogi_position *pos, yo_shogi_move move, int most) {
    bool drop = shogi_is_drop(move), loses = false;
    int to = shogi_to(move), side = pos->side;
    int kind = drop ? shogi_dropped(move) : shogi_kind(pos->board[shogi_from(move)]);
    int spare = shogi_exchange_value(shogi_kind(pos->board[to])) + most;
    if (shogi_promotes(move)) {
        spare += yo_shogi_values[kind + YO_SHOGI_PROMOTED] - yo_shogi_values[kind];
        kind += YO_SHOGI_PROMOTED;
    }
    if (spare < 0) return true;
    /* What the side to capture has left over if it captures and nothing more happens. */
    int left = shogi_exchange_value(kind) - spare;
    if (left <= 0) return false;
    yo_bb occupied = pos->kinds[YO_SHOGI_ANY];
    if (!drop) occupied ^= bb_square(shogi_from(move));
    occupied |= bb_square(to);
    for (;;) {
        side ^= 1;
        int from;
        int taker = cheapest(pos, shogi_attackers(pos, side, to, occupied) & occupied, &from);
        if (!taker) return loses;
        occupied ^= bb_square(from);
        if (taker == YO_SHOGI_KING &&
            (shogi_attackers(pos, side ^ 1, to, occupied) & occupied & ~bb_square(to)))
            return loses;
        loses = !loses;
        left = shogi_exchange_value(taker) - left;
        /* The capture pays even if the piece that made it is lost. */
        if (left < !loses) return loses;
    }
}

bool yo_shogi_gives_away(const struct yo_shogi_position *pos, yo_shogi_move move) {
    struct yo_shogi_position next = *pos;
    yo_shogi_move captures[YO_SHOGI_LIST];
    yo_shogi_play(&next, move);
    size_t count = yo_shogi_captures(&next, captures);
    for (size_t i = 0; i < count; i++)
        if (yo_shogi_see(&next, captures[i]) > 0) return true;
    return false;
}
