#!/usr/bin/env bash
# Folders stand in dependency order, and a file includes only from its own folder and those before
# it; public headers include only public headers. Reads the #include lines.
set -eu

check() { # ROOT: prints what is wrong
    # shellcheck disable=SC2016
    (cd "$1" && find include src \( -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' \) -print0 | xargs -0 awk '
        BEGIN {
            count = split("yomi base game eval search cluster protocol cmd", order, " ")
            for (i = 1; i <= count; i++) rank[order[i]] = i
        }
        /^[ \t]*#[ \t]*include[ \t]*"/ {
            split(FILENAME, path, "/")   # src/game/go/board.c, include/yomi/go.h
            split($0, quoted, "\"")
            split(quoted[2], target, "/")
            from = path[2]; to = target[1]
            place = FILENAME ":" FNR ": "
            if (!(from in rank))
                print place "unknown folder " from
            else if (!(to in rank) || quoted[2] !~ /\//)
                print place "\"" quoted[2] "\" is not a path from src/ or include/"
            else if (rank[to] > rank[from])
                print place from "/ may not include " to "/"
        }')
}

# The check itself first: each of these must be found, and nothing else.
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir -p "$tmp"/include/yomi "$tmp"/src/{base,game/go,search,odd}
echo '#include "base/buf.h"' >"$tmp/include/yomi/bad.h"
echo '#include "search/search.h"' >"$tmp/src/game/go/bad.c"
echo '#  include "buf.h"' >"$tmp/src/base/bad.c"
echo '#include "base/buf.h"' >"$tmp/src/odd/bad.c"
printf '#include <stdio.h>\n#include "game/game.h"\n#include "yomi/go.h"\n' >"$tmp/src/search/good.c"
found=$(check "$tmp" | cut -d: -f1 | sort | tr '\n' ' ')
expected="include/yomi/bad.h src/base/bad.c src/game/go/bad.c src/odd/bad.c "
if [ "$found" != "$expected" ]; then
    echo "the check is broken: it found '$found'"
    exit 1
fi

wrong=$(check .)
if [ -n "$wrong" ]; then
    echo "$wrong"
    exit 1
fi
