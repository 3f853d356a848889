/* Area and territory. An empty region belongs to a colour when it touches no stone of the other. A
 * group here is a connected set of a colour's stones and the regions it owns. Tax is by group:
 * - seki: a group next to neutral points whose whole territory is one region of one or two points
 *   cannot have two eyes; if it is not dead it is in seki, and those points do not count. (Counting
 *   cannot distinguish a group in seki with more territory from a living one.)
 * - all: every group gives up two points of territory, or all if it has fewer. */
#include "game/go/score.h"

#include <string.h>

#include "game/go/region.h"
#include "game/go/state.h"

struct count {
    const struct yo_go_geometry *g;
    uint8_t stone[YO_GO_POINTS_MAX]; /* after removal of dead stones */
    uint8_t owner[YO_GO_POINTS_MAX]; /* of stones and of empty points; EMPTY is neutral */
    int stones[4], territory[4], prisoners[4], tax[4];
};

static void remove_dead(struct count *c, const struct yo_go_board *board, const uint8_t *dead) {
    memcpy(c->stone, board->color, sizeof c->stone);
    c->prisoners[YO_GO_BLACK] = (int)board->captures[YO_GO_BLACK];
    c->prisoners[YO_GO_WHITE] = (int)board->captures[YO_GO_WHITE];
    for (int p = 0; dead && p < c->g->points; p++) {
        if (!dead[p] || c->stone[p] == YO_GO_EMPTY) continue;
        c->prisoners[3 - c->stone[p]]++;
        c->stone[p] = YO_GO_EMPTY;
    }
}

static void find_owners(struct count *c) {
    uint8_t seen[YO_GO_POINTS_MAX] = {0};
    struct yo_go_region region;
    memcpy(c->owner, c->stone, sizeof c->owner);
    for (int p = 0; p < c->g->points; p++) {
        c->stones[c->stone[p]]++;
        if (c->stone[p] != YO_GO_EMPTY || seen[p]) continue;
        yo_go_region_find(c->g->size, c->stone, (yo_go_point)p, seen, &region);
        if (region.touches[YO_GO_BLACK] == region.touches[YO_GO_WHITE]) continue;
        enum yo_go_color owner = region.touches[YO_GO_BLACK] ? YO_GO_BLACK : YO_GO_WHITE;
        for (int i = 0; i < region.count; i++)
            c->owner[region.points[i]] = (uint8_t)owner;
        c->territory[owner] += region.count;
    }
}

/* Are the group's `empty` empty points connected? */
static bool is_one_region(const struct count *c, const struct yo_go_region *group, int empty) {
    uint8_t seen[YO_GO_POINTS_MAX] = {0};
    struct yo_go_region region = {.count = 0};
    for (int i = 0; i < group->count && region.count == 0; i++)
        if (c->stone[group->points[i]] == YO_GO_EMPTY)
            yo_go_region_find(c->g->size, c->stone, group->points[i], seen, &region);
    return region.count == empty;
}

static int group_tax(const struct count *c, enum yo_go_tax tax, const struct yo_go_region *group) {
    int territory = 0;
    for (int i = 0; i < group->count; i++)
        territory += c->stone[group->points[i]] == YO_GO_EMPTY;
    if (tax == YO_GO_TAX_ALL) return territory < 2 ? territory : 2;
    bool seki = group->touches[YO_GO_EMPTY] && territory <= 2 && is_one_region(c, group, territory);
    return seki ? territory : 0;
}

static void levy_tax(struct count *c, enum yo_go_tax tax) {
    uint8_t seen[YO_GO_POINTS_MAX] = {0};
    struct yo_go_region group;
    for (int p = 0; p < c->g->points; p++) {
        if (c->owner[p] == YO_GO_EMPTY || seen[p]) continue;
        yo_go_region_find(c->g->size, c->owner, (yo_go_point)p, seen, &group);
        c->tax[c->owner[p]] += group_tax(c, tax, &group);
    }
}

int yo_go_score_komi2(const struct yo_go_rules *rules, int handicap) {
    if (handicap < 2 || rules->handicap_bonus == YO_GO_BONUS_0) return rules->komi2;
    return rules->komi2 + 2 * (handicap - (rules->handicap_bonus == YO_GO_BONUS_N_MINUS_1));
}

int yo_go_score_area_komi2(const struct yo_go_board *board, const struct yo_go_rules *rules,
                           int handicap, enum yo_go_color to_move, bool closed) {
    int komi2 = yo_go_score_komi2(rules, handicap), put[4] = {0};
    if (rules->scoring == YO_GO_AREA) return komi2;
    for (int p = 0; p < board->geometry->points; p++)
        put[board->color[p]]++;
    put[YO_GO_BLACK] += (int)board->captures[YO_GO_WHITE];
    put[YO_GO_WHITE] += (int)board->captures[YO_GO_BLACK];
    int last2 = closed ? 0 : to_move == YO_GO_BLACK ? 1 : -1;
    return komi2 + 2 * (put[YO_GO_BLACK] - put[YO_GO_WHITE]) + last2;
}

void yo_go_score_board(const struct yo_go_board *board, const struct yo_go_rules *rules,
                       int handicap, const uint8_t *dead, struct yo_go_score *score) {
    struct count c = {.g = board->geometry};
    remove_dead(&c, board, dead);
    find_owners(&c);
    if (rules->tax != YO_GO_TAX_NONE) levy_tax(&c, rules->tax);
    const int *more = rules->scoring == YO_GO_AREA ? c.stones : c.prisoners;
    int black = c.territory[YO_GO_BLACK] + more[YO_GO_BLACK] - c.tax[YO_GO_BLACK];
    int white = c.territory[YO_GO_WHITE] + more[YO_GO_WHITE] - c.tax[YO_GO_WHITE];
    score->black2 = 2 * black;
    score->white2 = 2 * white + yo_go_score_komi2(rules, handicap);
    score->lead2 = score->black2 - score->white2;
}

void yo_go_game_score(const struct yo_go_game *game, const uint8_t *dead,
                      struct yo_go_score *score) {
    yo_go_score_board(&game->board, &game->rules, game->handicap, dead, score);
}
