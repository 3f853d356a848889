#!/usr/bin/env bash
# ./run and CMake where people put them: in a folder whose name means something in a pattern, called
# through a symbolic link, with CC, with nvcc but no GPU. Configures only; nothing is built.
. tests/lib.sh
# shellcheck disable=SC2016 # $HOME is part of the folder's name
copy=$tmp/'a [x] $HOME b'
mkdir "$copy"
cp -r CMakeLists.txt CMakePresets.json cmake include run src tests tools nets books bench train fuzz hw "$copy"
printf '#!/bin/sh\nexit 1\n' >"$tmp/nvcc"
chmod +x "$tmp/nvcc"

# A pattern that is not escaped finds nothing there.
grep -n 'file(GLOB[_ ]' CMakeLists.txt cmake/*.cmake && fail "file(GLOB: use yomi_glob (cmake/glob.cmake)"
# Every source that is found here is found there.
"$CMAKE" -G Ninja -S "$copy" -B "$tmp/build" -DCMAKE_C_COMPILER="$CC" -DYOMI_HW=OFF -DYOMI_NVCC="$tmp/nvcc" \
    >"$tmp/out" 2>&1 || fail "does not configure in '$copy': $(tail -5 "$tmp/out")"
here=$(find src -name '*.c' | wc -l)
# shellcheck disable=SC2016
there=$(grep -c '"file": ".*/a \[x\] \$HOME b/src/.*\.c"' "$tmp/build/compile_commands.json")
((there >= here)) || fail "$there of $here files are compiled in '$copy'"
if [ ! -e /dev/nvidiactl ] && [ ! -e /dev/nvidia0 ] && [ ! -e /dev/dxg ]; then
    has "$tmp/out" 'CUDA: off (no NVIDIA GPU here'
    "$CMAKE" -S "$copy" -B "$tmp/build" -DYOMI_CUDA=ON >"$tmp/out" 2>&1 && fail "YOMI_CUDA=ON with a broken nvcc"
    has "$tmp/out" 'YOMI_CUDA is ON, but CUDA'
else
    echo "not checked: nvcc without a GPU (there is one)"
fi

# ---- the C++ compiler that belongs to a C compiler: never that compiler itself, which cannot link C++ ----
mkdir "$tmp/compilers"
for name in cc c++ gcc-99 g++-99 clang-99 clang++-99 arm-cc-9 arm-c++-9 tcc g++; do
    printf '#!/bin/sh\n' >"$tmp/compilers/$name"
done
chmod +x "$tmp/compilers"/*
# shellcheck disable=SC2016 # for CMake to expand
printf 'include("%s/cmake/cxx.cmake")\nmessage("${YOMI_CXX}")\n' "$PWD" >"$tmp/cxx.cmake"
program=$(command -v "$CMAKE")
while read -r c cxx; do
    found=$(env -u CXX PATH="$tmp/compilers" "$program" -DCMAKE_C_COMPILER="$tmp/compilers/$c" -P "$tmp/cxx.cmake" 2>&1)
    [ "$found" = "$tmp/compilers/$cxx" ] || fail "the C++ compiler for $c is '$found', not $cxx"
done <<'END'
cc c++
gcc-99 g++-99
clang-99 clang++-99
arm-cc-9 arm-c++-9
tcc g++
END

# Through a link, from elsewhere; cmake and ninja are stand-ins that tell what they were given.
mkdir "$tmp/bin" "$tmp/elsewhere"
cat >"$tmp/bin/cmake" <<'END'
#!/bin/sh
echo "cmake in $PWD: $*" >>"$SAID"
mkdir -p build/release && printf 'CMAKE_HOME_DIRECTORY:INTERNAL=%s\nCMAKE_C_COMPILER:FILEPATH=%s\n' "$PWD" "$(command -v my-cc)" >build/release/CMakeCache.txt && : >build/release/build.ninja
END
cat >"$tmp/bin/ninja" <<'END'
#!/bin/sh
printf '#!/bin/sh\necho "yomi $*"\n' >"$2/yomi" && chmod +x "$2/yomi"
END
ln -s "$(command -v "$CC")" "$tmp/bin/my-cc"
chmod +x "$tmp/bin"/*
ln -s "$copy/run" "$tmp/elsewhere/go"
export SAID=$tmp/said
(cd "$tmp/elsewhere" && PATH=$tmp/bin:$PATH CC=my-cc ./go version) >"$tmp/out" 2>"$tmp/err" ||
    fail "./run through a link: $(cat "$tmp/err")"
has "$tmp/out" '^yomi version$'
has "$SAID" 'CMAKE_C_COMPILER=my-cc'
# shellcheck disable=SC2016
has "$SAID" 'cmake in .*a \[x\] \$HOME b:'
# The second time it is not configured again; with another CC it is; with one that is not there it says so.
(cd "$tmp/elsewhere" && PATH=$tmp/bin:$PATH CC=my-cc ./go version) >"$tmp/out" 2>"$tmp/err" || fail "./run again"
[ "$(wc -l <"$SAID")" = 1 ] || fail "./run configures again: $(cat "$SAID")"
PATH=$tmp/bin:$PATH CC=no-such-cc "$copy/run" version >"$tmp/out" 2>&1 && fail "CC that is not there"
has "$tmp/out" "CC is 'no-such-cc'"

# ---- progress: on a terminal alone ----
# shellcheck disable=SC2016 # for the other shell to expand
count='. tools/setup.sh; progress 2 10 games; SECONDS=$((SECONDS + 60)); progress 4 10 games'
if command -v script >/dev/null; then
    script -qec "bash -c '$count'" /dev/null >"$tmp/out" 2>&1 </dev/null
    has "$tmp/out" '2 of 10 games'
    has "$tmp/out" '4 of 10 games, 3:0[0-9] left'
else
    echo "not checked: progress on a terminal (no script)"
fi
bash -c "$count" >"$tmp/out" 2>&1
[ -s "$tmp/out" ] && fail "progress where there is no terminal: $(cat "$tmp/out")"
exit $failed
