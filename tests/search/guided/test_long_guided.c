/* search/guided with a tree of ten million nodes: it stays within its memory, counts every visit,
 * and goes on when the memory is full. The game has eight moves everywhere and no end in reach; the
 * evaluator draws values and policies from the position's key, so that only the tree costs time. */
#include "support/test.h"

#include <sys/resource.h>

#include "base/random.h"
#include "search/guided/guided.h"

enum { MOVES = 8, NODES = 10000000, MEMORY_MB = 1400 };

struct place {
    uint64_t key;
    uint32_t depth;
};

static int side_to_move(const void *position) {
    return (int)(((const struct place *)position)->depth & 1);
}

static size_t moves(const void *position, yo_move *out) {
    (void)position;
    for (yo_move m = 0; m < MOVES; m++)
        out[m] = m;
    return MOVES;
}

static void play(void *position, yo_move move) {
    struct place *p = position;
    p->key = yo_mix64(p->key * MOVES + move + 1);
    p->depth++;
}

static enum yo_outcome outcome(const void *position) {
    return ((const struct place *)position)->depth < 400 ? YO_OUTCOME_NONE : YO_OUTCOME_DRAW;
}

static uint64_t hash(const void *position) { return ((const struct place *)position)->key; }

static const struct yo_game_ops game = {.name = "a wide game",
                                        .position_size = sizeof(struct place),
                                        .max_moves = MOVES,
                                        .move_bound = MOVES,
                                        .move_null = YO_MOVE_NONE,
                                        .side_to_move = side_to_move,
                                        .moves = moves,
                                        .play = play,
                                        .outcome = outcome,
                                        .hash = hash};

static void describe(void *ctx, int playout_policy, struct yo_eval_about *about) {
    (void)ctx, (void)playout_policy;
    *about = (struct yo_eval_about){.name = "keys",
                                    .game = &game,
                                    .wants = YO_EVAL_VALUE | YO_EVAL_POLICY,
                                    .batch = 1,
                                    .at_once = true};
}

static enum yo_err submit(void *ctx, struct yo_eval_batch *batch, struct yo_diag *diag) {
    (void)ctx, (void)diag;
    for (size_t i = 0; i < batch->item_count; i++) {
        struct yo_eval_item *item = &batch->items[i];
        uint64_t key = hash(item->position);
        float sum = 0;
        item->results->value =
            (struct yo_eval_value){.win = 0.3f + 0.4f * (float)(key & 0xffff) / 0xffff};
        for (size_t m = 0; m < item->move_count; m++)
            sum += item->results->policy[m] = 1 + (float)(key >> 8 * m & 0xff);
        for (size_t m = 0; m < item->move_count; m++)
            item->results->policy[m] /= sum;
    }
    atomic_store(&batch->finished, true);
    return YO_OK;
}

static bool poll_batch(void *ctx, struct yo_eval_batch *batch) {
    (void)ctx;
    return atomic_load(&batch->finished);
}

static enum yo_err wait_batch(void *ctx, struct yo_eval_batch *batch) {
    (void)ctx;
    return batch->err;
}

static void nothing(void *ctx) { (void)ctx; }

static void nothing_of(void *ctx, struct yo_eval_batch *batch) { (void)ctx, (void)batch; }

static const struct yo_eval_ops ops = {.describe = describe,
                                       .submit = submit,
                                       .poll = poll_batch,
                                       .wait = wait_batch,
                                       .cancel = nothing_of,
                                       .destroy = nothing};

static void run(struct yo_guided *g, uint64_t playouts) {
    struct place start = {.key = 1};
    struct yo_search_limits limits = {.playouts = playouts};
    struct yo_search_result result;
    assert_int_equal(yo_guided_run(g, &start, &limits, NULL, NULL, NULL, &result, NULL), YO_OK);
    assert_int_equal(result.playouts, playouts);
    assert_int_equal(result.move_count, MOVES);
}

static void ten_million_nodes(void **state) {
    (void)state;
    struct yo_guided_options options;
    struct yo_guided *g;
    struct rusage usage;
    yo_guided_options_default(&options);
    options.memory_mb = MEMORY_MB;
    assert_int_equal(yo_guided_new(&game, (struct yo_eval){&ops, NULL}, NULL, &options, &g, NULL),
                     YO_OK);
    run(g, NODES);
    assert_int_equal(yo_guided_nodes(g), NODES);
    run(g, NODES / 5); /* the memory is full, and children of nodes with few visits are dropped */
    assert_true(yo_guided_nodes(g) > NODES / 4);
    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    assert_true(usage.ru_maxrss < 1024L * (MEMORY_MB + 128));
    yo_guided_delete(g);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(ten_million_nodes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
