#!/usr/bin/env bash
# Builds shogi_rows with a C compiler alone, for machines that have neither CMake nor the engine's
# libraries: train/shogi/policy/build.sh OUT. Functions that nothing here calls are dropped.
set -euo pipefail
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../../tools/setup.sh"
help_if_asked "$0" "$@"
[ $# -eq 1 ] || wrong_usage "$0" "one program is to be named"
cd "$(dirname "$0")/../../.."
sources=(train/shogi_rows.c src/learn/shogi_rows.c src/eval/net/shogi_features.c src/base/{alloc,diag}.c
    src/game/shogi/{attacks,legal,movegen,packed,position,settle,sfen,usi_move}.c)
${CC:-cc} -std=gnu17 -O3 -march=native -ffunction-sections -fdata-sections -Wl,--gc-sections \
    -Isrc -Iinclude -o "$1" "${sources[@]}" -lm -lpthread
