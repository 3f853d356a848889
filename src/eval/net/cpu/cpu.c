#include "eval/net/cpu/cpu.h"

#include "eval/net/cpu/worker.h"

#define BACKEND(isa, number, numbers, text)                                                        \
    static enum yo_err compile_##isa##_##number(const struct yo_net_graph *graph, void **program,  \
                                                struct yo_diag *diag) {                            \
        return yo_net_cpu_program_new(graph, &yo_net_kernels_##isa, numbers,                       \
                                      (struct yo_net_cpu_program **)program, diag);                \
    }                                                                                              \
    static bool available_##isa##_##number(void) { return yo_net_kernels_##isa.available(); }      \
    const struct yo_net_backend yo_net_##isa##_##number = {                                        \
        .name = #isa "-" #number,                                                                  \
        .summary = text,                                                                           \
        .family = numbers == YO_NET_INT16    ? YO_NET_FAMILY_INT16                                 \
                  : numbers == YO_NET_FLOATS ? YO_NET_FAMILY_FLOAT                                 \
                                             : YO_NET_ON_REQUEST,                                  \
        .available = available_##isa##_##number,                                                   \
        .compile = compile_##isa##_##number,                                                       \
        .program_delete = yo_net_cpu_program_delete,                                               \
        .worker_new = yo_net_cpu_worker_new,                                                       \
        .worker_delete = yo_net_cpu_worker_delete,                                                 \
        .run = yo_net_cpu_worker_run,                                                              \
        .set_times = yo_net_cpu_worker_set_times,                                                  \
    }

#if defined(YOMI_X86)
BACKEND(amx, int8, YO_NET_INT8, "CPU with AMX, 3x3 convolutions in bytes");
BACKEND(vnni, int16, YO_NET_INT16, "CPU with AVX-512 VNNI, convolutions in integers of 16 bits");
BACKEND(avx512, int16, YO_NET_INT16, "CPU with AVX-512, convolutions in integers of 16 bits");
BACKEND(avx512, float, YO_NET_FLOATS, "CPU with AVX-512, floats");
BACKEND(avx2, int16, YO_NET_INT16, "CPU with AVX2, convolutions in integers of 16 bits");
BACKEND(avx2, float, YO_NET_FLOATS, "CPU with AVX2, floats");
#endif
BACKEND(plain, int16, YO_NET_INT16, "any CPU, convolutions in integers of 16 bits");
BACKEND(plain, float, YO_NET_FLOATS, "any CPU, floats");
BACKEND(plain, int8, YO_NET_INT8, "any CPU, 3x3 convolutions in bytes");
