#include "learn/material.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "game/shogi/packed.h"

/* Range and precision of the search for the scale. */
#define SCALE_LEAST 100.0
#define SCALE_MOST  3000.0
#define SCALE_NEAR  0.5
#define SMALL       1e-4 /* the fit ends at a step below this, in units of the scale */

enum {
    WEIGHTS = sizeof(struct yo_shogi_material_weights) / sizeof(int16_t),
    FIXED = WEIGHTS - 1, /* king_rank, the last */
    ROUNDS_MAX = 30,
    WEIGHT_MAX = 4000
};

struct position {
    int8_t features[WEIGHTS]; /* count of each weight, side to move minus opponent */
    int8_t result;
    int16_t score;
};

struct yo_material_set {
    struct position *positions;
    size_t count, cap;
};

enum yo_err yo_material_set_new(struct yo_material_set **out) {
    struct yo_material_set *set = yo_alloc(1, sizeof *set);
    if (!set) return YO_ERR_NOMEM;
    *out = set;
    return YO_OK;
}

void yo_material_set_delete(struct yo_material_set *set) {
    if (!set) return;
    yo_free(set->positions);
    yo_free(set);
}

size_t yo_material_set_count(const struct yo_material_set *set) { return set->count; }

/* The evaluation is a weighted sum, so with one weight 1 and all others 0 it returns the count of
 * that weight. The fit thus uses the evaluation's own terms. */
static void find_features(const struct yo_shogi_position *pos, int8_t *features) {
    union {
        struct yo_shogi_material_weights weights;
        int16_t row[WEIGHTS];
    } one = {.row = {0}};
    for (int i = 0; i < WEIGHTS; i++) {
        one.row[i] = 1;
        features[i] = (int8_t)yo_shogi_material_by(&one.weights, pos);
        one.row[i] = 0;
    }
}

static enum yo_err add(struct yo_material_set *set, const struct yo_shogi_sample *sample,
                       struct yo_diag *diag) {
    struct yo_shogi_position pos;
    enum yo_err err = yo_shogi_unpack(sample->position, &pos, diag);
    if (err) return err;
    if (set->count == set->cap) {
        size_t cap = set->cap ? 2 * set->cap : 4096;
        void *grown = yo_realloc(set->positions, cap, sizeof *set->positions);
        if (!grown) return yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory for the positions");
        set->positions = grown;
        set->cap = cap;
    }
    struct position *p = &set->positions[set->count++];
    p->result = sample->result;
    p->score = sample->score;
    find_features(&pos, p->features);
    return YO_OK;
}

enum yo_err yo_material_set_add(struct yo_material_set *set, const void *bytes, size_t len,
                                const char *name, struct yo_diag *diag) {
    const uint8_t *at = bytes;
    if (len % YO_SHOGI_SAMPLE != 0) {
        yo_diag_set(diag, YO_ERR_PARSE, "%.100s is no file of training positions", name);
        yo_diag_hint(diag, "`yomi selfplay shogi FILE` writes such files, of %d bytes a position",
                     YO_SHOGI_SAMPLE);
        return YO_ERR_PARSE;
    }
    for (size_t i = 0; i < len / YO_SHOGI_SAMPLE; i++) {
        struct yo_shogi_sample sample;
        enum yo_err err = yo_shogi_sample_read(at + i * YO_SHOGI_SAMPLE, &sample, diag);
        /* Positions beside a game have no result. */
        int flags = sample.flags & (YO_SHOGI_SAMPLE_QUIET | YO_SHOGI_SAMPLE_ASIDE);
        if (!err && flags == YO_SHOGI_SAMPLE_QUIET) err = add(set, &sample, diag);
        if (!err) continue;
        yo_shogi_sample_where(diag, name, i);
        return err;
    }
    return YO_OK;
}

/* ---- Newton's method ---- */

static double sigmoid(double x) { return 1 / (1 + exp(-x)); }

struct problem {
    double results, scale;
};

static double target_of(const struct position *p, const struct problem *q) {
    return q->results * (1 + p->result) / 2 + (1 - q->results) * sigmoid(p->score / q->scale);
}

static double predict(const struct position *p, const double *w) {
    double sum = 0;
    for (int i = 0; i < WEIGHTS; i++)
        sum += w[i] * p->features[i];
    return sigmoid(sum);
}

static double cross_entropy(const struct position *p, size_t count, const double *w,
                            const struct problem *q) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        double target = target_of(&p[i], q), chance = predict(&p[i], w);
        chance = chance < 1e-9 ? 1e-9 : chance > 1 - 1e-9 ? 1 - 1e-9 : chance;
        sum -= target * log(chance) + (1 - target) * log(1 - chance);
    }
    return count ? sum / (double)count : 0;
}

/* gradient and hessian (its lower half) of the loss summed over the positions. */
struct slope {
    double gradient[WEIGHTS], hessian[WEIGHTS][WEIGHTS];
};

static void add_position(struct slope *s, const struct position *p, const double *w,
                         const struct problem *q) {
    double chance = predict(p, w), error = chance - target_of(p, q);
    double spread = chance * (1 - chance);
    for (int i = 0; i < WEIGHTS; i++) {
        if (!p->features[i]) continue;
        s->gradient[i] += error * p->features[i];
        double share = spread * p->features[i];
        for (int k = 0; k <= i; k++)
            s->hessian[i][k] += share * p->features[k];
    }
}

/* Regularization: keeps the matrix regular for unused weights, and rarely used weights near their
 * old values. */
