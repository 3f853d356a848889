/* Learns src/search/go/moves.bin, the model of search/go/model.h, from game records:
 *   learn_moves OUT GAMES.sgf... [--every N] [--shapes N] [--passes N] [--rate R]
 *               [--small-passes N]
 * Of games on large boards every N-th move is used, of small boards all, several times a pass.
 * Twice through the records: the first time it counts the shapes that moves were played in and
 * keeps the most frequent ones, then it climbs the likelihood of the moves that were played. Every
 * fiftieth game is kept aside, and how well its moves are foretold is printed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "game/go/state.h"
#include "search/go/model.h"
#include "yomi/sgf.h"

#define SLOTS     ((size_t)1 << 24) /* of the table that counts shapes */
#define ASIDE     50
#define CLASSES   3
#define MOVES_MAX (YO_GO_POINTS_MAX + 1)

struct settings {
    const char *out;
    int every, passes, small_passes;
    size_t shapes;
    double rate;
};

/* ---- weights ---- */

struct weight {
    uint32_t key, count; /* count: moves that were played and had it */
    float value, squares, gradient;
    bool kept, touched;
};

static struct weight listed[YO_GO_FEATURES], *shapes;

static struct weight *find(uint32_t key, bool add) {
    if (key < YO_GO_FEATURES) return &listed[key];
    size_t i = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 40);
    for (; shapes[i].key != 0; i = (i + 1) & (SLOTS - 1))
        if (shapes[i].key == key) return &shapes[i];
    if (!add) return NULL;
    shapes[i].key = key;
    return &shapes[i];
}

static int by_count(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x < y) - (x > y);
}

/* Keeps the most frequent shapes, and says from how many moves on. */
static void choose_shapes(size_t wanted) {
    size_t used = 0, kept = 0;
    uint32_t *counts = malloc(SLOTS * sizeof *counts);
    if (!counts) abort();
    for (size_t i = 0; i < SLOTS; i++)
        if (shapes[i].count > 0) counts[used++] = shapes[i].count;
    qsort(counts, used, sizeof *counts, by_count);
    uint32_t least = used > wanted ? counts[wanted] + 1 : 1;
    if (least < 4) least = 4;
    for (size_t i = 0; i < SLOTS; i++) {
        shapes[i].kept = shapes[i].count >= least;
        kept += shapes[i].kept;
    }
    for (int i = 0; i < YO_GO_FEATURES; i++)
        listed[i].kept = true;
    printf("%zu shapes seen, %zu kept: those played %u times or more\n", used, kept, least);
    free(counts);
}

/* ---- one position ---- */

struct scene {
    struct yo_go_look look;
    struct yo_go_features features[MOVES_MAX];
    struct weight *weight[MOVES_MAX][YO_GO_FEATURE_MAX];
    size_t weights[MOVES_MAX];
    float chance[MOVES_MAX];
    size_t count, played;
};

/* False for a move that no model of points can foretell. `alone`: the other moves do not matter. */
static bool set_scene(struct scene *s, const struct yo_go_position *position, yo_go_point played,
                      bool alone) {
    yo_move moves[MOVES_MAX];
    size_t count = yo_go_ops.moves(position, moves);
    s->count = 0;
    s->played = MOVES_MAX;
    yo_go_look(&s->look, position);
    for (size_t i = 0; i < count; i++) {
        if (moves[i] == YO_GO_PASS || (alone && moves[i] != played)) continue;
        if (moves[i] == played) s->played = s->count;
        yo_go_features(&s->look, (yo_go_point)moves[i], &s->features[s->count++]);
    }
    return s->played < MOVES_MAX;
}

static void find_weights(struct scene *s) {
    for (size_t m = 0; m < s->count; m++) {
        s->weights[m] = 0;
        for (size_t k = 0; k < s->features[m].count; k++) {
            struct weight *w = find(s->features[m].id[k], false);
            if (w && w->kept) s->weight[m][s->weights[m]++] = w;
        }
    }
}

