#!/usr/bin/env bash
# Builds go_rows with a C compiler alone, for machines that have neither CMake nor the engine's
# libraries: train/go/build.sh OUT. Functions that nothing here calls are dropped, and with them
# what they would need.
set -euo pipefail
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../tools/setup.sh"
help_if_asked "$0" "$@"
[ $# -eq 1 ] || wrong_usage "$0" "one program is to be named"
cd "$(dirname "$0")/../.."
sources=(train/go_rows.c src/learn/go_record.c src/learn/go_rows.c src/eval/net/go_{area,features,ladders}.c
    src/base/{alloc,buf,diag,file,nearest}.c)
for file in src/game/go/*.c; do
    [ "$file" = src/game/go/rules_json.c ] || sources+=("$file") # which needs jansson
done
${CC:-cc} -std=gnu17 -O3 -march=native -ffunction-sections -fdata-sections -Wl,--gc-sections \
    -Isrc -Iinclude -o "$1" "${sources[@]}" -lm -lpthread
