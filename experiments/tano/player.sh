#!/usr/bin/env bash
# A player on top of the GPU, on 9x9: against GNU Go 3.8 at level 10, and against the same program on
# the CPU alone with the same number of threads and the same time a move.
#   experiments/tano/player.sh [--part gnugo|cpu|report|all] [--games N] [--time S] [--threads N]
#                              [--jobs N] [--backend NAME] [--options "OPTION..."] [--out FOLDER]
# GAMES (100) a match, TIME (0.1) seconds a move, THREADS (2) of either side's search, JOBS (1) games at
# a time. BACKEND (cuda) and OPTIONS (none) are the GPU player's. An interrupted run goes on where it
# was. Results: player.csv and player.md in build/tano/player.
set -euo pipefail
usage() { # STATUS
    sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
    exit "$1"
}
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
. "$here/../../tools/setup.sh" # sets root
help_if_asked "${BASH_SOURCE[0]}" "$@"
# shellcheck disable=SC2154
cd "$root"
part=all games=100 time=0.1 threads=2 jobs=1 backend=cuda options="" out=build/tano/player
while [ $# -gt 0 ]; do
    case $1 in
    --part | --games | --time | --threads | --jobs | --backend | --options | --out)
        [ $# -gt 1 ] || usage 2
        printf -v "${1#--}" %s "$2"
        shift 2
        ;;
    *) usage 2 ;;
    esac
done
yomi=${YOMI:-$root/build/release/yomi}
[ -x "$yomi" ] || "$root/run" version >/dev/null
PATH=$(cd "$(dirname "$yomi")" && pwd):$PATH:/usr/games
commit=${YOMI_COMMIT:-$(git describe --always --dirty 2>/dev/null || echo unknown)}
mkdir -p "$out"

player="yomi gtp --search uct --threads $threads --time $time"
on_gpu="$player --backend $backend${options:+ $options}"

# seconds_a_move FOLDER: of the first and of the second engine, by the referee's clock.
seconds_a_move() {
    awk -F, '/^[0-9]/ {
        black = int(($6 + 1) / 2); white = int($6 / 2)
        if ($2 == "first") { n1 += black; s1 += $7; n2 += white; s2 += $8 }
        else { n2 += black; s2 += $7; n1 += white; s1 += $8 }
    } END { printf "%.3f,%.3f", n1 ? s1 / n1 : 0, n2 ? s2 / n2 : 0 }' "$1/results.csv"
}

# row PART SECOND: a match of the player on the GPU against SECOND, and a line about it.
row() {
    local folder=$out/$1 result
    result=$(yomi match "$on_gpu" "$2" --size 9 --games "$games" --jobs "$jobs" --out "$folder" | tail -n 1)
    echo "$1: $result"
    printf '%s,%s,%s,"%s","%s","%s"\n' "$1" "$jobs" "$(seconds_a_move "$folder")" "$result" \
        "$on_gpu" "$2" >"$folder/row.csv"
}

against_gnugo() {
    if ! command -v gnugo >/dev/null; then install_packages gnugo; fi
    row gnugo "gnugo --mode gtp --chinese-rules --level 10"
}
against_cpu() { row cpu "$player"; }

report() {
    [ -n "$(find "$out" -name row.csv -print -quit)" ] || die "no matches in $out yet"
    {
        echo "# experiments/tano/player.sh, commit $commit, $(date -u +%F)"
        echo "# $(awk -F': ' '/^model name/ { print $2; exit }' /proc/cpuinfo), $(nproc) cores," \
            "$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null || echo no GPU)"
        echo "part,games_at_a_time,first_s_a_move,second_s_a_move,result,first,second"
        find "$out" -mindepth 2 -maxdepth 2 -name row.csv -exec cat {} + | sort
    } >"$out/player.csv"
    awk '/^# / { note = note (note == "" ? "" : ". ") substr($0, 3); next }
    /^part,/ {
        print note ".\n"
        print "| the player on the GPU | against | result | seconds a move | games at a time |"
        print "|---|---|---|---|---|"
        next
    }
    {
        split($0, quoted, "\"")
        split($0, field, ",")
        printf "| `%s` | `%s` | %s | %s and %s | %s |\n", quoted[4], quoted[6], quoted[2],
            field[3], field[4], field[2]
    }' "$out/player.csv" >"$out/player.md"
}

case $part in
gnugo) against_gnugo ;;
cpu) against_cpu ;;
report) ;;
all)
    against_gnugo
    against_cpu
    ;;
*) usage 2 ;;
esac
report
