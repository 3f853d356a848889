#!/usr/bin/env bash
# Builds go_rows with a C compiler alone, for machines that have neither CMake nor the engine's
# libraries: train/go/build.sh OUT. Functions that nothing here calls are dropped, and with them
# what they would need.
set -euo pipefail
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../tools/setup.sh"
help_if_asked "$0" "$@"
[ $# -eq 1 ] || wrong_usage "$0" "one program is to be named"
cd "$(dirname "$0")/../.."
go=(board benson game_ops geometry ladder legal region rules score state text)
sources=(train/go_rows.c src/learn/go_record.c src/learn/go_rows.c src/eval/net/go_area.c
    src/eval/net/go_features.c src/base/{alloc,buf,diag,file,nearest}.c "${go[@]/#/src/game/go/}")
for i in "${!sources[@]}"; do sources[i]=${sources[i]%.c}.c; done
${CC:-cc} -std=gnu17 -O3 -march=native -ffunction-sections -fdata-sections -Wl,--gc-sections \
    -Isrc -Iinclude -o "$1" "${sources[@]}" -lm -lpthread
