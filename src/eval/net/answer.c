#include "eval/net/answer.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/random.h"
#include "eval/net/symmetry.h"

/* A task whose rows a backend runs. */
struct pending {
    int task, row;
    uint64_t key;
};

struct yo_net_answerer {
    const struct yo_net_program *program;
    struct yo_net_cache *cache;
    struct yo_net_runner *runner;
    int max_tasks, symmetry;
    int rows; /* rows per task */
    struct pending *pending;
    void *positions; /* of tasks that are children; the last one is scratch */
    yo_move *moves;
    uint16_t *entries; /* of the moves of each row, in the policy; see by_moves */
    bool by_moves;     /* the record's policy has the moves that were asked for, in their order */
    struct yo_net_record record; /* the current answer */
    float *sum;                  /* of policies, when symmetries are averaged */
};

enum { POLICY_MAX = 4096, CELLS_MAX = YO_NET_MAX_POINTS };
/* Where a policy has many more entries than positions have moves, only those of the moves that were
 * asked for are wanted, read and cached: in shogi about 85 of 2187. Policies for more moves than
 * CACHED_MOVES, which are rare, are not cached. */
enum { ENTRIES_MANY = 512, CACHED_MOVES = 256 };

static bool has_many_entries(const struct yo_net_game *game, int size) {
    return game->policy_size(size) > ENTRIES_MANY;
}

enum yo_err yo_net_answerer_new(const struct yo_net_program *program, struct yo_net_cache *cache,
                                int max_tasks, int symmetry, struct yo_net_answerer **answerer,
                                struct yo_diag *diag) {
    const struct yo_net_game *game = program->game;
    struct yo_net_answerer *a = yo_alloc(1, sizeof *a);
    if (!a) return yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory");
    a->program = program;
    a->cache = cache;
    a->max_tasks = max_tasks;
    a->symmetry = symmetry;
    a->rows = symmetry == YO_NET_SYMMETRY_ALL ? game->symmetries : 1;
    a->pending = yo_alloc((size_t)max_tasks, sizeof *a->pending);
    a->positions = yo_alloc((size_t)max_tasks, game->game->position_size);
    a->moves = yo_alloc(game->game->max_moves, sizeof *a->moves);
    size_t lists = has_many_entries(game, game->largest) ? (size_t)max_tasks : 1;
    a->entries = yo_alloc(lists * game->game->max_moves, sizeof *a->entries);
    a->record.policy = yo_alloc(POLICY_MAX, sizeof(float));
    a->record.ownership = yo_alloc(CELLS_MAX, sizeof(float));
    a->sum = yo_alloc(POLICY_MAX, sizeof(float));
    bool made = a->pending && a->positions && a->moves && a->entries && a->record.policy &&
                a->record.ownership && a->sum;
    enum yo_err err = made ? yo_net_runner_new(program, max_tasks * a->rows, &a->runner, diag)
                           : yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory");
    if (err)
        yo_net_answerer_delete(a);
    else
        *answerer = a;
    return err;
}

void yo_net_answerer_delete(struct yo_net_answerer *a) {
    if (!a) return;
    yo_net_runner_delete(a->runner);
    yo_free(a->pending);
    yo_free(a->positions);
    yo_free(a->moves);
    yo_free(a->entries);
    yo_free(a->record.policy);
    yo_free(a->record.ownership);
    yo_free(a->sum);
    yo_free(a);
}

/* ---- inputs ---- */

/* The position of a task: the item's, or a copy with the child's move played. */
static const void *task_position(struct yo_net_answerer *a, const struct yo_net_task *task,
                                 int slot) {
    const struct yo_game_ops *game = a->program->game->game;
    if (!task->item->children) return task->item->position;
    char *copy = (char *)a->positions + (size_t)slot * game->position_size;
    memcpy(copy, task->item->position, game->position_size);
    game->play(copy, task->item->children[task->index]);
    return copy;
}

/* Tasks that do come before those that do not: siblings only need values. */
static bool wants_policy(const struct yo_net_task *task) {
    return task->item->want & YO_EVAL_POLICY;
}

static int first_symmetry(const struct yo_net_answerer *a, const void *position, int turn) {
    const struct yo_net_game *game = a->program->game;
    if (game->symmetries == 1 || a->symmetry == YO_NET_SYMMETRY_ALL) return 0;
    if (turn > 0) return (turn - 1) % game->symmetries;
    if (a->symmetry != YO_NET_SYMMETRY_RANDOM) return a->symmetry;
    uint64_t hash = game->game->hash(position) * 0x9e3779b97f4a7c15u;
    return (int)((hash >> 33) % (uint64_t)game->symmetries);
}

