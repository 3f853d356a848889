/* Alpha-beta against plain minimax, and what the engine must see whatever it prunes. */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "game/shogi/game.h"
#include "game/shogi/movegen.h"
#include "game/shogi/text.h"
#include "search/alphabeta/probability.h"
#include "support/ab_think.h"
#include "support/plain_minimax.h"
#include "support/shogi_random.h"

static struct yo_ab *engine;

static int set_up(void **unused) {
    (void)unused;
    return yo_ab_new(1, &engine) == YO_OK ? 0 : -1;
}

static int tear_down(void **unused) {
    (void)unused;
    yo_ab_delete(engine);
    return 0;
}

static struct ab_found think(const struct yo_shogi_position *pos,
                             const struct yo_search_limits *limits) {
    return ab_think(engine, pos, limits, NULL);
}

static void set_rule(const struct yo_ab_rule *rule, enum yo_ab_pruning pruning) {
    struct yo_ab_options options = yo_ab_options_default;
    options.rule = rule;
    options.pruning = pruning;
    assert_int_equal(yo_ab_set_options(engine, &options), YO_OK);
}

static void assert_same_value(const struct yo_shogi_position *pos, const struct yo_ab_rule *rule,
                              int depth) {
    static struct plain_search plain;
    char sfen[YO_SHOGI_SFEN_MAX];
    plain_init(&plain, pos, &yo_shogi_rules_default);
    plain.rule = rule;
    int wanted = plain_alphabeta(&plain, pos, depth * YO_AB_PLY);
    if (depth <= 2) {
        plain_init(&plain, pos, &yo_shogi_rules_default);
        plain.rule = rule;
        assert_int_equal(plain_minimax(&plain, pos, depth * YO_AB_PLY), wanted);
    }
    struct ab_found result = think(pos, &(struct yo_search_limits){.depth = depth});
    if (result.score != wanted)
        fail_msg("%s: %s, depth %d: %d, not %d", yo_shogi_sfen_format(pos, sfen), rule->name, depth,
                 result.score, wanted);
    ab_assert_line(pos, &result);
}

static void same_values(const struct yo_ab_rule *rule, int positions, int depth_max) {
    uint64_t state = 31;
    set_rule(rule, YO_AB_PLAIN);
    for (int i = 0; i < positions; i++) {
        struct yo_shogi_position pos;
        shogi_random_game(&state, (int)shogi_random(&state, 40), &pos);
        if (!yo_shogi_can_move(&pos)) continue;
        for (int depth = 1; depth <= depth_max; depth++)
            assert_same_value(&pos, rule, depth);
    }
    yo_ab_set_options(engine, &yo_ab_options_default);
}

static void same_value_as_minimax(void **unused) {
    (void)unused;
    same_values(&yo_ab_rule_plain, 6, 3);
}

static void same_value_with_half_plies(void **unused) {
    (void)unused;
    same_values(&yo_ab_rule_half, 4, 2);
}

/* A rule that charges by the target square: any cost will do. */
static int odd_cost(const struct yo_ab_rule *rule, const struct yo_ab_choice *choice) {
    (void)rule;
    int again = choice->last && shogi_to(choice->last) == shogi_to(choice->move) ? 24 : 0;
    return YO_AB_PLY * 3 / 4 + shogi_to(choice->move) % 9 * 8 - again;
}

static void same_value_with_any_costs(void **unused) {
    (void)unused;
    static const struct yo_ab_rule odd = {.name = "odd", .selects = true, .cost = odd_cost};
    same_values(&odd, 4, 3);
}

/* Realization probabilities, of games by chance: any will do. */
static void same_value_with_probabilities(void **unused) {
    (void)unused;
    struct yo_probability_table table = {0};
    uint64_t state = 5;
    for (int i = 0; i < 40; i++) {
        struct yo_shogi_position pos;
        yo_shogi_move moves[YO_SHOGI_LIST];
        shogi_random_game(&state, (int)shogi_random(&state, 80), &pos);
        size_t count = yo_shogi_legal_moves(&pos, moves);
        if (count) yo_probability_count(&table, &pos, moves[state % count], YO_SHOGI_NO_MOVE);
    }
    yo_probability_settle(&table);
    struct yo_ab_rule rule = yo_probability_rule(&table);
    same_values(&rule, 4, 3);
}

