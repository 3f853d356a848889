/* Plans: properties that hold whatever workers do and report, and the slow judge of minimax and
 * Assign. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/random.h"
#include "cluster/plan.h"
#include "game/go/game_ops.h"
#include "game/shogi/game_ops.h"
#include "support/naive_plan.h"
#include "support/tictactoe.h"
#include "yomi/go.h"
#include "yomi/shogi.h"

enum { WORKERS_MAX = 70, MOVES_MAX = 1024 };

/* ---- a cluster of workers that report random values ---- */

struct crew {
    const struct yo_game_ops *ops;
    const void *game;
    struct yo_plan *plan;
    struct yo_plan_worker workers[WORKERS_MAX];
    struct yo_plan_job held[WORKERS_MAX]; /* copies; what `current` points to */
    size_t count;
    uint32_t next_id;
    uint64_t random;
    int64_t now_ms;
};

static uint64_t draw(struct crew *crew, uint64_t below) {
    return yo_splitmix64(&crew->random) % below;
}

static void crew_begin(struct crew *crew, const struct yo_game_ops *ops, const void *game,
                       const struct yo_plan_config *config, uint64_t seed) {
    memset(crew, 0, sizeof *crew);
    crew->ops = ops;
    crew->game = game;
    crew->random = seed;
    crew->next_id = 1;
    assert_int_equal(yo_plan_new(config, ops, game, &crew->plan, NULL), YO_OK);
}

static void crew_end(struct crew *crew) {
    for (size_t i = 0; i < crew->count; i++)
        yo_plan_job_free(&crew->held[i]);
    yo_plan_delete(crew->plan);
}

static void join(struct crew *crew) {
    if (crew->count == WORKERS_MAX) return;
    size_t i = crew->count++;
    crew->workers[i] = (struct yo_plan_worker){.id = crew->next_id++,
                                               .gives_values = true,
                                               .takes_moves = draw(crew, 4) > 0,
                                               .speed = (double)draw(crew, 3)};
    memset(&crew->held[i], 0, sizeof crew->held[i]);
}

static void leave(struct crew *crew) {
    if (crew->count == 0) return;
    size_t i = draw(crew, crew->count), last = --crew->count;
    yo_plan_forget(crew->plan, crew->workers[i].id);
    yo_plan_job_free(&crew->held[i]);
    crew->workers[i] = crew->workers[last];
    crew->held[i] = crew->held[last];
    if (crew->workers[i].current) crew->workers[i].current = &crew->held[i];
}

static void *position_after(const struct crew *crew, const yo_move *path, size_t count) {
    void *position = yo_alloc_aligned(crew->ops->position_size);
    crew->ops->from_game(crew->game, position);
    for (size_t i = 0; i < count; i++)
        crew->ops->play(position, path[i]);
    return position;
}

static size_t legal_after(const struct crew *crew, const yo_move *path, size_t count,
                          yo_move *moves) {
    void *position = position_after(crew, path, count);
    size_t legal = crew->ops->moves(position, moves);
    yo_free_aligned(position);
    return legal;
}

/* A worker reports a random value for one of its moves, deeper than before or not. */
static bool report(struct crew *crew, size_t w, struct yo_search_result *result,
                   struct yo_search_move *line) {
    static yo_move moves[MOVES_MAX], chosen;
    const struct yo_plan_job *job = crew->workers[w].current;
    if (!job) return false;
    size_t count = legal_after(crew, job->path, job->path_count, moves);
    if (count == 0) return false;
    chosen = job->only ? job->only[draw(crew, job->only_count)] : moves[draw(crew, count)];
    bool mates = draw(crew, 60) == 0;
    *line = (struct yo_search_move){.move = chosen,
                                    .centipawns = (int)draw(crew, 200000) - 100000,
                                    .mate = mates ? (int)draw(crew, 9) - 4 : 0,
                                    .depth = 1 + (int)draw(crew, 12),
                                    .visits = 1 + draw(crew, 1000),
                                    .pv = &chosen,
                                    .pv_count = 1};
    *result = (struct yo_search_result){.moves = line, .move_count = 1, .depth = line->depth};
    assert_int_equal(
        yo_plan_report(crew->plan, crew->workers[w].id, job, result, crew->now_ms, NULL), YO_OK);
    return true;
}

