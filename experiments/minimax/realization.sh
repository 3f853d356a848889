#!/usr/bin/env bash
# Table 3.2 of the survey in Tano's thesis (2010) again: realization-probability search against the
# plain search, with half of its time and with the same.
#   experiments/minimax/realization.sh OUT [--games N] [--time S] [--learn-games N] [--learn-nodes N]
#       [--jobs N]
# OUT gets the games the probabilities are learned from, the table, both matches with their records,
# and results.md. S seconds a move are the plain search's. Run it again to go on.
# Both searches are Pruning safe: neither reduces late moves nor leaves single moves out, so that only
# the depth rule differs.
set -euo pipefail
usage() { # STATUS
    sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
    exit "$1"
}
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/common.sh"
out='' games=200 time=1 learn_games=200 learn_nodes=20000 jobs=1
command="experiments/minimax/realization.sh $*"
read_options "games time learn-games learn-nodes jobs" "$@"
mkdir -p "$out"
half=$(awk -v t="$time" 'BEGIN { print t / 2 }')

yomi match --game shogi 'yomi usi' 'yomi usi' --nodes "$learn_nodes" --games "$learn_games" \
    --jobs "$jobs" --seed 1000000 --out "$out/learn" >"$out/learn.log"
yomi learn probability "$out"/learn/games/*.csa --out "$out/table.csv" >"$out/table.txt"

play() { # NAME SECONDS
    yomi match --game shogi 'yomi usi' 'yomi usi' --movetime "$2" --movetime2 "$time" \
        --first-options "Pruning=safe;DepthRule=realization;ProbabilityFile=$out/table.csv" \
        --second-options 'Pruning=safe' --games "$games" --jobs "$jobs" --out "$out/$1" >"$out/$1.log"
}
play half "$half"
play equal "$time"

row() { # NAME LABEL THESIS
    awk -F, -v label="$2" -v thesis="$3" '
    /^[0-9]/ { won += $3 == "first"; lost += $3 == "second"; drawn += $3 == "draw" }
    END {
        n = won + lost + drawn
        printf "| %s | %d | %d | %d | %.0f%% | %s |\n", label, won, drawn, lost,
            100 * (won + drawn / 2) / n, thesis
    }' "$out/$1/results.csv"
}
{
    echo "# Realization-probability search against the plain one"
    echo
    made_by "$command"
    echo
    echo "The plain search always has $time s a move. Learned from $learn_games games of \`yomi usi\` at"
    echo "$learn_nodes nodes a move; random openings of 8 moves, each with both colours. In the thesis"
    echo "10 s a move and 200 games, of a program and a machine of 2002."
    echo
    echo "| time a move | won | drawn | lost | score | thesis, Table 3.2 |"
    echo "|---|---|---|---|---|---|"
    row half "$half s" "109 - 0 - 91, 55%"
    row equal "$time s" "137 - 8 - 55, 71%"
    echo
    tail -n 1 "$out/half.log"
    echo
    tail -n 1 "$out/equal.log"
    echo
    echo "What was learned:"
    echo
    echo '```'
    cat "$out/table.txt"
    echo '```'
} >"$out/results.md"
cat "$out/results.md"
