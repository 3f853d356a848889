#!/usr/bin/env bash
# The player on a network against other players, one thread each: the matches of results/opponents.md.
#   experiments/networks/opponents.sh uct|gnugo|pachi [--net FILE] [--size N] [--games N] [--seconds S]
#       [--jobs N] [--minutes M] [--out FOLDER] [--other PROGRAM] [--own-clock]
# uct is Yomi's own search on playouts with the same time for a move, of another version if --other
# names its program; gnugo is GNU Go at level 10; pachi is Pachi with the same time. FOLDER gets
# results.csv and every game as SGF; the same call goes on after an interruption, and --minutes is
# when to interrupt it. The time of a move is by the clock: leave a core to each job, or say --own-clock,
# so that players count the processor time of their own process. Resigned games are not played out. Defaults: the built-in network, 9x9, 200 games, 1 s, a job for each core.
# $YOMI is the program; else build/release/yomi.
set -eu
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
root=$(cd "$here/../.." && pwd)
. "$root/tools/setup.sh"
script=experiments/networks/opponents.sh
help_if_asked "$here/opponents.sh" "$@"

opponent=${1:-}
case $opponent in
uct | gnugo | pachi) shift ;;
*) wrong_usage "$script" "say uct, gnugo or pachi" ;;
esac
yomi=${YOMI:-$root/build/release/yomi}
net=builtin size=9 games=200 seconds=1 jobs=$(nproc) minutes=0 out='' other='' clock=''
while [ $# -gt 0 ]; do
    if [ "$1" = --own-clock ]; then
        clock=own
        shift
        continue
    fi
    [ $# -ge 2 ] || wrong_usage "$script" "$1 wants a value"
    case $1 in
    --net) net=$2 ;;
    --size) size=$2 ;;
    --games) games=$2 ;;
    --seconds) seconds=$2 ;;
    --jobs) jobs=$2 ;;
    --minutes) minutes=$2 ;;
    --out) out=$2 ;;
    --other) other=$2 ;;
    *) wrong_usage "$script" "there is no option $1" ;;
    esac
    shift 2
done
[ -x "$yomi" ] || die "there is no $yomi; build it first, or set YOMI"
out=${out:-$here/results/$opponent-$size}
PATH=$PATH:/usr/games

first="$yomi gtp --net $net --time $seconds --threads 1"
case $opponent in
uct) second="${other:-$yomi} gtp --search uct --time $seconds --threads 1" ;;
gnugo) second="gnugo --mode gtp --level 10 --chinese-rules --resign-allowed" ;;
pachi) second="pachi -t _$seconds threads=1" ;;
esac
[ "$opponent" = uct ] || command -v "$opponent" >/dev/null || install_packages "$opponent"
# A network that knows ownership helps the referee; the built-in one does not.
judge=()
if [ "$net" != builtin ] && "$yomi" net info "$net" --no-speed 2>/dev/null | grep -q ownership; then
    judge=(--judge-net "$net")
fi
mkdir -p "$out"
prefix=''
if [ -n "$clock" ]; then
    clock=$(realpath "$out")/cpuclock.so
    cc -O2 -shared -fPIC "$here/../shogi/cpuclock.c" -o "$clock"
    prefix="env LD_PRELOAD=$clock "
fi
limit=()
[ "$minutes" = 0 ] || limit=(timeout -s INT "${minutes}m")
status=0
"${limit[@]}" "$yomi" match "$prefix$first" "$prefix$second" --size "$size" --games "$games" --jobs "$jobs" \
    "${judge[@]}" --out "$out" >"$out/log.txt" || status=$?
case $status in 0 | 124 | 130) ;; *) die "the match could not be played" ;; esac
score=$(grep -E '^ .*%' "$out/log.txt" | tail -1 || true)
{
    echo "# \`$first\` against \`$second\`"
    echo
    [ -z "$clock" ] || echo "Players count the processor time of their own process."
    echo "${size}x$size, komi 7.5, area scoring:$score"
    echo
    echo "Commit $(git -C "$root" describe --always --dirty 2>/dev/null || echo unknown), $(date -u +%F)," \
        "$(awk -F': ' '/^model name/ { print $2; exit }' /proc/cpuinfo), games at a time: $jobs."
} >"$out/summary.md"
cat "$out/summary.md"
