#include "engine/go_net.h"

#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "engine/nets.h"
#include "engine/options.h"
#include "eval/combine/mix.h"
#include "game/go/game_ops.h"
#include "search/go/guided.h"
#include "search/go/thrift.h"

const char *const yo_go_net_symmetries[] = {"random", "all", "0", "1", "2", "3",
                                            "4",      "5",   "6", "7", NULL};

/* nets/go.bin.gz and nets/go9.bin.gz, by cmake/embed.cmake. The second has learned 9x9 alone. */
extern const unsigned char yo_go_net_bytes[], yo_go9_net_bytes[];
extern size_t yo_go_net_bytes_len(void), yo_go9_net_bytes_len(void);

static bool is_small(int size) { return size <= 9; }

const void *yo_go_net_builtin(int size, size_t *len) {
    *len = is_small(size) ? yo_go9_net_bytes_len() : yo_go_net_bytes_len();
    return is_small(size) ? yo_go9_net_bytes : yo_go_net_bytes;
}

static int symmetry_of(size_t choice) {
    return choice == 0   ? YO_NET_SYMMETRY_RANDOM
           : choice == 1 ? YO_NET_SYMMETRY_ALL
                         : (int)choice - 2;
}

bool yo_go_net_names_builtin(const char *name) { return strcmp(name, "builtin") == 0; }

enum yo_err yo_go_net_load(const char *path, int size, struct yo_net **net, struct yo_diag *diag) {
    size_t len;
    if (!yo_go_net_names_builtin(path)) return yo_net_open(path, net, diag);
    const void *bytes = yo_go_net_builtin(size, &len);
    return yo_net_read(bytes, len, net, diag);
}

static enum yo_err open_wish(struct yo_nets *nets, const char *path, int size, const char *backend,
                             const struct yo_net_eval_options *wanted, struct yo_eval *net,
                             struct yo_diag *diag) {
    struct yo_net_wish wish = {
        .game = &yo_go_ops, .path = path, .backend = backend, .options = *wanted};
    if (yo_go_net_names_builtin(path)) wish.builtin = yo_go_net_builtin(size, &wish.builtin_len);
    return yo_nets_open(nets, &wish, net, diag);
}

enum yo_err yo_go_net_open_named(const char *path, int size,
                                 const struct yo_net_eval_options *wanted, struct yo_eval *net,
                                 struct yo_diag *diag) {
    const char *backend = wanted->backend ? wanted->backend->name : NULL;
    return open_wish(NULL, path, size, backend, wanted, net, diag);
}

/* ---- with or without a network ---- */

static const struct yo_option net_rows[] = {YO_GO_NET_ROWS, YO_GUIDED_OPTION_ROWS, YO_OPTIONS_END};

/* Options that only playouts, or a search by playouts, have a use for. */
static const char *const playout_keys[] = {
    "backend", "playout-policy", "group",       "zone",      "zone-even", "ucb",   "explore",
    "fpu",     "order",          "expand",      "rave",      "bias",      "widen", "prior",
    "early",   "leaf-playouts",  "leaf-weight", "leaf-wait", NULL};

static bool asks_for_playouts(const struct yo_options *options) {
    if (yo_options_int(options, "playouts") > 0 && yo_options_given(options, "playouts"))
        return true;
    for (const char *const *key = playout_keys; *key; key++)
        if (yo_options_given(options, *key)) return true;
    return false;
}

static bool asks_for_a_network(const struct yo_options *options) {
    for (const struct yo_option *row = net_rows; row->key; row++) {
        bool neutral = strcmp(row->key, "net") == 0 || strcmp(row->key, "net-cache") == 0;
        if (!neutral && yo_options_given(options, row->key)) return true;
    }
    return false;
}

enum yo_err yo_go_net_refuse_unused(const struct yo_options *options,
                                    const struct yo_go_patterns *patterns, struct yo_diag *diag) {
    static const struct yo_option guided[] = {YO_GUIDED_OPTION_ROWS, YO_OPTIONS_END};
    static const char *const of_uct[] = {"group", "zone",  "zone-even", "ucb",  "explore",
                                         "fpu",   "order", "expand",    "rave", "bias",
                                         "widen", "prior", "early",     NULL};
    if (yo_go_net_is_wanted(options, patterns))
        return yo_options_refuse(options, of_uct, "a search on a network", diag);
    enum yo_err err = YO_OK;
    for (const struct yo_option *row = guided; !err && row->key; row++) {
        const char *const key[] = {row->key, NULL};
        err = yo_options_refuse(options, key, "a search by playouts", diag);
    }
    static const char *const mix[] = {"mix", NULL};
    return err ? err : yo_options_refuse(options, mix, "a search by playouts", diag);
}

