/* judge.c, settle.c and read.c on finished positions. */
#include "support/test.h"

#include <string.h>

#include "search/go/judge.h"
#include "support/go_diagram.h"
#include "support/go_ends.h"
#include "support/search_go.h"

static void judge(const struct yo_go_game *game, struct yo_judgement *judgement) {
    struct yo_judge_limits limits = {.seed = 1, .games = 1000};
    struct yo_diag diag;
    assert_int_equal(yo_judge_go(go_eval, game, &limits, judgement, &diag), YO_OK);
}

static bool is_right(const struct go_end *end, const struct yo_go_game *game) {
    struct yo_judgement judgement;
    judge(game, &judgement);
    return go_end_matches(end, game, &judgement);
}

static void judges_finished_positions(void **state) {
    (void)state;
    int wrong, count = go_ends_each(is_right, &wrong);
    assert_true(count > 100);
    assert_int_equal(wrong, 0);
}

/* Two games that were played, with the score people would agree on: a stone in an eye of a group in
 * seki can be taken at no risk, so by area it counts as dead. */
static void counts_games_with_seki(void **state) {
    (void)state;
    static const struct {
        const char *diagram;
        int lead2;
    } games[] = {{".XXOOOOX."
                  "XXXXO.OXO"
                  "OXXXXOOXX"
                  ".XXXOOXXX"
                  "XXXOOXOOX"
                  "OXOOXXO.X"
                  "OOOX.XOOX"
                  "..OXXXXOO"
                  "OOOOOOXX.",
                  3},
                 {".OXX.X.X."
                  "OX.XXXX.X"
                  "XXX.XXOX."
                  "XXOXXOOXX"
                  "XOOXXXOOX"
                  "OO.OXOO.O"
                  ".XOOXXOO."
                  "XXOOXOOOO"
                  ".OOXXXOX.",
                  15}};
    struct yo_go_rules rules = go_komi(15);
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        struct yo_go_game *game = diagram_game(games[i].diagram, &rules, YO_GO_WHITE);
        struct yo_judgement j;
        judge(game, &j);
        assert_int_equal(j.score.lead2, games[i].lead2);
        assert_true(j.settled); /* nobody has a reason to play on */
        yo_go_game_delete(game);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(judges_finished_positions),
        cmocka_unit_test(counts_games_with_seki),
    };
    return cmocka_run_group_tests(tests, go_eval_set_up, go_eval_tear_down);
}
