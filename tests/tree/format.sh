#!/usr/bin/env bash
# Every C or C++ file is as clang-format 14 would write it (other versions differ in small things).
# `tools/format` puts it right.
set -eu
. tools/clang_format.sh
mapfile -t files < <(c_files)
((${#files[@]} > 0))
"$clang_format" --dry-run -Werror "${files[@]}"
