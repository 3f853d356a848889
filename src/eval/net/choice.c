#include "eval/net/choice.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "base/file.h"
#include "base/home.h"
#include "base/time.h"
#include "eval/playout/cuda/gpu.h"
#include "yomi/version.h"

/* A backend is preferred to an earlier one only if it is faster by this much. */
#define CLEARLY    1.1
#define MEASURE_NS 30000000
#define SIZE       9 /* boards, if the network takes any: backends compare alike on larger ones */
enum { GPU_BATCH = 256, CPU_BATCH = 4, LINES_MAX = 100 };

static const char heading[] = "# The fastest backend for each shape of network, measured by yomi "
                              "on this machine. May be deleted.\n";

/* ---- what is measured ---- */

struct candidates {
    const struct yo_net_backend *list[YO_NET_FAMILIES];
    int count;
};

/* The first available of each family. */
static void find_candidates(struct candidates *found) {
    int count;
    const struct yo_net_backend *const *all = yo_net_backends(&count);
    bool has[YO_NET_FAMILIES] = {[YO_NET_ON_REQUEST] = true};
    found->count = 0;
    for (int i = 0; i < count; i++)
        if (!has[all[i]->family] && all[i]->available()) {
            has[all[i]->family] = true;
            found->list[found->count++] = all[i];
        }
}

struct inputs {
    uint64_t *planes;
    float *globals, *out[YO_NET_ROLES];
};

static void free_inputs(struct inputs *in) {
    yo_free_aligned(in->planes);
    yo_free_aligned(in->globals);
    for (int role = 0; role < YO_NET_ROLES; role++)
        yo_free_aligned(in->out[role]);
}

/* Planes about as full as those of a game. */
static bool make_inputs(const struct yo_net_graph *graph, int size, int count, struct inputs *in) {
    size_t rows = (size_t)count;
    size_t words = rows * (size_t)graph->planes * (size_t)yo_net_plane_words(size);
    *in =
        (struct inputs){.planes = yo_alloc_aligned(words * sizeof *in->planes),
                        .globals = yo_alloc_aligned(rows * (size_t)graph->globals * sizeof(float))};
    bool made = in->planes && in->globals;
    for (int role = 0; role < YO_NET_ROLES && made; role++) {
        if (graph->outputs[role] == YO_NET_NONE) continue;
        size_t floats = yo_net_tensor_floats(graph, graph->outputs[role], size);
        in->out[role] = yo_alloc_aligned(rows * floats * sizeof(float));
        made = in->out[role];
    }
    uint64_t seed = 1;
    for (size_t i = 0; made && i < words; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        int points = size * size - (int)(i % (size_t)yo_net_plane_words(size)) * 64;
        in->planes[i] =
            seed & seed << 21 & (points < 64 ? (UINT64_C(1) << points) - 1 : ~UINT64_C(0));
    }
    if (made) memset(in->globals, 0, rows * (size_t)graph->globals * sizeof(float));
    if (!made) free_inputs(in);
    return made;
}

/* Positions a second of one worker, by its fastest batch; 0 if it fails. */
static double time_worker(const struct yo_net_backend *backend, void *worker,
                          const struct yo_net_batch *batch) {
    int64_t begun = yo_time_ns(), best = INT64_MAX;
    for (int i = 0; i < 2 || yo_time_ns() - begun < MEASURE_NS; i++) {
        int64_t at = yo_time_ns();
        if (backend->run(worker, batch, NULL)) return 0;
        int64_t took = yo_time_ns() - at;
        if (took < best) best = took;
    }
    return 1e9 * batch->count / (double)(best > 0 ? best : 1);
}

static double time_backend(const struct yo_net_backend *backend, const struct yo_net_graph *graph) {
    int size = graph->fixed_size ? graph->fixed_size : SIZE;
    bool gpu = backend->family == YO_NET_FAMILY_GPU || backend->family == YO_NET_FAMILY_CUDNN;
    int count = gpu ? GPU_BATCH : CPU_BATCH;
    struct inputs in;
    void *program, *worker;
    double rate = 0;
    if (!make_inputs(graph, size, count, &in)) return 0;
    if (!backend->compile(graph, &program, NULL)) {
        if (!backend->worker_new(program, size, count, &worker, NULL)) {
            struct yo_net_batch batch = {
                .count = count, .size = size, .planes = in.planes, .globals = in.globals};
            memcpy(batch.out, in.out, sizeof batch.out);
            rate = time_worker(backend, worker, &batch);
            backend->worker_delete(worker);
        }
        backend->program_delete(program);
    }
    free_inputs(&in);
    return gpu ? rate : rate * yo_cpu_count();
}

static void measure(const struct candidates *found, const struct yo_net_graph *graph,
                    struct yo_net_choice *choice) {
    *choice = (struct yo_net_choice){.backend = found->list[0]};
    for (int i = 0; i < found->count; i++) {
        double rate = time_backend(found->list[i], graph);
        if (i > 0 && rate < CLEARLY * choice->per_second) continue;
        choice->backend = found->list[i];
        choice->per_second = rate;
    }
}

/* ---- what is kept: lines of key, backend and speed, the newest first ---- */

static void add_bytes(uint64_t *key, const void *bytes, size_t len) {
    const uint8_t *b = bytes; /* FNV-1a */
    for (size_t i = 0; i < len; i++)
        *key = (*key ^ b[i]) * UINT64_C(0x100000001b3);
}

static void add_text(uint64_t *key, const char *text) { add_bytes(key, text, strlen(text) + 1); }

static void add_int(uint64_t *key, int number) { add_bytes(key, &number, sizeof number); }

