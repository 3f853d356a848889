#include "eval/playout/hw/hw.h"

#include <string.h>

#include "base/notice.h"
#include "eval/playout/hw/model.h"
#include "eval/playout/hw/rest.h"
#include "eval/playout/scalar.h"
#include "eval/playout/spec.h"

/* Games whose moves are logged: seven are in flight, one may wait for scoring and one may be in
 * scoring. */
#define LOGS 16

struct log {
    bool used;
    uint32_t game;
    uint32_t count;
    yo_go_point moves[YO_PLAYOUT_MOVES_MAX];
};

struct scratch {
    const struct yo_playout_piece *piece;
    uint64_t first_game; /* of the batch on the unit */
    struct log logs[LOGS];
};

static const struct yo_hw_model *find_model(int size) {
    const struct yo_hw_model *model = yo_hw_models;
    while (model && model->size && model->size != size)
        model++;
    return model && model->size ? model : NULL;
}

/* ---- logging of moves, if wanted ---- */

static struct log *log_of(struct scratch *scratch, uint32_t game) {
    struct log *spare = NULL;
    for (int i = 0; i < LOGS; i++) {
        struct log *log = &scratch->logs[i];
        if (log->used && log->game == game) return log;
        if (!log->used) spare = log;
    }
    if (spare) *spare = (struct log){.used = true, .game = game};
    return spare;
}

static void see_move(void *user, uint32_t game, int point) {
    struct log *log = log_of(user, game);
    if (log && log->count < YO_PLAYOUT_MOVES_MAX)
        log->moves[log->count++] = point < 0 ? YO_GO_PASS : (yo_go_point)point;
}

static void see_score(void *user, uint32_t game, int score) {
    struct scratch *scratch = user;
    struct log *log = log_of(scratch, game);
    if (!log) return;
    struct yo_playout_game done = {.number = scratch->first_game + game,
                                   .score = score,
                                   .move_count = log->count,
                                   .moves = log->moves};
    scratch->piece->sink->game(scratch->piece->sink->user, &done);
    log->used = false;
}

/* ---- driving the unit ---- */

static void write64(const struct yo_hw_model *model, void *unit, uint32_t address, uint64_t value) {
    model->write(unit, address, (uint32_t)value);
    model->write(unit, address + 1, (uint32_t)(value >> 32));
}

static void write_stones(const struct yo_hw_model *model, void *unit, uint32_t address,
                         const struct yo_playout_position *position, int color) {
    uint32_t words[(YO_GO_POINTS_MAX + 31) / 32] = {0};
    int points = position->size * position->size;
    for (int p = 0; p < points; p++)
        words[p / 32] |= (uint32_t)(position->stones[p] == color) << (p % 32);
    for (int w = 0; w < (points + 31) / 32; w++)
        model->write(unit, address + (uint32_t)w, words[w]);
}

static void write_position(const struct yo_hw_model *model, void *unit,
                           const struct yo_playout_position *position) {
    write_stones(model, unit, YO_HW_BLACK, position, YO_GO_BLACK);
    write_stones(model, unit, YO_HW_WHITE, position, YO_GO_WHITE);
    model->write(unit, YO_HW_SIDE, position->to_move == YO_GO_WHITE);
    model->write(unit, YO_HW_KO, position->ko == YO_GO_NONE ? 0 : position->ko | YO_HW_KO_VALID);
}

static bool play_batch(const struct yo_hw_model *model, void *unit, uint64_t seed, uint64_t first,
                       uint32_t games, const struct yo_hw_watch *watch) {
    write64(model, unit, YO_HW_SEED, seed);
    write64(model, unit, YO_HW_FIRST_GAME, first);
    model->write(unit, YO_HW_GAMES, games);
    model->write(unit, YO_HW_START, 1);
    /* An upper bound of the cycles: every move may first reject every point. */
    uint64_t points = (uint64_t)(model->size * model->size);
    return model->wait(unit, (games + 8) * 3 * points * (points + 8) * 28, watch);
}

