#!/usr/bin/env bash
# Installs into an empty folder and uses what is there as a stranger would: the program, the manual
# page, the completions, and a C and a C++ program built with pkg-config against either library.
set -eu
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
"$CMAKE" --install "$BUILD" --prefix "$prefix" >/dev/null

pc=$(find "$prefix" -name yomi.pc)
libdir=$(dirname "$(dirname "$pc")")
export PKG_CONFIG_PATH=${pc%/*} LD_LIBRARY_PATH=$libdir
[ "$("$prefix/bin/yomi" version | head -1)" = "yomi $VERSION" ]
[ "$(pkg-config --modversion yomi)" = "$VERSION" ]
# A program that links libyomi.a is told about jansson and zlib; one that links the shared library is not.
case $(pkg-config --static --libs yomi) in *-ljansson*) ;; *) echo "yomi.pc: no jansson for libyomi.a"; exit 1 ;; esac
case $(pkg-config --static --libs yomi) in *-lz*) ;; *) echo "yomi.pc: no zlib for libyomi.a"; exit 1 ;; esac
case $(pkg-config --libs yomi) in *-ljansson*) echo "yomi.pc: jansson for libyomi.so"; exit 1 ;; esac
for file in share/man/man1/yomi.1 share/bash-completion/completions/yomi \
    share/zsh/site-functions/_yomi include/yomi/yomi.h lib/systemd/user/yomi-web.service \
    lib/systemd/user/yomi-worker.service share/applications/yomi.desktop \
    share/icons/hicolor/scalable/apps/yomi.svg share/doc/yomi/docs/gtp.md; do
    [ -s "$prefix/$file" ] || { echo "missing: $file"; exit 1; }
done

[ "$("$prefix/bin/yomi" help gtp | tail -1)" = "docs/ is $(realpath "$prefix")/share/doc/yomi/docs." ] || {
    echo "yomi help gtp does not say where the documents are"
    exit 1
}

# What the library exports is what its headers declare.
nm -D --defined-only "$libdir/libyomi.so" | awk '{ print $3 }' | grep '^[^_]' | sort -u >"$prefix/exported"
sed -n 's/^[a-z].*[ *]\(yo_[a-z0-9_]*\)(.*/\1/p; s/^extern .*[ *]\(yo_[a-z0-9_]*\);/\1/p' \
    "$prefix"/include/yomi/*.h | grep -v '^yo_go_other$' | sort -u >"$prefix/declared"
if [ -z "$SANITIZE" ] && ! diff "$prefix/declared" "$prefix/exported"; then
    echo "the headers declare (<) what the library does not export (>)"
    exit 1
fi

cat >"$prefix/user.c" <<'END'
#include <stdio.h>
#include <string.h>
#include <yomi/yomi.h>

int main(void) {
    struct yo_playout_position position;
    struct yo_playout_result result;
    struct yo_playouts *playouts = NULL;
    struct yo_diag diag;
    memset(&position, 0, sizeof position);
    memset(&result, 0, sizeof result);
    position.size = 5;
    position.to_move = YO_GO_BLACK;
    position.ko = position.last = YO_GO_NONE;
    if (yo_playouts_new("auto", 1, &playouts, &diag) != YO_OK) return 1;
    if (yo_playouts_run(playouts, YO_PLAYOUT_LIGHT, &position, 1, 0, 100, &result, &diag) != YO_OK)
        return 1;
    yo_playouts_delete(playouts);
    printf("%s %d\n", yo_version(), (int)result.games);
    return strcmp(yo_version(), YO_VERSION) != 0;
}
END
cp "$prefix/user.c" "$prefix/user.cc"
sanitize=${SANITIZE:+-fsanitize=$SANITIZE}
flags="-Wall -Wextra -Werror $sanitize"
read -ra shared < <(pkg-config --cflags --libs yomi)
read -ra static < <(pkg-config --static --cflags --libs yomi | sed 's/-lyomi/-l:libyomi.a/')
# shellcheck disable=SC2086
{
    "$CC" -std=c11 $flags "$prefix/user.c" "${shared[@]}" -o "$prefix/c"
    "$CC" -std=c11 $flags "$prefix/user.c" "${static[@]}" -o "$prefix/c_static"
    "$CXX" -std=c++17 $flags "$prefix/user.cc" "${shared[@]}" -o "$prefix/cc"
}
for program in c c_static cc; do
    [ "$("$prefix/$program")" = "$VERSION 100" ] || { echo "$program: wrong answer"; exit 1; }
done
