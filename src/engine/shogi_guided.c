#include "engine/shogi_guided.h"

#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "engine/nets.h"
#include "engine/options.h"
#include "game/shogi/game_ops.h"

/* nets/shogi.onnx, by cmake/embed.cmake. */
extern const unsigned char yo_shogi_policy_bytes[];
extern size_t yo_shogi_policy_bytes_len(void);

/* Positions that a core evaluates before it looks whether the search was stopped: a leaf of MC
 * softmax search has as many as a position has moves. More are hardly faster, and fewer are slower.
 */
enum { CPU_BATCH = 8 };

const char *yo_shogi_search_name(const struct yo_options *options) {
    const char *name = yo_options_text(options, "search");
    if (strcmp(name, "auto") != 0) return name;
    return yo_shogi_guide_name(options) ? "puct" : "alphabeta";
}

bool yo_shogi_search_has_net(const char *name) {
    return strcmp(name, "puct") == 0 || strcmp(name, "mcss") == 0;
}

enum yo_err yo_shogi_check_eval(const struct yo_options *options, struct yo_diag *diag) {
    const char *search = yo_shogi_search_name(options);
    if (!yo_options_typed(options, "eval") || !yo_shogi_search_has_net(search)) return YO_OK;
    yo_diag_set(diag, YO_ERR_ARGUMENT, "--search %s does not use --eval", search);
    yo_diag_hint(diag, "leave one of them out, or give the network with --net");
    return YO_ERR_ARGUMENT;
}

const void *yo_shogi_net_builtin(size_t *len) {
    *len = yo_shogi_policy_bytes_len();
    return yo_shogi_policy_bytes;
}

enum yo_err yo_shogi_guide_load(const char *path, struct yo_net **net, struct yo_diag *diag) {
    size_t len;
    if (strcmp(path, "builtin") != 0) return yo_net_open(path, net, diag);
    const void *bytes = yo_shogi_net_builtin(&len);
    return yo_net_read(bytes, len, net, diag);
}

/* core_batch as in struct yo_net_wish. */
static enum yo_err open_wish(struct yo_nets *nets, const char *path, const char *backend,
                             int core_batch, const struct yo_net_eval_options *wanted,
                             struct yo_eval *net, struct yo_diag *diag) {
    struct yo_net_wish wish = {.game = &yo_shogi_ops,
                               .path = path,
                               .backend = backend,
                               .core_batch = core_batch,
                               .options = *wanted};
    wish.builtin = yo_shogi_net_builtin(&wish.builtin_len);
    return yo_nets_open(nets, &wish, net, diag);
}

enum yo_err yo_shogi_guide_open_named(const char *path, const char *backend,
                                      const struct yo_net_eval_options *wanted, struct yo_eval *net,
                                      struct yo_diag *diag) {
    return open_wish(NULL, path, backend, 0, wanted, net, diag);
}

const char *yo_shogi_guide_name(const struct yo_options *options) {
    const char *name = yo_session_text(options, "net");
    return name && strcmp(name, "none") != 0 && strcmp(name, "auto") != 0 ? name : NULL;
}

enum yo_err yo_shogi_guide_open(const struct yo_options *options, int threads,
                                struct yo_notices notices, struct yo_nets *nets,
                                struct yo_eval *net, struct yo_diag *diag) {
    const char *path = yo_shogi_guide_name(options), *said = yo_session_text(options, "net");
    if (said && strcmp(said, "none") == 0) {
        yo_diag_set(diag, YO_ERR_ARGUMENT, "this search needs a network");
        yo_diag_hint(diag, "name a file, or builtin");
        return YO_ERR_ARGUMENT;
    }
    const struct yo_net_eval_options wanted = {
        .threads = threads,
        .cache_bytes = (size_t)yo_options_int(options, "net-cache") << 20,
        .notices = notices};
    return open_wish(nets, path ? path : "builtin", yo_session_text(options, "net-backend"),
                     CPU_BATCH, &wanted, net, diag);
}

static enum yo_err make(const struct yo_search_setup *setup, enum yo_guided_mode mode,
                        struct yo_search *search, struct yo_diag *diag) {
    struct yo_shogi_guided_options options;
    struct yo_eval_about about;
    yo_search_destroy(search);
    yo_shogi_guided_options_default(&options);
    yo_shogi_guided_options_read(setup->options, &options);
    options.tree.mode = mode;
    options.tree.seed = setup->seed;
    options.tree.threads = setup->threads;
    setup->net.ops->describe(setup->net.ctx, 0, &about);
    snprintf(setup->plays, setup->plays_size, "%s", about.name);
    enum yo_err err = YO_ERR_NOMEM;
    for (size_t room = yo_search_setup_memory(setup); err == YO_ERR_NOMEM && room > 0;
         room = setup->strict ? 0 : room / 2) {
        options.tree.memory_mb = room;
        err = yo_shogi_guided_new(setup->net, &options, search, diag);
        if (!err) yo_search_setup_tell_memory(setup, room);
    }
    return err;
}

enum yo_err yo_shogi_make_puct(const struct yo_search_setup *setup, struct yo_search *search,
                               struct yo_diag *diag) {
    return make(setup, YO_GUIDED_PUCT, search, diag);
}

enum yo_err yo_shogi_make_mcss(const struct yo_search_setup *setup, struct yo_search *search,
                               struct yo_diag *diag) {
    return make(setup, YO_GUIDED_MCSS, search, diag);
}