/* ---- what holds for every plan ---- */

static bool holds(const yo_move *moves, size_t count, yo_move move) {
    for (size_t i = 0; i < count; i++)
        if (moves[i] == move) return true;
    return false;
}

/* The job can be searched: its path is legal, its moves are, in ascending order. */
static void check_job(const struct crew *crew, const struct yo_plan_job *job) {
    static yo_move moves[MOVES_MAX];
    assert_non_null(job);
    for (size_t i = 0; i <= job->path_count; i++) {
        size_t count = legal_after(crew, job->path, i, moves);
        assert_true(count > 0);
        if (i < job->path_count) assert_true(holds(moves, count, job->path[i]));
    }
    size_t count = legal_after(crew, job->path, job->path_count, moves);
    assert_int_equal(job->only != NULL, job->only_count > 0);
    for (size_t i = 0; i < job->only_count; i++) {
        assert_true(holds(moves, count, job->only[i]));
        if (i > 0) assert_true(job->only[i - 1] < job->only[i]);
    }
}

static bool starts_with(const struct yo_plan_job *job, const yo_move *path, size_t count) {
    return job->path_count >= count && memcmp(job->path, path, count * sizeof *path) == 0;
}

/* Every move after the path is searched by someone, or its result is known for certain. Checked
 * where jobs go on below; `decided` tells of root moves alone. */
static void check_covered(const struct crew *crew, const struct yo_plan_job **jobs,
                          const yo_move *path, size_t depth) {
    yo_move moves[MOVES_MAX], next[YO_PLAN_PATH_MAX];
    size_t count = legal_after(crew, path, depth, moves);
    for (size_t w = 0; w < crew->count; w++)
        if (jobs[w]->path_count == depth && starts_with(jobs[w], path, depth) && !jobs[w]->only)
            return;
    for (size_t i = 0; i < count; i++) {
        bool covered = false, below = false;
        memcpy(next, path, depth * sizeof *path);
        next[depth] = moves[i];
        for (size_t w = 0; w < crew->count; w++) {
            below = below || starts_with(jobs[w], next, depth + 1);
            covered =
                covered || (jobs[w]->path_count == depth && starts_with(jobs[w], path, depth) &&
                            holds(jobs[w]->only, jobs[w]->only_count, moves[i]));
        }
        struct yo_plan_value value;
        if (!below && !covered && depth == 0)
            assert_true(yo_plan_root_value(crew->plan, moves[i], &value) &&
                        (value.mate || value.depth >= 1000));
        if (below) check_covered(crew, jobs, next, depth + 1);
    }
}

/* No one gets a job that another had to give up for it. */
static void check_no_theft(const struct crew *crew, const struct yo_plan_job **jobs) {
    for (size_t a = 0; a < crew->count; a++) {
        const struct yo_plan_job *had = crew->workers[a].current;
        if (!had || yo_plan_job_equal(had, jobs[a])) continue;
        for (size_t b = 0; b < crew->count; b++) {
            const struct yo_plan_job *also = crew->workers[b].current;
            if (jobs[b]->purpose == YO_PLAN_WHOLE) continue; /* anyone without a job may have it */
            bool is_new = !also || !yo_plan_job_equal(also, jobs[b]);
            assert_false(is_new && yo_plan_job_equal(had, jobs[b]));
        }
    }
}

static void take_jobs(struct crew *crew, const struct yo_plan_job **jobs) {
    for (size_t w = 0; w < crew->count; w++) {
        struct yo_plan_job copy;
        assert_int_equal(yo_plan_job_copy(jobs[w], &copy, NULL), YO_OK);
        yo_plan_job_free(&crew->held[w]);
        crew->held[w] = copy;
        crew->workers[w].current = &crew->held[w];
    }
}

static void make(struct crew *crew, const struct yo_plan_job **jobs) {
    int64_t again;
    assert_int_equal(
        yo_plan_make(crew->plan, crew->workers, crew->count, crew->now_ms, jobs, &again, NULL),
        YO_OK);
    assert_true(again == -1 || again > crew->now_ms);
}

