/* Network files: any bytes give a network that can be run, or an error with a reason. */
#include <stdint.h>
#include <stdlib.h>

#include "eval/net/net.h"
#include "eval/net/reference.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Large ones would only take time. */
static void run_it(const struct yo_net_graph *graph) {
    int board = graph->fixed_size ? graph->fixed_size : 2;
    if (yo_net_graph_operations(graph, board) > 1000000) return;
    void *program, *worker;
    if (yo_net_reference.compile(graph, &program, NULL)) return;
    if (!yo_net_reference.worker_new(program, board, 1, &worker, NULL)) {
        uint64_t *planes = calloc((size_t)(graph->planes * yo_net_plane_words(board)), 8);
        float *globals = calloc((size_t)graph->globals + 1, sizeof(float));
        struct yo_net_batch batch = {
            .count = 1, .size = board, .planes = planes, .globals = globals};
        if (planes && globals && yo_net_reference.run(worker, &batch, NULL)) __builtin_trap();
        free(planes);
        free(globals);
        yo_net_reference.worker_delete(worker);
    }
    yo_net_reference.program_delete(program);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct yo_net *net = NULL;
    struct yo_diag diag = {0};
    enum yo_err err = yo_net_read(data, size, &net, &diag);
    if (err ? net || !diag.what[0] : !net) __builtin_trap();
    if (net) run_it(&net->graph);
    yo_net_delete(net);
    return 0;
}
