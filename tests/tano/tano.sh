#!/usr/bin/env bash
# The thesis' kernels compiled for the host and compared with the plain version; what the driver says
# without a GPU; the tables and plots in the tree are those that its figures give.
set -eu
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
here=experiments/tano
sanitize=${SANITIZE:+-fsanitize=$SANITIZE}
# shellcheck disable=SC2086
"$CC" -std=c17 -O2 -Wall -Wextra -Werror -Wconversion $sanitize -c $here/plain.c -o "$tmp/plain.o"
# shellcheck disable=SC2086
"${CXX:?no C++ compiler was found}" -std=c++17 -O2 -Wall -Wextra -Werror $sanitize -I. \
    tests/tano/tano.cpp "$tmp/plain.o" -o "$tmp/tano"
"$tmp/tano"

# On the GPU's side it must at least compile, where that can be tried.
nvcc=$(PATH=$PATH:/usr/local/cuda/bin command -v nvcc || true)
if [ -n "$nvcc" ]; then
    "$nvcc" -std=c++17 -Werror all-warnings -arch sm_75 -c $here/tano.cu -o "$tmp/tano.o"
else
    echo "note: there is no nvcc, so the kernels were compiled for the host only"
fi

# The tables and plots in the tree come from the figures in the tree.
mkdir "$tmp/results"
cp $here/results/*.csv "$tmp/results"
$here/run report "$tmp/results"
for file in results.md fig51.svg fig52.svg fig53.svg fig54.svg fig55.svg fig56.svg; do
    cmp "$tmp/results/$file" $here/results/$file
done

# What is missing is said: first a GPU, then a compiler. In a copy, where nothing is built yet.
mkdir -p "$tmp/tree/experiments" "$tmp/bin"
cp -r tools "$tmp/tree"
cp -r $here "$tmp/tree/experiments"
expect() { # WHAT NVIDIA-SMI
    printf '#!/bin/sh\n%s\n' "$2" >"$tmp/bin/nvidia-smi"
    chmod +x "$tmp/bin/nvidia-smi"
    if PATH=$tmp/bin:/usr/bin:/bin CUDA_HOME=/nowhere "$tmp/tree/$here/run" check 2>"$tmp/err"; then
        echo "FAILED: the driver went on without $1"
        exit 1
    fi
    grep -q "^error: this needs $1" "$tmp/err" || {
        echo "FAILED: without $1 it says: $(cat "$tmp/err")"
        exit 1
    }
}
expect "an NVIDIA GPU" "exit 9"
[ -x /usr/bin/nvcc ] || expect nvcc "echo 9.0"
