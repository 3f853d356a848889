#include "support/ab_think.h"

#include "game/shogi/game.h"
#include "game/shogi/movegen.h"
#include "support/test.h"

struct ab_found ab_think_aloud(struct yo_ab *engine, const struct yo_shogi_position *pos,
                               const struct yo_search_limits *limits, const atomic_bool *stop,
                               yo_search_report_fn report, void *user) {
    struct yo_shogi_game *game;
    struct yo_search_result r;
    assert_int_equal(yo_shogi_game_begin(pos, &game), YO_OK);
    assert_int_equal(
        yo_search_run(yo_ab_as_search(engine), game, limits, stop, report, user, &r, NULL), YO_OK);
    yo_shogi_game_delete(game);
    struct ab_found found = {
        .score = yo_ab_score(&r), .depth = r.depth, .nodes = r.nodes, .elapsed_ms = r.elapsed_ms};
    if (r.move_count > 0)
        for (; found.length < r.moves[0].pv_count; found.length++)
            found.line[found.length] = (yo_shogi_move)r.moves[0].pv[found.length];
    return found;
}

struct ab_found ab_think(struct yo_ab *engine, const struct yo_shogi_position *pos,
                         const struct yo_search_limits *limits, const atomic_bool *stop) {
    return ab_think_aloud(engine, pos, limits, stop, NULL, NULL);
}

void ab_assert_line(const struct yo_shogi_position *root, const struct ab_found *found) {
    struct yo_shogi_position pos = *root;
    assert_true(found->length > 0);
    for (size_t i = 0; i < found->length; i++) {
        assert_true(yo_shogi_move_is_sound(&pos, found->line[i]));
        yo_shogi_play(&pos, found->line[i]);
    }
}
