#!/usr/bin/env bash
# Builds shogi_rows with a C compiler alone, for machines that have neither CMake nor the engine's
# libraries: train/shogi/policy/build.sh OUT. Functions that nothing here calls are dropped.
set -euo pipefail
cd "$(dirname "$0")/../../.."
sources=(train/shogi_rows.c src/learn/shogi_rows.c src/eval/net/shogi_features.c src/base/{alloc,diag}.c
    src/game/shogi/{attacks,legal,movegen,packed,position,settle,sfen,usi_move}.c)
${CC:-cc} -std=gnu17 -O3 -march=native -ffunction-sections -fdata-sections -Wl,--gc-sections \
    -Isrc -Iinclude -o "$1" "${sources[@]}" -lm -lpthread
