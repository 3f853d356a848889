#!/usr/bin/env bash
# Yomi against GNU Go on one board: the match behind results/*.md.
#   experiments/mogo/gnugo.sh OUT [--games N] [--playouts N] [--size N] [--level N] [-- SEARCH-OPTION...]
# OUT gets results.csv, every game as SGF, and summary.md; run it again to go on after an
# interruption. Everything runs on one thread.
set -euo pipefail
usage() { # STATUS
    sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
    exit "$1"
}
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../tools/setup.sh" # sets root
help_if_asked "${BASH_SOURCE[0]}" "$@"
games=30 playouts=1000 size=9 level=10
[ $# -gt 0 ] || usage 2
case $1 in -*) usage 2 ;; esac
out=$1
shift
while [ $# -gt 0 ]; do
    case $1 in
    --games | --playouts | --size | --level)
        [ $# -gt 1 ] || usage 2
        printf -v "${1#--}" %s "$2"
        shift 2
        ;;
    --)
        shift
        break
        ;;
    *) usage 2 ;;
    esac
done
gnugo=$(PATH=$PATH:/usr/games command -v gnugo) || {
    install_packages gnugo
    gnugo=$(PATH=$PATH:/usr/games command -v gnugo)
}
yomi=${YOMI:-$root/build/release/yomi}
[ -x "$yomi" ] || "$root/run" version >/dev/null
first="yomi gtp --playouts $playouts --threads 1${*:+ $*}"
second="gnugo --mode gtp --level $level --chinese-rules"
PATH=$(dirname "$yomi"):$(dirname "$gnugo"):$PATH
yomi match "$first" "$second" --size "$size" --games "$games" --out "$out" | tee "$out.log"
{
    echo "# $first"
    echo
    echo "against \`$second\`, ${size}x$size, komi 7.5, area scoring:"
    echo
    tail -n 1 "$out.log"
    echo
    echo "Commit $(git -C "$root" describe --always --dirty 2>/dev/null || echo unknown), $(date -u +%F)," \
        "$(awk -F': ' '/^model name/ { print $2; exit }' /proc/cpuinfo), GNU Go" \
        "$("$gnugo" --version | sed -n '1s/[^0-9]*//p')."
} >"$out/summary.md"
mv "$out.log" "$out/log.txt"
