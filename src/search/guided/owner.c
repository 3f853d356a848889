/* Ownership, for analysis: the mean over positions drawn from the tree. Each of them is reached
 * from the root by children in proportion to their visits, so that the mean estimates the mean over
 * the whole tree, at a cost that does not grow with it. The evaluator gives the ownership of a
 * position; where it has none, playouts from there do. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/random.h"
#include "search/guided/internal.h"

#define FOR_ROOT 24                 /* positions for the root, spread over its moves by visits */
#define SAMPLES  (FOR_ROOT + 24)    /* and one for each of the next best moves */
#define PLAYOUTS 64                 /* for each position */
#define GROWTH   1.25               /* of the root's visits before positions are drawn again */
#define SEED     UINT64_C(0x6f776e) /* of the draws: the same tree gives the same ownership */

struct sample {
    const struct yo_guided_edge *edge; /* of the root; NULL: the root's own position */
    bool for_root;
};

struct guided_owners {
    size_t cells, stride;
    struct sample samples[SAMPLES];
    size_t count;
    struct yo_eval_item items[SAMPLES];
    struct yo_eval_result results[SAMPLES];
    unsigned char *positions;
    int32_t *counts; /* cells for each sample: of playouts */
    float *values;   /* cells for each sample */
    float *mean;     /* of the root, then of each sample's move */
    float *stdev;
    uint64_t at_visits; /* of the root when they were computed; 0: never */
};

void guided_owners_free(struct yo_guided *g) {
    struct guided_owners *o = g->owners;
    if (!o) return;
    yo_free_aligned(o->positions);
    yo_free(o->counts);
    yo_free(o->values);
    yo_free(o->mean);
    yo_free(o->stdev);
    yo_free(o);
    g->owners = NULL;
}

static bool allocate(struct yo_guided *g, size_t cells) {
    struct guided_owners *o = g->owners = yo_alloc(1, sizeof *o);
    if (!o) return false;
    o->cells = cells;
    o->stride = (g->game->position_size + 63) / 64 * 64;
    o->positions = yo_alloc_aligned(SAMPLES * o->stride);
    o->counts = yo_alloc(SAMPLES * cells, sizeof *o->counts);
    o->values = yo_alloc(SAMPLES * cells, sizeof *o->values);
    o->mean = yo_alloc((SAMPLES + 1) * cells, sizeof *o->mean);
    o->stdev = yo_alloc((SAMPLES + 1) * cells, sizeof *o->stdev);
    return o->positions && o->counts && o->values && o->mean && o->stdev;
}

static bool by_net(const struct yo_guided *g) {
    struct yo_eval_about about;
    g->eval.ops->describe(g->eval.ctx, 0, &about);
    return about.wants & YO_EVAL_OWNERSHIP;
}

bool guided_owners_begin(struct yo_guided *g) {
    size_t cells = g->hooks.cells ? g->hooks.cells(g->position) : 0;
    bool any = g->limits->ownership && cells && (by_net(g) || g->hooks.playouts.ops);
    if (g->owners && (!any || g->owners->cells != cells)) guided_owners_free(g);
    if (!any) return true;
    if (!g->owners && !allocate(g, cells)) {
        guided_owners_free(g);
        return false;
    }
    g->owners->at_visits = 0;
    return true;
}

void guided_owners_renew(struct yo_guided *g) {
    if (g->owners) g->owners->at_visits = 0;
}

/* ---- drawing positions ---- */

static unsigned visits_of(const struct yo_guided *g, const struct yo_guided_edge *edge) {
    return yo_guided_edge_visits(&g->search.tree, edge);
}

/* An edge of the node in proportion to the visits; NULL if no child was visited. */
static const struct yo_guided_edge *draw(const struct yo_guided *g,
                                         const struct yo_guided_node *node, double at) {
    const struct yo_guided_edge *edges = yo_guided_edges(&g->search.tree, node), *last = NULL;
    unsigned reach = edges ? atomic_load(&node->reach) : 0;
    double total = 0;
    for (unsigned i = 0; i < reach; i++)
        total += visits_of(g, &edges[i]);
    for (unsigned i = 0; i < reach; i++) {
        unsigned visits = visits_of(g, &edges[i]);
        if (visits == 0) continue;
        last = &edges[i];
        at -= visits / total;
        if (at < 0) break;
    }
    return last;
}

/* The position below a root move that the draws lead to. */
static void add_sample(struct yo_guided *g, const struct yo_guided_edge *edge, bool for_root) {
    struct guided_owners *o = g->owners;
    size_t i = o->count++;
    void *position = o->positions + i * o->stride;
    uint64_t random = yo_mix64(SEED + i * YO_SPLITMIX_STEP);
    o->samples[i] = (struct sample){edge, for_root};
    memcpy(position, g->position, g->game->position_size);
    while (edge) {
        g->game->play(position, (yo_move)edge->move);
        const struct yo_guided_node *node = yo_guided_node(&g->search.tree, yo_guided_child(edge));
        if (yo_guided_state(node) != YO_GUIDED_OPEN) break;
        random = yo_mix64(random + YO_SPLITMIX_STEP);
        edge = draw(g, node, (double)(random >> 11) * 0x1p-53);
    }
}

