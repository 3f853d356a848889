#include "support/ab_think.h"

#include "game/shogi/movegen.h"
#include "support/test.h"

struct yo_ab_report ab_think(struct yo_ab *engine, const struct yo_shogi_position *pos,
                             const struct yo_ab_limits *limits, const atomic_bool *stop) {
    struct yo_shogi_past past = yo_shogi_past_first(pos);
    struct yo_ab_report result;
    assert_int_equal(yo_ab_run(engine, pos, &yo_shogi_rules_default, &past, 1, limits, stop, NULL,
                               NULL, &result),
                     YO_OK);
    return result;
}

void ab_assert_line(const struct yo_shogi_position *root, const struct yo_ab_report *result) {
    struct yo_shogi_position pos = *root;
    assert_true(result->length > 0);
    for (size_t i = 0; i < result->length; i++) {
        assert_true(yo_shogi_move_is_sound(&pos, result->line[i]));
        yo_shogi_play(&pos, result->line[i]);
    }
}