static uint64_t row_key(const struct yo_net_answerer *a, int row, int symmetry) {
    uint64_t kind = a->rows > 1 ? 8 : (uint64_t)symmetry;
    return (yo_net_runner_hash(a->runner, row) ^ kind) * 0xff51afd7ed558ccdu;
}

static uint16_t *row_entries(const struct yo_net_answerer *a, int row) {
    return a->entries + (size_t)row * a->program->game->game->max_moves;
}

static void want_moves(struct yo_net_answerer *a, const struct yo_eval_item *item,
                       const void *position, int row) {
    uint16_t *entries = row_entries(a, row);
    for (size_t i = 0; i < item->move_count; i++)
        entries[i] = (uint16_t)a->program->game->policy_index(position, item->moves[i]);
    yo_net_runner_want(a->runner, row, entries, item->move_count);
}

/* ---- outputs ---- */

static uint64_t moves_hash(const struct yo_eval_item *item) {
    uint64_t hash = item->move_count;
    for (size_t i = 0; i < item->move_count; i++)
        hash = yo_mix64(hash ^ item->moves[i]);
    return hash | 1;
}

/* Probabilities of the moves, by the logits of the record. */
static void move_policy(const struct yo_net_answerer *a, const void *position, const yo_move *moves,
                        size_t count, float *out) {
    for (size_t i = 0; i < count; i++)
        out[i] =
            a->record.policy[a->by_moves ? i : a->program->game->policy_index(position, moves[i])];
    yo_net_softmax(out, count);
}

static void deliver(const struct yo_net_answerer *a, const struct yo_net_task *task,
                    const void *position) {
    const struct yo_eval_item *item = task->item;
    struct yo_eval_result *result = &item->results[task->index];
    const struct yo_net_record *record = &a->record;
    if (item->want & YO_EVAL_VALUE) result->value = record->value;
    if (item->want & YO_EVAL_POLICY)
        move_policy(a, position, item->moves, item->move_count, result->policy);
    if (item->want & YO_EVAL_OWNERSHIP)
        memcpy(result->ownership, record->ownership, record->cells * sizeof(float));
}

static void read_row(struct yo_net_answerer *a, const struct yo_eval_item *item,
                     const void *position, int size, int row) {
    const struct yo_net_program *p = a->program;
    struct yo_net_record *record = &a->record;
    struct yo_net_raw raw = yo_net_runner_raw(a->runner, row);
    p->game->value(p->net, position, &raw, &record->value);
    if (record->has & YO_EVAL_POLICY && a->by_moves)
        p->game->policy_of(p->net, size, &raw, row_entries(a, row), item->move_count,
                           record->policy);
    else if (record->has & YO_EVAL_POLICY)
        p->game->policy(p->net, size, &raw, record->policy);
    if (record->has & YO_EVAL_OWNERSHIP) p->game->ownership(position, &raw, record->ownership);
}

static void add_value(struct yo_eval_value *sum, const struct yo_eval_value *v) {
    sum->win += v->win;
    sum->draw += v->draw;
    sum->score_mean += v->score_mean;
    sum->score_lead += v->score_lead;
    sum->win_error += v->win_error;
    sum->score_error += v->score_error;
    sum->time_left += v->time_left;
    /* Averages the second moment of the score, not its standard deviation. */
    sum->score_stdev += v->score_stdev * v->score_stdev + v->score_mean * v->score_mean;
}

static void divide_value(struct yo_eval_value *sum, float by) {
    sum->win /= by;
    sum->draw /= by;
    sum->score_mean /= by;
    sum->score_lead /= by;
    sum->win_error /= by;
    sum->score_error /= by;
    sum->time_left /= by;
    float variance = sum->score_stdev / by - sum->score_mean * sum->score_mean;
    sum->score_stdev = variance > 0 ? sqrtf(variance) : 0;
}

/* The mean over all symmetries: of values, of the probabilities of legal moves, and of ownership.
 */
