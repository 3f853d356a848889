#include "engine/shogi_guided.h"

#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "engine/options.h"
#include "eval/net/choice.h"
#include "eval/net/evaluator.h"
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
    return yo_session_text(options, "net") ? "puct" : "alphabeta";
}

bool yo_shogi_search_has_net(const char *name) {
    return strcmp(name, "puct") == 0 || strcmp(name, "mcss") == 0;
}

static enum yo_err check_game(const char *path, struct yo_eval *net, struct yo_diag *diag) {
    struct yo_eval_about about;
    net->ops->describe(net->ctx, 0, &about);
    if (about.game == &yo_shogi_ops) return YO_OK;
    net->ops->destroy(net->ctx);
    *net = (struct yo_eval){0};
    return yo_diag_set(diag, YO_ERR_UNSUPPORTED, "%.200s is a network for %s, not for shogi", path,
                       about.game ? about.game->name : "another game");
}

const void *yo_shogi_net_builtin(size_t *len) {
    *len = yo_shogi_policy_bytes_len();
    return yo_shogi_policy_bytes;
}

static enum yo_err read_net(const char *path, struct yo_net **net, struct yo_diag *diag) {
    size_t len;
    const void *bytes = yo_shogi_net_builtin(&len);
    return strcmp(path, "builtin") == 0 ? yo_net_read(bytes, len, net, diag)
                                        : yo_net_open(path, net, diag);
}

enum yo_err yo_shogi_guide_open(const struct yo_options *options, int threads, struct yo_eval *net,
                                struct yo_diag *diag) {
    const char *path = yo_session_text(options, "net");
    const char *backend = yo_session_text(options, "net-backend");
    struct yo_net_eval_options wanted = {
        .threads = threads, .cache_bytes = (size_t)yo_options_int(options, "net-cache") << 20};
    if (!path) path = "builtin";
    struct yo_net *file;
    enum yo_err err = read_net(path, &file, diag);
    if (err) return err;
    wanted.backend = yo_net_choose_named(&file->graph, backend, diag);
    if (!wanted.backend) {
        yo_net_delete(file);
        return YO_ERR_ARGUMENT;
    }
    if (wanted.backend->batch == 0) wanted.batch = CPU_BATCH;
    err = yo_net_eval_new(file, &wanted, net, diag);
    return err ? err : check_game(path, net, diag);
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
    return yo_shogi_guided_new(setup->net, &options, search, diag);
}

enum yo_err yo_shogi_make_puct(const struct yo_search_setup *setup, struct yo_search *search,
                               struct yo_diag *diag) {
    return make(setup, YO_GUIDED_PUCT, search, diag);
}

enum yo_err yo_shogi_make_mcss(const struct yo_search_setup *setup, struct yo_search *search,
                               struct yo_diag *diag) {
    return make(setup, YO_GUIDED_MCSS, search, diag);
}
