/* yomi net info: describes a network file. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "base/json.h"
#include "cmd/net/net.h"
#include "cmd/net/rate.h"
#include "cmd/text.h"
#include "engine/go_net.h"
#include "eval/net/choice.h"

static const int sizes[] = {9, 19};
enum { SIZES = 2, SPEEDS_MAX = 32 };
static const double SECONDS = 0.3;

struct speed {
    const char *backend;
    int size;
    double per_second;
    char why[128]; /* why the backend cannot run this network; "" if it can */
    char how[160]; /* which of its ways the backend takes; "" if it has one */
};

struct info {
    const struct yo_net *net;
    int only_size; /* of boards that it is for, 0 for all */
    uint64_t used[YO_NET_MAX_PLANES / 64];
    int used_count;
    int convolutions;
    struct speed speeds[SPEEDS_MAX];
    int speed_count;
    struct yo_net_choice choice; /* no backend: not measured */
};

static const char *const role_names[YO_NET_ROLES] = {"policy", "pass", "value", "score",
                                                     "ownership"};

/* Bytes of all tensors for one position. */
static uint64_t memory_of(const struct yo_net_graph *graph, int size) {
    uint64_t floats = 0;
    for (int t = 0; t < graph->tensor_count; t++)
        floats += yo_net_tensor_floats(graph, t, size);
    return floats * sizeof(float);
}

static void look(struct info *info) {
    const struct yo_net_graph *graph = &info->net->graph;
    yo_net_graph_planes_used(graph, info->used);
    for (int p = 0; p < graph->planes; p++)
        info->used_count += (int)(info->used[p / 64] >> (p % 64) & 1);
    for (int i = 0; i < graph->op_count; i++)
        info->convolutions += graph->ops[i].kind == YO_NET_CONV;
}

static void ask_how(struct speed *speed, const struct yo_net_backend *backend,
                    const struct yo_net_graph *graph) {
    void *program, *worker;
    struct yo_buf text = {0};
    if (!backend->describe || backend->compile(graph, &program, NULL)) return;
    if (!backend->worker_new(program, speed->size, yo_net_rate_batch(backend), &worker, NULL)) {
        backend->describe(worker, &text);
        snprintf(speed->how, sizeof speed->how, "%s", yo_buf_text(&text));
        backend->worker_delete(worker);
    }
    backend->program_delete(program);
    yo_buf_free(&text);
}

static void measure(struct info *info, const char *path, const struct yo_net_backend *backend,
                    int size) {
    if (info->speed_count == SPEEDS_MAX) return;
    struct speed *speed = &info->speeds[info->speed_count++];
    *speed = (struct speed){.backend = backend->name, .size = size};
    struct yo_net_rate_setup setup = {.path = path,
                                      .backend = backend,
                                      .size = size,
                                      .batch = yo_net_rate_batch(backend),
                                      .threads = 1};
    struct yo_net_rate *rate = NULL;
    struct yo_diag diag = {0};
    enum yo_err err = yo_net_rate_new(&setup, &rate, &diag);
    if (!err) err = yo_net_rate_measure(rate, SECONDS, &speed->per_second, &diag);
    if (err) snprintf(speed->why, sizeof speed->why, "%.*s", (int)sizeof speed->why - 1, diag.what);
    yo_net_rate_delete(rate);
    if (!err) ask_how(speed, backend, &info->net->graph);
}

static enum yo_err measure_all(struct info *info, const struct yo_options *options,
                               const char *path, struct yo_diag *diag) {
    const char *name = yo_options_text(options, "backend");
    int count, fixed = info->only_size;
    const struct yo_net_backend *const *all = yo_net_backends(&count);
    const struct yo_net_backend *one =
        strcmp(name, "auto") ? yo_net_backend_find(name, diag) : NULL;
    if (!one && strcmp(name, "auto") != 0) return YO_ERR_ARGUMENT;
    for (int i = 0; i < count; i++) {
        if (!all[i]->available() || (one && one != all[i])) continue;
        for (int s = 0; s < (fixed ? 1 : SIZES); s++)
            measure(info, path, all[i], fixed ? fixed : sizes[s]);
    }
    if (!one) yo_net_choose_again(&info->net->graph, &info->choice);
    return YO_OK;
}

/* ---- text ---- */

static void add_outputs(struct yo_buf *out, const struct yo_net_graph *graph) {
    const char *comma = "";
    for (int role = 0; role < YO_NET_ROLES; role++) {
        if (graph->outputs[role] == YO_NET_NONE) continue;
        const struct yo_net_tensor *t = &graph->tensors[graph->outputs[role]];
        yo_buf_printf(out, "%s%s", comma, role_names[role]);
        if (t->channels > 1) yo_buf_printf(out, " (%d)", t->channels);
        comma = ", ";
    }
}

