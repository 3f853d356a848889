#include "learn/netplay/values.h"

#include "base/alloc.h"
#include "base/diag.h"
#include "game/shogi/game_ops.h"
#include "learn/netplay/shogi.h"

/* Of the mate solver: mostly mates in one. With more the cores are slower than a GPU. */
enum { LEAF_PROOF = 5 };

struct searched {
    const uint8_t *samples;
    size_t *numbers; /* of the samples, by game */
    size_t count;
    float *chances;
    void (*progress)(void *user, const struct yo_netplay_counts *counts);
    void *user;
};

static size_t setup(const void *setups, uint64_t game, uint8_t out[YO_NETPLAY_SETUP_MAX]) {
    const struct searched *s = setups;
    return yo_netplay_shogi_setup(s->samples + s->numbers[game] * YO_SHOGI_SAMPLE, out);
}

static void keep_value(void *user, const struct yo_netplay_record *record) {
    const struct searched *s = user;
    s->chances[s->numbers[record->number]] = (float)record->steps[0].win / 65535;
}

static void tell(void *user, const struct yo_netplay_counts *counts) {
    const struct searched *s = user;
    if (s->progress) s->progress(s->user, counts);
}

/* Finds the samples in which there is something to search. */
static enum yo_err look_through(struct searched *s, size_t count, const char *name,
                                struct yo_diag *diag) {
    struct yo_shogi_past past;
    struct yo_shogi_state state;
    struct yo_shogi_position pos;
    struct yo_shogi_sample sample;
    for (size_t i = 0; i < count; i++) {
        enum yo_err err = yo_shogi_sample_read(s->samples + i * YO_SHOGI_SAMPLE, &sample, diag);
        if (!err) err = yo_shogi_unpack(sample.position, &pos, diag);
        if (err) {
            yo_shogi_sample_where(diag, name, i);
            return err;
        }
        yo_shogi_state_init(&state, &pos, &yo_shogi_rules_default, &past);
        s->chances[i] = -1;
        if (yo_shogi_state_outcome(&state) == YO_OUTCOME_NONE) s->numbers[s->count++] = i;
    }
    return YO_OK;
}

enum yo_err yo_netplay_values(const struct yo_netplay_run *how, unsigned visits,
                              const uint8_t *samples, size_t count, const char *name,
                              float *chances, struct yo_diag *diag) {
    static const int sizes[] = {9};
    struct searched s = {
        .samples = samples, .chances = chances, .progress = how->progress, .user = how->user};
    struct yo_netplay_run run = *how;
    struct yo_netplay_counts counts;
    s.numbers = yo_alloc(count, sizeof *s.numbers);
    if (!s.numbers) return yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory");
    enum yo_err err = look_through(&s, count, name, diag);
    run.settings = yo_netplay_defaults;
    run.settings.rules = &yo_netplay_shogi;
    run.settings.setup = setup;
    run.settings.setups = &s;
    run.settings.length_max = 1;
    run.settings.fast_visits = visits;
    run.settings.visits = run.settings.cheap_visits = 2; /* of searches that are not made */
    run.settings.leaf_proof = LEAF_PROOF;
    run.settings.full_share = run.settings.opening = run.settings.resign_share = 0;
    run.settings.reuse = false;
    run.sizes = sizes;
    run.size_count = 1;
    run.games = s.count;
    run.path = NULL;
    run.ended = keep_value;
    run.progress = tell;
    run.user = &s;
    yo_netplay_run_fit(&run);
    if (!err && s.count > 0) err = yo_netplay_run(&run, &counts, diag);
    yo_free(s.numbers);
    return err;
}
