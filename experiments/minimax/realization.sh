#!/usr/bin/env bash
# Table 3.2 of the survey in Tano's thesis (2010) again: realization-probability search against the
# plain search, with half of its time and with the same.
#   experiments/minimax/realization.sh OUT [--rule realization|half] [--games N] [--time S]
#       [--nodes N [--worth F]] [--learn-games N] [--learn-nodes N] [--jobs N]
# OUT gets the games the probabilities are learned from, the table, both matches with their records,
# and results.md. S seconds a move are the plain search's. Run it again to go on. With --rule half the
# 0.5-ply extension plays instead; it learns nothing. With --nodes N the plain search has N positions a
# move instead of a time, so that a busy machine does not matter; F is how many the other one searches while the
# plain one searches one (1), measured on a quiet core.
# Both searches are Pruning safe: neither reduces late moves nor leaves single moves out, so that only
# the depth rule differs.
set -euo pipefail
usage() { # STATUS
    sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
    exit "$1"
}
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/common.sh"
out='' rule=realization games=200 time=1 nodes='' worth=1 learn_games=200 learn_nodes=20000 jobs=1
command="experiments/minimax/realization.sh $*"
read_options "rule games time nodes worth learn-games learn-nodes jobs" "$@"
case $rule in
realization | half) ;;
*) usage 2 ;;
esac
mkdir -p "$out"
options="Pruning=safe;DepthRule=$rule"
if [ "$rule" = realization ]; then
    yomi match --game shogi 'yomi usi' 'yomi usi' --nodes "$learn_nodes" --games "$learn_games" \
        --jobs "$jobs" --seed 1000000 --out "$out/learn" >"$out/learn.log"
    yomi learn probability "$out"/learn/games/*.csa --out "$out/table.csv" >"$out/table.txt"
    options="$options;ProbabilityFile=$out/table.csv"
fi

part() { # F: F of the plain search's time or positions, as it is written
    if [ -n "$nodes" ]; then
        awk -v n="$nodes" -v f="$1" -v w="$worth" 'BEGIN { printf "%d\n", n * f * w + 0.5 }'
    else
        awk -v t="$time" -v f="$1" 'BEGIN { print t * f }'
    fi
}
limit=movetime full=$time unit=s
[ -z "$nodes" ] || limit=nodes full=$nodes unit=positions

play() { # NAME F
    yomi match --game shogi 'yomi usi' 'yomi usi' "--$limit" "$(part "$2")" "--${limit}2" "$full" \
        --first-options "$options" --second-options 'Pruning=safe' --games "$games" --jobs "$jobs" \
        --out "$out/$1" >"$out/$1.log"
}
play half 0.5
play equal 1

row() { # NAME LABEL THESIS
    local share
    share=$(sed -n '$s/.*: \([0-9.]*% \[[^]]*\]\).*/\1/p' "$out/$1.log")
    awk -F, -v label="$2" -v share="$share" -v thesis="$3" '
    /^[0-9]/ { won += $3 == "first"; lost += $3 == "second"; drawn += $3 == "draw" }
    END {
        printf "| %s | %d | %d | %d | %d | %s | %s |\n", label, won + lost + drawn, won, drawn, lost, share, thesis
    }' "$out/$1/results.csv"
}
{
    if [ "$rule" = realization ]; then
        echo "# Realization-probability search against the plain one"
        thesis_half="109 - 0 - 91, 55%" thesis_equal="137 - 8 - 55, 71%" thesis=", Table 3.2"
    else
        echo "# The 0.5-ply extension against the plain search"
        thesis_half="" thesis_equal="" thesis=""
    fi
    echo
    made_by "$command"
    echo
    echo "The plain search always has $full $unit a move; random openings of 8 moves, each with both colours."
    if [ "$rule" = realization ]; then
        echo "Learned from $learn_games games of \`yomi usi\` at $learn_nodes nodes a move. In the thesis 10 s"
        echo "a move and 200 games, of a program and a machine of 2002."
    fi
    echo
    echo "| limit a move | games | won | drawn | lost | score, 95% interval | thesis$thesis |"
    echo "|---|---|---|---|---|---|---|"
    row half "$(part 0.5) $unit" "$thesis_half"
    row equal "$(part 1) $unit" "$thesis_equal"
    echo
    tail -n 1 "$out/half.log"
    echo
    tail -n 1 "$out/equal.log"
    if [ "$rule" = realization ]; then
        echo
        echo "What was learned:"
        echo
        echo '```'
        cat "$out/table.txt"
        echo '```'
    fi
} >"$out/results.md"
cat "$out/results.md"
