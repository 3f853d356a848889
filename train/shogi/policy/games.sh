#!/usr/bin/env bash
# Games of alpha-beta against itself, to train a network on:
#   train/shogi/policy/games.sh FOLDER [--minutes M] [--nodes N] [--seed S] [--threads T]
# Games are played to their ends, since a network has to know mates. Plays for M minutes (8) on T threads (0: all cores), N positions a move (1500), from openings with random
# moves, and writes FOLDER/games-S-00.psv and so on: each at most 15 MB, 375,000 positions. Another seed
# (1) plays other games.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
. "$here/../../../tools/setup.sh" # sets root
help_if_asked "${BASH_SOURCE[0]}" "$@"
case ${1:-} in
"" | -*) wrong_usage "$0" "which folder" ;;
esac
folder=$1
shift
minutes=8 nodes=1500 seed=1 threads=0
while [ $# -gt 0 ]; do
    case $1 in
    --minutes | --nodes | --seed | --threads)
        [ $# -gt 1 ] || wrong_usage "$0" "$1 needs a value"
        printf -v "${1#--}" %s "$2"
        shift 2
        ;;
    *) wrong_usage "$0" "there is no $1" ;;
    esac
done
# shellcheck disable=SC2154
yomi=${YOMI:-$root/build/release/yomi}
[ -x "$yomi" ] || "$root/run" version >/dev/null
mkdir -p "$folder"
all=$folder/all-$seed.psv
seconds=$(awk "BEGIN { print int(60 * $minutes + 0.5) }")
"$yomi" selfplay shogi "$all" --games 1000000000 --seconds "$seconds" --nodes "$nodes" --seed "$seed" \
    --threads "$threads" --decided 32000
split -b 15000000 -d "$all" "$folder/games-$seed-" --additional-suffix=.psv # whole positions of 40 bytes
rm -f "$all" "$all.state"
ls -l "$folder"
