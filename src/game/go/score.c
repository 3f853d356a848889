/* Area and territory. An empty region belongs to a colour when it touches no stone of the other.
 * A colour's stones and the regions it owns, connected, are a group here; tax is by group:
 * - seki: a group beside neutral points whose whole territory is one region of one or two points
 *   cannot have two eyes, so if it stands it stands in seki, and those points do not count.
 *   (A group in seki with more territory than that cannot be told from one alive by counting.)
 * - all: every group gives up two points of territory, or what it has. */
#include "game/go/score.h"

#include <string.h>

#include "game/go/state.h"

struct count {
    const struct yo_go_geometry *g;
    uint8_t stone[YO_GO_POINTS_MAX + 1]; /* after dead stones are gone; off the board: OFF */
    uint8_t owner[YO_GO_POINTS_MAX + 1]; /* of stones and of empty points; EMPTY is neutral */
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

/* Gathers the points connected to `from` whose value in map equals map[from], and ORs together
 * the bits 1 << value of those around them. */
static int flood(const struct yo_go_geometry *g, const uint8_t *map, bool *seen, int from,
                 uint16_t *points, unsigned *around) {
    int count = 0;
    *around = 0;
    points[count++] = (uint16_t)from;
    seen[from] = true;
    for (int i = 0; i < count; i++)
        for (int d = 0; d < 4; d++) {
            unsigned q = g->nbr[points[i]][d];
            if (map[q] != map[from]) {
                *around |= 1u << map[q];
            } else if (!seen[q]) {
                seen[q] = true;
                points[count++] = (uint16_t)q;
            }
        }
    return count;
}

static void find_owners(struct count *c) {
    bool seen[YO_GO_POINTS_MAX + 1] = {false};
    uint16_t points[YO_GO_POINTS_MAX];
    memcpy(c->owner, c->stone, sizeof c->owner);
    for (int p = 0; p < c->g->points; p++) {
        c->stones[c->stone[p]]++;
        if (c->stone[p] != YO_GO_EMPTY || seen[p]) continue;
        unsigned around;
        int n = flood(c->g, c->stone, seen, p, points, &around);
        bool black = around >> YO_GO_BLACK & 1, white = around >> YO_GO_WHITE & 1;
        if (black == white) continue;
        enum yo_go_color owner = black ? YO_GO_BLACK : YO_GO_WHITE;
        for (int i = 0; i < n; i++)
            c->owner[points[i]] = (uint8_t)owner;
        c->territory[owner] += n;
    }
}

/* Are the empty points among these connected? */
static bool is_one_region(const struct count *c, const uint16_t *points, int n, int empty) {
    bool seen[YO_GO_POINTS_MAX + 1] = {false};
    uint16_t region[YO_GO_POINTS_MAX];
    unsigned around;
    for (int i = 0; i < n; i++)
        if (c->stone[points[i]] == YO_GO_EMPTY)
            return flood(c->g, c->stone, seen, points[i], region, &around) == empty;
    return false;
}

static int group_tax(const struct count *c, enum yo_go_tax tax, const uint16_t *points, int n,
                     bool beside_neutral) {
    int territory = 0;
    for (int i = 0; i < n; i++)
        territory += c->stone[points[i]] == YO_GO_EMPTY;
    if (tax == YO_GO_TAX_ALL) return territory < 2 ? territory : 2;
    bool seki = beside_neutral && territory <= 2 && is_one_region(c, points, n, territory);
    return seki ? territory : 0;
}

static void levy_tax(struct count *c, enum yo_go_tax tax) {
    bool seen[YO_GO_POINTS_MAX + 1] = {false};
    uint16_t points[YO_GO_POINTS_MAX];
    for (int p = 0; p < c->g->points; p++) {
        if (c->owner[p] == YO_GO_EMPTY || seen[p]) continue;
        unsigned around;
        int n = flood(c->g, c->owner, seen, p, points, &around);
        c->tax[c->owner[p]] += group_tax(c, tax, points, n, around >> YO_GO_EMPTY & 1);
    }
}

int yo_go_score_komi2(const struct yo_go_rules *rules, int handicap) {
    if (handicap < 2 || rules->handicap_bonus == YO_GO_BONUS_0) return rules->komi2;
    return rules->komi2 + 2 * (handicap - (rules->handicap_bonus == YO_GO_BONUS_N_MINUS_1));
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
