#include "support/naive_plan.h"

#include <stdlib.h>
#include <string.h>

#include "support/test.h"

enum { FACTS = 200000, PLACES = 20000, JOBS = 512, MOVES = 600 };

void naive_plan_init(struct naive_plan *plan, const struct yo_game_ops *ops, const void *game,
                     const struct yo_plan_config *config) {
    *plan = (struct naive_plan){.ops = ops, .game = game, .config = *config};
    plan->facts = calloc(FACTS, sizeof *plan->facts);
    plan->places = calloc(PLACES, sizeof *plan->places);
    plan->jobs = calloc(JOBS, sizeof *plan->jobs);
    assert_true(plan->facts && plan->places && plan->jobs);
    plan->places[plan->place_count++] = (struct naive_place){.begun_ms = -1};
}

void naive_plan_free(struct naive_plan *plan) {
    free(plan->facts);
    free(plan->places);
    free(plan->jobs);
}

/* ---- positions ---- */

static void *position_at(struct naive_plan *plan, const struct naive_path *path) {
    void *position = aligned_alloc(64, (plan->ops->position_size + 63) / 64 * 64);
    plan->ops->from_game(plan->game, position);
    for (size_t i = 0; i < path->count; i++)
        plan->ops->play(position, path->moves[i]);
    return position;
}

static size_t moves_at(struct naive_plan *plan, const struct naive_path *path, yo_move *moves) {
    void *position = position_at(plan, path);
    size_t count = plan->ops->moves(position, moves);
    free(position);
    return count;
}

/* For the side to move. */
static struct yo_plan_value end_value(struct naive_plan *plan, const struct naive_path *path) {
    void *position = position_at(plan, path);
    enum yo_outcome outcome = plan->ops->outcome(position);
    int side = plan->ops->side_to_move(position);
    free(position);
    bool drawn = outcome == YO_OUTCOME_DRAW || outcome == YO_OUTCOME_NONE;
    bool won = outcome == (side == 0 ? YO_OUTCOME_FIRST : YO_OUTCOME_SECOND);
    return (struct yo_plan_value){.depth = 1000, .mate = drawn ? 0 : won ? 1 : -1};
}

static struct naive_path after(const struct naive_path *path, yo_move move) {
    struct naive_path next = *path;
    assert_true(next.count < NAIVE_PATH_MAX);
    next.moves[next.count++] = move;
    return next;
}

static bool same_path(const struct naive_path *a, const struct naive_path *b) {
    return a->count == b->count && memcmp(a->moves, b->moves, a->count * sizeof a->moves[0]) == 0;
}

static struct naive_place *place_at(struct naive_plan *plan, const struct naive_path *path) {
    for (size_t i = 0; i < plan->place_count; i++)
        if (same_path(&plan->places[i].path, path)) return &plan->places[i];
    return NULL;
}

static void open_place(struct naive_plan *plan, const struct naive_path *path) {
    if (place_at(plan, path)) return;
    assert_true(plan->place_count < PLACES);
    plan->places[plan->place_count++] = (struct naive_place){.path = *path, .begun_ms = -1};
}

/* ---- facts ---- */

/* NULL if nothing was ever said of it. */
static struct naive_fact *find_fact(struct naive_plan *plan, const struct naive_path *path,
                                    yo_move move) {
    for (size_t i = 0; i < plan->fact_count; i++)
        if (plan->facts[i].move == move && same_path(&plan->facts[i].path, path))
            return &plan->facts[i];
    return NULL;
}

static struct naive_fact *fact_of(struct naive_plan *plan, const struct naive_path *path,
                                  yo_move move) {
    struct naive_fact *fact = find_fact(plan, path, move);
    if (fact) return fact;
    assert_true(plan->fact_count < FACTS);
    plan->facts[plan->fact_count] = (struct naive_fact){.path = *path, .move = move};
    return &plan->facts[plan->fact_count++];
}

static int score(const struct yo_plan_value *v) {
    if (v->mate > 0) return 1000000 - v->mate;
    if (v->mate < 0) return -1000000 - v->mate;
    return v->centipawns;
}

static bool at_least_as_deep(const struct yo_plan_value *a, const struct yo_plan_value *b) {
    return a->depth > b->depth || (a->depth == b->depth && a->nodes >= b->nodes);
}