/* Plans, checks, and plans again: nothing has happened, so nothing changes. */
static void plan_and_check(struct crew *crew, bool covers) {
    const struct yo_plan_job *jobs[WORKERS_MAX], *again[WORKERS_MAX];
    make(crew, jobs);
    for (size_t w = 0; w < crew->count; w++)
        check_job(crew, jobs[w]);
    if (covers && crew->count > 0) check_covered(crew, jobs, (yo_move[1]){0}, 0);
    check_no_theft(crew, jobs);
    take_jobs(crew, jobs);
    make(crew, again);
    for (size_t w = 0; w < crew->count; w++)
        assert_true(yo_plan_job_equal(crew->workers[w].current, again[w]));
}

static void check_result(struct crew *crew) {
    static yo_move moves[MOVES_MAX];
    struct yo_search_result result;
    size_t count = legal_after(crew, NULL, 0, moves);
    yo_plan_result(crew->plan, &result);
    assert_true(count == 0 || result.move_count > 0);
    for (size_t i = 0; i < result.move_count; i++) {
        const struct yo_search_move *m = &result.moves[i];
        assert_true(holds(moves, count, m->move));
        assert_true(m->winrate_to_move >= 0 && m->winrate_to_move <= 1);
        assert_true(m->pv_count > 0 && m->pv[0] == m->move);
        for (size_t k = 0; k < m->pv_count; k++) {
            yo_move legal[MOVES_MAX];
            assert_true(holds(legal, legal_after(crew, m->pv, k, legal), m->pv[k]));
        }
    }
}

static void run_crew(const struct yo_game_ops *ops, const void *game,
                     enum yo_plan_strategy strategy, uint64_t seed, int steps) {
    struct crew crew;
    struct yo_plan_config config = {
        .strategy = strategy, .recommend_ms = 50, .node_limit = 300, .lean = seed % 2 ? 100 : 0};
    crew_begin(&crew, ops, game, &config, seed);
    for (size_t i = draw(&crew, 30); i-- > 0;)
        join(&crew);
    for (int step = 0; step < steps; step++) {
        struct yo_search_result result;
        struct yo_search_move line;
        if (draw(&crew, 8) == 0) join(&crew);
        if (draw(&crew, 10) == 0) leave(&crew);
        for (size_t w = 0; w < crew.count; w++)
            if (draw(&crew, 3) == 0) report(&crew, w, &result, &line);
        plan_and_check(&crew, true);
        check_result(&crew);
        crew.now_ms += (int64_t)draw(&crew, 40);
    }
    crew_end(&crew);
}

static void test_properties_small(void **state) {
    (void)state;
    struct ttt game = {0};
    for (uint64_t seed = 0; seed < 25; seed++)
        for (int s = 0; s < YO_PLAN_STRATEGY_COUNT; s++)
            run_crew(&ttt_ops, &game, (enum yo_plan_strategy)s, seed, 25);
}

static void test_properties_shogi(void **state) {
    (void)state;
    struct yo_shogi_game *game;
    assert_int_equal(yo_shogi_game_new(NULL, &game, NULL), YO_OK);
    for (uint64_t seed = 0; seed < 2; seed++)
        for (int s = 0; s < YO_PLAN_STRATEGY_COUNT; s++)
            run_crew(&yo_shogi_ops, game, (enum yo_plan_strategy)s, seed, 12);
    yo_shogi_game_delete(game);
}

static void test_properties_go(void **state) {
    (void)state;
    struct yo_go_game *game;
    assert_int_equal(yo_go_game_new(5, NULL, &game), YO_OK);
    for (int s = 0; s < YO_PLAN_STRATEGY_COUNT; s++)
        run_crew(&yo_go_ops, game, (enum yo_plan_strategy)s, 7, 15);
    yo_go_game_delete(game);
}

/* Two plans that see the same calls are the same. */
static void test_same_input_same_plan(void **state) {
    (void)state;
    struct ttt game = {0};
    struct crew a, b;
    struct yo_plan_config config = {.recommend_ms = 30};
    crew_begin(&a, &ttt_ops, &game, &config, 3);
    crew_begin(&b, &ttt_ops, &game, &config, 3);
    for (int step = 0; step < 60; step++) {
        const struct yo_plan_job *ja[WORKERS_MAX], *jb[WORKERS_MAX];
        struct yo_search_result result;
        struct yo_search_move line;
        struct crew *both[2] = {&a, &b};
        for (int k = 0; k < 2; k++) {
            if (step % 3 == 0) join(both[k]);
            for (size_t w = 0; w < both[k]->count; w++)
                if (draw(both[k], 2)) report(both[k], w, &result, &line);
            both[k]->now_ms += 7;
            make(both[k], k ? jb : ja);
        }
        for (size_t w = 0; w < a.count; w++) {
            assert_true(yo_plan_job_equal(ja[w], jb[w]));
            assert_int_equal(ja[w]->purpose, jb[w]->purpose);
        }
        take_jobs(&a, ja);
        take_jobs(&b, jb);
    }
    crew_end(&a);
    crew_end(&b);
}