static int deepest;

static int watched_cost(const struct yo_ab_rule *rule, const struct yo_ab_choice *choice) {
    (void)rule;
    if (choice->pos->ply + 1 > deepest) deepest = choice->pos->ply + 1;
    return yo_ab_rule_half.cost(&yo_ab_rule_half, choice);
}

/* YSS: a search of basic depth n reaches 2n - 1 plies, and no more. Minimax does; alpha-beta may
 * cut the deepest line. */
static void half_plies_reach_twice_as_deep(void **unused) {
    (void)unused;
    static const struct yo_ab_rule watched = {
        .name = "watched", .wants_best = true, .cost = watched_cost};
    struct yo_shogi_position pos;
    yo_shogi_position_start(&pos);
    set_rule(&watched, YO_AB_PLAIN);
    for (int depth = 1; depth <= 2; depth++) {
        static struct plain_search plain;
        deepest = 0;
        think(&pos, &(struct yo_search_limits){.depth = depth});
        assert_true(deepest > depth - (depth == 1) && deepest <= 2 * depth - 1);
        deepest = 0;
        plain_init(&plain, &pos, &yo_shogi_rules_default);
        plain.rule = &watched;
        plain_minimax(&plain, &pos, depth * YO_AB_PLY);
        assert_int_equal(deepest, 2 * depth - 1);
    }
    yo_ab_set_options(engine, &yo_ab_options_default);
}

/* A lone rook: most lines come back to where they were, and some only by checks. */
static void repetition_is_seen_by_both(void **unused) {
    (void)unused;
    struct yo_shogi_position pos;
    assert_int_equal(yo_shogi_sfen_parse("4k4/9/9/9/9/9/9/9/R3K4 b - 1", &pos, NULL), YO_OK);
    set_rule(&yo_ab_rule_plain, YO_AB_PLAIN);
    for (int depth = 4; depth <= 5; depth++)
        assert_same_value(&pos, &yo_ab_rule_plain, depth);
    yo_ab_set_options(engine, &yo_ab_options_default);
}

struct lines {
    int count;
    int scores[16];
    yo_move moves[16];
};

static void keep_lines(void *user, const struct yo_search_result *r) {
    struct lines *lines = user;
    assert_true(r->first == 0 && r->move_count >= 1 && r->move_count <= 16);
    lines->count = (int)r->move_count;
    for (size_t i = 0; i < r->move_count; i++) {
        struct yo_search_result one = {.moves = &r->moves[i], .move_count = 1};
        lines->scores[i] = yo_ab_score(&one);
        lines->moves[i] = r->moves[i].move;
        assert_int_equal(r->moves[i].pv[0], r->moves[i].move);
    }
}

/* Several lines: what the search finds when the better moves are forbidden. */
static void multi_pv_lines_are_the_next_best(void **unused) {
    (void)unused;
    struct yo_ab_options options = yo_ab_options_default;
    struct yo_shogi_position pos;
    struct lines lines = {0};
    uint64_t state = 77;
    shogi_random_game(&state, 30, &pos);
    options.pruning = YO_AB_PLAIN;
    yo_ab_set_options(engine, &options);
    struct yo_search_limits limits = {.depth = 2, .lines = 4};
    ab_think_aloud(engine, &pos, &limits, NULL, keep_lines, &lines);
    assert_int_equal(lines.count, 4);
    for (size_t i = 0; i < 4; i++) {
        limits = (struct yo_search_limits){.depth = 2, .avoid = lines.moves, .avoid_count = i};
        assert_int_equal(think(&pos, &limits).score, lines.scores[i]);
        limits = (struct yo_search_limits){.depth = 2, .only = &lines.moves[i], .only_count = 1};
        assert_int_equal(think(&pos, &limits).score, lines.scores[i]);
    }
    yo_ab_set_options(engine, &yo_ab_options_default);
}