static void read_result(const struct yo_hw_model *model, void *unit, int komi2,
                        struct yo_eval_playouts *result) {
    uint32_t points = (uint32_t)(model->size * model->size);
    uint32_t histogram[2 * YO_GO_POINTS_MAX + 1];
    result->moves += model->read(unit, YO_HW_MOVES);
    for (uint32_t p = 0; result->owner && p < points; p++)
        result->owner[p] += (int32_t)model->read(unit, YO_HW_TALLY + p);
    for (uint32_t s = 0; s <= 2 * points; s++)
        histogram[s] = model->read(unit, YO_HW_TALLY + points + s);
    yo_playout_add_histogram(result, (int)points, komi2, histogram);
}

/* False if the unit did not finish; the rest of the piece is then unplayed. */
static bool play_piece(const struct yo_hw_model *model, void *unit, struct scratch *scratch,
                       struct yo_playout_piece *piece) {
    struct yo_hw_watch watch = {see_move, see_score, scratch};
    scratch->piece = piece;
    struct yo_playout_position start;
    yo_playout_piece_start(piece, &start);
    write_position(model, unit, &start);
    while (piece->games > 0) {
        uint32_t games = piece->games < YO_HW_GAMES_MAX ? piece->games : YO_HW_GAMES_MAX;
        scratch->first_game = piece->first_game;
        if (!play_batch(model, unit, piece->seed, piece->first_game, games,
                        piece->sink ? &watch : NULL))
            return false;
        read_result(model, unit, piece->komi2, piece->result);
        piece->first_game += games;
        piece->games -= games;
    }
    return true;
}

/* ---- the backend ---- */

static size_t scratch_size(const struct yo_playout_backend *backend, int size) {
    (void)backend;
    size_t scalar = yo_playout_scratch_size(&yo_playout_scalar, size);
    return scalar > sizeof(struct scratch) ? scalar : sizeof(struct scratch);
}

static void run(const struct yo_playout_backend *backend, const struct yo_playout_env *env,
                enum yo_playout_policy policy, int size, const struct yo_playout_source *source,
                void *scratch_memory) {
    (void)backend;
    struct scratch *scratch = scratch_memory;
    const struct yo_hw_model *model = find_model(size);
    void *unit = model ? model->create() : NULL;
    struct yo_playout_piece piece = {.games = 0};
    memset(scratch, 0, sizeof *scratch);
    bool going = unit != NULL;
    while (going && source->next(source->ctx, &piece))
        going = play_piece(model, unit, scratch, &piece);
    if (unit) model->destroy(unit);
    if (going) return;
    /* If the simulation does not fit into memory or does not end, the scalar reference plays the
     * rest. */
    yo_notice(&env->notices,
              "the hardware unit could not be simulated; playouts by scalar instead");
    yo_hw_play_rest(&yo_playout_scalar, env, policy, size, &piece, source, scratch_memory);
}

bool yo_hw_measure(const struct yo_playout_position *position, uint64_t seed, uint32_t games,
                   struct yo_hw_counts *counts) {
    const struct yo_hw_model *model = find_model(position->size);
    void *unit = model ? model->create() : NULL;
    if (!unit) return false;
    write_position(model, unit, position);
    bool ended = play_batch(model, unit, seed, 0, games, NULL);
    counts->games = model->read(unit, YO_HW_GAMES_DONE);
    counts->moves = model->read(unit, YO_HW_MOVES);
    counts->cycles = model->read(unit, YO_HW_CYCLES);
    counts->attempts = model->read(unit, YO_HW_ATTEMPTS);
    counts->repeats = model->read(unit, YO_HW_REPEATS);
    model->destroy(unit);
    return ended;
}

static bool available(const struct yo_playout_backend *backend) {
    (void)backend;
    return yo_hw_models != NULL;
}

static bool supports(const struct yo_playout_backend *backend, const struct yo_playout_env *env,
                     enum yo_playout_policy policy, int size) {
    (void)backend, (void)env;
    return policy == YO_PLAYOUT_LIGHT && find_model(size);
}

static const struct yo_playout_backend_ops ops = {
    .summary = "the hardware unit, simulated cycle by cycle; 9x9, 13x13 and 19x19",
    .needs = "Verilator when Yomi is built (YOMI_HW)",
    .available = available,
    .supports = supports,
    .scratch_size = scratch_size,
    .run = run,
};

const struct yo_playout_backend yo_playout_hw = {.name = "hw", .ops = &ops};