static void hold(struct slope *s, const double *w, const double *w0, double ridge) {
    for (int i = 0; i < WEIGHTS; i++) {
        s->gradient[i] += ridge * (w[i] - w0[i]);
        s->hessian[i][i] += ridge;
    }
    for (int k = 0; k < WEIGHTS; k++)
        s->hessian[FIXED][k] = 0;
    s->hessian[FIXED][FIXED] = 1;
    s->gradient[FIXED] = 0;
}

/* Solves hessian * step = gradient by Cholesky's method, in place; the step replaces the
 * gradient. */
static void solve(struct slope *s) {
    for (int i = 0; i < WEIGHTS; i++)
        for (int k = 0; k <= i; k++) {
            double sum = s->hessian[i][k];
            for (int j = 0; j < k; j++)
                sum -= s->hessian[i][j] * s->hessian[k][j];
            s->hessian[i][k] = i == k ? sqrt(sum) : sum / s->hessian[k][k];
        }
    for (int i = 0; i < WEIGHTS; i++) {
        for (int k = 0; k < i; k++)
            s->gradient[i] -= s->hessian[i][k] * s->gradient[k];
        s->gradient[i] /= s->hessian[i][i];
    }
    for (int i = WEIGHTS - 1; i >= 0; i--) {
        for (int k = i + 1; k < WEIGHTS; k++)
            s->gradient[i] -= s->hessian[k][i] * s->gradient[k];
        s->gradient[i] /= s->hessian[i][i];
    }
}

/* One Newton step; returns the largest change of a weight. */
static double step(const struct yo_material_set *set, size_t count, const struct problem *q,
                   double ridge, const double *w0, double *w, struct slope *s) {
    double largest = 0;
    memset(s, 0, sizeof *s);
    for (size_t i = 0; i < count; i++)
        add_position(s, &set->positions[i], w, q);
    hold(s, w, w0, ridge);
    solve(s);
    for (int i = 0; i < WEIGHTS; i++) {
        w[i] -= s->gradient[i];
        largest = fmax(largest, fabs(s->gradient[i]));
    }
    return largest;
}

static void to_row(const struct yo_shogi_material_weights *weights, double scale, double *row) {
    int16_t numbers[WEIGHTS];
    memcpy(numbers, weights, sizeof numbers);
    for (int i = 0; i < WEIGHTS; i++)
        row[i] = numbers[i] / scale;
}

static void from_row(const double *row, double scale, struct yo_shogi_material_weights *weights) {
    int16_t numbers[WEIGHTS];
    for (int i = 0; i < WEIGHTS; i++)
        numbers[i] = (int16_t)lrint(fmax(-WEIGHT_MAX, fmin(WEIGHT_MAX, scale * row[i])));
    memcpy(weights, numbers, sizeof numbers);
}

static double loss_at(const struct yo_material_set *set, size_t count, double scale) {
    double row[WEIGHTS];
    struct problem q = {.results = 1, .scale = scale};
    to_row(&yo_shogi_material_weights, scale, row);
    return cross_entropy(set->positions, count, row, &q);
}

/* The hundredths of a pawn for odds of e to 1 depend on the players' strength. The scale is found
 * first, with the old weights and by bisection, so that a pawn stays about 100. */
static double find_scale(const struct yo_material_set *set, size_t count) {
    double low = SCALE_LEAST, high = SCALE_MOST;
    while (high - low > SCALE_NEAR) {
        double middle = (low + high) / 2;
        if (loss_at(set, count, middle) < loss_at(set, count, middle + SCALE_NEAR / 4))
            high = middle;
        else
            low = middle;
    }
    return (low + high) / 2;
}

static void measure(const struct yo_material_set *set, struct yo_material_fitted *out,
                    const double *w, const struct problem *q, int which) {
    out->learned_loss[which] = cross_entropy(set->positions, out->learned, w, q);
    out->aside_loss[which] = cross_entropy(set->positions + out->learned, out->aside, w, q);
}

enum yo_err yo_material_learn(const struct yo_material_set *set, const struct yo_material_fit *fit,
                              struct yo_material_fitted *out, struct yo_diag *diag) {
    double w0[WEIGHTS], w[WEIGHTS];
    struct slope *slope = yo_alloc(1, sizeof *slope);
    if (!slope) return yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory to fit the weights");
    size_t aside = set->count / 10, count = set->count - aside;
    struct problem q = {.results = fit->results, .scale = find_scale(set, count)};
    to_row(&yo_shogi_material_weights, q.scale, w0);
    memcpy(w, w0, sizeof w);
    *out = (struct yo_material_fitted){.learned = count, .aside = aside, .scale = q.scale};
    measure(set, out, w0, &q, 0);
    while (out->rounds < ROUNDS_MAX) {
        out->rounds++;
        if (step(set, count, &q, fit->ridge, w0, w, slope) < SMALL) break;
    }
    yo_free(slope);
    from_row(w, q.scale, &out->weights);
    to_row(&out->weights, q.scale, w);
    measure(set, out, w, &q, 1);
    return YO_OK;
}

static void write_row(struct yo_buf *out, const char *name, const char *what, const int16_t *row,
                      size_t count) {
    yo_buf_printf(out, "/* %s */\n.%s = {", what, name);
    for (size_t i = 0; i < count; i++)
        yo_buf_printf(out, "%s%d", i ? ", " : "", row[i]);
    yo_buf_str(out, "},\n");
}

void yo_material_write(const struct yo_shogi_material_weights *weights, struct yo_buf *out) {
#define X(name, count, what) write_row(out, #name, what, weights->name, count);
    YO_SHOGI_MATERIAL_LIST(X)
#undef X
}
