#include "base/cpu.h"
#include "eval/playout/slice/slices.h"

#ifdef YOMI_X86

#ifndef SLICE_BITS
#define SLICE_BITS 512
#endif
#define SLICE_BACKEND     yo_playout_avx512
#define SLICE_NAME        "avx512"
#define SLICE_SUMMARY     "512 games in the bits of AVX-512 vectors"
#define SLICE_NEEDS       "AVX-512 (x86-64-v4)"
#define SLICE_AVAILABLE() (yo_cpu_get()->level >= 4)
#include "eval/playout/slice/backend.h"

#endif
