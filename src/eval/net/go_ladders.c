#include "eval/net/go_ladders.h"

#include <string.h>

/* The points that have changed since the position `ago` moves ago, and perhaps some that have
 * changed back. */
static struct yo_go_set changes(const struct yo_go_position *pos, int ago) {
    struct yo_go_set changed;
    for (int w = 0; w < pos->board.geometry->words; w++) {
        changed.word[w] = pos->board.empty[w] ^ pos->empty_was[0][w];
        if (ago > 1) changed.word[w] |= pos->empty_was[0][w] ^ pos->empty_was[1][w];
    }
    return changed;
}

/* The stones of a position with these colours, which differs from now on `changed` at most. */
static void find_stones(const struct yo_go_weak *weak, const struct yo_go_set *changed,
                        const uint8_t *color, int words, struct yo_go_set stones[2]) {
    for (int w = 0; w < words; w++) {
        stones[0].word[w] = weak->stones[0].word[w] & ~changed->word[w];
        stones[1].word[w] = weak->stones[1].word[w] & ~changed->word[w];
        for (uint64_t left = changed->word[w]; left; left &= left - 1) {
            unsigned p = 64 * (unsigned)w + (unsigned)__builtin_ctzll(left);
            if (color[p] != YO_GO_EMPTY) yo_go_set_add(&stones[color[p] == YO_GO_WHITE], p);
        }
    }
}

/* Turns the plane of now into that of the position `ago` moves ago. Most readings hold there as
 * well; left are the strings beside a change, and those that past->again names. */
static void mark_past(const struct yo_go_position *pos, int ago, const struct yo_go_weak *weak,
                      const struct yo_go_ladder_past *past, struct yo_go_ladder_memory *memory,
                      uint64_t *plane) {
    const struct yo_go_geometry *g = pos->board.geometry;
    uint8_t color[YO_GO_POINTS_MAX + 1];
    struct yo_go_set stones[2], at;
    uint64_t any = 0;
    yo_go_position_colors(pos, ago, color);
    find_stones(weak, &past->changed, color, g->words, stones);
    yo_go_set_beside(g, &past->changed, &at);
    for (int w = 0; w < g->words; w++) {
        plane[w] &= ~past->again.word[w];
        at.word[w] |= past->changed.word[w] | past->again.word[w];
        any |= at.word[w] &= stones[0].word[w] | stones[1].word[w];
    }
    struct yo_go_ladder_place then = {g, color, stones, past->ko, memory};
    if (any) yo_go_ladder_mark(&then, at.word, YO_GO_EMPTY, plane, NULL);
}

/* The plane of the oldest known position replaces those of missing ones, also if it is not wanted
 * itself. */
static bool is_needed(int ago, int turns, unsigned wants, const struct yo_go_ladders_kept *kept) {
    bool shown = wants >> ago & 1 || (ago == turns && wants >> 2 & 1);
    return ago <= turns && shown && !(kept && kept->was[ago - 1]);
}

void yo_go_ladder_planes(const struct yo_go_position *pos, int turns, const struct yo_go_weak *weak,
                         unsigned wants, struct yo_go_ladders_kept *kept,
                         uint64_t plane[4][YO_GO_WORDS_MAX]) {
    enum yo_go_color prey = yo_go_other((enum yo_go_color)pos->to_move);
    struct yo_go_ladder_memory *memory = kept ? kept->memory : NULL;
    struct yo_go_ladder_past pasts[2];
    int count = 0, ago_of[2];
    for (int ago = 1; ago <= 2; ago++) {
        if (!is_needed(ago, turns, wants, kept)) continue;
        pasts[count] =
            (struct yo_go_ladder_past){.changed = changes(pos, ago), .ko = pos->ko_was[ago - 1]};
        ago_of[count++] = ago;
    }
    yo_go_ladder_mark_weak(&pos->board, weak, memory, prey, pasts, count, plane[0],
                           wants >> 3 & 1 ? plane[3] : NULL);
    for (int i = 0; i < count; i++) {
        memcpy(plane[ago_of[i]], plane[0], sizeof plane[0]);
        mark_past(pos, ago_of[i], weak, &pasts[i], memory, plane[ago_of[i]]);
    }
    for (int ago = 1; ago <= 2; ago++) {
        if (turns < ago)
            memcpy(plane[ago], plane[turns], sizeof plane[0]);
        else if (kept && kept->was[ago - 1])
            memcpy(plane[ago], kept->was[ago - 1], sizeof plane[0]);
    }
    if (kept) memcpy(kept->now, plane[0], sizeof plane[0]);
    for (int i = 0; i < 3; i++)
        if (!(wants >> i & 1)) memset(plane[i], 0, sizeof plane[0]);
}
