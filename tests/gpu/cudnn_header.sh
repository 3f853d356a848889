#!/usr/bin/env bash
# The numbers that Yomi calls cuDNN with are those of NVIDIA's header. Without it there is nothing to compare, which
# is said and counts as skipped.
set -eu
include=()
for folder in "${CUDA_HOME:-}/include" "${CUDA_PATH:-}/include" /usr/local/cuda/include; do
    if [ -e "$folder/cuda_runtime_api.h" ]; then include+=("-I$folder"); fi
done
if ! echo '#include <cudnn.h>' | "${CC:-cc}" "${include[@]}" -fsyntax-only -x c - 2>/dev/null; then
    echo "no cudnn.h: its numbers not compared" | tee "$BUILD/skipped_cudnn_header"
    exit 77
fi
"${CC:-cc}" -std=c17 "${include[@]}" -Iinclude -Isrc -fsyntax-only tests/gpu/cudnn_header.c
echo "the numbers are those of NVIDIA's header"
