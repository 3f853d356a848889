/* UCT at the end of games counted by territory: from twenty moves before the end of recorded games
 * it plays both sides. When nothing is left to take, the komi is set so that half a point decides,
 * and the side that leads keeps it. */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "search/go/judge.h"
#include "search/go/uct.h"
#include "support/go_diagram.h"
#include "support/search_go.h"

enum { GAMES = 5, BEFORE_END = 20, MORE_MOVES = 80 };

static int lead2_of(const struct yo_go_game *game, bool *quiet) {
    struct yo_judge_limits limits = {.seed = 1, .games = 200};
    struct yo_judgement j;
    assert_int_equal(yo_judge_go(go_eval, game, &limits, &j, NULL), YO_OK);
    *quiet = j.quiet;
    return j.score.lead2;
}

/* The moves of a line up to `left_out` before the last. */
static struct yo_go_game *replay(const char *line, int left_out) {
    struct yo_go_rules rules;
    struct yo_go_game *game;
    char copy[4096], *move, *state;
    int count = 0;
    assert_int_equal(yo_go_rules_parse("japanese", &rules, NULL), YO_OK);
    assert_int_equal(yo_go_game_new(9, &rules, &game), YO_OK);
    for (const char *c = line; *c; c++)
        count += *c == ' ';
    snprintf(copy, sizeof copy, "%s", line);
    move = strtok_r(copy, " \n", &state);
    for (int i = 0; move && i <= count - left_out; i++, move = strtok_r(NULL, " \n", &state)) {
        char play[16];
        snprintf(play, sizeof play, "%c %.8s", "BW"[i % 2], move);
        assert_int_equal(diagram_play(game, play), YO_OK);
    }
    return game;
}

static void set_lead2(struct yo_go_game *game, int lead2_black, int wanted) {
    struct yo_go_rules rules = *yo_go_game_rules(game);
    rules.komi2 += lead2_black - wanted;
    yo_go_game_set_rules(game, &rules);
}

/* Plays on to the end. Returns Black's lead then, `wanted` when the board became quiet; 0 if it
 * never did. */
static int play_on(struct yo_search search, struct yo_go_game *game, int wanted) {
    bool was_quiet = false, quiet;
    for (int i = 0; i < MORE_MOVES && yo_go_game_passes(game) < 2; i++) {
        int lead2 = lead2_of(game, &quiet);
        if (quiet && !was_quiet) set_lead2(game, lead2, wanted);
        was_quiet |= quiet;
        yo_move move = go_search(search, game, 200, false).moves[0].move;
        assert_int_equal(yo_go_game_play(game, yo_go_game_to_move(game), (yo_go_point)move, NULL),
                         YO_OK);
    }
    assert_int_equal(yo_go_game_passes(game), 2);
    int lead2 = lead2_of(game, &quiet);
    return was_quiet ? lead2 : 0;
}

static void keeps_what_a_pass_would_keep(void **state) {
    (void)state;
    FILE *file = fopen("tests/data/go/territory.txt", "r");
    char line[4096];
    assert_non_null(file);
    int games = 0;
    while (games < GAMES && fgets(line, sizeof line, file)) {
        if (line[0] == '#') continue;
        struct yo_go_game *game = replay(line, BEFORE_END);
        int wanted = games % 2 ? 1 : -1;
        struct yo_uct_go_options options;
        struct yo_search search;
        yo_uct_go_options_default(&options);
        options.tree.memory_mb = 64;
        assert_int_equal(yo_uct_go_new(go_eval, &options, &search, NULL), YO_OK);
        int lead2 = play_on(search, game, wanted);
        assert_true(wanted * lead2 >= 0);
        games += lead2 != 0;
        search.ops->destroy(search.ctx);
        yo_go_game_delete(game);
    }
    fclose(file);
    assert_int_equal(games, GAMES);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_what_a_pass_would_keep),
    };
    return cmocka_run_group_tests(tests, go_eval_set_up, go_eval_tear_down);
}
