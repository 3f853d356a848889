#include "game/go/ladder_memory.h"

#include <string.h>

#include "base/alloc.h"
#include "game/go/sets.h"

/* Entries for each first point of a string; a new one replaces the oldest. */
enum { WAYS = 4 };

/* An entry is a row of words: the reading, the points that it depends on, and the stones on them.
 */
struct yo_go_ladder_memory {
    const struct yo_go_geometry *geometry;
    size_t entry; /* words */
    uint64_t *words;
    uint8_t oldest[YO_GO_POINTS_MAX];
};

struct yo_go_ladder_memory *yo_go_ladder_memory_new(int size) {
    struct yo_go_ladder_memory *memory = yo_alloc(1, sizeof *memory);
    if (!memory) return NULL;
    memory->geometry = yo_go_geometry(size);
    memory->entry = 1 + 3 * (size_t)memory->geometry->words;
    size_t entries = WAYS * (size_t)memory->geometry->points;
    memory->words = yo_alloc(entries * memory->entry, sizeof *memory->words);
    if (memory->words) return memory;
    yo_free(memory);
    return NULL;
}

void yo_go_ladder_memory_delete(struct yo_go_ladder_memory *memory) {
    if (!memory) return;
    yo_free(memory->words);
    yo_free(memory);
}

/* ---- readings as words; 0 is none ---- */

static uint64_t pack(const struct yo_go_ladder_reading *r) {
    return 1 | (uint64_t)r->caught << 1 | (uint64_t)r->catches[0] << 2 |
           (uint64_t)r->catches[1] << 3 | (uint64_t)r->lib_count << 4 | (uint64_t)r->both << 6 |
           (uint64_t)r->libs[0] << 16 | (uint64_t)r->libs[1] << 32;
}

static void unpack(uint64_t word, struct yo_go_ladder_reading *r) {
    *r = (struct yo_go_ladder_reading){.caught = word >> 1 & 1,
                                       .catches = {word >> 2 & 1, word >> 3 & 1},
                                       .lib_count = word >> 4 & 3,
                                       .both = word >> 6 & 1,
                                       .libs = {word >> 16 & 0xffff, word >> 32 & 0xffff}};
}

/* ---- entries ---- */

static uint64_t *entry_of(const struct yo_go_ladder_memory *memory, yo_go_point first, int way) {
    return memory->words + ((size_t)first * WAYS + (size_t)way) * memory->entry;
}

/* Does the entry agree with the stones of this word? */
static bool agrees(const uint64_t *entry, int words, int w, const uint64_t *black,
                   const uint64_t *white) {
    const uint64_t *on = entry + 1, *blacks = on + words, *whites = blacks + words;
    return (((black[w] & on[w]) ^ blacks[w]) | ((white[w] & on[w]) ^ whites[w])) == 0;
}

const uint64_t *yo_go_ladder_recall(const struct yo_go_ladder_memory *memory, const uint64_t *black,
                                    const uint64_t *white, yo_go_point first, bool both,
                                    struct yo_go_ladder_reading *reading) {
    int words = memory->geometry->words;
    for (int way = 0; way < WAYS; way++) {
        const uint64_t *entry = entry_of(memory, first, way);
        if (!entry[0] || !agrees(entry, words, first / 64, black, white)) continue;
        int w = 0;
        while (w < words && agrees(entry, words, w, black, white))
            w++;
        if (w < words) continue;
        unpack(entry[0], reading);
        if (both && !reading->both) continue;
        return entry + 1;
    }
    return NULL;
}

const uint64_t *yo_go_ladder_remember(struct yo_go_ladder_memory *memory, const uint64_t *black,
                                      const uint64_t *white, yo_go_point first,
                                      const uint64_t *looked,
                                      const struct yo_go_ladder_reading *reading) {
    int words = memory->geometry->words;
    struct yo_go_set centres, beside;
    memcpy(centres.word, looked, (size_t)words * sizeof looked[0]);
    yo_go_set_beside(memory->geometry, &centres, &beside);
    uint64_t *entry = entry_of(memory, first, memory->oldest[first]);
    memory->oldest[first] = (uint8_t)((memory->oldest[first] + 1) % WAYS);
    entry[0] = pack(reading);
    for (int w = 0; w < words; w++) {
        uint64_t on = looked[w] | beside.word[w];
        entry[1 + w] = on;
        entry[1 + words + w] = black[w] & on;
        entry[1 + 2 * words + w] = white[w] & on;
    }
    return entry + 1;
}
