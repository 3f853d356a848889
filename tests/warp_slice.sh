#!/usr/bin/env bash
# The GPU kernel's source, compiled for the host and compared with the reference: no GPU needed.
set -eu
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
# shellcheck disable=SC2086
"${CXX:?no C++ compiler was found}" -std=c++17 -O1 -Wall -Wextra -Wno-unknown-pragmas \
    ${SANITIZE:+-fsanitize=$SANITIZE} -Iinclude -Isrc -Itests tests/warp_slice.cpp \
    "$BUILD/libtest_helpers.a" "$BUILD/libyomi.a" -lcmocka -lpthread -lm -ldl -o "$tmp/warp_slice"
"$tmp/warp_slice"
