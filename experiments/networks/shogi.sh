#!/usr/bin/env bash
# PUCT on a network with a policy against alpha-beta with its own, equal time: the match of
# results/shogi.md.
#   experiments/networks/shogi.sh [--net FILE] [--backend NAME] [--threads N] [--eval FILE]
#       [--seconds S] [--games N] [--seed N] [--jobs N] [--minutes M] [--out FOLDER] [--puct OPTIONS]
# Alpha-beta has one thread, PUCT --threads (2) and the options of --puct ('--cpuct 2'). FOLDER gets
# results.csv and every game; the same call goes on after an interruption, and --minutes is when to
# interrupt it. Several games at a time share a GPU well only under NVIDIA's multi-process service
# (nvidia-cuda-mps-control -d); each needs a core more than PUCT's threads. Defaults: the built-in
# networks, the fastest backend, 1 s, 200 games, one at a time. $YOMI is the program; else
# build/release/yomi.
set -eu
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
root=$(cd "$here/../.." && pwd)
. "$root/tools/setup.sh"
script=experiments/networks/shogi.sh
help_if_asked "$here/shogi.sh" "$@"

yomi=${YOMI:-$root/build/release/yomi}
net=builtin backend='' threads=2 eval=builtin seconds=1 games=200 seed=1 jobs=1 minutes=0 puct=''
out=$here/results/shogi-alphabeta
while [ $# -gt 0 ]; do
    [ $# -ge 2 ] || wrong_usage "$script" "$1 wants a value"
    case $1 in
    --net | --backend | --threads | --eval | --seconds | --games | --seed | --jobs | --minutes | --out | --puct)
        printf -v "${1#--}" %s "$2"
        ;;
    *) wrong_usage "$script" "there is no option $1" ;;
    esac
    shift 2
done
[ -x "$yomi" ] || die "there is no $yomi; build it first, or set YOMI"
same="--resign-value 3000 --book off"
mkdir -p "$out"
limit=()
[ "$minutes" = 0 ] || limit=(timeout -s INT "${minutes}m")
status=0
"${limit[@]}" "$yomi" match --game shogi \
    "$yomi usi --search puct --net $net ${backend:+--net-backend $backend} --threads $threads --memory 2048 $same $puct" \
    "$yomi usi --search alphabeta --eval $eval --threads 1 --memory 256 $same" \
    --movetime "$seconds" --movetime2 "$seconds" --random-plies 6 --max-moves 320 \
    --games "$games" --seed "$seed" --jobs "$jobs" --out "$out" >"$out/log.txt" || status=$?
case $status in 0 | 124 | 130) ;; *) die "the match could not be played" ;; esac
grep -E '^ .*%' "$out/log.txt" | tail -1
