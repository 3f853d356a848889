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
    tests/tano.cpp "$tmp/plain.o" -o "$tmp/tano"
"$tmp/tano"