static void foretell(struct scene *s) {
    float greatest = -INFINITY, sum = 0;
    find_weights(s);
    for (size_t m = 0; m < s->count; m++) {
        float score = 0;
        for (size_t k = 0; k < s->weights[m]; k++)
            score += s->weight[m][k]->value;
        s->chance[m] = score;
        greatest = fmaxf(greatest, score);
    }
    for (size_t m = 0; m < s->count; m++)
        sum += s->chance[m] = expf(s->chance[m] - greatest);
    for (size_t m = 0; m < s->count; m++)
        s->chance[m] /= sum;
}

/* Adagrad: each weight's step shrinks with what it has moved already. */
static void climb(struct scene *s, float rate) {
    for (size_t m = 0; m < s->count; m++)
        for (size_t k = 0; k < s->weights[m]; k++)
            s->weight[m][k]->gradient += (m == s->played) - s->chance[m];
    for (size_t m = 0; m < s->count; m++)
        for (size_t k = 0; k < s->weights[m]; k++) {
            struct weight *w = s->weight[m][k];
            if (w->gradient == 0) continue;
            w->squares += w->gradient * w->gradient;
            w->value += rate * w->gradient / sqrtf(w->squares + 1);
            w->value *= 1 - 1e-5f; /* what is rarely seen stays near nothing */
            w->gradient = 0;
        }
}

/* ---- records ---- */

enum job { COUNT, LEARN, TEST };

struct tally {
    double positions, first, fifth, log_chance;
};

static struct tally tallies[CLASSES];
static struct scene scene;

static void test(const struct scene *s, int size) {
    struct tally *t = &tallies[size <= 10 ? 0 : size <= 15 ? 1 : 2];
    int better = 0;
    for (size_t m = 0; m < s->count; m++)
        better += s->chance[m] > s->chance[s->played];
    t->positions++;
    t->first += better == 0;
    t->fifth += better < 5;
    t->log_chance += log(s->chance[s->played] + 1e-12);
}

static void work(const struct settings *set, enum job job, int size) {
    if (job == COUNT) {
        for (size_t k = 0; k < scene.features[scene.played].count; k++)
            find(scene.features[scene.played].id[k], true)->count++;
        return;
    }
    foretell(&scene);
    if (job == TEST)
        test(&scene, size);
    else
        climb(&scene, (float)set->rate);
}

static bool is_plain(const struct yo_sgf *sgf, size_t i) {
    const struct yo_sgf_node *root = yo_sgf_root(sgf, i);
    return !yo_sgf_get(root, "AB", 0) && !yo_sgf_get(root, "AW", 0);
}

static void go_through(const struct settings *set, enum job job, const struct yo_go_game *record,
                       unsigned offset) {
    int size = record->board.geometry->size;
    unsigned every = size <= 15 ? 1 : (unsigned)set->every;
    struct yo_go_game *start;
    struct yo_go_position position;
    if (yo_go_game_new(size, &record->rules, &start)) abort();
    yo_go_position_from_game(start, &position);
    for (size_t i = 0; i < record->count; i++) {
        struct yo_go_played move = record->moves[i];
        if ((unsigned)move.color != position.to_move) break;
        if ((i + offset) % every == 0 && move.move != YO_GO_PASS &&
            set_scene(&scene, &position, move.move, job == COUNT))
            work(set, job, size);
        if (!yo_go_position_legal(&position, move.move)) break;
        yo_go_position_play(&position, move.move);
    }
    yo_go_game_delete(start);
}