/* ---- the slow judge ---- */

static int by_text(const void *a, const void *b) { return memcmp(a, b, sizeof(struct naive_job)); }

/* The same jobs, in any order. */
static void compare_jobs(struct naive_plan *naive, const struct yo_plan_job **jobs, size_t count) {
    static struct naive_job got[WORKERS_MAX];
    size_t used = 0;
    for (size_t w = 0; w < count; w++) {
        if (jobs[w]->purpose == YO_PLAN_WHOLE) continue;
        struct naive_job *job = &got[used++];
        memset(job, 0, sizeof *job);
        job->path.count = jobs[w]->path_count;
        memcpy(job->path.moves, jobs[w]->path, jobs[w]->path_count * sizeof(yo_move));
        job->limited = jobs[w]->only != NULL;
        job->only_count = jobs[w]->only_count;
        if (jobs[w]->only) memcpy(job->only, jobs[w]->only, jobs[w]->only_count * sizeof(yo_move));
    }
    assert_int_equal(used, naive->job_count);
    qsort(got, used, sizeof got[0], by_text);
    qsort(naive->jobs, used, sizeof got[0], by_text);
    assert_memory_equal(got, naive->jobs, used * sizeof got[0]);
}

static void compare_values(struct naive_plan *naive, struct yo_plan *plan) {
    struct naive_path root = {.count = 0};
    for (yo_move move = 0; move < 9; move++) {
        struct yo_plan_value a, b;
        bool known = naive_plan_value(naive, &root, move, &a);
        assert_int_equal(known, yo_plan_root_value(plan, move, &b));
        if (!known) continue;
        assert_int_equal(a.centipawns, b.centipawns);
        assert_int_equal(a.mate, b.mate);
        assert_int_equal(a.depth, b.depth);
        if (a.depth < 1000) assert_int_equal(a.at_ms, b.at_ms);
    }
}

static void judge(uint64_t seed, size_t most, int discount) {
    struct ttt game = {0};
    struct crew crew;
    struct naive_plan naive;
    struct yo_plan_config config = {
        .recommend_ms = 40, .width = 2, .leaf_width = 3, .margin = 1, .discount = discount};
    crew_begin(&crew, &ttt_ops, &game, &config, seed);
    naive_plan_init(&naive, &ttt_ops, &game, &config);
    for (int step = 0; step < 16; step++) {
        const struct yo_plan_job *jobs[WORKERS_MAX];
        struct yo_search_result result;
        struct yo_search_move line;
        while (crew.count < most && draw(&crew, 4) > 0)
            join(&crew);
        if (draw(&crew, 6) == 0) leave(&crew);
        for (size_t w = 0; w < crew.count; w++)
            if (draw(&crew, 2) && report(&crew, w, &result, &line))
                naive_plan_report(&naive, crew.workers[w].current, &result, crew.workers[w].id,
                                  crew.now_ms);
        compare_values(&naive, crew.plan);
        make(&crew, jobs);
        naive_plan_assign(&naive, crew.count, crew.now_ms);
        compare_jobs(&naive, jobs, crew.count);
        take_jobs(&crew, jobs);
        crew.now_ms += (int64_t)draw(&crew, 25);
    }
    naive_plan_free(&naive);
    crew_end(&crew);
}

static void test_judged(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed < 13; seed++)
        judge(seed, 1 + 7 * seed % 23, 0);
    /* With a discount values are compared in more places, which takes the judge long. */
    for (uint64_t seed = 1; seed < 6; seed++)
        judge(seed, 3 + seed, 2000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_properties_small), cmocka_unit_test(test_properties_shogi),
        cmocka_unit_test(test_properties_go),    cmocka_unit_test(test_same_input_same_plan),
        cmocka_unit_test(test_judged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
