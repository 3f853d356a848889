#include "eval/playout/slice/slices.h"

#define SLICE_BITS        64
#define SLICE_BACKEND     yo_playout_slice64
#define SLICE_NAME        "slice64"
#define SLICE_SUMMARY     "64 games in the bits of plain integers"
#define SLICE_NEEDS       "any CPU"
#define SLICE_AVAILABLE() true
#include "eval/playout/slice/backend.h"
