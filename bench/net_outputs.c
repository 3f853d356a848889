/* The raw outputs of a shogi network for given input planes, for comparison with other programs
 * (bench/onnx_torch.py): net_outputs FILE BACKEND COUNT PLANES OUT. PLANES holds a byte for each
 * point, [count][planes][81]; OUT receives floats, all policies, then all values. */
#include <stdio.h>
#include <stdlib.h>

#include "eval/net/backend.h"
#include "eval/net/net.h"

enum { POINTS = 81, LABELS = 27 * POINTS };

static void fail(const char *what) {
    fprintf(stderr, "net_outputs: %s\n", what);
    exit(1);
}

static void *room(size_t count, size_t size) {
    void *memory = calloc(count, size);
    if (!memory) fail("not enough memory");
    return memory;
}

static uint64_t *read_planes(const char *path, size_t planes) {
    uint8_t *bytes = room(planes, POINTS);
    uint64_t *bits = room(planes * 2, sizeof *bits);
    FILE *file = fopen(path, "rb");
    if (!file || fread(bytes, POINTS, planes, file) != planes) fail("the planes cannot be read");
    fclose(file);
    for (size_t i = 0; i < planes * POINTS; i++)
        if (bytes[i]) bits[i / POINTS * 2 + i % POINTS / 64] |= UINT64_C(1) << (i % POINTS % 64);
    free(bytes);
    return bits;
}

int main(int argc, char **argv) {
    if (argc != 6) {
        fprintf(stderr, "usage: net_outputs FILE BACKEND COUNT PLANES OUT\n");
        return 2;
    }
    struct yo_net *net;
    struct yo_diag diag = {0};
    if (yo_net_open(argv[1], &net, &diag)) fail(diag.what);
    const struct yo_net_backend *backend = yo_net_backend_find(argv[2], &diag);
    int count = atoi(argv[3]);
    if (!backend || count < 1 || net->graph.fixed_size != 9) fail("no such backend or network");
    size_t positions = (size_t)count;
    uint64_t *planes = read_planes(argv[4], positions * (size_t)net->graph.planes);
    struct yo_net_batch batch = {.count = count, .size = 9, .planes = planes};
    float *policy = room(positions * LABELS, sizeof(float)),
          *value = room(positions, sizeof(float));
    batch.out[YO_NET_OUT_POLICY] = policy;
    batch.out[YO_NET_OUT_VALUE] = value;
    void *program = NULL, *worker = NULL;
    if (backend->compile(&net->graph, &program, &diag) ||
        backend->worker_new(program, 9, count, &worker, &diag) ||
        backend->run(worker, &batch, &diag))
        fail(diag.what);
    FILE *out = fopen(argv[5], "wb");
    if (!out || fwrite(policy, LABELS * sizeof(float), positions, out) != positions ||
        fwrite(value, sizeof(float), positions, out) != positions || fclose(out))
        fail("the outputs cannot be written");
    backend->worker_delete(worker);
    backend->program_delete(program);
    yo_net_delete(net);
    free(planes), free(policy), free(value);
    return 0;
}
