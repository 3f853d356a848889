#include "game/go/sets.h"

/* Compiled for the usual numbers of words, and for any. */
#define FOR_WORDS(g, function, ...)                                                                \
    switch ((g)->words) {                                                                          \
    case 2:                                                                                        \
        function(__VA_ARGS__, 2);                                                                  \
        break;                                                                                     \
    case 3:                                                                                        \
        function(__VA_ARGS__, 3);                                                                  \
        break;                                                                                     \
    case 6:                                                                                        \
        function(__VA_ARGS__, 6);                                                                  \
        break;                                                                                     \
    default:                                                                                       \
        function(__VA_ARGS__, (g)->words);                                                         \
    }

static inline __attribute__((always_inline)) uint64_t
beside_word(const struct yo_go_geometry *g, const uint64_t *s, int w, int words) {
    uint64_t here = s[w], before = w > 0 ? s[w - 1] : 0, after = w + 1 < words ? s[w + 1] : 0;
    int size = g->size;
    uint64_t right = (here << 1 | before >> 63) & g->not_first[w];
    uint64_t left = (here >> 1 | after << 63) & g->not_last[w];
    uint64_t down = here << size | before >> (64 - size);
    uint64_t up = here >> size | after << (64 - size);
    return (right | left | down | up) & g->board[w];
}

static inline __attribute__((always_inline)) void
beside_words(const struct yo_go_geometry *g, const uint64_t *set, uint64_t *beside, int words) {
    for (int w = 0; w < words; w++)
        beside[w] = beside_word(g, set, w, words);
}

/* In place and in turns from both ends, so that a fill runs along the board in one turn; over the
 * words that have points of the set, and one more on either side. */
static inline __attribute__((always_inline)) void
fill_words(const struct yo_go_geometry *g, const uint64_t *within, uint64_t *set, int words) {
    int low = 0, high = words - 1;
    while (words > 2 && low < high && !set[low])
        low++;
    while (words > 2 && high > low && !set[high])
        high--;
    for (uint64_t more = 1; more;) {
        more = 0;
        for (int w = low > 0 ? low - 1 : 0; w < words && w <= high + 1; w++) {
            uint64_t next = set[w] | (beside_word(g, set, w, words) & within[w]);
            more |= next ^ set[w];
            set[w] = next;
            if (next && w > high) high = w;
        }
        for (int w = high; w >= 0 && w >= low - 1; w--) {
            uint64_t next = set[w] | (beside_word(g, set, w, words) & within[w]);
            more |= next ^ set[w];
            set[w] = next;
            if (next && w < low) low = w;
        }
    }
}

void yo_go_set_stones(const struct yo_go_board *board, enum yo_go_color color,
                      struct yo_go_set *stones) {
    const struct yo_go_geometry *g = board->geometry;
    for (int w = 0; w < g->words; w++) {
        stones->word[w] = 0;
        for (uint64_t left = ~board->empty[w] & g->board[w]; left; left &= left - 1) {
            int bit = __builtin_ctzll(left);
            stones->word[w] |= (uint64_t)(board->color[64 * w + bit] == color) << bit;
        }
    }
}

void yo_go_set_beside(const struct yo_go_geometry *g, const struct yo_go_set *set,
                      struct yo_go_set *beside) {
    FOR_WORDS(g, beside_words, g, set->word, beside->word)
}

void yo_go_set_fill(const struct yo_go_geometry *g, const struct yo_go_set *within,
                    struct yo_go_set *set) {
    FOR_WORDS(g, fill_words, g, within->word, set->word)
}

bool yo_go_set_next_part(const struct yo_go_geometry *g, struct yo_go_set *within,
                         struct yo_go_set *part) {
    int first = 0;
    while (first < g->words && !within->word[first])
        first++;
    if (first == g->words) return false;
    for (int w = 0; w < g->words; w++)
        part->word[w] = 0;
    part->word[first] = within->word[first] & (0 - within->word[first]);
    yo_go_set_fill(g, within, part);
    for (int w = 0; w < g->words; w++)
        within->word[w] &= ~part->word[w];
    return true;
}
