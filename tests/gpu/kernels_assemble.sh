#!/usr/bin/env bash
# The kernels that every GPU from compute capability 7.5 on runs can be assembled for the oldest of them: what only
# newer ones know would else be found by the driver of somebody's machine. Without nvcc that is said and counts as skipped.
set -eu
nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null || true)
if [ -z "$nvcc" ] || ! "$nvcc" --list-gpu-code 2>/dev/null | grep -q '^sm_75$'; then
    echo "no nvcc that knows sm_75: kernels not assembled" | tee "$BUILD/skipped_kernels_assemble"
    exit 77
fi
out=$(mktemp)
trap 'rm -f "$out"' EXIT
"$nvcc" -std=c++17 -O3 -cubin -gencode arch=compute_75,code=sm_75 -Iinclude -Isrc src/eval/net/cuda/layers.cu -o "$out"
[ -s "$out" ]
