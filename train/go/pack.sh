#!/usr/bin/env bash
# Packs what a machine needs that has a C compiler, nvcc and PyTorch, but not the engine's libraries:
#   train/go/pack.sh FOLDER [BUILD]
# FOLDER gets yomi and play_rows as objects with zlib and jansson linked in; train/go/loop there compiles the
# kernels for its GPU and links them. BUILD is a build folder of this tree (build/release).
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$1 build=${2:-build/release}
mkdir -p "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc=${CC:-cc}
static() { "$cc" -print-file-name="lib$1.a"; } # the file of a static library
# The driver of CUDA is only compiled in where the build has nvcc.
"$cc" -std=gnu17 -D_GNU_SOURCE -DYOMI_CUDA_VERSION=13000 -O2 -fPIC -Iinclude -Isrc \
    -c src/eval/playout/cuda/driver.c -o "$work/driver.o"
"$cc" -std=gnu17 -D_GNU_SOURCE -O2 -fPIC -Iinclude -Isrc -c train/play_rows.c -o "$work/play_rows.o"
program=()
while read -r object; do # less those of sources that are gone
    source=${object#"$build/CMakeFiles/yomi.dir/"}
    if [ -e "${source%.o}" ]; then program+=("$object"); fi
done < <(find "$build/CMakeFiles/yomi.dir/src" -name '*.o' | sort)
libraries=(--start-group "$build/libyomi.a" "$(static z)" "$(static jansson)" "$(static png)"
    --end-group)
ld -r -o "$folder/yomi.o" "$work/driver.o" "${program[@]}" "${libraries[@]}"
ld -r -o "$folder/play_rows.o" "$work/driver.o" "$work/play_rows.o" "${libraries[@]}"
du -sh "$folder"