static bool asked(const struct yo_plan_job *job, yo_move move) {
    if (!job->only) return true;
    for (size_t i = 0; i < job->only_count; i++)
        if (job->only[i] == move) return true;
    return false;
}

static bool is_over(struct naive_plan *plan, const struct naive_path *path) {
    yo_move moves[MOVES];
    return place_at(plan, path) && moves_at(plan, path, moves) == 0;
}

void naive_plan_report(struct naive_plan *plan, const struct yo_plan_job *job,
                       const struct yo_search_result *result, uint32_t worker, int64_t now_ms) {
    struct naive_path path = {.count = job->path_count};
    yo_move moves[MOVES];
    memcpy(path.moves, job->path, job->path_count * sizeof job->path[0]);
    if (!place_at(plan, &path)) return;
    assert_int_equal(result->move_count, 1);
    const struct yo_search_move *line = &result->moves[0];
    struct yo_plan_value value = {.centipawns = line->centipawns,
                                  .mate = line->mate,
                                  .depth = line->depth,
                                  .nodes = line->visits,
                                  .at_ms = now_ms,
                                  .worker = worker};
    size_t count = moves_at(plan, &path, moves);
    for (size_t i = 0; i < count; i++) {
        struct naive_path next = after(&path, moves[i]);
        if (!asked(job, moves[i]) || is_over(plan, &next)) continue;
        struct naive_fact *fact = fact_of(plan, &path, moves[i]);
        bool exact = fact->any && !fact->upper, deep = at_least_as_deep(&value, &fact->value);
        if (moves[i] == line->move) {
            if (exact && !deep) continue;
            if (fact->any && fact->upper && !deep && score(&value) > score(&fact->value)) continue;
            fact->upper = false;
        } else {
            if (fact->any && !deep) continue;
            if (exact && score(&fact->value) <= score(&value)) continue;
            fact->upper = true;
        }
        fact->any = true;
        fact->value = value;
    }
}

/* ---- minimax ---- */

static struct yo_plan_value turn(struct yo_plan_value v) {
    v.centipawns = -v.centipawns;
    if (v.mate) v.mate = v.mate > 0 ? -(v.mate + 1) : -(v.mate - 1);
    if (v.depth) v.depth++;
    return v;
}

/* What a value counts among those of its position. */
static int sure(struct naive_plan *plan, const struct naive_path *path,
                const struct yo_plan_value *value) {
    yo_move moves[MOVES];
    struct yo_plan_value v;
    int deepest = 0;
    if (plan->config.discount == 0 || value->mate || value->depth == 1000) return score(value);
    size_t count = moves_at(plan, path, moves);
    for (size_t i = 0; i < count; i++)
        if (naive_plan_value(plan, path, moves[i], &v) && v.depth > deepest && v.depth < 1000)
            deepest = v.depth;
    int lacks = deepest - value->depth;
    return score(value) - plan->config.discount * (lacks > 8 ? 8 : lacks);
}

/* The value of a position of the tree, and whether all its moves are covered. */
static bool place_value(struct naive_plan *plan, const struct naive_path *path,
                        struct yo_plan_value *value, bool *complete) {
    yo_move moves[MOVES];
    size_t count = moves_at(plan, path, moves);
    bool known = false;
    *complete = true;
    if (count == 0) {
        *value = end_value(plan, path);
        return true;
    }
    for (size_t i = 0; i < count; i++) {
        struct yo_plan_value v;
        if (!naive_plan_value(plan, path, moves[i], &v)) {
            if (!find_fact(plan, path, moves[i])) *complete = false;
            continue;
        }
        if (known && sure(plan, path, &v) <= sure(plan, path, value)) continue;
        known = true;
        *value = v;
    }
    return known;
}

bool naive_plan_value(struct naive_plan *plan, const struct naive_path *path, yo_move move,
                      struct yo_plan_value *value) {
    struct naive_path next = after(path, move);
    struct naive_fact *fact = find_fact(plan, path, move);
    bool own = fact && !fact->upper, complete;
    struct yo_plan_value below;
    if (is_over(plan, &next)) {
        *value = turn(end_value(plan, &next));
        return true;
    }
    bool down = place_at(plan, &next) && place_value(plan, &next, &below, &complete);
    if (down) below = turn(below);
    if (own && down) down = complete && at_least_as_deep(&below, &fact->value);
    bool ruled_out = fact && fact->upper && down && at_least_as_deep(&fact->value, &below) &&
                     score(&below) > score(&fact->value);
    if (ruled_out) down = false;
    if (own) *value = fact->value;
    if (down) *value = below;
    return own || down;
}

