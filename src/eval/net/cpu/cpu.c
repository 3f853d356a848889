#include "eval/net/cpu/cpu.h"

#include "eval/net/cpu/worker.h"

#define BACKEND(isa, number, integers, text)                                                       \
    static enum yo_err compile_##isa##_##number(const struct yo_net_graph *graph, void **program,  \
                                                struct yo_diag *diag) {                            \
        return yo_net_program_new(graph, &yo_net_kernels_##isa, integers,                          \
                                  (struct yo_net_program **)program, diag);                        \
    }                                                                                              \
    static bool available_##isa##_##number(void) { return yo_net_kernels_##isa.available(); }      \
    const struct yo_net_backend yo_net_##isa##_##number = {                                        \
        .name = #isa "-" #number,                                                                  \
        .summary = text,                                                                           \
        .available = available_##isa##_##number,                                                   \
        .compile = compile_##isa##_##number,                                                       \
        .program_delete = yo_net_program_delete,                                                   \
        .worker_new = yo_net_worker_new,                                                           \
        .worker_delete = yo_net_worker_delete,                                                     \
        .run = yo_net_worker_run,                                                                  \
    }

#if defined(YOMI_X86)
BACKEND(vnni, int16, true, "CPU with AVX-512 VNNI, convolutions in integers of 16 bits");
BACKEND(avx512, int16, true, "CPU with AVX-512, convolutions in integers of 16 bits");
BACKEND(avx512, float, false, "CPU with AVX-512, floats");
BACKEND(avx2, int16, true, "CPU with AVX2, convolutions in integers of 16 bits");
BACKEND(avx2, float, false, "CPU with AVX2, floats");
#endif
BACKEND(plain, int16, true, "any CPU, convolutions in integers of 16 bits");
BACKEND(plain, float, false, "any CPU, floats");
