#!/usr/bin/env bash
# Folders stand in dependency order, and a file includes only from its own folder and those before
# it; public headers include only public headers. What must know no game includes none. Reads the
# #include lines.
set -eu

check() { # ROOT: prints what is wrong
    # shellcheck disable=SC2016
    (cd "$1" && find include src \( -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' \) -print0 | xargs -0 awk '
        function folder(path) { sub(/\/[^\/]*$/, "", path); return path }
        BEGIN {
            # A folder with subfolders of its own stands before them. Those that may include each
            # other are written as one, with a + between.
            count = split("yomi base game game/go game/go/sgf game/shogi game/shogi/kifu " \
                "eval eval/combine+eval/playout+eval/playout/slice+eval/playout/cuda+eval/playout/hw " \
                "eval/net+eval/net/cpu+eval/net/cpu/body+eval/net/cuda eval/shogi " \
                "search search/uct search/guided search/go search/alphabeta+search/mate search/shogi " \
                "engine peer match learn learn/network learn/netplay cluster " \
                "protocol protocol/hw protocol/gtp protocol/usi protocol/analysis protocol/web " \
                "cmd+cmd/play+cmd/analyze+cmd/book+cmd/match+cmd/cluster+cmd/net+cmd/learn+cmd/selfplay+cmd/bench+cmd/doctor+cmd/web", order, " ")
            for (i = 1; i <= count; i++) {
                together = split(order[i], same, "+")
                for (j = 1; j <= together; j++) rank[same[j]] = i
            }
            # These know no game: of game/ they see game.h, of eval/ what stands in it directly.
            no_game["search"] = no_game["search/uct"] = no_game["search/guided"] = 1
            # The two games know nothing of each other.
            apart["game/go"] = apart["game/go/sgf"] = "^game/shogi"
            apart["game/shogi"] = apart["game/shogi/kifu"] = "^game/go|^yomi/(go|sgf)"
            apart["search/alphabeta"] = apart["search/mate"] = apart["search/shogi"] = apart["eval/shogi"] = "/go"
            apart["search/go"] = "/shogi"
        }
        /^[ \t]*#[ \t]*include[ \t]*"/ {
            from = folder(FILENAME); sub(/^(src|include)\//, "", from)
            split($0, quoted, "\"")
            to = folder(quoted[2])
            place = FILENAME ":" FNR ": "
            if (!(from in rank))
                print place "unknown folder " from
            else if (!(to in rank) || quoted[2] !~ /\//)
                print place "\"" quoted[2] "\" is not a path from src/ or include/"
            else if (rank[to] > rank[from])
                print place from "/ may not include " to "/"
            else if (from in no_game && quoted[2] !~ /^(base\/|search\/|game\/game\.h|eval\/[^\/]*$|yomi\/error\.h)/)
                print place from "/ knows no game and may not include " quoted[2]
            else if (from in apart && quoted[2] ~ apart[from])
                print place from "/ may not include " quoted[2]
        }')
}

# The check itself first: each of these must be found, and nothing else.
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir -p "$tmp"/include/yomi "$tmp"/src/{base,game/{go,shogi},search/uct,eval/playout/slice,odd}
echo '#include "base/buf.h"' >"$tmp/include/yomi/bad.h"
echo '#include "search/search.h"' >"$tmp/src/game/go/bad.c"
echo '#include "game/go/board.h"' >"$tmp/src/game/shogi/bad.c"
echo '#include "game/go/board.h"' >"$tmp/src/search/uct/bad.c"
echo '#include "search/uct/uct.h"' >"$tmp/src/search/bad.c"
echo '#  include "buf.h"' >"$tmp/src/base/bad.c"
echo '#include "base/buf.h"' >"$tmp/src/odd/bad.c"
printf '#include <stdio.h>\n#include "game/game.h"\n#include "eval/eval.h"\n' >"$tmp/src/search/good.c"
echo '#include "eval/playout/backend.h"' >"$tmp/src/eval/playout/slice/good.c"
found=$(check "$tmp" | cut -d: -f1 | sort | tr '\n' ' ')
expected="include/yomi/bad.h src/base/bad.c src/game/go/bad.c src/game/shogi/bad.c src/odd/bad.c src/search/bad.c src/search/uct/bad.c "
if [ "$found" != "$expected" ]; then
    echo "the check is broken: it found '$found'"
    exit 1
fi

wrong=$(check .)
if [ -n "$wrong" ]; then
    echo "$wrong"
    exit 1
fi
