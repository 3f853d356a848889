#include "base/cpu.h"
#include "eval/playout/slices.h"

#ifdef YOMI_X86

#ifndef SLICE_BITS
#define SLICE_BITS 512
#endif
#define SLICE_BACKEND yo_playout_avx512
#define SLICE_NAME    "avx512"
#define SLICE_SUMMARY "512 games in the bits of AVX-512 vectors"
#define SLICE_NEEDS   "AVX-512 F, BW, DQ and VL"
#define SLICE_AVAILABLE()                                                                          \
    (yo_cpu_get()->avx512f && yo_cpu_get()->avx512bw && yo_cpu_get()->avx512dq &&                  \
     yo_cpu_get()->avx512vl && yo_cpu_get()->bmi2)
#include "eval/playout/slice_backend.h"

#endif
