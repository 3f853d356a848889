#include "base/cpu.h"
#include "eval/playout/slice/slices.h"

#ifdef YOMI_X86

#define SLICE_BITS        256
#define SLICE_BACKEND     yo_playout_avx2
#define SLICE_NAME        "avx2"
#define SLICE_SUMMARY     "256 games in the bits of AVX2 vectors"
#define SLICE_NEEDS       "AVX2 (x86-64-v3)"
#define SLICE_AVAILABLE() (yo_cpu_get()->level >= 3)
#include "eval/playout/slice/backend.h"

#endif