static void mates_are_found(void **unused) {
    (void)unused;
    uint64_t state = 37;
    int found = 0;
    for (int i = 0; i < 400; i++) {
        struct yo_shogi_position pos;
        shogi_random_game(&state, 60 + (int)shogi_random(&state, 100), &pos);
        if (yo_shogi_mate_in_one(&pos) == YO_SHOGI_NO_MOVE) continue;
        yo_ab_clear(engine);
        struct ab_found result = think(&pos, &(struct yo_search_limits){.depth = 3});
        assert_int_equal(result.score, YO_AB_MATE - 1);
        yo_shogi_play(&pos, result.line[0]);
        assert_false(yo_shogi_can_move(&pos));
        found++;
    }
    assert_true(found >= 5);
}

/* Also where quiescence finds the last move. */
static void the_line_of_a_mate_ends_with_it(void **unused) {
    (void)unused;
    struct yo_shogi_position pos;
    assert_int_equal(yo_shogi_sfen_parse("4k4/9/9/9/9/9/9/9/9 b 2G 1", &pos, NULL), YO_OK);
    yo_ab_clear(engine);
    struct ab_found result = think(&pos, &(struct yo_search_limits){.depth = 2});
    assert_int_equal(result.score, YO_AB_MATE - 3);
    assert_int_equal(result.length, 3);
    ab_assert_line(&pos, &result);
}

static struct ab_found think_by(const struct yo_shogi_rules *rules, const char *sfen,
                                const struct yo_search_limits *limits) {
    struct yo_shogi_game *game;
    struct yo_search_result r;
    assert_int_equal(yo_shogi_game_new(sfen, &game, NULL), YO_OK);
    game->rules = *rules;
    yo_ab_clear(engine);
    assert_int_equal(
        yo_search_run(yo_ab_as_search(engine), game, limits, NULL, NULL, NULL, &r, NULL), YO_OK);
    yo_shogi_game_delete(game);
    assert_true(r.move_count > 0);
    return (struct ab_found){.score = yo_ab_score(&r),
                             .line = {(yo_shogi_move)r.moves[0].move},
                             .length = r.moves[0].pv_count};
}

/* A mate on the last move wins; one that would come later does not, also not for the solver. A game
 * that goes on after the limit has none. */
static void mates_in_time_count(void **unused) {
    (void)unused;
    const struct yo_shogi_rules rules = {.entering = YO_SHOGI_ENTER_NONE, .max_moves = 10};
    const struct yo_search_limits depth = {.depth = 5}, nodes = {.nodes = 20000};
    assert_int_equal(think_by(&rules, "4k4/9/4P4/9/9/9/9/9/4K4 b G 10", &depth).score,
                     YO_AB_MATE - 1);
    assert_int_equal(think_by(&rules, "4k4/9/4P4/9/9/9/9/9/4K4 b G 12", &depth).score,
                     YO_AB_MATE - 1);
    for (int number = 8; number <= 9; number++) {
        char sfen[100];
        snprintf(sfen, sizeof sfen, "8k/9/9/7P1/9/9/9/9/4K4 b RG %d", number);
        for (int i = 0; i < 2; i++) {
            int score = think_by(&rules, sfen, i ? &nodes : &depth).score;
            assert_int_equal(score, number == 8 ? YO_AB_MATE - 3 : 0);
        }
    }
    /* Nor in quiescence, which is all that a search of depth 1 has. */
    const struct yo_search_limits shallow = {.depth = 1};
    int score = think_by(&rules, "8k/9/9/7P1/9/9/9/9/4K4 b RG 9", &shallow).score;
    assert_true(score < YO_AB_MATE_FROM);
}

/* A king that arrives has won, though the answer would be mate. */
static void tries_win(void **unused) {
    (void)unused;
    const struct yo_shogi_rules rules = {.entering = YO_SHOGI_ENTER_TRY};
    struct ab_found found = think_by(&rules, "3G1G3/4K4/3s5/9/9/9/9/9/k8 b g 1",
                                     &(struct yo_search_limits){.depth = 3});
    assert_int_equal(found.score, YO_AB_MATE - 1);
}

