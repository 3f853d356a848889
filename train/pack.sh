#!/usr/bin/env bash
# Packs what a machine needs that has a C compiler, nvcc and PyTorch, but not the engine's libraries:
#   train/pack.sh FOLDER [--tests] [CMAKE OPTIONS]
# FOLDER gets yomi and the programs that make rows as objects with zlib and jansson linked in, and the sources of the
# GPU's kernels; train/loop there compiles these for its GPU, and links all with the networks of the tree there. The
# programs are built here in build/pack, without server and clusters. --tests: also net_conformance, which
# tests/gpu/net_packed.sh runs there.
set -euo pipefail
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../tools/setup.sh"
help_if_asked "$0" "$@"
case ${1:--} in -*) wrong_usage "$0" "no folder is named" ;; esac
folder=$(realpath -m -- "$1")
# It is emptied first.
[ ! -e "$folder" ] || [ -e "$folder/yomi.o" ] || [ -z "$(ls -A "$folder")" ] ||
    die "$folder is there and nothing that was packed; name another folder"
# shellcheck disable=SC2154 # setup.sh sets root
cd "$root"
build=build/pack programs=(yomi play_rows shogi_rows) tests=OFF
shift
if [ "${1:-}" = --tests ]; then
    tests=ON programs+=(net_conformance)
    shift
fi
configure() {
    cmake --preset release -B "$build" -DYOMI_CUDA=OFF -DYOMI_HW=OFF -DYOMI_NATS=OFF -DYOMI_EDIT=OFF -DYOMI_WEB=OFF -DYOMI_PAGE=OFF \
        -DYOMI_TESTS="$tests" "$@" > /dev/null
}
configure "$@"
configure "$@" # where the compiler is another than last time, CMake has forgotten all other options
ninja -C "$build" --quiet "${programs[@]}"
rm -rf "$folder"
mkdir -p "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc=${CC:-cc}
static() { "$cc" -print-file-name="lib$1.a"; } # the file of a static library
# The networks, half of the program, are in the tree there as well: only the lines that take them in are packed.
cp "$build/libyomi.a" "$work"
for source in "$build"/embedded/*.c; do
    grep -q incbin "$source" || continue
    ar d "$work/libyomi.a" "$(basename "$source").o"
    sed "s|$root/||" "$source" > "$folder/$(basename "$source")"
done
# The driver of CUDA is only compiled in where the build has nvcc.
"$cc" -std=gnu17 -D_GNU_SOURCE -DYOMI_CUDA_VERSION=13000 -O2 -fPIC -Iinclude -Isrc \
    -c src/eval/playout/cuda/driver.c -o "$work/driver.o"
libraries=(--start-group "$work/libyomi.a" "$(static z)" "$(static jansson)" "$(static png)" --end-group)
if [ $tests = ON ]; then libraries=("$build/libtest_helpers.a" "${libraries[@]}"); fi
for program in "${programs[@]}"; do
    mapfile -t objects < <(ninja -C "$build" -t query "$program" | sed -n 's|^ *\(CMakeFiles/.*\.o\)$|\1|p')
    ld -r -o "$folder/$program.o" "$work/driver.o" "${objects[@]/#/$build/}" "${libraries[@]}"
done
find include src/eval/net src/base \( -name '*.h' -o -name '*.cu' -o -name '*.cuh' \) -print0 |
    tar -czf "$folder/kernels.tar.gz" --null --files-from -
du -sh "$folder"
