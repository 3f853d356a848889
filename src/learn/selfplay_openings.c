#include "learn/selfplay_openings.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/random.h"
#include "game/shogi/movegen.h"

enum { EVEN = 300 }; /* largest score of an even position, in hundredths of a pawn */

/* Damaged samples are errors; positions where the game has ended do not suit. */
static enum yo_err look(const uint8_t *bytes, struct yo_shogi_sample *sample, bool *suits,
                        struct yo_diag *diag) {
    struct yo_shogi_position pos;
    enum yo_err err = yo_shogi_sample_read(bytes, sample, diag);
    if (!err) err = yo_shogi_unpack(sample->position, &pos, diag);
    *suits = !err && abs(sample->score) <= EVEN && yo_shogi_can_move(&pos);
    return err;
}

enum yo_err yo_selfplay_openings_take(const void *bytes, size_t len, const char *name,
                                      struct yo_selfplay_openings *openings, struct yo_diag *diag) {
    const uint8_t *at = bytes;
    size_t count = len / YO_SHOGI_SAMPLE;
    struct yo_selfplay_openings kept = {.id = count};
    kept.samples = yo_alloc(count + 1, sizeof *kept.samples);
    if (!kept.samples) return yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory for %s", name);
    for (size_t i = 0; i < count; i++) {
        bool suits;
        struct yo_shogi_sample *sample = &kept.samples[kept.count];
        enum yo_err err = look(at + i * YO_SHOGI_SAMPLE, sample, &suits, diag);
        if (err) {
            yo_shogi_sample_where(diag, name, i);
            yo_free(kept.samples);
            return err;
        }
        if (!suits) continue;
        kept.count++;
        for (size_t k = 0; k < YO_SHOGI_PACKED; k++)
            kept.id = yo_mix64(kept.id ^ sample->position[k]);
    }
    if (kept.count == 0) {
        yo_free(kept.samples);
        return yo_diag_set(diag, YO_ERR_ARGUMENT,
                           "%s has no position with a score from -%d to %d to begin at", name, EVEN,
                           EVEN);
    }
    *openings = kept;
    return YO_OK;
}