static void limits_are_kept(void **unused) {
    (void)unused;
    struct yo_shogi_position pos;
    yo_shogi_position_start(&pos);
    yo_ab_clear(engine);
    struct ab_found result = think(&pos, &(struct yo_search_limits){.nodes = 20000});
    assert_true(result.nodes >= 20000 && result.nodes < 21000);
    ab_assert_line(&pos, &result);
    yo_shogi_move edge;
    assert_int_equal(yo_shogi_move_parse("9g9f", &edge, NULL), YO_OK);
    yo_move only = edge;
    result = think(&pos, &(struct yo_search_limits){.depth = 4, .only = &only, .only_count = 1});
    assert_int_equal(result.line[0], only);
    result = think(&pos, &(struct yo_search_limits){.time_ms = 50});
    assert_true(result.elapsed_ms < 60 * 1000); /* a busy machine */
}

/* Stopped before it begins, as by `go infinite` and `stop` in one packet, the search still finishes
 * its first depth: it takes the rook that hangs. */
static void stopped_at_once_it_plays_well(void **unused) {
    (void)unused;
    const atomic_bool stop = true;
    struct yo_shogi_position pos;
    yo_shogi_move takes;
    assert_int_equal(yo_shogi_move_parse("5f5d", &takes, NULL), YO_OK);
    assert_int_equal(yo_shogi_sfen_parse("4k4/9/9/4r4/9/4L4/9/9/4K4 b - 1", &pos, NULL), YO_OK);
    yo_ab_clear(engine);
    struct ab_found result = ab_think(engine, &pos, &(struct yo_search_limits){0}, &stop);
    assert_true(result.depth >= 1);
    assert_int_equal(result.line[0], takes);
}

/* The same with fewer nodes than the first depth takes. */
static void with_one_node_it_plays_well(void **unused) {
    (void)unused;
    struct yo_shogi_position pos;
    yo_shogi_move takes;
    assert_int_equal(yo_shogi_move_parse("5f5d", &takes, NULL), YO_OK);
    assert_int_equal(yo_shogi_sfen_parse("4k4/9/9/4r4/9/4L4/9/9/4K4 b - 1", &pos, NULL), YO_OK);
    yo_ab_clear(engine);
    struct ab_found result = think(&pos, &(struct yo_search_limits){.nodes = 1});
    assert_int_equal(result.line[0], takes);
    assert_int_equal(result.depth, 1);
}

static void no_move_no_line(void **unused) {
    (void)unused;
    struct yo_shogi_position pos;
    assert_int_equal(yo_shogi_sfen_parse("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1", &pos, NULL), YO_OK);
    struct ab_found result = think(&pos, &(struct yo_search_limits){.depth = 3});
    assert_int_equal(result.length, 0);
    assert_int_equal(result.score, -YO_AB_MATE);
}

/* The same position, table and limits give the same search. */
static void it_is_reproducible(void **unused) {
    (void)unused;
    struct yo_shogi_position pos;
    yo_shogi_position_start(&pos);
    uint64_t nodes[2];
    for (int i = 0; i < 2; i++) {
        yo_ab_clear(engine);
        nodes[i] = think(&pos, &(struct yo_search_limits){.depth = 7}).nodes;
    }
    assert_int_equal(nodes[0], nodes[1]);
}

static int turned_value(const void *net, const struct yo_shogi_position *pos, void *state) {
    return -yo_ab_options_default.eval->value(net, pos, state);
}

