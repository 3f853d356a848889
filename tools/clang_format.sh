# Sourced: sets clang_format, and exits with 77 ("skipped") where the right version is not there.
clang_format=
for name in clang-format-14 clang-format; do
    if "$name" --version 2>/dev/null | grep -q 'version 14\.'; then
        clang_format=$name
        break
    fi
done
if [ -z "$clang_format" ]; then
    echo "clang-format 14 is needed, and only that" >&2
    exit 77
fi
c_files() { # and those in C++, by their endings
    find src include tests fuzz bench \( -name '*.[ch]' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' \) \
        2>/dev/null | sort
}
