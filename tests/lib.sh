# What the scripts share; they include it first.
# shellcheck shell=bash
set -u
failed=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

fail() { # WHAT...
    echo "FAILED: $*"
    # shellcheck disable=SC2034 # the scripts exit with it
    failed=1
}
has() { # FILE PATTERN
    grep -q -- "$2" "$1" || fail "no '$2' in $(basename "$1"): $(head -c 300 "$1")"
}
# What the program said last is in $tmp/out; where its lines are broken does not matter.
says() { # TEXT...: each of these
    local text
    for text; do
        tr -s ' \n' ' ' <"$tmp/out" | grep -qF -e "$text" || fail "does not say: $text"
    done
}
says_not() { # TEXT...: none of these
    local text
    for text; do
        tr -s ' \n' ' ' <"$tmp/out" | grep -qF -e "$text" && fail "says: $text"
    done
}
# GPU kernels compiled for the host and run: tests/NAME.cpp.
lane_by_lane() { # NAME
    # shellcheck disable=SC2086
    "${CXX:?no C++ compiler was found}" -std=c++17 -O1 -Wall -Wextra -Wno-unknown-pragmas \
        ${SANITIZE:+-fsanitize=$SANITIZE} -Iinclude -Isrc -Itests "tests/$1.cpp" \
        "$BUILD/libtest_helpers.a" "$BUILD/libyomi.a" -lcmocka -lpthread -lm -ldl -o "$tmp/$1" &&
        "$tmp/$1"
}