/* ---- Assign and Recommend ---- */

static bool is_open(struct naive_plan *plan, const struct naive_path *path, yo_move move) {
    struct naive_path next = after(path, move);
    struct yo_plan_value v;
    return !is_over(plan, &next) && !(naive_plan_value(plan, path, move, &v) && v.mate);
}

/* The moves, or the open ones alone, best first. Moves without a value stand in the generator's
 * order. */
static size_t order(struct naive_plan *plan, const struct naive_path *path, bool open_only,
                    yo_move *out) {
    yo_move moves[MOVES];
    bool used[MOVES] = {0};
    size_t count = moves_at(plan, path, moves), placed = 0;
    for (;;) {
        size_t best = count;
        for (size_t i = 0; i < count; i++) {
            struct yo_plan_value a, b;
            if (used[i] || (open_only && !is_open(plan, path, moves[i]))) continue;
            bool known = naive_plan_value(plan, path, moves[i], &a);
            bool better = best == count;
            if (!better) {
                bool known_best = naive_plan_value(plan, path, moves[best], &b);
                better = known && (!known_best || sure(plan, path, &a) > sure(plan, path, &b));
            }
            if (better) best = i;
        }
        if (best == count) return placed;
        used[best] = true;
        out[placed++] = moves[best];
    }
}

/* The moves of the frozen order that are still open. */
static size_t thaw(struct naive_plan *plan, const struct naive_place *place, yo_move *moves) {
    size_t open = 0;
    for (size_t i = 0; i < place->frozen_count; i++)
        if (is_open(plan, &place->path, place->frozen[i])) moves[open++] = place->frozen[i];
    return open;
}

static size_t where(const yo_move *moves, size_t count, yo_move move) {
    size_t i = 0;
    while (i < count && moves[i] != move)
        i++;
    return i;
}

/* Is the first move known to be better than the second? */
static bool is_better(struct naive_plan *plan, const struct naive_path *path, yo_move first,
                      yo_move second) {
    struct yo_plan_value a, b;
    if (!naive_plan_value(plan, path, first, &a)) return false;
    return !naive_plan_value(plan, path, second, &b) ||
           sure(plan, path, &a) > sure(plan, path, &b) + 1;
}

/* The place in `chosen` of the move that is worst by the order. */
static size_t worst(const struct naive_place *place, const yo_move *moves, size_t open) {
    size_t found = 0;
    for (size_t i = 1; i < place->chosen_count; i++)
        if (where(moves, open, place->chosen[i]) > where(moves, open, place->chosen[found]))
            found = i;
    return found;
}

/* Chosen moves stay until another is known to be better. Then they come first in `moves`. */
static void choose(struct naive_plan *plan, struct naive_place *place, yo_move *moves, size_t open,
                   size_t n) {
    size_t kept = 0, put = 0;
    yo_move sorted[MOVES];
    for (size_t i = 0; i < place->chosen_count; i++)
        if (where(moves, open, place->chosen[i]) < open) place->chosen[kept++] = place->chosen[i];
    place->chosen_count = kept;
    while (place->chosen_count > n) {
        size_t last = worst(place, moves, open);
        place->chosen[last] = place->chosen[--place->chosen_count];
    }
    for (size_t i = 0; i < open; i++) {
        if (where(place->chosen, place->chosen_count, moves[i]) < place->chosen_count) continue;
        size_t last = worst(place, moves, open);
        if (place->chosen_count < n)
            place->chosen[place->chosen_count++] = moves[i];
        else if (is_better(plan, &place->path, moves[i], place->chosen[last]))
            place->chosen[last] = moves[i];
    }
    for (size_t i = 1; i < place->chosen_count; i++)
        for (size_t k = i; k > 0; k--) {
            yo_move *pair = &place->chosen[k - 1], swapped = pair[0];
            if (!is_better(plan, &place->path, pair[1], pair[0])) break;
            pair[0] = pair[1];
            pair[1] = swapped;
        }
    for (size_t i = 0; i < place->chosen_count; i++)
        sorted[put++] = place->chosen[i];
    for (size_t i = 0; i < open; i++)
        if (where(place->chosen, place->chosen_count, moves[i]) == place->chosen_count)
            sorted[put++] = moves[i];
    memcpy(moves, sorted, open * sizeof *moves);
}