static void read_mean(struct yo_net_answerer *a, const void *position, int size, int row) {
    const struct yo_net_game *game = a->program->game;
    struct yo_net_record *record = &a->record;
    struct yo_eval_value value = {0};
    float owner[CELLS_MAX] = {0}, *now = a->sum;
    float mean[POLICY_MAX] = {0};
    size_t count = game->game->moves(position, a->moves);
    for (int i = 0; i < a->rows; i++) {
        read_row(a, NULL, position, size, row + i);
        add_value(&value, &record->value);
        if (record->has & YO_EVAL_POLICY) move_policy(a, position, a->moves, count, now);
        for (size_t m = 0; m < count && (record->has & YO_EVAL_POLICY); m++)
            mean[m] += now[m] / (float)a->rows;
        for (size_t c = 0; c < record->cells && (record->has & YO_EVAL_OWNERSHIP); c++)
            owner[c] += record->ownership[c] / (float)a->rows;
    }
    divide_value(&value, (float)a->rows);
    record->value = value;
    memcpy(record->ownership, owner, record->cells * sizeof(float));
    if (!(record->has & YO_EVAL_POLICY)) return;
    for (size_t i = 0; i < record->policy_count; i++)
        record->policy[i] = -100;
    for (size_t m = 0; m < count; m++)
        record->policy[game->policy_index(position, a->moves[m])] = logf(fmaxf(mean[m], 1e-40F));
}

/* Adds the rows of a task, or answers it from the cache. Returns whether rows were added. */
static bool ask(struct yo_net_answerer *a, const struct yo_net_task *task, int index,
                struct pending *pending, struct yo_net_eval_counts *counts) {
    const void *position = task_position(a, task, index);
    int symmetry = first_symmetry(a, position, task->item->turn);
    int row = yo_net_runner_add(a->runner, position, symmetry);
    *pending = (struct pending){.task = index, .row = row};
    if (a->cache) {
        pending->key = row_key(a, row, symmetry);
        a->record.moves = a->by_moves ? moves_hash(task->item) : 0;
        if (yo_net_cache_get(a->cache, pending->key, task->item->want, &a->record)) {
            yo_net_runner_drop(a->runner);
            deliver(a, task, position);
            counts->cache_hits++;
            return false;
        }
    }
    if (a->by_moves && wants_policy(task)) want_moves(a, task->item, position, row);
    for (int i = 1; i < a->rows; i++)
        yo_net_runner_add(a->runner, position, i);
    return true;
}

static enum yo_err answer(struct yo_net_answerer *a, int size, const struct yo_net_task *task,
                          const struct pending *pending, unsigned wants, struct yo_diag *diag) {
    const void *position = task->item->position;
    if (task->item->children)
        position =
            (char *)a->positions + (size_t)pending->task * a->program->game->game->position_size;
    a->record.has = wants_policy(task) ? wants : wants & ~(unsigned)YO_EVAL_POLICY;
    if (a->rows > 1)
        read_mean(a, position, size, pending->row);
    else
        read_row(a, task->item, position, size, pending->row);
    if (!isfinite(a->record.value.win))
        return yo_diag_set(diag, YO_ERR_RANGE, "the network's answer is not a number");
    deliver(a, task, position);
    if (!a->cache) return YO_OK;
    if (a->by_moves) a->record.moves = moves_hash(task->item);
    if (a->by_moves && task->item->move_count > CACHED_MOVES)
        a->record.has &= ~(unsigned)YO_EVAL_POLICY;
    yo_net_cache_put(a->cache, pending->key, &a->record);
    return YO_OK;
}

enum yo_err yo_net_answer(struct yo_net_answerer *a, int size, const struct yo_net_task *tasks,
                          int count, struct yo_net_eval_counts *counts, struct yo_diag *diag) {
    const struct yo_net_game *game = a->program->game;
    enum yo_err err = yo_net_runner_start(a->runner, size, diag);
    if (err) return err;
    a->record.policy_count = game->policy_size(size);
    a->by_moves = a->rows == 1 && has_many_entries(game, size);
    if (a->by_moves) a->record.policy_count = CACHED_MOVES;
    a->record.cells = game->wants & YO_EVAL_OWNERSHIP ? (size_t)(size * size) : 0;
    int asked = 0;
    /* The value is always read, so that the cache has it. */
    unsigned wants = YO_EVAL_VALUE;
    for (int without = 0; without < 2; without++) {
        for (int i = 0; i < count; i++) {
            if (wants_policy(&tasks[i]) == (bool)without) continue;
            if (!ask(a, &tasks[i], i, &a->pending[asked], counts)) continue;
            wants |= tasks[i].item->want;
            asked++;
        }
        if (!without) yo_net_runner_end_policy(a->runner);
    }
    if (asked == 0) return YO_OK;
    err = yo_net_runner_run(a->runner, wants, diag);
    counts->batches++;
    counts->evaluations += (uint64_t)yo_net_runner_count(a->runner);
    for (int i = 0; i < asked && !err; i++)
        err = answer(a, size, &tasks[a->pending[i].task], &a->pending[i], wants, diag);
    return err;
}
