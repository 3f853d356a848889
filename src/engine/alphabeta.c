#include "engine/alphabeta.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "engine/options.h"
#include "search/alphabeta/alphabeta.h"
#include "search/alphabeta/probability.h"

/* Searches report bounds and the current root move only after this time. */
enum { DETAILS_MS = 1000 };

/* The search, and the table of its depth rule. */
struct configured {
    struct yo_ab *ab;
    size_t table_mb; /* as requested */
    struct yo_probability_table probabilities;
    struct yo_ab_rule rule;
    char probability_path[512]; /* the file they were read from; "": none yet */
};

/* ---- As a search ---- */

static enum yo_err run(void *ctx, const void *game, const struct yo_search_limits *limits,
                       const atomic_bool *stop, yo_search_report_fn report, void *user,
                       struct yo_search_result *result, struct yo_diag *diag) {
    struct yo_search inner = yo_ab_as_search(((struct configured *)ctx)->ab);
    return inner.ops->run(inner.ctx, game, limits, stop, report, user, result, diag);
}

static void clear(void *ctx) { yo_ab_clear(((struct configured *)ctx)->ab); }

static uint64_t entry_kind(void *ctx) {
    struct yo_search inner = yo_ab_as_search(((struct configured *)ctx)->ab);
    return inner.ops->entry_kind(inner.ctx);
}

static size_t take_entries(void *ctx, struct yo_search_entry *entries, size_t most) {
    struct yo_search inner = yo_ab_as_search(((struct configured *)ctx)->ab);
    return inner.ops->take_entries(inner.ctx, entries, most);
}

static void give_entries(void *ctx, const struct yo_search_entry *entries, size_t count) {
    struct yo_search inner = yo_ab_as_search(((struct configured *)ctx)->ab);
    inner.ops->give_entries(inner.ctx, entries, count);
}

static void destroy(void *ctx) {
    struct configured *c = ctx;
    yo_ab_delete(c->ab);
    yo_free(c);
}

static const struct yo_search_ops ops = {.name = "alphabeta",
                                         .limits = YO_AB_LIMITS,
                                         .run = run,
                                         .clear = clear,
                                         .destroy = destroy,
                                         .entry_kind = entry_kind,
                                         .take_entries = take_entries,
                                         .give_entries = give_entries};

/* ---- Making ---- */

/* The chosen rule; if it fails, plain plies, and a notice gives the reason. */
static const struct yo_ab_rule *get_rule(struct configured *c,
                                         const struct yo_search_setup *setup) {
    static const struct yo_ab_rule *const rules[] = {&yo_ab_rule_plain, &yo_ab_rule_half};
    size_t choice = yo_options_choice(setup->options, "DepthRule");
    if (choice < 2) return rules[choice];
    const char *path = yo_session_text(setup->options, "ProbabilityFile");
    struct yo_diag diag = {0};
    if (!path) {
        yo_search_setup_tell(setup, "DepthRule realization wants a ProbabilityFile; plain is used");
        return &yo_ab_rule_plain;
    }
    if (strcmp(path, c->probability_path) != 0) {
        c->probability_path[0] = '\0';
        if (yo_probability_load(path, &c->probabilities, &diag)) {
            yo_search_setup_tell(setup, "ProbabilityFile: %s; DepthRule plain is used", diag.what);
            return &yo_ab_rule_plain;
        }
        c->rule = yo_probability_rule(&c->probabilities);
        if (strlen(path) < sizeof c->probability_path) strcpy(c->probability_path, path);
    }
    return &c->rule;
}

static struct yo_ab_margins read_margins(const struct yo_options *options) {
    return (struct yo_ab_margins){
#define X(name, initial, least, most, help) .name = (int)yo_options_int(options, #name),
        YO_AB_MARGIN_LIST(X)
#undef X
    };
}

/* As many threads as memory allows, at least one. */
static enum yo_err set_options(struct configured *c, const struct yo_search_setup *setup) {
    struct yo_ab_options options = yo_ab_options_default;
    options.threads = setup->threads < YO_AB_THREADS_MAX ? setup->threads : YO_AB_THREADS_MAX;
    options.rule = get_rule(c, setup);
    options.pruning = (enum yo_ab_pruning)yo_options_choice(setup->options, "Pruning");
    options.margins = read_margins(setup->options);
    options.eval = setup->eval;
    options.details_ms = DETAILS_MS;
    enum yo_err err = yo_ab_set_options(c->ab, &options);
    if (!err || options.threads == 1 || setup->strict) return err;
    yo_search_setup_tell(setup, "not enough memory for %d threads; one is used", options.threads);
    options.threads = 1;
    return yo_ab_set_options(c->ab, &options);
}

/* A table of the requested size, or as large as memory allows. */
static enum yo_err make_table(struct configured *c, const struct yo_search_setup *setup) {
    size_t mb = (size_t)yo_options_int(setup->options, "memory");
    if (c->ab && c->table_mb == mb) return YO_OK;
    yo_ab_delete(c->ab);
    c->ab = NULL;
    c->table_mb = mb;
    enum yo_err err = YO_ERR_NOMEM;
    for (size_t room = yo_search_setup_memory(setup); err && room > 0;
         room = setup->strict ? 0 : room / 2) {
        err = yo_ab_new(room, &c->ab);
        if (!err) yo_search_setup_tell_memory(setup, room);
    }
    return err;
}

enum yo_err yo_alphabeta_make(const struct yo_search_setup *setup, struct yo_search *search,
                              struct yo_diag *diag) {
    if (search->ops != &ops) yo_search_destroy(search);
    if (!search->ops) {
        struct configured *c = yo_alloc(1, sizeof *c);
        if (!c) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for the search");
        *search = (struct yo_search){&ops, c};
    }
    enum yo_err err = make_table(search->ctx, setup);
    if (!err) err = set_options(search->ctx, setup);
    if (!err) return YO_OK;
    yo_search_destroy(search);
    return yo_diag_set(diag, err, "no memory for the search");
}