static struct naive_job *add_job(struct naive_plan *plan, const struct naive_path *path) {
    assert_true(plan->job_count < JOBS);
    struct naive_job *job = &plan->jobs[plan->job_count++];
    *job = (struct naive_job){.path = *path};
    return job;
}

static int ascending(const void *a, const void *b) {
    yo_move x = *(const yo_move *)a, y = *(const yo_move *)b;
    return x < y ? -1 : x > y;
}

static void add_rest(struct naive_plan *plan, const struct naive_path *path, const yo_move *rest,
                     size_t count) {
    struct naive_job *job = add_job(plan, path);
    job->limited = true;
    job->only_count = count;
    memcpy(job->only, rest, count * sizeof *rest);
    qsort(job->only, count, sizeof *rest, ascending);
}

static void assign(struct naive_plan *plan, const struct naive_path *path, size_t workers);

/* The first n moves get workers, the rest of the moves one. */
static void hand_down(struct naive_plan *plan, const struct naive_path *path, yo_move *moves,
                      size_t open, size_t n, size_t workers) {
    for (size_t i = 0; i < n; i++) {
        struct naive_path next = after(path, moves[i]);
        open_place(plan, &next);
        if (!is_over(plan, &next)) continue;
        /* It was not known that the game ends there: the order is another one now. */
        assign(plan, path, workers);
        return;
    }
    size_t left = workers - (n < open);
    for (size_t i = 0; i < n; i++) {
        struct naive_path next = after(path, moves[i]);
        size_t share = left / n + (i < left % n);
        if (share > 0) assign(plan, &next, share);
    }
    if (n < open) add_rest(plan, path, moves + n, open - n);
}

static void assign(struct naive_plan *plan, const struct naive_path *path, size_t workers) {
    yo_move moves[MOVES];
    struct naive_place *place = place_at(plan, path);
    size_t open = order(plan, path, true, moves);
    size_t leaf = plan->config.leaf_width + 1, n;
    assert_non_null(place);
    if (open == 0) return;
    if (workers == 1) {
        add_job(plan, path);
        return;
    }
    if (open == 1) {
        struct naive_path next = after(path, moves[0]);
        open_place(plan, &next);
        assign(plan, &next, workers);
        return;
    }
    if (workers > leaf && !place->recommended) {
        if (place->begun_ms < 0) {
            place->begun_ms = plan->now_ms;
            place->frozen_count = order(plan, path, false, place->frozen);
        }
        place->recommended = plan->now_ms >= place->begun_ms + plan->config.recommend_ms;
    }
    if (workers > leaf && !place->recommended) {
        n = open <= workers ? open : workers - 1;
        open = thaw(plan, place, moves);
    } else {
        n = workers <= leaf ? workers - 1 : plan->config.width;
        if (n > open) n = open;
        place->begun_ms = -1;
        choose(plan, place, moves, open, n);
    }
    hand_down(plan, path, moves, open, n, workers);
}

static size_t count_ends(struct naive_plan *plan) {
    size_t ends = 0;
    for (size_t i = 0; i < plan->place_count; i++)
        ends += is_over(plan, &plan->places[i].path);
    return ends;
}

void naive_plan_assign(struct naive_plan *plan, size_t workers, int64_t now_ms) {
    struct naive_path root = {.count = 0};
    struct yo_plan_value value;
    bool complete;
    yo_move moves[MOVES];
    plan->now_ms = now_ms;
    plan->job_count = 0;
    bool won = place_value(plan, &root, &value, &complete) && value.mate > 0;
    if (workers == 0 || won || order(plan, &root, true, moves) == 0) return;
    size_t places = plan->place_count, ends = count_ends(plan);
    assign(plan, &root, workers);
    /* An end of the game that was met on the way changes the values it began with. */
    if (plan->place_count > places && count_ends(plan) > ends)
        naive_plan_assign(plan, workers, now_ms);
}