bool yo_go_net_is_wanted(const struct yo_options *options, const struct yo_go_patterns *patterns) {
    const char *name = yo_session_text(options, "net");
    const char *search = yo_options_text(options, "search");
    if (!name || strcmp(name, "none") == 0) return false;
    if (strcmp(name, "auto") != 0) return true;
    if (strcmp(search, "auto") != 0)
        return strcmp(search, "puct") == 0 || strcmp(search, "mcss") == 0;
    if (asks_for_a_network(options)) return true;
    if (patterns || asks_for_playouts(options)) return false;
    return yo_net_has_fast_backend();
}

bool yo_go_net_is_builtin(const struct yo_options *options) {
    const char *path = yo_session_text(options, "net");
    return path && (strcmp(path, "auto") == 0 || strcmp(path, "builtin") == 0);
}

bool yo_go_net_differs(const struct yo_options *options, int size, int other) {
    return yo_go_net_is_builtin(options) && is_small(size) != is_small(other);
}

enum yo_err yo_go_net_open(const struct yo_options *options, const struct yo_go_net_setup *setup,
                           struct yo_eval *net, struct yo_diag *diag) {
    const char *path = yo_session_text(options, "net");
    const struct yo_net_eval_options wanted = {
        .threads = setup->threads,
        .symmetry = symmetry_of(yo_options_choice(options, "net-symmetry")),
        .cache_bytes = (size_t)yo_options_int(options, "net-cache") << 20,
        .notices = setup->notices};
    if (strcmp(path, "auto") == 0) path = "builtin";
    return open_wish(setup->nets, path, setup->size, yo_session_text(options, "net-backend"),
                     &wanted, net, diag);
}

enum yo_err yo_go_net_mix(const struct yo_options *options, uint64_t seed, struct yo_eval net,
                          struct yo_eval playouts, struct yo_eval *mix, struct yo_diag *diag) {
    struct yo_uct_go_options uct;
    struct yo_eval_about about;
    float lambda = (float)yo_options_real(options, "mix");
    if (lambda <= 0) return YO_OK;
    yo_uct_go_options_read(options, &uct);
    struct yo_eval_mix_options wanted = {.lambda = lambda,
                                         .playout_policy =
                                             (int)yo_uct_policy(&uct, YO_GO_SIZE_MAX, false),
                                         .playouts = uct.tree.leaf_playouts,
                                         .seed = seed};
    playouts.ops->describe(playouts.ctx, wanted.playout_policy, &about);
    if (wanted.playouts == 0) wanted.playouts = about.playouts;
    return yo_eval_mix_new(&yo_go_ops, net, playouts, &wanted, mix, diag);
}

/* ---- searches ---- */

static enum yo_err make(const struct yo_search_setup *setup, enum yo_guided_mode mode,
                        struct yo_search *search, struct yo_diag *diag) {
    bool reading = mode == YO_GUIDED_PUCT && yo_options_bool(setup->options, "reading");
    struct yo_guided_hooks hooks = yo_go_guided_hooks(setup->playouts, reading);
    struct yo_guided_options options;
    struct yo_eval_about about;
    yo_search_destroy(search);
    if (!setup->net.ops) {
        yo_diag_set(diag, YO_ERR_ARGUMENT, "this search needs a network");
        yo_diag_hint(diag, "give one with --net FILE, or --net builtin");
        return YO_ERR_ARGUMENT;
    }
    yo_guided_options_default(&options);
    yo_guided_options_read(setup->options, &options);
    options.mode = mode;
    options.seed = setup->seed;
    options.threads = setup->threads;
    setup->net.ops->describe(setup->net.ctx, 0, &about);
    snprintf(setup->plays, setup->plays_size, "network %s", about.name);
    struct yo_search guided;
    enum yo_err err = yo_guided_search_new(&yo_go_ops, setup->net, &hooks, &options, &guided, diag);
    return err ? err : yo_go_thrift_new(guided, setup->playouts, setup->seed, search, diag);
}

enum yo_err yo_go_make_puct(const struct yo_search_setup *setup, struct yo_search *search,
                            struct yo_diag *diag) {
    return make(setup, YO_GUIDED_PUCT, search, diag);
}

enum yo_err yo_go_make_mcss(const struct yo_search_setup *setup, struct yo_search *search,
                            struct yo_diag *diag) {
    return make(setup, YO_GUIDED_MCSS, search, diag);
}