static void go_through_file(const struct settings *set, enum job job, const char *path,
                            unsigned pass) {
    struct yo_sgf *sgf;
    struct yo_diag diag;
    if (yo_sgf_load(path, &sgf, &diag)) {
        char text[600];
        yo_diag_format(&diag, text, sizeof text);
        fprintf(stderr, "learn_moves: %s\n", text);
        exit(1);
    }
    for (size_t i = 0; i < yo_sgf_game_count(sgf); i++) {
        struct yo_go_game *game;
        if ((i % ASIDE == 0) != (job == TEST) || !is_plain(sgf, i)) continue;
        if (yo_sgf_to_game(sgf, i, 0, &game, NULL)) continue; /* a damaged record teaches nothing */
        int repeats = job == LEARN && game->board.geometry->size <= 15 ? set->small_passes : 1;
        while (repeats-- > 0)
            go_through(set, job, game, (unsigned)i + 7 * pass);
        yo_go_game_delete(game);
    }
    yo_sgf_delete(sgf);
}

static void print_tallies(void) {
    static const char *const names[CLASSES] = {"9x9", "13x13", "19x19"};
    for (int c = 0; c < CLASSES; c++) {
        struct tally *t = &tallies[c];
        if (t->positions > 0)
            printf("  %-6s %7.0f moves foretold: first %.1f%%, among five %.1f%%, mean log %.3f\n",
                   names[c], t->positions, 100 * t->first / t->positions,
                   100 * t->fifth / t->positions, t->log_chance / t->positions);
        *t = (struct tally){0};
    }
    fflush(stdout);
}

/* ---- the file ---- */

static void put_weight(FILE *file, float value) {
    float scaled = roundf(value * YO_GO_MODEL_SCALE);
    int n = scaled > 32767 ? 32767 : scaled < -32768 ? -32768 : (int)scaled;
    fputc(n & 255, file);
    fputc(n >> 8 & 255, file);
}

static void write_model(const char *path) {
    FILE *file = fopen(path, "wb");
    if (!file) {
        perror(path);
        exit(1);
    }
    fputs(YO_GO_MODEL_MAGIC, file);
    for (int i = 0; i < YO_GO_FEATURES; i++)
        put_weight(file, listed[i].value);
    for (size_t i = 0; i < SLOTS; i++) {
        if (!shapes[i].kept || fabsf(shapes[i].value) < 0.02f) continue;
        for (int b = 0; b < 4; b++)
            fputc((int)(shapes[i].key >> 8 * b & 255), file);
        put_weight(file, shapes[i].value);
    }
    if (fclose(file) != 0) {
        perror(path);
        exit(1);
    }
}

static double option(int *argc, char **argv, const char *name, double value) {
    for (int i = 1; i + 1 < *argc; i++)
        if (strcmp(argv[i], name) == 0) {
            value = atof(argv[i + 1]);
            memmove(argv + i, argv + i + 2, (size_t)(*argc - i - 1) * sizeof *argv);
            *argc -= 2;
            break;
        }
    return value;
}

int main(int argc, char **argv) {
    struct settings set = {
        .every = (int)option(&argc, argv, "--every", 8),
        .shapes = (size_t)option(&argc, argv, "--shapes", 25000),
        .passes = (int)option(&argc, argv, "--passes", 1),
        .rate = option(&argc, argv, "--rate", 0.1),
        .small_passes = (int)option(&argc, argv, "--small-passes", 3),
    };
    if (argc < 3 || argv[1][0] == '-' || set.every < 1) {
        fprintf(stderr, "usage: learn_moves OUT GAMES.sgf... [--every N] [--shapes N] [--passes N] "
                        "[--rate R] [--small-passes N]\n");
        return 2;
    }
    shapes = calloc(SLOTS, sizeof *shapes);
    if (!shapes) abort();
    for (int f = 2; f < argc; f++)
        go_through_file(&set, COUNT, argv[f], 0);
    choose_shapes(set.shapes);
    for (int pass = 0; pass < set.passes; pass++) {
        for (int f = 2; f < argc; f++)
            go_through_file(&set, LEARN, argv[f], (unsigned)pass);
        for (int f = 2; f < argc; f++)
            go_through_file(&set, TEST, argv[f], 0);
        printf("pass %d\n", pass + 1);
        print_tallies();
        write_model(argv[1]);
        set.rate /= 2;
    }
    free(shapes);
    return 0;
}
