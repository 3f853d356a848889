#include "engine/nets.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "base/diag.h"
#include "eval/net/choice.h"

/* More are opened for their session alone. A client that goes from network to network keeps at most
 * so many in memory. */
enum { OPEN_MAX = 4, KEY_MAX = 4096 + 256 };

struct open_net {
    char *key;
    struct yo_eval eval; /* a share of it is ours */
};

struct yo_nets {
    int threads, sharers;
    struct yo_notices notices;
    pthread_mutex_t lock; /* protects `open` */
    struct open_net open[OPEN_MAX];
};

enum yo_err yo_nets_new(int threads, int sharers, struct yo_notices notices,
                        struct yo_nets **nets) {
    struct yo_nets *n = yo_alloc(1, sizeof *n);
    if (!n) return YO_ERR_NOMEM;
    n->threads = threads > 0 ? threads : yo_cpu_count();
    n->sharers = sharers;
    n->notices = notices;
    pthread_mutex_init(&n->lock, NULL);
    *nets = n;
    return YO_OK;
}

static void forget(struct open_net *open) {
    open->eval.ops->destroy(open->eval.ctx);
    yo_free(open->key);
    *open = (struct open_net){0};
}

void yo_nets_delete(struct yo_nets *nets) {
    if (!nets) return;
    for (int i = 0; i < OPEN_MAX; i++)
        if (nets->open[i].key) forget(&nets->open[i]);
    pthread_mutex_destroy(&nets->lock);
    yo_free(nets);
}

/* ---- one network ---- */

static bool is_builtin(const struct yo_net_wish *wish) {
    return strcmp(wish->path, "builtin") == 0;
}

static enum yo_err check_game(const struct yo_net_wish *wish, struct yo_eval *eval,
                              struct yo_diag *diag) {
    struct yo_eval_about about;
    eval->ops->describe(eval->ctx, 0, &about);
    if (about.game == wish->game) return YO_OK;
    eval->ops->destroy(eval->ctx);
    *eval = (struct yo_eval){0};
    return yo_diag_set(diag, YO_ERR_UNSUPPORTED, "%.200s is a network for %s, not for %s",
                       wish->path, about.game ? about.game->name : "another game",
                       wish->game->name);
}

static enum yo_err open_new(const struct yo_net_wish *wish, const struct yo_nets *nets,
                            struct yo_eval *eval, struct yo_diag *diag) {
    struct yo_net_eval_options options = wish->options;
    struct yo_net *net;
    enum yo_err err = is_builtin(wish) ? yo_net_read(wish->builtin, wish->builtin_len, &net, diag)
                                       : yo_net_open(wish->path, &net, diag);
    if (err) return err;
    options.backend = yo_net_choose_named(&net->graph, wish->backend, diag);
    if (!options.backend) {
        yo_net_delete(net);
        return YO_ERR_ARGUMENT;
    }
    if (options.backend->batch == 0 && wish->core_batch > 0) options.batch = wish->core_batch;
    if (nets) {
        options.threads = nets->threads;
        options.sharers = nets->sharers;
        options.notices = nets->notices;
    }
    err = yo_net_eval_new(net, &options, eval, diag);
    return err ? err : check_game(wish, eval, diag);
}

/* ---- sharing ---- */

/* Equal for wishes that one evaluator serves. A file that was replaced is another one. False if
 * there is no such file, or its name is too long. */
static bool make_key(const struct yo_net_wish *wish, char key[KEY_MAX]) {
    struct stat file = {0};
    if (!is_builtin(wish) && stat(wish->path, &file) != 0) return false;
    int len =
        snprintf(key, KEY_MAX, "%s %p %lld.%09lld %lld %s %d %d %zu %s", wish->game->name,
                 wish->builtin, (long long)file.st_mtim.tv_sec, (long long)file.st_mtim.tv_nsec,
                 (long long)file.st_size, wish->backend ? wish->backend : "auto", wish->core_batch,
                 wish->options.symmetry, wish->options.cache_bytes, wish->path);
    return len > 0 && len < KEY_MAX;
}

/* A place for one more: empty, or of one that nobody else uses; NULL if there is none. */
static struct open_net *find_place(struct yo_nets *nets) {
    for (int i = 0; i < OPEN_MAX; i++)
        if (!nets->open[i].key) return &nets->open[i];
    for (int i = 0; i < OPEN_MAX; i++)
        if (yo_net_eval_users(&nets->open[i].eval) == 1) {
            forget(&nets->open[i]);
            return &nets->open[i];
        }
    return NULL;
}

static void keep(struct yo_nets *nets, const char *key, const struct yo_eval *eval) {
    struct open_net *place = find_place(nets);
    char *copy = place ? yo_alloc(strlen(key) + 1, 1) : NULL;
    if (!copy) return; /* not shared then */
    memcpy(copy, key, strlen(key) + 1);
    yo_net_eval_share(eval);
    *place = (struct open_net){copy, *eval};
}

enum yo_err yo_nets_open(struct yo_nets *nets, const struct yo_net_wish *wish, struct yo_eval *eval,
                         struct yo_diag *diag) {
    char key[KEY_MAX];
    if (!nets || !make_key(wish, key)) return open_new(wish, nets, eval, diag);
    pthread_mutex_lock(&nets->lock);
    enum yo_err err = YO_OK;
    int i = 0;
    while (i < OPEN_MAX && !(nets->open[i].key && strcmp(nets->open[i].key, key) == 0))
        i++;
    if (i < OPEN_MAX) {
        *eval = nets->open[i].eval;
        yo_net_eval_share(eval);
    } else {
        err = open_new(wish, nets, eval, diag);
        if (!err) keep(nets, key, eval);
    }
    pthread_mutex_unlock(&nets->lock);
    return err;
}
