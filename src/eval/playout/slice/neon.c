#include "eval/playout/slice/slices.h"

#ifdef __aarch64__

#define SLICE_BITS        128
#define SLICE_BACKEND     yo_playout_neon
#define SLICE_NAME        "neon"
#define SLICE_SUMMARY     "128 games in the bits of NEON vectors"
#define SLICE_NEEDS       "an arm64 CPU"
#define SLICE_AVAILABLE() true
#include "eval/playout/slice/backend.h"

#endif
