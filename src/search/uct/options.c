#include "search/uct/options.h"

#include "base/diag.h"

const char *const yo_uct_formulas[] = {[YO_UCT_UCB1] = "ucb1", [YO_UCT_TUNED] = "tuned", NULL};

#define WAITED_WEIGHT 2
#define BESIDE_WEIGHT 12

float yo_uct_leaf_weight(const struct yo_uct_options *options) {
    float weight = options->leaf_weight, playouts = (float)options->leaf_playouts;
    if (weight <= 0) weight = options->leaf_wait ? WAITED_WEIGHT : BESIDE_WEIGHT;
    return weight < playouts ? weight : playouts;
}

static const struct yo_option rows[] = {YO_UCT_OPTION_ROWS, YO_OPTIONS_END};

void yo_uct_options_read(const struct yo_options *from, struct yo_uct_options *options) {
    options->memory_mb = (size_t)yo_options_int(from, "memory");
    options->formula = (enum yo_uct_formula)yo_options_choice(from, "ucb");
    options->explore = (float)yo_options_real(from, "explore");
    options->fpu = (float)yo_options_real(from, "fpu");
    options->order = yo_options_bool(from, "order");
    options->expand = (unsigned)yo_options_int(from, "expand");
    options->rave = (float)yo_options_real(from, "rave");
    options->bias = (float)yo_options_real(from, "bias");
    options->widen = (float)yo_options_real(from, "widen");
    options->prior = (float)yo_options_real(from, "prior");
    options->virtual_loss = (float)yo_options_real(from, "virtual-loss");
    options->leaves = (unsigned)yo_options_int(from, "leaves");
    options->leaf_playouts = (unsigned)yo_options_int(from, "leaf-playouts");
    options->leaf_weight = (float)yo_options_real(from, "leaf-weight");
    options->leaf_wait = yo_options_bool(from, "leaf-wait");
    options->lcb = yo_options_bool(from, "lcb");
    options->solve = yo_options_bool(from, "solve");
    options->reuse = yo_options_bool(from, "reuse");
    options->early = yo_options_bool(from, "early");
}

/* The defaults are written once, in the rows. */
void yo_uct_options_default(struct yo_uct_options *options) {
    struct yo_options values;
    *options = (struct yo_uct_options){.seed = 1, .threads = 1};
    if (yo_options_init(&values, rows, NULL) != YO_OK) { /* no memory: the plainest UCT there is */
        options->memory_mb = options->expand = 1;
        options->virtual_loss = 1;
        options->leaves = options->leaf_playouts = 1;
        options->explore = options->fpu = 1;
        return;
    }
    yo_uct_options_read(&values, options);
    yo_options_free(&values);
}

/* Playouts in flight count as visits, whose counters have 32 bits; each thread has two batches. */
static bool is_too_much(const struct yo_uct_options *options) {
    double losses = options->virtual_loss > 1 ? (double)options->virtual_loss : 1;
    double each = (double)options->leaves * (double)options->leaf_playouts * losses;
    return 2 * each * (options->threads > 1 ? options->threads : 1) > 1 << 30;
}

enum yo_err yo_uct_options_check(const struct yo_uct_options *options, struct yo_diag *diag) {
    if (is_too_much(options))
        return yo_diag_set(diag, YO_ERR_ARGUMENT,
                           "--leaves %u with --leaf-playouts %u are too many at once",
                           options->leaves, options->leaf_playouts);
    return YO_OK;
}