static void add_text(struct yo_buf *out, const struct info *info) {
    const struct yo_net *net = info->net;
    const struct yo_net_graph *graph = &net->graph;
    int fixed = info->only_size;
    yo_buf_printf(out, "name        %s\n", net->name);
    if (net->format == YO_NET_KATAGO) {
        yo_buf_printf(out, "format      KataGo's model file, version %d\n", net->version);
        yo_buf_printf(out, "game        Go, boards from %dx%d to %dx%d\n", YO_NET_MIN_SIZE,
                      YO_NET_MIN_SIZE, YO_NET_MAX_SIZE, YO_NET_MAX_SIZE);
    } else {
        yo_buf_printf(out, "format      ONNX, %s\ngame        shogi\n",
                      net->format == YO_NET_DLSHOGI ? "with dlshogi's inputs"
                                                    : "with a plane for each piece");
    }
    yo_buf_printf(out, "inputs      %d planes, %d of them used, and %d numbers\n", graph->planes,
                  info->used_count, graph->globals);
    yo_buf_str(out, "outputs     ");
    add_outputs(out, graph);
    yo_buf_printf(out, "\nlayers      %d, %d of them convolutions\n", graph->op_count,
                  info->convolutions);
    yo_buf_printf(out, "parameters  %.2f million\n", 1e-6 * (double)yo_net_graph_parameters(graph));
    for (int s = 0; s < (fixed ? 1 : SIZES); s++) {
        int size = fixed ? fixed : sizes[s];
        char board[16];
        snprintf(board, sizeof board, "%dx%d", size, size);
        yo_buf_printf(out,
                      "%-11s %.1f million multiply-adds and %.1f MB of memory for one position\n",
                      board, 1e-6 * (double)yo_net_graph_operations(graph, size),
                      1e-6 * (double)memory_of(graph, size));
    }
    for (int i = 0; i < info->speed_count; i++) {
        const struct speed *s = &info->speeds[i];
        if (s->why[0])
            yo_buf_printf(out, "speed here  %s, %dx%d: %s\n", s->backend, s->size, s->size, s->why);
        else
            yo_buf_printf(out, "speed here  %s, %dx%d: %.0f evaluations/s on one thread%s%s%s\n",
                          s->backend, s->size, s->size, s->per_second, s->how[0] ? " (" : "",
                          s->how, s->how[0] ? ")" : "");
    }
    if (info->choice.backend) yo_buf_printf(out, "auto here   %s\n", info->choice.backend->name);
}

/* ---- JSON ---- */

static json_t *make_json(const struct info *info) {
    bool failed = false;
    const struct yo_net *net = info->net;
    const struct yo_net_graph *graph = &net->graph;
    json_t *object = yo_json_object(), *speeds = yo_json_array(), *outputs = yo_json_object();
    yo_json_set(object, "name", yo_json_text(net->name, strlen(net->name)), &failed);
    bool go = net->format == YO_NET_KATAGO;
    yo_json_set(object, "format", yo_json_text(go ? "katago" : "onnx", go ? 6 : 4), &failed);
    yo_json_set(object, "game", yo_json_text(go ? "go" : "shogi", go ? 2 : 5), &failed);
    yo_json_set(object, "version", json_integer(net->version), &failed);
    yo_json_set(object, "planes", json_integer(graph->planes), &failed);
    yo_json_set(object, "planes_used", json_integer(info->used_count), &failed);
    yo_json_set(object, "globals", json_integer(graph->globals), &failed);
    yo_json_set(object, "layers", json_integer(graph->op_count), &failed);
    yo_json_set(object, "convolutions", json_integer(info->convolutions), &failed);
    yo_json_set(object, "parameters", json_integer((json_int_t)yo_net_graph_parameters(graph)),
                &failed);
    yo_json_set(object, "operations_9x9",
                json_integer((json_int_t)yo_net_graph_operations(graph, 9)), &failed);
    if (!graph->fixed_size)
        yo_json_set(object, "operations_19x19",
                    json_integer((json_int_t)yo_net_graph_operations(graph, 19)), &failed);
    for (int role = 0; role < YO_NET_ROLES; role++)
        if (graph->outputs[role] != YO_NET_NONE)
            yo_json_set(outputs, role_names[role],
                        json_integer(graph->tensors[graph->outputs[role]].channels), &failed);
    yo_json_set(object, "outputs", outputs, &failed);
    for (int i = 0; i < info->speed_count; i++) {
        const struct speed *s = &info->speeds[i];
        if (s->why[0]) continue;
        json_t *speed = yo_json_object();
        yo_json_set(speed, "backend", yo_json_text(s->backend, strlen(s->backend)), &failed);
        yo_json_set(speed, "size", json_integer(s->size), &failed);
        yo_json_set(speed, "evaluations_per_s", yo_json_real(s->per_second), &failed);
        if (s->how[0]) yo_json_set(speed, "how", yo_json_text(s->how, strlen(s->how)), &failed);
        yo_json_append(speeds, speed, &failed);
    }
    yo_json_set(object, "speed", speeds, &failed);
    const struct yo_net_backend *chosen = info->choice.backend;
    if (chosen)
        yo_json_set(object, "auto", yo_json_text(chosen->name, strlen(chosen->name)), &failed);
    if (!failed) return object;
    json_decref(object);
    return NULL;
}

enum yo_err yo_net_info(const struct yo_options *options, struct yo_diag *diag) {
    const char *path = yo_options_argument(options, 1);
    struct yo_net *net;
    struct yo_buf out = {0};
    if (yo_options_argument(options, 2))
        return yo_diag_set(diag, YO_ERR_ARGUMENT, "net info takes a network and nothing more");
    int size = (int)yo_options_int(options, "size");
    enum yo_err err = yo_go_net_load(path, size, &net, diag);
    if (err) return err;
    struct info info = {.net = net,
                        .only_size = yo_go_net_names_builtin(path) ? size : net->graph.fixed_size};
    look(&info);
    if (yo_options_bool(options, "speed")) err = measure_all(&info, options, path, diag);
    if (!err && yo_options_bool(options, "json")) {
        json_t *object = make_json(&info);
        if (object)
            yo_json_write(&out, object);
        else
            err = yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory");
        json_decref(object);
        yo_buf_char(&out, '\n');
    } else if (!err) {
        add_text(&out, &info);
    }
    if (!err) err = yo_text_print(&out, diag);
    yo_buf_free(&out);
    yo_net_delete(net);
    return err;
}
