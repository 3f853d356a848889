#!/usr/bin/env bash
# Is one build or one set of options better than another? A sequential test over pairs of games.
#   experiments/tuning/sprt.sh NAME FIRST SECOND [OPTION]...
# FIRST and SECOND are programs that speak USI by `PROGRAM usi --tune`. The result is a line of the
# ledger; that of a test which is interrupted, too, marked as ended early.
# Options: --first LIST, --second LIST options for each, NAME=VALUE;.. (both get Threads=1;USI_Hash=16),
#   --nodes N a move (20000), --movetime S in its place, --elo A,B (0,5), --games N at most (20000),
#   --jobs N at a time (all cores), --book FILE (experiments/tuning/book.txt), --ledger FILE
#   (experiments/tuning/ledger.csv).
set -euo pipefail
usage() {
    sed -n '3,10s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit "$1"
}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
case ${1-} in -h | --help) usage 0 ;; esac
[ $# -ge 3 ] || usage 2
name=$1 engine1=$2 engine2=$3
shift 3
first='' second='' nodes=20000 movetime='' elo=0,5 games=20000 jobs=$(nproc) book=$here/book.txt ledger=$here/ledger.csv
while [ $# -gt 1 ]; do
    case $1 in
    --first | --second | --nodes | --movetime | --elo | --games | --jobs | --book | --ledger) printf -v "${1#--}" %s "$2" ;;
    *) usage 2 ;;
    esac
    shift 2
done
[ $# -eq 0 ] || usage 2
yomi=${YOMI:-$here/../../build/release/yomi}
limit=(--nodes "$nodes") pace="$nodes nodes"
if [ -n "$movetime" ]; then limit=(--movetime "$movetime") pace="$movetime s"; fi
base='Threads=1;USI_Hash=16'
trap : INT # the match ends in good order and prints what it has, for which its reader has to wait
status=0 early=''
result=$("$yomi" match --game shogi "$engine1 usi --tune" "$engine2 usi --tune" --first-options "$base${first:+;$first}" \
    --second-options "$base${second:+;$second}" --openings "$book" --sprt "$elo" --games "$games" \
    --jobs "$jobs" --max-moves 256 "${limit[@]}" | (trap '' INT && exec tail -n 1)) || status=$?
case $status in
0) ;;
130) early=', ended early' ;;
*) exit "$status" ;;
esac
[[ $result == *' - '* ]] || { echo "$name: no game was finished" >&2 && exit 130; }
result=$(sed -E 's/^.* ([0-9]+ - [0-9]+) [^:,]*/\1/' <<<"$result")$early # without the engines' names
[ -e "$ledger" ] || echo 'date,change,pace,elo0,elo1,result' >"$ledger"
echo "$(date -u +%F),\"$name\",$pace,$elo,\"$result\"" >>"$ledger"
echo "$name: $result"
