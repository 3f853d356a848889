/* What is known of moves before they are tried: the plain things. */
#include "support/test.h"

#include "game/go/game_ops.h"
#include "search/go/prior.h"
#include "support/go_diagram.h"
#include "support/search_go.h"

static struct yo_prior prior_of(const struct yo_go_game *game, const char *point) {
    struct yo_go_position position;
    struct yo_prior prior;
    struct yo_uct_options options;
    yo_move move = diagram_point(game, point);
    yo_go_position_from_game(game, &position);
    yo_uct_options_default(&options);
    struct yo_priors known = yo_go_priors(&options, NULL);
    known.estimate(known.ctx, &position, &move, 1, &prior);
    return prior;
}

static double mean(struct yo_prior prior) { return (double)(prior.wins / prior.visits); }

static void priors_know_the_plain_things(void **state) {
    (void)state;
    struct yo_go_rules rules = go_komi(15);
    struct yo_go_game *game = diagram_game(".X......."
                                           "XX......."
                                           "........."
                                           "..OX....."
                                           "..XOX...."
                                           "..X.X...."
                                           "........."
                                           "........."
                                           ".........",
                                           &rules, YO_GO_BLACK);
    assert_true(prior_of(game, "A9").prune);                              /* own eye */
    assert_true(mean(prior_of(game, "D4")) > mean(prior_of(game, "G7"))); /* takes a stone */
    assert_true(mean(prior_of(game, "G1")) < mean(prior_of(game, "G3"))); /* edge, third line */
    yo_go_game_set_to_move(game, YO_GO_WHITE);
    assert_true(mean(prior_of(game, "A9")) < 0.5); /* there White would be in atari */
    yo_go_game_delete(game);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(priors_know_the_plain_things),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