/* Values of one evaluation that are kept must not be taken for those of the next. */
static void another_evaluation_is_asked_anew(void **unused) {
    (void)unused;
    struct yo_shogi_position pos;
    struct yo_shogi_eval turned = *yo_ab_options_default.eval;
    turned.value = turned_value;
    struct yo_ab_options options = yo_ab_options_default;
    struct ab_found found[2];
    struct yo_search_limits limits = {.depth = 6};
    assert_int_equal(
        yo_shogi_sfen_parse(
            "ln1g3nl/1ks1gr3/ppppsp1pp/6p2/9/2P1P1P2/PP1PSPN1P/1KG1G2R1/LNS5L b BPbp 1", &pos,
            NULL),
        YO_OK);
    for (int i = 0; i < 2; i++) { /* fresh, then after a search by the usual evaluation */
        options.eval = yo_ab_options_default.eval;
        assert_int_equal(yo_ab_set_options(engine, &options), YO_OK);
        yo_ab_clear(engine);
        if (i == 1) think(&pos, &limits);
        options.eval = &turned;
        assert_int_equal(yo_ab_set_options(engine, &options), YO_OK);
        yo_ab_clear(engine);
        found[i] = think(&pos, &limits);
    }
    assert_int_equal(found[0].nodes, found[1].nodes);
    assert_int_equal(found[0].score, found[1].score);
    set_rule(yo_ab_options_default.rule, YO_AB_FULL);
}

/* Without a mate in sight of so shallow a search: the solver finds it first. */
static void long_mates_are_found_by_the_solver(void **unused) {
    (void)unused;
    struct yo_shogi_position pos;
    assert_int_equal(
        yo_shogi_sfen_parse(
            "4lk1nl/3+N1b3/6g2/4p1ppp/9/L1PPPSP2/3n2SP1/1P1G3+r1/1NBK1P3 w 2G5Pr2sl2p 1", &pos,
            NULL),
        YO_OK);
    yo_ab_clear(engine);
    struct ab_found result = think(&pos, &(struct yo_search_limits){.nodes = 200000});
    assert_true(result.score >= YO_AB_MATE_FROM && result.score <= YO_AB_MATE - 9);
    ab_assert_line(&pos, &result);
    for (size_t i = 0; i < result.length; i++)
        yo_shogi_play(&pos, result.line[i]);
    assert_false(yo_shogi_can_move(&pos));
}

/* Reports of a new best move before its depth is finished, and the best one reported so far. */
struct better {
    int count;
    yo_move best;
};

static void notice_better(void *user, const struct yo_search_result *r) {
    struct better *b = user;
    if (r->trying) return;
    const struct yo_search_move *m = &r->moves[0];
    if (m->bound == YO_BOUND_EXACT && m->depth == r->depth + 1) {
        assert_true(m->move != b->best);
        assert_int_equal(m->pv[0], m->move);
        b->count++;
    }
    b->best = m->move;
}

static void a_new_best_move_is_reported_within_its_depth(void **unused) {
    (void)unused;
    struct better better = {0};
    uint64_t state = 5;
    for (int i = 0; i < 10; i++) {
        struct yo_shogi_position pos;
        shogi_random_game(&state, 20, &pos);
        yo_ab_clear(engine);
        better.best = YO_SHOGI_NO_MOVE;
        ab_think_aloud(engine, &pos, &(struct yo_search_limits){.depth = 6, .prompt = true}, NULL,
                       notice_better, &better);
    }
    assert_true(better.count > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_best_move_is_reported_within_its_depth),
        cmocka_unit_test(same_value_as_minimax),
        cmocka_unit_test(same_value_with_half_plies),
        cmocka_unit_test(same_value_with_any_costs),
        cmocka_unit_test(same_value_with_probabilities),
        cmocka_unit_test(half_plies_reach_twice_as_deep),
        cmocka_unit_test(repetition_is_seen_by_both),
        cmocka_unit_test(multi_pv_lines_are_the_next_best),
        cmocka_unit_test(mates_are_found),
        cmocka_unit_test(the_line_of_a_mate_ends_with_it),
        cmocka_unit_test(mates_in_time_count),
        cmocka_unit_test(tries_win),
        cmocka_unit_test(limits_are_kept),
        cmocka_unit_test(stopped_at_once_it_plays_well),
        cmocka_unit_test(with_one_node_it_plays_well),
        cmocka_unit_test(no_move_no_line),
        cmocka_unit_test(it_is_reproducible),
        cmocka_unit_test(another_evaluation_is_asked_anew),
        cmocka_unit_test(long_mates_are_found_by_the_solver),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
