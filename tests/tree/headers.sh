#!/usr/bin/env bash
# Every public header compiles alone, as C11 and as C++17, without a warning; internal ones as C17,
# but for those of the bit-slice and of the networks' kernels: they are bodies of code that each
# backend includes with its own width.
set -eu
warnings="-Wall -Wextra -Wpedantic -Werror"
failed=0
try() { # HEADER COMMAND...
    local header=$1
    shift
    # shellcheck disable=SC2086
    if ! printf '#include "%s"\n' "$header" | "$@" $warnings -fsyntax-only -; then
        echo "failed: $* for $header"
        failed=1
    fi
}
for header in include/yomi/*.h; do
    try "${header#include/}" "$CC" -std=c11 -x c -Iinclude
    try "${header#include/}" "${CXX:?no C++ compiler was found}" -std=c++17 -x c++ -Iinclude
done
while read -r header; do
    try "${header#src/}" "$CC" -std=gnu17 -x c -Iinclude -Isrc -D_GNU_SOURCE
done < <(find src -name '*.h' ! -path '*/slice/*' ! -path '*/cpu/body/*')
exit $failed
