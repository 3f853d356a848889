#!/usr/bin/env bash
# src/README.md has a line for every file, in the section of its folder, and for no file that is
# gone.
set -eu
listed=$(awk '/^##/ { folder = $2; sub(/\/:?$/, "", folder); sub(/^include/, "../include", folder) }
    /^\| `/ {
        line = $0
        while (match(line, /`[a-z_0-9]+(\.(c|h|cu|cuh))?`/)) {
            print folder "/" substr(line, RSTART + 1, RLENGTH - 2)
            line = substr(line, RSTART + RLENGTH)
        }
    }' src/README.md)
status=0
while read -r file; do
    grep -qxe "$file" -e "${file%.*}" <<<"$listed" || {
        echo "src/README.md has no line for $file"
        status=1
    }
done < <(cd src && find . ../include/yomi -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' | sed 's|^\./||' | sort)
while read -r entry; do
    compgen -G "src/$entry" >/dev/null || compgen -G "src/$entry.[ch]" >/dev/null || {
        echo "src/README.md has a line for $entry, which is not there"
        status=1
    }
done <<<"$listed"
exit $status