static void add_machine(uint64_t *key, const struct candidates *found) {
    struct yo_cuda_gpu gpu;
    add_text(key, yo_version());
    add_text(key, yo_cpu_get()->model);
    add_int(key, yo_cpu_count());
    for (int i = 0; i < found->count; i++)
        add_text(key, found->list[i]->name);
    for (int i = 0; yo_cuda_gpu_describe(i, &gpu); i++)
        add_text(key, gpu.name);
}

static void add_graph(uint64_t *key, const struct yo_net_graph *graph) {
    add_int(key, graph->fixed_size);
    add_int(key, graph->planes);
    add_int(key, graph->globals);
    for (int i = 0; i < graph->op_count; i++) {
        const struct yo_net_op *op = &graph->ops[i];
        const int numbers[] = {(int)op->kind, op->in,       op->in_channels, op->out_channels,
                               op->kernel_y,  op->kernel_x, op->dilation_y,  op->dilation_x,
                               (int)op->pool, op->add,      op->add_vector,  (int)op->activation};
        add_bytes(key, numbers, sizeof numbers);
    }
}

static uint64_t make_key(const struct candidates *found, const struct yo_net_graph *graph) {
    uint64_t key = UINT64_C(0xcbf29ce484222325);
    add_machine(&key, found);
    add_graph(&key, graph);
    return key;
}

struct line {
    char text[160];
    uint64_t key;
    char backend[32];
    double per_second;
    int about; /* where the description of the network begins */
};

static bool read_line(const char *text, struct line *line) {
    size_t len = strcspn(text, "\n");
    if (len >= sizeof line->text) return false; /* none of ours */
    memcpy(line->text, text, len);
    line->text[len] = '\0';
    return sscanf(line->text, "%16" SCNx64 " %31s %lf %n", &line->key, line->backend,
                  &line->per_second, &line->about) == 3;
}

static const char *next_line(const char *line) {
    line += strcspn(line, "\n");
    return line + (*line == '\n');
}

static bool find_kept(const char *text, uint64_t key, const struct candidates *found,
                      struct yo_net_choice *choice) {
    struct line line;
    for (; *text; text = next_line(text)) {
        if (!read_line(text, &line) || line.key != key) continue;
        for (int i = 0; i < found->count; i++)
            if (strcmp(line.backend, found->list[i]->name) == 0) {
                *choice = (struct yo_net_choice){found->list[i], line.per_second, true};
                return true;
            }
    }
    return false;
}

/* A failure costs only another measurement, next time. */
static void keep(const char *path, const char *text, uint64_t key, const struct yo_net_graph *graph,
                 const struct yo_net_choice *choice) {
    struct yo_buf out = {0};
    struct line line;
    yo_buf_str(&out, heading);
    yo_buf_printf(&out, "%016" PRIx64 " %s %.0f %d planes, %d layers, %.2f million parameters\n",
                  key, choice->backend->name, choice->per_second, graph->planes, graph->op_count,
                  1e-6 * (double)yo_net_graph_parameters(graph));
    for (int lines = 1; *text && lines < LINES_MAX; text = next_line(text)) {
        if (!read_line(text, &line) || line.key == key) continue;
        yo_buf_printf(&out, "%s\n", line.text);
        lines++;
    }
    yo_file_make_folders(path);
    if (!yo_buf_status(&out)) yo_file_replace(path, yo_buf_text(&out), out.len, NULL);
    yo_buf_free(&out);
}

void yo_net_choices_describe(struct yo_buf *out) {
    struct yo_buf path = {0}, text = {0};
    struct line line;
    if (yo_net_choices_path(&path)) {
        if (yo_file_read_text(yo_buf_text(&path), &text, NULL)) yo_buf_clear(&text);
        for (const char *at = yo_buf_text(&text); *at; at = next_line(at)) {
            if (!read_line(at, &line)) continue;
            yo_buf_printf(out, "  %s, %.0f evaluations/s: %s\n", line.backend, line.per_second,
                          line.text + line.about);
        }
    }
    yo_buf_free(&path);
    yo_buf_free(&text);
}

/* ---- the choice ---- */

bool yo_net_choices_path(struct yo_buf *path) {
    if (!yo_home_cache(path)) return false;
    yo_buf_str(path, "net-backends");
    return !yo_buf_status(path);
}

static void choose(const struct yo_net_graph *graph, bool again, struct yo_net_choice *choice) {
    struct candidates found;
    struct yo_buf path = {0}, text = {0};
    find_candidates(&found);
    if (found.count > 1 && yo_net_choices_path(&path)) {
        uint64_t key = make_key(&found, graph);
        if (yo_file_read_text(yo_buf_text(&path), &text, NULL)) yo_buf_clear(&text);
        if (again || !find_kept(yo_buf_text(&text), key, &found, choice)) {
            measure(&found, graph, choice);
            keep(yo_buf_text(&path), yo_buf_text(&text), key, graph, choice);
        }
    } else {
        *choice = (struct yo_net_choice){.backend = yo_net_backend_find("auto", NULL)};
    }
    yo_buf_free(&path);
    yo_buf_free(&text);
}

void yo_net_choose(const struct yo_net_graph *graph, struct yo_net_choice *choice) {
    choose(graph, false, choice);
}

void yo_net_choose_again(const struct yo_net_graph *graph, struct yo_net_choice *choice) {
    choose(graph, true, choice);
}

const struct yo_net_backend *yo_net_choose_named(const struct yo_net_graph *graph, const char *name,
                                                 struct yo_diag *diag) {
    struct yo_net_choice choice;
    if (name && strcmp(name, "auto") != 0) return yo_net_backend_find(name, diag);
    yo_net_choose(graph, &choice);
    return choice.backend;
}
