#include "game/shogi/rules.h"

#include <strings.h>

#include "base/diag.h"

const struct yo_shogi_rules yo_shogi_rules_default = {.entering = YO_SHOGI_ENTER_27};

enum yo_err yo_shogi_entering_parse(const char *text, struct yo_shogi_rules *rules,
                                    struct yo_diag *diag) {
    static const struct {
        const char *name;
        enum yo_shogi_entering entering;
        bool handicap;
    } names[] = {
        {"none", YO_SHOGI_ENTER_NONE, false},
        {"24", YO_SHOGI_ENTER_24, false},
        {"27", YO_SHOGI_ENTER_27, false},
        {"try", YO_SHOGI_ENTER_TRY, false},
        {"NoEnteringKing", YO_SHOGI_ENTER_NONE, false},
        {"CSARule24", YO_SHOGI_ENTER_24, false},
        {"CSARule24H", YO_SHOGI_ENTER_24, true},
        {"CSARule27", YO_SHOGI_ENTER_27, false},
        {"CSARule27H", YO_SHOGI_ENTER_27, true},
        {"TryRule", YO_SHOGI_ENTER_TRY, false},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcasecmp(text, names[i].name) != 0) continue;
        rules->entering = names[i].entering;
        rules->handicap_points = names[i].handicap;
        return YO_OK;
    }
    yo_diag_set(diag, YO_ERR_UNKNOWN, "there is no entering-king rule %.40s", text);
    yo_diag_hint(diag, "there are none, 24, 27 and try");
    return YO_ERR_UNKNOWN;
}

/* ---- Declaration ---- */

static yo_bb great_pieces(const struct yo_shogi_position *pos) {
    return pos->kinds[YO_SHOGI_BISHOP] | pos->kinds[YO_SHOGI_ROOK] | pos->kinds[YO_SHOGI_HORSE] |
           pos->kinds[YO_SHOGI_DRAGON];
}

static int hand_points(yo_shogi_hand hand) {
    int points = 0;
    for (int kind = YO_SHOGI_PAWN; kind <= YO_SHOGI_ROOK; kind++)
        points += shogi_hand_count(hand, kind) * (kind >= YO_SHOGI_BISHOP ? 5 : 1);
    return points;
}

int yo_shogi_points(const struct yo_shogi_position *pos, int side, int *entered) {
    yo_bb there = pos->sides[side] & yo_shogi_tables.zone[side] & ~pos->kinds[YO_SHOGI_KING];
    *entered = bb_count(there);
    return *entered + 4 * bb_count(there & great_pieces(pos)) + hand_points(pos->hands[side]);
}

/* All pieces of both sides are worth 54 points. */
static int missing_points(const struct yo_shogi_position *pos) {
    yo_bb pieces = pos->kinds[YO_SHOGI_ANY] & ~pos->kinds[YO_SHOGI_KING];
    return 54 - bb_count(pieces) - 4 * bb_count(pieces & great_pieces(pos)) -
           hand_points(pos->hands[0]) - hand_points(pos->hands[1]);
}

static bool has_tried(const struct yo_shogi_position *pos, int side) {
    return pos->king[side] == shogi_square(4, side == YO_SHOGI_BLACK ? 0 : 8);
}

bool yo_shogi_can_declare(const struct yo_shogi_position *pos, const struct yo_shogi_rules *rules) {
    int us = pos->side;
    if (rules->entering == YO_SHOGI_ENTER_NONE || pos->king[us] == YO_SHOGI_NO_SQUARE) return false;
    if (rules->entering == YO_SHOGI_ENTER_TRY) return has_tried(pos, us);
    if (shogi_in_check(pos) || !bb_has(yo_shogi_tables.zone[us], pos->king[us])) return false;
    int entered, points = yo_shogi_points(pos, us, &entered);
    if (rules->handicap_points && us == YO_SHOGI_WHITE) points += missing_points(pos);
    int need = rules->entering == YO_SHOGI_ENTER_24 ? 31 : us == YO_SHOGI_BLACK ? 28 : 27;
    return entered >= 10 && points >= need;
}

bool yo_shogi_was_tried(const struct yo_shogi_position *pos, const struct yo_shogi_rules *rules) {
    return rules->entering == YO_SHOGI_ENTER_TRY && has_tried(pos, pos->side ^ 1);
}

bool yo_shogi_mate_is_in_time(const struct yo_shogi_position *pos,
                              const struct yo_shogi_rules *rules, size_t length) {
    return !rules->max_moves || pos->ply + length <= (size_t)rules->max_moves;
}

/* ---- Repetition ---- */

struct yo_shogi_past yo_shogi_past_first(const struct yo_shogi_position *pos) {
    return (struct yo_shogi_past){.hash = shogi_hash(pos)};
}

struct yo_shogi_past yo_shogi_past_next(const struct yo_shogi_past *before,
                                        const struct yo_shogi_position *pos) {
    struct yo_shogi_past past = {.hash = shogi_hash(pos),
                                 .checks = {before->checks[0], before->checks[1]}};
    int mover = pos->side ^ 1;
    past.checks[mover] = shogi_in_check(pos) ? (uint16_t)(past.checks[mover] + 1) : 0;
    return past;
}

static const struct yo_shogi_past *past_at(const struct yo_shogi_history *h, size_t i) {
    if (i < h->game_count) return &h->game[i];
    return &h->ring[(i - h->game_count) & (h->ring_size - 1)];
}

static bool is_kept(const struct yo_shogi_history *h, size_t i) {
    return i < h->game_count || h->ring_count <= h->ring_size ||
           i - h->game_count >= h->ring_count - h->ring_size;
}

enum yo_outcome yo_shogi_repetition(const struct yo_shogi_history *h, int times) {
    size_t last = h->game_count + h->ring_count - 1;
    const struct yo_shogi_past *now = past_at(h, last);
    int found = 0;
    for (size_t back = 4; back <= last; back += 2) {
        if (!is_kept(h, last - back) || past_at(h, last - back)->hash != now->hash) continue;
        if (++found < times) continue;
        bool checked_by[2] = {2u * now->checks[0] >= back, 2u * now->checks[1] >= back};
        if (checked_by[0] == checked_by[1]) return YO_OUTCOME_DRAW;
        return checked_by[0] ? YO_OUTCOME_SECOND : YO_OUTCOME_FIRST;
    }
    return YO_OUTCOME_NONE;
}