static bool is_of(const struct sample *sample, yo_move move) {
    return sample->edge && sample->edge->move == move;
}

static void draw_samples(struct yo_guided *g, const struct yo_search_result *result) {
    struct guided_owners *o = g->owners;
    const struct yo_guided_node *root = yo_guided_node(&g->search.tree, g->search.tree.root);
    const struct yo_guided_edge *edges = yo_guided_edges(&g->search.tree, root);
    uint64_t visits = yo_guided_visits(root);
    size_t wanted = visits < FOR_ROOT ? visits : FOR_ROOT;
    o->count = 0;
    for (size_t i = 0; i < wanted; i++) {
        const struct yo_guided_edge *edge = draw(g, root, ((double)i + 0.5) / (double)wanted);
        if (edge) add_sample(g, edge, true);
    }
    if (o->count == 0) add_sample(g, NULL, true); /* no move was tried: the root itself */
    for (size_t i = 0; g->limits->moves_ownership && i < result->move_count; i++) {
        bool drawn = o->count == SAMPLES || result->moves[i].visits == 0;
        for (size_t k = 0; k < o->count; k++)
            drawn = drawn || is_of(&o->samples[k], result->moves[i].move);
        for (unsigned e = 0; !drawn && e < root->edge_count; e++)
            if (edges[e].move == result->moves[i].move) add_sample(g, &edges[e], false);
    }
}

/* ---- evaluating them ---- */

static enum yo_err evaluate(struct yo_guided *g) {
    struct guided_owners *o = g->owners;
    bool net = by_net(g);
    if (o->count == 0) return YO_ERR_STATE;
    memset(o->counts, 0, o->count * o->cells * sizeof *o->counts);
    for (size_t i = 0; i < o->count; i++) {
        o->results[i] = (struct yo_eval_result){.ownership = o->values + i * o->cells};
        o->results[i].playouts.owner = net ? NULL : o->counts + i * o->cells;
        o->items[i] = (struct yo_eval_item){.position = o->positions + i * o->stride,
                                            .want = net ? YO_EVAL_OWNERSHIP : YO_EVAL_PLAYOUTS,
                                            .results = &o->results[i],
                                            .playouts = net ? 0 : PLAYOUTS,
                                            .seed = SEED,
                                            .first_game = i * PLAYOUTS};
    }
    enum yo_err err = yo_eval_run(net ? g->eval : g->hooks.playouts, o->items, o->count, NULL);
    for (size_t i = 0; !err && !net && i < o->count * o->cells; i++)
        o->values[i] = (float)o->counts[i] / PLAYOUTS;
    return err;
}

/* Mean and standard deviation over the samples of a root move; edge NULL: of the root. */
static void average(struct guided_owners *o, const struct yo_guided_edge *edge, size_t slot) {
    float *mean = o->mean + slot * o->cells, *stdev = o->stdev + slot * o->cells;
    for (size_t c = 0; c < o->cells; c++) {
        float sum = 0, squares = 0, count = 0;
        for (size_t i = 0; i < o->count; i++) {
            if (edge ? o->samples[i].edge != edge : !o->samples[i].for_root) continue;
            float v = o->values[i * o->cells + c];
            sum += v;
            squares += v * v;
            count++;
        }
        mean[c] = sum / count;
        float variance = squares / count - mean[c] * mean[c];
        stdev[c] = variance > 0 ? sqrtf(variance) : 0;
    }
}

void guided_owners_fill(struct yo_guided *g, struct yo_search_result *result) {
    struct guided_owners *o = g->owners;
    if (!o || result->move_count == 0) return;
    const struct yo_guided_node *root = yo_guided_node(&g->search.tree, g->search.tree.root);
    double visits = yo_guided_visits(root);
    if (!o->at_visits || visits >= GROWTH * (double)o->at_visits) {
        o->at_visits = 0;
        draw_samples(g, result);
        if (evaluate(g)) return;
        average(o, NULL, 0);
        for (size_t i = 0; i < o->count; i++)
            average(o, o->samples[i].edge, 1 + i);
        o->at_visits = (uint64_t)visits;
    }
    result->ownership = o->mean;
    result->ownership_stdev = o->stdev;
    for (size_t m = 0; m < result->move_count; m++)
        for (size_t i = 0; i < o->count; i++)
            if (is_of(&o->samples[i], g->moves[m].move)) {
                g->moves[m].ownership = o->mean + (1 + i) * o->cells;
                g->moves[m].ownership_stdev = o->stdev + (1 + i) * o->cells;
            }
}
