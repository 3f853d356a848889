#include "eval/net/go_area.h"

#include <string.h>

#include "game/go/benson.h"

struct work {
    const struct yo_go_board *board;
    const struct yo_go_geometry *g;
    struct yo_go_set stones[2], area[2]; /* Black's, White's */
};

static struct yo_go_set minus(const struct yo_go_geometry *g, const struct yo_go_set *a,
                              const struct yo_go_set *b) {
    struct yo_go_set left;
    for (int w = 0; w < g->words; w++)
        left.word[w] = a->word[w] & ~b->word[w];
    return left;
}

/* Points become the colour's; those that the other has stay so unless it takes them. */
static void give(struct work *k, int color, const struct yo_go_set *points, bool take) {
    uint64_t *own = k->area[color].word, *other = k->area[!color].word;
    for (int w = 0; w < k->g->words; w++) {
        if (take) other[w] &= ~points->word[w];
        own[w] |= points->word[w] & ~other[w];
    }
}

static bool is_empty(const struct yo_go_geometry *g, const struct yo_go_set *set) {
    uint64_t any = 0;
    for (int w = 0; w < g->words; w++)
        any |= set->word[w];
    return any == 0;
}

/* Regions are connected points that the colour does not hold. Those enclosed by unconditionally
 * alive stones belong to them even where the other colour has surrounded a part, unless that may
 * live there. One fill finds all others. */
static void claim_enclosed(struct work *k, int color, const struct yo_go_set *alive) {
    const struct yo_go_set *own = &k->stones[color];
    struct yo_go_set beside, others, region, doubtful = minus(k->g, own, alive), open, left;
    yo_go_set_beside(k->g, own, &beside);
    yo_go_set_beside(k->g, &doubtful, &open);
    for (int w = 0; w < k->g->words; w++) {
        others.word[w] = k->g->board[w] & ~own->word[w];
        open.word[w] &= others.word[w];
    }
    yo_go_set_fill(k->g, &others, &open);
    left = minus(k->g, &others, &open);
    while (yo_go_set_next_part(k->g, &left, &region)) {
        bool prisoner = yo_go_set_meets(k->g, &region, &k->stones[!color]);
        struct yo_go_set inner = minus(k->g, &region, &beside);
        if (!prisoner || yo_go_set_count(k->g, &inner) <= 1) give(k, color, &region, true);
    }
}

/* Empty points that are not connected to a stone of the other colour. */
static struct yo_go_set surrounded(const struct work *k, int color) {
    struct yo_go_set reached, empty;
    yo_go_set_beside(k->g, &k->stones[!color], &reached);
    for (int w = 0; w < k->g->words; w++) {
        empty.word[w] = k->board->empty[w];
        reached.word[w] &= empty.word[w];
    }
    yo_go_set_fill(k->g, &empty, &reached);
    return minus(k->g, &empty, &reached);
}

/* What is surrounded belongs to the colour, if it has no owner yet. */
static void claim(struct work *k, int color, bool suicide) {
    struct yo_go_set alive, around;
    if (is_empty(k->g, &k->stones[color])) return;
    yo_go_benson_stones(k->board, &k->stones[color], suicide, &alive);
    give(k, color, &alive, true);
    around = surrounded(k, color);
    give(k, color, &around, false);
    if (!is_empty(k->g, &alive)) claim_enclosed(k, color, &alive);
}

static void add_stones_in_atari(const struct work *k, int color, struct yo_go_set *set) {
    const struct yo_go_board *board = k->board;
    for (int p = 0; p < k->g->points; p++)
        if (yo_go_bit(k->stones[color].word, (unsigned)p) &&
            yo_go_string_in_atari(&board->string[board->head[p]]))
            yo_go_set_add(set, (unsigned)p);
}

static void drop_seki(struct work *k) {
    struct yo_go_set neutral, beside;
    for (int w = 0; w < k->g->words; w++)
        neutral.word[w] = k->board->empty[w] & ~k->area[0].word[w] & ~k->area[1].word[w];
    yo_go_set_beside(k->g, &neutral, &beside);
    for (int color = 0; color < 2; color++) {
        struct yo_go_set seki = beside;
        add_stones_in_atari(k, color, &seki);
        for (int w = 0; w < k->g->words; w++)
            seki.word[w] &= k->area[color].word[w];
        yo_go_set_fill(k->g, &k->area[color], &seki);
        for (int w = 0; w < k->g->words; w++)
            k->area[color].word[w] &= ~seki.word[w] | k->stones[color].word[w];
    }
}

void yo_go_area_sets(const struct yo_go_board *board, const struct yo_go_set stones[2],
                     bool suicide, bool taxed, struct yo_go_set area[2]) {
    struct work k = {.board = board, .g = board->geometry, .stones = {stones[0], stones[1]}};
    for (int color = 0; color < 2; color++)
        claim(&k, color, suicide);
    for (int color = 0; color < 2; color++)
        give(&k, color, &k.stones[color], false);
    if (taxed) drop_seki(&k);
    memcpy(area, k.area, sizeof k.area);
}

void yo_go_area(const struct yo_go_board *board, bool suicide, bool taxed,
                uint8_t area[YO_GO_POINTS_MAX]) {
    struct yo_go_set stones[2], sets[2];
    yo_go_set_stones(board, YO_GO_BLACK, &stones[0]);
    yo_go_set_stones(board, YO_GO_WHITE, &stones[1]);
    yo_go_area_sets(board, stones, suicide, taxed, sets);
    memset(area, YO_GO_EMPTY, YO_GO_POINTS_MAX);
    for (int p = 0; p < board->geometry->points; p++)
        area[p] = yo_go_bit(sets[0].word, (unsigned)p)   ? YO_GO_BLACK
                  : yo_go_bit(sets[1].word, (unsigned)p) ? YO_GO_WHITE
                                                         : YO_GO_EMPTY;
}
